"""Pooling: pure functions that turn hidden states and an attention mask into one vector per sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from .. import _validation
from ..arithmetic import at_least_float32, normalize

LEAST_COSINE = 1e-3  # lower bound of a layer's cosine: a smaller one would give an excessive or negative weight


@dataclass(frozen=True)
class Pooling:
    """A rule that makes a sentence's vector from its tokens' vectors."""

    name: str  # used in configurations and saved encoders
    function: Callable[
        [Tensor, Tensor], Tensor
    ]  # mean of layers (B, T, D) and mask (B, T) to (B, D) float32
    mode: str  # the pooling mode of sentence-transformers that computes the same
    layers: tuple[int | Literal["first"], ...] = (
        -1,
    )  # averaged layers; "first" is the encoder's first_layer
    head: Literal["applied", "needed", "skipped"] = "applied"  # how the encoder's head is used

    @property
    def raw(self) -> str:
        """Name of the pooling that reads the same token vectors and skips the head."""
        return "cls_before_pooler" if self.name == "cls" else self.name

    @property
    def needs_all_layers(self) -> bool:
        """Whether the pooling reads layers other than the last."""
        return self.layers != (-1,)

    @property
    def reads_first_token(self) -> bool:
        """Whether the first token must be [CLS]."""
        return self.mode == "cls_token"

    def indices(self, count: int, first_layer: int) -> list[int]:
        """Indices of :attr:`layers` among ``count`` hidden states."""
        return [(first_layer if layer == "first" else layer) % count for layer in self.layers]


def _first_token(states: Tensor, mask: Tensor) -> Tensor:
    return states[:, 0]  # (B, T, D) -> (B, D)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.to(states.dtype).unsqueeze(-1)  # (B, T, 1)
    return (states * weights).sum(1) / weights.sum(1).clamp_min(1.0)  # (B, T, D) -> (B, D)


def _max(states: Tensor, mask: Tensor) -> Tensor:
    hidden = mask.unsqueeze(-1) == 0  # (B, T, 1)
    largest = states.masked_fill(hidden, -torch.inf).amax(1)  # (B, T, D) -> (B, D)
    return largest.masked_fill(
        hidden.all(1), 0.0
    )  # a sentence without any token is the zero vector


KNOWN = {
    pooling.name: pooling
    for pooling in (
        Pooling("cls", _first_token, "cls_token", head="needed"),
        Pooling("cls_before_pooler", _first_token, "cls_token", head="skipped"),
        Pooling("mean", _mean, "mean_tokens"),
        Pooling("first_last", _mean, "mean_tokens", layers=("first", -1)),
        Pooling("last2", _mean, "mean_tokens", layers=(-2, -1)),
        Pooling("max", _max, "max_tokens"),
    )
}
POOLINGS = tuple(KNOWN)
"""Names of the poolings. ``cls`` is ``cls_before_pooler`` followed by the encoder's head."""


def _in_the_head(states: Tensor, mask: Tensor) -> Tensor:
    raise NotImplementedError("the encoder's head reads the token vectors itself")


# Of a folder of sentence-transformers whose modules make the vector in a way that clwork lacks.
DECLARED = Pooling("declared", _in_the_head, "", layers=(), head="needed")


def known_pooling(name: str) -> Pooling:
    if name == DECLARED.name:
        return DECLARED
    return KNOWN[_validation.choice("pooling", name, POOLINGS)]


def trainable_poolings() -> tuple[str, ...]:
    """Names of the poolings that a method with its own head can train with."""
    return tuple(pooling.name for pooling in KNOWN.values() if pooling.head != "skipped")


def raw_poolings() -> tuple[str, ...]:
    """Names of the poolings that need no head."""
    return tuple(pooling.name for pooling in KNOWN.values() if pooling.head != "needed")


def one_layer_poolings() -> tuple[str, ...]:
    """Names of the poolings that apply to any single layer and need no head."""
    return tuple(p.name for p in KNOWN.values() if not p.needs_all_layers and p.head != "needed")


def pool(
    hidden_states: Sequence[Tensor], mask: Tensor, pooling: str, *, first_layer: int = 1
) -> Tensor:
    """Pool L layers ``(B, T, D)`` with mask ``(B, T)`` to vectors ``(B, D)`` float32, before any head."""
    # first_last averages `first_layer` and the last layer; first_layer is 1 in SimCSE's code and 0 in its paper (S3)
    chosen = KNOWN[pooling]
    layers = [
        at_least_float32(hidden_states[layer])
        for layer in chosen.indices(len(hidden_states), first_layer)
    ]
    return chosen.function(
        layers[0] if len(layers) == 1 else reduce(add, layers) / len(layers), mask
    )


