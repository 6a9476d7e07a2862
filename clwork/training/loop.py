"""The training loop: one method, one optimizer, one step at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import Any, NoReturn

import torch
from torch import Tensor, nn

from ..columns import AS_LOADED
from ..encoders import Encoder
from ..events import Event
from ..methods import Draws, Method, Terms
from ..methods.base import Views
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
from ..run_folder.schema import Best
from ..settings import build
from .batches import Batches
from .probe import Probe, ProbeSchedule
from .scores import Validation

QUOTED = 3  # rows of the batch quoted in an error


class DivergedError(FloatingPointError):
    """Loss, gradient or weights are no longer finite.

    At float16, a gradient that is not finite raises it only if lower loss scales do not help.
    """


class Loop:
    """Training state: weights, optimizer, step and best score.

    Random numbers are functions of seed and step, so they are no state.
    """

    def __init__(
        self,
        method: Method[Any],
        batches: Batches,
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
        # Whether this process requests the end of the run, and whether any process of the run did.
        self.stopping: Callable[[], bool] = lambda: False
        self.stop_requested = False
        self._first_events = list(first_events)
        self._loaded = loaded
        self._as_loaded: dict[str, float] = {}

    def advance(self) -> Row:
        """Do one step, then the measurements that are due; return the row of the history."""
        self.processes.order(asdict(self.method.config))  # the others train with the same settings
        return self.update() | self.measurements()

    def update(self) -> Row:
        """Train on one batch: views, loss, gradient, update; return the numbers of the step."""
        started = time.perf_counter()
        method = self.method
        batch = self.batches.batch(self.step)  # tokenised examples
        draws = Draws.of(self.seed, self.step, self.device)  # all random numbers of the step
        method.train()
        method.before_step(self.step, self.total, self.optimizer)  # sets the learning rate
        method.zero_grad()
        # Views, loss and backward pass, of the whole batch or in parts (GradCache).
        views, terms = differentiate(
            method,
            batch,
            draws,
            around=self._precision,
            compare=self._compare,
            processes=self.processes,
            scaler=self.scaler,
            graph_memory=self.run_config.graph_memory,
        )
        clip = method.config.clip
        norm = apply_update(self.optimizer, method.parameters(), clip, terms.loss, self.scaler)
        numbers = self._transfer(terms, norm)
        events = self._check(numbers, views)
        method.after_step()  # such as an update of a moving average
        if not finite_weights(method):
            self._diverged(["the weights after the update are not finite"], views)
        self.step += 1
        self.seconds += time.perf_counter() - started
        return {
            "step": self.step,
            "learning_rate": self.optimizer.param_groups[0]["lr"],
            **numbers,
            **events,
        }

    def _compare(self, views: Views) -> Terms:
        """Call the method's ``compare``; an error about vectors that are not finite names rows."""
        try:
            terms = self.method.compare(views)
        except ValueError as error:
            if bad_rows(views, len(self.batches.latest)):
                self._diverged([str(error)], views)
            raise
        if not isinstance(terms, Terms):
            kind = type(terms).__name__
            raise TypeError(f"{self.method.name}.compare returned a {kind}; return Terms(loss)")
        return terms

    def _transfer(self, terms: Terms, norm: Tensor) -> dict[str, float]:
        """Return the numbers of a step, and add up which processes request the end of the run.

        It is one transfer, the only synchronisation with the GPU, after the step is queued.
        """
        stop = torch.full((), float(self.stopping()), device=self.device)
        tensors = {"loss": terms.loss, "gradient_norm": norm, **terms.parts}
        tensors["stops"] = self.processes.total(stop)
        if self.scaler.is_enabled():
            tensors["loss_scale"] = self.scaler.scale(torch.ones((), device=self.device))
        scalars = [tensor.detach().to(self.device, torch.float32) for tensor in tensors.values()]
        numbers = dict(zip(tensors, torch.stack(scalars).tolist(), strict=True))
        self.stop_requested = numbers.pop("stops") > 0
        return numbers

    def _check(self, numbers: dict[str, float], views: Views) -> Row:
        """Raise DivergedError for a loss or gradient that is not finite.

        At float16, such a gradient only lowers the loss scale: then remove its norm from
        ``numbers`` and return an event.
        """
        wrong = [
            f"{name} is {value}" for name, value in numbers.items() if not math.isfinite(value)
        ]
        loss_is_finite = math.isfinite(numbers["loss"])
        if loss_is_finite and math.isfinite(numbers["gradient_norm"]):
            return {}
        scale = numbers.get("loss_scale", 0.0)
        if loss_is_finite and scale >= 1:
            del numbers["gradient_norm"]
            return {"events": [{"overflow": scale}]}
        self._diverged(wrong, views)

    def _diverged(self, wrong: list[str], views: Views) -> NoReturn:
        if self.scaler.is_enabled():
            limit = "whose numbers end at 65504 (precision='float32' has no such limit)"
            wrong = [*wrong, f"at float16, {limit}"]
        examples = self.batches.latest
        rows = bad_rows(views, len(examples))
        text = explain(self.step + 1, wrong, self.method, examples, rows, self.checkpoint_step)
        raise DivergedError(text)

    def first_row(self) -> Row:
        """Measure the encoder before the first step; return the row of step 0."""
        row = {"step": 0, **self.measurements()}
        self._measure_as_loaded()
        return row | ({"events": self._first_events} if self._first_events else {})

    def _measure_as_loaded(self) -> None:
        """Score the encoder with its own pooling and head, after the one that is trained."""
        loaded = self._loaded
        if loaded is None:
            return
        if not loaded.uses_head:
            # An unused head would only hide that the scores are known already.
            loaded = loaded.without_head(loaded.pooling)
        with self.busy("validation"):
            scores = self.validation.measure_untrained(loaded)
        self._as_loaded = {f"{column}{AS_LOADED}": score for column, score in scores.items()}
        for event in self._first_events:
            pooling = event.get("pooling")
            # Otherwise the row of step 0 has these scores.
            if scores and pooling and pooling["trained"] != pooling["loaded"]:
                self._first_events.insert(0, {"untrained": scores})
                break
        self._loaded = None

    def references(self) -> dict[str, float]:
        """Return the scores of the encoder as loaded, then reference levels of the loss."""
        return self._as_loaded | self.method.references()

    def measurements(self) -> Row:
        """Return the measurements that are due at this step, and the elapsed seconds."""
        row: Row = {}
        if self.schedule.due(self.step, self.seconds):
            tasks = {0: "first measurement", self.total: "last measurement"}
            started = time.perf_counter()
            with self.busy(tasks.get(self.step, "")):
                row |= self.measure()
                # A panel draws these before the row is complete.
                self.positions.add(self.step, self.probe)
            seconds = time.perf_counter() - started
            self.schedule.record(self.step, self.seconds, seconds)
            self.probe_seconds += seconds
        row |= self.validate()
        spent = self.seconds + self.probe_seconds
        if self.seconds:
            row["probe_share"] = self.probe_seconds / spent
        return row | {"seconds": spent}

    def measure(self) -> dict[str, float]:
        """Measure the geometry at this step, at the training precision."""
        return self.probe.measure(self.method.test_encoder(), self.step, self._precision())

    def _precision(self) -> AbstractContextManager[Any]:
        """Context of a forward pass at the training precision."""
        return forward_pass(self.device, self.run_config.precision)

    def validate(self) -> Row:
        """Validate if this step is due; save the encoder of a new best score."""
        if self.step % self.run_config.eval_every != 0 and self.step != self.total:
            return {}
        encoder = self.method.test_encoder()
        with self.busy("validation"):
            if self.step == 0:
                scores = self.validation.measure_untrained(encoder)
            else:
                scores = self.validation.measure(encoder)
        # The last step is stored in any case.
        by_last_step = self.validation.score_name == "step"
        score = float(self.step) if by_last_step else scores.get(self.validation.score_name)
        if score is not None and (not self.best or score > self.best["score"]):
            self.best = {"step": self.step, "score": score, "rule": self.validation.rule}
            if not by_last_step:
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

    def save(
        self, files: RunFolder, events: Sequence[Event] = (), with_optimizer: bool = True
    ) -> None:
        """Write a checkpoint; without the optimizer's state, which the last step need not save."""
        if not finite_weights(self.method):
            self._diverged(["the weights are not finite"], {})
        tensors = method_tensors(self.method)
        if with_optimizer:
            tensors |= optimizer_tensors(self.optimizer)
        about_probe = None
        if (probe := self.probe.to_checkpoint()) is not None:
            about_probe, tensors[SEEN] = probe
        if self.positions.basis is not None:
            tensors[BASIS] = torch.from_numpy(self.positions.basis)
        levels = self.references().items()
        meta = {
            "step": self.step,
            "best": self.best,
            "config": asdict(self.method.config),
            "seconds": self.seconds,
            "probe_seconds": self.probe_seconds,
            "events": list(events),
            "probe": about_probe,
            "scaler": self.scaler.state_dict(),
            "references": {name: float(level) for name, level in levels if math.isfinite(level)},
        }
        files.checkpoints.write(tensors, meta)
        self.checkpoint_step = self.step
        if not with_optimizer:
            files.checkpoints.drop_earlier()

    def load(self, files: RunFolder, store: bool = True, file: str | None = None) -> list[Event]:
        """Restore the state that :meth:`save` wrote; return the events not yet in a row.

        The checkpoint is the newest one, or that in ``file``.

        Unless ``store``, nothing is written: another process owns the folder.
        """
        read = files.checkpoints
        tensors, meta = read.read() if file is None else read.of(file)
        try:
            config = build(type(self.method.config), meta.config)
            restore_method(self.method, tensors)
            restore_optimizer(self.optimizer, tensors)
        except (RuntimeError, KeyError, TypeError, ValueError) as error:
            reason = str(error)[:500]
            raise ValueError(
                f"the checkpoint in {files.path} does not fit this run: {reason}"
            ) from error
        for name, value in vars(config).items():
            setattr(self.method.config, name, value)
        self.scaler = loss_scaler(self.device, self.run_config.precision, meta.scaler)
        self.step = self.checkpoint_step = meta.step
        self.best = meta.best.model_dump() if isinstance(meta.best, Best) else {}
        self.seconds = meta.seconds
        self.probe_seconds = meta.probe_seconds
        for name, level in meta.references.items():
            if name.endswith(AS_LOADED):
                self._as_loaded[name] = level
        self._loaded = None
        parent = self.run_config.parent
        # The positions up to a fork's begin were copied.
        last = meta.step if parent is None else max(meta.step, parent.step)
        self.positions = Positions.resumed(files, last, self.probe, tensors.get(BASIS), store)
        return meta.events


