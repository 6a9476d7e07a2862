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
from ..methods.step import SINGLE_PROCESS, train_step
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
from ..run_folder.schema import MOST_LEVELS, Best
from ..settings import build
from .batches import Batches
from .false_negatives import agreement
from .probe import Probe, ProbeSchedule, storable
from .validation import Validation

QUOTED = 3  # rows of the batch quoted in the error


class DivergedError(FloatingPointError):
    """Loss, gradient or weights are no longer finite; a float16 gradient only if lower loss scales do not help."""


class ForwardPass:
    """Context of each forward pass of a step: sets the run's precision and counts the trained tokens."""

    def __init__(self, encoder: Encoder, precision: str) -> None:
        self._backbone, self._device, self._precision = encoder.backbone, encoder.device, precision
        self.tokens = torch.zeros((), dtype=torch.long, device=encoder.device)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Context of one pass; removes the counting hook at the end, so that copies of the encoder do not have it."""
        counting = self._backbone.register_forward_pre_hook(self._count, with_kwargs=True)
        try:
            with forward_pass(self._device, self._precision):
                yield
        finally:
            counting.remove()

    def _count(self, _: nn.Module, __: tuple[()], batch: dict[str, Tensor]) -> None:
        if torch.is_grad_enabled():
            self.tokens += batch["attention_mask"].sum()


class Loop:
    """Training state: weights, optimizer, step and best score. Random numbers are functions of seed and step."""

    def __init__(
        self,
        method: Method[Any],
        batches: Batches,
        probe: Probe,
        validation: Validation,
        recipe: RunConfig,
        folder: RunFolder,
        begin_seconds: float = 0.0,
        first_events: Sequence[Event] = (),
        loaded: Encoder | None = None,
    ) -> None:
        self.method, self.batches, self.probe, self.validation = method, batches, probe, validation
        self.recipe, self.folder, self.total, self.seed = recipe, folder, recipe.steps, recipe.seed
        self.schedule, self.positions = (
            ProbeSchedule(recipe.steps, recipe.probe_every),
            Positions(folder),
        )
        self.optimizer, self.processes = method.optimizer(), SINGLE_PROCESS
        self.step = 0
        self.safe_step: int | None = None
        self.best: dict[str, Any] = {}
        self.seconds = self.probe_seconds = 0.0
        self.begin_seconds, self._first_events = begin_seconds, list(first_events)
        self._loaded, self._as_loaded = loaded, dict[str, float]()
        self.busy_with = ""
        self.stopping: Callable[[], bool] = lambda: (
            False
        )  # whether this process requests the end of the run
        self.stop_requested = False  # by any process of the run
        self._forward = ForwardPass(method.encoder, recipe.precision)
        self.scaler = loss_scaler(method.encoder.device, recipe.precision)

    def first_row(self) -> Row:
        """Measure the encoder before the first step; return the row of step 0."""
        row = {"step": 0, **self._measurements()}
        self._measure_as_loaded()
        return row | ({"events": self._first_events} if self._first_events else {})

    def _measure_as_loaded(self) -> None:
        """Score the encoder with its own pooling and head, once the trained encoder is measured and drawn."""
        if (loaded := self._loaded) is None:
            return
        # a head that is not used would only hide that the scores are known already
        loaded = loaded if loaded.uses_head else loaded.without_head(loaded.pooling)
        with self.busy("validation"):
            scores = self.validation.measure_as_loaded(loaded)
        self._as_loaded = {f"{column}{AS_LOADED}": score for column, score in scores.items()}
        pooling = next(
            (event["pooling"] for event in self._first_events if "pooling" in event), None
        )
        if scores and pooling and pooling["trained"] != pooling["loaded"]:
            self._first_events.insert(
                0, {"untrained": scores}
            )  # otherwise the row of step 0 has these scores
        self._loaded = None

    def references(self) -> dict[str, float]:
        """Return reference levels: the scores of the encoder as loaded, then those of the method's loss."""
        return self._as_loaded | self.method.references()

    def advance(self) -> Row:
        """Do one step, together with the other processes; measure and validate if due; return the history's row."""
        if self.processes.size > 1:
            self.processes.order(asdict(self.method.config))
        return self.update() | self._measurements()

    def update(self) -> Row:
        """Draw a batch, compute loss and gradient, and change the weights; return the numbers of the step."""
        started, method, device = time.perf_counter(), self.method, self.method.encoder.device
        self._forward.tokens.zero_()
        batch, draws = self.batches.batch(self.step), Draws.of(self.seed, self.step, device)
        views, terms, norm = train_step(
            method,
            self.optimizer,
            batch,
            draws,
            self.step,
            self.total,
            around=self._forward,
            compare=self._compare,
            processes=self.processes,
            scaler=self.scaler,
            graph_memory=self.recipe.graph_memory,
        )
        stop = torch.full_like(self._forward.tokens, self.stopping())
        tokens, stops = self.processes.total(torch.stack([self._forward.tokens, stop]))
        tensors = {
            "loss": terms.loss,
            "gradient_norm": norm,
            "tokens": tokens,
            "stops": stops,
            **terms.parts,
        }
        if self.scaler.is_enabled():
            tensors["loss_scale"] = self.scaler.scale(torch.ones((), device=device))
        if terms.masked is not None and self.batches.false_negatives:
            tensors |= agreement(terms.masked, self.batches.false_negatives)
        # One transfer of all numbers, the only synchronisation with the GPU, after the step is queued.
        listed = torch.stack(
            [tensor.detach().to(device, torch.float32) for tensor in tensors.values()]
        ).tolist()
        values = dict(zip(tensors, listed, strict=True))
        self.stop_requested = values.pop("stops") > 0
        finite = [math.isfinite(values[name]) for name in ("loss", "gradient_norm")]
        overflow = finite == [True, False] and values.get("loss_scale", 0.0) >= 1
        if overflow:
            del values["gradient_norm"]  # the update was skipped, and the loss scale is lower now
        elif not all(finite):
            self._diverged(
                [
                    f"{name} is {value}"
                    for name, value in values.items()
                    if not math.isfinite(value)
                ],
                views,
            )
        method.after_step()
        if not finite_weights(method):
            self._diverged(["the weights after the update are not finite"], views)
        self.step += 1
        took = time.perf_counter() - started
        self.seconds += took
        rate, per_second = self.optimizer.param_groups[0]["lr"], values.pop("tokens") / took
        row = {"step": self.step, "learning_rate": rate, "tokens_per_second": per_second, **values}
        return row | ({"events": [{"overflow": values["loss_scale"]}]} if overflow else {})

    def _compare(self, views: Views) -> Terms:
        """Call the method's ``compare``; if it rejects vectors that are not finite, the error names their rows."""
        try:
            terms = self.method.compare(views)
        except ValueError as error:
            if bad_rows(views, len(self.batches.latest)):
                self._diverged([str(error)], views)
            raise
        if not isinstance(terms, Terms):
            raise TypeError(
                f"{self.method.name}.compare returned a {type(terms).__name__}; return Terms(loss)"
            )
        return terms

    def _diverged(self, wrong: list[str], views: Views) -> NoReturn:
        examples = self.batches.latest
        rows = bad_rows(views, len(examples))
        if self.scaler.is_enabled():
            wrong = [
                *wrong,
                "at float16, whose numbers end at 65504 (precision='float32' has no such limit)",
            ]
        raise DivergedError(
            explain(self.step + 1, wrong, self.method, examples, rows, self.safe_step)
        )

    def _measurements(self) -> Row:
        row: Row = {}
        if self.schedule.due(self.step, self.seconds):
            started = time.perf_counter()
            with self.busy(
                {0: "first measurement", self.total: "last measurement"}.get(self.step, "")
            ):
                row |= self.measure()
                self.positions.add(
                    self.step, self.probe
                )  # a panel draws them before the row is complete
                self.schedule.record(self.step, self.seconds, time.perf_counter() - started)
                if self.schedule.whole(self.step):
                    row |= self.probe.measure_all(self.method.test_encoder(), self._precision())
            self.probe_seconds += time.perf_counter() - started
        row |= self.validate()
        spent = self.seconds + self.probe_seconds
        share = {"probe_share": self.probe_seconds / spent} if self.seconds else {}
        return row | share | {"seconds": spent}

    def validate(self) -> Row:
        """Validate if this step is due, and record a new best score."""
        row: Row = {}
        if self.step % self.recipe.eval_every == 0 or self.step == self.total:
            with self.busy("validation"):
                measure = (
                    self.validation.measure if self.step else self.validation.measure_untrained
                )
                row |= measure(self.method.test_encoder())
                self._update_best(row.get(self.validation.score_name))
        return row

    def measure(self) -> dict[str, float]:
        """Measure the geometry at this step, at the training precision."""
        return self.probe.measure(self.method.test_encoder(), self.step, self._precision())

    def _precision(self) -> AbstractContextManager[Any]:
        return forward_pass(self.method.encoder.device, self.recipe.precision)

    @contextmanager
    def busy(self, task: str) -> Iterator[None]:
        self.busy_with = task
        try:
            yield
        finally:
            self.busy_with = ""

    def _update_best(self, score: float | None) -> None:
        """Record a new best score. Store its encoder, unless the rule selects the last step, which is always stored."""
        last_step = self.validation.score_name == "step"
        score = float(self.step) if last_step else score
        if score is not None and (not self.best or score > self.best["score"]):
            self.best = {"step": self.step, "score": score, "rule": self.validation.rule}
            if not last_step:
                self.folder.save_encoder(self.method.test_encoder(), at_step(BEST, self.step))

    def release(self) -> None:
        """Free gradients, the optimizer's moments and tokenised examples after the last step."""
        self.optimizer.zero_grad()
        self.optimizer.state.clear()
        del self.batches

    def save(self, files: RunFolder, events: Sequence[Event] = (), whole: bool = True) -> None:
        """Write a checkpoint; ``whole=False`` omits the optimizer's moments, after the last step."""
        if not finite_weights(self.method):
            self._diverged(["the weights are not finite"], {})
        tensors = method_tensors(self.method) | (optimizer_tensors(self.optimizer) if whole else {})
        probe = self.probe.to_checkpoint()
        if probe is not None:
            tensors[SEEN] = probe[1]
        if self.positions.basis is not None:
            tensors[BASIS] = torch.from_numpy(self.positions.basis)
        levels = {
            name: float(level) for name, level in self.references().items() if math.isfinite(level)
        }
        meta = {
            "step": self.step,
            "best": self.best,
            "config": asdict(self.method.config),
            "seconds": self.seconds,
            "probe_seconds": self.probe_seconds,
            "events": list(events),
            "probe": probe and probe[0],
            "scaler": self.scaler.state_dict(),
            "references": {
                storable(str(name))[:200]: level
                for name, level in list(levels.items())[:MOST_LEVELS]
            },
        }
        files.checkpoints.write(tensors, meta)
        self.safe_step = self.step
        if not whole:
            files.checkpoints.drop_earlier()

    def load(self, files: RunFolder, store: bool = True) -> list[Event]:
        """Restore the state that :meth:`save` wrote; return the events not yet written to a row.

        Unless ``store``, nothing is written: another process owns the folder.
        """
        tensors, meta = files.checkpoints.read()
        try:
            values = vars(build(type(self.method.config), meta.config))
            restore_method(self.method, tensors)
            restore_optimizer(self.optimizer, tensors)
            self.scaler = loss_scaler(
                self.method.encoder.device, self.recipe.precision, meta.scaler
            )
        except (RuntimeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"the checkpoint in {files.path} does not fit this run: {str(error)[:500]}"
            ) from error
        if meta.step > self.total:
            raise ValueError(
                f"the checkpoint in {files.path} is of step {meta.step}, but the run ends at {self.total}"
            )
        for name, value in values.items():
            setattr(self.method.config, name, value)
        self.step = self.safe_step = meta.step
        begin = (
            0 if self.recipe.parent is None else self.recipe.parent.step
        )  # of a fork, whose positions were copied
        self.positions = Positions.resumed(
            files, max(meta.step, begin), self.probe, tensors.get(BASIS), store
        )
        self._as_loaded = {
            name: level for name, level in meta.references.items() if name.endswith(AS_LOADED)
        }
        self._loaded = None
        self.best = meta.best.model_dump() if isinstance(meta.best, Best) else {}
        self.seconds, self.probe_seconds = meta.seconds, meta.probe_seconds
        return meta.pending_events()


