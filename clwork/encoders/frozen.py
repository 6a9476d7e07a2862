"""A copy that stays as it is: a teacher, a reference, a judge of negatives."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import torch
from torch import nn

M = TypeVar("M", bound=nn.Module)


class Frozen(nn.Module, Generic[M]):
    """A module's copy as it is now: in eval mode, without gradients, and not part of what is trained or saved.

    The copy is kept out of sight of ``parameters``, ``train`` and ``state_dict``: no optimizer finds it, the loop's
    ``method.train()`` does not switch its dropout on, and a checkpoint does not carry it, since a resumed run makes
    the same copy again. What a checkpoint carries is a fingerprint, so that another copy is noticed. Moving the owner
    to a device moves the copy too.

    >>> frozen = Frozen(nn.Linear(2, 2)).train()
    >>> frozen.module.training, list(frozen.parameters()), list(frozen.state_dict())
    (False, [], ['fingerprint'])
    """

    fingerprint: torch.Tensor

    def __init__(self, module: M) -> None:
        super().__init__()
        self._held = (copy.deepcopy(module).eval().requires_grad_(False),)  # in a tuple, it is no submodule
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


def _compare(frozen: nn.Module, _: Any) -> None:
    """After loading: the fingerprint that was saved must be that of the copy made here.

    Raises:
        ValueError: it is not.
    """
    assert isinstance(frozen, Frozen)
    if not torch.equal(frozen.fingerprint.cpu(), _fingerprint(frozen.module)):
        raise ValueError(
            "the checkpoint was made beside another frozen copy than the one made here: the encoder that the run "
            "started from has changed since; give it back, or start a new run"
        )
