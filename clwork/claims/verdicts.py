"""Verdicts on claims from the records of runs: paired differences over seeds, a decision rule, and controls."""

from __future__ import annotations

import html
import statistics
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, islice, product
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from .. import _validation
from ..disk import write_file
from ..metrics.seeds import Difference, paired
from ..wording import NO_MATH, plural
from .ledger import METRICS, Arm, Claim, Expectation, Metric, get, names
from .records import (
    REPEATED,
    Records,
    at_equal_uniformity,
    place_of,
    record_name,
    records_in,
    run_of,
    shipped_records,
    start_of,
    untrained_name,
    value_of,
)

Verdict = Literal["supported", "refuted", "inconclusive", "not measured", "not testable"]
RATE = 0.05  # largest expected share of wrong decisions
STAGES = {3: 0.1, 5: 0.7, 15: 0.2}  # numbers of seeds at which a claim is decided, with their shares of RATE
FEWEST, LAST = min(STAGES), max(STAGES)  # seeds
SEEDS = 5
MOST_SEEDS = 1000
FEWEST_ARMS = 20  # least number of arms for a rank correlation
RESAMPLES = 1000  # of settings
STAND_IN = "silver"  # metric that is used if there are no human ratings
RATED = ("sts", "stsb", "sickr")  # metrics that need human ratings
SCALES = {"mini": "at 5 M parameters", "textcnn:glove-6b-50d": "on fixed GloVe vectors"}  # by encoder

RULE = (
    "Arms are compared seed by seed, with the same batches and precision. A claim is decided at three stages, by its "
    "first 3, 5 or 15 seeds; seeds between two stages do not count, so it may be tested again with more seeds. Of the "
    f"allowed error of {RATE:.0%}, the stages have {', '.join(f'{share:.0%}' for share in STAGES.values())}. P values "
    "are divided by this share; intervals are 3.3, 1.13 and 1.39 times as wide as those of a single stage. "
    "A comparison is decided if its p value is among those that Benjamini and Hochberg's procedure accepts over all "
    f"comparisons of the ledger that have seeds, and those of your claim; at most {RATE:.0%} of the decided ones are "
    "expected to be wrong. A claim is supported if each of its comparisons is decided in its direction, refuted if "
    "one is decided in the other direction, and inconclusive otherwise. Two arms are equal if their difference is, at "
    "the same rate, below the metric's margin, and unequal if it is, at the same rate, above it. Where no seed "
    "changes either arm, each side has one number, without seeds and p value, and a difference counts if it is larger "
    "than that margin. Most comparisons of the ledger are clear, so contested ones are hardly corrected. Where runs at "
    "bfloat16 were repeated at float32, the first look at them is not counted in the allowed error. Intervals describe "
    "new seeds on the same test pairs, not new pairs. Two "
    "trained arms that end at different uniformity are also compared at equal uniformity, by the scores measured "
    "during their runs; without such scores the answer states that the difference may come from uniformity. The "
    "verdict is about the ends of the runs."
)


