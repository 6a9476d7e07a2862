"""Formulas for the page: LaTeX as MathML, which browsers set by themselves."""

from __future__ import annotations

import functools
import html
from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, tostring

from latex2mathml.converter import convert_to_element

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
    """Convert a formula; each place of a symbol gets ``data-field``, its name in ``symbols``.

    Only symbols of one element are marked, a letter with or without indices.

    >>> marked("x/n", {"size": "n"}).count('<mi data-field="size">n</mi>')
    1
    """
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
