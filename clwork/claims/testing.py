"""Test a claim: train its variants with paired seeds, measure them, and compare.

A run that several claims share is trained once, and an interrupted test continues where it stopped.
The order is: :func:`test` lists the runs, :func:`encoder_of` trains each of them, ``_measure``
stores its final measures, and ``_compare`` compares the values of two variants.
"""

from __future__ import annotations

import gzip
import json
import platform
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .. import _validation
from ..data import sentences as read_sentences
from ..data import sts_folder
from ..data.sources import Source
from ..disk import runs_folder, to_json, write_file
from ..encoders import Encoder, load_encoder
from ..methods import config as method_config
from ..recordings import recording
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
    get,
    names,
    read_claim,
)
from .measures import ON_TASK, encode_material, evaluators, measure, training_text
from .records import (
    DEFAULT_TEXT,
    FOLDER,
    RECORDING,
    REFERENCES,
    RUN,
    VariantRun,
    add_views,
    has_view,
    names_in,
    read_record,
    run_of,
    start_of,
    value_of,
)
from .table import ANSWERS, Answer, Comparison, answers, read_answers, write_answers
from .verdicts import FEWEST, Difference, stage_of, threshold_of, verdict

PROBE_EVERY = 10  # steps; fixed, so that histories of paired runs have the same rows
SCORES_PER_RUN = 5
CHECKPOINT_EVERY = 50  # steps
# Subfolder of a run for the trained encoder, and ending of the folder in which it is trained.
ENCODER = "encoder"
TRAINING = ".training"
# Columns of the history that are not stored, since they are not about the encoder.
TIMES = ("learning_rate", "tokens_per_second", "probe_share", "seconds")
SEEDS = 5  # default
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
    # Check everything before the first run, which may take minutes.
    tested = read_claim(claim)
    numbers = read_seeds(seeds)
    _check_variants(tested, encoder)

    # Replace what this machine lacks or the caller changes: ratings, and the training text.
    tasks = sts_folder() if data is None else Path(data)
    scored = tested if tasks is not None else _without_ratings(tested)
    texts = {}
    if sentences not in (None, DEFAULT_TEXT):
        own_text = read_sentences(sentences)
        texts[own_text.fingerprint()] = own_text
        scored = _on_text(scored, own_text.fingerprint())

    target = runs_folder() / FOLDER if folder is None else Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    runs = [
        (variant, run)
        for variant, run in runs_of(scored, numbers, encoder, steps)
        if variant.data not in NOT_INCLUDED
    ]
    for variant, run in runs:
        view = _final_view(scored, variant, tasks)
        _measure(run, view, target, tasks, texts.get(run.data), progress)
    values = _values_of(scored, runs, numbers, target)
    comparisons = tuple(_compare(scored, expected, values) for expected in scored.expects)

    answer = Answer(
        tested,
        comparisons,
        controls=(),
        threshold=_threshold(tested, comparisons),
        encoder=start_of(tested, next(iter(tested.variants.values())), encoder),
        steps=steps or tested.steps,
        stand_in="" if scored.metric is tested.metric else STAND_IN,
        stage=stage_of(len(numbers)),
        pairs=_pairs_of(scored, values),
    )
    # A claim of one's own may have a name of the ledger, but is another object.
    is_of_the_ledger = tested.name in names() and get(tested.name) is tested
    if is_of_the_ledger and not texts:
        _write_names(tested.name, runs, target)
        add_answer(target / ANSWERS, answer)
    return answer


def _check_variants(claim: Claim, encoder: str | None) -> None:
    """Raise for measures that are not tested, and for wrong hyperparameters."""
    for variant in claim.variants.values():
        metric = variant.metric or claim.metric.name
        if metric in NOT_TESTED:
            stored = "clwork.claims.answers() has the answers that are stored"
            raise ValueError(f"metric={metric!r} {NOT_TESTED[metric]}; {stored}")
        if variant.trained:
            # Making the configuration checks it.
            method_config(variant.method, start_of(claim, variant, encoder), **variant.config)


def read_seeds(seeds: int | Iterable[int]) -> list[int]:
    """Return a list of seeds; a number n stands for the seeds from 0 to n − 1."""
    if isinstance(seeds, int):
        seeds = range(_validation.integer("seeds", seeds, FEWEST))
    numbers = [_validation.seed(seed) for seed in seeds]
    if len(numbers) < FEWEST or len(set(numbers)) < len(numbers):
        shown = _validation.shown(seeds)
        raise ValueError(f"seeds={shown}; give at least {FEWEST} seeds, each once")
    return numbers


def _without_ratings(claim: Claim) -> Claim:
    """Return the claim, scored by the silver pairs if its metric needs human ratings."""
    if claim.metric.name not in RATED:
        return claim
    variants = dict(claim.variants)
    for name, variant in claim.variants.items():
        if variant.metric in RATED:
            # The variant then has the claim's metric, which is the silver pairs'.
            variants[name] = replace(variant, metric=None)
    return replace(claim, metric=METRICS[STAND_IN], variants=variants)


