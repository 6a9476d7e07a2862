"""Measures of sentence vectors: their geometry, a verdict on collapse, agreement with people, proxies without people.

This room knows tensors and arrays only; an encoder is anything with ``.encode(list of str) -> (N, D)``.
"""

from .collapse_diagnosis import Diagnosis, diagnose
from .collapse_trend import Trend, trend
from .evidence import Difference, differences, holm, paired
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
from .nearest_sentences import Neighbours, OddOne, nearest, neighbour_agreement, odd_one_out, retrieval
from .post_processing import PostProcessed, PostProcessing
from .proxy import knn_label_accuracy, pair_auc
from .sts_scores import CollapsedEncoderError, StsLike, sts, sts_correlations
from .transfer_scores import TransferLike, classification_scores, transfer

__all__ = [
    "CollapsedEncoderError",
    "Diagnosis",
    "Difference",
    "Neighbours",
    "OddOne",
    "PostProcessed",
    "PostProcessing",
    "StsLike",
    "TransferLike",
    "Trend",
    "alignment",
    "classification_scores",
    "diagnose",
    "differences",
    "effective_rank",
    "holm",
    "knn_label_accuracy",
    "mean_cosine",
    "nearest",
    "neighbour_agreement",
    "odd_one_out",
    "pair_auc",
    "paired",
    "retrieval",
    "similarity_sum",
    "singular_values",
    "std_sqrt_d",
    "sts",
    "sts_correlations",
    "top_eigenvalue_share",
    "transfer",
    "trend",
    "uniformity",
]
