"""The corpus and the encoder of a panel: options, typed texts, and the arguments of a run.

The reader chooses an option of a menu. Most options name a corpus or an encoder themselves; three
do not: an object from the call (:data:`GIVEN`), sentences that the reader types (:data:`OWN`), and
a file, folder or hub name that the reader types (:data:`ELSEWHERE`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..._validation import shown
from ...data.corpus import KINDS_OF_TUPLES
from ...data.sources import DEFAULT, CorpusSource, checked_examples, named, sources_of
from ...wording import plural

# Values of the options that name no corpus or encoder themselves.
ELSEWHERE = "elsewhere"
GIVEN = "given"
OWN = "own text"

FEWEST_SENTENCES = 2
"""Least number of sentences of own text: a batch of one sentence has no negatives."""
LONGEST_SENT_BACK = 20_000
"""Characters of own text; a longer one is not sent back to the page, which has it already."""
UNNAMED = "no encoder is named yet"
"""The encoder's name until the reader has typed one; no preset of a method is for this name."""
ENCODER_NOTE = "The run starts from this encoder, which also sets the defaults."

Option = dict[str, str]
"""An entry of a menu: ``value`` (what the page sends back), ``label``, and ``note`` (its help)."""


def option(value: str, label: str, note: str) -> Option:
    """Return an entry of a menu; see :data:`Option`."""
    return {"value": value, "label": label, "note": note}


OWN_OPTION = option(OWN, "own text …", "One sentence a line.")
FILE_OPTION = option(
    ELSEWHERE,
    "a file or hub dataset …",
    "A file on the kernel's machine, or user/name on the hub.",
)
# Text fields by name, which is the key of the typed text in ``Choice.typed``.
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
}
ENCODER_INPUTS = {
    "place": {
        "title": "folder or hub name",
        "help": "A folder that Encoder.save wrote, the name of a hub encoder, or "
        "textcnn:glove-6b-50d.",
        "placeholder": "bert-base-uncased",
    }
}


@dataclass(frozen=True)
class GivenExamples:
    """Examples without a name: those of the call, or of a run's folder.

    Attributes:
        label: the option's label in the menu.
        note: the option's help.
        kind: "sentences", "pairs" or "triplets"; None if unknown without reading.
        read: returns the examples; called at *Start* only, because a folder may be large.
    """

    label: str
    note: str
    kind: str | None
    read: Callable[[], Any]


def examples_of_the_call(examples: Any) -> GivenExamples:
    """Describe examples that were given as an object; raise if it holds no training examples."""
    # Called only for its errors, since Start converts the examples.
    checked_examples(examples)
    size = plural(len(examples), "example")
    kind_of_examples = kind_of(examples[0]) if isinstance(examples, Sequence) else None
    return GivenExamples(
        label=f"given in the call ({size})",
        note="The examples given in the call.",
        kind=kind_of_examples,
        read=lambda: examples,
    )


def kind_of(example: Any) -> str:
    """Return "sentences" for a sentence, and "pairs" or "triplets" for a tuple of sentences."""
    if isinstance(example, str):
        return "sentences"
    # Other examples, which only a user's own method understands, count as triplets, so that
    # settings for sentences have no effect.
    return KINDS_OF_TUPLES.get(len(example), "triplets")


