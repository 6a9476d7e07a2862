"""A loss called without a setting uses the value that its paper names."""

from __future__ import annotations

import inspect
from typing import Any

from clwork import losses

DEFAULTS: dict[str, dict[str, Any]] = {
    "info_nce": {"temperature": 0.05},
    "simcse": {"temperature": 0.05, "hard_negative_weight": 1.0},
    "dclr": {"temperature": 0.05, "variant": "paper"},
    "softmax_mass": {"temperature": 0.05},
    "instance_weights": {"phi": 0.9, "strict": False},
    "self_guided": {"temperature": 0.01, "variant": "paper", "form": "opt3"},
    "parameter_distance": {"reduction": "sum", "trained": False},
    "mocoutrl": {"temperature": 0.07, "lam": 0.5, "variant": "paper"},
    "long_span": {"temperature": 0.07, "form": "ntxent"},
    "token_level": {"form": "sqdist", "unit_label": True},
    "gclsr": {"group_dim": 16, "stop_gradient": True},
}


def test_defaults_are_those_of_the_papers() -> None:
    for name, wanted in DEFAULTS.items():
        parameters = inspect.signature(getattr(losses, name)).parameters
        assert {setting: parameters[setting].default for setting in wanted} == wanted, name
