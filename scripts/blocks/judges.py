"""The tables of docs/measured.md on which judge ranks encoders as people do, from benchmarks/judge_agreement.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PEOPLE = {"stsb": "STS-B", "sickr": "SICK-R"}
JUDGES = {
    "graded": "graded",
    "plain": "graded, plain",
    "silver": "silver",
    "auc": "same-article AUC",
    "knn": "topic k-NN",
}
POOLINGS = {"cls": "[CLS]", "mean": "mean over tokens", "first_last": "first and last layer"}
CHANGED = ("cls", "first_last")  # the poolings whose vectors are changed as well
SAME, CHANGES, FITS = "as it is", ("mean removed", "whitened"), ("corpus", "stsb", "graded")
HOME, AWAY = "own", "other"
# The sentences of each column's own domain, and of another one.
OWN = {**dict.fromkeys(PEOPLE, "stsb"), **dict.fromkeys(("graded", "plain"), "graded")}
OTHER = dict.fromkeys(("silver", "auc", "knn"), "stsb")
MISSING = "Not measured yet."


@dataclass(frozen=True)
class Condition:
    """A form of the vectors: a pooling, and what is changed afterwards, fitted on some sentences.

    Attributes:
        fit: a domain for all columns, HOME for each column's own or AWAY for another one.
    """

    pooling: str
    change: str = SAME
    fit: str = ""

    def key(self, column: str) -> str:
        """Where a column's score in this form is stored."""
        if self.change == SAME:
            return f"{self.pooling}/{SAME}"
        fit = {HOME: OWN, AWAY: OTHER}[self.fit].get(column, "corpus") if self.fit in (HOME, AWAY) else self.fit
        return f"{self.pooling}/{self.change}/{fit}"

    @property
    def title(self) -> str:
        """In words."""
        where = f", {self.change} in its {self.fit} domain" if self.change != SAME else ""
        return f"{POOLINGS[self.pooling]}{where}"


def conditions() -> Iterator[Condition]:
    """The rows of the table."""
    yield from (Condition(pooling) for pooling in POOLINGS)
    for pooling in CHANGED:
        yield from (Condition(pooling, change, fit) for change in CHANGES for fit in (HOME, AWAY))


def judges_of(measured: dict[str, Any] | None) -> str:
    """Both tables, and in words whether a judge wins."""
    if measured is None or "summary" not in measured:
        return MISSING
    summary = measured["summary"]
    encoders = sum(len(run["encoders"]) for run in measured["runs"])
    at = ", ".join(map(str, measured["settings"]["at"]))
    return "\n".join(
        [
            *_agreement_rows(summary["conditions"]),
            "",
            f"Rank correlation with people's ratings over {encoders} encoders of {len(measured['runs'])} runs of "
            f"SimCSE, good and spoilt, after {at} steps of {measured['settings']['batch_size']} sentences, and of the "
            "raw one; in brackets 95 % intervals from resampling runs. Each row is a form of the vectors that is the "
            "same for all encoders, but for the last, where encoders in all these forms are in one ranking. *In its "
            "own domain*: fitted on STS-B's sentences for both people's sets, on the graded pairs' for these, on the "
            "silver pairs' for what is read off the corpus. *In its other domain*: on the corpus for people's sets "
            "and the graded pairs, on STS-B's sentences for the rest. *Graded, plain* leaves out negation, roles, "
            "numbers and other senses.",
            "",
            *_change_rows(summary["changes"]),
            "",
            "Mean change of each score by a change of the vectors that is fitted on one domain for all (on the "
            "corpus, or on STS-B's unlabelled sentences), in points, and in brackets in how many of the encoders a "
            "judge moves in the direction in which STS-B does. AUC and k-NN are × 100.",
            "",
            _verdict(summary),
        ]
    )


def _agreement_rows(found: dict[str, Any]) -> Iterator[str]:
    yield f"| Vectors | people | {' | '.join(JUDGES.values())} |"
    yield "|---" * (2 + len(JUDGES)) + "|"
    for title, tasks in found.items():
        for number, (task, name) in enumerate(PEOPLE.items()):
            cells = (_interval(numbers) for numbers in tasks[task].values())
            yield f"| {'' if number else title} | {name} | {' | '.join(cells)} |"


def _interval(numbers: list[float | None], sign: str = "") -> str:
    """A value with its interval; a dash where too few runs have none."""
    cells = [f"{number:{sign}.2f}" for number in numbers if number is not None]
    return f"{cells[0]} ({cells[1]} to {cells[2]})" if len(cells) == 3 else "–"


def _change_rows(found: dict[str, Any]) -> Iterator[str]:
    yield f"| Change | {' | '.join((*PEOPLE.values(), *JUDGES.values()))} |"
    yield "|---" * (1 + len(PEOPLE) + len(JUDGES)) + "|"
    for pooling in CHANGED:
        for change in CHANGES:
            for fit in ("corpus", "stsb"):
                moved = found[f"{pooling}/{change}/{fit}"]
                cells = [
                    f"{mean:+.1f}" + (f" ({share:.0%})" if name != "stsb" else "")
                    for name, (mean, share) in moved.items()
                ]
                place = "the corpus" if fit == "corpus" else "STS-B"
                yield f"| {POOLINGS[pooling]}, {change} on {place} | {' | '.join(cells)} |"


def _verdict(summary: dict[str, Any]) -> str:
    """How far silver exceeds each of the others at [CLS] and over all forms."""
    parts = []
    for title in (POOLINGS["cls"], "all of these in one ranking"):
        found = summary["silver exceeds"][title]["stsb"]
        cells = [
            f"{JUDGES[judge]} by {_interval(numbers, sign='+')}"
            for judge, numbers in found.items()
            if judge != "silver"
        ]
        parts.append(f"{title}: {', '.join(cells)}")
    return f"The correlation of silver pairs with STS-B exceeds that of the others: {'; '.join(parts)}."
