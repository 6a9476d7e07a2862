"""All layers of an encoder as sentence vectors, and the choice of one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from .. import checks
from ..edges import checked
from .encoder import ENCODER, Encoder, Vectors, evaluating
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


@checked(encoder=ENCODER, each=checks.whole)
def token_sample(encoder: Encoder, texts: Iterable[str], each: int = 5, *, generator: torch.Generator) -> Vectors:
    """Last-layer vectors of ``each`` random tokens of every text; all of them where a text has fewer.

    Special tokens do not count. The paper says five, its released code takes three (M14).

    Shapes: ``(N, hidden_dim)`` float32, N at most ``each`` times the number of texts. The generator is on the CPU.

    Raises:
        ValueError: ``each`` is below 1, or no text has a token.
    """
    if each < 1:
        raise ValueError(f"each={each} is too few; give 1 or more (the paper: 5)")
    found = []
    with evaluating(encoder):
        for tokens in encoder.tokenize(texts):
            places = torch.tensor([place for place, word in enumerate(tokens.words) if word >= 0], dtype=torch.long)
            states = encoder.hidden_states(encoder.collate([tokens.ids]))[-1][0]  # (T, D)
            chosen = places[torch.randperm(len(places), generator=generator)[:each]]
            found.append(states[chosen.to(states.device)].float().cpu().numpy())
    if not sum(map(len, found)):
        raise ValueError("no text has a token that is not special; give sentences with words")
    return np.concatenate(found)
