"""Losses: tensors in, one number out; a file for each paper, on one shared InfoNCE.

For losses of one's own there is what these are made of: the checks, ``unit`` and ``at_least_float32``.
"""

from ..arithmetic import at_least_float32, unit
from .checks import check_same_shape, check_vectors, check_weight
from .dclr_loss import dclr, instance_weights, softmax_mass
from .distillation_loss import distillation
from .gclsr_loss import gclsr
from .infonce import info_nce
from .mocoutrl_loss import long_span, mocoutrl, token_level
from .pair_gradients import GradientShares, gradient_shares
from .self_guided_loss import parameter_distance, self_guided
from .simcse_loss import simcse

__all__ = [
    "GradientShares",
    "at_least_float32",
    "check_same_shape",
    "check_vectors",
    "check_weight",
    "dclr",
    "distillation",
    "gclsr",
    "gradient_shares",
    "info_nce",
    "instance_weights",
    "long_span",
    "mocoutrl",
    "parameter_distance",
    "self_guided",
    "simcse",
    "softmax_mass",
    "token_level",
    "unit",
]
