"""Test a claim: train its variants with paired seeds, measure them, and compare.

A run that several claims share is trained once, and an interrupted test continues where it stopped.
"""

from __future__ import annotations

import gzip
import json
import platform
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .. import _validation
from ..data import sentences as read_sentences
from ..data import sts_folder
from ..data.sources import DEFAULT, Source
from ..disk import runs_folder, to_json, write_file
from ..encoders import Encoder, load_encoder
from ..methods import config as method_config
from ..recordings import recording
from ..run_folder.stored import delete_run
from ..training import Run, resume
from ..training import start as start_run
from ..training.run import RUNS
from ..training.starting import watch
from .ledger import (
    METRICS,
    NOT_INCLUDED,
    NOT_TESTED,
    PAPERS,
    Claim,
    Expectation,
    Metric,
    Variant,
    read_claim,
)
from .measures import ON_TASK, evaluators, measure, training_text
from .records import (
    FOLDER,
    RECORDING,
    REFERENCES,
    RUN,
    VariantRun,
    add_views,
    names_in,
    read_record,
    record_name,
    run_of,
    start_of,
    value_of,
)
from .table import ANSWERS, Answer, Comparison, answers, read_answers, write_answers
from .verdicts import FEWEST, Difference, stage_of, threshold_of, verdict

PROBE_EVERY = 10  # steps; fixed, so that histories of paired runs have the same rows
SCORES_PER_RUN = 5
CHECKPOINT_EVERY = 50
ENCODER, TRAINING = "encoder", ".training"
# Columns that are not stored.
TIMES = ("learning_rate", "tokens_per_second", "probe_share", "seconds")
SEEDS, MOST_SEEDS = 5, 1000
# Metrics that need human ratings, and the one that replaces them.
RATED = ("sts", "stsb", "sickr")
STAND_IN = "silver"
Values = Mapping[str, Mapping[int, float]]
"""Values of a claim's variants by their name, then by seed."""


def test(
    claim: str | Mapping[str, Any] | Claim,
    encoder: str | None = None,
    sentences: Source | None = None,
    seeds: int | Iterable[int] = SEEDS,
    *,
    data: str | Path | None = None,
    folder: str | Path | None = None,
    steps: int | None = None,
    progress: bool = True,
) -> Answer:
    """Train the variants of a claim with paired seeds, measure them, and return the verdict.

    Runs that are in ``folder`` are not trained again, so an interrupted call can be repeated, and
    variants that claims share are trained once. Without STS data, a claim about STS-B, SICK-R or
    both is scored by the pairs of :func:`clwork.data.silver_pairs`, rated by a strong encoder; the
    answer states this. A claim may be tested with 3, 5 and 15 seeds, one after the other (see
    :data:`clwork.claims.RULE`); ``answer.save(path)`` writes a page to share, and
    :func:`clwork.claims.answers` reads the answers to claims of the ledger from the folder.

    Args:
        claim: a name, see :func:`clwork.claims.names`; or your own claim as a dict or TOML text
            with the fields of :class:`clwork.claims.Claim`. It may use variants of the ledger.
        encoder: encoder to start from, as for :func:`clwork.load_encoder`; default: each method's.
            It does not apply to variants that name an encoder or train a TextCNN (GCLSR).
        sentences: training text in place of ``"wikipedia-mini"``, as for
            :func:`clwork.data.sentences`; runs are stored by its fingerprint. It does not apply to
            variants that name another text, or to the data of the measures.
        seeds: number of seeds (0, 1, 2, …), or a list of seeds; at least 3.
        data: folder with your STS tasks; default: the remembered one.
        folder: folder of runs and measurements; default: ``claims`` in the folder of runs.
        steps: length of each run; default: the claim's.
        progress: whether to show a bar with the remaining time.

    Raises:
        ValueError: unknown claim or encoder, incomplete claim, a measure that is not tested, fewer
            than 3 seeds, or a repeated seed.

    >>> print(clwork.claims.test("simcse/dropout-against-none"))  # doctest: +SKIP
    >>> warm = {"metric": "stsb", "expects": ["SimCSE > warm"], "steps": 60,
    ...         "variants": {"warm": {"method": "simcse", "config": {"temperature": 0.5}}}}
    >>> print(clwork.claims.test(warm, seeds=3))  # doctest: +SKIP
    """
    tested = read_claim(claim)
    numbers = read_seeds(seeds)
    _check_variants(tested, encoder)
    tasks = sts_folder() if data is None else Path(data)
    scored = tested if tasks is not None else _without_ratings(tested)
    texts = {}
    if sentences not in (None, DEFAULT):
        own_text = read_sentences(sentences)
        texts[own_text.fingerprint()] = own_text
        scored = _on_text(scored, own_text.fingerprint())
    place = runs_folder() / FOLDER if folder is None else Path(folder)
    place.mkdir(parents=True, exist_ok=True)

    def text_of(name: str) -> Sequence[Any]:
        return texts[name] if name in texts else training_text(name)

    cells = cells_of(scored, numbers, encoder, steps)
    for cell in cells:
        # Lessons read the final measures of the ledger's runs, also where a claim needs none.
        is_measured = cell.variant.at is None or tested.paper in PAPERS
        views = [cell.variant.view] if is_measured else []
        complete(cell, views, place, tasks, text_of, progress)
    values = _values_of(scored, cells, numbers, place)
    comparisons = tuple(_compare(scored, expected, values) for expected in scored.expects)
    known = answers()
    others = [answer for name, answer in known.items() if name != tested.name]
    p_values = [each.p for answer in others for each in answer.comparisons]
    answer = Answer(
        tested,
        comparisons,
        controls=(),
        threshold=threshold_of([*p_values, *(each.p for each in comparisons)]),
        encoder=start_of(tested, next(iter(tested.variants.values())), encoder),
        steps=steps or tested.steps,
        stand_in="" if scored.metric is tested.metric else STAND_IN,
        stage=stage_of(len(numbers)),
        pairs=_pairs_of(scored, values),
    )
    is_of_the_ledger = tested.name in known and known[tested.name].claim is tested
    if is_of_the_ledger and not texts:
        _write_names(tested.name, cells, place)
        add_answer(place / ANSWERS, answer)
    return answer


