"""Encoders that map sentences to vectors: transformers, TextCNN, poolings, heads."""

from .copies import MomentumDictionary
from .encoder import Encoder
from .heads import ProjectionHead
from .loading import load_encoder
from .text_cnn import textcnn, word_attention

__all__ = [
    "Encoder",
    "MomentumDictionary",
    "ProjectionHead",
    "load_encoder",
    "textcnn",
    "word_attention",
]
