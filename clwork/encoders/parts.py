"""What an encoder is made of, for those who write it down: saving and fingerprints need nothing else of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from torch import Tensor, nn


class Parts(Protocol):
    """The part of :class:`.Encoder` that its vectors follow from."""

    backbone: nn.Module
    tokenizer: Any
    head: nn.Module | None
    pooling: str
    first_layer: int
    max_length: int
    base: str

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def hidden_dim(self) -> int:
        """Width of a token's vector."""

    @property
    def dim(self) -> int:
        """Width of a sentence's vector."""

    def state_dict(self) -> dict[str, Any]:
        """Weights and stored buffers by name."""

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        """All buffers by name, those too that no file stores."""
