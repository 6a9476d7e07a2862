"""Training and measurement of the arms of a claim; a run that several claims share is trained once."""

from __future__ import annotations

import gzip
import json
import platform
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from queue import Empty
from typing import Annotated, Any

import torch
from annotated_types import Interval

from .. import _validation
from ..data import Sentences, sts_folder
from ..data import sentences as read_sentences
from ..data.sources import DEFAULT, Source
from ..disk import runs_folder, to_json, write_file
from ..encoders import Encoder, load_encoder
from ..methods import config
from ..recordings import recording
from ..run_folder.schema import MOST_STEPS
from ..run_folder.stored import delete_run
from ..training import Run, resume
from ..training import start as start_run
from ..training.run import RUNS
from .ledger import NOT_TESTED, PAPERS, Claim, read_claim
from .measurements import Measurements, answer_of, pairs_of
from .measures import ON_TASK, OWN_TEXTS, corpus, evaluators, measure
from .records import (
    FOLDER,
    MEASURED,
    RECORDING,
    RUN,
    ArmRun,
    measured_views,
    record_name,
    records_in,
    run_of,
    start_of,
)
from .table import ANSWERS, Answer, answers, read_answers, write_answers
from .verdicts import FEWEST, threshold_of

PROBE_EVERY = 10  # steps; fixed, so that histories of paired arms have the same rows
SCORES_PER_RUN = 5  # number of scores measured during a run, for comparisons at equal uniformity
CHECKPOINT_EVERY = 50
ENCODER, TRAINING = "encoder", ".training"
TIMES = (
    "learning_rate",
    "tokens_per_second",
    "probe_share",
    "seconds",
)  # columns that are not stored
INTERRUPT_EVERY = 0.5  # seconds between checks for an interrupt
DIGITS = 6
SEEDS, MOST_SEEDS = 5, 1000
OnStep = Callable[[int], object]


@_validation.checked()
def test(
    claim: str | Mapping[str, Any] | Claim,
    encoder: str | None = None,
    sentences: Source | None = None,
    seeds: int | Iterable[int] = SEEDS,
    *,
    data: str | Path | None = None,
    folder: str | Path | None = None,
    steps: Annotated[int, Interval(ge=1, le=MOST_STEPS)] | None = None,
    progress: bool = True,
) -> Answer:
    """Train the arms of a claim with paired seeds, measure them, and return the verdict with its measurements.

    Runs that are in ``folder`` are not trained again, so an interrupted call can be repeated, and arms that claims
    share are trained once. Without STS data, a claim about STS-B, SICK-R or both is scored by the pairs of
    :func:`clwork.data.silver_pairs`, rated by a strong encoder; the answer states this. A claim may be tested with 3,
    5 and 15 seeds, one after the other (see :data:`clwork.claims.RULE`); ``answer.save(path)`` writes a page to share,
    and :func:`clwork.claims.answers` reads the answers to claims of the ledger from the folder.

    Args:
        claim: a name, see :func:`clwork.claims.names`; or your own claim as a dict or TOML text with the fields of
            :class:`clwork.claims.Claim`. It may use arms of the ledger.
        encoder: encoder that arms start from, as for :func:`clwork.load_encoder`; default: each method's encoder.
            It does not apply to arms that name an encoder or train a TextCNN (GCLSR).
        sentences: training text in place of ``"wikipedia-mini"``, as for :func:`clwork.data.sentences`; runs are stored
            by its fingerprint. It does not apply to arms that name another corpus, or to the measures' data.
        seeds: number of seeds (0, 1, 2, …), or a list of seeds; at least 3.
        data: folder with your STS tasks and corpora; default: the remembered folder of STS tasks.
        folder: folder of runs and measurements; default: ``claims`` in the folder of runs.
        steps: length of each run; default: the claim's.
        progress: whether to show a bar with the remaining time.

    Raises:
        ValueError: unknown claim or encoder, incomplete claim, a measure of classifiers, fewer than 3 seeds, or a
            repeated seed.
        FileNotFoundError: data that the claim needs is missing.

    >>> print(clwork.claims.test("simcse/dropout-against-none"))  # doctest: +SKIP
    >>> warm = {"metric": "stsb", "expects": ["SimCSE > warm"], "steps": 60,
    ...         "arms": {"warm": {"method": "simcse", "config": {"temperature": 0.5}}}}
    >>> print(clwork.claims.test(warm, seeds=3))  # doctest: +SKIP
    """
    from tqdm.auto import tqdm

    tested, numbers = read_claim(claim), read_seeds(seeds)
    known = answers()
    stored = known.get(tested.name) if tested in (one.claim for one in known.values()) else None
    _refuse_other_measures(tested)
    if sentences is not None and sentences != DEFAULT:
        tested, stored = _on_texts(tested, read_sentences(sentences)), None
    for (
        arm
    ) in tested.arms.values():  # a wrong hyperparameter is refused before anything is measured
        if arm.trained:
            config(arm.method, start_of(tested, arm, encoder), **arm.config)
    corpora = sts_folder() if data is None else Path(data)
    place = runs_folder() / FOLDER if folder is None else Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    units = plan([tested], numbers, encoder, steps)
    missing = [unit for unit in units if unit.missing(place, corpora)]
    total = sum(unit.steps for unit in missing)
    with tqdm(total=total, unit="step", disable=not progress or not missing) as bar:
        for unit in missing:
            unit.do(place, corpora, bar)
    measured = Measurements(tested, records_in(place), numbers, encoder, steps)
    found = answer_of(measured)
    others = (one for name, one in known.items() if name != tested.name)
    threshold = threshold_of(one.p for each in (*others, found) for one in each.comparisons)
    found = replace(found, threshold=threshold, pairs=pairs_of(measured.by_stand_in()))
    if stored is None:
        return found
    if encoder is None and not found.stand_in:
        # Encoders without training are those of the stored answer.
        untrained = (one for one in stored.controls if one.name.startswith("untrained"))
        found = replace(found, controls=tuple(untrained))
    add_answer(place / ANSWERS, found)
    return found


