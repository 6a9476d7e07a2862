"""Parts of all boards: sizes, small controls, the base of widgets with a script of their own, and a board."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets
import traitlets

from ..._validation import kind
from . import messages

try:
    from anywidget import AnyWidget as AnyWidget
except ImportError:
    AnyWidget = widgets.DOMWidget  # type: ignore[misc]

VIEW = "application/vnd.jupyter.widget-view+json"
# Styles and layouts, and pixels of figures.
LABEL = {"description_width": "124px"}
WIDE = 838  # what a notebook's cell has room for, beside its prompt
DESK_CURVES = (WIDE, 620)

ANYWIDGET = AnyWidget is not widgets.DOMWidget


def has_anywidget() -> bool:
    """Whether scripts can be shown; where anywidget is not installed, boards show still pictures."""
    return ANYWIDGET


class Bundled:
    """What is displayed by its ``_repr_mimebundle_`` under every ipywidgets.

    ipywidgets 7, which Colab has, displays a widget itself: without the metadata that Colab asks for, and without the
    picture for readers who see no widgets.
    """

    def _ipython_display_(self) -> None:
        raise NotImplementedError  # makes IPython use _repr_mimebundle_


class FeedWidget(Bundled, AnyWidget):
    """A widget drawn by a script, which reads what changes from ``feed``, a plain model.

    anywidget's own model drops every message if the page took more than two seconds to start the script, as a page with
    several figures on a slow machine does. A plain model receives them all.
    """

    feed = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)

    def close(self) -> None:
        """Take the widget and its feed off the page."""
        self.feed.close()
        super().close()


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
    """Metadata that names the manager of custom widgets, without which Colab shows a box of them blank.

    anywidget adds it to its own widgets; elsewhere it is empty.
    """
    global _naming
    if not has_anywidget() or "google.colab" not in sys.modules:
        return {}
    _naming = _naming or AnyWidget()
    metadata: dict[str, Any] = _naming._repr_mimebundle_()[1]
    return metadata


_naming: Any = None  # a widget of anywidget's, which knows what Colab asks for


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
