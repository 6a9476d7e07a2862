"""Token vectors to sentence vectors: pure functions of the hidden states and the attention mask."""

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
from .._validation import Natural, Positive, checked, each, tensor
from ..arithmetic import at_least_float32, normalize

LEAST_COSINE = 1e-3  # below it a layer's alignment would outweigh all others, or turn negative
LAYER_SAMPLERS = ("uniform", "average")
ModeOfOthers = Literal["cls_token", "mean_tokens", "max_tokens"]


@dataclass(frozen=True)
class Pooling:
    """One way to make a sentence's vector of its tokens' vectors.

    Attributes:
        name: what configurations and saved encoders call it.
        function: of the layers' mean ``(B, T, D)``, float32, and the mask ``(B, T)``; returns ``(B, D)``.
        layers: which hidden states are averaged; ``"first"`` stands for ``first_layer``, negative numbers count from
            the last.
        mode: the ``pooling_mode`` with which ``sentence-transformers`` computes ``function``; None where it has none,
            and the encoder is then saved for clwork alone.
        head: ``"applied"`` if the encoder has one, ``"needed"`` (else refused), or left ``"aside"``.
        raw: the pooling of the same token vectors that leaves the head aside; itself unless given.
        first_token: whether it reads the first token, which then has to be [CLS].
    """

    name: str
    function: Callable[[Tensor, Tensor], Tensor]
    layers: tuple[int | Literal["first"], ...] = (-1,)
    mode: ModeOfOthers | None = None
    head: Literal["applied", "needed", "aside"] = "applied"
    raw: str = ""
    first_token: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "raw", self.raw or self.name)

    @property
    def needs_all_layers(self) -> bool:
        """Whether it reads more than the last layer."""
        return self.layers != (-1,)

    def indices(self, count: int, first_layer: int) -> list[int]:
        """Return the places of :attr:`layers` among ``count`` hidden states.

        Raises:
            ValueError: one is not among them.
        """
        if "first" in self.layers and not 0 <= first_layer < count:
            raise ValueError(f"first_layer={first_layer} is not among the {count} hidden states; give 0 or 1")
        places = [first_layer if layer == "first" else layer for layer in self.layers]
        if max(places) >= count or min(places) < -count:
            raise ValueError(f"pooling {self.name!r} reads hidden states {places}, got {count}: give all hidden states")
        return [place % count for place in places]


def _first_token(states: Tensor, mask: Tensor) -> Tensor:
    return states[:, 0]  # (B, T, D) -> (B, D)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.to(states.dtype).unsqueeze(-1)  # (B, T, 1)
    return (states * weights).sum(1) / weights.sum(1).clamp_min(1.0)  # (B, T, D) -> (B, D)


def _max(states: Tensor, mask: Tensor) -> Tensor:
    hidden = mask.unsqueeze(-1) == 0  # (B, T, 1)
    largest = states.masked_fill(hidden, -torch.inf).amax(1)  # (B, T, D) -> (B, D)
    return largest.masked_fill(hidden.all(1), 0.0)  # a sentence without any token is the zero vector


KNOWN = {
    pooling.name: pooling
    for pooling in (
        Pooling("cls", _first_token, mode="cls_token", head="needed", raw="cls_before_pooler", first_token=True),
        Pooling("cls_before_pooler", _first_token, mode="cls_token", head="aside", first_token=True),
        Pooling("mean", _mean, mode="mean_tokens"),
        Pooling("first_last", _mean, layers=("first", -1), mode="mean_tokens"),
        Pooling("last2", _mean, layers=(-2, -1), mode="mean_tokens"),
        Pooling("max", _max, mode="max_tokens"),
    )
}
POOLINGS = tuple(KNOWN)
"""The poolings that clwork brings. ``cls`` differs from ``cls_before_pooler`` by the encoder's head alone."""