def _refuse_other_measures(claim: Claim) -> None:
    for metric in dict.fromkeys(arm.metric or claim.metric.name for arm in claim.arms.values()):
        if metric in NOT_TESTED:
            raise ValueError(
                f"metric={metric!r} {NOT_TESTED[metric]}; clwork.claims.answers() has the answers that are stored"
            )


def _on_texts(claim: Claim, texts: Sentences) -> Claim:
    """Return the claim with these training texts in place of the default ones."""
    OWN_TEXTS[texts.fingerprint()] = texts
    arms = {
        name: replace(arm, data=texts.fingerprint()) if arm.data in (None, DEFAULT) else arm
        for name, arm in claim.arms.items()
    }
    return replace(claim, arms=arms)


def add_answer(place: Path, found: Answer) -> None:
    """Add an answer to the table of a folder; it replaces the earlier one at this stage."""
    others = [
        one for one in read_answers(place) if (one.claim, one.stage) != (found.claim, found.stage)
    ]
    write_answers(place, [*others, found])


def read_seeds(seeds: Any) -> list[int]:
    """Return the seeds of a claim, given by their number or as a list; at least ``FEWEST`` different ones."""
    if isinstance(seeds, int):
        seeds = range(_validation.integer("seeds", seeds, FEWEST, MOST_SEEDS))
    if isinstance(seeds, str | Mapping) or not isinstance(seeds, Iterable):
        raise TypeError(
            f"seeds={_validation.shown(seeds)}; give the number of seeds, or a list of seeds"
        )
    numbers = [_validation.seed(seed) for seed in islice(seeds, MOST_SEEDS)]
    if len(set(numbers)) < max(FEWEST, len(numbers)):
        shown = _validation.shown(seeds)
        raise ValueError(
            f"seeds={shown}; give at least {FEWEST} seeds, each once, to estimate the spread"
        )
    return numbers


@dataclass(frozen=True)
class Unit:
    """A run, or an untrained encoder, with the representations to measure."""

    name: str
    run: ArmRun | None  # None for an untrained encoder
    encoder: str  # the encoder that the run starts from
    seed: int
    views: tuple[str, ...]  # as in a record: "own" or a pooling, with a post-processing

    @property
    def steps(self) -> int:
        return 0 if self.run is None else self.run.steps

    def missing(self, folder: Path, data: Path | None) -> bool:
        """Whether a view that ``data`` allows is not measured in ``folder``, or nothing is."""
        return not (folder / self.name / MEASURED).is_file() or bool(self._unmeasured(folder, data))

    def _unmeasured(self, folder: Path, data: Path | None) -> dict[str, list[str]]:
        """Return the post-processings that are not measured, by pooling."""
        known = measured_views(folder, self.name)
        enough = {"stsb", "silver"} if data is None else {"stsb"}
        found: dict[str, list[str]] = {}
        for view in self.views:
            pooling, _, post = view.partition(", ")
            possible = data is not None or post != ON_TASK
            if possible and not enough & known.get(view, {}).keys():
                found.setdefault(pooling, []).append(post)
        return found

    def do(self, folder: Path, data: Path | None, bar: Any) -> None:
        """Train the run if necessary, measure missing views and write them to ``folder``; ``bar`` is tqdm's."""
        encoder = self.load(folder, data, bar)
        self.add(folder, {})
        for pooling, posts in self._unmeasured(folder, data).items():
            bar.set_description(f"measuring {self.name}, {pooling}")
            self.add(folder, measure(encoder, pooling, posts, evaluators(data)))

    def load(self, folder: Path, data: Path | None, bar: Any) -> Encoder:
        """Return the encoder, trained if it has a run."""
        if self.run is None:
            return load_encoder(self.encoder, seed=self.seed)
        before = bar.n
        bar.set_description(f"training {self.name}")
        encoder = train_arm(self.run, folder, data, lambda step: bar.update(before + step - bar.n))
        bar.update(before + self.steps - bar.n)  # a run that was finished before has no steps left
        return encoder

    def add(self, folder: Path, views: Mapping[str, Mapping[str, float]]) -> None:
        """Add measures of views to those in ``folder``, rounded."""
        found = measured_views(folder, self.name)
        for view, values in views.items():
            rounded = {name: float(f"{value:.{DIGITS}g}") for name, value in values.items()}
            found[view] = found.get(view, {}) | rounded
        (folder / self.name).mkdir(parents=True, exist_ok=True)
        content = {"views": found, "encoder": self.encoder, "seed": self.seed}
        write_file(folder / self.name / MEASURED, to_json(content, indent=1))


