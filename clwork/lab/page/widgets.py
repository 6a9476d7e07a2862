"""Parts of all boards: sizes, small controls, the base of widgets with a script of their own, and a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets
import traitlets

from . import messages

try:
    from anywidget import AnyWidget
except ImportError:
    AnyWidget = widgets.DOMWidget  # type: ignore[misc]

# Styles and layouts, and pixels of figures.
LABEL = {"description_width": "124px"}
FULL = {"width": "100%"}
NATURAL = {"description_width": "initial"}
WIDE = 838  # what a notebook's cell has room for, beside its prompt
DESK_CURVES = (WIDE, 620)
LINKED_SIDE = 270  # of one cloud among several

ANYWIDGET = AnyWidget is not widgets.DOMWidget


def has_anywidget() -> bool:
    """Whether scripts can be shown; where anywidget is not installed, boards show still pictures."""
    return ANYWIDGET


class FeedWidget(AnyWidget):
    """A widget drawn by a script, which reads what changes from ``feed``, a plain model.

    anywidget's own model drops every message if the page took more than two seconds to start the script, as a page with
    several figures on a slow machine does. A plain model receives them all.
    """

    feed = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)

    def close(self) -> None:
        """Take the widget and its feed off the page."""
        self.feed.close()
        super().close()


def button(text: str, about: str, name: str, act: Callable[[], object], style: str = "") -> widgets.Button:
    """A button that calls ``act``; ``about`` is its tooltip, ``clwork-NAME`` its class on the page."""
    layout = widgets.Layout(width="92px", flex="0 0 auto")
    made = widgets.Button(description=text, tooltip=about, button_style=style, layout=layout)
    made.add_class(f"clwork-{name}")
    made.on_click(lambda _: act())
    return made


def drop_down(description: str, tooltip: str, options: Sequence[tuple[str, str]], value: str) -> widgets.Dropdown:
    """A drop-down as wide as its place."""
    return widgets.Dropdown(
        options=list(options),
        value=value,
        description=description,
        tooltip=tooltip,
        style=NATURAL,
        layout=widgets.Layout(**FULL),
    )


def hidden_line(description: str, tooltip: str, placeholder: str, value: str = "") -> widgets.Text:
    """A text box that :func:`reveal` shows."""
    layout = widgets.Layout(width="100%", display="none")
    return widgets.Text(
        value=value, description=description, tooltip=tooltip, placeholder=placeholder, style=NATURAL, layout=layout
    )


def reveal(part: widgets.Widget, shown: bool) -> None:
    """Show or hide."""
    part.layout.display = "flex" if shown else "none"


def note(text: str) -> widgets.HTML:
    """A line of help below a control."""
    made = widgets.HTML(f"<span>{text}</span>")
    made.add_class("clwork-note")
    return made


class Board(widgets.VBox):  # type: ignore[misc]
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

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widgets, and a page for readers without widgets."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        bundle["text/html"] = self._page()
        return bundle
