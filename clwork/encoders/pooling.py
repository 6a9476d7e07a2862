"""Token vectors to sentence vectors: pure functions of the hidden states and the attention mask."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .. import checks
from ..edges import at_least, checked, each, tensor

POOLINGS = ("cls", "cls_before_pooler", "mean", "first_last", "last2", "max")
"""All poolings. ``cls`` differs from ``cls_before_pooler`` by the encoder's head alone."""


def check_pooling(pooling: str) -> str:
    """Return ``pooling`` if it is one of :data:`POOLINGS`.

    Raises:
        ValueError: it is not.
    """
    return checks.choice("pooling", pooling, POOLINGS)


def needs_all_layers(pooling: str) -> bool:
    """Whether the pooling reads more than the last layer."""
    return pooling in ("first_last", "last2")


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.to(states.dtype).unsqueeze(-1)  # (B, T, 1)
    return (states * weights).sum(1) / weights.sum(1).clamp_min(1.0)  # (B, T, D) -> (B, D)


def _max(states: Tensor, mask: Tensor) -> Tensor:
    hidden = mask.unsqueeze(-1) == 0  # (B, T, 1)
    largest = states.masked_fill(hidden, -torch.inf).amax(1)  # (B, T, D) -> (B, D)
    return largest.masked_fill(hidden.all(1), 0.0)  # a sentence without any token is the zero vector


def _check_shapes(hidden_states: Sequence[Tensor], mask: Tensor, pooling: str) -> None:
    if not hidden_states or hidden_states[-1].ndim != 3 or mask.shape != hidden_states[-1].shape[:2]:
        shapes = [tuple(states.shape) for states in hidden_states]
        raise ValueError(f"pool takes hidden states (B, T, D) and a mask (B, T); got {shapes} and {tuple(mask.shape)}")
    if needs_all_layers(pooling) and len(hidden_states) < 2:
        raise ValueError(f"pooling {pooling!r} reads several layers, got {len(hidden_states)}: give all hidden states")
    if needs_all_layers(pooling) and len({states.shape[-1] for states in hidden_states}) > 1:
        raise ValueError(f"pooling {pooling!r} adds layers up, and here their widths differ; use 'max' or 'mean'")


STATES = each(tensor)


@checked(hidden_states=STATES, first_layer=at_least(0))
def pool(hidden_states: Sequence[Tensor], mask: Tensor, pooling: str, *, first_layer: int = 1) -> Tensor:
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
    check_pooling(pooling)
    _check_shapes(hidden_states, mask, pooling)
    last = hidden_states[-1].float()
    if pooling in ("cls", "cls_before_pooler"):
        return last[:, 0]  # (B, T, D) -> (B, D)
    if pooling == "mean":
        return _mean(last, mask)
    if pooling == "max":
        return _max(last, mask)
    if pooling == "last2":
        return _mean((hidden_states[-2].float() + last) / 2, mask)
    if not 0 <= first_layer < len(hidden_states):
        raise ValueError(f"first_layer={first_layer} is not among the {len(hidden_states)} hidden states; give 0 or 1")
    return _mean((hidden_states[first_layer].float() + last) / 2, mask)