def plan(
    claims: Iterable[Claim],
    seeds: Sequence[int],
    encoder: str | None = None,
    steps: int | None = None,
) -> list[Unit]:
    """List the units that the claims need, untrained encoders first; a run that several claims share is one unit."""
    units: dict[str, Unit] = {}
    for claim, seed in product(claims, seeds):
        for arm in claim.arms.values():
            name = record_name(claim, arm, seed, encoder, steps)
            if name is None:
                continue
            run = run_of(claim, arm, seed, encoder, steps)
            unit = units.setdefault(name, Unit(name, run, start_of(claim, arm, encoder), seed, ()))
            # A claim of the ledger may read the runs of others, also those whose course it does not need.
            if (arm.at is None or claim.paper in PAPERS) and arm.view not in unit.views:
                units[name] = replace(unit, views=(*unit.views, arm.view))
    return sorted(units.values(), key=lambda unit: unit.run is not None)


def train_arm(
    run: ArmRun, folder: Path, data: Path | None = None, on_step: OnStep | None = None
) -> Encoder:
    """Train a run in ``folder``, resume an interrupted one, or load the encoder of a finished one."""
    own = folder / run.name
    if not (own / RUN).is_file():
        place, trained = folder / f"{run.name}{TRAINING}", None
        if place.is_dir():
            try:
                trained = resume(place, background=True)
            except FileNotFoundError:  # the run was killed before its first checkpoint
                shutil.rmtree(place)
        trained = trained or start_arm(run, data, place)
        _wait(trained, on_step)
        own.mkdir(parents=True, exist_ok=True)
        trained.encoder.save(own / ENCODER)
        content = to_json(recording(trained), ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8"
        )
        write_file(own / RECORDING, lambda path: path.write_bytes(gzip.compress(content, mtime=0)))
        write_file(
            own / RUN,
            to_json({**vars(run), "config": json.loads(run.config), **_outcome(trained)}, indent=1),
        )
        RUNS.remove(trained)  # the kernel's list would keep every encoder in memory
        delete_run(trained.folder)
    return load_encoder(own / ENCODER)


def start_arm(run: ArmRun, data: Path | None, place: Path | None, **changes: Any) -> Run:
    return start_run(
        run.method,
        encoder=load_encoder(
            run.encoder, seed=run.seed
        ),  # the random filters of a TextCNN differ with the seed
        sentences=corpus(run.data, data),
        steps=run.steps,
        seed=run.seed,
        folder=place,
        probe_every=PROBE_EVERY,
        eval_every=max(
            PROBE_EVERY, run.steps // SCORES_PER_RUN // PROBE_EVERY * PROBE_EVERY
        ),  # at probe steps
        checkpoint_every=CHECKPOINT_EVERY,
        **{"precision": run.precision, **json.loads(run.config), **changes},
    )


def _wait(run: Run, on_step: OnStep | None) -> None:
    """Block until the run ends; after an interrupt, stop the run, which writes a checkpoint."""
    try:
        rows, reached = run.listen(), 0
        while run.alive:
            with suppress(Empty):  # a short timeout, so that an interrupt is handled
                row = rows.get(timeout=INTERRUPT_EVERY)
                if row is not None and on_step is not None and row["step"] > reached:
                    reached = int(row["step"])
                    on_step(reached)
        run.wait()
    except KeyboardInterrupt:
        run.stop()
        run.wait()
        raise
    if run.status != "finished":
        raise RuntimeError(
            f"{run.name} ended with status {run.status} ({run.error}); see its folder {run.folder}"
        )


def _outcome(run: Run) -> dict[str, Any]:
    """Return rounded losses and measurements of the probe steps, with diagnosis, seconds, machine and versions."""
    history = run.history
    probed = history[history["uniformity"].notna()]
    columns = [
        name
        for name in probed.select_dtypes("number")
        if name not in TIMES and probed[name].notna().any()
    ]
    first = next(row for row in run.records() if row["step"] == 1)
    on_gpu = torch.cuda.is_available() and (run.recipe.device or "cuda").startswith("cuda")
    return {
        "seconds": round(run.seconds, 1),
        "machine": torch.cuda.get_device_name() if on_gpu else processor(),
        "precision": run.recipe.precision,
        "threads": torch.get_num_threads(),
        "versions": run.recipe.versions,
        "date": run.recipe.created[:10],
        "warned": float(run.diagnosis().warns),
        "first": {name: value for name, value in first.items() if isinstance(value, float)},
        "losses": [float(f"{value:.5g}") for value in history["loss"].iloc[1:]],
        "history": {name: [float(f"{value:.5g}") for value in probed[name]] for name in columns},
    }


def processor() -> str:
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()
