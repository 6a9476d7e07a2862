"""Pooling: pure functions from hidden states and a mask to one vector per sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from .. import _validation
from ..arithmetic import at_least_float32, normalize

WINDOW = 2  # in wk_pool: how many layers on each side a layer is compared with
LEAST_COSINE = 1e-3  # in wk_pool: a smaller one would give an excessive or negative weight
TINY = 1e-12  # keeps a division by a sum or a length finite


@dataclass(frozen=True)
class Pooling:
    """A rule that makes a sentence's vector from its tokens' vectors.

    A new one needs a line in ``KNOWN``, and its name in ``TrainedPooling`` and ``RawPooling`` of
    clwork/methods/hyperparameters.py, so that methods can train it.

    Attributes:
        name: used in configurations and saved encoders.
        function: maps the mean of :attr:`layers` ``(B, T, D)`` and a mask ``(B, T)`` to ``(B, D)``.
        mode: the pooling mode of sentence-transformers that computes the same, a key of
            ``POOLING_FLAGS`` in saving.py. A pooling that it lacks cannot be exported: see there.
        layers: the layers that are averaged; 0 is the output of the embeddings, -1 the last layer.
        head: what happens to the result: the encoder's head is "applied" if it has one, is
            "needed", so that an encoder without one is refused, or is "skipped".
    """

    name: str
    function: Callable[[Tensor, Tensor], Tensor]
    mode: str
    layers: tuple[int, ...] = (-1,)
    head: Literal["applied", "needed", "skipped"] = "applied"

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
        return self.mode == "cls"


def _first_token(states: Tensor, mask: Tensor) -> Tensor:
    return states[:, 0]  # (B, T, D) -> (B, D)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.to(states.dtype).unsqueeze(-1)  # (B, T, 1)
    # At least 1, so that a row without tokens becomes the zero vector.
    return (states * weights).sum(1) / weights.sum(1).clamp_min(1.0)  # (B, T, D) -> (B, D)


def _max(states: Tensor, mask: Tensor) -> Tensor:
    padded = mask.unsqueeze(-1) == 0  # (B, T, 1)
    largest = states.masked_fill(padded, -torch.inf).amax(1)  # (B, T, D) -> (B, D)
    return largest.masked_fill(padded.all(1), 0.0)  # without any token, the zero vector


def _by_the_head(states: Tensor, mask: Tensor) -> Tensor:
    raise NotImplementedError("the encoder's head reads the token vectors itself")


KNOWN = {
    pooling.name: pooling
    for pooling in (
        Pooling("cls", _first_token, "cls", head="needed"),
        Pooling("cls_before_pooler", _first_token, "cls", head="skipped"),
        Pooling("mean", _mean, "mean"),
        Pooling("first_last", _mean, "mean", layers=(1, -1)),
        Pooling("last2", _mean, "mean", layers=(-2, -1)),
        Pooling("max", _max, "max"),
    )
}
POOLINGS = tuple(KNOWN)
"""Names of the poolings. ``cls`` is ``cls_before_pooler`` followed by the encoder's head."""

# The pooling of a folder of sentence-transformers whose modules pool in a way that clwork lacks. It
# is no choice of a user, and so not among POOLINGS.
DECLARED = Pooling("declared", _by_the_head, "", layers=(), head="needed")


def known_pooling(name: str) -> Pooling:
    """Return the pooling of a name; raise a ValueError with the nearest name if there is none."""
    if name == DECLARED.name:
        return DECLARED
    return KNOWN[_validation.choice("pooling", name, POOLINGS)]


def one_layer_poolings() -> tuple[str, ...]:
    """Names of the poolings that apply to any single layer and need no head."""
    return tuple(
        pooling.name
        for pooling in KNOWN.values()
        if pooling.head != "needed" and not pooling.needs_all_layers
    )


def pool(hidden_states: Sequence[Tensor], mask: Tensor, pooling: str) -> Tensor:
    """Pool L layers ``(B, T, D)`` with mask ``(B, T)`` to vectors ``(B, D)``, before any head.

    ``first_last`` averages layer 1 and the last, as SimCSE's code; its paper took layer 0, the
    output of the embeddings, as the first (S3).
    """
    chosen = KNOWN[pooling]
    layers = [at_least_float32(hidden_states[layer]) for layer in chosen.layers]
    if len(layers) == 1:
        return chosen.function(layers[0], mask)
    return chosen.function(sum(layers[1:], layers[0]) / len(layers), mask)


