"""Augmentations that make positives and negatives: dropout masks, deleted or swapped words, changed vectors, noise."""

from .dropout import Dropout, same_masks
from .embedding_cutoff import at_embeddings, cutoff
from .noise import ascend_noise, beta_rel, gaussian_noise, noise_negatives, perturb, step_size_for
from .swaps import Slot, Swaps, replace_word, slots, span_means, span_pieces, span_weights, swap_word
from .text import (
    EdaOperation,
    WordAugmentation,
    crop,
    delete_one_word,
    delete_words,
    eda,
    exchange_synonyms,
    register_augmentation,
    shuffle_tokens,
)
from .word_vector_augmentation import background_noise, fourier, gaussian_white_noise, pwva, random_zeros

__all__ = [
    "Dropout",
    "EdaOperation",
    "Slot",
    "Swaps",
    "WordAugmentation",
    "ascend_noise",
    "at_embeddings",
    "background_noise",
    "beta_rel",
    "crop",
    "cutoff",
    "delete_one_word",
    "delete_words",
    "eda",
    "exchange_synonyms",
    "fourier",
    "gaussian_noise",
    "gaussian_white_noise",
    "noise_negatives",
    "perturb",
    "pwva",
    "random_zeros",
    "register_augmentation",
    "replace_word",
    "same_masks",
    "shuffle_tokens",
    "slots",
    "span_means",
    "span_pieces",
    "span_weights",
    "step_size_for",
    "swap_word",
]
