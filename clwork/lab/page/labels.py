"""Settings as text: formatted values, and titles of runs by the settings that differ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from statistics import mode
from typing import Any

from ... import methods
from ...run_folder.stored import FORKED_KEY, MOVED_KEY, SETTING_KEYS, changed_keys
from ...settings import Field

METHOD = "method"
DIGITS = 12
"""Digits beyond these are rounding errors."""
DIGEST = re.compile(r"(^| )[0-9a-f]{8}(?=, |$)")

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

    A run that differs in none has all settings in which others differ, or else its method.
    """
    differing = [name for name in changed_keys(settings) if name not in SETTING_KEYS]
    if len({own[METHOD] for own in settings}) == len(settings) > 1:
        # the method alone identifies each run
        differing = [METHOD]
    common = _common_values(settings, differing)
    rows = []
    for own in settings:
        parts = _parts(own, differing)
        special = {
            name: text
            for name, text in parts.items()
            if name not in common or own[name] != common[name]
        }
        rows.append(special or parts)
    # the method first, then settings with short texts
    longest = {name: max(len(row.get(name, "")) for row in rows) for name in differing}
    order = sorted(differing, key=lambda name: (name != METHOD, longest[name]))
    made = []
    for own, row in zip(settings, rows, strict=True):
        title = ", ".join(row[name] for name in (*order, *SETTING_KEYS) if name in row)
        made.append(title or _method_title(own[METHOD]))
    short = [without_digest(title) for title in made]
    return short if len(set(short)) == len(set(made)) else made


def _common_values(settings: Sequence[Settings], names: Sequence[str]) -> dict[str, Any]:
    """Return the values that more than half of the runs have."""
    common = {}
    for name in names:
        values = [own.get(name) for own in settings]
        most_frequent = mode(values)
        if 2 * values.count(most_frequent) > len(values):
            common[name] = most_frequent
    return common


def without_digest(value: Any) -> Any:
    """Remove the digests that distinguish encoders or corpora of one name."""
    return DIGEST.sub("", value) if isinstance(value, str) else value


def _method_title(method: str) -> str:
    return methods.get(method).title if method in methods.names() else method


def _parts(own: Settings, names: Sequence[str]) -> dict[str, str]:
    """Return the parts of a title by setting, such as "τ = .05", with moved controls and forks."""
    symbols = signs(own[METHOD])
    parts = {}
    for name in names:
        if name in own:
            symbol = symbols.get(name, name.replace("_", " "))
            parts[name] = f"{symbol} = {_short(own[name])}"
    if METHOD in names:
        parts[METHOD] = _method_title(own[METHOD])
    if MOVED_KEY in own:
        parts[MOVED_KEY] = f"{MOVED_KEY} {own[MOVED_KEY]}"
    if FORKED_KEY in own:
        parts[FORKED_KEY] = str(own[FORKED_KEY])
    return parts


def _short(value: object) -> str:
    text = plain(value)
    if isinstance(value, float) and abs(value) < 1:
        text = text.replace("0.", ".", 1).replace("e-0", "e-")
    return text


def signs(method: str) -> dict[str, str]:
    """Return the symbol or title of each hyperparameter; empty for an unknown method."""
    known = methods.fields(methods.get(method).Config) if method in methods.names() else ()
    return {field.name: _sign(field) for field in known}


def _sign(field: Field) -> str:
    """Return a hyperparameter's symbol in the formula as one character, else its title."""
    name = field.symbol.removeprefix("\\").removeprefix("var")
    try:
        return unicodedata.lookup(
            f"GREEK SMALL LETTER {'LAMDA' if name == 'lambda' else name.upper()}"
        )
    except KeyError:
        return field.symbol if len(field.symbol) == 1 else field.called
