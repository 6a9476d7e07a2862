"""The forward passes of a step: at the run's precision, with a count of the tokens that they train."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from .precision import forward_pass


class Passes:
    """Makes the context of each forward pass; the encoder has a hook only within it, so that it can be copied.

    Attributes:
        tokens: how many were trained, 0-dim, without padding: those of passes that gradients go back through. Whoever
            counts sets it to 0.
    """

    def __init__(self, backbone: nn.Module, device: torch.device, precision: str) -> None:
        self._backbone, self._device, self._precision = backbone, device, precision
        self.tokens = torch.zeros((), dtype=torch.long, device=device)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Context of one pass."""
        counting = self._backbone.register_forward_pre_hook(self._count, with_kwargs=True)
        try:
            with forward_pass(self._device, self._precision):
                yield
        finally:
            counting.remove()

    def _count(self, _: nn.Module, __: tuple[()], batch: dict[str, Tensor]) -> None:
        if torch.is_grad_enabled():
            self.tokens += batch["attention_mask"].sum()
