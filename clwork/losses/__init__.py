"""Losses: tensors in, one number out; a file for each paper, on one shared InfoNCE."""

from .gclsr import gclsr
from .infonce import info_nce
from .mocoutrl import long_span, mocoutrl, token_level
from .self_guided import parameter_distance, self_guided
from .simcse import simcse

__all__ = ["gclsr", "info_nce", "long_span", "mocoutrl", "parameter_distance", "self_guided", "simcse", "token_level"]
