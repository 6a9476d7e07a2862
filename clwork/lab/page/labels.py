"""Settings as text: formatted values, and titles of runs made of the settings in which they differ."""

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
DIGITS = 12  # digits beyond these are rounding errors
DIGEST = re.compile(r"(^| )[0-9a-f]{8}(?=, |$)")


def plain(value: object) -> str:
    """Format a value without binary rounding errors."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def titles(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a title for each run: the settings in which it differs from most runs, shortest first.

    A run that differs in none has all settings in which others differ, or its method if there are none.
    """
    named = [name for name in changed_keys(settings) if name not in SETTING_KEYS]
    if len({own[METHOD] for own in settings}) == len(settings) > 1:
        named = [METHOD]  # all methods differ, so the method alone identifies the run
    rows = [_parts(own, named) for own in settings]
    seen = {name: [own.get(name) for own in settings] for name in named}
    usual = {
        name: mode(values)
        for name, values in seen.items()
        if 2 * values.count(mode(values)) > len(values)
    }
    unusual = [
        {name: text for name, text in row.items() if name not in usual or own[name] != usual[name]}
        for row, own in zip(rows, settings, strict=True)
    ]
    rows = [few or all_parts for few, all_parts in zip(unusual, rows, strict=True)]
    longest = {name: max(len(row.get(name, "")) for row in rows) for name in named}
    order = sorted(named, key=lambda name: (name != METHOD, longest[name]))
    found = [
        ", ".join(row[name] for name in (*order, *SETTING_KEYS) if name in row)
        or _method_title(own[METHOD])
        for own, row in zip(settings, rows, strict=True)
    ]
    short = [without_digest(title) for title in found]
    return short if len(set(short)) == len(set(found)) else found


def without_digest(value: Any) -> Any:
    """Remove the digests that distinguish encoders or corpora of one name."""
    return DIGEST.sub("", value) if isinstance(value, str) else value


def _method_title(method: str) -> str:
    return methods.get(method).title if method in methods.names() else method


def _parts(own: Mapping[str, Any], named: Sequence[str]) -> dict[str, str]:
    """Return the parts of a run's title by setting, such as "τ = .05"; includes moved controls and forks."""
    known = signs(own[METHOD])
    parts = {}
    for name in [name for name in named if name in own]:
        value, text = own[name], plain(own[name])
        if isinstance(value, float) and abs(value) < 1:
            text = text.replace("0.", ".", 1).replace("e-0", "e-")
        parts[name] = f"{known.get(name, name.replace('_', ' '))} = {text}"
    if METHOD in named:
        parts[METHOD] = _method_title(own[METHOD])
    if MOVED_KEY in own:
        parts[MOVED_KEY] = f"{MOVED_KEY} {own[MOVED_KEY]}"
    if FORKED_KEY in own:
        parts[FORKED_KEY] = str(own[FORKED_KEY])
    return parts


def signs(method: str) -> dict[str, str]:
    """Return the symbol or title of each hyperparameter of a method; empty for an unknown method."""
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
