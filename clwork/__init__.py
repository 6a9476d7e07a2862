"""clwork: a workbench to see contrastive learning of sentence representations happen.

>>> import clwork
>>> clwork.methods.names()[0]
'simcse'
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import augmenters, columns, data, encoders, lab, losses, methods, metrics, training, views
    from .encoders import Encoder, load_encoder
    from .recordings import recorded
    from .training import Run, open_run, recording, replay, resume, runs, start, sweep, train

__version__ = "0.1.0"

# Threads that spin while they wait for one another slow down several times when other programs want their cores.
# Torch's OpenMP reads this once, when torch is loaded.
if "torch" not in sys.modules:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

_ROOMS = ("augmenters", "columns", "data", "encoders", "lab", "losses", "methods", "metrics", "training", "views")
_NAMES = {
    "Encoder": "encoders",
    "load_encoder": "encoders",
    "Run": "training",
    "open_run": "training",
    "recorded": "recordings",
    "recording": "training",
    "replay": "training",
    "resume": "training",
    "runs": "training",
    "start": "training",
    "sweep": "training",
    "train": "training",
}

__all__ = [
    "Encoder",
    "Run",
    "augmenters",
    "columns",
    "data",
    "encoders",
    "lab",
    "load_encoder",
    "losses",
    "methods",
    "metrics",
    "open_run",
    "recorded",
    "recording",
    "replay",
    "resume",
    "runs",
    "start",
    "sweep",
    "train",
    "training",
    "views",
]


def __getattr__(name: str) -> Any:
    """Open a room when its name is first used, so that ``import clwork`` costs next to nothing."""
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _NAMES:
        return getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
