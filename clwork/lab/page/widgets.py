"""Parts of all boards: sizes, a button, and a board with a line on how things stand and a page without widgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from . import messages

# A description's and a widget's own layout, and pixels of figures.
LABEL = {"description_width": "124px"}
FULL = {"width": "100%"}
NATURAL = {"description_width": "initial"}
WIDE = 838  # what a notebook's cell has room for, beside its prompt
DESK_CURVES = (WIDE, 620)
LINKED_SIDE = 270  # of one cloud among several


def button(text: str, about: str, name: str, act: Callable[[], object], style: str = "") -> widgets.Button:
    """A button that calls ``act``; ``about`` shows under the mouse, ``clwork-NAME`` is its class on the page."""
    layout = widgets.Layout(width="92px", flex="0 0 auto")
    made = widgets.Button(description=text, tooltip=about, button_style=style, layout=layout)
    made.add_class(f"clwork-{name}")
    made.on_click(lambda _: act())
    return made


class Board(widgets.VBox):  # type: ignore[misc]
    """A board of widgets, one under the other, as wide as a notebook's cell; ``state`` says how things stand."""

    state: widgets.HTML

    def _lay_out(self, name: str, children: list[widgets.Widget]) -> None:
        """Put the children on the page; ``clwork-NAME`` is the board's class there."""
        super().__init__(children, layout=widgets.Layout(width="100%"))
        self.add_class(f"clwork-{name}")

    def _say(self, sentence: str) -> None:
        self.state.value = f"<div role='status'>{messages.failure(sentence)}</div>"

    def _page(self) -> str:
        """The board as HTML that needs no widgets."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widgets, and beside them a page for readers that run none."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        bundle["text/html"] = self._page()
        return bundle