@dataclass(frozen=True)
class Comparison:
    """The values of two arms of a claim for the seeds that both have."""

    expected: Expectation
    metric: Metric
    left: tuple[float, ...] = ()
    right: tuple[float, ...] = ()
    seeds: tuple[int, ...] = ()  # as many as a stage has
    why: str = ""  # the reason if there are no values
    ends: tuple[float, float] | None = None  # final mean uniformity of both arms, if measured
    level: Comparison | None = None  # comparison at equal uniformity, if scores were measured during the runs
    repeated: str | None = None  # precision of the repetitions, if runs of unequal precision were repeated
    unlike: int = 0  # number of seeds whose two runs have different processors or versions of the forward pass
    over: Difference | None = None  # difference over the settings, where the values of seeds are not independent

    @property
    def measured(self) -> bool:
        """Whether there are enough seeds."""
        return len(self.seeds) >= FEWEST

    @property
    def drawn(self) -> bool:
        """Whether an arm's value depends on the seed; if False, there is no interval and no p value."""
        return self.over is not None or len(set(self.left)) > 1 or len(set(self.right)) > 1

    @cached_property
    def difference(self) -> Difference:
        """Mean paired difference, left minus right, with interval and p value at this stage; needs three seeds."""
        if self.over is not None:
            return self.over
        arms = self.expected.left, self.expected.right
        found = paired(self.left, self.right, 1 - RATE * STAGES[len(self.seeds)], names=arms)
        return replace(found, p=min(1.0, (found.p or 0.0) / STAGES[len(self.seeds)]))

    @property
    def p(self) -> float:
        """P value of the difference; for the sign ``=``, twice the smaller of those for inequality and for equality."""
        found = self.difference.p
        assert found is not None
        return min(1.0, 2 * min(self.p_unequal, self.p_equal)) if self.expected.sign == "=" else found

    @property
    def p_equal(self) -> float:
        """P value of two one-sided tests that the difference is within the metric's margin (Schuirmann 1987)."""
        return self._p_of_margin(1)

    @property
    def p_unequal(self) -> float:
        """P value of the test that the difference is outside the metric's margin; small if its whole interval is."""
        return min(1.0, 2 * self._p_of_margin(-1))

    def _p_of_margin(self, side: int) -> float:
        gaps, margin = np.subtract(self.left, self.right), self.metric.margin
        if len(set(gaps)) == 1:
            return float((abs(gaps[0]) <= margin) == (side < 0))
        from scipy.stats import sem, t

        distance = side * (margin - abs(gaps.mean())) / sem(gaps)
        return min(1.0, float(t.sf(distance, len(gaps) - 1)) / STAGES[len(self.seeds)])

    def verdict(self, threshold: float) -> Verdict:
        """Return the verdict; ``threshold`` is the largest p value of a decided comparison."""
        if not self.measured:
            return "not measured"
        found = self.difference
        if not self.drawn:  # two single values, which count as equal within the margin
            if abs(found.mean) <= self.metric.margin:
                return "supported" if self.expected.sign == "=" else "inconclusive"
            return "supported" if self.expected.sign == (">" if found.mean > 0 else "<") else "refuted"
        if self.expected.sign == "=":
            if self.p_equal <= threshold / 2:
                return "supported"
            return "refuted" if self.p_unequal <= threshold / 2 else "inconclusive"
        if self.p > threshold or found.mean == 0:
            return "inconclusive"
        return "supported" if (found.mean > 0) == (self.expected.sign == ">") else "refuted"

    @property
    def remark(self) -> str:
        """A short comment on the numbers; may be empty."""
        if not self.measured:
            return self.why
        precision = f"both at {self.repeated}" if self.repeated else ""
        unlike = f"different processors or forward passes in {plural(self.unlike, 'seed')}" if self.unlike else ""
        over = "interval over the settings, whose seeds are not independent" if self.over else ""
        return "; ".join(filter(None, (self._finding, precision, unlike, over)))

    @property
    def _finding(self) -> str:
        found = self.difference
        if not any(a - b for a, b in zip(self.left, self.right, strict=True)):
            same = "equal to the last digit"
            return same if self.expected.sign == "=" else f"{same}: the setting that differs has no effect here"
        if not self.drawn:
            return "no seed changes either arm: one number compared with another"
        margin = self.metric.margin
        if margin and self.expected.sign != "=" and max(abs(found.low), abs(found.high)) < margin:
            return f"smaller than {margin:g} either way"
        nearest = 0.0 if found.low <= 0 <= found.high else min(abs(found.low), abs(found.high))
        if self.expected.sign == "=" and 0 < nearest <= margin:
            return f"there is a difference, but not one that is shown to be above the margin of {margin:g}"
        more = [stage for stage in STAGES if stage > len(self.seeds) and self.over is None]
        following = [f"the next stage is at {stage} seeds" for stage in more]
        return following[0] if following and self.expected.sign != "=" and found.low <= 0 <= found.high else ""

    @property
    def apart(self) -> str:
        """If the arms end at different uniformity, their difference at equal uniformity as text; else empty."""
        if self.ends is None or abs(self.ends[0] - self.ends[1]) <= METRICS["uniformity"].margin:
            return ""
        words = f"ends at different uniformity ({self.ends[0]:.2f} against {self.ends[1]:.2f}): "
        if self.level is None:
            return f"{words}the difference in score may come from that"
        found, metric = self.level.difference, self.level.metric.name
        return f"{words}at equal uniformity {found.mean:+.3g} [{found.low:+.3g}, {found.high:+.3g}] by {metric}"


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

    claim: Claim
    comparisons: tuple[Comparison, ...]  # one for each of the claim's expectations
    controls: tuple[Control, ...]  # other representations by the same metric, best first; only for kind "scores"
    threshold: float  # largest p value of a decided comparison
    encoder: str  # the encoder that the arms start from
    steps: int | None = None  # None if nothing is trained
    stand_in: str = ""  # metric that replaces the claim's if there are no human ratings

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
        return next((comparison.why for comparison in self.comparisons if comparison.why), "not measured yet")

    @property
    def seeds(self) -> int:
        """The smallest number of seeds of the measured comparisons; 0 if no comparison depends on the seed."""
        return min((len(one.seeds) for one in self.comparisons if one.measured and one.drawn), default=0)

    def __str__(self) -> str:
        encoder = f"{self.encoder} {SCALES.get(self.encoder, '')}".strip()
        about = self.why or f"{self.claim.metric.name}, {encoder}, {self.seeds} seeds"
        lines = [f"{self.claim.name}: {self.verdict} ({about})"]
        if self.stand_in:
            lines.append(
                f"  scored by a model's opinion, the {self.stand_in} pairs, since there are no human ratings here "
                "(clwork.data.remember_sts(FOLDER) has claims scored by human ratings)"
            )
        lines += map(self._line, self.comparisons)
        if self.controls:
            lines.append(f"  strongest control: {self.controls[0].name}, {self.controls[0].mean:.2f}")
        lines += [f"  elsewhere, {one.scale}: {one.number} ({one.source})" for one in self.claim.outside]
        return "\n".join(textwrap.fill(line, 106, subsequent_indent="    ") for line in lines)

    def _repr_html_(self) -> str:
        """Return a card: claim, verdict, intervals, strongest control, the arms with their settings, and the rule."""
        import pandas as pd

        arms = pd.DataFrame({name: vars(arm) for name, arm in self.claim.arms.items()}).dropna(how="all")
        with pd.option_context("display.max_colwidth", None):
            table = arms.to_html(header=False, na_rep="")
        about = f"{self.claim.metric.name}: {self.claim.metric.about}. Steps: {self.steps or 'none'}."
        heading, measured, answer, rule = map(html.escape, (self.claim.claim, about, str(self), RULE))
        card = f"<h3>{heading}</h3><pre>{answer}</pre><p>{measured}</p>{table}<p>{rule}</p>"
        return f'<div class="{NO_MATH}">{card}</div>'

    def save(self, path: str | Path) -> None:
        """Write the answer to an HTML page that can be shared: verdict, intervals, control, settings, and the rule.

        Raises:
            ValueError: the path does not end in ``.html``.
        """
        target = _validation.path("path", path)
        if target.suffix != ".html":
            raise ValueError(f"path={_validation.shown(str(path), 200)} must end in .html, as the card is an HTML page")
        write_file(target, f"<!doctype html><meta charset=utf-8>{self._repr_html_()}")

    def _line(self, comparison: Comparison) -> str:
        words = f"  {comparison.expected}: {comparison.verdict(self.threshold)}"
        if comparison.measured:
            found = comparison.difference
            words += f", {found.mean:+.3g}"
            if comparison.drawn:
                words += f" [{found.low:+.3g}, {found.high:+.3g}], p = {comparison.p:.2g}"
                words += f" (verdict needs p ≤ {self.threshold:.2g})"
        return "; ".join(filter(None, (words, comparison.remark, comparison.apart)))


