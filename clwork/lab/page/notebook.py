"""The environment of a widget: kernel, anywidget, execution by a program, and the machine."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import ipywidgets as widgets
import torch
from IPython import get_ipython
from IPython.core.error import StdinNotImplementedError

from ... import precision
from ..._validation import kind
from ...wording import plural

try:
    from anywidget import AnyWidget as AnyWidget
except ImportError:
    AnyWidget = widgets.DOMWidget  # type: ignore[misc]


def has_anywidget() -> bool:
    return AnyWidget is not widgets.DOMWidget


class Bundled:
    """Base of widgets that every version of ipywidgets must display by ``_repr_mimebundle_``."""

    def _ipython_display_(self) -> None:
        raise NotImplementedError  # makes IPython use _repr_mimebundle_

    def close(self) -> None:
        close_all_of(self)


def close_all_of(widget: Any) -> None:
    """Close a widget and its parts, which ipywidgets would store until the kernel ends."""
    parts = [getattr(widget, name) for name in ("layout", "style") if hasattr(widget, name)]
    for part in (*getattr(widget, "children", ()), *parts):
        close_all_of(part)
    widgets.Widget.close(widget)


def manager_metadata() -> dict[str, Any]:
    """Return metadata that names the manager of custom widgets, which Colab needs."""
    global _metadata_widget
    if not has_anywidget() or "google.colab" not in sys.modules:
        return {}
    _metadata_widget = _metadata_widget or AnyWidget()
    metadata: dict[str, Any] = _metadata_widget._repr_mimebundle_()[1]
    return metadata


def widget_bundle(widget: Any, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return data and metadata of a widget for every ipywidgets; ``text`` is its static HTML."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    data = {
        "text/plain": kind(widget),
        "text/html": text,
        "application/vnd.jupyter.widget-view+json": view,
    }
    return data, manager_metadata()


_metadata_widget: Any = None  # an AnyWidget, whose bundle has the metadata that Colab needs


SESSION = "JPY_SESSION_NAME"
"""Environment variable that Jupyter's server sets for the kernel of a page."""
# environment variables of pages that are not plain Jupyter
OTHER_PAGES = (
    "COLAB_NOTEBOOK_ID",
    "VSCODE_PID",
    "KAGGLE_KERNEL_RUN_TYPE",
    "COCALC_PROJECT_ID",
    "AZURE_NOTEBOOKS_HOST",
    "DATABRICKS_RUNTIME_VERSION",
    "NTERACT_EXE",
)


def _jupyter() -> Any:
    """Return the kernel in plain Jupyter, else None (Colab, VS Code)."""
    shell = get_ipython()
    plain = type(shell).__module__.startswith("ipykernel.") and not any(
        name in os.environ for name in OTHER_PAGES
    )
    return shell.kernel if plain else None


def executed() -> bool:
    """Whether a program runs the cells (nbconvert, papermill), without a browser."""
    return _jupyter() is not None and SESSION not in os.environ


_WITHOUT_PARENT: ContextVar[bool] = ContextVar("clwork_without_parent", default=False)


@contextlib.contextmanager
def without_parent() -> Iterator[None]:
    """Context in which this thread's comm messages have no parent request.

    Else they would use the subshell of ipykernel's latest request, and its end would lose the
    page's next requests.
    """
    kernel = _jupyter()
    if kernel is None:
        yield
        return
    # ipykernel cannot send a comm message without a parent, so this replaces get_parent of this
    # kernel object. Kernel.set_parent would redirect the cell's output and streams too, and undoing
    # it needs a private ident.
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
    """Open widgets outside any cell, so that programs do not save their state; also a decorator.

    If it were saved, static pages would show a widget without a kernel instead of its HTML. In
    Colab and VS Code, which need the parent to find the cell, this does nothing.
    """
    with without_parent():
        yield


CONSENT = "CLWORK_FULL"
"""Environment variable, to be set to "yes" if nobody can answer."""
COLAB_GPU = (
    "Colab has GPUs: Runtime, Change runtime type, T4 GPU; then run the cells again from the first."
)


def at_full_scale(wanted: bool, work: str | None = None) -> bool:
    """Print device and precision; return ``wanted``, on a CPU only if the reader confirms.

    Args:
        wanted: whether the reader wants the long version of a lesson.
        work: what it does, as text; None if a CPU can do it.

    Raises:
        RuntimeError: nobody can confirm, because a program runs the cells.
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    cpu = f"the CPU, {plural(torch.get_num_threads(), 'thread')}"
    where = torch.cuda.get_device_name() if device == "cuda" else cpu
    print(f"Training runs on {where}, in {precision.resolve('auto', device).why}.")
    if not wanted or work is None or device != "cpu" or os.environ.get(CONSENT) == "yes":
        return wanted
    print(f"FULL = True means {work}, which needs a GPU: on this CPU it may take hours.")
    print(COLAB_GPU)
    try:
        answer = input("Continue? Type yes, or press Enter for the short run: ")
    except (StdinNotImplementedError, EOFError, OSError) as error:
        remedy = (
            f"set FULL = False, or set {CONSENT}=yes to continue without a question. {COLAB_GPU}"
        )
        raise RuntimeError(f"FULL is True on a CPU, which may take hours; {remedy}") from error
    return answer.strip().lower() == "yes"
