"""The training loop: one method, one optimizer, one step at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from ..data.settings import BEST
from ..methods import Draws, Method
from .batches import Batches
from .looks import Looks
from .probe import Probe
from .state import optimizer_tensors, read_state, restore_optimizer, write_state
from .update import apply_update
from .validation import Validation

CHECKPOINT = "checkpoint.safetensors"


class Loop:
    """All state of a training: weights, optimizer, step, best score; what is random follows from seed and step."""

    def __init__(
        self,
        method: Method,
        batches: Batches,
        probe: Probe,
        validation: Validation,
        *,
        precision: str,
        total: int,
        seed: int,
        probe_every: int | None,
        eval_every: int,
        folder: Path,
        begin_seconds: float = 0.0,
        note: str = "",
    ) -> None:
        self.method, self.batches, self.probe, self.validation = method, batches, probe, validation
        self.total, self.seed, self.folder = total, seed, folder
        self.looks, self.eval_every = Looks(total, probe_every), eval_every
        self.optimizer = method.optimizer()
        self.step = 0
        self.best: dict[str, Any] = {}
        self.seconds = self.probe_seconds = 0.0
        self.begin_seconds, self.note = begin_seconds, note
        self._dtype = getattr(torch, precision)
        self._tokens = torch.zeros((), dtype=torch.long, device=method.encoder.device)

    def _count(self, _: torch.nn.Module, __: tuple[()], batch: dict[str, torch.Tensor]) -> None:
        """Add up the tokens that pass through the encoder's backbone; padding is none."""
        self._tokens += batch["attention_mask"].sum()

    def first_row(self) -> dict[str, Any]:
        """Where the encoder stands before any step, and what there is to tell of its examples."""
        return {"step": 0, **self._look(), **({"event": self.note} if self.note else {})}

    def advance(self) -> dict[str, Any]:
        """Do one step and return its row of the record.

        Raises:
            FloatingPointError: the loss or a gradient is no longer finite.
        """
        started = time.perf_counter()
        self.method.train()
        self.method.before_step(self.step, self.total, self.optimizer)
        batch = self.batches.batch(self.step)
        device = self.method.encoder.device
        self._tokens.zero_()
        counting = self.method.encoder.backbone.register_forward_pre_hook(self._count, with_kwargs=True)
        with self._precision():
            views = self.method.embed(batch, Draws.of(self.seed, self.step, device))
        counting.remove()
        terms = self.method.compare(views)
        self.optimizer.zero_grad()
        terms.loss.backward()  # type: ignore[no-untyped-call]
        norm = apply_update(self.optimizer, self.method.parameters(), self.method.config.clip, terms.loss)
        seen = {"loss": terms.loss, "gradient_norm": norm, "tokens": self._tokens, **terms.parts}
        values = self._read(seen)  # a GPU is waited for here, once, when all of the step has been handed to it
        self._check_finite(values["loss"], values["gradient_norm"])
        self.method.after_step()
        self.step += 1
        took = time.perf_counter() - started
        self.seconds += took
        rate, per_second = self.optimizer.param_groups[0]["lr"], values.pop("tokens") / took
        row = {"step": self.step, "learning_rate": rate, "tokens_per_second": per_second, **values}
        return row | self._look()

    def _read(self, values: Mapping[str, torch.Tensor]) -> dict[str, float]:
        """Numbers of 0-dim tensors, brought over together."""
        device = self.method.encoder.device
        listed = torch.stack([value.detach().to(device, torch.float32) for value in values.values()]).tolist()
        return dict(zip(values, listed, strict=True))

    def measure(self, whole: bool = False) -> dict[str, float]:
        """The geometry at this step, encoded at the precision of training; ``whole`` takes in all of the probe."""
        return self.probe.measure(self.method.test_encoder(), self.step, self._precision(), whole=whole)

    def _precision(self) -> torch.autocast:
        """The arithmetic of the encoder's forward pass."""
        device = self.method.encoder.device
        return torch.autocast(device.type, self._dtype, enabled=self._dtype != torch.float32)

    def _check_finite(self, loss: float, norm: float) -> None:
        if not (math.isfinite(loss) and math.isfinite(norm)):
            bad = [
                name for name, p in self.method.named_parameters() if p.grad is not None and not p.grad.isfinite().all()
            ]
            raise FloatingPointError(
                f"step {self.step + 1}: loss {loss}, gradient norm {norm}"
                + (f", first in {bad[0]}" if bad else "")
                + f"; lower learning_rate (now {self.method.config.learning_rate:g}) or raise the temperature. "
                "The last checkpoint holds the weights from before."
            )

    def _look(self) -> dict[str, float]:
        """Geometry and validation where this step is due for them."""
        found: dict[str, float] = {}
        last = self.step == self.total
        if self.looks.due(self.step, self.seconds):
            whole, started = self.looks.whole(self.step), time.perf_counter()
            found |= self.measure(whole)
            took = time.perf_counter() - started
            self.probe_seconds += took
            self.looks.note(self.step, self.seconds, took * (self.probe.small_part if whole else 1.0))
        if self.step % self.eval_every == 0 or last:
            found |= self.validation.measure(self.method.test_encoder())
            self._keep_best(found.get(self.validation.score_name))
        spent = self.seconds + self.probe_seconds
        return found | {"probe_share": self.probe_seconds / spent if self.seconds else float("nan"), "seconds": spent}

    def _keep_best(self, score: float | None) -> None:
        if self.validation.score_name == "step":
            score = float(self.step)
        if score is not None and (not self.best or score > self.best["score"]):
            self.best = {"step": self.step, "score": score, "rule": self.validation.rule}
            self.method.test_encoder().save(self.folder / BEST)

    def release(self) -> None:
        """Let go of what only further steps need: gradients, the optimizer's moments, tokenised examples."""
        self.optimizer.zero_grad()
        self.optimizer.state.clear()
        del self.batches

    def save(self, path: Path) -> None:
        """Write everything that the next step depends on."""
        tensors = {f"method.{name}": tensor for name, tensor in self.method.state_dict().items()}
        meta = {
            "step": self.step,
            "best": self.best,
            "config": asdict(self.method.config),
            "seconds": self.seconds,
            "probe_seconds": self.probe_seconds,
        }
        write_state(path, tensors | optimizer_tensors(self.optimizer), meta)

    def load(self, path: Path) -> None:
        """Continue where :meth:`save` was called."""
        tensors, meta = read_state(path)
        prefix = "method."
        self.method.load_state_dict({k[len(prefix) :]: v for k, v in tensors.items() if k.startswith(prefix)})
        restore_optimizer(self.optimizer, tensors)
        for name, value in meta["config"].items():
            setattr(self.method.config, name, value)
        self.step, self.best = meta["step"], meta["best"]
        self.seconds, self.probe_seconds = meta["seconds"], meta["probe_seconds"]
