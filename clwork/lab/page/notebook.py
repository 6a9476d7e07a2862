"""The environment of a widget: kernel, execution by a program, and the machine."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import ipywidgets as widgets
import torch
from anywidget import AnyWidget
from IPython import get_ipython


class Bundled:
    """Base of widgets that every version of ipywidgets must display by ``_repr_mimebundle_``.

    IPython prefers ``_ipython_display_``, which old versions of ipywidgets define.
    """

    def _ipython_display_(self) -> None:
        # IPython takes this error for a missing method, and uses _repr_mimebundle_.
        raise NotImplementedError

    def _static(self) -> tuple[str, str]:
        """Return plain text and HTML, for where there is no widget; subclasses implement it."""
        raise NotImplementedError

    def _repr_mimebundle_(self: Any, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what IPython shows of the widget, in every ipywidgets: the widget, text and HTML.

        A notebook shows the richest form that it can: text or HTML where there are no widgets, such
        as in a notebook that is printed or opened without a kernel.
        """
        text, page = self._static()
        data = {
            "text/plain": text,
            "text/html": page,
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self.model_id,
            },
        }
        return data, manager_metadata()

    def close(self) -> None:
        """Close the widget and its parts."""
        close_all_of(self)


def close_all_of(widget: Any) -> None:
    """Close a widget, its children, layout and style.

    ipywidgets closes only the widget itself, and would store its parts until the kernel ends.
    """
    for child in getattr(widget, "children", ()):
        close_all_of(child)
    for name in ("layout", "style"):
        if hasattr(widget, name):
            close_all_of(getattr(widget, name))
    widgets.Widget.close(widget)


@functools.cache
def _empty_widget() -> Any:
    """Return an AnyWidget, which is made once, when it is needed first."""
    return AnyWidget()


def manager_metadata() -> dict[str, Any]:
    """Return metadata that names the manager of custom widgets, which Colab needs; else empty.

    Only anywidget knows this metadata, so it is that of an empty AnyWidget.
    """
    return _empty_widget()._repr_mimebundle_()[1] if "google.colab" in sys.modules else {}


SESSION = "JPY_SESSION_NAME"
"""Environment variable that Jupyter's server sets for the kernel of a page."""
# Environment variables of pages that are not plain Jupyter.
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
    """Return the kernel in plain Jupyter; None elsewhere (Colab, VS Code, no notebook)."""
    shell = get_ipython()
    is_kernel = type(shell).__module__.startswith("ipykernel.")
    is_other_page = any(name in os.environ for name in OTHER_PAGES)
    return shell.kernel if is_kernel and not is_other_page else None


def executed() -> bool:
    """Whether a program runs the cells (nbconvert, papermill), without a browser."""
    return _jupyter() is not None and SESSION not in os.environ


# Whether this thread is inside of without_parent().
_WITHOUT_PARENT: ContextVar[bool] = ContextVar("clwork_without_parent", default=False)


@contextlib.contextmanager
def without_parent() -> Iterator[None]:
    """Context in which this thread's comm messages have no parent request.

    A comm message is what a widget sends to its page; its parent is the request that the kernel
    handles now. With a parent, messages would use the subshell of that request, and the page's next
    requests would be lost when this subshell ends.
    """
    kernel = _jupyter()
    if kernel is None:
        yield
        return
    # ipykernel cannot send a comm message without a parent, so this replaces get_parent of this
    # kernel object, once. Kernel.set_parent would redirect the cell's output and streams too, and
    # undoing it needs a private ident.
    if "get_parent" not in vars(kernel):
        get_parent = kernel.get_parent
        kernel.get_parent = lambda channel=None: (
            {} if _WITHOUT_PARENT.get() else get_parent(channel)
        )
    token = _WITHOUT_PARENT.set(True)
    try:
        yield
    finally:
        _WITHOUT_PARENT.reset(token)


unsaved = without_parent
"""Opens widgets outside any cell, so that programs do not save their state; also a decorator.

If it were saved, static pages would show a widget without a kernel instead of its HTML. In Colab
and VS Code, which need the parent to find the cell, this does nothing.
"""


CONSENT = "CLWORK_FULL"
"""Environment variable that permits the long version of a lesson on a CPU if it is "yes"."""


def at_full_scale(wanted: bool, work: str | None = None) -> bool:
    """Check that a lesson can run its long version here, if that is wanted; return ``wanted``.

    A lesson begins with ``FULL = lab.at_full_scale(False, work="…")``. A reader who changes False
    to True on a machine without a GPU then gets an error at once, not hours later.

    Args:
        wanted: whether the reader wants the long version.
        work: what the long version does, for the error; None if it needs no GPU.

    Raises:
        RuntimeError: ``work`` needs a GPU, there is none, and ``CLWORK_FULL`` is not "yes".

    >>> at_full_scale(False)
    False
    """
    needs_gpu = wanted and work is not None
    has_consent = os.environ.get(CONSENT) == "yes"
    if needs_gpu and not has_consent and not torch.cuda.is_available():
        raise RuntimeError(
            f"FULL = True means {work}, which may take hours without a GPU: set FULL = False, or "
            f"run `%env {CONSENT}=yes` to continue. Colab has GPUs: Runtime, Change runtime type, "
            "T4 GPU; then run the cells again from the first."
        )
    return wanted
