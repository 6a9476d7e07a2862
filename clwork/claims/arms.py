"""Training and measurement of the arms of a claim; a run that several claims share is trained once."""

from __future__ import annotations

import gzip
import json
import platform
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty
from typing import Annotated, Any

import torch
from annotated_types import Interval

from .. import _validation
from ..data import sentences as read_sentences
from ..data import sts_folder
from ..data.sources import DEFAULT, Source
from ..disk import runs_folder, to_json, write_file
from ..encoders import Encoder, load_encoder
from ..methods import config
from ..recordings import recording
from ..run_folder.schema import MOST_STEPS
from ..training import Run, resume
from ..training import start as start_run
from ..training.run import RUNS
from ..training.stored import delete_run
from .ledger import PAPERS, Claim, read_claim
from .measures import OWN_TEXTS, TRANSFER, corpus, evaluators, measure, measure_transfer
from .records import (
    FOLDER,
    MEASURED,
    RECORDING,
    RUN,
    TEXTCNN,
    ArmRun,
    record_name,
    records_in,
    run_of,
    start_of,
    untrained_name,
)
from .verdicts import SEEDS, Answer, answer, answers, read_seeds, threshold_of

PROBE_EVERY = 10  # steps; fixed, so that histories of paired arms have the same rows
SCORES_PER_RUN = 5  # number of scores measured during a run, for comparisons at equal uniformity
CHECKPOINT_EVERY = 50
ENCODER, TRAINING = "encoder", ".training"
TIMES = ("learning_rate", "tokens_per_second", "probe_share", "seconds")  # columns that are not stored
INTERRUPT_EVERY = 0.5  # seconds between checks for an interrupt
UNTRAINED = ("cls_before_pooler", "mean", "first_last")  # untrained representations, controls for every score
UNTRAINED_TEXTCNN = ("max", "word average")
DIGITS = 6
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
    5 and 15 seeds, one after the other (see :data:`clwork.claims.RULE`); ``answer.save(path)`` writes a page to share.

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
        ValueError: unknown claim or encoder, incomplete claim, fewer than 3 seeds, or a repeated seed.
        FileNotFoundError: data that the claim needs is missing.

    >>> print(clwork.claims.test("simcse/dropout-against-none"))  # doctest: +SKIP
    >>> warm = {"metric": "stsb", "expects": ["SimCSE > warm"], "steps": 60,
    ...         "arms": {"warm": {"method": "simcse", "config": {"temperature": 0.5}}}}
    >>> print(clwork.claims.test(warm, seeds=3))  # doctest: +SKIP
    """
    from tqdm.auto import tqdm

    tested, numbers = read_claim(claim), read_seeds(seeds)
    if sentences is not None and sentences != DEFAULT:
        texts = read_sentences(sentences)
        OWN_TEXTS[texts.fingerprint()] = texts
        own = (replace(a, data=texts.fingerprint()) if a.data in (None, DEFAULT) else a for a in tested.arms.values())
        tested = replace(tested, arms={arm.name: arm for arm in own})
    for arm in tested.arms.values():  # a wrong hyperparameter is refused before anything is measured
        if arm.trained:
            config(arm.method, start_of(tested, arm, encoder), **arm.config)
    given = sts_folder() if data is None else Path(data)
    place = runs_folder() / FOLDER if folder is None else Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    missing = [unit for unit in plan([tested], numbers, encoder, steps) if any(unit.missing(place, given))]
    with tqdm(total=sum(unit.steps for unit in missing), unit="step", disable=not progress or not missing) as bar:
        for unit in missing:
            unit.do(place, given, bar)
    found = answer(tested, records_in(place), numbers, encoder, steps)
    family = (one for name, known in answers().items() if name != tested.name for one in known.comparisons)
    return replace(found, threshold=threshold_of([*family, *found.comparisons]))


@dataclass(frozen=True)
class Unit:
    """A run, or an untrained encoder, with the representations to measure."""

    name: str
    run: ArmRun | None  # None for an untrained encoder
    encoder: str  # the encoder that the run starts from
    seed: int
    views: tuple[str | None, ...]  # poolings; None for the run's own
    transfer: tuple[tuple[str | None, str], ...] = ()  # (view, measure) for measures that train classifiers

    @property
    def steps(self) -> int:
        return 0 if self.run is None else self.run.steps

    def missing(self, folder: Path, data: Path | None) -> tuple[list[str | None], list[tuple[str | None, str]], bool]:
        """Return views and transfer measures missing in ``folder`` that ``data`` allows, and if all are unmeasured."""
        found = self._measured(folder)
        needed = "silver" if data is None else "stsb"
        views = [view for view in self.views if not {needed, "stsb"} & found.get(view or "own", {}).keys()]
        transfer = [(view, name) for view, name in self.transfer if name not in found.get(view or "own", {})]
        return views, transfer if data is not None else [], not (folder / self.name / MEASURED).is_file()

    def do(self, folder: Path, data: Path | None, bar: Any) -> None:
        """Train the run if necessary, measure missing views and write them to ``folder``; ``bar`` is tqdm's."""
        views, transfer, unmeasured = self.missing(folder, data)
        if not views and not transfer and not unmeasured:
            return
        if self.run is None:
            encoder = load_encoder(self.encoder, seed=self.seed)
        else:
            before = bar.n
            bar.set_description(f"training {self.name}")
            encoder = train_arm(self.run, folder, data, lambda step: bar.update(before + step - bar.n))
            bar.update(before + self.steps - bar.n)  # a run that was finished before has no steps left
        self._add(folder, {})
        for view in views:
            bar.set_description(f"measuring {self.name}, {view or 'own'}")
            self._add(folder, measure(encoder, view, evaluators(data)))
        for view in dict.fromkeys(view for view, _ in transfer):
            assert data is not None
            names = [name for other, name in transfer if other == view]
            self._add(folder, {view or "own": measure_transfer(encoder, view, names, data)})

    def _add(self, folder: Path, views: dict[str, dict[str, float]]) -> None:
        found = self._measured(folder)
        for view, values in views.items():
            found[view] = found.get(view, {}) | {n: float(f"{value:.{DIGITS}g}") for n, value in values.items()}
        (folder / self.name).mkdir(parents=True, exist_ok=True)
        content = {"views": found, "encoder": self.encoder, "seed": self.seed}
        write_file(folder / self.name / MEASURED, to_json(content, indent=1))

    def _measured(self, folder: Path) -> dict[str, dict[str, Any]]:
        place = folder / self.name / MEASURED
        if not place.is_file():
            return {}
        views: dict[str, dict[str, Any]] = json.loads(place.read_text(encoding="utf-8"))["views"]
        return views


