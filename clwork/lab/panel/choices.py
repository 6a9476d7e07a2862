"""The corpus and the encoder of a panel: options, typed texts, and the arguments of a run."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..._validation import shown
from ...data import sentences, triplets
from ...data.corpus import KINDS_OF_TUPLES
from ...data.sources import DEFAULT, SOURCES, CorpusSource, checked_examples, sources_of
from ...wording import plural

# Options that name no corpus or encoder themselves.
ELSEWHERE = "elsewhere"
GIVEN = "given"
OWN = "own text"

FEWEST = 2
"""Least number of sentences of own text."""
LONGEST = 20_000
"""Characters of own text; a longer one is not sent back to the page."""
UNNAMED = "no encoder is named yet"
"""Selects the general presets until a name is typed."""
ENCODER_NOTE = "The run starts from this encoder, which also sets the defaults."

Option = dict[str, str]


def option(value: str, label: str, note: str) -> Option:
    """Return an entry of a menu."""
    return {"value": value, "label": label, "note": note}


OWN_OPTION = option(OWN, "own text …", "One sentence a line.")
FILE_OPTION = option(
    ELSEWHERE,
    "a file or hub dataset …",
    "A file on the kernel's machine, or user/name on the hub.",
)
CORPUS_INPUTS = {
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
    "column": {
        "title": "column",
        "help": "For tables: the column with the sentences.",
        "placeholder": "detected",
    },
}
ENCODER_INPUTS = {
    "place": {
        "title": "folder or hub name",
        "help": "A folder that Encoder.save wrote, the name of a hub encoder, or textcnn:FILE with "
        "word vectors.",
        "placeholder": "bert-base-uncased",
    }
}


@dataclass(frozen=True)
class GivenExamples:
    """Examples without a name: those of the call, or of a run's folder, read only when needed."""

    label: str
    note: str
    kind: str | None
    read: Callable[[], Any]


def examples_of_the_call(examples: Any) -> GivenExamples:
    """Describe examples that were given as an object; raise if they are none."""
    checked_examples(examples)
    size = plural(len(examples), "example") if hasattr(examples, "__len__") else "a stream"
    kind = kind_of(examples[0]) if isinstance(examples, Sequence) and examples else None
    label = f"given in the call ({size})"
    return GivenExamples(label, "The examples given in the call.", kind, lambda: examples)


def kind_of(example: Any) -> str:
    """Return the kind of training examples of which ``example`` is one."""
    if isinstance(example, str):
        return "sentences"
    return KINDS_OF_TUPLES.get(len(example), "triplets")


