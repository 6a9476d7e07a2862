"""What the desk and the playground have in common: a line that says how things stand, and a page without widgets."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from . import messages


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