def threshold_of(comparisons: Iterable[Comparison], rate: float = RATE) -> float:
    """Return the largest p value that Benjamini and Hochberg's procedure accepts for the comparisons; 0 if none."""
    from scipy.stats import false_discovery_control

    found = [comparison.p for comparison in comparisons if comparison.measured and comparison.drawn]
    corrected = false_discovery_control(found) if found else []
    return max((p for p, q in zip(found, corrected, strict=True) if q <= rate), default=0.0)


def stage_of(seeds: int) -> int:
    """Return the number of seeds of the last stage that is reached with so many seeds; 0 if there is none."""
    return max((stage for stage in STAGES if stage <= seeds), default=0)


def count_verdicts(answers: Mapping[str, Answer] | Sequence[Answer]) -> dict[str, int]:
    """Return the number of answers with each verdict."""
    each = [answer.verdict for answer in (answers.values() if isinstance(answers, Mapping) else answers)]
    return {verdict: each.count(verdict) for verdict in get_args(Verdict)}


@_validation.checked()
def answers(
    folder: str | Path | None = None, encoder: str | None = None, seeds: int | Iterable[int] = LAST
) -> dict[str, Answer]:
    """Return the answers to all claims of the ledger from stored runs, by the same decision rule.

    Args:
        folder: folder of :func:`clwork.claims.test`; default: the runs that are part of clwork.
        encoder: the argument ``encoder`` of :func:`clwork.claims.test` for the runs in ``folder``.
        seeds: number of seeds, or a list of seeds.

    Raises:
        FileNotFoundError: the folder has no measured run.
    """
    numbers = read_seeds(seeds)
    if folder is None:
        return dict(_shipped(encoder, tuple(numbers)))
    return _answers(records_in(Path(folder)), encoder, numbers)