def pool_layers(hidden_states: Sequence[Tensor], mask: Tensor, pooling: str) -> Tensor:
    """Pool each layer separately; ``pooling`` must be one that reads a single layer."""
    return torch.stack(
        [pool([states], mask, pooling) for states in hidden_states], dim=1
    )  # L of (B, D) -> (B, L, D)


def wk_pool(hidden_states: Sequence[Tensor], mask: Tensor, *, window: int = 2) -> Tensor:
    """Pool all layers to one vector per sentence by SBERT-WK, without training (Wang & Kuo 2020, section IV)."""
    # A layer's weight falls with its cosine to the neighbouring layers and grows with its part outside their span. A
    # token's weight is the variance of the cosines of consecutive layers; the last token, [SEP], has weight 0.
    if len(hidden_states) < 3 or len({states.shape for states in hidden_states}) > 1:
        raise ValueError(
            f"wk_pool needs at least three hidden states of one width, got {len(hidden_states)}"
        )
    states = torch.stack(
        [at_least_float32(layer) for layer in hidden_states], dim=2
    )  # (B, T, L, D)
    tokens = (states * _layer_weights(states, window)[..., None]).sum(dim=2)  # (B, T, D)
    steps = cosine_similarity(states[:, :, 1:], states[:, :, :-1], dim=-1)  # (B, T, L - 1)
    last = (mask * torch.arange(1, mask.shape[1] + 1, device=mask.device)).argmax(
        dim=1, keepdim=True
    )  # (B, 1)
    counted = (mask != 0).to(states.dtype)
    counted = torch.where(
        counted.sum(dim=1, keepdim=True) > 1, counted.scatter(1, last, 0.0), counted
    )
    importance = steps.var(dim=-1, correction=0) * counted  # (B, T)
    importance = torch.where(
        importance.sum(dim=1, keepdim=True) > 0, importance, counted
    )  # one-token texts
    importance = importance / importance.sum(dim=1, keepdim=True).clamp_min(1e-12)
    return (tokens * importance[..., None]).sum(dim=1)


def _layer_weights(states: Tensor, window: int) -> Tensor:
    """Weights ``(B, T, L)`` of each token's layers: the mean of alignment and novelty, each scaled to sum 1."""
    count = states.shape[2]
    alignments, novelties = [], []
    for layer in range(count):
        near = [
            other
            for other in range(max(0, layer - window), min(count, layer + window + 1))
            if other != layer
        ]
        vector, context = (
            states[:, :, layer, :, None],
            normalize(states[:, :, near]),
        )  # (B, T, D, 1), (B, T, K, D)
        basis, _ = torch.linalg.qr(context.mT)  # (B, T, D, K)
        inside = basis @ (basis.mT @ vector)  # (B, T, D, 1)
        along = (context @ vector).mean(dim=2).squeeze(-1) / _length(
            inside
        )  # (B, T), a mean cosine
        alignments.append(1 / (2 * (len(near) + 1) * along.clamp_min(LEAST_COSINE)))
        novelties.append(_length(vector - inside) / _length(vector))
    shares = [torch.stack(parts, dim=-1) for parts in (alignments, novelties)]  # two of (B, T, L)
    return torch.stack(
        [part / part.sum(dim=-1, keepdim=True).clamp_min(1e-12) for part in shares]
    ).mean(dim=0)


def _length(vectors: Tensor) -> Tensor:
    """Lengths ``(B, T)`` of vectors ``(B, T, D, 1)``, at least 1e-12."""
    length: Tensor = torch.linalg.vector_norm(vectors, dim=(2, 3))
    return length.clamp_min(1e-12)


def one_layer(
    layers: Tensor, sampler: Literal["uniform", "average"], generator: torch.Generator
) -> Tensor:
    """Draw one layer's vector per sentence (SG-BERT §3.1), or average all (G10): ``(B, L, D)`` to ``(B, D)``."""
    if sampler == "average":
        return layers.mean(dim=1)
    drawn = torch.randint(layers.shape[1], (len(layers),), generator=generator).to(
        layers.device
    )  # (B,)
    return layers[torch.arange(len(layers), device=layers.device), drawn]
