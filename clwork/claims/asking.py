"""Asking claims: train and measure what is missing, and answer from the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from .. import _validation
from .._validation import shown
from ..data import sts_folder
from ..disk import runs_folder
from ..training.run.arguments import steps_from
from .ledger import METRICS, Claim, Expectation, get, names
from .plan import MEASURED_KINDS, origin_of, plan, record_name, run_of, untrained_name
from .results import FOLDER, Results
from .values import STAND_IN, Measured
from .verdicts import FEWEST, Answer, Comparison, Control, threshold_of

SEEDS = 5
MOST_SEEDS = 1000
PEOPLE = ("sts", "stsb", "sickr")  # metrics that take people's ratings


def test(
    name: str,
    encoder: str | None = None,
    seeds: int | Iterable[int] = SEEDS,
    *,
    data: str | Path | None = None,
    folder: str | Path | None = None,
    steps: int | None = None,
    progress: bool = True,
) -> Answer:
    """Train both sides of a claim with paired seeds, measure them, and answer it.

    What ``folder`` holds already is not trained again: an interrupted call goes on where it was, and arms that
    claims share are trained once. What a run measures depends on its settings alone, wherever it was interrupted.

    Where there are no STS tasks, a claim about STS-B, SICK-R or both is judged by the silver pairs of
    :func:`clwork.data.silver_pairs`, a strong encoder's opinion on sentences of ``wikipedia-mini``, and the answer says
    so. With a folder of tasks it is measured again, by people's ratings.

    Args:
        name: of a claim, see :func:`clwork.claims.names`.
        encoder: that arms start from, as :func:`clwork.load_encoder` takes it; default: each method's own. Arms of
            GCLSR, which trains a TextCNN, and arms that name an encoder keep theirs.
        seeds: how many (0, 1, 2, …), or which; at least 3.
        data: folder of the reader's own data: STS tasks, and corpora beside them, see
            :func:`clwork.claims.corpora.corpus`; default: the remembered folder of STS tasks.
        folder: where runs and measures are kept; default: ``claims`` in the folder of runs.
        steps: length of each run in place of the ledger's: another claim, for a quick look.
        progress: show a bar with the remaining time.

    Returns:
        The answer: a verdict, and for each comparison an interval, and how many seeds would decide it.

    Raises:
        TypeError, ValueError: no such claim or encoder, fewer than 3 seeds, a seed twice, or a claim that cannot be
            tested here, with the reason.
        FileNotFoundError: the claim needs data that is not there.

    >>> print(clwork.claims.test("simcse/dropout-against-none"))  # doctest: +SKIP
    """
    claim, numbers = _testable(get(name)), _seeds(seeds)
    encoder = None if encoder is None else _validation.text("encoder", encoder)
    length = None if steps is None else steps_from("steps", steps, 1)
    with_bar = _validation.flag("progress", progress)
    given = sts_folder() if data is None else _validation.path("data", data)
    place = runs_folder() / FOLDER if folder is None else _validation.path("folder", folder)
    place.mkdir(parents=True, exist_ok=True)
    units = plan([claim], numbers, encoder, length)
    missing_units = [unit for unit in units if any(unit.missing(place, given is not None))]
    with _bar(sum(unit.steps for unit in missing_units), with_bar) as on_step:
        for unit in missing_units:
            unit.do(place, given, on_step)
    found = answer(claim, Results.read(place), numbers, encoder, length)
    family = (one for known in answers().values() if known.claim.name != name for one in known.comparisons)
    return replace(found, threshold=threshold_of([*family, *found.comparisons]))


def load(folder: str | Path, encoder: str | None = None, seeds: int | Iterable[int] = SEEDS) -> dict[str, Answer]:
    """Answer every claim from the results in a folder, such as a reader's own, BERT-base on Colab say.

    Args:
        folder: that :func:`test` or ``make evidence`` has filled.
        encoder: as it was given there.
        seeds: as they were given there.

    Raises:
        FileNotFoundError: no measured run lies there.
    """
    return answers(Results.read(_validation.path("folder", folder)), encoder, seeds)


def answers(
    results: Results | None = None, encoder: str | None = None, seeds: int | Iterable[int] = SEEDS
) -> dict[str, Answer]:
    """Answer every claim from results, by default those that ship, with one rule of decision for all."""
    if results is None and encoder is None and seeds == SEEDS:
        return _shipped_answers()
    return _answers(results or Results.shipped(), encoder, _seeds(seeds))


@cache
def _shipped_answers() -> dict[str, Answer]:
    return _answers(Results.shipped(), None, _seeds(SEEDS))


def _answers(results: Results, encoder: str | None, seeds: Sequence[int]) -> dict[str, Answer]:
    each = {name: answer(get(name), results, seeds, encoder) for name in names()}
    threshold = threshold_of(comparison for found in each.values() for comparison in found.comparisons)
    return {name: replace(found, threshold=threshold) for name, found in each.items()}


def answer(
    claim: Claim,
    results: Results,
    seeds: Sequence[int] = tuple(range(SEEDS)),
    encoder: str | None = None,
    steps: int | None = None,
) -> Answer:
    """Answer one claim from results; the threshold of decisions is set where claims are judged together."""
    records = [record_name(claim, arm, seed, encoder, steps) for arm in claim.arms.values() for seed in seeds]
    judge = _stand_in(claim, results, {name for name in records if name is not None})
    claim = _judged_by(claim, judge) if judge else claim
    measured = Measured(claim, results, seeds, encoder, steps)
    asked = claim.expects if claim.kind in MEASURED_KINDS else ()
    comparisons = tuple(_comparison(measured, expected) for expected in asked)
    start = origin_of(claim, next(iter(claim.arms.values())), encoder) if claim.arms else ""
    controls = _controls(claim, results, seeds, encoder, steps)
    return Answer(claim, comparisons, controls, 0.0, start, steps or claim.steps, judge)


def _stand_in(claim: Claim, results: Results, records: Iterable[str]) -> str:
    """Name of the judge in place of people's ratings, where a claim asks for these and its records hold none."""
    if claim.metric.name not in PEOPLE:
        return ""
    measured = [values for name in records for values in results.views(name).values()]
    rated = any("stsb" in values for values in measured)
    return STAND_IN if not rated and any(STAND_IN in values for values in measured) else ""


