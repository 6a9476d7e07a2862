"""Settings as text: formatted values, and titles of runs by the settings that differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mode
from typing import Any

from ... import methods
from ...settings import Field
from ...training.stored import changed_keys

METHOD = "method"
"""Key of the method's name in the settings of a run."""
DIGITS = 12
"""Digits beyond these are rounding errors."""

# The settings of a run by name, with its method.
Settings = Mapping[str, Any]


def plain(value: object) -> str:
    """Format a value without binary rounding errors.

    >>> plain(0.1 + 0.2), plain(True)
    ('0.3', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def titles(settings: Sequence[Settings]) -> list[str]:
    """Return a title for each run: the settings in which it differs from most runs.

    Such as "τ = 0.05" and "τ = 0.1" for runs that differ in temperature. A run that differs from
    most runs in nothing has all settings in which others differ, or else its method.
    """
    differing = changed_keys(settings)
    methods_of_runs = {run[METHOD] for run in settings}
    if len(settings) > 1 and len(methods_of_runs) == len(settings):
        # No two runs have the same method, so it alone identifies each run.
        differing = [METHOD]
    parts_by_run = _special_parts(settings, differing)

    # The method comes first, then the settings in the order of their longest text.
    longest = {}
    for name in differing:
        longest[name] = max(len(parts.get(name, "")) for parts in parts_by_run)
    order = sorted(differing, key=lambda name: (name != METHOD, longest[name]))

    run_titles = []
    for run, parts in zip(settings, parts_by_run, strict=True):
        title = ", ".join(parts[name] for name in order if name in parts)
        # The title is empty if the runs differ in nothing.
        run_titles.append(title or _method_title(run[METHOD]))
    return run_titles


def _special_parts(settings: Sequence[Settings], names: Sequence[str]) -> list[dict[str, str]]:
    """Return the parts of each run's title by setting, without the values that most runs have.

    A run that has only such values has a part for each of ``names``.
    """
    common = _common_values(settings, names)
    parts_by_run = []
    for run in settings:
        parts = _parts(run, names)
        special = {
            name: text
            for name, text in parts.items()
            if name not in common or run[name] != common[name]
        }
        parts_by_run.append(special or parts)
    return parts_by_run


def _common_values(settings: Sequence[Settings], names: Sequence[str]) -> dict[str, Any]:
    """Return the values that more than half of the runs have."""
    common = {}
    for name in names:
        values = [run.get(name) for run in settings]
        most_frequent = mode(values)
        if 2 * values.count(most_frequent) > len(values):
            common[name] = most_frequent
    return common


def _method_title(method: str) -> str:
    """Return a method's title; its name if this process does not know the method."""
    return methods.get(method).title if method in methods.names() else method


def _parts(run: Settings, names: Sequence[str]) -> dict[str, str]:
    """Return the parts of a run's title by setting, such as ``{"temperature": "τ = 0.05"}``."""
    symbols = signs(run[METHOD])
    parts = {}
    for name in names:
        if name in run:
            symbol = symbols.get(name, name.replace("_", " "))
            parts[name] = f"{symbol} = {plain(run[name])}"
    if METHOD in names:
        # The method is named by its title alone, without "method =".
        parts[METHOD] = _method_title(run[METHOD])
    return parts


def signs(method: str) -> dict[str, str]:
    """Return the symbol or title of each hyperparameter; empty for an unknown method."""
    known = methods.fields(methods.get(method).Config) if method in methods.names() else ()
    return {field.name: _sign(field) for field in known}


def _sign(field: Field) -> str:
    """Return the letter that ends a hyperparameter's title, such as τ; else the whole title."""
    last_word = field.called.split()[-1]
    return last_word if len(last_word) == 1 else field.called
