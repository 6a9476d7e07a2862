"""Losses: tensors in, one number out; a file for each paper, on one shared InfoNCE."""

from .infonce import info_nce
from .simcse import simcse

__all__ = ["info_nce", "simcse"]