def _on_text(claim: Claim, name: str) -> Claim:
    """Return the claim with the text ``name`` in place of the default one."""
    variants = dict(claim.variants)
    for key, variant in claim.variants.items():
        if variant.data in (None, DEFAULT_TEXT):
            variants[key] = replace(variant, data=name)
    return replace(claim, variants=variants)


def add_answer(path: Path, answer: Answer) -> None:
    """Add an answer to the table of a folder; it replaces the earlier one at this stage."""
    key = answer.claim, answer.stage
    others = [other for other in read_answers(path) if (other.claim, other.stage) != key]
    write_answers(path, [*others, answer])


def runs_of(
    claim: Claim, seeds: Iterable[int], encoder: str | None = None, steps: int | None = None
) -> list[tuple[Variant, VariantRun]]:
    """List the runs of a claim's variants at each seed, encoders without training first.

    A variant that is a number has no run. ``encoder`` and ``steps`` are those of :func:`test`.
    """
    runs = []
    for variant, seed in product(claim.variants.values(), seeds):
        if variant.method != "computed":
            runs.append((variant, run_of(claim, variant, seed, encoder, steps)))
    return sorted(runs, key=lambda pair: pair[0].trained)


def _final_view(claim: Claim, variant: Variant, tasks: Path | None) -> str | None:
    """Return the representation to measure at the end of a run; None if none is needed."""
    if variant.post == ON_TASK and tasks is None:
        return None
    # Lessons read the final measures of the ledger's runs, also where a claim needs none.
    is_needed = variant.at is None or claim.paper in PAPERS
    return variant.view if is_needed else None


def _measure(
    run: VariantRun,
    view: str | None,
    folder: Path,
    tasks: Path | None,
    text: Sequence[Any] | None,
    progress: bool,
) -> None:
    """Train a run and measure a view, unless the folder has both; None measures no view."""
    record = read_record(folder, run.name)
    if record and (view is None or has_view(record, view, rated=tasks is not None)):
        return
    encoder = encoder_of(run, folder, text, progress)
    views = {}
    if view is not None:
        material = evaluators(tasks)
        pooling, _, post = view.partition(", ")
        views[view] = measure(encode_material(encoder, pooling, material), post, material)
    add_views(folder, run, views)


def _values_of(
    claim: Claim,
    runs: Iterable[tuple[Variant, VariantRun]],
    seeds: Iterable[int],
    folder: Path,
) -> dict[str, dict[int, float]]:
    """Return the measured values by variant and seed; a number is the same for all seeds."""
    values: dict[str, dict[int, float]] = {name: {} for name in claim.variants}
    for name, variant in claim.variants.items():
        if variant.method == "computed":
            values[name] = dict.fromkeys(seeds, float(variant.of or "nan"))
    for variant, run in runs:
        value = value_of(read_record(folder, run.name), variant, claim.metric.name)
        if value is not None:
            values[variant.name][run.seed] = value
    return values


def _compare(claim: Claim, expected: Expectation, values: Values) -> Comparison:
    """Compare two variants over the seeds that both have."""
    left = values[expected.left]
    right = values[expected.right]
    rows = [(seed, left[seed], right[seed]) for seed in left if seed in right]
    if len(rows) >= FEWEST:
        return compared(expected, claim.metric, rows)
    missing = expected.left if len(left) < FEWEST else expected.right
    text = claim.variants[missing].data
    if text in NOT_INCLUDED:
        why = f"the text of {missing!r}, {text}, is not part of clwork"
    else:
        why = f"{missing!r} has no {claim.metric.name} here"
    return Comparison(expected, claim.metric, why=why)


def _pairs_of(claim: Claim, values: Values) -> dict[str, dict[str, Difference]]:
    """Return the differences of all pairs of variants, for :meth:`.Reference.table`.

    They are left minus right, by the name of the right variant, then by that of the left one.
    """
    pairs: dict[str, dict[str, Difference]] = {}
    for right, left in permutations(claim.variants, 2):
        comparison = _compare(claim, Expectation(left, ">", right), values)
        if comparison.measured:
            pairs.setdefault(right, {})[left] = comparison.difference
    return pairs


def _threshold(claim: Claim, comparisons: Iterable[Comparison]) -> float:
    """Return the largest p value of a decided comparison.

    It depends on all comparisons of the ledger; ``comparisons`` replace those stored of the claim.
    """
    others = [answer for name, answer in answers().items() if name != claim.name]
    p_values = [each.p for answer in others for each in answer.comparisons]
    return threshold_of([*p_values, *(each.p for each in comparisons)])


def _write_names(claim: str, runs: Iterable[tuple[Variant, VariantRun]], folder: Path) -> None:
    """Write which runs in the folder belong to the claim, for :func:`clwork.reference`."""
    run_names: dict[str, dict[str, str]] = {}
    for variant, run in runs:
        name_by_seed = run_names.setdefault(variant.name, {})
        # Untrained encoders have one record for all seeds.
        if run.name not in name_by_seed.values():
            name_by_seed[str(run.seed)] = run.name
    index = {**names_in(folder), claim: run_names}
    write_file(folder / REFERENCES, to_json(index, indent=1))


