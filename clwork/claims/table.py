"""Answers to claims: the table of stored answers, their text, and the page to share.

``answers.jsonl`` has a line for each claim and stage, written by ``make evidence`` from the stored
runs; :func:`clwork.claims.test` writes the same lines to its folder. Nothing is computed here.
"""

from __future__ import annotations

import html
import statistics
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, get_args

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from .. import _validation
from ..disk import write_file
from ..wording import NO_MATH
from .ledger import METRICS, Claim, Expectation, Metric, get, names
from .verdicts import FEWEST, LAST, RULE, Difference, Verdict

ANSWERS = "answers.jsonl"
# What the encoders of the stored runs are.
SCALES = {"mini": "at 5 M parameters", "textcnn:glove-6b-50d": "on fixed GloVe vectors"}
UNKNOWN = Difference(float("nan"), float("nan"), float("nan"), float("nan"))
# In the table, a claim and a metric are names, and an expectation is its text.
StoredClaim = Annotated[Claim, PlainValidator(get), PlainSerializer(lambda claim: claim.name)]
StoredMetric = Annotated[
    Metric, PlainValidator(METRICS.get), PlainSerializer(lambda metric: metric.name)
]
StoredExpectation = Annotated[Expectation, PlainValidator(Expectation.parse), PlainSerializer(str)]


@dataclass(frozen=True)
class Comparison:
    """The values of two arms of a claim for the seeds that both have, and what they say."""

    expected: StoredExpectation
    metric: StoredMetric
    left: tuple[float, ...] = ()
    right: tuple[float, ...] = ()
    seeds: tuple[int, ...] = ()  # as many as a stage has; none if the comparison is not measured
    why: str = ""  # the reason if there are no values
    difference: Difference = UNKNOWN  # left minus right
    p: float | None = None  # p value of the decision; None if no seed changes either arm
    says: Verdict = "not measured"  # the verdict, if p is None or at most the threshold
    remark: str = ""  # a short comment on the numbers; may be empty
    ends: tuple[float, float] | None = None  # final mean uniformity of both arms, if measured
    level: Comparison | None = None  # comparison at equal uniformity, if scores were measured

    @property
    def measured(self) -> bool:
        """Whether there are enough seeds."""
        return bool(self.seeds)

    @property
    def drawn(self) -> bool:
        """Whether an arm's value depends on the seed; if not, there is no interval and no p value."""
        return self.p is not None

    def verdict(self, threshold: float) -> Verdict:
        """Return the verdict; ``threshold`` is the largest p value of a decided comparison."""
        return self.says if self.p is None or self.p <= threshold else "inconclusive"

    @property
    def apart(self) -> str:
        """If the arms end at different uniformity, their difference at equal uniformity; else empty."""
        if self.ends is None or abs(self.ends[0] - self.ends[1]) <= METRICS["uniformity"].margin:
            return ""
        left, right = self.ends
        words = f"ends at different uniformity ({left:.2f} against {right:.2f}): "
        if self.level is None:
            return f"{words}the difference in score may come from that"
        return f"{words}at equal uniformity {_interval(self.level)} by {self.level.metric.name}"


@dataclass(frozen=True)
class Control:
    """A representation to compare a claim's arms with, such as ``"untrained, first_last, whitened"``."""

    name: str
    values: tuple[float, ...]  # one for each seed; a single value if it does not depend on the seed

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return statistics.fmean(self.values)


