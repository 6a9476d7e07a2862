"""A slider over values computed beforehand: bars and curves respond in the page, without a kernel."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ... import _validation
from ..._validation import checked, kind, printable, shown
from ..page.standalone import iframe, page

MOST_VALUES, MOST_NAMES = 400, 12
HEAD, ROW, LEAST = 118, 38, 270  # pixels: slider and value; a bar; what the curves need


class Dial:
    """See :func:`clwork.lab.dial`, which makes it.

    Attributes:
        values: where the slider can stand.
        rows: for each value, the numbers by name.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        """Hold what the page draws."""
        self._state = dict(state)
        self.values: list[float] = list(state["values"])
        self.rows = [dict(zip(state["names"], row, strict=True)) for row in state["rows"]]

    def page(self) -> str:
        """The dial as a document of its own; it makes no requests."""
        return page("dial", self._state, self._state["name"])

    def _repr_html_(self) -> str:
        """The dial in a frame."""
        state = self._state
        height = HEAD + max(LEAST, ROW * len(state["names"])) + 22 * bool(state["says"])
        return iframe(self.page(), height, f"dial: {state['name']}")

    def __repr__(self) -> str:
        """Name and range."""
        return f"Dial({self._state['name']!r}, {len(self.values)} values, {self.values[0]:g} to {self.values[-1]:g})"


@checked()
def dial(
    name: str,
    values: Sequence[Any],
    draw: Callable[[Any], Mapping[str, float]],
    *,
    start: float | None = None,
    unit: str = "",
    say: Callable[[Any], str] | None = None,
    log: bool = False,
) -> Dial:
    """A slider over ``values``: for each, the numbers that ``draw(value)`` names, as bars and as curves.

    All values are computed at once, so the page responds without a kernel, in a saved notebook too. The axis is the
    same for all values.

    Args:
        name: what the slider moves, such as ``"temperature τ"``.
        values: 1 to 400 finite numbers in rising order.
        draw: gives 1 to 12 finite numbers by name, the same names for each value.
        start: the value that is shown first; the nearest one is taken. Default: the first.
        unit: what the numbers are; the title of their axis.
        say: a sentence for each value, below the slider.
        log: a logarithmic axis of values, which are above 0 then.

    Raises:
        TypeError: ``draw`` gives no mapping of names to numbers, ``say`` no text.
        ValueError: values or numbers are out of range, or the names differ.

    >>> dial("x", [1, 2, 4], lambda x: {"square": x * x})
    Dial('x', 3 values, 1 to 4)
    """
    at = [_validation.number("values", value) for value in values]
    if not 1 <= len(at) <= MOST_VALUES or any(b <= a for a, b in itertools.pairwise(at)):
        raise ValueError(f"values={shown(at)}; give 1 to {MOST_VALUES} numbers in rising order")
    if not all(map(math.isfinite, at)) or (log and at[0] <= 0):
        raise ValueError(f"values={shown(at)}; give finite numbers{', above 0 for a logarithmic axis' if log else ''}")
    drawn = [_numbers(value, draw(value)) for value in values]
    names = list(drawn[0])
    for value, row in zip(values, drawn, strict=True):
        if list(row) != names:
            raise ValueError(f"draw({value:g}) names {list(row)}, draw({values[0]:g}) {names}; give the same names")
    says = [] if say is None else [_sentence(value, say(value)) for value in values]
    first = 0 if start is None else min(range(len(at)), key=lambda k: abs(at[k] - start))
    state: dict[str, Any] = {
        "name": printable(name),
        "values": at,
        "names": [printable(one) for one in names],
    }
    state |= {"rows": [list(row.values()) for row in drawn], "start": first, "unit": unit, "says": says, "log": log}
    return Dial(state)


def _numbers(value: float, row: object) -> dict[str, float]:
    if not isinstance(row, Mapping) or not 1 <= len(row) <= MOST_NAMES:
        raise TypeError(f"draw({value:g}) gives {shown(row)}; give 1 to {MOST_NAMES} numbers by name")
    found = {str(name): _validation.number(f"draw({value:g})[{name!r}]", number) for name, number in row.items()}
    for name, number in found.items():
        if not math.isfinite(number):
            raise ValueError(f"draw({value:g})[{name!r}]={number}; give finite numbers: cut the range of values")
    return found


def _sentence(value: float, said: object) -> str:
    if not isinstance(said, str):
        raise TypeError(f"say({value:g}) gives {shown(said)}, {kind(said)}; give a text")
    return printable(said)
