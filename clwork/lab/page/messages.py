"""Texts as HTML: errors and tables."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

LONG = 30  # characters; a narrow screen scrolls a table sideways rather than set such a text word by word
WIDE = " style='min-width:14em'"


def failure(error: str) -> str:
    """An error as text: escaped, line breaks stay, never a traceback."""
    return html.escape(error).replace("\n", "<br>")


def prose(text: str) -> str:
    """A sentence of a lesson as HTML: escaped, with ``code`` between backticks and emphasis between stars."""
    marked = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", failure(text))
    return re.sub(r"(?<![\w*])\*(\w[^*\n]*\w|\w)\*(?![\w*])", r"<em>\1</em>", marked)


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An HTML table of escaped texts, line breaks stay, with a caption and headings for screen readers."""
    columns = "".join(f"<th scope='col'>{html.escape(name)}</th>" for name in head)
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td{WIDE if len(cell) > LONG else ''}>{failure(cell)}</td>" for cell in rest)
        lines.append(f"<tr><th scope='row'>{html.escape(first)}</th>{cells}</tr>")
    return (
        "<table class='clwork-table' style='border-collapse:collapse;font-size:12px;line-height:1.5'>"
        f"<caption style='text-align:left'>{html.escape(caption)}</caption>"
        f"<thead><tr>{columns}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )
