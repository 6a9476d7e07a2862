"""Texts, tables and formulas as HTML; LaTeX becomes MathML, which browsers set by themselves."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from latex2mathml.converter import convert_to_element

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


CACHED = 1024  # formulas; those with a batch's numbers are unlimited in number


@functools.lru_cache(maxsize=CACHED)
def mathml(latex: str, display: str = "inline") -> str:
    r"""Convert LaTeX to MathML; what can not be converted is shown as it is written."""
    return tostring(converted(latex, display), encoding="unicode") if latex else ""


def converted(latex: str, display: str) -> Element:
    """The ``math`` element; its texts hold characters, where the converter has entities that it writes unescaped."""
    try:
        tree = convert_to_element(latex, display=display)
    except Exception:  # of any kind: a method's author wrote the formula
        tree = Element("math", {"xmlns": "http://www.w3.org/1998/Math/MathML", "display": display})
        SubElement(tree, "mtext").text = latex
    for element in tree.iter():
        element.text = None if element.text is None else html.unescape(element.text)
    return tree


def marked(formula: str, symbols: Mapping[str, str]) -> str:
    """Convert a formula; each place of a one-element symbol gets ``data-field``, its name in ``symbols``."""
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
