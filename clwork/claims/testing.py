"""Carry out the test of a claim: train the runs of its variants, store their measures, compare.

A run that several claims share is trained once, and an interrupted test continues with the run that
was interrupted. The order is: :func:`test` lists the runs, :func:`encoder_of` trains each of them,
``_measure`` stores its final measures, and ``_compare`` compares the values of two variants. No
statistics are here: intervals, p values and verdicts are computed in ``verdicts.py``, and the error
over sentence pairs in ``pairs.py``.
"""

from __future__ import annotations

import gzip
import json
import platform
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from tqdm.auto import tqdm

from .. import _validation
from ..data import sentences as read_sentences
from ..data import sts_folder
from ..data.sources import Source
from ..disk import runs_folder, to_json, write_file
from ..encoders import Encoder, load_encoder
from ..methods import config as method_config
from ..recordings import recording
from ..training import Run
from ..training import start as start_run
from ..training.run import RUNS
from ..training.starting import watch
from .ledger import (
    METRICS,
    NOT_INCLUDED,
    Claim,
    Expectation,
    Metric,
    Variant,
    get,
    names,
    read_claim,
)
from .measures import (
    ON_TASK,
    Evaluators,
    distances_of,
    encode_material,
    evaluators,
    measure,
    post_processed,
)
from .pairs import PAIRS, Judge
from .records import (
    DEFAULT_TEXT,
    FOLDER,
    RECORD,
    RECORDING,
    VariantRun,
    add_views,
    circumstances,
    has_view,
    read_record,
    run_of,
    start_of,
    value_of,
)
from .table import ANSWERS, TEST_SETS, Answer, Comparison, read_answers, write_answers
from .verdicts import FEWEST, family_threshold, paired_difference, remark, stage_of

PROBE_EVERY = 10  # steps; fixed, so that histories of paired runs have the same rows
SCORES_PER_RUN = 5
# Subfolders of a run: the trained encoder, and the training, until it is finished.
ENCODER = "encoder"
TRAINING = "training"
P_VALUES = "p_values.json"
# Columns of the history that are not stored, since they are not about the encoder.
TIMES = ["learning_rate", "probe_share", "seconds"]
SEEDS = 5  # default
# Metrics that need human ratings, and the one that replaces them.
RATED = ("sts", "stsb", "sickr")
STAND_IN = "silver"
# Metrics of the course of a run: of the probe, from step 0 on, and of the batches.
PROBED = ("alignment", "effective_rank", "mean_cosine", "uniformity")
OF_BATCHES = ("z_rank", "positive_cosine")
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
    """Train the variants of a claim with paired seeds, measure them, and return the answer.

    Scores have an interval over seeds and test pairs; other measures have one over seeds alone.
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
        progress: whether to show a bar that counts the steps of all runs, with the remaining time.

    Raises:
        ValueError: unknown claim or encoder, incomplete claim, a claim or measure that is not
            tested, fewer than 3 seeds, or a repeated seed.

    >>> print(clwork.claims.test("simcse/dropout-against-none"))  # doctest: +SKIP
    >>> warm = {"metric": "stsb", "expects": ["SimCSE > warm"], "steps": 60,
    ...         "variants": {"warm": {"method": "simcse", "config": {"temperature": 0.5}}}}
    >>> print(clwork.claims.test(warm, seeds=3))  # doctest: +SKIP
    """
    # Check everything before the first run, which may take minutes.
    tested = read_claim(claim)
    numbers = read_seeds(seeds)
    _check_variants(tested, encoder, steps)

    # Replace what this machine lacks or the caller changes: ratings, and the training text.
    tasks = sts_folder() if data is None else Path(data)
    texts = {}
    if sentences not in (None, DEFAULT_TEXT):
        own_text = read_sentences(sentences)
        texts[own_text.fingerprint()] = own_text
    scored = _adapted(tested, rated=tasks is not None, text=next(iter(texts), None))

    target = runs_folder() / FOLDER if folder is None else Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    runs = [
        (variant, run)
        for variant, run in runs_of(scored, numbers, encoder, steps)
        if variant.data not in NOT_INCLUDED
    ]
    untrained = {run.name: run.steps for _, run in runs if not read_record(target, run.name)}
    total = sum(untrained.values())
    # The bar counts the steps of all runs, so that its remaining time is that of the claim.
    with tqdm(total=total, desc=tested.name, unit="step", disable=not (progress and total)) as bar:
        for variant, run in runs:
            # None is measured of a variant that is compared during its run, or lacks its task.
            lacks_task = variant.post == ON_TASK and tasks is None
            view = None if lacks_task or variant.at is not None else variant.view
            _measure(run, view, target, tasks, texts.get(run.data), bar)
    comparisons = _compare_all(scored, runs, numbers, target, evaluators(tasks))

    records = [read_record(target, run.name) for _, run in runs]
    threshold = _family(target / P_VALUES, tested.name, comparisons)
    of_seed: dict[str, dict[str, str]] = {}
    for variant, run in runs:
        name_by_seed = of_seed.setdefault(variant.name, {})
        # Untrained encoders have one record for all seeds.
        if run.name not in name_by_seed.values():
            name_by_seed[str(run.seed)] = run.name
    answer = Answer(
        tested,
        comparisons,
        controls=(),
        encoder=start_of(tested, next(iter(tested.variants.values())), encoder),
        steps=steps or tested.steps,
        stage=stage_of(len(numbers)),
        family=threshold,
        runs=of_seed,
        made=circumstances(records),
        by=" or ".join(dict.fromkeys(each["clwork"] for each in records if "clwork" in each)),
        texts={each["data"]: each["sentences"] for each in records if "sentences" in each},
    )
    # A claim of one's own may have a name of the ledger, but is another object.
    is_of_the_ledger = tested.name in names() and get(tested.name) is tested
    if is_of_the_ledger and not texts:
        add_answer(target / ANSWERS, answer)
    return answer


