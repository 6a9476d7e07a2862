"""The evidence widget: groups and filters, bars, an opened claim, and the words' marks."""

from __future__ import annotations

import html
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from clwork import claims, lab
from clwork.claims import Answer
from clwork.claims.verdicts import OWN_WORDS
from clwork.lab.evidence_view import (
    FINDINGS,
    LESSONS,
    MARKS,
    NARROWEST,
    NOT_ANSWERED,
    REACH,
    SIZE,
    Evidence,
    compressed,
    in_margins,
    judged,
    lanes,
    linked,
    place,
    typeset,
)


@pytest.fixture(scope="module")
def answers() -> dict[str, Answer]:
    """A quarter of the claims, and those about whitening."""
    chosen = {}
    for number, (name, answer) in enumerate(claims.answers().items()):
        if number % 4 == 0 or "whitening" in name:
            chosen[name] = answer
    return chosen


@pytest.fixture(scope="module")
def shared(answers: dict[str, Answer]) -> Evidence:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[Evidence.__module__], "answers", lambda: answers)
        return lab.evidence()


@pytest.fixture
def widget(shared: Evidence) -> Evidence:
    """One widget for all tests, because making it takes long; reset to few claims."""
    shared.find.value = "WHITENING"
    shared.paper.value = "all"
    return shared


def listed(widget: Evidence) -> list[str]:
    """Names of the listed claims, in their order."""
    return re.findall(r"<details[^>]*data-claim='([^']+)'", widget.table.value)


def test_all_claims_are_listed_those_that_differ_first(
    widget: Evidence, answers: dict[str, Answer]
) -> None:
    widget.find.value = "/"
    assert sorted(listed(widget)) == sorted(answers)
    ranks = [FINDINGS.index(answers[name].finding) for name in listed(widget)]
    assert ranks == sorted(ranks)
    bars = 0
    for answer in answers.values():
        for comparison in answer.comparisons:
            if comparison.measured:
                bars += len(judged(comparison))
    assert widget.table.value.count("clwork-mean") == bars
    assert "Dropout" in widget.table.value


def test_each_word_has_a_closed_group_with_its_count_and_a_mark_for_each_claim(
    widget: Evidence, answers: dict[str, Answer]
) -> None:
    widget.find.value = ""
    answered = [answer for answer in answers.values() if answer.finding not in NOT_ANSWERED]
    counts = Counter(answer.finding for answer in answered)
    assert len(listed(widget)) == len(answered) < len(answers), "unanswered ones need a filter"
    page = widget.table.value
    assert page.count("<details class='word'>") == len(counts)
    assert "class='word' open" not in page
    named = {}
    for group in re.findall(r"<details class='word'>(<summary.+?</summary>)", page):
        title = re.search(r"\S+ (\d+) (claims? of papers|of clwork's own claims): (.+?)<", group)
        assert title
        named[title[3]] = int(title[1])
        is_own = title[3] in (*OWN_WORDS.values(), "inconclusive")
        assert is_own == ("own" in title[2])
        assert group.count("class='mark'") == int(title[1])
        for name in re.findall(r"href='#evidence/([^']+)'", group):
            assert page.count(f"data-claim='{name}'><a id='evidence/{name}'></a>") == 1
    assert named == counts
    assert list(named) == [word for word in FINDINGS if word in counts], "the worst first"
    _, still = widget._static()
    assert page in still


def test_a_groups_mark_stands_at_the_comparison_that_decides_the_word(
    widget: Evidence, answers: dict[str, Answer]
) -> None:
    widget.find.value = ""
    seen = 0
    for answer in answers.values():
        means = [
            in_margins(comparison, comparison.difference)[0]
            for comparison in answer.comparisons
            if comparison.measured and answer.finding_of(comparison) == answer.finding
        ]
        if answer.finding in NOT_ANSWERED or len(answer.comparisons) < 2:
            continue
        link = f"href='#evidence/{answer.claim.name}'"
        shown = r"<svg [^>]*left:([\d.]+)%.+?class='tip'>(.+?)<br>"
        mark = re.search(f"{link}>{shown}", widget.table.value)
        assert mark
        assert mark[1] == f"{place(min(means)):.1f}"
        assert mark[2] == html.escape(answer.claim.claim)
        if answer.finding == "agrees here":
            assert min(means) > 0
        seen += 1
    assert seen > 5


def test_paper_and_text_filter_the_list_and_open_its_groups(
    widget: Evidence, answers: dict[str, Answer]
) -> None:
    widget.paper.value = "simcse"
    widget.find.value = ""
    named = {name for name in answers if name.startswith("simcse/")}
    assert set(listed(widget)) == named
    assert "class='word'>" not in widget.table.value
    widget.find.value = "WHITENING"
    widget.paper.value = "all"
    assert "simcse/against-whitening" in listed(widget)
    assert len(listed(widget)) < 40
    widget.find.value = "no such words anywhere"
    assert listed(widget) == []
    assert "No claim" in widget.state.value


def test_a_chosen_claim_is_opened_though_a_filter_hid_it(
    widget: Evidence, answers: dict[str, Answer]
) -> None:
    widget.paper.value = "gclsr"
    widget.choose("simcse/against-whitening")
    assert widget.paper.value == "all"
    page = widget.table.value
    opened = re.findall(r"<details open data-claim='([^']+)'", page)
    assert opened == listed(widget) == ["simcse/against-whitening"]
    assert "Table 5" in page
    assert "76.25" in page
    assert "claims.test(" in page
    controls = answers["simcse/against-whitening"].controls
    means = [np.mean(control.values) for control in controls]
    assert f"{max(means):.4g}" in page
    assert ">? open</span>" in page
    assert ">SimCSE &gt; raw first-last, whitened: open</caption>" in page
    assert "STS-B train (5,749 pairs" in page
    assert "Does it carry over to the paper's setting? <p>Our encoder" in page
    assert "<a href='https://arxiv.org/abs/2104.08821' target='_blank'><b>SimCSE</b></a>" in page
    assert "−2.94 [−4.64, −1.24]" in page
    assert re.search(r"<b>−2\.94</b> SICK-R train: .+? <small>\(5\.88 margins of 0\.5\)<", page)
    order = ["Stated in", "Measured here", "What was found", "Reproduce it"]
    assert re.findall(r"<dt>(.+?)</dt>", page) == order
    with pytest.raises(ValueError, match="simcse/no-such"):
        widget.choose("simcse/no-such")


def test_words_differ_by_sign_and_shape_and_not_by_colour_alone() -> None:
    here = ["differs here", "mixed", "agrees here", "below the margin", "open"]
    assert len({MARKS[word].sign for word in here}) == len(here)
    assert len({MARKS[word].shape for word in here}) == len(here)
    assert {answer.finding for answer in claims.answers().values()} <= set(MARKS)


def test_differences_are_in_margins_and_point_in_the_claims_direction() -> None:
    answers = claims.answers()
    for answer in answers.values():
        for comparison in answer.comparisons:
            if not comparison.measured:
                continue
            mean, low, high = in_margins(comparison, comparison.difference)
            assert low <= mean <= high
            found = answer.finding_of(comparison)
            if found in ("supported", "agrees here"):
                assert mean > (-1 if comparison.expected.sign == "=" else 0)
            if found in ("refuted", "differs here"):
                assert mean < 0
    comparison = answers["simcse/against-whitening"].comparisons[0]
    difference = comparison.difference
    assert in_margins(comparison, difference)[0] == pytest.approx(difference.mean / 0.5)
    assert compressed(-3) == -compressed(3)
    assert compressed(9) == pytest.approx(1)
    assert place(0) == 50
    assert place(-2) < place(-1) < 50
    assert place(REACH) == place(3 * REACH) < 100


def test_no_mark_of_a_group_touches_another_one(widget: Evidence) -> None:
    widget.find.value = ""
    for group in widget.table.value.split("<details class='word'>")[1:]:
        found = re.findall(r"left:([\d.]+)%;top:(\d+)px", group)
        centres = [(NARROWEST * float(x) / 100, int(y)) for x, y in found]
        for number, (x, y) in enumerate(centres):
            for other_x, other_y in centres[:number]:
                # Positions are rounded to a tenth of a percent of the width.
                assert max(abs(x - other_x) + 0.4, abs(y - other_y)) >= SIZE
    assert lanes([]) == []


def test_a_text_links_to_the_pages_papers_and_lessons_that_it_names() -> None:
    text = "-1.2 at x 3 (docs/measured.md; authors' issue 120; arXiv 2305.13192; lesson 03)"
    page = linked(f"{text}, and <b> simcse/against-raw, clwork/metrics/diagnosis.py")
    assert re.findall("href='(.+?)'", page) == [
        "../docs/measured.md",
        "https://github.com/princeton-nlp/SimCSE/issues/120",
        "https://arxiv.org/abs/2305.13192",
        "03_dclr.ipynb",
        "../docs/claims.md#simcse/against-raw",
    ]
    assert "&lt;b&gt;" in page
    assert typeset("2026-11-23, STS12-16, -.5") == "2026-11-23, STS12-16, −.5"
    notebooks = Path(__file__).parents[2] / "notebooks"
    assert all((notebooks / f"{name}.ipynb").exists() for name in LESSONS)
    for answer in claims.answers().values():
        number = answer.claim.teaches.partition(" ")[0]
        assert number in ("", *(name[:2] for name in LESSONS)), answer.claim.name
