"""The ledger is complete, consistent with clwork's methods, and refers to existing lessons."""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from clwork import claims, methods
from clwork.claims import ledger
from clwork.claims.ledger import (
    CARRIES_OVER,
    PAPERS,
    Expectation,
    Variant,
    at_hand,
    read_claim,
)
from clwork.claims.verdicts import VALIDATION_ONLY
from clwork.lab.evidence_view import typeset

ROOT = Path(__file__).resolve().parents[2]
FILES = Path(ledger.__file__).parent / "ledger"
ALL = [claims.get(name) for name in claims.names()]
preset_of = functools.cache(methods.config)
METHODS = ("simcse", "dclr", "self_guided", "gclsr", "mocoutrl")


def test_every_entry_of_the_files_is_a_claim_of_its_paper() -> None:
    for paper in ledger.PAPERS:
        entries = tomllib.loads((FILES / f"{paper}.toml").read_text(encoding="utf-8"))["claim"]
        answered = [name for name in claims.names(paper) if claims.get(name).metric.name != "none"]
        assert [entry["name"] for entry in entries] == answered
        assert entries
        assert all(entry["name"].startswith(f"{paper}/") for entry in entries)
    assert len(set(claims.names())) == len(ALL)
    found = [claim for claim in ALL if claim.stated_by != "clwork"]
    assert len(found) == 389, "as many as were found in the papers, with an answer or without"


def wrong_settings(variant: Variant) -> bool:
    """Whether a variant has settings that its method does not accept, or no training data."""
    if not variant.trained:
        return bool(variant.config)
    preset = preset_of(
        variant.method,
        variant.encoder or ("textcnn:glove-6b-50d" if variant.method == "gclsr" else "mini"),
    )
    changed = type(preset)(**{**vars(preset), **variant.config})
    return not (
        variant.data and all(vars(changed)[name] == value for name, value in variant.config.items())
    )


def not_taught(claim: claims.Claim) -> list[str]:
    """Sections or exercises that should teach a claim and do not exist."""
    missing = []
    for place in claim.teaches.split(", ") if claim.teaches else ():
        taught = re.fullmatch(r"(\d\d) (?:§(\d+)|exercise (\d\.\d)|Evidence)", place)
        assert taught, (
            f"{claim.name}: {place!r} is no section, such as '02 §2', no exercise, no Evidence"
        )
        (notebook,) = (ROOT / "notebooks").glob(f"{taught[1]}_*.ipynb")
        heading = "#@title Evidence: "
        if taught[2] or taught[3]:
            heading = f'"## {taught[2]} ' if taught[2] else f"Exercise {taught[3]}:"
        missing += [f"{claim.name}: {place}"] * (
            heading not in notebook.read_text(encoding="utf-8")
        )
    return missing


def test_every_claim_is_complete_has_valid_settings_and_existing_lessons() -> None:
    wrong = [fault for claim in ALL for fault in not_taught(claim)]
    wrong += [
        f"{claim.name}: {variant.name}"
        for claim in ALL
        for variant in claim.variants.values()
        if wrong_settings(variant)
    ]
    for claim in ALL:
        trained = any(variant.trained for variant in claim.variants.values())
        reasons = bool(claim.untestable) + bool(claim.unmeasured)
        tested = reasons == (not claim.expects)
        of_a_paper = claim.stated_by != "clwork" and bool(claim.expects)
        assert (claim.carries_over in CARRIES_OVER) == of_a_paper, claim.name
        if not (
            claim.place and claim.claim.endswith(".") and tested and (claim.steps or not trained)
        ):
            wrong.append(claim.name)
        wrong += [claim.name for expected in claim.expects if expected.left == expected.right]
    assert not wrong, "\n".join(wrong)


def test_reasons_of_claims_without_a_word_are_their_own_and_true() -> None:
    reasons = Counter(claim.unmeasured or claim.untestable for claim in ALL if not claim.expects)
    assert all(len(reason) > 20 for reason in reasons)
    reason, count = reasons.most_common(1)[0]
    assert count <= 12, f"{count} claims have the reason {reason!r}"
    for claim in ALL:
        reason = f"{claim.unmeasured} {claim.untestable} {claim.because}"
        for key in re.findall(rf"\b(?:{'|'.join(PAPERS)})/[a-z0-9-]+", reason):
            assert key in claims.names(), f"{claim.name}: there is no claim {key}"
        _, _, missing = claim.unmeasured.partition("a setting that clwork does not have: ")
        setting, _, value = missing.rstrip(".").partition(" ")
        for method in METHODS:
            if setting in vars(preset_of(method)):
                with pytest.raises((ValueError, TypeError), match=setting):
                    methods.config(method, **{setting: value})