def _check_variants(claim: Claim, encoder: str | None) -> None:
    """Refuse measures that are not tested and wrong hyperparameters, before anything is trained."""
    for variant in claim.variants.values():
        metric = variant.metric or claim.metric.name
        if metric in NOT_TESTED:
            stored = "clwork.claims.answers() has the answers that are stored"
            raise ValueError(f"metric={metric!r} {NOT_TESTED[metric]}; {stored}")
        if variant.trained:
            method_config(variant.method, start_of(claim, variant, encoder), **variant.config)


def read_seeds(seeds: int | Iterable[int]) -> list[int]:
    """Return the seeds of a claim, given by their number or as a list."""
    if isinstance(seeds, int):
        seeds = range(_validation.integer("seeds", seeds, FEWEST, MOST_SEEDS))
    numbers = [_validation.seed(seed) for seed in seeds]
    if len(numbers) < FEWEST or len(set(numbers)) < len(numbers):
        shown = _validation.shown(seeds)
        raise ValueError(f"seeds={shown}; give at least {FEWEST} seeds, each once")
    return numbers


def _without_ratings(claim: Claim) -> Claim:
    """Return the claim about silver pairs if it needs human ratings."""
    if claim.metric.name not in RATED:
        return claim
    variants = {
        name: replace(variant, metric=None) if variant.metric in RATED else variant
        for name, variant in claim.variants.items()
    }
    return replace(claim, metric=METRICS[STAND_IN], variants=variants)


def _on_text(claim: Claim, name: str) -> Claim:
    """Return the claim with the text ``name`` in place of the default one."""
    variants = {
        key: replace(variant, data=name) if variant.data in (None, DEFAULT) else variant
        for key, variant in claim.variants.items()
    }
    return replace(claim, variants=variants)


def add_answer(path: Path, answer: Answer) -> None:
    """Add an answer to the table of a folder; it replaces the earlier one at this stage."""
    key = answer.claim, answer.stage
    others = [other for other in read_answers(path) if (other.claim, other.stage) != key]
    write_answers(path, [*others, answer])


@dataclass(frozen=True)
class Cell:
    """A variant at one seed: the run, or the encoder without training, that has its value."""

    variant: Variant
    seed: int
    name: str  # of the record
    run: VariantRun | None  # None for an encoder without training
    encoder: str  # the encoder to start from