def _check_variants(claim: Claim, encoder: str | None, steps: int | None) -> None:
    """Raise for measures that are not tested or never taken, and for wrong hyperparameters."""
    if not claim.variants:
        raise ValueError(f"{claim.name} is not tested: {claim.untestable or claim.unmeasured}")
    for variant in claim.variants.values():
        metric = variant.metric or claim.metric.name
        reason = METRICS[metric].not_tested
        if reason:
            stored = "clwork.claims.answers() has the answers that are stored"
            raise ValueError(f"metric={metric!r} {reason}; {stored}")
        if variant.trained:
            # Making the configuration checks it.
            method_config(variant.method, start_of(claim, variant, encoder), **variant.config)
            _check_at(variant, metric, run_of(claim, variant, 0, encoder, steps).steps)


def _check_at(variant: Variant, metric: str, length: int) -> None:
    """Raise if a run of ``length`` steps never measures ``metric`` at the variant's ``at``."""
    if variant.at is None:
        return
    problem = f"variant {variant.name!r}: {metric} is never measured at={variant.at}"
    if metric not in (*PROBED, *OF_BATCHES, STAND_IN):
        remedy = "leave out at, or choose a metric of the course of a run"
        raise ValueError(f"{problem}; {remedy}: {', '.join((*PROBED, *OF_BATCHES, STAND_IN))}")
    every = _steps_between_scores(length) if metric == STAND_IN else PROBE_EVERY
    # Measures of a batch begin with the first batch.
    first = 1 if metric in OF_BATCHES else 0
    measured = [first, *range(every, length, every), length]
    steps = [variant.at] if isinstance(variant.at, int) else list(variant.at)
    if not 1 <= len(steps) <= 2 or not set(steps) <= set(measured):
        listed = f"{first}, {every}, {2 * every}, …, {length}"
        raise ValueError(f"{problem}; give one or two of the steps {listed}")


def read_seeds(seeds: int | Iterable[int]) -> list[int]:
    """Return a list of seeds; a number n stands for the seeds from 0 to n − 1."""
    numbers = list(range(seeds) if isinstance(seeds, int) else seeds)
    if len(numbers) < FEWEST or len(set(numbers)) < len(numbers):
        shown = _validation.shown(seeds)
        raise ValueError(f"seeds={shown}; give at least {FEWEST} seeds, each once")
    return numbers


