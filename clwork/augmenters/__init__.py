"""How a positive is made: dropout masks, words taken away."""

from .dropout import Dropout
from .text import crop, delete_one_word, delete_words

__all__ = ["Dropout", "crop", "delete_one_word", "delete_words"]
