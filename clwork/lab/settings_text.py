"""All settings of a panel as one short line of text, to be kept, sent to somebody and applied again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from ..checks import nearest, shown
from ..methods import Field
from .number_text import plain, typed

OWN = ("seed", "steps", "corpus", "column", "encoder")  # settings that are no hyperparameters, in this order
LONGEST = 20_000  # letters; more is no line of settings
YES, NO = ("yes", "true", "on"), ("no", "false", "off")


def write(method: str, own: Mapping[str, Any], changed: Mapping[str, Any]) -> str:
    """The line: the method, what every run has, and the hyperparameters that differ from their defaults.

    >>> write("simcse", {"seed": 0, "steps": 300, "corpus": "my file.txt"}, {"temperature": 0.1, "fixed_mask": True})
    "simcse seed=0 steps=300 corpus='my file.txt' temperature=0.1 fixed_mask=yes"
    """
    pairs = {**{name: own[name] for name in OWN if own.get(name) not in (None, "")}, **changed}
    return " ".join([method, *(f"{name}={shlex.quote(plain(value))}" for name, value in pairs.items())])


def read(text: str, method: str) -> dict[str, str]:
    """What a line sets, by name, as it stands there.

    Raises:
        ValueError: it is no such line, one of another method, or names a setting twice; the message says what to do.

    >>> read("simcse seed=3 temperature=0.1", "simcse")
    {'seed': '3', 'temperature': '0.1'}
    """
    if len(text) > LONGEST:
        raise ValueError(f"this text has {len(text):,} letters; settings are one line of at most {LONGEST:,}")
    try:
        first, *rest = shlex.split(text) or [""]
    except ValueError as error:
        raise ValueError(f"a quotation mark is not closed in {shown(text, 80)} ({error})") from None
    if not first or "=" in first:
        raise ValueError(f"the text must begin with the method's name: {method} seed=0 …")
    if first != method:
        raise ValueError(
            f"these are settings of {shown(first)}, and this is the panel of {method!r}; open lab.panel({first!r}) and "
            "apply them there"
        )
    found: dict[str, str] = {}
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{shown(word)} sets nothing; write name=value, and quote a value that has blanks")
        if name in found:
            raise ValueError(f"{name} is set twice, to {shown(found[name])} and to {shown(value)}; leave one out")
        found[name] = value
    return found


def values(found: Mapping[str, str], fields: Mapping[str, Field]) -> dict[str, Any]:
    """The hyperparameters among what was read, checked and in their types.

    Raises:
        ValueError: a name is unknown, or a value is of another kind or out of range.
    """
    known = [*OWN, *fields]
    for name in found:
        if name not in known:
            raise ValueError(f"there is no setting {shown(name)}{nearest(name, known)}; known: {', '.join(known)}")
    return {name: value_of(found[name], field) for name, field in fields.items() if name in found}


def value_of(text: str, field: Field) -> Any:
    """The value of ``field`` that ``text`` stands for.

    Raises:
        ValueError: it stands for none.
    """
    if field.kind in ("int", "float"):
        return typed(text, field)
    if field.kind == "bool":
        if text.lower() not in YES + NO:
            raise ValueError(f"{field.name}={text} is neither yes nor no")
        return text.lower() in YES
    try:
        return field.check(text)
    except TypeError as error:
        raise ValueError(str(error)) from error
