"""Formulas for the page: LaTeX as MathML, which browsers set by themselves."""

from __future__ import annotations

import functools
import html
from xml.etree.ElementTree import Element, SubElement, tostring

from latex2mathml.converter import convert_to_element

KEPT = 1024  # formulas; those with a batch's numbers in them are without end


@functools.lru_cache(maxsize=KEPT)
def mathml(latex: str, display: str = "inline") -> str:
    r"""Convert LaTeX to MathML; what can not be converted is shown as it is written.

    >>> mathml(r"\tau")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>τ</mi></mrow></math>'
    """
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
