"""Copies of weights: one that never changes (such as a teacher), and a moving average."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .._validation import Share, checked

M = TypeVar("M", bound=nn.Module)


class Frozen(nn.Module, Generic[M]):
    """A copy of a module in eval mode, without gradients, neither trained nor saved."""

    fingerprint: torch.Tensor

    def __init__(self, module: M) -> None:
        super().__init__()
        self._held = (copy.deepcopy(module).eval().requires_grad_(False),)  # a tuple, so that it is no submodule
        self.register_buffer("fingerprint", _fingerprint(self.module))
        self.register_load_state_dict_post_hook(_compare)  # type: ignore[no-untyped-call]

    @property
    def module(self) -> M:
        """The copy."""
        return self._held[0]

    def forward(self, *arguments: Any, **named: Any) -> Any:
        """Call the copy, without gradients."""
        with torch.no_grad():
            return self.module(*arguments, **named)

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> Frozen[M]:
        self.module._apply(fn)  # type: ignore[no-untyped-call]
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        return self


def _fingerprint(module: nn.Module) -> torch.Tensor:
    """SHA-256 of all weights and buffers, ``(32,)`` uint8."""
    digest = hashlib.sha256()
    for name, tensor in sorted(module.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return torch.tensor(list(digest.digest()), dtype=torch.uint8)


def _compare(frozen: nn.Module, _: object) -> None:
    """Compare the loaded fingerprint with that of the copy made here."""
    assert isinstance(frozen, Frozen)
    if not torch.equal(frozen.fingerprint.cpu(), _fingerprint(frozen.module)):
        raise ValueError(
            "the checkpoint belongs to another frozen copy than the one made here: the encoder that the run started "
            "from has changed since; restore that encoder, or start a new run"
        )


class MomentumDictionary(nn.Module):
    """A moving average of an embedding table, ``ξ ← m ξ + (1 - m) φ`` at each update (MoCoUTRL §3.2).

    The paper's eq. (1) prints ``(m - 1) φ``; taken literally (``literal=True``, M1) the table converges to
    ``-φ``, the opposite of every word. The average is a buffer: saved with its method, never trained. The embedding
    itself is only referenced: this module neither saves it again nor moves it to another device.

    An update reads and writes the whole table, V × E numbers, whether or not a word occurred.

    Args:
        embedding: the table to follow, φ; the dictionary starts as a copy of it.
        momentum: m in [0, 1]; 0 copies at each update, 1 never changes. After t updates, ``m^t`` of the start is left.
        literal: take the sign as printed.

    Shapes: ``(...)`` integer ids to ``(..., E)``, without gradient.

    >>> words = nn.Embedding.from_pretrained(torch.zeros(2, 1))
    >>> dictionary = MomentumDictionary(words, momentum=0.9)
    >>> words.weight.data += 1
    >>> dictionary.update()
    >>> dictionary(torch.tensor([1]))
    tensor([[0.1000]])
    """

    table: Tensor

    @checked()
    def __init__(self, embedding: nn.Embedding, momentum: Share = 0.999, *, literal: bool = False) -> None:
        super().__init__()
        self._followed = [embedding]  # a list, so that it is no submodule
        self.momentum, self.literal = momentum, literal
        self.register_buffer("table", embedding.weight.detach().clone())

    @torch.no_grad()
    def update(self) -> None:
        """One step of the average towards the embedding as it is now."""
        step = 1 - self.momentum
        self.table.mul_(self.momentum).add_(self._followed[0].weight, alpha=-step if self.literal else step)

    def forward(self, ids: Tensor) -> Tensor:
        """The dictionary's entries for the ids."""
        return F.embedding(ids, self.table)