def finite_weights(method: Method[Any]) -> bool:
    """Whether all weights and buffers are finite; needs one transfer from the GPU."""
    floating = [t for t in method.state_dict().values() if t.is_floating_point() and t.numel()]
    return bool(nn.utils.get_total_norm(floating, float("inf")).cpu().isfinite())


def bad_rows(views: Mapping[str, Tensor], count: int) -> list[int]:
    """Return the batch's rows that have NaN or infinity in a view; views of another length are skipped."""
    finite = [
        view.detach().flatten(1).isfinite().all(1).cpu()
        for view in views.values()
        if len(view) == count
    ]
    return [] if not finite else (~torch.stack(finite).all(0)).nonzero().flatten().tolist()


def bad_parameter(method: Method[Any], of: Callable[[Tensor], Tensor | None]) -> str:
    """Return the first parameter's name for which ``of`` (value or gradient) is not finite; empty if all are finite."""
    tensors = ((name, of(parameter)) for name, parameter in method.named_parameters())
    return next(
        (name for name, t in tensors if t is not None and not t.detach().isfinite().all()), ""
    )


def explain(
    step: int,
    what: Sequence[str],
    method: Method[Any],
    examples: Sequence[Any],
    rows: Sequence[int],
    safe: int | None,
) -> str:
    """Return the message of a :class:`DivergedError`: step, parameter, sentences and remedy."""
    sentences = [f"step {step}: {', '.join(what)}"]
    gradient, weight = bad_parameter(method, lambda p: p.grad), bad_parameter(method, lambda p: p)
    if weight:
        sentences.append(f"the first weight that is not finite is {weight}")
    elif gradient:
        sentences.append(f"the first gradient that is not finite is {gradient}'s")
    if rows:
        quoted = "; ".join(
            f"{row}: {str(examples[row])[:80]!r}" for row in rows[:QUOTED] if row < len(examples)
        )
        sentences.append(
            f"{len(rows)} of the batch's {len(examples)} rows are not finite ({quoted})"
        )
    if step == 1 and gradient:
        sentences.append(
            "learning_rate is not the cause (no update yet): check the encoder's weights and max_length"
        )
    elif gradient and not weight and all(fault.startswith("gradient_norm") for fault in what):
        sentences.append(
            "loss and weights are finite, so use precision='float32', or an encoder of another type"
        )
    else:
        temperature = getattr(method.config, "temperature", None)
        hotter = "" if temperature is None else f" or raise the temperature (now {temperature:g})"
        sentences.append(f"lower learning_rate (now {method.config.learning_rate:g}){hotter}")
    if safe is not None:
        sentences.append(f"the checkpoint on disk is of step {safe}; all its weights are finite")
    return ". ".join(sentences)
