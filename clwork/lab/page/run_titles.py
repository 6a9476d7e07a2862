"""Titles of runs that stand side by side: the settings in which they differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from ... import methods
from ...methods import Field
from ...training import changed_keys
from ...training.stored.stored import FORKED, HAPPENED, MOVED
from .number_text import plain

METHOD = "method"


def titles(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """A title for each run: the settings in which it differs from the others, in one order, the shortest first.

    Each of ``settings`` holds a run's method and its hyperparameters by name. Runs that differ in nothing are called by
    their method.

    >>> titles([{"method": "simcse", "temperature": t, "batch_size": n} for n, t in ((128, 0.02), (64, 1.0))])
    ['τ = .02, N = 128', 'τ = 1, N = 64']
    """
    told = [name for name in changed_keys(settings) if name not in HAPPENED]
    if len({own[METHOD] for own in settings}) == len(settings) > 1:
        told = [METHOD]  # says enough: two methods differ in whatever else only one of them does
    rows = [_parts(own, told) for own in settings]
    longest = {name: max(len(row.get(name, "")) for row in rows) for name in told}
    order = sorted(told, key=lambda name: (name != METHOD, longest[name]))
    return [
        ", ".join(row[name] for name in (*order, *HAPPENED) if name in row) or _called(own[METHOD])
        for own, row in zip(settings, rows, strict=True)
    ]


def _called(method: str) -> str:
    return methods.get(method).title if method in methods.names() else method


def _parts(own: Mapping[str, Any], told: Sequence[str]) -> dict[str, str]:
    """What a run's title may say of each setting, and of what happened to the run."""
    method = own[METHOD]
    known = methods.fields(methods.get(method).Config) if method in methods.names() else ()
    signs = {field.name: _sign(field) for field in known}
    found = {name: f"{signs.get(name, name.replace('_', ' '))} = {_value(own[name])}" for name in told if name in own}
    if METHOD in told:
        found[METHOD] = _called(method)
    if MOVED in own:
        found[MOVED] = f"{MOVED} {own[MOVED]}"
    if FORKED in own:
        found[FORKED] = str(own[FORKED])
    return found


def _value(value: Any) -> str:
    """A value, a fraction without its leading zero.

    >>> _value(0.02), _value(-0.5), _value(10), _value(True), _value("mean")
    ('.02', '-.5', '10', 'yes', 'mean')
    """
    text = plain(value)
    return text.replace("0.", ".", 1) if isinstance(value, float) and abs(value) < 1 else text


def _sign(field: Field) -> str:
    """The letter by which the formula knows a hyperparameter; its title where the formula has none."""
    name = field.symbol.removeprefix("\\").removeprefix("var")
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {'LAMDA' if name == 'lambda' else name.upper()}")
    except KeyError:
        return field.symbol if len(field.symbol) == 1 else field.called
