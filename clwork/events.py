"""Events of a run, stored as data such as ``{"moved": {"temperature": [0.05, 0.1]}}`` and formatted for display.

Rows of older runs have a sentence under ``event`` instead of ``events``, which is shown unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .wording import plural, unknown_tokens

Event = dict[str, Any]


def _moved(controls: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {_value(old)} → {_value(new)}"
        for name, (old, new) in controls.items()
    )


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _forked(parent: Mapping[str, Any]) -> str:
    changes = _moved(parent.get("changed", {}))
    return f"forked from {parent['run']} at step {parent['step']}" + (
        f": {changes}" if changes else ""
    )


def _steps(steps: Sequence[int]) -> str:
    """Format steps, given as their count, the first and the last."""
    count, first, last = steps
    if count == 1:
        return f"step {first}"
    return (
        f"steps {first} to {last}"
        if count == last - first + 1
        else f"{count} steps between {first} and {last}"
    )


def _pooling(about: Mapping[str, Any]) -> str:
    trained, loaded = about["trained"], about["loaded"]
    if about["auto"]:
        reason = "since the method cannot train the encoder's own"
        if not about["declared"]:
            reason = "since the encoder declares none"
        elif loaded.startswith(trained):
            reason = "the encoder's own"
        return f"pooling auto: {trained}, {reason}"
    return f"pooling {trained}, but the encoder as loaded has {loaded}"


def _scores(scores: Mapping[str, float]) -> str:
    return ", ".join(f"{column} {score:.1f}" for column, score in scores.items())


WORDS: dict[str, Callable[[Any], str]] = {
    "moved": _moved,  # controls by name: the value before, the value from this step on
    "paused": lambda seconds: f"paused {seconds:.0f} s",
    "resumed": lambda step: f"resumed from step {step}",
    "changed": lambda what: f"{what} changed",  # accepted on resume: "encoder" or "sentences"
    "forked": _forked,  # run, step, and what was changed there, as in "moved"
    "pooling": _pooling,  # trained, of the encoder as loaded, whether by "auto" and if it declares one
    "untrained": lambda scores: (
        f"as loaded: {_scores(scores)}"
    ),  # the untrained encoder, if its pooling differs
    "usable": lambda share: f"{100 * share:.0f} % of sentences usable",
    "unknown": unknown_tokens,  # share
    "repeated": lambda share: (
        f"{100 * share:.3g} % of examples repeat another one (apart from case and blanks)"
    ),
    "lost": lambda steps: (
        f"{_steps(steps)} missing from the record"
    ),  # count, first, last; found on resume
    "damaged": lambda lines: (
        f"{plural(lines, 'damaged line')} of the record left out"
    ),  # found on resume
    "overflow": lambda scale: (
        f"update skipped: a gradient exceeded float16 (loss scale now {scale:g})"
    ),
}


def event_text(event: Event) -> str:
    return "; ".join(WORDS[kind](what) for kind, what in event.items())


def events_of(row: Mapping[str, Any]) -> list[Event]:
    """Return a row's events; empty if there are none, or NaN as in a row of a DataFrame."""
    events = row.get("events")
    return events if isinstance(events, list) else []


def sentence(row: Mapping[str, Any]) -> str:
    """Format all events before a row's step as one text; empty if there are none."""
    sentences = [event_text(event) for event in events_of(row)]
    older = row.get("event")
    return "; ".join([older, *sentences] if isinstance(older, str) and older else sentences)


def moves(row: Mapping[str, Any]) -> str:
    """Format the controls moved before a row's step."""
    return "; ".join(event_text(event) for event in events_of(row) if "moved" in event)
