"""What all widgets share: sizes, how they are displayed, and a box of several widgets."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets

from ..._validation import kind
from . import messages

try:
    from anywidget import AnyWidget as AnyWidget
except ImportError:
    AnyWidget = widgets.DOMWidget  # type: ignore[misc]

VIEW = "application/vnd.jupyter.widget-view+json"
LABEL = {"description_width": "124px"}
WIDE = 838  # pixels of a notebook's cell

ANYWIDGET = AnyWidget is not widgets.DOMWidget


def has_anywidget() -> bool:
    """Whether scripts can be shown, that is, whether anywidget is installed."""
    return ANYWIDGET


class Bundled:
    """What is displayed by its ``_repr_mimebundle_`` under every ipywidgets."""

    def _ipython_display_(self) -> None:
        raise NotImplementedError  # makes IPython use _repr_mimebundle_


def drop_down(description: str, tooltip: str, options: Sequence[tuple[str, str]], value: str) -> widgets.Dropdown:
    """A drop-down as wide as its place."""
    return widgets.Dropdown(
        options=list(options),
        value=value,
        description=description,
        tooltip=tooltip,
        style={"description_width": "initial"},
        layout=widgets.Layout(width="100%"),
    )


def manager_metadata() -> dict[str, Any]:
    """Metadata that names the manager of custom widgets, without which Colab shows a box of them blank."""
    global _naming
    if not has_anywidget() or "google.colab" not in sys.modules:
        return {}
    _naming = _naming or AnyWidget()
    metadata: dict[str, Any] = _naming._repr_mimebundle_()[1]
    return metadata


_naming: Any = None  # a widget of anywidget's, which has the metadata that Colab needs


class Board(Bundled, widgets.VBox):  # type: ignore[misc]
    """Widgets one under the other, as wide as a notebook's cell; ``state`` is a line that screen readers announce."""

    state: widgets.HTML

    def _lay_out(self, name: str, children: list[widgets.Widget]) -> None:
        """Put the children on the page; ``clwork-NAME`` is the board's class there."""
        super().__init__(children, layout=widgets.Layout(width="100%"))
        self.add_class(f"clwork-{name}")

    def _announce(self, sentence: str) -> None:
        self.state.value = f"<div role='status'>{messages.failure(sentence)}</div>"

    def _page(self) -> str:
        """The board as HTML without widgets."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widgets, and a page for readers without widgets."""
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        bundle = {"text/plain": kind(self), VIEW: view, "text/html": self._page()}
        return bundle, manager_metadata()
