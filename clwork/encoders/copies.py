"""Copies of weights: one that never changes (such as a teacher), and a moving average."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

M = TypeVar("M", bound=nn.Module)


class Frozen(nn.Module, Generic[M]):
    """A copy of a module in eval mode, without gradients; it is neither trained nor saved.

    A teacher, for example. A resumed run makes the copy again from the encoder it started from.
    """

    def __init__(self, module: M) -> None:
        super().__init__()
        # In a tuple, so that PyTorch does not find it as a submodule, which is trained and saved.
        self._held = (copy.deepcopy(module).eval().requires_grad_(False),)

    @property
    def module(self) -> M:
        """The copy."""
        return self._held[0]

    def forward(self, *arguments: Any, **named: Any) -> Any:
        """Call the copy without gradients."""
        with torch.no_grad():
            return self.module(*arguments, **named)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Frozen[M]:
        """Move the copy along with this module to another device or dtype.

        PyTorch calls this method for ``.to(...)``, with the function that moves a tensor.
        """
        self.module._apply(fn)  # type: ignore[no-untyped-call]
        return self


class MomentumDictionary(nn.Module):
    """A moving average of an embedding table, ``ξ ← m ξ + (1 - m) φ`` (MoCoUTRL §3.2).

    With the sign that eq. (1) of the paper prints, ``(m - 1) φ`` (``literal=True``, M1), the table
    converges to ``-φ``. The table is a buffer: it is saved with the method, but not trained. The
    embedding is only referenced; this module neither saves it again nor moves it to another device.
    An update reads and writes all V × E numbers.

    Args:
        embedding: the table to follow, φ; the dictionary starts as a copy of it.
        momentum: m in [0, 1]; 0 copies φ at each update, 1 never changes ξ. The start's weight
            decays as ``m^t``.
        literal: use the sign that the paper prints.

    Shapes: ``(...)`` integer ids to ``(..., E)``, without gradient.

    Raises:
        ValueError: the momentum is outside [0, 1].

    >>> words = nn.Embedding.from_pretrained(torch.zeros(2, 1))
    >>> dictionary = MomentumDictionary(words, momentum=0.9)
    >>> words.weight.data += 1
    >>> dictionary.update()
    >>> dictionary(torch.tensor([1]))
    tensor([[0.1000]])
    """

    table: Tensor

    def __init__(
        self, embedding: nn.Embedding, momentum: float = 0.999, *, literal: bool = False
    ) -> None:
        super().__init__()
        if not 0 <= momentum <= 1:
            raise ValueError(f"momentum={momentum} is out of range; give a number from 0 to 1")
        self._followed = [embedding]  # in a list, so that it is not a submodule
        self.momentum = momentum
        self.literal = literal
        self.register_buffer("table", embedding.weight.detach().clone())

    @torch.no_grad()
    def update(self) -> None:
        """Move the average one step towards the current embedding."""
        step = 1 - self.momentum
        if self.literal:
            step = -step
        self.table.mul_(self.momentum).add_(self._followed[0].weight, alpha=step)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the table's rows for the ids."""
        return F.embedding(ids, self.table)
