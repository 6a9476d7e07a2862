"""GCLSR's self-attention without parameters: how much a word resembles its sentence weighs its vector."""

from __future__ import annotations

import math

from torch import Tensor

from ..edges import checked


@checked()
def word_importance(vectors: Tensor, mask: Tensor, *, scaled: bool = True, pad_fill: float = 0.0) -> Tensor:
    """``a_i = Σ_j x_i · x_j / √d`` over the words j of the sentence, i itself among them (GCLSR §3.2, algorithm 1).

    There is no softmax. The paper prints no ``√d`` (C5: the code divides; ``scaled=False`` does not) and fills
    padded pairs with "1×10 9", whose sign is lost (C4): the code has 1e-9, next to nothing, as it must be where no
    softmax follows. Any ``pad_fill`` is added once for each padded place.

    Shapes: ``(B, T, d)`` and ``(B, T)``, 1 for a word and 0 for padding; returns ``(B, T)``, 0 at padded places. An
    importance may be negative.

    >>> import torch
    >>> x = torch.tensor([[[1.0, 0.0], [1.0, 1.0], [9.0, 9.0]]])
    >>> word_importance(x, torch.tensor([[1, 1, 0]]), scaled=False)
    tensor([[2., 3., 0.]])
    """
    if vectors.ndim != 3 or mask.shape != vectors.shape[:2]:
        raise ValueError(
            f"word vectors must be (B, T, d) and their mask (B, T); got {tuple(vectors.shape)} and {tuple(mask.shape)}"
        )
    present = mask.to(vectors.dtype)
    words = vectors * present[..., None]
    total = words.sum(dim=1, keepdim=True)  # Σ_j x_j: summing first makes T² products T, with the same result
    weights: Tensor = (words * total).sum(dim=-1) / (math.sqrt(vectors.shape[-1]) if scaled else 1.0)  # (B, T)
    absent = (1 - present).sum(dim=1, keepdim=True)
    return (weights + pad_fill * absent) * present


def word_attention(vectors: Tensor, mask: Tensor, *, scaled: bool = True, pad_fill: float = 0.0) -> Tensor:
    """Each word's vector times its :func:`word_importance`; ``(B, T, d)`` to ``(B, T, d)``.

    Raises:
        ValueError: shapes that do not fit.
    """
    return vectors * word_importance(vectors, mask, scaled=scaled, pad_fill=pad_fill)[..., None]
