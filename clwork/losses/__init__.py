"""Loss functions on tensors, one file per paper, all computed from one shared InfoNCE.

The checks, ``normalize`` and ``at_least_float32`` help to write new losses.
"""

from ..arithmetic import at_least_float32, normalize
from ._dclr import dclr, instance_weights, softmax_mass
from ._gclsr import gclsr
from ._mocoutrl import long_span, mocoutrl, token_level
from ._self_guided import parameter_distance, self_guided
from ._simcse import simcse
from .checks import check_same_shape, check_vectors, check_weight
from .infonce import info_nce, info_nce_scores

__all__ = [
    "at_least_float32",
    "check_same_shape",
    "check_vectors",
    "check_weight",
    "dclr",
    "gclsr",
    "info_nce",
    "info_nce_scores",
    "instance_weights",
    "long_span",
    "mocoutrl",
    "normalize",
    "parameter_distance",
    "self_guided",
    "simcse",
    "softmax_mass",
    "token_level",
]