def _adapted(claim: Claim, rated: bool, text: str | None) -> Claim:
    """Return the claim as it can be measured.

    Args:
        claim: the claim.
        rated: whether there are human ratings; if not, the silver pairs replace them.
        text: the text in place of the default one; None keeps it.
    """
    has_stand_in = claim.metric.name in RATED and not rated
    variants = {}
    for name, variant in claim.variants.items():
        if has_stand_in and variant.metric in RATED:
            # The variant then has the claim's metric, which is the silver pairs'.
            variant = replace(variant, metric=None)
        if text is not None and variant.data in (None, DEFAULT_TEXT):
            variant = replace(variant, data=text)
        variants[name] = variant
    metric = METRICS[STAND_IN] if has_stand_in else claim.metric
    return replace(claim, metric=metric, variants=variants)


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


def _measure(
    run: VariantRun,
    view: str | None,
    folder: Path,
    tasks: Path | None,
    text: Sequence[Any] | None,
    bar: Any,
) -> None:
    """Train a run and store its measures, unless the folder has both already.

    Args:
        run: the run, or an encoder without training.
        view: the representation to measure at its end; None measures none.
        folder: folder of all runs.
        tasks: folder of STS tasks; None: only the silver pairs are scored.
        text: what to train on; None reads the text that the run names.
        bar: the bar that counts the steps of all runs.
    """
    record = read_record(folder, run.name)
    if record and (view is None or has_view(record, view, rated=tasks is not None)):
        return
    encoder = encoder_of(run, folder, text, bar)
    views = {}
    if view is not None:
        material = evaluators(tasks)
        # A view is a pooling, and a post-processing if there is one: "first_last, whitened".
        pooling, _, post = view.partition(", ")
        encoded = post_processed(encode_material(encoder, pooling, material), post, material)
        views[view] = measure(encoded, material)
        target = folder / run.name
        target.mkdir(parents=True, exist_ok=True)
        # The distances of the pairs are added to those of other views.
        kept = load_file(target / PAIRS) if (target / PAIRS).is_file() else {}
        for name, distances in distances_of(encoded, material).items():
            kept[f"{view}/{name}"] = distances.astype(np.float16)
        write_file(target / PAIRS, lambda path: save_file(kept, path))
    # Written last: a view that is in the record has its distances in the other file.
    add_views(folder, run, views)


def _compare_all(
    claim: Claim,
    runs: Sequence[tuple[Variant, VariantRun]],
    seeds: Iterable[int],
    folder: Path,
    material: Evaluators,
) -> tuple[Comparison, ...]:
    """Compare the variants of each expectation, over seeds and, for scores, also over pairs.

    Args:
        claim: the claim.
        runs: the runs of its variants, which are all measured.
        seeds: the seeds.
        folder: folder of all runs.
        material: the data of the measures.
    """
    # The values of each variant by seed: a number that is computed has the same for all seeds.
    values: dict[str, dict[int, float]] = {name: {} for name in claim.variants}
    for name, variant in claim.variants.items():
        if variant.method == "computed":
            values[name] = dict.fromkeys(seeds, float(variant.of or "nan"))
    # Of the other variants, the records by the run's name, and the runs by variant and seed.
    records = {}
    by_seed: dict[str, dict[int, VariantRun]] = {}
    for variant, run in runs:
        records[run.name] = read_record(folder, run.name)
        by_seed.setdefault(variant.name, {})[run.seed] = run
        value = value_of(records[run.name], variant, claim.metric.name)
        if value is not None:
            values[variant.name][run.seed] = value

    def read(run: str, key: str) -> Any:
        """Return the stored distances of a run by their key."""
        return load_file(folder / run / PAIRS)[key]

    ratings = {name: pairs.scores for name, pairs in material.tasks.items()}
    judge = Judge(TEST_SETS, ratings, records, read)
    comparisons = []
    for expected in claim.expects:
        comparison = _compare(claim, expected, values)
        if comparison.measured:
            comparison = replace(comparison, sets=judge.compare(claim, expected, by_seed))
        comparisons.append(comparison)
    return tuple(comparisons)


def _compare(claim: Claim, expected: Expectation, values: Values) -> Comparison:
    """Compare two variants over the seeds that both have; with too few, say why there are none."""
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


def _family(path: Path, name: str, comparisons: Iterable[Comparison]) -> float:
    """Return the largest p value of a decided comparison among all that the folder has.

    The p values of this claim are added to the file, which is ``path``.
    """
    family = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    family[name] = [each.p for comparison in comparisons for each in comparison.differences]
    write_file(path, to_json(family, indent=1))
    return family_threshold(p for p_values in family.values() for p in p_values)


