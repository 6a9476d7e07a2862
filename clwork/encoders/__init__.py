"""Encoders that map sentences to vectors: transformers, TextCNN, poolings, heads."""

from .copies import MomentumDictionary
from .encoder import Encoder
from .heads import ProjectionHead
from .loading import load_encoder
from .text_cnn import textcnn, word_attention, word_importance
from .tokens import token_sample
from .word_embeddings import word_vectors

__all__ = [
    "Encoder",
    "MomentumDictionary",
    "ProjectionHead",
    "load_encoder",
    "textcnn",
    "token_sample",
    "word_attention",
    "word_importance",
    "word_vectors",
]