@cache
def _shipped(encoder: str | None, seeds: tuple[int, ...]) -> dict[str, Answer]:
    return _answers(shipped_records(), encoder, seeds)


def _answers(records: Records, encoder: str | None, seeds: Sequence[int]) -> dict[str, Answer]:
    each = {name: answer(get(name), records, seeds, encoder) for name in names()}
    threshold = threshold_of(comparison for found in each.values() for comparison in found.comparisons)
    return {name: replace(found, threshold=threshold) for name, found in each.items()}


def answer(
    claim: Claim,
    records: Records,
    seeds: Sequence[int] = tuple(range(SEEDS)),
    encoder: str | None = None,
    steps: int | None = None,
) -> Answer:
    """Return the answer to a claim from records, with threshold 0; the caller sets it, as it depends on all claims."""
    names = {record_name(claim, arm, seed, encoder, steps) for arm in claim.arms.values() for seed in seeds}
    stand_in = _stand_in(claim, [record for name, record in records.items() if name in names])
    if stand_in:
        arms = {n: replace(arm, metric=None) if arm.metric in RATED else arm for n, arm in claim.arms.items()}
        claim = replace(claim, metric=METRICS[stand_in], arms=arms)
    measured = Measurements(claim, records, seeds, encoder, steps)
    comparisons = tuple(measured.compare(expected) for expected in claim.expects)
    start = start_of(claim, next(iter(claim.arms.values())), encoder) if claim.arms else ""
    return Answer(claim, comparisons, measured.controls(), 0.0, start, steps or claim.steps, stand_in)


def _stand_in(claim: Claim, records: Iterable[Mapping[str, Any]]) -> str:
    """Return the metric that replaces human ratings if a claim needs them and its records have none; else ""."""
    views = [view for record in records for view in record.get("views", {}).values()]
    rated = any("stsb" in view for view in views)
    return STAND_IN if claim.metric.name in RATED and not rated and any(STAND_IN in view for view in views) else ""


