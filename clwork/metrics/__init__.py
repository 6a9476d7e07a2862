"""Measures of sentence vectors: their geometry, a verdict on collapse, agreement with people, proxies without people.

This room knows tensors and arrays only; an encoder is anything with ``.encode(list of str) -> (N, D)``.
"""

from .diagnose import Diagnosis, diagnose
from .geometry import (
    alignment,
    effective_rank,
    mean_cosine,
    similarity_sum,
    singular_values,
    std_sqrt_d,
    top_eigenvalue_share,
    uniformity,
)
from .proxy import same_group_auc, topic_knn
from .sts import CollapsedEncoderError, StsLike, sts

__all__ = [
    "CollapsedEncoderError",
    "Diagnosis",
    "StsLike",
    "alignment",
    "diagnose",
    "effective_rank",
    "mean_cosine",
    "same_group_auc",
    "similarity_sum",
    "singular_values",
    "std_sqrt_d",
    "sts",
    "top_eigenvalue_share",
    "topic_knn",
    "uniformity",
]
