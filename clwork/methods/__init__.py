"""One file per paper: its configuration, and the wiring encoder -> augmenter -> loss."""

from .base import Draws, Method, MethodConfig, Terms, Views
from .fields import Field, Needs, fields, hyper
from .registry import config, get, names, register

__all__ = [
    "Draws",
    "Field",
    "Method",
    "MethodConfig",
    "Needs",
    "Terms",
    "Views",
    "config",
    "fields",
    "get",
    "hyper",
    "names",
    "register",
]
