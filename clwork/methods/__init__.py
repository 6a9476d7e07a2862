"""One file per paper: its configuration, and the wiring encoder -> augmenter -> loss."""

from .base import Draws, DropoutRates, Method, MethodConfig, MethodName, Temperature, Terms, Views
from .hyperparameters import Field, Needs, fields, hyper, like
from .registry import config, get, names, register

__all__ = [
    "Draws",
    "DropoutRates",
    "Field",
    "Method",
    "MethodConfig",
    "MethodName",
    "Needs",
    "Temperature",
    "Terms",
    "Views",
    "config",
    "fields",
    "get",
    "hyper",
    "like",
    "names",
    "register",
]