@dataclass(frozen=True)
class Answer:
    """The verdict on a claim, with its measurements."""

    claim: StoredClaim
    comparisons: tuple[Comparison, ...]  # one for each of the claim's expectations
    controls: tuple[Control, ...]  # other representations by the same metric, best first
    threshold: float  # largest p value of a decided comparison
    encoder: str  # the encoder that the arms start from
    steps: int | None = None  # None if nothing is trained
    stand_in: str = ""  # metric that replaces the claim's if there are no human ratings
    stage: int = 0  # number of seeds that were asked for, as a stage has
    # Differences of all pairs of arms: by the arm on the right, then by that on the left.
    pairs: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)

    @property
    def metric(self) -> Metric:
        """The measure of the comparisons: the claim's, or the one that replaces it."""
        return METRICS[self.stand_in] if self.stand_in else self.claim.metric

    @property
    def verdict(self) -> Verdict:
        """The verdict on the whole claim."""
        if self.claim.untestable:
            return "not testable"
        each = [comparison.verdict(self.threshold) for comparison in self.comparisons]
        if "refuted" in each:
            return "refuted"
        if not each or "not measured" in each:
            return "not measured"
        return "supported" if set(each) == {"supported"} else "inconclusive"

    @property
    def why(self) -> str:
        """The reason for "not measured" or "not testable"; empty for other verdicts."""
        if self.verdict != "not measured":
            return self.claim.untestable
        reasons = (comparison.why for comparison in self.comparisons if comparison.why)
        return next(reasons, "not measured yet")

    @property
    def seeds(self) -> int:
        """The smallest number of seeds of the comparisons; 0 if no comparison depends on the seed."""
        return min((len(one.seeds) for one in self.comparisons if one.drawn), default=0)

    def __str__(self) -> str:
        encoder = f"{self.encoder} {SCALES.get(self.encoder, '')}".strip()
        about = self.why or f"{self.metric.name}, {encoder}, {self.seeds} seeds"
        lines = [f"{self.claim.name}: {self.verdict} ({about})"]
        if self.stand_in:
            lines.append(
                f"  scored by a model's opinion, the {self.stand_in} pairs, since there are no human "
                "ratings here (clwork.data.remember_sts(FOLDER) has claims scored by human ratings)"
            )
        lines += map(self._line, self.comparisons)
        if self.controls:
            lines.append(
                f"  strongest control: {self.controls[0].name}, {self.controls[0].mean:.2f}"
            )
        for one in self.claim.outside:
            lines.append(f"  elsewhere, {one.scale}: {one.number} ({one.source})")
        return "\n".join(textwrap.fill(line, 106, subsequent_indent="    ") for line in lines)

    def _line(self, comparison: Comparison) -> str:
        words = f"  {comparison.expected}: {comparison.verdict(self.threshold)}"
        if comparison.measured:
            words += f", {_interval(comparison)}"
        if comparison.drawn:
            words += f", p = {comparison.p:.2g} (verdict needs p ≤ {self.threshold:.2g})"
        remark = comparison.remark or comparison.why
        return "; ".join(filter(None, (words, remark, comparison.apart)))

    def _repr_html_(self) -> str:
        """Return a card: claim, verdict, intervals, strongest control, arms with settings, and the rule."""
        import pandas as pd

        arms = pd.DataFrame({name: vars(arm) for name, arm in self.claim.arms.items()})
        with pd.option_context("display.max_colwidth", None):
            table = arms.dropna(how="all").to_html(header=False, na_rep="")
        about = html.escape(
            f"{self.metric.name}: {self.metric.about}. Steps: {self.steps or 'none'}."
        )
        heading = f"<h3>{html.escape(self.claim.claim)}</h3>"
        answer = f"<pre>{html.escape(str(self))}</pre>"
        card = f"{heading}{answer}<p>{about}</p>{table}<p>{html.escape(RULE)}</p>"
        return f'<div class="{NO_MATH}">{card}</div>'

    def save(self, path: str | Path) -> None:
        """Write the answer to an HTML page that can be shared.

        It has the verdict, intervals, the strongest control, the settings, and the rule.

        Raises:
            ValueError: the path does not end in ``.html``.
        """
        target = _validation.path("path", path)
        if target.suffix != ".html":
            shown = _validation.shown(str(path), 200)
            raise ValueError(f"path={shown} must end in .html, as the card is an HTML page")
        write_file(target, f"<!doctype html><meta charset=utf-8>{self._repr_html_()}")


def _interval(comparison: Comparison) -> str:
    found = comparison.difference
    ends = f" [{found.low:+.3g}, {found.high:+.3g}]" if comparison.drawn else ""
    return f"{found.mean:+.3g}{ends}"


def answers(folder: str | Path | None = None, seeds: int = LAST) -> dict[str, Answer]:
    """Read the answers to all claims of the ledger.

    Args:
        folder: folder of :func:`clwork.claims.test`, for the claims that were tested there; default:
            the answers that are part of clwork.
        seeds: number of seeds, at least 3; a claim is answered at the last stage that they reach.

    Raises:
        FileNotFoundError: no claim was tested in the folder.

    >>> answers()["simcse/against-whitening"].verdict
    'refuted'
    """
    _validation.integer("seeds", seeds, FEWEST)
    place = Path(__file__).with_name(ANSWERS) if folder is None else Path(folder) / ANSWERS
    if not place.is_file():
        remedy = f"call clwork.claims.test(..., folder={str(folder)!r})"
        raise FileNotFoundError(f"{folder} has no answer; {remedy}")
    found = {name: _unanswered(get(name)) for name in names()}
    for answer in read_answers(place):
        if answer.stage <= seeds:
            found[answer.claim.name] = answer
    return found


def _unanswered(claim: Claim) -> Answer:
    missing = tuple(Comparison(each, claim.metric, why="not tested here") for each in claim.expects)
    return Answer(claim, missing, (), 0.0, "")


def count_verdicts(answers: Mapping[str, Answer] | Sequence[Answer]) -> dict[str, int]:
    """Return the number of answers with each verdict."""
    listed = answers.values() if isinstance(answers, Mapping) else answers
    each = [answer.verdict for answer in listed]
    return {verdict: each.count(verdict) for verdict in get_args(Verdict)}


def read_answers(place: Path) -> list[Answer]:
    """Read a table of answers, with the smaller stages first; an empty list if there is no table."""
    lines = place.read_bytes().splitlines() if place.is_file() else []
    return sorted(map(_table().validate_json, lines), key=lambda answer: answer.stage)


def write_answers(place: Path, answers: Iterable[Answer]) -> None:
    """Write a table of answers to claims of the ledger: a line for each."""
    lines = (
        _table().dump_json(answer, exclude_defaults=True).decode("utf-8") for answer in answers
    )
    write_file(place, "".join(f"{line}\n" for line in lines))


@cache
def _table() -> TypeAdapter[Answer]:
    return TypeAdapter(Answer)
