"""Choosing what to train on."""

from __future__ import annotations

import html
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..._validation import shown
from ...data import CorpusSource, Sentences, sentences, triplets
from ...data.corpus import KINDS_OF_TUPLES
from ...data.sources import DEFAULT, SOURCES, sources_of
from ...wording import explain, plural
from .changes import Changes

ELSEWHERE, GIVEN = "elsewhere", "given"  # choices of corpus and encoder
OWN, UPLOAD, KEPT = "own text", "upload", "kept"
ENDINGS = ".txt,.csv,.tsv,.jsonl,.parquet,.gz"
FEWEST = 2
LONGEST = 20_000  # letters of own text that the page gets back; of a longer one it gets the number of sentences
NOTES = {
    OWN: "One sentence a line.",
    UPLOAD: "A text with a sentence a line, or a table.",
    ELSEWHERE: "A file on the kernel's machine, or user/name on the hub.",
}
INPUTS = {
    "place": {
        "title": "file or hub name",
        "help": "A .txt, .csv, .tsv, .jsonl or .parquet file, or a dataset of the hub (user/name).",
        "placeholder": "sentences.txt",
    },
    "text": {
        "title": "own sentences, one a line",
        "help": "",
        "placeholder": "One sentence a line: type or paste them here.",
    },
    "file": {"title": "Choose a file", "help": "", "accept": ENDINGS},
    "column": {
        "title": "column",
        "help": "For tables: the column that holds the sentences.",
        "placeholder": "found by itself",
    },
}
ASKED = {OWN: ["text"], UPLOAD: ["file", "column"], ELSEWHERE: ["place", "column"]}


@dataclass(frozen=True)
class Kept:
    """Lazy reference to the examples in a run's folder."""

    label: str
    kind: str | None
    read: Callable[[], Any]


def check_texts(**parts: object) -> None:
    """Check what a page has sent.

    Raises:
        TypeError: a part is neither text nor None.
    """
    for name, part in parts.items():
        if not isinstance(part, str | None):
            raise TypeError(f"{name}={shown(part)} is no text")


