"""Methods, one file per paper: configuration, views of a batch, and loss."""

from ..settings import fields, hyper
from .base import Draws, Method, Terms, register
from .forces import Candidates, Forces, Measure, score_table
from .hyperparameters import MethodConfig
from .registry import config, get, names
from .step import train_step

__all__ = [
    "Candidates",
    "Draws",
    "Forces",
    "Measure",
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
