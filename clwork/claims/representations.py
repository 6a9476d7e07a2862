"""What an arm's sentences are read from at test time: every ``represent`` of the ledger, by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn

from .. import _validation
from .._validation import checked, shown
from ..encoders import POOLINGS, Encoder, evaluating, wk_pool
from ..encoders.encoder import ENCODER
from ..encoders.pooling import one_layer_poolings

NAMED = (
    *POOLINGS,
    "layer N, POOLING",
    "first_last, first_layer N",
    "word average",
    "wk",
    "best of layer_grid",
    "worst of layer_grid from layer N on",
    "sentence head",
)
_LAYER = re.compile(r"layer (\d+), (\w+)")
_FIRST = re.compile(r"first_last, first_layer (\d+)")
_GRID = re.compile(r"(best|worst) of layer_grid(?: from layer (\d+) on)?")


@checked(encoder=ENCODER)
def representation(
    encoder: Encoder,
    name: str | None,
    sentences: Iterable[str],
    *,
    score: Callable[[Tensor], float] | None = None,
    head: nn.Module | None = None,
) -> Tensor:
    """Vectors of sentences under the representation that a claim's arm names, without gradient.

    None is the encoder's own, its head included. The name of a pooling is that pooling of the raw token vectors, any
    head left aside. ``"layer N, mean"`` reads layer N alone, 0 being the embeddings; ``"word average"`` is ``"layer 0,
    mean"``, which for a TextCNN is the average of the word vectors; ``"wk"`` is :func:`.wk_pool`. ``"first_last,
    first_layer 0"`` averages the embeddings with the last layer (S3). ``"best of layer_grid"`` and ``"worst of
    layer_grid from layer 1 on"`` are the cell of :meth:`.Encoder.layer_grid` that ``score`` rates highest or lowest.
    ``"sentence head"`` is the encoder's own representation sent through ``head``.

    Args:
        encoder: the encoder, trained or not.
        name: a ``represent`` of the ledger.
        sentences: texts in any ordered container.
        score: rates the vectors ``(N, D)`` of one cell, higher is better; for ``"best of"`` and ``"worst of"``.
        head: a head that training drops, such as MoCoUTRL's ``sentence_head``; for ``"sentence head"``.

    Shapes: returns ``(N, D)`` float32 on the CPU.

    Raises:
        TypeError: no encoder, or what :meth:`.Encoder.encode` refuses.
        ValueError: an unknown name, a layer that the encoder lacks, or ``score`` or ``head`` is missing.

    >>> from clwork.encoders import load_encoder
    >>> representation(load_encoder("mini"), "layer 4, mean", ["A cat."]).shape
    torch.Size([1, 256])
    """
    if name is None:
        return torch.from_numpy(encoder.encode(sentences))
    if cells := _GRID.fullmatch(name):
        return _extreme_cell(encoder, sentences, score, cells[1], int(cells[2] or 0))
    if cell := _LAYER.fullmatch("layer 0, mean" if name == "word average" else name):
        return _one_layer(encoder, sentences, int(cell[1]), cell[2])
    if name == "wk":
        return _by_wk(encoder, sentences)
    return torch.from_numpy(_as_pooled(encoder, name, head).encode(sentences))


def _as_pooled(encoder: Encoder, name: str, head: nn.Module | None) -> Encoder:
    """Return the encoder whose own representation is the named one."""
    if name == "sentence head":
        if head is None:
            raise ValueError("'sentence head' reads behind a head that training drops; give it as head=")
        return encoder.with_head(head, encoder.pooling)
    if both := _FIRST.fullmatch(name):
        return encoder.with_head(None, "first_last", int(both[1]))
    if name not in POOLINGS:
        raise ValueError(f"represent={shown(name)} is not known; give one of {', '.join(map(repr, NAMED))}")
    return encoder.with_pooling("cls") if name == "cls" else encoder.without_head(name)


def _one_layer(encoder: Encoder, texts: Iterable[str], layer: int, pooling: str) -> Tensor:
    _validation.choice("pooling of one layer", pooling, one_layer_poolings())
    grid = encoder.layer_grid(texts)
    last = max(number for number, _ in grid)
    if layer > last:
        raise ValueError(f"represent='layer {layer}, {pooling}': the encoder's layers go from 0 to {last}")
    return torch.from_numpy(grid[layer, pooling])


def _by_wk(encoder: Encoder, texts: Iterable[str]) -> Tensor:
    rows = [tokens.ids for tokens in encoder.tokenize(texts)]
    if not rows:
        return torch.zeros(0, encoder.hidden_dim)
    with evaluating(encoder):
        return encoder.forward_by_length(
            rows, forward=lambda batch: wk_pool(encoder.hidden_states(batch), batch["attention_mask"])
        ).cpu()


def _extreme_cell(
    encoder: Encoder, texts: Iterable[str], score: Callable[[Tensor], float] | None, which: str, first: int
) -> Tensor:
    """Return the vectors of the cell, from layer ``first`` on, that ``score`` rates best or worst."""
    if score is None:
        raise ValueError(f"'{which} of layer_grid' needs a judge; give score=, a function of one cell's vectors")
    cells = [torch.from_numpy(vectors) for (layer, _), vectors in encoder.layer_grid(texts).items() if layer >= first]
    if not cells:
        raise ValueError(f"'{which} of layer_grid from layer {first} on': the encoder has no layer {first}")
    rated = [score(cell) for cell in cells]
    return cells[rated.index(max(rated) if which == "best" else min(rated))]
