"""How a positive is made, and some negatives: dropout masks, words taken away or swapped, vectors changed, noise."""

from .cutoff import at_embeddings, cutoff
from .dropout import Dropout
from .noise import ascend_noise, beta_rel, gaussian_noise, noise_negatives, step_size_for
from .text import crop, delete_one_word, delete_words, shuffle_tokens

__all__ = [
    "Dropout",
    "ascend_noise",
    "at_embeddings",
    "beta_rel",
    "crop",
    "cutoff",
    "delete_one_word",
    "delete_words",
    "gaussian_noise",
    "noise_negatives",
    "shuffle_tokens",
    "step_size_for",
]
