"""Events of a run: data such as ``{"moved": {"temperature": [0.05, 0.1]}}``, shown as text.

Rows of older runs have a sentence under ``event`` instead of ``events``, which is shown unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .wording import plural, unknown_tokens

Event = dict[str, Any]


def _moved(controls: Mapping[str, Any]) -> str:
    """Format moved controls: by name, the value before and the value from this step on."""
    changes = []
    for name, (old, new) in controls.items():
        changes.append(f"{name.replace('_', ' ')} {_value(old)} → {_value(new)}")
    return ", ".join(changes)


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _forked(parent: Mapping[str, Any]) -> str:
    changes = _moved(parent.get("changed", {}))
    origin = f"forked from {parent['run']} at step {parent['step']}"
    return f"{origin}: {changes}" if changes else origin


def _lost(steps: Sequence[int]) -> str:
    """Format missing steps, given as their count, the first and the last."""
    count, first, last = steps
    if count == 1:
        missing = f"step {first}"
    elif count == last - first + 1:
        missing = f"steps {first} to {last}"
    else:
        missing = f"{count} steps between {first} and {last}"
    return f"{missing} missing from the record"


def _pooling(event: Mapping[str, Any]) -> str:
    """Explain a pooling that was chosen by "auto", or that differs from the loaded encoder's."""
    trained = event["trained"]
    if not event["auto"]:
        return f"pooling {trained}, but the encoder as loaded has {event['loaded']}"
    if not event["declared"]:
        reason = "since the encoder declares none"
    elif event["loaded"].startswith(trained):
        reason = "the encoder's own"
    else:
        reason = "since the method cannot train the encoder's own"
    return f"pooling auto: {trained}, {reason}"


def _untrained(scores: Mapping[str, float]) -> str:
    """Format the scores of the untrained encoder, which are stored if its pooling differs."""
    return f"as loaded: {', '.join(f'{column} {score:.1f}' for column, score in scores.items())}"


def _repeated(share: float) -> str:
    return f"{100 * share:.3g} % of examples repeat another one (apart from case and blanks)"


WORDS: dict[str, Callable[[Any], str]] = {
    "moved": _moved,
    "paused": lambda seconds: f"paused {seconds:.0f} s",
    "resumed": lambda step: f"resumed from step {step}",
    # Accepted on resume: "encoder" or "sentences".
    "changed": lambda what: f"{what} changed",
    "forked": _forked,
    "pooling": _pooling,
    "untrained": _untrained,
    "usable": lambda share: f"{100 * share:.0f} % of sentences usable",
    "unknown": unknown_tokens,
    "repeated": _repeated,
    # Found on resume.
    "lost": _lost,
    "damaged": lambda lines: f"{plural(lines, 'damaged line')} of the record left out",
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
