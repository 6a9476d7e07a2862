"""SimSiam's two heads (Chen & He 2021, §3), in the widths that GCLSR gives them: projector and predictor."""

from __future__ import annotations

import torch
from torch import nn

from .text_cnn import draw_weights


def _linear(inputs: int, outputs: int, generator: torch.Generator, bias: bool = True) -> nn.Linear:
    # made without weights first, for the usual constructor would draw them from the global random state
    layer = nn.Linear(inputs, outputs, bias=bias, device="meta").to_empty(device="cpu")
    draw_weights(layer, generator)
    return layer


def projector(dim: int, width: int, *, last_norm: bool = True, generator: torch.Generator) -> nn.Sequential:
    """Three layers of ``width``, each behind batch norm and ReLU but the last, which has no ReLU (GCLSR §4.1).

    Whether the last has a batch norm the paper leaves open; the released code and SimSiam have one, without trained
    scale (C10; ``last_norm=False`` leaves it out). A layer before a batch norm has no bias, which the norm would take
    away again.

    Shapes: ``(B, dim)`` to ``(B, width)``; in training mode B ≥ 2.
    """
    layers: list[nn.Module] = []
    for inputs in (dim, width):
        layers += [_linear(inputs, width, generator, bias=False), nn.BatchNorm1d(width), nn.ReLU()]
    layers += [_linear(width, width, generator, bias=not last_norm)]
    return nn.Sequential(*layers, *([nn.BatchNorm1d(width, affine=False)] if last_norm else []))


def predictor(width: int, hidden: int, *, generator: torch.Generator) -> nn.Sequential:
    """Two layers with a bottleneck between: ``width`` to ``hidden`` with batch norm and ReLU, and back, bare.

    Shapes: ``(B, width)`` to ``(B, width)``; in training mode B ≥ 2.
    """
    narrow = [_linear(width, hidden, generator, bias=False), nn.BatchNorm1d(hidden), nn.ReLU()]
    return nn.Sequential(*narrow, _linear(hidden, width, generator))