def cells_of(
    claim: Claim,
    seeds: Iterable[int],
    encoder: str | None = None,
    steps: int | None = None,
    only_included: bool = True,
) -> list[Cell]:
    """List a claim's variants at each seed, those without training first.

    Numbers have no cell, nor, if ``only_included``, variants whose text is not part of clwork.
    """
    cells = []
    for variant, seed in product(claim.variants.values(), seeds):
        name = record_name(claim, variant, seed, encoder, steps)
        if name is None or (only_included and variant.data in NOT_INCLUDED):
            continue
        run = run_of(claim, variant, seed, encoder, steps)
        cells.append(Cell(variant, seed, name, run, start_of(claim, variant, encoder)))
    return sorted(cells, key=lambda cell: cell.variant.trained)


def complete(
    cell: Cell,
    views: Iterable[str],
    folder: Path,
    tasks: Path | None,
    text_of: Callable[[str], Sequence[Any]] = training_text,
    progress: bool = False,
) -> None:
    """Train and measure what the record of a cell lacks; ``text_of`` reads a training text."""
    record = read_record(folder, cell.name)
    measured = record.get("views", {})
    needed = "silver" if tasks is None else "stsb"
    missing: dict[str, list[str]] = {}
    for view in views:
        pooling, _, post = view.partition(", ")
        is_possible = tasks is not None or post != ON_TASK
        if is_possible and needed not in measured.get(view, {}):
            missing.setdefault(pooling, []).append(post)
    if record and not missing:
        return
    if cell.run is None:
        encoder = load_encoder(cell.encoder, seed=cell.seed)
    else:
        encoder = train_variant(cell.run, folder, text_of(cell.run.data), progress)
    add_views(folder, cell.name, {}, cell.encoder, cell.seed)
    for pooling, posts in missing.items():
        found = measure(encoder, pooling, posts, evaluators(tasks))
        add_views(folder, cell.name, found, cell.encoder, cell.seed)


def _values_of(
    claim: Claim, cells: Iterable[Cell], seeds: Iterable[int], folder: Path
) -> dict[str, dict[int, float]]:
    """Return the measured values by variant and seed."""
    values: dict[str, dict[int, float]] = {}
    for name, variant in claim.variants.items():
        is_number = variant.method == "computed"
        values[name] = dict.fromkeys(seeds, float(variant.of or "nan")) if is_number else {}
    for cell in cells:
        value = value_of(read_record(folder, cell.name), cell.variant, claim.metric.name)
        if value is not None:
            values[cell.variant.name][cell.seed] = value
    return values


def _compare(claim: Claim, expected: Expectation, values: Values) -> Comparison:
    """Compare two variants over the seeds that both have."""
    left, right = values[expected.left], values[expected.right]
    rows = [(seed, left[seed], right[seed]) for seed in left if seed in right]
    if len(rows) >= FEWEST:
        return compared(expected, claim.metric, rows)
    name = expected.left if len(left) < FEWEST else expected.right
    text = claim.variants[name].data
    why = f"{name!r} has no {claim.metric.name} here"
    if text in NOT_INCLUDED:
        why = f"the text of {name!r}, {text}, is not part of clwork"
    return Comparison(expected, claim.metric, why=why)


def _pairs_of(claim: Claim, values: Values) -> dict[str, dict[str, Difference]]:
    """Return the differences of all pairs of variants, for :meth:`.Reference.table`."""
    pairs: dict[str, dict[str, Difference]] = {}
    for right, left in permutations(claim.variants, 2):
        comparison = _compare(claim, Expectation(left, ">", right), values)
        if comparison.measured:
            pairs.setdefault(right, {})[left] = comparison.difference
    return pairs


def _write_names(claim: str, cells: Iterable[Cell], folder: Path) -> None:
    """Write which runs in the folder belong to the claim, for :func:`clwork.reference`."""
    names: dict[str, dict[str, str]] = {}
    for cell in cells:
        runs = names.setdefault(cell.variant.name, {})
        # Untrained encoders have one record for all seeds.
        if cell.name not in runs.values():
            runs[str(cell.seed)] = cell.name
    index = {**names_in(folder), claim: names}
    write_file(folder / REFERENCES, to_json(index, indent=1))


