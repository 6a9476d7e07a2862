"""All layers of an encoder as sentence vectors, and the choice of one of them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ..edges import checked
from .pooling import STATES, pool

LAYER_SAMPLERS = ("uniform", "average")


@checked(hidden_states=STATES)
def pool_layers(hidden_states: Sequence[Tensor], mask: Tensor, pooling: str) -> Tensor:
    """A vector per sentence and layer, each layer pooled over the tokens that the mask keeps.

    Shapes: each hidden state ``(B, T, D)``, the embedding output first; ``mask`` ``(B, T)``; returns ``(B, L, D)``
    float32, where L counts the embedding output too (13 for BERT-base).

    Raises:
        ValueError: a pooling that reads several layers, or one unknown; wrong shapes.

    >>> states = [torch.tensor([[[1.0], [3.0]]]), torch.tensor([[[5.0], [7.0]]])]
    >>> pool_layers(states, torch.tensor([[1, 1]]), "max")
    tensor([[[3.],
             [7.]]])
    """
    if not hidden_states:
        raise ValueError("hidden_states=[] holds no layer; give what encoder.hidden_states returns")
    return torch.stack([pool([states], mask, pooling) for states in hidden_states], dim=1)  # L of (B, D) -> (B, L, D)


@checked()
def one_layer(layers: Tensor, sampler: str, generator: torch.Generator) -> Tensor:
    """One vector per sentence out of those of its layers.

    ``uniform``: that of a layer drawn for each sentence anew, all equally likely (SG-BERT §3.1). ``average``: their
    mean, as one re-implementation reads it (G10); nothing is drawn.

    Shapes: ``(B, L, D)`` to ``(B, D)``. The generator is on the CPU.

    Raises:
        TypeError: no tensor, or no generator.
        ValueError: an unknown sampler, or another shape.

    >>> one_layer(torch.tensor([[[1.0], [3.0]]]), "average", torch.Generator())
    tensor([[2.]])
    """
    if layers.ndim != 3:
        raise ValueError(f"layers has shape {tuple(layers.shape)}; it must be (B, L, D)")
    if sampler == "average":
        return layers.mean(dim=1)
    if sampler != "uniform":
        raise ValueError(f"sampler={sampler!r} is not known; give one of {', '.join(map(repr, LAYER_SAMPLERS))}")
    drawn = torch.randint(layers.shape[1], (len(layers),), generator=generator).to(layers.device)  # (B,)
    return layers[torch.arange(len(layers), device=layers.device), drawn]
