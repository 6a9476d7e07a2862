"""Events of a run: data such as ``{"moved": {"temperature": [0.05, 0.1]}}``, shown as text.

An event is a mapping with one key, its kind, and the details as the value. A row of the history has
under ``events`` the list of events before its step. Rows of older runs have a sentence under
``event`` instead, which is shown unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .wording import plural, unknown_tokens

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


def _lost(count_first_last: Sequence[int]) -> str:
    """Format missing steps, of which are given the number, the first and the last."""
    count, first, last = count_first_last
    if count == 1:
        missing = f"step {first}"
    elif count == last - first + 1:
        missing = f"steps {first} to {last}"
    else:
        missing = f"{count} steps between {first} and {last}"
    return f"{missing} missing from the record"


def _pooling(event: Mapping[str, Any]) -> str:
    """Explain a pooling that was chosen by "auto", or that differs from the loaded encoder's.

    ``trained`` is the pooling in training, ``loaded`` that of the encoder, ``auto`` whether it was
    chosen by "auto", and ``declared`` whether the encoder's files name a pooling.
    """
    trained = event["trained"]
    loaded = event["loaded"]
    if not event["auto"]:
        return f"pooling {trained}, but the encoder as loaded has {loaded}"
    if not event["declared"]:
        reason = "since the encoder declares none"
    elif loaded.startswith(trained):
        # "cls_before_pooler" is the vector of "cls" without the head.
        reason = "the encoder's own"
    else:
        reason = "since the method cannot train the encoder's own"
    return f"pooling auto: {trained}, {reason}"


def _untrained(scores: Mapping[str, float]) -> str:
    """Format the scores of the untrained encoder, which are stored if its pooling differs."""
    texts = [f"{column} {score:.1f}" for column, score in scores.items()]
    return f"as loaded: {', '.join(texts)}"


def _repeated(share: float) -> str:
    """Format the share of examples that occur more than once."""
    return f"{100 * share:.3g} % of examples repeat another one (apart from case and blanks)"


# The function that formats the details of an event, by its kind.
WORDS: dict[str, Callable[[Any], str]] = {
    "moved": _moved,
    "paused": lambda seconds: f"paused {seconds:.0f} s",
    "resumed": lambda step: f"resumed from step {step}",
    # On resume, "encoder" or "sentences" differ from those with which the run began.
    "changed": lambda what: f"{what} changed",
    "forked": _forked,
    "pooling": _pooling,
    "untrained": _untrained,
    "usable": lambda share: f"{100 * share:.0f} % of sentences usable",
    "unknown": unknown_tokens,
    "repeated": _repeated,
    # Rows of the history that are missing or damaged on resume, as after a power failure.
    "lost": _lost,
    "damaged": lambda lines: f"{plural(lines, 'damaged line')} of the record left out",
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
    texts = [event_text(event) for event in events_of(row)]
    text_of_older_run = row.get("event")
    if isinstance(text_of_older_run, str) and text_of_older_run:
        texts.insert(0, text_of_older_run)
    return "; ".join(texts)


def moves(row: Mapping[str, Any]) -> str:
    """Format the controls that were moved before a row's step; empty if there are none."""
    return "; ".join(event_text(event) for event in events_of(row) if "moved" in event)
