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
    return pd.read_csv(io.StringIO(base64.b64decode(content).decode("utf-8-sig")), index_col=0)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Returns the HTML that a notebook shows for an object."""
    formatter: Any = DisplayFormatter()
    monkeypatch.setattr(
        csv_link, "get_ipython", lambda: SimpleNamespace(display_formatter=formatter)
    )
    csv_link.link_tables()
    return lambda table: formatter.format(table)[0]["text/html"]


def test_a_notebook_links_each_table_to_its_csv(shown: Any) -> None:
    table = pd.DataFrame({"loss τ": [0.25 * k for k in range(100)], "text": ['a "b", c' * 9] * 100})
    assert "<td>...</td>" in shown(table)
    assert saved(shown(table)).equals(table), "the link also has the rows not shown"
    assert saved(shown(table[:3].style.format({"loss τ": "{:.0f}"}))).equals(table[:3]), (
        "not rounded"
    )
    assert table.text[0] in shown(table)
    assert "download" not in shown(pd.DataFrame({"x": range(MOST_ROWS + 1)}))


def test_a_table_of_text_stays_text(shown: Any) -> None:
    """No formula in the page, none in a spreadsheet, which also needs a byte order mark to read
    UTF-8."""
    table = pd.DataFrame(
        {"text": ["from $5 to $10", "=HYPERLINK(1)", "@SUM(1)", "+1", "-3 °C"], "loss": [-0.5] * 5}
    )
    for page in (shown(table), shown(table.style)):
        assert "mathjax_ignore" in page
        assert saved(page).text.tolist() == [
            "from $5 to $10",
            "'=HYPERLINK(1)",
            "'@SUM(1)",
            "'+1",
            "'-3 °C",
        ]
        assert saved(page).loss.tolist() == [-0.5] * 5
        assert base64.b64decode(page.split("base64,")[1].split("'")[0]).startswith(b"\xef\xbb\xbf")


def test_a_large_table_does_not_fill_the_notebook(shown: Any) -> None:
    for large in (
        pd.DataFrame([[0.123456789] * 256] * 1000),
        pd.DataFrame({"text": ["word " * 400_000] * 3}),
    ):
        assert len(shown(large)) < 300_000