def compared(
    expected: Expectation, metric: Metric, rows: Sequence[tuple[int, float, float]]
) -> Comparison:
    """Compare two variants by rows of seed and both values, as many as a stage has."""
    seeds, left, right = zip(*rows[: stage_of(len(rows))], strict=True)
    drawn = len(set(left)) > 1 or len(set(right)) > 1
    judged = verdict(np.subtract(left, right).tolist(), expected.sign, metric.margin, drawn)
    return Comparison(
        expected,
        metric,
        left,
        right,
        seeds,
        difference=judged.difference,
        p=judged.p,
        says=judged.says,
        remark=judged.remark,
    )


def train_variant(
    run: VariantRun, folder: Path, text: Sequence[Any], progress: bool = False
) -> Encoder:
    """Train a run in ``folder``, resume an interrupted one, or load a finished one's encoder."""
    target = folder / run.name
    if not (target / RUN).is_file():
        trained = _finished(run, folder / f"{run.name}{TRAINING}", text, progress)
        target.mkdir(parents=True, exist_ok=True)
        trained.encoder.save(target / ENCODER)
        page = to_json(recording(trained), ensure_ascii=False, separators=(",", ":"))
        packed = gzip.compress(page.encode("utf-8"), mtime=0)
        write_file(target / RECORDING, lambda path: path.write_bytes(packed))
        settings = vars(run) | {"config": json.loads(run.config)}
        write_file(target / RUN, to_json({**settings, **_outcome(trained)}, indent=1))
        # The kernel's list would keep every encoder in memory.
        RUNS.remove(trained)
        delete_run(trained.folder)
    return load_encoder(target / ENCODER)


def _finished(run: VariantRun, folder: Path, text: Sequence[Any], progress: bool) -> Run:
    """Train a run to its end; an interrupt stops it with a checkpoint."""
    training = None
    if folder.is_dir():
        try:
            training = resume(folder, background=True)
        except FileNotFoundError:
            # The run was killed before its first checkpoint.
            shutil.rmtree(folder)
    training = training or start_variant(run, text, folder)
    if progress:
        watch(training)
    else:
        training.wait()
    if training.status != "finished":
        raise KeyboardInterrupt(f"{run.name} is {training.status}; see its folder {folder}")
    return training


def start_variant(run: VariantRun, text: Sequence[Any], folder: Path | None, **changes: Any) -> Run:
    """Start a run with the schedule of all stored runs."""
    # The random filters of a TextCNN differ with the seed.
    encoder = load_encoder(run.encoder, seed=run.seed)
    # Scores are measured at probe steps.
    eval_every = max(PROBE_EVERY, run.steps // SCORES_PER_RUN // PROBE_EVERY * PROBE_EVERY)
    return start_run(
        run.method,
        encoder=encoder,
        sentences=text,
        steps=run.steps,
        seed=run.seed,
        folder=folder,
        probe_every=PROBE_EVERY,
        eval_every=eval_every,
        checkpoint_every=CHECKPOINT_EVERY,
        **{"precision": run.precision, **json.loads(run.config), **changes},
    )


def _outcome(run: Run) -> dict[str, Any]:
    """Return rounded losses and probe measurements, with diagnosis, seconds and machine."""
    history = run.history
    probed = history[history["uniformity"].notna()]
    numeric = [name for name in probed.select_dtypes("number") if name not in TIMES]
    columns = [name for name in numeric if probed[name].notna().any()]
    first = next(row for row in run.records() if row["step"] == 1)
    on_gpu = torch.cuda.is_available() and (run.run_config.device or "cuda").startswith("cuda")
    return {
        "seconds": round(run.seconds, 1),
        "machine": torch.cuda.get_device_name() if on_gpu else processor(),
        "precision": run.run_config.precision,
        "threads": torch.get_num_threads(),
        "versions": run.run_config.versions,
        "date": run.run_config.created[:10],
        "warned": float(run.diagnosis().warns),
        "first": {name: value for name, value in first.items() if isinstance(value, float)},
        "losses": [float(f"{value:.5g}") for value in history["loss"].iloc[1:]],
        "history": {name: [float(f"{value:.5g}") for value in probed[name]] for name in columns},
    }


def processor() -> str:
    """Return the name of this machine's processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()
