"""Sentences to vectors: transformers, poolings, heads."""

from .encoder import Encoder, evaluating
from .frozen import Frozen
from .heads import ProjectionHead
from .layers import one_layer, pool_layers
from .loading import load_encoder
from .pooling import POOLINGS, pool
from .saving import save_encoder
from .tokens import Tokens

__all__ = [
    "POOLINGS",
    "Encoder",
    "Frozen",
    "ProjectionHead",
    "Tokens",
    "evaluating",
    "load_encoder",
    "one_layer",
    "pool",
    "pool_layers",
    "save_encoder",
]
