"""The dynamic dictionary of MoCoUTRL: a copy of the word embeddings that follows them slowly."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class MomentumDictionary(nn.Module):
    """A moving average of an embedding table, ``ξ ← m ξ + (1 - m) φ`` at each update (MoCoUTRL §3.2).

    The paper's eq. (1) prints ``(m - 1) φ``; taken literally (``literal=True``, M1) the table converges to
    ``-φ``, the opposite of every word. The average is a buffer: saved with its method, never trained. The embedding
    itself is looked at, not owned, so it is neither saved twice nor moved to another device by this module.

    An update reads and writes the whole table, V × E numbers, whether or not a word occurred.

    Args:
        embedding: the table to follow, φ; the dictionary starts as a copy of it.
        momentum: m in [0, 1]; 0 copies at each update, 1 never changes. After t updates, ``m^t`` of the start is left.
        literal: take the sign as printed.

    Shapes: ``(...)`` integer ids to ``(..., E)``, without gradient.

    Raises:
        ValueError: a momentum outside [0, 1].

    >>> words = nn.Embedding.from_pretrained(torch.zeros(2, 1))
    >>> dictionary = MomentumDictionary(words, momentum=0.9)
    >>> words.weight.data += 1
    >>> dictionary.update()
    >>> dictionary(torch.tensor([1]))
    tensor([[0.1000]])
    """

    table: Tensor

    def __init__(self, embedding: nn.Embedding, momentum: float = 0.999, *, literal: bool = False) -> None:
        super().__init__()
        self._followed = [embedding]  # in a list, so that it is no submodule
        self.momentum, self.literal = momentum, literal
        self._check()
        self.register_buffer("table", embedding.weight.detach().clone())

    def _check(self) -> None:
        if not (math.isfinite(self.momentum) and 0 <= self.momentum <= 1):
            raise ValueError(
                f"momentum={self.momentum!r} is no share to keep; give a number from 0 to 1 (paper: 0.999)"
            )

    @torch.no_grad()
    def update(self) -> None:
        """One step of the average towards the embedding as it is now."""
        self._check()  # it may have been set anew since
        step = 1 - self.momentum
        self.table.mul_(self.momentum).add_(self._followed[0].weight, alpha=-step if self.literal else step)

    def forward(self, ids: Tensor) -> Tensor:
        """The dictionary's entries for the ids."""
        return F.embedding(ids, self.table)
