"""Choosing what to train on."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from ...data import CorpusSource, triplets
from ...data.pairs import KINDS_OF_TUPLES
from ...data.sources import DEFAULT, SOURCES, sources_of
from ...wording import explain, plural
from ..page.widgets import FULL, drop_down, hidden_line, note, reveal

ELSEWHERE, GIVEN = "elsewhere", "given"  # choices of both pickers
OWN, UPLOAD, KEPT = "own text", "upload", "kept"
ENDINGS = ".txt,.csv,.tsv,.jsonl,.parquet,.gz"
FEWEST = 2


@dataclass(frozen=True)
class Kept:
    """Lazy reference to the examples in a run's folder."""

    label: str
    kind: str | None
    read: Callable[[], Any]


class CorpusPicker(widgets.VBox):  # type: ignore[misc]
    """Corpora with a name, own text, a file, or examples from the call."""

    def __init__(self, given: Any = None, accepts: tuple[str, ...] = ("sentences",), column: str = "") -> None:
        """Offer ``given`` first when there is one: a source's name, a sequence of examples, or what a run has kept.

        ``accepts`` says which kinds of examples the method trains on; ``column`` holds the sentences of a table.
        """
        self._sources = {source.key: source for source in sources_of("sentences", *accepts)}
        self._given = None if isinstance(given, str) else given
        name = given if isinstance(given, str) else DEFAULT
        key = next((source.key for source in sources_of("sentences") if source.name == name), ELSEWHERE)
        value = KEPT if isinstance(given, Kept) else GIVEN if self._given is not None else key
        self.choice = drop_down("corpus", "What to train on.", self._options(), value)
        self.choice.add_class("clwork-corpus")
        about = "A .txt, .csv, .tsv, .jsonl or .parquet file, or a dataset of the hub (user/name)."
        self.place = hidden_line("file or hub name", about, "sentences.txt", name if key == ELSEWHERE else "")
        about = "For tables: the column that holds the sentences."
        self.column = hidden_line("column", about, "found by itself", column)
        self.text = widgets.Textarea(
            rows=5, placeholder="One sentence a line: type or paste them here.", layout=widgets.Layout(**FULL)
        )
        self.text.add_class("clwork-own-text")
        self.file = widgets.FileUpload(accept=ENDINGS, multiple=False, description="Choose a file")
        self.note = note("")
        for control in (self.choice, self.text, self.file):
            control.observe(lambda _: self._follow(), names="value")
        self.controls = (self.choice, self.place, self.text, self.file, self.column)
        super().__init__([*self.controls, self.note])
        self._follow()

    def _options(self) -> list[tuple[str, str]]:
        options = [(source.choice, key) for key, source in self._sources.items()]
        options += [("own text …", OWN), ("upload a file …", UPLOAD), ("a file or hub dataset …", ELSEWHERE)]
        if isinstance(self._given, Kept):
            options.insert(0, (self._given.label, KEPT))
        elif self._given is not None:
            size = f"{plural(len(self._given), 'example')}" if hasattr(self._given, "__len__") else "a stream"
            options.insert(0, (f"given in the call ({size})", GIVEN))
        return options

    def _follow(self) -> None:
        chosen = self.choice.value
        reveal(self.place, chosen == ELSEWHERE)
        reveal(self.column, chosen in (ELSEWHERE, UPLOAD))
        reveal(self.text, chosen == OWN)
        reveal(self.file, chosen == UPLOAD)
        notes = {
            **{key: source.title for key, source in self._sources.items()},
            OWN: f"{plural(len(self._lines()), 'sentence')} so far; a step takes as many as the batch size.",
            UPLOAD: "A text with a sentence a line, or a table.",
            ELSEWHERE: "A file on the kernel's machine, or user/name on the hub.",
        }
        if chosen == UPLOAD and self.file.value:
            notes[UPLOAD] = f"{self.file.value[0]['name']} ({len(self.file.value[0]['content']):,} bytes)"
        self.note.value = f"<span>{notes.get(str(chosen), 'The examples of this run.')}</span>"

    def freeze(self, frozen: bool) -> None:
        """Disable all controls while a run is at work."""
        for part in self.controls:
            part.disabled = frozen

    def _lines(self) -> list[str]:
        return [text.strip() for text in self.text.value.splitlines() if text.strip()]

    def read(self) -> Any:
        """The corpus for ``clwork.start(sentences=…)``; may read a file, so do not call it in a callback.

        Raises:
            ValueError: no file or name was typed.
            Exception: what ``clwork.data.sentences`` raises.
        """
        chosen = self.choice.value
        if chosen in (GIVEN, KEPT):
            return self._given.read() if isinstance(self._given, Kept) else self._given
        if (source := self._source) is not None:
            return source.name if source.kind == "sentences" else triplets(source.name)
        if chosen == OWN:
            return self._typed()
        return self._uploaded() if chosen == UPLOAD else self._named()

    def _typed(self) -> list[str]:
        if len(lines := self._lines()) < FEWEST:
            raise ValueError(
                f"own text has {plural(len(lines), 'sentence')}: type or paste at least {FEWEST}, one a line"
            )
        return lines

    def _uploaded(self) -> Any:
        """Read the uploaded file; the sentences are kept, for it cannot be read again."""
        if not self.file.value:
            raise ValueError("no file was uploaded: press 'Choose a file', or choose another corpus")
        from ...data import Sentences, sentences

        name, content = self.file.value[0]["name"], bytes(self.file.value[0]["content"])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"uploaded{''.join(Path(name).suffixes[-2:])}"
            path.write_bytes(content)
            try:
                read = sentences(path, column=self.column.value.strip() or None)
            except Exception as error:
                raise ValueError(f"{name}: {explain(error).replace(str(path), name)}") from error
            return Sentences(list(read), labels=read.labels, groups=read.groups)

    def _named(self) -> Any:
        place, column = self.place.value.strip(), self.column.value.strip()
        if not place:
            raise ValueError(f"no corpus is named: type a file or hub dataset, or choose {DEFAULT}")
        if not column:
            return place
        from ...data import sentences

        return sentences(place, column=column)

    @property
    def kind(self) -> str | None:
        """``"sentences"``, ``"pairs"``, ``"triplets"`` or ``"quadruplets"``; None for a stream, which is not read."""
        if self.choice.value == KEPT and isinstance(self._given, Kept):
            return self._given.kind
        if self.choice.value != GIVEN:
            return "sentences" if self._source is None else self._source.kind
        if not isinstance(self._given, Sequence) or not len(self._given):
            return None
        first = self._given[0]
        return "sentences" if isinstance(first, str) else KINDS_OF_TUPLES.get(len(first), "triplets")

    @property
    def name(self) -> str:
        """The choice in a line of settings."""
        chosen = str(self.choice.value)
        return self.place.value.strip() if chosen == ELSEWHERE else chosen

    def write(self, name: str, column: str = "") -> None:
        """Choose what :attr:`name` named; a file or hub dataset is typed for the reader.

        Raises:
            ValueError: no text holds the examples themselves, and this panel has none.
        """
        known = [value for _, value in self.choice.options if value != ELSEWHERE]
        if name in (GIVEN, KEPT, *(source.key for source in SOURCES.values())) and name not in known:
            raise ValueError(f"corpus={name} is not to be had in this panel, and no text holds the examples; name one")
        if name not in known:
            self.place.value = name
        self.column.value = column
        self.choice.value = name if name in known else ELSEWHERE

    @property
    def _source(self) -> CorpusSource | None:
        return self._sources.get(str(self.choice.value))

    @property
    def source_note(self) -> str:
        """One line of HTML on whose words will be shown; empty for the reader's own."""
        return "" if self._source is None else self._source.credit