@dataclass(frozen=True)
class Measurements:
    """The values of a claim's arms in the records, by seed; ``encoder`` and ``steps`` as in ``claims.test``."""

    claim: Claim
    records: Records
    seeds: Sequence[int]
    encoder: str | None = None
    steps: int | None = None
    precision: str | None = None  # read the repetitions of runs at this precision where there are any

    def compare(self, expected: Expectation) -> Comparison:
        """Compare two arms over the seeds that both have; runs of unequal precision by their repetitions."""
        rows, why = self.pair(expected)
        if self.precision is None:
            again = replace(self, precision=REPEATED)
            repeated, _ = again.pair(expected)
            mixed = self._precisions(expected, rows) > again._precisions(expected, repeated)
            if len(repeated) > len(rows) or (len(repeated) == len(rows) and mixed):
                return again.compare(expected)
        if not rows:
            return Comparison(expected, self.claim.metric, why=why)
        seeds, left, right = zip(*rows[: stage_of(len(rows))], strict=True)
        ends, level = self._ends(expected, seeds), None
        if ends is not None:
            score, scores = self._at_equal_uniformity(expected)
            if scores:
                some, one, other = zip(*scores[: stage_of(len(scores))], strict=True)
                level = Comparison(expected, METRICS[score], one, other, some)
        over = self._over_settings(expected, len(seeds)) if self.claim.metric.name == "rank_agreement" else None
        unlike = self._unlike(expected, seeds)
        return Comparison(
            expected, self.claim.metric, left, right, seeds, "", ends, level, self.precision, unlike, over
        )

    def pair(self, expected: Expectation) -> tuple[list[tuple[int, float, float]], str]:
        """Return (seed, left, right) for the seeds that both arms have; if there are not enough, [] and the reason."""
        left, right = self.claim.arms[expected.left], self.claim.arms[expected.right]
        mine, theirs = self.of(left), self.of(right)
        common = [seed for seed in self.seeds if seed in mine and seed in theirs]
        places = {place_of(self._record(a, s), a, self.claim.metric.name) for a in (left, right) for s in common}
        if {"probe", "test"} <= places:
            return [], "one arm is measured on the probe's sentences, one on the test's; give both arms a step (at)"
        trained = [arm for arm in (left, right) if arm.trained]
        precisions = {seed: {self._record(arm, seed).get("precision") for arm in trained} - {None} for seed in common}
        equal = [seed for seed in common if len(precisions[seed]) <= 1]
        if len(equal) >= FEWEST:
            return [(seed, mine[seed], theirs[seed]) for seed in equal], ""
        if len(common) >= FEWEST:
            return [], f"{left.name!r} and {right.name!r} were trained at different precision; train one of them again"
        arm = next((arm for arm, values in ((left, mine), (right, theirs)) if len(values) < FEWEST), left)
        where = "here" if arm.at is None else f"at step {arm.at} (measured: every 10th and the last)"
        return [], f"{arm.name!r} has no {arm.metric or self.claim.metric.name} {where}"

    def _unlike(self, expected: Expectation, seeds: Sequence[int]) -> int:
        """Return for how many seeds the two runs have different processors or versions of the forward pass."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        if not all(arm.trained for arm in arms):
            return 0
        made = [[self._record(arm, seed) for arm in arms] for seed in seeds]
        of = [{(one.get("machine"), one.get("versions", {}).get("forward pass")) for one in both} for both in made]
        return sum(len(each) > 1 for each in of)

    def _precisions(self, expected: Expectation, rows: Sequence[tuple[int, float, float]]) -> int:
        """Return the number of precisions of the runs in these rows."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        return len({self._record(arm, seed).get("precision") for arm in arms for seed, *_ in rows} - {None})

    def of(self, arm: Arm) -> dict[int, float]:
        """Return the values of an arm by seed, without missing values."""
        metric = self.claim.metric.name
        if arm.method == "computed" and metric == "rank_agreement":
            return self._agreements(arm)
        if arm.method == "computed":
            return dict.fromkeys(self.seeds, float(arm.of or "nan"))
        values = {seed: self._value(arm, seed, "sts" if metric == "seed_spread" else metric) for seed in self.seeds}
        known = {seed: value for seed, value in values.items() if value is not None}
        if known and arm.method == "untrained" and arm.represent == "word average":
            known = dict.fromkeys(known, next(iter(known.values())))  # no seed changes it; processors round it
        return _spread(known) if metric == "seed_spread" else known

    def controls(self) -> tuple[Control, ...]:
        """Return the claim's metric for other representations of its encoders, trained or not, best first."""
        claim = self.claim
        if claim.kind != "scores" or not claim.metric.better:
            return ()
        named = {
            (arm.name, seed): run.name
            for arm in claim.arms.values()
            for seed in self.seeds
            if (run := run_of(claim, arm, seed, self.encoder, self.steps)) and run.name in self.records
        }
        stored = dict.fromkeys(arm for arm, _ in named)
        seeds = [seed for seed in self.seeds if all((arm, seed) in named for arm in stored)]
        found: dict[str, list[float]] = {}
        for arm, seed in product(stored, seeds):
            untrained = untrained_name(start_of(claim, claim.arms[arm], self.encoder), seed)
            for what, record in ((arm, named[arm, seed]), ("untrained", untrained)):
                for view, values in self.records.get(record, {}).get("views", {}).items():
                    if claim.metric.name in values and (what, view) != (arm, claim.arms[arm].view):
                        name = f"{what}, {view}".replace(", own", "")
                        found.setdefault(name, []).append(values[claim.metric.name])
        controls = [Control(n, tuple(values[:1] if len(set(values)) == 1 else values)) for n, values in found.items()]
        return tuple(sorted(controls, key=lambda control: control.mean, reverse=claim.metric.better == "higher"))

    def _record(self, arm: Arm, seed: int) -> Mapping[str, Any]:
        name = record_name(self.claim, arm, seed, self.encoder, self.steps) or ""
        repeated = "" if self.precision is None else f"{name}-{self.precision}"
        return self.records.get(repeated, self.records.get(name, {}))

    def _value(self, arm: Arm, seed: int, metric: str) -> float | None:
        return value_of(self._record(arm, seed), arm, metric)

    def _ends(self, expected: Expectation, seeds: Sequence[int]) -> tuple[float, float] | None:
        """Return the final mean uniformity of both arms; None if not measured or if the claim is not about scores."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        if self.claim.kind != "scores" or self.claim.metric.name == "uniformity" or not all(a.trained for a in arms):
            return None
        plain = [replace(arm, metric=None, at=None) for arm in arms]
        each = [[self._value(arm, seed, "uniformity") for seed in seeds] for arm in plain]
        known = [[value for value in values if value is not None] for values in each]
        if min(map(len, known)) < len(seeds):
            return None
        return statistics.fmean(known[0]), statistics.fmean(known[1])

    def _at_equal_uniformity(self, expected: Expectation) -> tuple[str, list[tuple[int, float, float]]]:
        """Return a score's name and, per seed, both arms' scores at equal uniformity; both are empty without scores."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        if any(arm.represent or arm.post or arm.at is not None for arm in arms):
            return "", []
        for score in (self.claim.metric.name, STAND_IN):
            found = {
                seed: at_equal_uniformity(self._record(arms[0], seed), self._record(arms[1], seed), score)
                for seed in self.seeds
            }
            rows = [(seed, *both) for seed, both in found.items() if both is not None]
            if len(rows) >= FEWEST:
                return score, rows
        return "", []

    def _settings(self) -> dict[str, dict[int, Mapping[str, float]]]:
        """Return the measures of each trained setting by seed."""
        start = start_of(self.claim, next(iter(self.claim.arms.values())), self.encoder)
        found: dict[str, dict[int, Mapping[str, float]]] = {}
        for name, record in sorted(self.records.items()):
            if "method" in record and record["encoder"] == start and not name.endswith(REPEATED):
                found.setdefault(name.rpartition("-s")[0], {})[record["seed"]] = record["views"].get("own", {})
        return found

    def _agreements(self, arm: Arm) -> dict[int, float]:
        """Return for each seed the rank correlation, over encoders, of sts with the summed ranks by ``arm.of``."""
        measures, found = (arm.of or "").split(", "), {}
        for seed in self.seeds:
            views = [views.get(seed, {}) for views in self._settings().values()]
            known = [view for view in views if {"sts", *measures} <= view.keys()]
            if len(known) >= FEWEST_ARMS:
                rows = np.array([[[view[name] for view in known]] for name in (*measures, "sts")])
                found[seed] = float(_agreement(rows)[0])
        return found

    def _over_settings(self, expected: Expectation, count: int) -> Difference | None:
        """Return the mean difference of two rank correlations with a bootstrap interval over settings."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        sides = [(*(arm.of or "").split(", "), "sts") for arm in arms]
        seeds, needed = self.seeds[:count], {name for side in sides for name in side}
        every = [views for views in self._settings().values() if all(needed <= views.get(s, {}).keys() for s in seeds)]
        if len(every) < FEWEST_ARMS:
            return None
        rows = np.random.default_rng(0).integers(len(every), size=(RESAMPLES, len(every)))
        rows[0] = np.arange(len(every))  # the settings as they are
        gaps = np.zeros(RESAMPLES)
        for seed in seeds:
            of = {name: np.array([views[seed][name] for views in every])[rows] for name in needed}
            left, right = (_agreement(np.array([of[name] for name in side])) for side in sides)
            gaps += (left - right) / len(seeds)
        error = RATE * STAGES[count]
        low, high = map(float, np.quantile(gaps[1:], (error / 2, 1 - error / 2)))
        p = 2 * min(float((gaps <= 0).mean()), float((gaps >= 0).mean())) / STAGES[count]
        verdict: Any = "higher" if low > 0 else "lower" if high < 0 else "not significant"
        return Difference(expected.left, expected.right, float(gaps[0]), low, high, verdict, min(1.0, p))


def _agreement(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rank correlation of scores, the last of ``rows`` (M, R, N), with the summed ranks of the others, low best."""
    from scipy.stats import rankdata

    ranks = rankdata(rankdata(-rows[:-1], axis=-1).sum(axis=0), axis=-1), rankdata(rows[-1], axis=-1)
    one, other = (each - each.mean(axis=-1, keepdims=True) for each in ranks)
    lengths = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    lengths[lengths == 0] = np.inf  # all ranks are equal
    return np.asarray((one * other).sum(axis=-1) / lengths)


