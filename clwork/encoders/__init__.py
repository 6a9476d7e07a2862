"""Sentences to vectors: transformers, poolings, heads."""

from .encoder import Encoder, evaluating
from .heads import ProjectionHead
from .loading import load_encoder
from .pooling import POOLINGS, pool
from .saving import save_encoder
from .tokens import Tokens

__all__ = ["POOLINGS", "Encoder", "ProjectionHead", "Tokens", "evaluating", "load_encoder", "pool", "save_encoder"]
