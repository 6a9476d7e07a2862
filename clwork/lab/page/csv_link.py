"""Tables of a notebook: whole cells, and a link below that saves the table as CSV."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from IPython import get_ipython

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 1000  # the link holds the table
TABLES = ("pandas.DataFrame", "pandas.core.frame.DataFrame")  # the names in pandas 3 and 2
STYLED = "pandas.io.formats.style.Styler"


def csv_link(table: pd.DataFrame) -> str:
    """Return a link that holds the table, so that it needs no kernel; empty for more than ``MOST_ROWS`` rows."""
    if len(table) > MOST_ROWS:
        return ""
    content = base64.b64encode(table.to_csv().encode("utf-8")).decode("ascii")
    return f"<a download='table.csv' href='data:text/csv;base64,{content}'>CSV</a>"


def link_tables() -> None:
    """Make IPython show each DataFrame, also if it is styled, with whole cells and the link."""
    if (shell := get_ipython()) is None:
        return

    def linked(shown: Any) -> str | None:
        import pandas as pd

        with pd.option_context("display.max_colwidth", None):
            page: str | None = shown._repr_html_()
        return page and page + csv_link(shown.data if hasattr(shown, "template_html") else shown)

    for name in (*TABLES, STYLED):
        shell.display_formatter.formatters["text/html"].for_type(name, linked)