class CorpusChoice:
    """Corpora with a name, own text, a file, or examples from the call.

    Attributes:
        choice: the value of one of ``options``.
        place: a file or hub name; ``column`` of a table; ``text`` own sentences, one a line.
        file: name and content of an uploaded file, or None.
    """

    def __init__(
        self,
        given: Any = None,
        accepts: tuple[str, ...] = ("sentences",),
        column: str = "",
        changes: Changes | None = None,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        """Offer ``given`` first when there is one: a source's name, a sequence of examples, or what a run has kept.

        ``accepts`` says which kinds of examples the method trains on; ``column`` holds the sentences of a table.
        ``changed()`` is called under the lock after each choice.
        """
        self._sources = {source.key: source for source in sources_of("sentences", *accepts)}
        self._given = None if isinstance(given, str) else given
        name = given if isinstance(given, str) else DEFAULT
        key = next((source.key for source in sources_of("sentences") if source.name == name), ELSEWHERE)
        self.choice = KEPT if isinstance(given, Kept) else GIVEN if self._given is not None else key
        self.place, self.column, self.text = name if key == ELSEWHERE else "", column, ""
        self.file: tuple[str, bytes] | None = None
        self._changes, self._changed = changes or Changes(), changed

    @property
    def options(self) -> list[dict[str, str]]:
        """What can be chosen: value, label and a line about it."""
        options = [(key, source.choice, source.title) for key, source in self._sources.items()]
        labels = {OWN: "own text …", UPLOAD: "upload a file …", ELSEWHERE: "a file or hub dataset …"}
        options += [(value, label, NOTES[value]) for value, label in labels.items()]
        if isinstance(self._given, Kept):
            options.insert(0, (KEPT, self._given.label, "The examples of this run."))
        elif self._given is not None:
            size = f"{plural(len(self._given), 'example')}" if hasattr(self._given, "__len__") else "a stream"
            options.insert(0, (GIVEN, f"given in the call ({size})", "The examples of this run."))
        return [{"value": value, "label": label, "note": note} for value, label, note in options]

    @property
    def shown(self) -> list[str]:
        """The inputs that the choice asks for, of ``place``, ``text``, ``file`` and ``column``, in order."""
        return ASKED.get(self.choice, [])

    @property
    def note(self) -> str:
        """One line about the choice."""
        if self.choice == OWN:
            return f"{plural(len(self._lines()), 'sentence')} so far; a step takes as many as the batch size."
        if self.choice == UPLOAD and self.file is not None:
            return f"{self.file[0]} ({len(self.file[1]):,} bytes)"
        return next((option["note"] for option in self.options if option["value"] == self.choice), "")

    def choose(
        self,
        choice: str | None = None,
        *,
        place: str | None = None,
        column: str | None = None,
        text: str | None = None,
        file: tuple[str, bytes] | None = None,
    ) -> None:
        """Choose a corpus, or fill in what it asks for; None leaves a part as it is.

        Raises:
            TypeError: a part is no text.
            ValueError: there is no such choice.
        """
        check_texts(place=place, column=column, text=text)
        known = [option["value"] for option in self.options]
        if choice is not None and choice not in known:
            raise ValueError(f"there is no corpus {shown(choice)} to choose; known: {', '.join(known)}")
        with self._changes:
            self.choice = self.choice if choice is None else choice
            self.place = self.place if place is None else place
            self.column = self.column if column is None else column
            self.text = self.text if text is None else text
            self.file = self.file if file is None else (Path(file[0]).name, bytes(file[1]))
            self._changes.note()
            self._changed()

    def state(self) -> dict[str, Any]:
        """What the page shows: choice, options, inputs, and a line about each.

        ``text`` is None where it is too long to be sent back; ``file`` is the file's name.
        """
        return {
            "choice": self.choice,
            "options": self.options,
            "shown": self.shown,
            "place": self.place,
            "column": self.column,
            "text": self.text if len(self.text) <= LONGEST else None,
            "file": self.file[0] if self.file else "",
            "note": self.note,
            "credit": self.credit,
        }

    def _lines(self) -> list[str]:
        return [text.strip() for text in self.text.splitlines() if text.strip()]

    def read(self) -> Any:
        """The corpus for ``clwork.start(sentences=…)``; may read a file, so do not call it in a callback.

        Raises:
            ValueError: no file or name was typed.
            Exception: what ``clwork.data.sentences`` raises.
        """
        if self.choice in (GIVEN, KEPT):
            return self._given.read() if isinstance(self._given, Kept) else self._given
        if (source := self._source) is not None:
            return source.name if source.kind == "sentences" else triplets(source.name)
        if self.choice == OWN:
            return self._typed()
        return self._uploaded() if self.choice == UPLOAD else self._named()

    def _typed(self) -> list[str]:
        if len(lines := self._lines()) < FEWEST:
            raise ValueError(
                f"own text has {plural(len(lines), 'sentence')}: type or paste at least {FEWEST}, one a line"
            )
        return lines

    def _uploaded(self) -> Any:
        """Read the uploaded file; the sentences are kept, for it cannot be read again."""
        if self.file is None:
            raise ValueError("no file was uploaded: press 'Choose a file', or choose another corpus")
        name, content = self.file
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"uploaded{''.join(Path(name).suffixes[-2:])}"
            path.write_bytes(content)
            try:
                read = sentences(path, column=self.column.strip() or None)
            except Exception as error:
                raise ValueError(f"{name}: {explain(error).replace(str(path), name)}") from error
            return Sentences(list(read), labels=read.labels, groups=read.groups)

    def _named(self) -> Any:
        place, column = self.place.strip(), self.column.strip()
        if not place:
            raise ValueError(f"no corpus is named: type a file or hub dataset, or choose {DEFAULT}")
        return sentences(place, column=column) if column else place

    @property
    def kind(self) -> str | None:
        """``"sentences"``, ``"pairs"``, ``"triplets"`` or ``"quadruplets"``; None for a stream, which is not read."""
        if self.choice == KEPT and isinstance(self._given, Kept):
            return self._given.kind
        if self.choice != GIVEN:
            return "sentences" if self._source is None else self._source.kind
        if not isinstance(self._given, Sequence) or not len(self._given):
            return None
        first = self._given[0]
        return "sentences" if isinstance(first, str) else KINDS_OF_TUPLES.get(len(first), "triplets")

    @property
    def name(self) -> str:
        """The choice in a line of settings."""
        return self.place.strip() if self.choice == ELSEWHERE else self.choice

    def meaning(self, name: str) -> tuple[str, str | None]:
        """The choice and place that :attr:`name` named; a place of None stays as it is.

        Raises:
            ValueError: no text holds the examples themselves, and they are not to be had here.
        """
        known = [option["value"] for option in self.options if option["value"] != ELSEWHERE]
        if name in (GIVEN, KEPT, *(source.key for source in SOURCES.values())) and name not in known:
            raise ValueError(f"corpus={name} is not to be had in this panel, and no text holds the examples; name one")
        return (name, None) if name in known else (ELSEWHERE, name)

    def write(self, name: str, column: str = "") -> None:
        """Choose what :attr:`name` named; a file or hub dataset is filled in.

        Raises:
            ValueError: no text holds the examples themselves, and they are not to be had here.
        """
        choice, place = self.meaning(name)
        self.choose(choice, place=place, column=column)

    @property
    def _source(self) -> CorpusSource | None:
        return self._sources.get(self.choice)

    @property
    def credit(self) -> str:
        """One line on whose words will be shown; empty for the reader's own."""
        credit = "" if self._source is None else self._source.credit
        return html.unescape(re.sub(r"<[^>]*>", "", credit))
