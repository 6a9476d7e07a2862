"""The notebook around a widget: its kernel, anywidget or not, whether a program runs it, and the machine."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import ipywidgets as widgets
import plotly.io as pio
import torch
from IPython import get_ipython
from IPython.core.error import StdinNotImplementedError

from ... import precision
from ..._validation import checked
from ...wording import plural

try:
    from anywidget import AnyWidget as AnyWidget
except ImportError:
    AnyWidget = widgets.DOMWidget  # type: ignore[misc]

WIDE = 838  # pixels of a notebook's cell


def has_anywidget() -> bool:
    """Whether scripts can be shown, that is, whether anywidget is installed."""
    return AnyWidget is not widgets.DOMWidget


class Bundled:
    """What is displayed by its ``_repr_mimebundle_`` under every ipywidgets."""

    def _ipython_display_(self) -> None:
        raise NotImplementedError  # makes IPython use _repr_mimebundle_


def manager_metadata() -> dict[str, Any]:
    """Metadata that names the manager of custom widgets, without which Colab shows a box of them blank."""
    global _naming
    if not has_anywidget() or "google.colab" not in sys.modules:
        return {}
    _naming = _naming or AnyWidget()
    metadata: dict[str, Any] = _naming._repr_mimebundle_()[1]
    return metadata


_naming: Any = None  # a widget of anywidget's, which has the metadata that Colab needs


SESSION = "JPY_SESSION_NAME"  # Jupyter's server sets it for the kernel of a page


def _jupyter() -> Any:
    """Return the kernel if plotly detects plain Jupyter (not Colab, not VS Code), else None."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel if pio.renderers.default == "plotly_mimetype" else None


def executed() -> bool:
    """Whether a program runs the cells (nbconvert, papermill), without a person who watches widgets."""
    return _jupyter() is not None and SESSION not in os.environ


_WITHOUT_PARENT: ContextVar[bool] = ContextVar("clwork_without_parent", default=False)


@contextlib.contextmanager
def without_parent() -> Iterator[None]:
    """Within this block, comm messages of this thread name no request as their parent.

    ipykernel 7 stores the subshell of the last message's parent on the comm. A thread has no request, so its messages
    would get the latest one's subshell, which may be deleted a moment later; the page's requests are then lost.
    """
    kernel = _jupyter()
    if kernel is None:
        yield
        return
    # ipykernel has no public way to send a comm message without its parent, so get_parent is replaced, on this one
    # object. Kernel.set_parent would move the cell's output and streams too, and undoing it needs a private ident.
    if "get_parent" not in vars(kernel):
        own = kernel.get_parent
        kernel.get_parent = lambda channel=None: {} if _WITHOUT_PARENT.get() else own(channel)
    token = _WITHOUT_PARENT.set(True)
    try:
        yield
    finally:
        _WITHOUT_PARENT.reset(token)


@contextlib.contextmanager
def unsaved() -> Iterator[None]:
    """Open widgets outside any cell, so that nbconvert and papermill save no state of them; also a decorator.

    They would save 5 MB of plotly.js for a panel, and static pages would show the dead widget instead of its HTML.
    Colab and VS Code assign widgets to cells by the parent, which stays there.
    """
    with without_parent():
        yield


CONSENT = "CLWORK_FULL"  # set to "yes" where nobody can answer
SWITCH = "Colab has GPUs: Runtime, Change runtime type, T4 GPU; then run the cells again from the first."


@checked()
def at_full_scale(wanted: bool, work: str | None = None) -> bool:
    """Print device and precision of training; on a CPU request confirmation of ``work``; return ``wanted``."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    where = (
        torch.cuda.get_device_name() if device == "cuda" else f"the CPU, {plural(torch.get_num_threads(), 'thread')}"
    )
    print(f"Training runs on {where}, in {precision.resolve('auto', device).why}.")
    if not wanted or work is None or device != "cpu" or os.environ.get(CONSENT) == "yes":
        return wanted
    print(f"FULL = True means {work}, made for a GPU: on this CPU that may take hours.\n{SWITCH}")
    try:
        return input("Continue? Type yes, or press Enter for the short run: ").strip().lower() == "yes"
    except (StdinNotImplementedError, EOFError, OSError) as error:
        raise RuntimeError(
            f"FULL is True on a CPU, which may take hours, and nobody can answer here; set {CONSENT}=yes to continue, "
            f"or FULL = False. {SWITCH}"
        ) from error