def _name_of(value: Any) -> Any:
    """Return a path as text, and anything else unchanged."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value


class Choice:
    """A choice of one option, and the typed texts that some options need."""

    what: ClassVar[str]
    inputs: ClassVar[dict[str, list[str]]]

    def __init__(self, choice: str, **typed: str) -> None:
        self.choice = choice
        self.typed = typed

    @property
    def options(self) -> list[Option]:
        """Value, label and note of each option."""
        raise NotImplementedError

    @property
    def known(self) -> list[str]:
        """The values of all options."""
        return [option["value"] for option in self.options]

    @property
    def place(self) -> str:
        """The typed file, folder or name on the hub."""
        return self.typed["place"].strip()

    @property
    def text(self) -> str:
        """The choice as an argument of ``lab.panel``."""
        return self.place if self.choice == ELSEWHERE else self.choice

    def choose(self, choice: str | None = None, **typed: str | None) -> None:
        """Set the option, its typed texts, or both; None changes nothing."""
        if choice is not None:
            if choice not in self.known:
                known = ", ".join(self.known)
                raise ValueError(f"there is no {self.what} {shown(choice)}; choose one of {known}")
            self.choice = choice
        self.typed |= {name: text for name, text in typed.items() if text is not None}

    def state(self) -> dict[str, Any]:
        """Return choice, options, typed texts and the names of the inputs to show, as JSON."""
        return {
            "choice": self.choice,
            "options": self.options,
            "shown": self.inputs.get(self.choice, []),
            **self.typed,
        }


class CorpusChoice(Choice):
    """The corpus: by name, as typed text, or examples from the call or from a run."""

    what = "corpus"
    inputs: ClassVar = {OWN: ["text"], ELSEWHERE: ["place", "column"]}

    def __init__(
        self, corpus: Any = None, accepts: tuple[str, ...] = ("sentences",), column: str = ""
    ) -> None:
        self._sources = {source.key: source for source in sources_of("sentences", *accepts)}
        self._given: GivenExamples | None = None
        corpus = DEFAULT if corpus is None else _name_of(corpus)
        place = ""
        if not isinstance(corpus, str):
            is_described = isinstance(corpus, GivenExamples)
            self._given = corpus if is_described else examples_of_the_call(corpus)
            choice = GIVEN
        elif corpus in [source.name for source in sources_of("sentences")]:
            choice = SOURCES[corpus].key
        else:
            choice, place = ELSEWHERE, corpus
        super().__init__(choice, place=place, column=column, text="")

    @property
    def options(self) -> list[Option]:
        """The examples of the call or run, the named corpora, own text, and files."""
        named = [option(key, one.choice, one.title) for key, one in self._sources.items()]
        if self._given is not None:
            named.insert(0, option(GIVEN, self._given.label, self._given.note))
        return [*named, OWN_OPTION, FILE_OPTION]

    def state(self) -> dict[str, Any]:
        """Return the choice as JSON for the page: "text" is None if it is too long."""
        if self.choice == OWN:
            count = plural(len(self._own_lines()), "sentence")
            note = f"{count} so far; a step takes as many as the batch size."
        else:
            note = next(one["note"] for one in self.options if one["value"] == self.choice)
        text = self.typed["text"]
        return {
            **super().state(),
            "text": text if len(text) <= LONGEST else None,
            "note": note,
            "credit": self.credit,
        }

    def _own_lines(self) -> list[str]:
        return [line.strip() for line in self.typed["text"].splitlines() if line.strip()]

    def read(self) -> Any:
        """Return the corpus for ``clwork.start(sentences=…)``; may read a file, so it takes time.

        Raises:
            ValueError: no corpus is named, or the own text has fewer than two sentences.
        """
        if self.choice == GIVEN and self._given is not None:
            return self._given.read()
        if self.choice == OWN:
            lines = self._own_lines()
            if len(lines) < FEWEST:
                count = plural(len(lines), "sentence")
                remedy = f"type or paste at least {FEWEST}, one on each line"
                raise ValueError(f"own text has {count}: {remedy}")
            return lines
        if self.choice == ELSEWHERE:
            if not self.place:
                remedy = f"type a file or hub dataset, or choose {DEFAULT}"
                raise ValueError(f"no corpus is named: {remedy}")
            column = self.typed["column"].strip()
            return sentences(self.place, column=column) if column else self.place
        source = self._sources[self.choice]
        return source.name if source.kind == "sentences" else triplets(source.name)

    @property
    def kind(self) -> str | None:
        """The kind of examples, such as "sentences"; None if unknown without reading."""
        if self.choice == GIVEN and self._given is not None:
            return self._given.kind
        return "sentences" if self._source is None else self._source.kind

    @property
    def _source(self) -> CorpusSource | None:
        return self._sources.get(self.choice)

    @property
    def credit(self) -> str:
        """The credit of the corpus; empty for the reader's own sentences."""
        return "" if self._source is None else self._source.credit


class EncoderChoice(Choice):
    """The encoder: one of the method's, any by name or folder, or an object."""

    what = "encoder"
    inputs: ClassVar = {ELSEWHERE: ["place"]}

    def __init__(self, encoder: Any, default: str, others: Sequence[str] = ()) -> None:
        self._names = list(dict.fromkeys([default, *others]))
        encoder = _name_of(encoder)
        self._given = None if isinstance(encoder, str) else encoder
        place = ""
        choice = encoder or default
        if self._given is not None:
            choice = GIVEN
        elif choice not in self._names:
            choice, place = ELSEWHERE, choice
        super().__init__(choice, place=place)

    @property
    def options(self) -> list[Option]:
        """The object of the call, the method's encoders, and files."""
        labels = {name: name for name in self._names}
        if self._given is not None:
            labels = {GIVEN: f"given in the call ({self._given.name})", **labels}
        labels[ELSEWHERE] = "a folder or hub name …"
        return [option(value, label, ENCODER_NOTE) for value, label in labels.items()]

    def state(self) -> dict[str, Any]:
        """Return the choice as JSON for the page."""
        return {**super().state(), "note": ENCODER_NOTE}

    @property
    def origin(self) -> Any:
        """The chosen encoder, or its name or folder, to select presets by; nothing is loaded."""
        if self.choice == GIVEN:
            return self._given
        if self.choice == ELSEWHERE:
            return self.place or UNNAMED
        return self.choice

    def read(self) -> Any:
        """Return the encoder for ``clwork.start(encoder=…)``.

        Raises:
            ValueError: no encoder is named.
        """
        if self.choice == GIVEN:
            return self._given
        if self.choice == ELSEWHERE:
            if not self.place:
                raise ValueError(
                    "no encoder is named: type a folder or hub name, or choose the bundled one"
                )
            return self.place
        return self.choice