def compared(
    expected: Expectation, metric: Metric, rows: Sequence[tuple[int, float, float]]
) -> Comparison:
    """Compare two variants.

    ``rows`` has the seed and the values of the left and the right variant; the comparison takes as
    many of the first rows as a stage has.
    """
    seeds, left, right = zip(*rows[: stage_of(len(rows))], strict=True)
    difference = paired_difference(left, right)
    return Comparison(
        expected,
        metric,
        left,
        right,
        seeds,
        difference=difference,
        remark=remark(np.subtract(left, right).tolist(), difference, expected.sign),
    )


def encoder_of(
    run: VariantRun, folder: Path, text: Sequence[Any] | None = None, bar: Any = None
) -> Encoder:
    """Return the encoder of a run: train it, resume an interrupted run, or load a finished one.

    Args:
        run: the run, or an encoder without training.
        folder: folder of all runs.
        text: what to train on; None reads the text that the run names.
        bar: a bar to which the steps are added, if any.
    """
    if not run.steps:
        return load_encoder(run.encoder, seed=run.seed)
    target = folder / run.name
    # The record is written last: a folder that has it is complete.
    if not (target / RECORD).is_file():
        shutil.rmtree(target, ignore_errors=True)
        text = read_sentences(run.data) if text is None else text
        training = start_variant(run, text, target / TRAINING)
        if bar is None:
            training.wait()
        else:
            watch(training, bar)
        if training.status != "finished":
            raise KeyboardInterrupt(f"{run.name} is {training.status}")
        training.encoder.save(target / ENCODER)
        recorded = to_json(recording(training), ensure_ascii=False, separators=(",", ":"))
        # Without the time of writing, equal runs give equal files.
        compressed = gzip.compress(recorded.encode("utf-8"), mtime=0)
        write_file(target / RECORDING, lambda path: path.write_bytes(compressed))
        # Otherwise clwork.runs() of this kernel would keep every encoder in memory.
        RUNS.remove(training)
        shutil.rmtree(target / TRAINING)
        settings = vars(run) | {"config": json.loads(run.config)}
        facts = {"clwork": version_and_commit(), "sentences": len(text)}
        record = {**settings, **_outcome(training), **facts}
        write_file(target / RECORD, to_json(record, indent=1))
    return load_encoder(target / ENCODER)


def start_variant(run: VariantRun, text: Sequence[Any], folder: Path | None) -> Run:
    """Start a run in the background, with the schedule of all stored runs."""
    # The random filters of a TextCNN differ with the seed.
    encoder = load_encoder(run.encoder, seed=run.seed)
    return start_run(
        run.method,
        encoder=encoder,
        sentences=text,
        steps=run.steps,
        seed=run.seed,
        folder=folder,
        probe_every=PROBE_EVERY,
        eval_every=_steps_between_scores(run.steps),
        checkpoint_every=run.steps,
        # A configuration may set the precision.
        **{"precision": run.precision, **json.loads(run.config)},
    )


def _steps_between_scores(length: int) -> int:
    """Return the number of steps between two scores during a run, a multiple of PROBE_EVERY."""
    return max(1, length // SCORES_PER_RUN // PROBE_EVERY) * PROBE_EVERY


def _outcome(run: Run) -> dict[str, Any]:
    """Return what a record has of a trained run: losses, probe measurements, and circumstances."""
    history = run.history
    # The probe measures uniformity at each of its steps.
    probed = history[history["uniformity"].notna()]
    numbers = probed.select_dtypes("number").drop(columns=TIMES)
    measured = numbers.dropna(axis="columns", how="all")
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
        "history": {name: _rounded(values) for name, values in measured.items()},
    }


def _rounded(column: Iterable[float]) -> list[float]:
    """Round to 5 digits, which makes the stored file small."""
    return [float(f"{value:.5g}") for value in column]


def version_and_commit() -> str:
    """Return clwork's version, and the commit if clwork runs from its repository."""
    root = Path(__file__).parents[2]
    git = shutil.which("git")
    commit = ""
    if git is not None and (root / ".git").exists():
        command = [git, "-C", str(root), "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return f"{metadata.version('clwork')}, commit {commit or 'unknown'}"


def processor() -> str:
    """Return the name of this machine's processor, from the file in which Linux has it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()
