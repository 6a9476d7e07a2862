"""Tables of a notebook: whole cells, and a link below that saves the table as CSV."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from IPython import get_ipython

if TYPE_CHECKING:
    import pandas as pd

# The link holds the table, and both are saved with the notebook.
MOST_ROWS = 1000
MOST_CELLS = 20_000
MOST_BYTES = 200_000
MOST_LETTERS = 2000  # of a cell that is shown
TABLES = ("pandas.DataFrame", "pandas.core.frame.DataFrame")  # the names in pandas 3 and 2
STYLED = "pandas.io.formats.style.Styler"
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet computes a cell that begins so


def csv_link(table: pd.DataFrame) -> str:
    """Return a link that holds the table, so that it needs no kernel; empty for a large table."""
    if len(table) > MOST_ROWS or table.size > MOST_CELLS:
        return ""
    # A byte order mark makes spreadsheets read UTF-8.
    content = table.map(_no_formula).to_csv().encode("utf-8-sig")
    if len(content) > MOST_BYTES:
        return ""
    encoded = base64.b64encode(content).decode("ascii")
    return f"<a download='table.csv' href='data:text/csv;base64,{encoded}'>CSV</a>"


def _no_formula(cell: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would compute."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def link_tables() -> None:
    """Make IPython show each DataFrame, also if it is styled, with whole cells and the link."""
    if (shell := get_ipython()) is None:
        return

    def linked(shown: Any) -> str | None:
        import pandas as pd

        # Two prices in dollars are no formula.
        plain = ("display.html.use_mathjax", False, "styler.html.mathjax", False)
        with pd.option_context("display.max_colwidth", MOST_LETTERS, *plain):
            page: str | None = shown._repr_html_()
        return page and page + csv_link(shown.data if hasattr(shown, "template_html") else shown)

    for name in (*TABLES, STYLED):
        shell.display_formatter.formatters["text/html"].for_type(name, linked)