def _spread(scores: Mapping[int, float]) -> dict[int, float]:
    """Return Tukey's jackknife pseudo-values, whose mean is the mean difference between two seeds."""
    count = len(scores)
    if count < FEWEST:
        return {}
    apart = {(i, j): abs(scores[i] - scores[j]) for i, j in combinations(scores, 2)}
    whole = statistics.fmean(apart.values())
    without = {seed: statistics.fmean(gap for pair, gap in apart.items() if seed not in pair) for seed in scores}
    return {seed: count * whole - (count - 1) * without[seed] for seed in scores}


def read_seeds(given: Any) -> list[int]:
    """Return the seeds of a claim, given by their number or as a list; at least ``FEWEST``."""
    chosen = range(_validation.integer("seeds", given, FEWEST, MOST_SEEDS)) if _validation.is_integer(given) else given
    if isinstance(chosen, str | bytes | Mapping) or not isinstance(chosen, Iterable):
        raise TypeError(f"seeds={_validation.shown(given)}; give the number of seeds, or a list of seeds")
    numbers = [_validation.seed(seed) for seed in islice(chosen, MOST_SEEDS)]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"seeds={_validation.shown(given)} has a seed twice; give each seed once")
    if len(numbers) < FEWEST:
        raise ValueError(f"seeds={_validation.shown(given)}; give at least {FEWEST} seeds to estimate the spread")
    return numbers
