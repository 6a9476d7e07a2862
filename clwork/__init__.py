"""clwork: an interactive workbench for contrastive learning of sentence representations.

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
    from . import augmenters, data, encoders, lab, losses, methods, metrics, training, views
    from .claims.reference import reference
    from .encoders import load_encoder
    from .grading import grade
    from .recordings import recording
    from .training import Run, open_run, resume, runs, start, train

__version__ = "0.1.0"

# How long threads of torch spin while they wait for each other, before they sleep. Threads that
# spin long are slow if other programs use the cores; threads that sleep at once are slow on an idle
# machine (docs/decisions.md). GNU's OpenMP reads the variables when torch is imported.
_WAITING = {"OMP_WAIT_POLICY": "ACTIVE", "GOMP_SPINCOUNT": "1000"}
_is_chosen_by_user = any(name in os.environ for name in _WAITING)
if sys.platform == "linux" and "torch" not in sys.modules and not _is_chosen_by_user:
    os.environ.update(_WAITING)

# The module of each exported class and function; the other names of __all__ are packages.
_MODULES = {
    "load_encoder": "encoders",
    "grade": "grading",
    "Run": "training",
    "open_run": "training",
    "recording": "recordings",
    "reference": "claims.reference",
    "resume": "training",
    "runs": "training",
    "start": "training",
    "train": "training",
}

__all__ = [
    "Run",
    "augmenters",
    "claims",
    "data",
    "encoders",
    "grade",
    "lab",
    "load_encoder",
    "losses",
    "methods",
    "metrics",
    "open_run",
    "recording",
    "reference",
    "resume",
    "runs",
    "start",
    "train",
    "training",
    "views",
]


def __getattr__(name: str) -> Any:
    """Import a package when a name of it is first used, so that ``import clwork`` stays quick."""
    if name in _MODULES:
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List also the names that are not imported yet, for completion in a notebook."""
    return sorted({*globals(), *__all__})
