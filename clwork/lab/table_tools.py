"""Above the desk's table: a filter, an order, and the table as text to copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets as widgets

from ..columns import labelled
from .buttons import button
from .desk_table import FAMILY, FORMS
from .setting_controls import LABEL


class TableTools(widgets.HBox):  # type: ignore[misc]
    """Controls in one line; ``copied``, which stands elsewhere, holds the table as text once that was asked for."""

    def __init__(self) -> None:
        """Show all runs, as families."""
        narrow = widgets.Layout(width="230px")
        about = "Words that must all occur in a run's name, method, state or settings, such as temperature=0.1."
        self.text = widgets.Text(placeholder="filter: simcse seed=1", tooltip=about, layout=narrow)
        self.text.add_class("clwork-filter")
        self.left = widgets.HTML()
        self.order = widgets.Dropdown(
            description="sort by", options=[(FAMILY, FAMILY)], layout=widgets.Layout(width="220px"),
            style={**LABEL, "description_width": "52px"},
        )  # fmt: skip
        self.order.add_class("clwork-sort")
        self.down = widgets.Checkbox(
            False, indent=False, description="largest first", layout=widgets.Layout(width="110px")
        )
        self.down.add_class("clwork-down")
        self.form = widgets.Dropdown(options=list(FORMS), tooltip="How to write the table.")
        self.form.layout.width = "100px"
        self.form.add_class("clwork-form")
        self.copied = widgets.Textarea(rows=6, tooltip="The table as text: choose all of it and copy.")
        self.copied.layout = widgets.Layout(width="812px", display="none")
        self.copied.add_class("clwork-copied")
        self._offering = False
        self._copy: Callable[[str], str] = lambda form: ""
        self.write = button("As text", "Show the table as text to copy; again hides it.", "copy", self._show)
        super().__init__([self.text, self.left, self.order, self.down, self.form, self.write])

    def on_change(self, arrange: Callable[[], None], copy: Callable[[str], str]) -> None:
        """Call ``arrange`` when filter or order change; ``copy`` writes the table in a form."""
        self._copy = copy
        for control in (self.text, self.order, self.down):
            control.observe(lambda _: None if self._offering else arrange(), names="value")

    def offer(self, names: Sequence[str]) -> None:
        """The columns that can be sorted by; the choice stays."""
        options = labelled(names)
        if list(self.order.options) != options:
            chosen, self._offering = self.order.value, True  # new options lose the choice for a moment
            self.order.options = options
            if chosen in names:
                self.order.value = chosen
            self._offering = False

    def _show(self) -> None:
        """Show the text; a second press, with the same text, hides it."""
        text = self._copy(self.form.value)
        if self.copied.layout.display != "none" and text == self.copied.value:
            self.copied.layout.display = "none"
        else:
            self.copied.value, self.copied.layout.display = text, "flex"
