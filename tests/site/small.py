"""Two encoders for the page without a training run: mini, and mini with slightly changed weights."""

from __future__ import annotations

import copy

import torch

import clwork
from clwork.encoders import Encoder

TEXTS = list(clwork.data.sentences("wikipedia-mini")[:40])


def moved(encoder: Encoder, by: float = 0.02) -> Encoder:
    """A copy whose weights have noise of a share of their size, as after a short run."""
    other = copy.deepcopy(encoder).with_pooling("cls_before_pooler")
    draw = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in other.backbone.parameters():
            weight.add_(by * weight.std() * torch.randn(weight.shape, generator=draw))
    return other
