"""Heads: small networks between the pooled vector and the loss."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from ..checks import whole

ACTIVATIONS: dict[str, type[nn.Module]] = {
    "tanh": nn.Tanh,
    "gelu": nn.GELU,
    "relu": nn.ReLU,
    "none": nn.Identity,
}


class ProjectionHead(nn.Module):
    """SimCSE's head: ``activation(W h + b)``, freshly initialised with ``W ~ N(0, 0.02²)``, ``b = 0``.

    Gao, Yao, Chen (2021), §6.3 and the released code: BERT's own pooler is dropped on purpose, for its pre-training
    on next-sentence prediction did not help.

    Shapes: ``(B, dim)`` -> ``(B, out)``.

    Raises:
        TypeError: a width is no whole number.
        ValueError: a width is not positive, or the activation unknown.

    >>> ProjectionHead(4, generator=torch.Generator())(torch.zeros(2, 4)).shape
    torch.Size([2, 4])
    """

    def __init__(
        self, dim: int, out: int | None = None, activation: str = "tanh", *, generator: torch.Generator
    ) -> None:
        super().__init__()
        dim = whole("dim", dim, least=1)
        out = dim if out is None else whole("out", out, least=1)
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation={activation!r} is not known; give one of {', '.join(map(repr, ACTIVATIONS))}")
        self.dim, self.out, self.activation = dim, out, activation
        # made without weights first, for the usual constructor would draw them from the global random state
        self.dense = nn.Linear(dim, out, device="meta").to_empty(device="cpu")
        self.act = ACTIVATIONS[activation]()
        nn.init.normal_(self.dense.weight, std=0.02, generator=generator)
        nn.init.zeros_(self.dense.bias)

    def forward(self, pooled: Tensor) -> Tensor:
        """Project pooled vectors ``(B, dim)`` to ``(B, out)``."""
        projected: Tensor = self.act(self.dense(pooled))
        return projected

    def spec(self) -> dict[str, Any]:
        """What :meth:`from_spec` needs to build a head of this shape again, as JSON-able values."""
        return {"kind": "projection", "dim": self.dim, "out": self.out, "activation": self.activation}

    @classmethod
    def from_spec(cls, spec: dict[str, Any]) -> ProjectionHead:
        """An untrained head of the shape that :meth:`spec` described.

        Raises:
            ValueError: the description is of another kind of head.
        """
        if spec.get("kind") != "projection":
            raise ValueError(f"head of kind {spec.get('kind')!r} is not known to this version of clwork; update clwork")
        return cls(spec["dim"], spec["out"], spec["activation"], generator=torch.Generator())

    @classmethod
    def from_pooler(cls, pooler: nn.Module) -> ProjectionHead | None:
        """A pre-trained model's own pooler (``dense`` and tanh, as BERT's) as a head; None if it is built otherwise."""
        dense = getattr(pooler, "dense", None)
        if not isinstance(dense, nn.Linear) or not isinstance(getattr(pooler, "activation", None), nn.Tanh):
            return None
        head = cls(dense.in_features, dense.out_features, generator=torch.Generator())
        head.dense.load_state_dict(dense.state_dict())
        return head