def finite_weights(method: Method[Any]) -> bool:
    """Whether all weights and buffers are finite; needs one transfer from the GPU."""
    floating = [t for t in method.state_dict().values() if t.is_floating_point() and t.numel()]
    return bool(nn.utils.get_total_norm(floating, float("inf")).cpu().isfinite())


def bad_rows(views: Mapping[str, Tensor], count: int) -> list[int]:
    """Return the rows of a batch of ``count`` that are not finite in one of the views."""
    bad = torch.zeros(count, dtype=torch.bool)
    for view in views.values():
        if len(view) == count:
            bad |= ~view.detach().flatten(1).isfinite().all(1).cpu()
    return bad.nonzero().flatten().tolist()


def explain(
    step: int,
    wrong: Sequence[str],
    method: Method[Any],
    examples: Sequence[Any],
    rows: Sequence[int],
    checkpoint_step: int | None,
) -> str:
    """Return the message of a :class:`DivergedError`: step, parameter, rows and remedy."""
    weight = ""
    gradient = ""
    for name, parameter in method.named_parameters():
        if not parameter.detach().isfinite().all():
            weight = weight or name
        if parameter.grad is not None and not parameter.grad.isfinite().all():
            gradient = gradient or name
    sentences = [f"step {step}: {', '.join(wrong)}"]
    if weight:
        sentences.append(f"the first weight that is not finite is {weight}")
    elif gradient:
        sentences.append(f"the first gradient that is not finite is {gradient}'s")
    if rows:
        quoted = "; ".join(f"{row}: {str(examples[row])[:80]!r}" for row in rows[:QUOTED])
        count = f"{len(rows)} of the batch's {len(examples)} rows"
        sentences.append(f"{count} are not finite ({quoted})")
    only_gradient = not weight and all(fault.startswith("gradient_norm") for fault in wrong)
    if step == 1 and gradient:
        sentences.append(
            "learning_rate is not the cause (no update yet): check the encoder's weights and "
            "max_length"
        )
    elif gradient and only_gradient:
        sentences.append(
            "loss and weights are finite, so use precision='float32', or an encoder of another type"
        )
    else:
        remedy = f"lower learning_rate (now {method.config.learning_rate:g})"
        if (temperature := getattr(method.config, "temperature", None)) is not None:
            remedy += f" or raise the temperature (now {temperature:g})"
        sentences.append(remedy)
    if checkpoint_step is not None:
        sentences.append(
            f"the checkpoint on disk is of step {checkpoint_step}; all its weights are finite"
        )
    return ". ".join(sentences)
