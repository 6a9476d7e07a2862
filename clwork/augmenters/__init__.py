"""Augmentations that make positives and negatives: of dropout, words, word vectors and noise."""

from .dropout import Dropout
from .noise import ascend_noise, noise_negatives, perturb, step_size_for
from .word_vectors import (
    background_noise,
    fourier,
    gaussian_white_noise,
    pwva,
    random_zeros,
)
from .words import replace_word, slots, swap_word

__all__ = [
    "Dropout",
    "ascend_noise",
    "background_noise",
    "fourier",
    "gaussian_white_noise",
    "noise_negatives",
    "perturb",
    "pwva",
    "random_zeros",
    "replace_word",
    "slots",
    "step_size_for",
    "swap_word",
]