@checked()
def register_pooling(pooling: Pooling) -> Pooling:
    """Register a pooling by name, in this process, for encoders and for methods that offer a choice of poolings.

    An encoder saved with it can be loaded where it is registered. Registering a name again replaces the earlier
    pooling; built-in ones cannot be replaced.

    Raises:
        TypeError: something else than a :class:`Pooling`.
        ValueError: a built-in pooling has this name.
    """
    if pooling.name in POOLINGS:
        raise ValueError(f"there is a pooling {pooling.name!r} already; give this one another name")
    KNOWN[pooling.name] = pooling
    return pooling


def known_pooling(name: str) -> Pooling:
    """Look up a pooling by name.

    Raises:
        ValueError: there is none.
    """
    return KNOWN[_validation.choice("pooling", name, tuple(KNOWN))]


def trainable_poolings() -> tuple[str, ...]:
    """Names of the poolings that a method with a head of its own can train with."""
    return tuple(pooling.name for pooling in KNOWN.values() if pooling.head != "aside")


def one_layer_poolings() -> tuple[str, ...]:
    """Names of the poolings that read any one layer and need no head."""
    return tuple(p.name for p in KNOWN.values() if not p.needs_all_layers and p.head != "needed")


def _check_shapes(hidden_states: Sequence[Tensor], mask: Tensor, pooling: Pooling) -> None:
    if not hidden_states or hidden_states[-1].ndim != 3 or mask.shape != hidden_states[-1].shape[:2]:
        shapes = [tuple(states.shape) for states in hidden_states]
        raise ValueError(f"pool takes hidden states (B, T, D) and a mask (B, T); got {shapes} and {tuple(mask.shape)}")
    if pooling.needs_all_layers and len(hidden_states) < 2:
        raise ValueError(
            f"pooling {pooling.name!r} reads several layers, got {len(hidden_states)}: give all hidden states"
        )
    if pooling.needs_all_layers and len({states.shape[-1] for states in hidden_states}) > 1:
        raise ValueError(f"pooling {pooling.name!r} adds layers up, and here their widths differ; use 'max' or 'mean'")


STATES = each(tensor)


@checked(hidden_states=STATES)
def pool(hidden_states: Sequence[Tensor], mask: Tensor, pooling: str, *, first_layer: Natural = 1) -> Tensor:
    """One vector per sentence, before any head.

    ``cls`` and ``cls_before_pooler``: the first token of the last layer. ``mean``: mean of the last layer over the
    tokens that the mask keeps, [CLS] and [SEP] among them. ``max``: their maximum per dimension. ``last2``: mean of
    the last two layers' means. ``first_last``: mean of the means of layer ``first_layer`` and the last. SimCSE's
    released code takes layer 1 (the default here, "fixed"); its paper's BERT baseline of 56.70 took the embedding
    output, ``first_layer=0`` (S3; princeton-nlp/SimCSE issue 285).

    Shapes: each hidden state ``(B, T, D)``, embedding output first, last layer last (for ``cls``, ``mean`` and
    ``max`` the last alone will do); ``mask`` ``(B, T)``, 1 for a token, 0 for padding; returns ``(B, D)`` float32.

    Raises:
        ValueError: unknown pooling, wrong shapes, or too few layers.

    >>> pool([torch.tensor([[[1.0], [3.0], [9.0]]])], torch.tensor([[1, 1, 0]]), "mean")
    tensor([[2.]])
    """
    chosen = known_pooling(pooling)
    _check_shapes(hidden_states, mask, chosen)
    layers = [at_least_float32(hidden_states[layer]) for layer in chosen.indices(len(hidden_states), first_layer)]
    return chosen.function(layers[0] if len(layers) == 1 else reduce(add, layers) / len(layers), mask)


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