def plan(
    claims: Iterable[Claim], seeds: Sequence[int], encoder: str | None = None, steps: int | None = None
) -> list[Unit]:
    """List the units that the claims need: untrained encoders, then runs; runs that most claims share come first."""
    runs: dict[str, ArmRun] = {}
    origins: dict[str, tuple[str, int]] = {}
    shared: Counter[str] = Counter()
    views: dict[str, dict[str | None, None]] = {}
    transfer: dict[str, dict[tuple[str | None, str], None]] = {}
    for claim in claims:
        for seed in seeds:
            for arm in claim.arms.values():
                name = record_name(claim, arm, seed, encoder, steps)
                if name is None:
                    continue
                start, run = start_of(claim, arm, encoder), run_of(claim, arm, seed, encoder, steps)
                untrained = untrained_name(start, seed)
                origins[name] = origins[untrained] = (start, seed)
                own = views.setdefault(name, {})
                if arm.at is None or claim.paper in PAPERS:  # a claim of the ledger may read the arms of others
                    controls = UNTRAINED_TEXTCNN if start.startswith(TEXTCNN) else UNTRAINED
                    views.setdefault(untrained, dict.fromkeys(controls))
                    own[arm.represent] = None
                if run is not None:
                    runs[name] = run
                shared[name] += 1
                if (metric := arm.metric or claim.metric.name) in TRANSFER:
                    transfer.setdefault(name, {})[arm.represent, metric] = None
    names = [*(name for name in views if name not in runs), *sorted(runs, key=lambda name: -shared[name])]
    return [Unit(n, runs.get(n), *origins[n], tuple(views[n]), tuple(transfer.get(n, ()))) for n in names]


def train_arm(run: ArmRun, folder: Path, data: Path | None = None, on_step: OnStep | None = None) -> Encoder:
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
        content = to_json(recording(trained), ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        write_file(own / RECORDING, lambda path: path.write_bytes(gzip.compress(content, mtime=0)))
        write_file(own / RUN, to_json({**vars(run), "config": json.loads(run.config), **_outcome(trained)}, indent=1))
        RUNS.remove(trained)  # the kernel's list would keep every encoder in memory
        delete_run(trained.folder)
    return load_encoder(own / ENCODER)


def start_arm(run: ArmRun, data: Path | None, place: Path | None, **changes: Any) -> Run:
    return start_run(
        run.method,
        encoder=load_encoder(run.encoder, seed=run.seed),  # the random filters of a TextCNN differ with the seed
        sentences=corpus(run.data, data),
        steps=run.steps,
        seed=run.seed,
        folder=place,
        probe_every=PROBE_EVERY,
        eval_every=max(PROBE_EVERY, run.steps // SCORES_PER_RUN // PROBE_EVERY * PROBE_EVERY),  # at probe steps
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
        raise RuntimeError(f"{run.name} ended with status {run.status} ({run.error}); see its folder {run.folder}")


def _outcome(run: Run) -> dict[str, Any]:
    """Return rounded losses and measurements of the probe steps, with diagnosis, seconds, machine and versions."""
    history = run.history
    probed = history[history["uniformity"].notna()]
    columns = [name for name in probed.select_dtypes("number") if name not in TIMES and probed[name].notna().any()]
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
