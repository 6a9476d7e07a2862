"""All settings as one line of text, and the settings that papers have published."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any

from ..._validation import nearest, shown
from ...methods import Field, MethodConfig
from ...methods.hyperparameters import build
from ..page.labels import plain, typed

OWN = ("seed", "steps", "corpus", "column", "encoder")  # settings that are no hyperparameters, in this order
LONGEST = 20_000  # letters; more is no line of settings
YES, NO = ("yes", "true", "on"), ("no", "false", "off")


def write(method: str, own: Mapping[str, Any], changed: Mapping[str, Any]) -> str:
    """Format the line: the method, the settings of every run, and the hyperparameters that differ from their defaults.

    >>> write("simcse", {"seed": 0, "steps": 300, "corpus": "my file.txt"}, {"temperature": 0.1, "fixed_mask": True})
    "simcse seed=0 steps=300 corpus='my file.txt' temperature=0.1 fixed_mask=yes"
    """
    pairs = {**{name: own[name] for name in OWN if own.get(name) not in (None, "")}, **changed}
    return " ".join([method, *(f"{name}={shlex.quote(plain(value))}" for name, value in pairs.items())])


def read(text: str, method: str) -> dict[str, str]:
    """Parse a line into its settings, by name, as text.

    Raises:
        ValueError: not such a line, one of another method, or one that names a setting twice.

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
    settings: dict[str, str] = {}
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{shown(word)} sets nothing; write name=value, and quote a value that has blanks")
        if name in settings:
            raise ValueError(f"{name} is set twice, to {shown(settings[name])} and to {shown(value)}; leave one out")
        settings[name] = value
    return settings


def values(settings: Mapping[str, str], fields: Mapping[str, Field]) -> dict[str, Any]:
    """The hyperparameters among the parsed settings, checked and converted.

    Raises:
        ValueError: a name is unknown, or a value is of another kind or out of range.
    """
    known = [*OWN, *fields]
    for name in settings:
        if name not in known:
            raise ValueError(f"there is no setting {shown(name)}{nearest(name, known)}; known: {', '.join(known)}")
    return {name: value_of(settings[name], field) for name, field in fields.items() if name in settings}


def value_of(text: str, field: Field) -> Any:
    """Parse ``text`` as a value of ``field``.

    Raises:
        ValueError: another kind, or out of range.
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


YOURS, DEFAULT = "your own", "default"
ABOUT_DEFAULT = "What suits this encoder."
ABOUT_PUBLISHED = "As published, for BERT-base."


class Presets:
    """Settings by name: the encoder's default, those that papers have published, and whatever the reader has set."""

    def __init__(
        self,
        config: type[MethodConfig],
        published: Mapping[str, Mapping[str, Any]],
        usual: Callable[[], Mapping[str, Any]],
    ) -> None:
        """Build the published settings; ``usual()`` returns the values of an unchanged configuration."""
        self._published = {name: vars(build(config, own)) for name, own in published.items()}
        self._usual = usual
        self._last = DEFAULT

    @property
    def options(self) -> list[dict[str, str]]:
        """The names, each with a line about it."""
        notes = {YOURS: "", DEFAULT: ABOUT_DEFAULT}
        return [
            {"value": name, "label": name, "note": notes.get(name, ABOUT_PUBLISHED)}
            for name in (YOURS, DEFAULT, *self._published)
        ]

    def values(self, name: str) -> Mapping[str, Any]:
        """The values that a name stands for; none for the reader's own.

        Raises:
            ValueError: there is no such preset.
        """
        if name in (YOURS, DEFAULT):
            return self._usual() if name == DEFAULT else {}
        if name not in self._published:
            known = [DEFAULT, *self._published]
            raise ValueError(f"there are no settings {shown(name)}{nearest(name, known)}; known: {', '.join(known)}")
        return self._published[name]

    def choose(self, name: str) -> Mapping[str, Any]:
        """Return the values to set, and remember the name.

        Raises:
            ValueError: there is no such preset.
        """
        values = self.values(name)
        self._last = name
        return values

    def name_of(self, values: Mapping[str, Any]) -> str:
        """The name of these values: of equal presets the one that was chosen last."""
        names = [self._last, DEFAULT, *self._published]
        self._last = next((name for name in names if name != YOURS and dict(self.values(name)) == dict(values)), YOURS)
        return self._last