def compared(
    expected: Expectation, metric: Metric, rows: Sequence[tuple[int, float, float]]
) -> Comparison:
    """Compare two variants.

    ``rows`` has the seed and the values of the left and the right variant; the comparison takes as
    many of the first rows as a stage has.
    """
    seeds, left, right = zip(*rows[: stage_of(len(rows))], strict=True)
    # Two encoders without a random part have the same value for each seed.
    drawn = len(set(left)) > 1 or len(set(right)) > 1
    judged = verdict(np.subtract(left, right).tolist(), expected.sign, metric.margin, drawn)
    # The fields of a judgement are also fields of a comparison.
    return Comparison(expected, metric, left, right, seeds, **vars(judged))


def encoder_of(
    run: VariantRun, folder: Path, text: Sequence[Any] | None = None, progress: bool = False
) -> Encoder:
    """Return the encoder of a run: train it, resume an interrupted run, or load a finished one.

    Args:
        run: the run, or an encoder without training.
        folder: folder of all runs.
        text: what to train on; None reads the text that the run names.
        progress: whether to show a bar with the remaining time.
    """
    if not run.steps:
        return load_encoder(run.encoder, seed=run.seed)
    target = folder / run.name
    # run.json is written last: a folder that has it is complete.
    if not (target / RUN).is_file():
        text = training_text(run.data) if text is None else text
        trained = _finished(run, folder / f"{run.name}{TRAINING}", text, progress)
        _store(trained, run, target)
        # Otherwise clwork.runs() of this kernel would keep every encoder in memory.
        RUNS.remove(trained)
        shutil.rmtree(trained.folder)
    return load_encoder(target / ENCODER)


def _finished(run: VariantRun, folder: Path, text: Sequence[Any], progress: bool) -> Run:
    """Train a run to its end in a folder of its own, which has its checkpoints.

    Raises:
        KeyboardInterrupt: the run was stopped; the next call resumes it from its checkpoint.
    """
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


def _store(trained: Run, run: VariantRun, target: Path) -> None:
    """Write the encoder, the recording and ``run.json`` of a finished run, in this order."""
    target.mkdir(parents=True, exist_ok=True)
    trained.encoder.save(target / ENCODER)
    text = to_json(recording(trained), ensure_ascii=False, separators=(",", ":"))
    # Without the time of writing, equal runs give equal files.
    compressed = gzip.compress(text.encode("utf-8"), mtime=0)
    write_file(target / RECORDING, lambda path: path.write_bytes(compressed))
    settings = vars(run) | {"config": json.loads(run.config)}
    write_file(target / RUN, to_json({**settings, **_outcome(trained)}, indent=1))


def start_variant(run: VariantRun, text: Sequence[Any], folder: Path | None) -> Run:
    """Start a run in the background, with the schedule of all stored runs."""
    # The random filters of a TextCNN differ with the seed.
    encoder = load_encoder(run.encoder, seed=run.seed)
    # Scores are measured at probe steps, so their distance is a multiple of PROBE_EVERY.
    probes_per_score = run.steps // SCORES_PER_RUN // PROBE_EVERY
    return start_run(
        run.method,
        encoder=encoder,
        sentences=text,
        steps=run.steps,
        seed=run.seed,
        folder=folder,
        probe_every=PROBE_EVERY,
        eval_every=max(1, probes_per_score) * PROBE_EVERY,
        checkpoint_every=CHECKPOINT_EVERY,
        # A configuration may set the precision.
        **{"precision": run.precision, **json.loads(run.config)},
    )


def _outcome(run: Run) -> dict[str, Any]:
    """Return what a record has of a trained run: losses, probe measurements, and circumstances."""
    history = run.history
    # The probe measures uniformity at each of its steps.
    probed = history[history["uniformity"].notna()]
    numeric = [name for name in probed.select_dtypes("number") if name not in TIMES]
    measured = [name for name in numeric if probed[name].notna().any()]
    first_step = next(row for row in run.records() if row["step"] == 1)
    # Without a device, a run takes the GPU if there is one.
    on_gpu = torch.cuda.is_available() and (run.run_config.device or "cuda").startswith("cuda")
    return {
        "seconds": round(run.seconds, 1),
        "machine": torch.cuda.get_device_name() if on_gpu else processor(),
        "precision": run.run_config.precision,
        "threads": torch.get_num_threads(),
        "versions": run.run_config.versions,
        "date": run.run_config.created[:10],
        "warned": float(run.diagnosis().warns),
        "first": {name: value for name, value in first_step.items() if isinstance(value, float)},
        # Step 0 is measured before training, so it has no loss.
        "losses": _rounded(history["loss"].iloc[1:]),
        "history": {name: _rounded(probed[name]) for name in measured},
    }


def _rounded(column: Iterable[float]) -> list[float]:
    return [float(f"{value:.5g}") for value in column]


def processor() -> str:
    """Return the name of this machine's processor, from the file in which Linux has it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()
