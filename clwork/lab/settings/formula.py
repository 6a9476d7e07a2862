"""A method's formula as MathML, with its hyperparameters' symbols marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element, tostring

from ..page.mathml import converted


def marked(formula: str, symbols: Mapping[str, str]) -> str:
    """Convert a formula; each place of a symbol carries ``data-field``, the name that ``symbols`` gives it by.

    Only symbols of one element are marked, a letter with or without indices.

    >>> marked("x/n", {"size": "n"}).count('<mi data-field="size">n</mi>')
    1
    """
    if not formula:
        return ""
    names = {}
    for name, symbol in symbols.items():
        drawn = converted(symbol, "inline")[0]
        if len(drawn) == 1:
            names[_content(drawn[0])] = name
    tree = converted(formula, "block")
    for element in tree.iter():
        if (name_of := names.get(_content(element))) is not None:
            element.set("data-field", name_of)
    return tostring(tree, encoding="unicode")


def _content(element: Element) -> tuple[object, ...]:
    return (element.tag, element.text, *(_content(child) for child in element))


def place_in(symbol: str, formula: str) -> int:
    r"""The index of a symbol in a formula, -1 if it is absent; letters of a command's name do not count.

    >>> place_in("N", r"\sum_{j=1}^{N} x"), place_in(r"\tau", r"x/\tau"), place_in("m", r"\sum")
    (12, 2, -1)
    """
    plain_text = re.sub(r"\\(text|mathrm|operatorname)\{[^}]*\}", lambda match: " " * len(match[0]), formula)
    before = "" if symbol.startswith("\\") else r"(?<![A-Za-z\\])"
    match = re.search(before + re.escape(symbol) + r"(?![A-Za-z])", plain_text)
    return match.start() if match else -1
