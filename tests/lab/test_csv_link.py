"""The link below a table holds the whole table as CSV."""

from __future__ import annotations

import base64
import io
import re
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from IPython.core.formatters import DisplayFormatter

from clwork.lab.page import csv_link
from clwork.lab.page.csv_link import MOST_ROWS


def saved(page: str) -> pd.DataFrame:
    """The table in the link of a page."""
    (content,) = re.findall(r"download='table.csv' href='data:text/csv;base64,([\w+/=]*)'", page)
    return pd.read_csv(io.StringIO(base64.b64decode(content).decode("utf-8")), index_col=0)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Returns the HTML that a notebook shows for an object."""
    formatter: Any = DisplayFormatter()
    monkeypatch.setattr(csv_link, "get_ipython", lambda: SimpleNamespace(display_formatter=formatter))
    csv_link.link_tables()
    return lambda table: formatter.format(table)[0]["text/html"]


def test_a_notebook_links_each_table_to_its_csv(shown: Any) -> None:
    table = pd.DataFrame({"loss τ": [0.25 * k for k in range(100)], "text": ['a "b", c' * 9] * 100})
    assert saved(shown(table)).equals(table) and "<td>...</td>" in shown(table), "the link also has the rows not shown"
    assert saved(shown(table[:3].style.format({"loss τ": "{:.0f}"}))).equals(table[:3]), "not rounded"
    assert table.text[0] in shown(table) and "download" not in shown(pd.DataFrame({"x": range(MOST_ROWS + 1)}))
