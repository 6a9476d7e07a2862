"""One file per paper: its configuration, and the wiring encoder -> augmenter -> loss."""

from .base import Draws, DropoutRates, Method, MethodConfig, MethodName, Temperature, Terms, Views
from .forces import Candidates, Contest, Forces, Measure, meet, softmax
from .hyperparameters import Field, Needs, fields, hyper, like
from .registry import config, get, names, register

__all__ = [
    "Candidates",
    "Contest",
    "Draws",
    "DropoutRates",
    "Field",
    "Forces",
    "Measure",
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
    "meet",
    "names",
    "register",
    "softmax",
]
