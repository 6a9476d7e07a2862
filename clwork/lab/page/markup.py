"""Texts, tables and formulas as HTML; browsers render MathML without a script."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from latex2mathml.converter import convert_to_element

from ..._validation import printable

LONG = 30
"""Characters; cells with longer texts get a minimum width: a narrow screen scrolls the table."""
WIDE = " style='min-width:14em'"


def escaped(text: str) -> str:
    """Escape a plain text as HTML and preserve its line breaks."""
    return html.escape(printable(text)).replace("\n", "<br>")


def prose(text: str) -> str:
    """Convert a sentence to HTML: escape it; backticks mark code, stars mark emphasis.

    >>> prose("call `f` *now*")
    'call <code>f</code> <em>now</em>'
    """
    with_code = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", escaped(text))
    # A star next to a space or inside a word, as in "2 * 3" and "a*b", marks nothing.
    return re.sub(r"(?<![\w*])\*(\w[^*\n]*\w|\w)\*(?![\w*])", r"<em>\1</em>", with_code)


def latex(lines: Sequence[str]) -> str:
    """Return formulas for a page without widgets: a notebook typesets the LaTeX between ``$$``."""
    return "".join(f"<div>$${html.escape(line, quote=False)}$$</div>" for line in lines)


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of texts, with caption and headings for screen readers.

    The first text of each row is its heading.
    """
    columns = "".join(f"<th scope='col'>{html.escape(name)}</th>" for name in head)
    body = ""
    for heading, *texts in rows:
        cells = ""
        for text in texts:
            style = WIDE if len(text) > LONG else ""
            cells += f"<td{style}>{escaped(text)}</td>"
        body += f"<tr><th scope='row'>{html.escape(heading)}</th>{cells}</tr>"
    style = "border-spacing:12px 0;font-size:12px;line-height:1.5;text-align:left"
    return (
        f"<table class='clwork-table' style='{style}'>"
        f"<caption style='text-align:left'>{html.escape(caption)}</caption>"
        f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"
    )


# The cache is limited, because formulas with the numbers of a batch are new for each step.
@functools.lru_cache(maxsize=1024)
def mathml(latex: str, display: str = "inline") -> str:
    """Convert LaTeX to MathML; LaTeX that cannot be converted is shown unchanged.

    ``display`` is "inline" or "block". An empty text stays empty.
    """
    return tostring(converted(latex, display), encoding="unicode") if latex else ""


def converted(latex: str, display: str) -> Element:
    """Convert LaTeX to a ``math`` element."""
    try:
        tree = convert_to_element(latex, display=display)
    except Exception:
        # A reader's own method may have any formula.
        tree = Element("math", {"xmlns": "http://www.w3.org/1998/Math/MathML", "display": display})
        SubElement(tree, "mtext").text = latex
    # The converter leaves HTML entities such as &#x003C;, which would be escaped again.
    for element in tree.iter():
        if element.text is not None:
            element.text = html.unescape(element.text)
    return tree


def marked(formula: str, symbols: Mapping[str, str]) -> str:
    r"""Convert a formula to MathML; each hyperparameter's symbol gets the attribute ``data-field``.

    By this attribute the panel marks the symbol of a slider.

    Args:
        formula: LaTeX; an empty text stays empty.
        symbols: the LaTeX of each hyperparameter's symbol by its name, such as
            ``{"temperature": r"\tau"}``.
    """
    if not formula:
        return ""
    # A converted symbol is <math><mrow>…</mrow></math>. A row with several elements cannot be found
    # as one element of the formula.
    name_by_content = {}
    for name, symbol in symbols.items():
        row = converted(symbol, "inline")[0]
        if len(row) == 1:
            name_by_content[_content(row[0])] = name
    tree = converted(formula, "block")
    for element in tree.iter():
        field_name = name_by_content.get(_content(element))
        if field_name is not None:
            element.set("data-field", field_name)
    return tostring(tree, encoding="unicode")


def _content(element: Element) -> tuple[object, ...]:
    """Return tag, text and content of all children: equal for elements that look alike."""
    return (element.tag, element.text, *(_content(child) for child in element))
