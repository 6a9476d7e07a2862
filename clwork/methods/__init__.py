"""One file per paper: its configuration, and the wiring encoder -> augmenter -> loss."""

from .base import Draws, DropoutRates, Method, MethodConfig, MethodName, Temperature, Terms, Views, register
from .forces import Candidates, ExplainsLoss, Forces, Measure, ScoreTable, score_table, with_softmax
from .hyperparameters import Field, Needs, Slack, Value, fields, hyper, like
from .registry import config, get, names
from .step import train_step

__all__ = [
    "Candidates",
    "Draws",
    "DropoutRates",
    "ExplainsLoss",
    "Field",
    "Forces",
    "Measure",
    "Method",
    "MethodConfig",
    "MethodName",
    "Needs",
    "ScoreTable",
    "Slack",
    "Temperature",
    "Terms",
    "Value",
    "Views",
    "config",
    "fields",
    "get",
    "hyper",
    "like",
    "names",
    "register",
    "score_table",
    "train_step",
    "with_softmax",
]
