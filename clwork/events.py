"""Events of a run: data such as ``{"moved": {"temperature": [0.05, 0.1]}}``, shown as text.

An event is a mapping with one key, its kind, and the details as the value. A row of the history has
under ``events`` the list of events before its step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .wording import unknown_tokens_message

Event = dict[str, Any]


def _moved(controls: Mapping[str, Any]) -> str:
    """Format moved controls: the old and the new value by name."""
    changes = []
    for name, (old, new) in controls.items():
        changes.append(f"{name.replace('_', ' ')} {_value(old)} → {_value(new)}")
    return ", ".join(changes)


def _value(value: Any) -> str:
    """Format a setting; floats without the digits that no one typed, such as 0.1 for 0.10000001."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _forked(parent: Mapping[str, Any]) -> str:
    """Format the origin of a fork: ``run``, ``step`` and the settings ``changed``."""
    changes = _moved(parent.get("changed", {}))
    origin = f"forked from {parent['run']} at step {parent['step']}"
    return f"{origin}: {changes}" if changes else origin


# The function that formats the details of an event, by its kind.
WORDS: dict[str, Callable[[Any], str]] = {
    "moved": _moved,
    "resumed": lambda step: f"resumed from step {step}",
    "forked": _forked,
    # In recordings of MoCoUTRL.
    "usable": lambda share: f"{100 * share:.0f} % of sentences usable",
    "unknown": unknown_tokens_message,
    "overflow": lambda scale: (
        f"update skipped: a gradient exceeded float16 (loss scale now {scale:g})"
    ),
}


def event_text(event: Event) -> str:
    """Format an event as text.

    >>> event_text({"moved": {"temperature": [0.05, 0.1]}})
    'temperature 0.05 → 0.1'
    """
    return "; ".join(WORDS[kind](details) for kind, details in event.items())


def events_of(row: Mapping[str, Any]) -> list[Event]:
    """Return a row's events; empty if there are none, or NaN as in a row of a DataFrame."""
    events = row.get("events")
    return events if isinstance(events, list) else []


def sentence(row: Mapping[str, Any]) -> str:
    """Format all events before a row's step as one text; empty if there are none."""
    text_of_frame = row.get("event")
    # A row of a DataFrame, see History.as_frame, has the text alone.
    if isinstance(text_of_frame, str):
        return text_of_frame
    return "; ".join(event_text(event) for event in events_of(row))


def moves(row: Mapping[str, Any]) -> str:
    """Format the controls that were moved before a row's step; empty if there are none."""
    return "; ".join(event_text(event) for event in events_of(row) if "moved" in event)
