"""What one training step does: :class:`Loop` has the state of a run, and ``update`` does a step.

The loop over all steps, with pauses, stops and checkpoints, is in ``thread.py``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import Any, NoReturn

import torch
from torch import Tensor

from ..columns import AS_LOADED
from ..encoders import Encoder
from ..events import Event
from ..methods import Draws, Method, Terms
from ..methods.step import SINGLE_PROCESS, apply_update, differentiate
from ..precision import forward_pass, loss_scaler
from ..run_folder.checkpoints import (
    SEEN,
    method_tensors,
    optimizer_tensors,
    restore_method,
    restore_optimizer,
)
from ..run_folder.config import RunConfig
from ..run_folder.files import BEST, at_step
from ..run_folder.folder import RunFolder
from ..run_folder.history import Row
from ..run_folder.positions import BASIS, Positions
from ..settings import build
from .batches import IndexedBatches
from .divergence import DivergedError, explain, finite_weights
from .probe import Probe, ProbeSchedule
from .scores import Validation

# MiB that a step in micro-batches may use to retain activations for the backward pass, in addition
# to those of one micro-batch. The others are computed twice; the result is the same.
GRAPH_MEMORY = 1024
# The number of processes that request the end of the run, among the numbers of a step.
STOP_REQUESTS = "stop_requests"


class Loop:
    """The training of one method: its state, and what is done in each step.

    The random numbers of a step follow from the seed and the number of the step, so a checkpoint
    needs no state of a generator.

    Attributes:
        method: the method with its encoder, that is all weights; ``optimizer`` updates them.
        batches: the examples of each step; ``probe`` and ``validation``, what is measured.
        processes: the processes that do each step together.
        schedule: when the geometry is measured; ``positions`` records the probe's vectors.
        step: number of steps done so far, of ``total``.
        checkpoint_step: the step of the newest checkpoint; None before the first.
        best: step, score and rule of the best encoder; empty before the first validation.
        begin_seconds: time of the method's preparation, ``seconds`` of all steps, and
            ``probe_seconds`` of all measurements of the geometry.
        busy_with: the task between two steps, such as ``"validation"``.
        stopping: whether this process requests the end of the run.
        stop_requested: whether any process requested it in the last step.
    """

    def __init__(
        self,
        method: Method[Any],
        batches: IndexedBatches,
        probe: Probe,
        validation: Validation,
        run_config: RunConfig,
        folder: RunFolder,
        begin_seconds: float = 0.0,
        first_events: Sequence[Event] = (),
        loaded: Encoder | None = None,
    ) -> None:
        self.method = method
        self.batches = batches
        self.probe = probe
        self.validation = validation
        self.run_config = run_config
        self.folder = folder
        self.total = run_config.steps
        self.seed = run_config.seed
        self.device = method.encoder.device
        self.optimizer = method.optimizer()
        self.scaler = loss_scaler(self.device, run_config.precision)
        self.processes = SINGLE_PROCESS
        self.schedule = ProbeSchedule(run_config.steps, run_config.probe_every)
        self.positions = Positions(folder)
        self.step = 0
        self.checkpoint_step: int | None = None
        self.best: dict[str, Any] = {}
        self.begin_seconds = begin_seconds
        self.seconds = 0.0
        self.probe_seconds = 0.0
        self.busy_with = ""
        self.stopping: Callable[[], bool] = lambda: False
        self.stop_requested = False
        self._first_events = first_events
        # The encoder as loaded, until it is scored, and its scores.
        self._loaded = loaded
        self._as_loaded: dict[str, float] = {}

    def set_config(self, values: Mapping[str, object]) -> None:
        """Set hyperparameters in the configuration that method and controls share."""
        for name, value in values.items():
            setattr(self.method.config, name, value)

    def advance(self) -> Row:
        """Do one step, then the measurements that are due; return the row of the history."""
        # The other processes do the step with the same settings.
        self.processes.share_order(asdict(self.method.config))
        return self.update() | self.measurements()

    def update(self) -> Row:
        """Train on one batch: views, loss, gradient, update; return the numbers of the step."""
        started = time.perf_counter()
        method = self.method
        # Tokenised examples, and the generators of all random numbers of the step.
        batch = self.batches.batch(self.step)
        draws = Draws.of(self.seed, self.step, self.device)
        method.train()
        # Sets the learning rate.
        method.before_step(self.step, self.total, self.optimizer)
        method.zero_grad()
        # Views, loss and backward pass, of the whole batch or in parts (GradCache).
        _, terms = differentiate(
            method,
            batch,
            draws,
            around=self._precision,
            processes=self.processes,
            scaler=self.scaler,
            graph_memory=GRAPH_MEMORY,
        )
        clip = method.config.clip
        norm = apply_update(self.optimizer, method.parameters(), clip, terms.loss, self.scaler)
        numbers = self._read_numbers(terms, norm)
        self.stop_requested = numbers.pop(STOP_REQUESTS) > 0
        events = {}
        if self._has_overflowed(numbers):
            # Infinity is no number to plot, so an event takes the place of the norm.
            del numbers["gradient_norm"]
            events = {"events": [{"overflow": numbers["loss_scale"]}]}
        else:
            self._require_finite(numbers)
        # Such as an update of a moving average.
        method.after_step()
        # A checkpoint that cannot be continued must not replace a good one.
        if not finite_weights(method):
            self._raise_diverged(["the weights after the update are not finite"])
        self.step += 1
        self.seconds += time.perf_counter() - started
        return {
            "step": self.step,
            "learning_rate": self.optimizer.param_groups[0]["lr"],
            **numbers,
            **events,
        }

    def _read_numbers(self, terms: Terms, norm: Tensor) -> dict[str, float]:
        """Return the numbers of a step by name: loss, norm of the gradient, and so on.

        One of them is no measurement: how many processes request the end of the run. All scalars
        are transferred at once, after the step's computations are queued, because each transfer
        blocks until the GPU has finished.
        """
        tensors = {"loss": terms.loss, "gradient_norm": norm, **terms.parts}
        if self.scaler.is_enabled():
            # 1, scaled, is the scale itself, as a tensor: get_scale() would be another transfer.
            tensors["loss_scale"] = self.scaler.scale(torch.ones((), device=self.device))
        # Added up over the processes, so that all know in the same step whether one wants to stop.
        requests_stop = torch.full((), float(self.stopping()), device=self.device)
        tensors[STOP_REQUESTS] = self.processes.total(requests_stop)
        scalars = [tensor.detach().to(self.device, torch.float32) for tensor in tensors.values()]
        return dict(zip(tensors, torch.stack(scalars).tolist(), strict=True))

    def _has_overflowed(self, numbers: dict[str, float]) -> bool:
        """Whether the gradient of a step exceeded the largest number of float16.

        Then the update was skipped and the loss scale lowered, so that the next steps can succeed.
        This is not so if the scale was below 1 already: then the gradient itself is too large.
        """
        if not math.isfinite(numbers["loss"]) or math.isfinite(numbers["gradient_norm"]):
            return False
        # The scale is recorded at float16 only.
        return numbers.get("loss_scale", 0.0) >= 1

    def _require_finite(self, numbers: dict[str, float]) -> None:
        """Raise DivergedError if the loss or the gradient of a step is not finite."""
        if math.isfinite(numbers["loss"]) and math.isfinite(numbers["gradient_norm"]):
            return
        # The message names the other numbers that are not finite too.
        faults = [
            f"{name} is {value}" for name, value in numbers.items() if not math.isfinite(value)
        ]
        self._raise_diverged(faults)

    def _raise_diverged(self, faults: list[str]) -> NoReturn:
        """Raise DivergedError with the ``faults``, such as "loss is nan", and their remedy."""
        if self.scaler.is_enabled():
            limit = "whose numbers end at 65504 (precision='float32' has no such limit)"
            faults = [*faults, f"at float16, {limit}"]
        raise DivergedError(explain(self.step + 1, faults, self.method, self.checkpoint_step))

    def first_row(self) -> Row:
        """Measure the encoder before the first step; return the row of step 0."""
        row = {"step": 0, **self.measurements()}
        self._measure_as_loaded()
        if self._first_events:
            row["events"] = list(self._first_events)
        return row

    def _measure_as_loaded(self) -> None:
        """Score the encoder as loaded, with its own pooling and head, for a reference line.

        The row of step 0 has the scores with the pooling and head that are trained.
        """
        loaded = self._loaded
        if loaded is None or not self.run_config.eval_every:
            return
        with self.busy("validation"):
            scores = self.validation.measure_untrained(loaded)
        self._as_loaded = {f"{column}{AS_LOADED}": score for column, score in scores.items()}
        # It is not needed again, so its memory is freed.
        self._loaded = None

    @property
    def references(self) -> dict[str, float]:
        """Return the scores of the encoder as loaded, then reference levels of the loss."""
        return self._as_loaded | self.method.references()

    def measurements(self) -> Row:
        """Return the measurements that are due at this step, and the elapsed seconds."""
        row: Row = {}
        if self.schedule.due(self.step, self.seconds):
            row |= self._measure_and_record()
        row |= self.validate()
        elapsed = self.seconds + self.probe_seconds
        # Before the first step, all time was spent on measurements: a share would say nothing.
        if self.seconds:
            row["probe_share"] = self.probe_seconds / elapsed
        return row | {"seconds": elapsed}

    def _measure_and_record(self) -> Row:
        """Measure the geometry, and record the positions of the sentences and the time spent."""
        # A panel shows the task in its status line. A measurement between two steps has none, since
        # it is over before a reader could read it.
        tasks = {0: "first measurement", self.total: "last measurement"}
        started = time.perf_counter()
        with self.busy(tasks.get(self.step, "")):
            row = self.measure()
            # Recorded now, because a panel draws the positions before the row is complete.
            self.positions.add(self.step, self.probe)
        duration = time.perf_counter() - started
        self.schedule.record(self.step, self.seconds, duration)
        self.probe_seconds += duration
        return row

    def measure(self) -> dict[str, float]:
        """Measure the geometry at this step, at the training precision."""
        return self.probe.measure(self.method.test_encoder(), self.step, self._precision())

    def _precision(self) -> AbstractContextManager[Any]:
        """Context of a forward pass at the training precision."""
        return forward_pass(self.device, self.run_config.precision)

    def validate(self) -> Row:
        """Validate if this step is due; save the encoder if its score is the best so far.

        Without human ratings (``score_name == "step"``) the last step counts as the best.
        """
        every = self.run_config.eval_every
        if not every or (self.step % every and self.step != self.total):
            return {}
        encoder = self.method.test_encoder()
        measure = self.validation.measure if self.step else self.validation.measure_untrained
        with self.busy("validation"):
            scores = measure(encoder)
        by_last_step = self.validation.score_name == "step"
        score = float(self.step) if by_last_step else scores.get(self.validation.score_name)
        is_best = score is not None and (not self.best or score > self.best["score"])
        if is_best:
            self.best = {"step": self.step, "score": score, "rule": self.validation.rule}
        # The encoder of the last step is stored in any case, when the run ends.
        if is_best and not by_last_step:
            with self.busy("validation"):
                self.folder.save_encoder(encoder, at_step(BEST, self.step))
        return {**scores}

    @contextmanager
    def busy(self, task: str) -> Iterator[None]:
        """Context in which ``busy_with`` is the task."""
        self.busy_with = task
        try:
            yield
        finally:
            self.busy_with = ""

    def release(self) -> None:
        """Free gradients, optimizer state and tokenised examples after the last step."""
        self.optimizer.zero_grad()
        self.optimizer.state.clear()
        del self.batches

    def save(self, events: Sequence[Event] = (), with_optimizer: bool = True) -> None:
        """Write a checkpoint of the present step.

        Args:
            events: events that are not yet in a row of the history.
            with_optimizer: False at the end of a finished run, which needs no optimizer state.
        """
        tensors = method_tensors(self.method)
        if with_optimizer:
            tensors |= optimizer_tensors(self.optimizer)
        probe_meta = None
        if (probe := self.probe.to_checkpoint()) is not None:
            probe_meta, tensors[SEEN] = probe
        if self.positions.basis is not None:
            tensors[BASIS] = torch.from_numpy(self.positions.basis)
        # JSON has no infinity.
        levels = {
            name: float(level) for name, level in self.references.items() if math.isfinite(level)
        }
        meta = {
            "step": self.step,
            "best": self.best,
            "config": asdict(self.method.config),
            "seconds": self.seconds,
            "probe_seconds": self.probe_seconds,
            "events": list(events),
            "probe": probe_meta,
            "scaler": self.scaler.state_dict(),
            "references": levels,
        }
        self.folder.checkpoints.write(tensors, meta)
        self.checkpoint_step = self.step

    def load(self, owns_folder: bool = True, checkpoint_file: str | None = None) -> list[Event]:
        """Restore the state that :meth:`save` wrote; return the events not yet in a row.

        Args:
            owns_folder: False if another process owns the folder, so that nothing is written.
            checkpoint_file: name of the checkpoint's file; None: the newest checkpoint.
        """
        if checkpoint_file is None:
            tensors, meta = self.folder.checkpoints.read()
        else:
            tensors, meta = self.folder.checkpoints.of(checkpoint_file)
        restore_method(self.method, tensors)
        restore_optimizer(self.optimizer, tensors)
        self.set_config(vars(build(type(self.method.config), meta.config)))
        self.scaler = loss_scaler(self.device, self.run_config.precision, meta.scaler)
        self.step = meta.step
        self.checkpoint_step = meta.step
        self.best = meta.best
        self.seconds = meta.seconds
        self.probe_seconds = meta.probe_seconds
        for name, level in meta.references.items():
            if name.endswith(AS_LOADED):
                self._as_loaded[name] = level
        # These scores are known, so the encoder as loaded is not needed.
        self._loaded = None
        basis = tensors.get(BASIS)
        self.positions = Positions.resumed(self.folder, meta.step, self.probe, basis, owns_folder)
        return meta.events
