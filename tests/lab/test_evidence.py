"""The board of the evidence: filters, the chosen claim in words, the forest, and a reader's own answers."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from clwork import claims, lab
from clwork.claims.verdicts import Answer
from clwork.lab.evidence_view import compressed, in_margins


@pytest.fixture(scope="module")
def answers() -> dict[str, Answer]:
    """A quarter of the claims: the forest of all takes seconds to draw."""
    every = claims.answers()
    return {name: every[name] for at, name in enumerate(every) if at % 4 == 0 or "whitening" in name}


@pytest.fixture(scope="module")
def shared(answers: dict[str, Answer]) -> lab.Evidence:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[lab.Evidence.__module__], "answers", lambda: answers)
        return lab.evidence()


@pytest.fixture
def board(shared: lab.Evidence) -> lab.Evidence:
    """The one board of all tests, with few claims: each change of a filter draws the forest of those left."""
    for control, value in ((shared.find, "WHITENING"), (shared.verdict, "all"), (shared.paper, "all")):
        control.value = value
    return shared


def listed(board: lab.Evidence) -> list[str]:
    return [name for _, name in board.claims.options]


def test_it_lists_every_claim_those_with_a_verdict_first(board: lab.Evidence, answers: dict[str, Answer]) -> None:
    board.find.value = ""
    assert sorted(listed(board)) == sorted(answers)
    ranks = [["supported", "refuted", "inconclusive", "not measured"].index(answers[n].verdict) for n in listed(board)]
    assert ranks == sorted(ranks)


def test_paper_verdict_and_words_filter_the_list(board: lab.Evidence, answers: dict[str, Answer]) -> None:
    board.paper.value, board.find.value = "simcse", ""
    assert listed(board) and all(name.startswith("simcse/") for name in listed(board))
    board.verdict.value = "refuted"
    assert listed(board)
    assert set(listed(board)) == {n for n, a in answers.items() if n.startswith("simcse/") and a.verdict == "refuted"}
    board.find.value, board.verdict.value, board.paper.value = "WHITENING", "all", "all"
    assert "simcse/against-whitening" in listed(board) and len(listed(board)) < 40
    board.find.value = "no such words anywhere"
    assert listed(board) == [] and "No claim" in board.state.value and board.about.value == ""


def test_a_chosen_claim_is_opened_and_a_filter_that_hides_it_is_lifted(
    board: lab.Evidence, answers: dict[str, Answer]
) -> None:
    board.paper.value = "gclsr"
    board.choose("simcse/against-whitening")
    assert board.paper.value == "all" and board.claims.value == "simcse/against-whitening"
    assert "Table 5" in board.about.value and "76.25" in board.about.value and "claims.test(" in board.about.value
    means = [np.mean(c.values) for c in answers["simcse/against-whitening"].controls]
    drawn = [x for trace in board.figure("arms").data for x in trace.x]
    assert any(np.isclose(max(means), x) for x in drawn)
    with pytest.raises(ValueError, match="simcse/no-such"):
        board.choose("simcse/no-such")


def test_differences_are_in_margins_and_point_in_the_claims_direction() -> None:
    answers = claims.answers()
    for answer in answers.values():
        for comparison in answer.comparisons:
            if not comparison.measured or comparison.expected.sign == "=":
                continue
            mean, low, high = in_margins(comparison)
            assert low <= mean <= high
            if comparison.verdict(answer.threshold) == "supported":
                assert mean > 0
            if comparison.verdict(answer.threshold) == "refuted":
                assert mean < 0
    comparison = answers["simcse/against-whitening"].comparisons[0]
    assert in_margins(comparison)[0] == pytest.approx(comparison.difference.mean / 0.5)
    assert compressed(-3) == -compressed(3) and compressed(9) == pytest.approx(1)