def _judged_by(claim: Claim, judge: str) -> Claim:
    """The claim with another metric in place of every one of PEOPLE."""
    arms = {name: replace(arm, judged=None) if arm.judged in PEOPLE else arm for name, arm in claim.arms.items()}
    return replace(claim, metric=METRICS[judge], arms=arms)


def _comparison(measured: Measured, expected: Expectation) -> Comparison:
    claim = measured.claim
    rows, why = measured.pair(expected)
    if not rows:
        return Comparison(expected, claim.metric, why=why)
    seeds, left, right = zip(*rows, strict=True)
    ends = measured.ends(expected, seeds)
    level = None if ends is None else _level(measured, expected)
    return Comparison(expected, claim.metric, left, right, seeds, ends=ends, level=level)


def _level(measured: Measured, expected: Expectation) -> Comparison | None:
    """The same comparison at equal uniformity; None without scores along the runs."""
    score, rows = measured.at_equal_uniformity(expected)
    if not rows:
        return None
    seeds, left, right = zip(*rows, strict=True)
    return Comparison(expected, METRICS[score], left, right, seeds)


def _controls(
    claim: Claim, results: Results, seeds: Sequence[int], encoder: str | None, steps: int | None
) -> tuple[Control, ...]:
    """Rivals of a claim about scores: every view of the untrained encoder, and of the arms that are trained."""
    if claim.kind != "scores" or not claim.metric.better:
        return ()
    found: dict[str, list[float]] = {}
    for arm in claim.arms.values():
        run = run_of(claim, arm, 0, encoder, steps)
        if run is None:
            continue
        for seed in seeds:
            own = record_name(claim, arm, seed, encoder, steps)
            rivals = untrained_name(origin_of(claim, arm, encoder), seed)
            for what, record in ((arm.name, own), ("untrained", rivals)):
                for view, values in results.views(record or "").items():
                    if claim.metric.name in values:
                        words = f"{what}, {view}".replace(", own", "")
                        found.setdefault(words, []).append(values[claim.metric.name])
    controls = [Control(name, _once(values)) for name, values in found.items()]
    return tuple(sorted(controls, key=lambda control: control.mean, reverse=claim.metric.better == "higher"))


def _once(values: Sequence[float]) -> tuple[float, ...]:
    """One value where all are one encoder's that no seed changes."""
    return tuple(values[:1] if len(set(values)) == 1 else values)


def _testable(claim: Claim) -> Claim:
    if claim.kind == "quoted":
        raise ValueError(f"{claim.name} cannot be tested here: {claim.why}")
    if claim.kind not in MEASURED_KINDS:
        raise ValueError(
            f"{claim.name} is not answered by training: it is a claim of the kind {claim.kind!r}, see its section "
            f"{claim.teaches or 'in the ledger'}"
        )
    if claim.needs:
        raise ValueError(f"{claim.name} cannot be tested yet: clwork lacks {', '.join(claim.needs)}")
    return claim


def _seeds(given: Any) -> list[int]:
    chosen = range(_validation.whole("seeds", given, FEWEST, MOST_SEEDS)) if _validation.is_whole(given) else given
    if isinstance(chosen, str | bytes | Mapping) or not isinstance(chosen, Iterable):
        raise TypeError(f"seeds={shown(given)} must be how many seeds, or a list of them")
    numbers = [_validation.seed(seed) for seed in islice(chosen, MOST_SEEDS)]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"seeds={shown(given)} has a seed twice, whose runs would be equal; give each one once")
    if len(numbers) < FEWEST:
        raise ValueError(f"seeds={shown(given)}: at least {FEWEST} are needed, since a spread is asked for")
    return numbers


@contextmanager
def _bar(total: int, shown: bool) -> Iterator[Callable[[int], None]]:
    """A bar over all steps of all runs; each call says at which step the present run is."""
    from tqdm.auto import tqdm

    with tqdm(total=total, unit="step", disable=not shown or not total) as bar:
        before = [0]

        def on_step(step: int) -> None:
            bar.update(step - before[0] if step > before[0] else step)
            before[0] = step

        yield on_step