def pool_layers(hidden_states: Sequence[Tensor], mask: Tensor, pooling: str) -> Tensor:
    """Pool each of L layers separately to ``(B, L, D)``; ``pooling`` must read a single layer."""
    return torch.stack([pool([states], mask, pooling) for states in hidden_states], dim=1)


def one_layer(layers: Tensor, generator: torch.Generator) -> Tensor:
    """Draw one layer's vector for each sentence (SG-BERT §3.1). The generator must be on the CPU.

    Shapes: ``(B, L, D)`` to ``(B, D)``.
    """
    drawn = torch.randint(layers.shape[1], (len(layers),), generator=generator)  # (B,)
    return layers[torch.arange(len(layers), device=layers.device), drawn.to(layers.device)]


def wk_pool(hidden_states: Sequence[Tensor], mask: Tensor) -> Tensor:
    """Pool all layers by SBERT-WK, without training (Wang & Kuo 2020, section IV).

    First, each token's layers become one vector: a layer's weight falls with its cosine to the
    layers at most ``WINDOW`` away from it, and grows with its part outside their span. Then the
    tokens become one vector: a token's weight is the variance of the cosines of consecutive layers;
    the last token, [SEP], has weight 0. It is a baseline of SG-BERT's paper.

    Shapes: L of ``(B, T, D)``, at least three, and a mask ``(B, T)``, to ``(B, D)``.
    """
    layers = [at_least_float32(layer) for layer in hidden_states]
    states = torch.stack(layers, dim=2)  # (B, T, L, D)
    tokens = (states * _layer_weights(states)[..., None]).sum(dim=2)  # (B, T, D)

    cosines = cosine_similarity(states[:, :, 1:], states[:, :, :-1], dim=-1)  # (B, T, L - 1)
    # True at all tokens of a row except its last one: up to them, the row has not ended.
    is_before_last = mask.cumsum(dim=1) < mask.sum(dim=1, keepdim=True)  # (B, T)
    importance = cosines.var(dim=-1, correction=0) * is_before_last  # (B, T)
    shares = importance / importance.sum(dim=1, keepdim=True).clamp_min(TINY)
    return (tokens * shares[..., None]).sum(dim=1)


def _layer_weights(states: Tensor) -> Tensor:
    """Return the weights ``(B, T, L)`` of each token's layers ``(B, T, L, D)``.

    They are the mean of two weights, "alignment" and "novelty" in the paper, each scaled to the sum
    1 over the layers.
    """
    count = states.shape[2]
    alignments = []
    novelties = []
    for layer in range(count):
        window_layers = range(max(0, layer - WINDOW), min(count, layer + WINDOW + 1))
        neighbours = [other for other in window_layers if other != layer]  # K layers
        vector = states[:, :, layer, :, None]  # (B, T, D, 1)
        context = normalize(states[:, :, neighbours])  # (B, T, K, D)

        # The vector's part inside the span of its neighbours, by an orthonormal basis.
        basis, _ = torch.linalg.qr(context.mT)  # (B, T, D, K)
        inside = basis @ (basis.mT @ vector)  # (B, T, D, 1)

        cosine = (context @ vector).mean(dim=2).squeeze(-1) / _length(inside)  # (B, T)
        alignments.append(1 / (2 * (len(neighbours) + 1) * cosine.clamp_min(LEAST_COSINE)))
        novelties.append(_length(vector - inside) / _length(vector))
    weights = torch.stack([torch.stack(alignments, -1), torch.stack(novelties, -1)])
    shares = weights / weights.sum(dim=-1, keepdim=True).clamp_min(TINY)  # (2, B, T, L)
    return shares.mean(dim=0)


def _length(vectors: Tensor) -> Tensor:
    """Return the lengths ``(B, T)`` of vectors ``(B, T, D, 1)``, at least ``TINY``."""
    length: Tensor = torch.linalg.vector_norm(vectors, dim=(2, 3))
    return length.clamp_min(TINY)
