"""Measures of sentence vectors: geometry, collapse, agreement with human ratings, and proxies.

The package depends on tensors and arrays only; an encoder is any object with
``.encode(list of str) -> (N, D)``.
"""

from .diagnosis import diagnose
from .geometry import (
    alignment,
    effective_rank,
    mean_cosine,
    std_sqrt_d,
    uniformity,
    wasserstein_to_uniform,
)
from .neighbours import nearest, neighbour_agreement
from .proxies import pair_auc
from .seeds import differences, paired
from .sts_scores import sts

__all__ = [
    "alignment",
    "diagnose",
    "differences",
    "effective_rank",
    "mean_cosine",
    "nearest",
    "neighbour_agreement",
    "pair_auc",
    "paired",
    "std_sqrt_d",
    "sts",
    "uniformity",
    "wasserstein_to_uniform",
]
