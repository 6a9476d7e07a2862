"""Texts, tables and formulas as HTML; browsers render MathML without a script."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from latex2mathml.converter import convert_to_element

LONG = 30
"""Characters; cells with longer texts get a minimum width: a narrow screen scrolls the table."""
WIDE = " style='min-width:14em'"


def failure(error: str) -> str:
    """Escape an error message as HTML and preserve its line breaks."""
    return html.escape(error).replace("\n", "<br>")


def prose(text: str) -> str:
    """Convert a sentence to HTML: escape it; backticks mark code, stars mark emphasis."""
    marked = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", failure(text))
    return re.sub(r"(?<![\w*])\*(\w[^*\n]*\w|\w)\*(?![\w*])", r"<em>\1</em>", marked)


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of texts, with caption and headings for screen readers."""
    columns = "".join(f"<th scope='col'>{html.escape(name)}</th>" for name in head)
    lines = []
    for first, *rest in rows:
        cells = ""
        for cell in rest:
            wide = WIDE if len(cell) > LONG else ""
            cells += f"<td{wide}>{failure(cell)}</td>"
        lines.append(f"<tr><th scope='row'>{html.escape(first)}</th>{cells}</tr>")
    style = "border-spacing:12px 0;font-size:12px;line-height:1.5;text-align:left"
    return (
        f"<table class='clwork-table' style='{style}'>"
        f"<caption style='text-align:left'>{html.escape(caption)}</caption>"
        f"<thead><tr>{columns}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )


# The cache is limited because there are ever new formulas with a batch's numbers.
@functools.lru_cache(maxsize=1024)
def mathml(latex: str, display: str = "inline") -> str:
    r"""Convert LaTeX to MathML; LaTeX that cannot be converted is shown unchanged."""
    return tostring(converted(latex, display), encoding="unicode") if latex else ""


def converted(latex: str, display: str) -> Element:
    """Convert LaTeX to a ``math`` element without the HTML entities that the converter leaves."""
    try:
        tree = convert_to_element(latex, display=display)
    except Exception:  # a reader's own method may have any formula
        tree = Element("math", {"xmlns": "http://www.w3.org/1998/Math/MathML", "display": display})
        SubElement(tree, "mtext").text = latex
    for element in tree.iter():
        element.text = None if element.text is None else html.unescape(element.text)
    return tree


def marked(formula: str, symbols: Mapping[str, str]) -> str:
    """Convert a formula to MathML; symbols of fields get the attribute ``data-field``."""
    if not formula:
        return ""
    drawn = {name: converted(symbol, "inline")[0] for name, symbol in symbols.items()}
    names = {_content(row[0]): name for name, row in drawn.items() if len(row) == 1}
    tree = converted(formula, "block")
    for element in tree.iter():
        if (name := names.get(_content(element))) is not None:
            element.set("data-field", name)
    return tostring(tree, encoding="unicode")


def _content(element: Element) -> tuple[object, ...]:
    return (element.tag, element.text, *(_content(child) for child in element))