def test_each_paper_says_what_is_at_hand() -> None:
    page = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    assert all(f"## {title}\n\n{at_hand(paper)}\n" in page for paper, title in PAPERS.items())


def test_the_page_has_the_reason_of_each_tag_and_marks_words_by_validation_alone() -> None:
    page = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    rows = {row.split("`")[1]: row for row in page.splitlines() if row.startswith("| `")}
    for name, answer in claims.answers().items():
        claim = answer.claim
        if answer.finding not in ("not measured", "not testable"):
            row = re.sub(r"\[([^]]+)\]\([^)]+\)|<a[^>]*>|</a>", r"\1", rows[name])
            assert typeset(claim.carries) in row.replace("&gt;", ">"), name
            scored = [each for each in answer.comparisons if each.measured]
            scored = [each for each in scored if each.metric.name in ("sts", "stsb", "sickr")]
            assert rows[name].count(f"{VALIDATION_ONLY}") >= len(scored), name


def test_what_clwork_asks_beside_a_paper_is_no_finding_on_the_paper() -> None:
    page = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    of_papers, own = page.split("\n## clwork itself\n")
    asked = [claim.name for claim in ALL if claim.asked_by_clwork]
    assert asked == ["simcse/temperature", "gclsr/training-improves-the-network"]
    for name in asked:
        assert claims.answers()[name].finding in ("supported", "refuted", "inconclusive")
        assert f"| `{name}`" in own
        assert f"| `{name}`" not in of_papers


def test_too_few_tests_give_no_word_and_distances_have_one_unit() -> None:
    few = claims.answers()["gclsr/transfer-full-against-averaged-words"]
    assert few.finding == "not measured"
    assert few.why.startswith("74.6 against 68.7")
    (leash,) = claims.answers()["self_guided/leash-holds"].comparisons
    # 26.9 is the number of BERT-base's weights for each trained one of the small encoder.
    assert leash.left[0] == pytest.approx(1.8715 / 26.9, rel=1e-2)


def test_a_users_claim_is_read_from_a_dict_or_toml() -> None:
    table = {"metric": "stsb", "expects": ["SimCSE > warm"], "steps": 60}
    own = read_claim(
        {**table, "variants": {"warm": {"method": "simcse", "config": {"temperature": 0.5}}}}
    )
    assert own.variants["SimCSE"].method == "simcse"
    assert own.variants["warm"].config == {"temperature": 0.5}
    text = 'metric = "stsb"\nexpects = ["SimCSE > warm"]\nsteps = 60\n'
    assert (
        read_claim(text + 'variants.warm = { method = "simcse", config = { temperature = 0.5 } }')
        == own
    )
    assert read_claim("simcse/crop") is claims.get("simcse/crop")
    assert read_claim(own) is own


def test_wrong_names_expectations_and_claims_are_refused() -> None:
    for text in ("a", "a>b", "a > b < c", "a > b > c", ""):
        with pytest.raises(ValueError, match="give two variants with"):
            Expectation.parse(text)
    with pytest.raises(ValueError, match="did you mean 'simcse/dropout-against-none'"):
        claims.get("simcse/dropout-against-non")
    with pytest.raises(ValueError, match="'dclr'"):
        claims.names("dcrl")
    for given, error in (
        ({}, "incomplete or has an unknown field"),
        ({"metric": "stsb", "expects": [], "wrong": 1}, "incomplete or has an unknown field"),
        ({"metric": "evenness"}, r"metric='evenness' is not known; give one of 'sts', 'stsb'"),
        (
            {"metric": "stsb", "expects": "SimCS > warm"},
            r"variant 'SimCS' is not defined \(did you mean 'SimCSE'\?\)",
        ),
    ):
        with pytest.raises(ValueError, match=error):
            read_claim(given)
    misspelt = {"a": {"method": "simcse", "config": {"temprature": 1}}}
    with pytest.raises(TypeError, match="did you mean 'temperature'"):
        claims.test(
            {"metric": "stsb", "expects": "SimCSE > a", "steps": 9, "variants": misspelt}, seeds=3
        )
    with pytest.raises(ValueError, match="Invalid value"):
        read_claim("metric = ")


def test_a_paper_s_own_numbers_are_not_evidence_from_elsewhere() -> None:
    for claim in ALL:
        for other in claim.outside:
            told = other.told(claim.paper)
            is_its_own = other.source.split(",")[0] in PAPERS[claim.paper].split(", ")
            assert told.startswith("the paper reports" if is_its_own else "elsewhere"), claim.name
    assert "the paper reports" in str(claims.answers()["gclsr/full-against-roberta"])
