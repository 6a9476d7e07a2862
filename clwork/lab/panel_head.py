"""The top of a panel: the method, its paper, its formula with the knobs' present values, and whose run is shown."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from ..methods import Field, Method
from .number_text import plain


class PanelHead:
    """Widgets on top of a panel.

    Attributes:
        title: the method's name, with a link to its paper.
        formula: its loss, typeset.
        values: the formula's symbols with what they are now.
        shown: whose curves and points are below.
    """

    def __init__(self, method: type[Method[Any]]) -> None:
        """Build them, with no values yet."""
        paper = html.escape(method.paper, quote=True)
        link = f"<a href='{paper}' target='_blank' rel='noreferrer'>paper</a>"
        self.title = widgets.HTML(f"<h3 class='clwork-title'>{html.escape(method.title)}</h3> {link}")
        self.formula = widgets.HTMLMath(f"${method.formula}$" if method.formula else "")
        self.values, self.shown = widgets.HTMLMath(), widgets.HTML()
        for name in ("title", "formula", "values", "shown"):
            getattr(self, name).add_class(f"clwork-{name}")

    def boxes(self) -> list[widgets.Widget]:
        """What stands on top, in order."""
        told = widgets.HBox([self.formula, self.values])
        told.add_class("clwork-told")
        return [widgets.HBox([self.title, self.shown]), told]

    def tell(self, fields: Mapping[str, Field], values: Mapping[str, Any], idle: Mapping[str, str]) -> None:
        """Say what the symbols are now; those that have no effect are left out."""
        formula = self.formula.value
        signs = {name: field.symbol for name, field in fields.items() if field.symbol and name not in idle}
        shown = sorted((place(sign, formula), name) for name, sign in signs.items())
        text = " ".join(f"${signs[name]} = {plain(values[name])}$" for at, name in shown if at >= 0)
        if self.values.value != text:
            self.values.value = text


def place(symbol: str, formula: str) -> int:
    r"""Where a symbol first stands in a formula; -1 where it does not. Letters within a command's name are none.

    >>> place("N", r"\sum_{j=1}^{N} x"), place(r"\tau", r"x/\tau"), place("m", r"\sum")
    (12, 2, -1)
    """
    plain_text = re.sub(r"\\(text|mathrm|operatorname)\{[^}]*\}", lambda found: " " * len(found[0]), formula)
    before = "" if symbol.startswith("\\") else r"(?<![A-Za-z\\])"
    found = re.search(before + re.escape(symbol) + r"(?![A-Za-z])", plain_text)
    return found.start() if found else -1
