"""Sentences to vectors: transformers, TextCNN over word vectors, poolings, heads."""

from .copies import Frozen, MomentumDictionary
from .corpus_vectors import encode_corpus
from .disk.saving import save_encoder
from .encoder import Encoder, evaluating, token_sample
from .heads import ProjectionHead
from .loading import base_of, load_encoder
from .pooling import POOLINGS, Pooling, one_layer, pool, pool_layers, register_pooling, wk_pool
from .textcnn.text_cnn import textcnn, word_attention, word_importance
from .tokens import Tokens
from .unknown_words import Reading, readings

__all__ = [
    "POOLINGS",
    "Encoder",
    "Frozen",
    "MomentumDictionary",
    "Pooling",
    "ProjectionHead",
    "Reading",
    "Tokens",
    "base_of",
    "encode_corpus",
    "evaluating",
    "load_encoder",
    "one_layer",
    "pool",
    "pool_layers",
    "readings",
    "register_pooling",
    "save_encoder",
    "textcnn",
    "token_sample",
    "wk_pool",
    "word_attention",
    "word_importance",
]