@checked(hidden_states=STATES)
def wk_pool(hidden_states: Sequence[Tensor], mask: Tensor, *, window: Positive = 2) -> Tensor:
    """One vector per sentence of all its layers, without training: SBERT-WK (Wang & Kuo 2020, section IV).

    A token's vector is a weighted mean over layers. With the layers up to ``window`` before and after as its context
    (released code: for the first two layers only those after), a layer weighs more the less it points along its
    context (alignment, ``1 / (2 K mean_c cos(c, P v))`` with ``P v`` its part within the context's span and K - 1
    layers there), and the more of it lies outside that span (novelty, ``‖v - P v‖ / ‖v‖``); both are divided by
    their sum over layers and averaged. A sentence's vector is the mean over its tokens but the last, which closes
    the sentence, weighed by the variance of the cosine between neighbouring layers.

    Shapes: three or more hidden states ``(B, T, D)`` of one width, embedding output first (the paper left out
    BERT's first four); ``mask`` ``(B, T)``; returns ``(B, D)`` float32.

    Raises:
        TypeError: no tensors.
        ValueError: wrong shapes, widths that differ, fewer than three layers, a window below 1.

    >>> states = [torch.tensor([[[1.0, 0.0], [9.0, 9.0]]]), torch.tensor([[[1.0, 1.0], [9.0, 9.0]]])]
    >>> wk_pool([*states, states[0]], torch.tensor([[1, 1]])).shape
    torch.Size([1, 2])
    """
    _check_shapes(hidden_states, mask, KNOWN["mean"])
    if len(hidden_states) < 3 or len({states.shape for states in hidden_states}) > 1:
        shapes = [tuple(states.shape) for states in hidden_states]
        raise ValueError(f"wk_pool compares three or more layers of one width, got {shapes}; give all hidden states")
    states = torch.stack([at_least_float32(layer) for layer in hidden_states], dim=2)  # (B, T, L, D)
    tokens = (states * _layer_weights(states, window)[..., None]).sum(dim=2)  # (B, T, D)
    steps = cosine_similarity(states[:, :, 1:], states[:, :, :-1], dim=-1)  # (B, T, L - 1)
    last = (mask * torch.arange(1, mask.shape[1] + 1, device=mask.device)).argmax(dim=1, keepdim=True)  # (B, 1)
    kept = (mask != 0).to(states.dtype)
    kept = torch.where(kept.sum(dim=1, keepdim=True) > 1, kept.scatter(1, last, 0.0), kept)
    importance = steps.var(dim=-1, correction=0) * kept  # (B, T)
    importance = torch.where(importance.sum(dim=1, keepdim=True) > 0, importance, kept)  # one-token sentences, say
    importance = importance / importance.sum(dim=1, keepdim=True).clamp_min(1e-12)
    return (tokens * importance[..., None]).sum(dim=1)


def _layer_weights(states: Tensor, window: int) -> Tensor:
    """Weights ``(B, T, L)`` of each token's layers, summing to 1: half of alignment, half of novelty."""
    count = states.shape[2]
    alignments, novelties = [], []
    for layer in range(count):
        near = [other for other in range(max(0, layer - window), min(count, layer + window + 1)) if other != layer]
        vector, context = states[:, :, layer, :, None], normalize(states[:, :, near])  # (B, T, D, 1), (B, T, K, D)
        basis, _ = torch.linalg.qr(context.mT)  # (B, T, D, K)
        inside = basis @ (basis.mT @ vector)  # (B, T, D, 1)
        along = (context @ vector).mean(dim=2).squeeze(-1) / _length(inside)  # (B, T), a mean cosine
        alignments.append(1 / (2 * (len(near) + 1) * along.clamp_min(LEAST_COSINE)))
        novelties.append(_length(vector - inside) / _length(vector))
    shares = [torch.stack(parts, dim=-1) for parts in (alignments, novelties)]  # two of (B, T, L)
    return torch.stack([part / part.sum(dim=-1, keepdim=True).clamp_min(1e-12) for part in shares]).mean(dim=0)


def _length(vectors: Tensor) -> Tensor:
    """Lengths of ``(B, T, D, 1)``, never 0: ``(B, T)``."""
    length: Tensor = torch.linalg.vector_norm(vectors, dim=(2, 3))
    return length.clamp_min(1e-12)


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
