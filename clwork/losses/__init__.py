"""Losses: tensors in, one number out; a file for each paper, on one shared InfoNCE.

For losses of one's own there is what these are made of: the checks, ``normalize`` and ``at_least_float32``.
"""

from ..arithmetic import at_least_float32, normalize
from .checks import Variant, check_same_shape, check_vectors, check_weight
from .dclr_loss import GradientShares, Masses, dclr, dclr_scores, gradient_shares, instance_weights, softmax_mass
from .gclsr_loss import gclsr
from .infonce import Scores, info_nce, info_nce_scores
from .mocoutrl_loss import LongForm, TokenForm, long_span, long_span_scores, mocoutrl, token_level
from .self_guided_loss import DistanceReduction, GuidedForm, parameter_distance, self_guided, self_guided_scores
from .simcse_loss import simcse, simcse_scores

__all__ = [
    "DistanceReduction",
    "GradientShares",
    "GuidedForm",
    "LongForm",
    "Masses",
    "Scores",
    "TokenForm",
    "Variant",
    "at_least_float32",
    "check_same_shape",
    "check_vectors",
    "check_weight",
    "dclr",
    "dclr_scores",
    "gclsr",
    "gradient_shares",
    "info_nce",
    "info_nce_scores",
    "instance_weights",
    "long_span",
    "long_span_scores",
    "mocoutrl",
    "normalize",
    "parameter_distance",
    "self_guided",
    "self_guided_scores",
    "simcse",
    "simcse_scores",
    "softmax_mass",
    "token_level",
]
