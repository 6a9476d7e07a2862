"""Settings that several methods share, each with default, range and help: what a user can set.

:class:`MethodConfig` has those of every method: batch size, learning rate, warm-up, weight decay,
gradient clip, longest input, precision, micro-batch. :class:`Temperature` and :class:`DropoutRates`
have those of the methods that use them. How the learning rate changes during a run is computed in
``schedule.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..settings import CHECKS, hyper
from .schedule import Schedule

SHARE: dict[str, Any] = {"low": 0.0, "high": 0.9, "unit": "share", "hot": True}
"""Arguments of :func:`hyper` for the share of words, or of a vector's numbers, to remove."""
TrainedPooling = Literal["auto", "cls", "mean", "first_last", "last2", "max"]
"""Poolings that a method with its own head can train with."""
RawPooling = Literal["auto", "cls_before_pooler", "mean", "first_last", "last2", "max"]
"""Poolings that need no head."""


@dataclass(kw_only=True)
class MethodConfig:
    """Settings that every method has; each method's configuration inherits them.

    >>> MethodConfig(batch_size=128).learning_rate
    3e-05
    """

    __pydantic_config__ = CHECKS

    batch_size: int = hyper(
        64,
        "Sentences per step; every sentence is a negative of the others.",
        low=2,
        high=32_768,
        log=True,
        title="batch size N",
        span=(8, 512),
    )
    learning_rate: float = hyper(
        3e-5,
        "Peak step size of the optimizer.",
        low=1e-7,
        high=1.0,
        unit="per step",
        hot=True,
        log=True,
        title="learning rate η",
        span=(1e-6, 1e-2),
    )
    schedule: Schedule = hyper(
        "linear", "Decay of the learning rate after warm-up.", title="learning-rate schedule"
    )
    warmup: float = hyper(
        0.0,
        "Share of the steps in which the learning rate rises.",
        low=0.0,
        high=0.9,
        unit="share",
        title="warm-up",
    )
    weight_decay: float = hyper(
        0.0, "AdamW's weight decay.", low=0.0, high=1.0, hot=True, span=(0.0, 0.1)
    )
    clip: float = hyper(
        1.0,
        "Gradients with a larger norm are scaled down to this norm.",
        low=1e-3,
        high=1e6,
        unit="norm",
        log=True,
        title="gradient clip",
        span=(0.1, 100.0),
    )
    max_length: int = hyper(
        32,
        "Longest input in training; longer ones are cut off. Does not apply at test.",
        low=4,
        high=512,
        unit="pieces",
        title="longest input",
        span=(8, 128),
    )
    precision: Literal["auto", "float32", "bfloat16", "float16"] = hyper(
        "auto",
        "Number format of the encoder's forward pass; auto: bfloat16 if the device supports it, "
        "else float16 with a scaled loss on a GPU and float32 on a CPU.",
    )
    micro_batch: int = hyper(
        0,
        "Examples per forward pass, to save memory; 0: the whole batch. The gradient is that of "
        "the whole batch.",
        low=0,
        high=4096,
        unit="examples",
        title="micro-batch",
        span=(0, 256),
    )


@dataclass(kw_only=True)
class Temperature:
    """Setting of losses with a softmax over cosines."""

    temperature: float = hyper(
        0.05,
        "Divides the cosines; if small, only the hardest negatives have an effect.",
        low=1e-3,
        high=10.0,
        hot=True,
        log=True,
        title="temperature τ",
        span=(0.01, 1.0),
    )


@dataclass(kw_only=True)
class DropoutRates:
    """Settings of methods that train a transformer with dropout."""

    dropout_hidden: float = hyper(
        0.1, "Dropout on embeddings and layer outputs.", **SHARE, title="dropout p", span=(0.0, 0.5)
    )
    dropout_attention: float = hyper(
        0.1, "Dropout on attention weights.", **SHARE, title="dropout on attention", span=(0.0, 0.6)
    )
