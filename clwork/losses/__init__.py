"""Losses: tensors in, one number out; a file for each paper, on one shared InfoNCE."""

from .gclsr import gclsr
from .infonce import info_nce
from .mocoutrl import long_span, mocoutrl, token_level
from .simcse import simcse

__all__ = ["gclsr", "info_nce", "long_span", "mocoutrl", "simcse", "token_level"]
