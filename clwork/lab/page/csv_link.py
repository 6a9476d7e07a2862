"""Tables of a notebook: untruncated cells, and a link below that saves the table as CSV."""

from __future__ import annotations

import base64
import itertools
from typing import TYPE_CHECKING, Any

from IPython import get_ipython

if TYPE_CHECKING:
    import pandas as pd

# A larger table gets no link: the link holds the table, and is saved with the notebook.
MOST_ROWS = 1000
MOST_CELLS = 20_000
MOST_BYTES = 200_000
MOST_LETTERS = 2000
"""Characters of a cell that are shown; pandas shows 50."""
# IPython finds a class by its name, so that pandas is not imported here. The class of a table has
# the first name in pandas 3, the second one in pandas 2.
TABLES = ("pandas.DataFrame", "pandas.core.frame.DataFrame")
STYLED = "pandas.io.formats.style.Styler"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet computes a text that begins with one of these."""


def csv_link(table: pd.DataFrame) -> str:
    """Return a link that saves a table as CSV, as HTML; empty for a large table.

    The link holds the table, so that it works without a kernel.
    """
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
    """Make IPython show each table of pandas as :func:`_linked` does; nothing outside IPython."""
    shell = get_ipython()
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["text/html"]
    for name in TABLES:
        formatter.for_type(name, lambda frame: _linked(frame, frame))
    formatter.for_type(STYLED, lambda styler: _linked(styler, styler.data))


def _linked(shown: Any, frame: pd.DataFrame) -> str | None:
    """Return the HTML of ``shown``, a table or styled table, with untruncated cells and the link.

    ``frame`` has its numbers. None if pandas makes no HTML.
    """
    import pandas as pd

    options = {
        "display.max_colwidth": MOST_LETTERS,
        # MathJax would typeset the text between two dollar signs, such as two prices, as a formula
        "display.html.use_mathjax": False,
        "styler.html.mathjax": False,
    }
    with pd.option_context(*itertools.chain(*options.items())):
        table: str | None = shown._repr_html_()
    return None if table is None else table + csv_link(frame)
