"""Training an arm of a claim with one seed; equal arms of several claims are one run, which is trained once."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from queue import Empty
from typing import Any

from torch import nn

from ..disk import to_json, write_whole
from ..encoders import Encoder, load_encoder
from ..methods import config as make_config
from ..methods import get as get_method
from ..recordings import recording
from ..training import Run, delete_run, resume
from ..training import start as start_run
from ..training.disk.tensors import METHOD, read_state, write_state
from ..training.preparation import build_method
from ..training.run.run import RUNS
from .corpora import corpus
from .course import seen
from .ledger import Arm, Claim
from .reference_file import machine
from .results import RECORDING

LOOK_EVERY = 10  # steps between looks at the geometry: histories of paired arms have the same rows
SCORES = 5  # along a run, beside that of its start: where it was best, and how arms compare at equal uniformity
CHECKPOINT_EVERY = 50
RUN, ENCODER, TRAINING = "run.json", "encoder", ".training"
HEAD, TRAINING_HEAD = "head.safetensors", "sentence_head"
TIMES = ("learning_rate", "tokens_per_second", "probe_share", "seconds")  # columns that are no result
BEAT = 0.5  # seconds between checks for an interrupt
OnStep = Callable[[int], None]


@dataclass(frozen=True)
class ArmRun:
    """What the run of an arm depends on; arms of equal values share it.

    Attributes:
        method: of clwork.
        config: hyperparameters laid over the method's preset for the encoder, as JSON with sorted keys.
        data: what it reads, as :func:`.corpora.corpus` knows it.
        encoder: what :func:`clwork.load_encoder` takes.
        steps: optimizer steps.
        seed: of everything random; paired arms have the same one, and so the same batches.
        start: the run whose encoder it starts from, in place of ``encoder``.
    """

    method: str
    config: str
    data: str
    encoder: str
    steps: int
    seed: int
    start: ArmRun | None = None

    @staticmethod
    def of(claim: Claim, arm: Arm, seed: int, encoder: str | None = None, steps: int | None = None) -> ArmRun:
        """The run of an arm that is trained.

        Args:
            claim: whose arm it is.
            arm: one with a method.
            seed: of the run.
            encoder: in place of the method's default, for arms that name none and start from a transformer.
            steps: in place of the claim's.
        """
        default = get_method(arm.method).default_encoder
        transformer = not default.startswith("textcnn")
        origin = arm.encoder or (encoder if encoder is not None and transformer else default)
        length = steps or arm.steps or claim.steps
        if length is None:
            raise ValueError(f"{claim.name}: the arm {arm.name!r} is trained, and no number of steps is given")
        before = None if arm.start is None else ArmRun.of(claim, claim.arms[arm.start], seed, encoder, steps)
        config = json.dumps(dict(arm.config), sort_keys=True)
        return ArmRun(arm.method, config, arm.data or "wikipedia-mini", origin, length, seed, before)

    @property
    def name(self) -> str:
        """The method, a digest of all but the seed, and the seed: equal for equal runs."""
        own = [self.method, self.config, self.data, self.encoder, self.steps, self.start and self.start.name]
        return f"{self.method}-{sha256(json.dumps(own).encode()).hexdigest()[:10]}-s{self.seed}"

    @property
    def all_steps(self) -> int:
        """Its steps and those of the run it starts from."""
        return self.steps + (0 if self.start is None else self.start.all_steps)

    def about(self) -> dict[str, Any]:
        """What it depends on, as data."""
        return {
            "method": self.method,
            "config": json.loads(self.config),
            "data": self.data,
            "encoder": self.encoder,
            "steps": self.steps,
            "seed": self.seed,
            **({} if self.start is None else {"start": self.start.name}),
        }

    def is_trained(self, folder: Path) -> bool:
        """Whether its encoder lies in ``folder``."""
        return (folder / self.name / RUN).is_file()

    def train(self, folder: Path, data: Path | None = None, on_step: OnStep | None = None) -> Encoder:
        """Train it, or go on where it was interrupted, or read it where it has been trained.

        Args:
            folder: of all arms' runs; this one keeps its encoder and history in a folder of its name.
            data: the reader's folder of corpora, see :func:`.corpora.corpus`.
            on_step: called with each new step.

        Raises:
            FileNotFoundError: its corpus is not in ``data``.
            RuntimeError: the training failed; the message has its error.
        """
        own = folder / self.name
        if not self.is_trained(folder):
            run = self._run(folder, data)
            _finish(run, on_step)
            run.encoder.save(own / ENCODER)
            content = to_json(recording(run), ensure_ascii=False, separators=(",", ":")).encode("utf-8")
            write_whole(own / RECORDING, lambda path: path.write_bytes(gzip.compress(content, mtime=0)))
            _keep_head(run, own / HEAD)
            record = {**self.about(), **_outcome(run), **seen(json.loads(content))}
            write_whole(own / RUN, to_json(record, indent=1))
            RUNS.remove(run)  # the kernel's list would keep every encoder of a long ledger in memory
            delete_run(run.folder)
        return load_encoder(own / ENCODER)

    def stored(self, folder: Path) -> Mapping[str, Any]:
        """What :meth:`train` wrote about it: its settings, history, seconds and versions."""
        content: Mapping[str, Any] = json.loads((folder / self.name / RUN).read_text(encoding="utf-8"))
        return content

    def begin(
        self, folder: Path, data: Path | None = None, place: Path | None = None, precision: str | None = None
    ) -> Run:
        """Start it in the background as a run of the reader's own, which no claim counts.

        Args:
            folder: of arms' runs, which has the run that this one starts from.
            data: the reader's folder of corpora.
            place: of the new run; default: a new one in the folder of runs.
            precision: in place of what suits this machine.

        Raises:
            FileNotFoundError: its corpus is not in ``data``, or the run that it starts from not in ``folder``.
        """
        if self.start is not None and not self.start.is_trained(folder):
            raise FileNotFoundError(
                f"it starts from another run, {self.start.name}, which is not in {folder}; clwork.claims.test(...) "
                "trains both"
            )
        origin = None if self.start is None else load_encoder(folder / self.start.name / ENCODER)
        return self._started(origin, data, place, {} if precision is None else {"precision": precision})

    def head(self, folder: Path, encoder: Encoder) -> nn.Module | None:
        """The head for training that :meth:`train` kept beside ``encoder``, the run's own; None where there is none."""
        place = folder / self.name / HEAD
        if not place.is_file():
            return None
        config = make_config(self.method, encoder=self.encoder, **json.loads(self.config))
        head: Any = build_method(self.method, encoder, config, self.seed).get_submodule(TRAINING_HEAD)
        head.load_state_dict(read_state(place)[0])
        return head  # type: ignore[no-any-return]

    def _run(self, folder: Path, data: Path | None) -> Run:
        place = folder / f"{self.name}{TRAINING}"
        if place.is_dir():
            try:
                return resume(place, background=True)
            except FileNotFoundError:  # killed before its first checkpoint
                delete_run(place)
        (folder / self.name).mkdir(parents=True, exist_ok=True)
        origin = None if self.start is None else self.start.train(folder, data)
        return self._started(origin, data, place)

    def _started(
        self, origin: Encoder | None, data: Path | None, place: Path | None, changes: Mapping[str, Any] | None = None
    ) -> Run:
        """Start it in the background from the encoder of the run it starts from, if there is one."""
        # an untrained TextCNN's filters are drawn anew for each seed: they are part of the chance that seeds show
        return start_run(
            self.method,
            encoder=load_encoder(self.encoder, seed=self.seed) if origin is None else origin,
            sentences=corpus(self.data, data),
            steps=self.steps,
            seed=self.seed,
            folder=place,
            probe_every=LOOK_EVERY,
            eval_every=max(LOOK_EVERY, self.steps // SCORES // LOOK_EVERY * LOOK_EVERY),  # in rows that have a look
            checkpoint_every=CHECKPOINT_EVERY,
            **{**json.loads(self.config), **(changes or {})},
        )


def _finish(run: Run, on_step: OnStep | None) -> None:
    """Wait for its end; an interrupt leaves a checkpoint to go on from."""
    try:
        rows, reached = run.listen(), 0
        while run.alive:
            with suppress(Empty):  # wake up often, so that an interrupt is handled
                row = rows.get(timeout=BEAT)
                if row is not None and on_step is not None and row["step"] > reached:
                    reached = int(row["step"])
                    on_step(reached)
        run.wait()
    except KeyboardInterrupt:
        run.stop()
        run.wait()
        raise
    if run.status != "finished":
        raise RuntimeError(f"{run.name} ended as {run.status}: {run.error}; its folder is {run.folder}")


def _keep_head(run: Run, place: Path) -> None:
    """Write the head that the run's test encoder leaves out, where the method has one by that name."""
    tensors, _ = run.files.checkpoints.read()
    start = f"{METHOD}{TRAINING_HEAD}."
    head = {name.removeprefix(start): tensor for name, tensor in tensors.items() if name.startswith(start)}
    if head:
        write_state(place, head, {})


def _outcome(run: Run) -> dict[str, Any]:
    """Loss of each step, geometry at each look, rounded; seconds, machine and versions."""
    history = run.history
    looks = history[history["uniformity"].notna()]
    columns = [name for name in looks.select_dtypes("number") if name not in TIMES and looks[name].notna().any()]
    return {
        "seconds": round(run.seconds, 1),
        "machine": _machine(run),
        "precision": run.recipe.precision,
        "threads": _threads(),
        "versions": run.recipe.versions,
        "date": run.recipe.created[:10],
        "losses": [_rounded(value) for value in history["loss"].iloc[1:]],
        "history": {name: [_rounded(value) for value in looks[name]] for name in columns},
    }


def _machine(run: Run) -> str:
    """The graphics card or the processor that it ran on."""
    import torch

    on_card = torch.cuda.is_available() and (run.recipe.device or "cuda").startswith("cuda")
    return torch.cuda.get_device_name() if on_card else machine()


def _threads() -> int:
    import torch

    return torch.get_num_threads()


def _rounded(value: float) -> float:
    """Five significant digits."""
    return float(f"{value:.5g}")