def _name_of(value: Any) -> Any:
    """Return a path as text, and anything else unchanged."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value


class Choice:
    """A choice of one option, and the typed texts that some options need.

    Attributes:
        choice: value of the chosen option.
        typed: texts that the reader typed, by the name of their text field. They stay when another
            option is chosen, so that nothing typed is lost.
    """

    what: ClassVar[str]
    """What is chosen, for errors: "corpus" or "encoder"."""
    inputs: ClassVar[dict[str, list[str]]]
    """Names of the text fields that the page shows, by the value of the chosen option."""

    def __init__(self, choice: str, **typed: str) -> None:
        self.choice = choice
        self.typed = typed

    @property
    def options(self) -> list[Option]:
        """The entries of the menu, in order."""
        raise NotImplementedError

    @property
    def option_values(self) -> list[str]:
        """The values of all options."""
        return [entry["value"] for entry in self.options]

    @property
    def typed_name(self) -> str:
        """The typed file, folder or hub name; empty if nothing is typed."""
        return self.typed["place"].strip()

    @property
    def as_argument(self) -> str:
        """The choice as an argument of ``lab.panel``: the typed name, or the chosen option.

        It is empty if the reader is to type a name and has not yet; it is :data:`GIVEN` for an
        object of the call, which no text can name.
        """
        return self.typed_name if self.choice == ELSEWHERE else self.choice

    def choose(self, choice: str | None = None, **typed: str | None) -> None:
        """Set the option, texts by the name of their text field, or both; None changes nothing."""
        if choice is not None:
            values = self.option_values
            if choice not in values:
                known = ", ".join(values)
                raise ValueError(f"there is no {self.what} {shown(choice)}; choose one of {known}")
            self.choice = choice
        self.typed |= {name: text for name, text in typed.items() if text is not None}

    def state(self) -> dict[str, Any]:
        """Return choice, options, typed texts and the names of the text fields to show, as JSON."""
        return {
            "choice": self.choice,
            "options": self.options,
            "shown": self.inputs.get(self.choice, []),
            **self.typed,
        }


class CorpusChoice(Choice):
    """The corpus: by name, as typed text, or examples from the call or from a run."""

    what = "corpus"
    inputs: ClassVar = {OWN: ["text"], ELSEWHERE: ["place"]}

    def __init__(self, corpus: Any = None, accepts: tuple[str, ...] = ("sentences",)) -> None:
        """Choose ``corpus`` at first.

        Args:
            corpus: name, path, examples or :class:`GivenExamples`; None for the default corpus.
            accepts: kinds of examples that the method trains on besides sentences, such as
                "triplets"; only corpora of these kinds are in the menu.
        """
        # The named corpora of the menu, by name.
        self._sources = {source.name: source for source in sources_of("sentences", *accepts)}
        # The examples of the option GIVEN; None if there is no such option.
        self._given: GivenExamples | None = None
        name = DEFAULT if corpus is None else _name_of(corpus)
        choice = GIVEN
        typed_name = ""
        if isinstance(name, GivenExamples):
            self._given = name
        elif not isinstance(name, str):
            self._given = examples_of_the_call(name)
        elif named(name):
            choice = name
        else:
            # A file, or a data set of the hub. As for clwork.start, only corpora of sentences have
            # names in a call; that of triplets is an option of the menu alone.
            choice = ELSEWHERE
            typed_name = name
        super().__init__(choice, place=typed_name, text="")

    @property
    def options(self) -> list[Option]:
        """The examples of the call or run, the named corpora, own text, and files."""
        corpora = [option(name, name, source.title) for name, source in self._sources.items()]
        if self._given is not None:
            corpora.insert(0, option(GIVEN, self._given.label, self._given.note))
        return [*corpora, OWN_OPTION, FILE_OPTION]

    def state(self) -> dict[str, Any]:
        """Return the choice as JSON for the page: "text" is None if it is too long."""
        if self.choice == OWN:
            count = plural(len(self._own_sentences()), "sentence")
            note = f"{count} so far; a step takes as many as the batch size."
        else:
            notes = {entry["value"]: entry["note"] for entry in self.options}
            note = notes[self.choice]
        text = self.typed["text"]
        return {
            **super().state(),
            "text": text if len(text) <= LONGEST_SENT_BACK else None,
            "note": note,
            "credit": self.credit,
        }

    def _own_sentences(self) -> list[str]:
        """Return the lines of the typed text that are not blank."""
        return [line.strip() for line in self.typed["text"].splitlines() if line.strip()]

    def read(self) -> Any:
        """Return the corpus for ``clwork.start(sentences=…)``: examples, or a name that it reads.

        Raises:
            ValueError: no corpus is named, or the own text has fewer than two sentences.
        """
        if self.choice == GIVEN and self._given is not None:
            return self._given.read()
        if self.choice == OWN:
            own_sentences = self._own_sentences()
            if len(own_sentences) < FEWEST_SENTENCES:
                count = plural(len(own_sentences), "sentence")
                remedy = f"type or paste at least {FEWEST_SENTENCES}, one on each line"
                raise ValueError(f"own text has {count}: {remedy}")
            return own_sentences
        if self.choice == ELSEWHERE:
            if not self.typed_name:
                remedy = f"type a file or hub dataset, or choose {DEFAULT}"
                raise ValueError(f"no corpus is named: {remedy}")
            return self.typed_name
        source = self._sources[self.choice]
        # clwork.start takes only corpora of sentences by name.
        return source.name if source.kind == "sentences" else source.read()

    @property
    def kind(self) -> str | None:
        """The kind of examples, such as "sentences"; None if unknown without reading."""
        if self.choice == GIVEN and self._given is not None:
            return self._given.kind
        return "sentences" if self._source is None else self._source.kind

    @property
    def _source(self) -> CorpusSource | None:
        """The corpus that the chosen option names; None for the reader's own."""
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
        """Choose ``encoder`` at first.

        Args:
            encoder: name, folder or object; None for the default encoder.
            default: name of the method's default encoder.
            others: names of further encoders in the menu.
        """
        # A dict has no duplicate keys and retains their order.
        self._names = list(dict.fromkeys([default, *others]))
        name = default if encoder is None else _name_of(encoder)
        self._given = None if isinstance(name, str) else encoder
        if self._given is not None:
            super().__init__(GIVEN, place="")
        elif name in self._names:
            super().__init__(name, place="")
        else:
            super().__init__(ELSEWHERE, place=name)

    @property
    def options(self) -> list[Option]:
        """The object of the call, the method's encoders, and files."""
        labels = {name: name for name in self._names}
        if self._given is not None:
            # The given encoder comes first in the menu.
            labels = {GIVEN: f"given in the call ({self._given.name})", **labels}
        labels[ELSEWHERE] = "a folder or hub name …"
        return [option(value, label, ENCODER_NOTE) for value, label in labels.items()]

    def state(self) -> dict[str, Any]:
        """Return the choice as JSON for the page."""
        return {**super().state(), "note": ENCODER_NOTE}

    @property
    def origin(self) -> Any:
        """What a method looks its default settings up by, since some depend on the encoder.

        It is the object that was given in the call, or else a name or folder, which is not loaded;
        :data:`UNNAMED` until the reader has typed a name.
        """
        if self.choice == GIVEN:
            return self._given
        return self.as_argument or UNNAMED

    def read(self) -> Any:
        """Return the encoder for ``clwork.start(encoder=…)``.

        Raises:
            ValueError: no encoder is named.
        """
        if not self.as_argument:
            raise ValueError(
                "no encoder is named: type a folder or hub name, or choose the bundled one"
            )
        return self.origin
