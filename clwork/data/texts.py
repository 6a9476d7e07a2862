"""What is handed over as text: which containers are lists of sentences, and which of them can be trained on."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clwork.checks import check_characters, is_number, kind, shown
from clwork.wording import plural


def listed(given: Any, what: str = "sentences") -> list[Any]:
    """What a container holds, in its order.

    Raises:
        TypeError: one string, something without an order, a table, an open file, or nothing that can be looped over.
    """
    if isinstance(given, str | bytes):
        raise TypeError(f"a list of {what} is needed, not one {kind(given)} ({shown(given, 40)}); wrap it")
    fault = ""
    if isinstance(given, set | frozenset):
        fault = "which has no order; give a list, for instance sorted(...) of it"
    elif isinstance(given, Mapping):
        fault = f"which has names, not places; give the list of {what} in it"
    elif hasattr(given, "columns"):
        fault = "a table of columns; give one of them, as a list"
    elif isinstance(given, io.IOBase):
        fault = "an open file; give its path"
    if not fault:
        try:
            return list(given)
        except TypeError:
            fault = "which cannot be read one by one; give a list"
    raise TypeError(f"{what} is {kind(given)} ({shown(given, 40)}), {fault}")


def check_sentences(found: Sequence[str]) -> None:
    """A list of sentences that can be trained on or searched in.

    Raises:
        ValueError: there is none, one is blank or holds what cannot be read, or they are all the same.
    """
    if not len(found):
        raise ValueError("the list of sentences is empty; give at least one sentence")
    for i, text in enumerate(found):
        if not text.strip():
            raise ValueError(f"sentence {i} of {len(found)} is blank; leave blank sentences out")
        check_characters(text, f"sentence {i}")
    if len(found) > 1 and all(text == found[0] for text in found):
        raise ValueError(f"all {len(found)} sentences are {shown(found[0])}; give different ones")


def column(name: str, values: Iterable[Any] | None, count: int) -> list[str | None] | None:
    """A topic or group for each of ``count`` sentences, as words; None where it is missing.

    Raises:
        TypeError: no list of words or numbers.
        ValueError: of another length, or with characters that cannot be read.
    """
    if values is None:
        return None
    if isinstance(values, str | bytes):
        raise TypeError(f"{name} is one {kind(values)} ({shown(values, 40)}); give a list, one for each sentence")
    one = name.removesuffix("s")
    found = [as_label(value, f"{one} {i}") for i, value in enumerate(listed(values, name))]
    if len(found) != count:
        raise ValueError(f"{len(found)} {name} for {plural(count, 'sentence')}; give one for each")
    return found


def as_label(value: Any, where: str) -> str | None:
    """A label as a word; None for None and for NaN, which tables have where nothing is.

    Raises:
        TypeError: neither a word nor a number.
    """
    if isinstance(value, str):
        return check_characters(str(value), where)
    if value is None or (is_number(value) and value != value):
        return None
    if not (isinstance(value, bool) or is_number(value)):
        raise TypeError(f"{where} is {kind(value)} ({shown(value)}); give a word or a number")
    return str(value)
