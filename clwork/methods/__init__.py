"""Methods, one file per paper: configuration, views of a batch, and loss.

What they share: ``base`` has their class, ``registry`` finds them by name, ``hyperparameters``
declares common settings (batch size, learning rate and its schedule, temperature, dropout),
``step`` is one training step, and ``forces`` describes a loss by its scores.
A new method is best begun from ``simcse``, the shortest complete one.
"""

from ..settings import fields, hyper
from .base import Draws, Method, Terms
from .forces import Candidates, Forces, score_table
from .hyperparameters import MethodConfig
from .registry import config, get, names, register
from .step import train_step

__all__ = [
    "Candidates",
    "Draws",
    "Forces",
    "Method",
    "MethodConfig",
    "Terms",
    "config",
    "fields",
    "get",
    "hyper",
    "names",
    "register",
    "score_table",
    "train_step",
]
