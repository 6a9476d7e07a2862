"""Widgets whose state no executed notebook saves."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import plotly.io as pio
from IPython import get_ipython

SESSION = "JPY_SESSION_NAME"  # Jupyter's server sets it for the kernel of a page


def _jupyter() -> Any:
    """The kernel, if it is plain Jupyter's; plotly knows that from its relatives."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel if pio.renderers.default == "plotly_mimetype" else None


def executed() -> bool:
    """Whether a program runs the cells (nbconvert, papermill), so that nobody sees a widget move."""
    return _jupyter() is not None and SESSION not in os.environ


@contextlib.contextmanager
def unsaved() -> Iterator[None]:
    """Make widgets that belong to no cell: what executes notebooks (nbconvert, papermill) then saves no state of them.

    It would save the state of every widget that a cell opens, which for a panel is 5 MB of plotly.js, and pages made
    from the notebook would prefer that widget, dead without a kernel, to the picture beside it. A message that answers
    no request is not looked at there, while JupyterLab takes it like any other. Colab and VS Code, which tell widgets
    by their cell, are left alone. Also serves as a decorator.
    """
    kernel = _jupyter()
    if kernel is None:
        yield
        return
    kernel.get_parent = lambda channel=None: {}  # for this object only; comms ask it what they answer
    try:
        yield
    finally:
        vars(kernel).pop("get_parent", None)
