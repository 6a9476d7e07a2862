"""The corpus and the encoder of a panel: options, typed texts, and the arguments of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..._validation import shown
from ...data import sentences, triplets
from ...data.corpus import KINDS_OF_TUPLES
from ...data.sources import DEFAULT, SOURCES, CorpusSource, sources_of
from ...run_folder.folder import RunFolder
from ...training.starting import live_runs
from ...wording import plural

ELSEWHERE, GIVEN, OWN, STORED, RUN = "elsewhere", "given", "own text", "stored", "run:"
FEWEST = 2  # least number of sentences of own text
LONGEST = 20_000  # characters; a longer own text is not sent back to the page
UNNAMED = "no encoder is named yet"  # selects the general presets until a name is typed
ENCODER_NOTE = "The run starts from this encoder, which also sets the defaults."
CORPUS_NOTES = {
    OWN: ("own text …", "One sentence a line."),
    ELSEWHERE: (
        "a file or hub dataset …",
        "A file on the kernel's machine, or user/name on the hub.",
    ),
}
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
        "help": "A folder that Encoder.save wrote, the name of a hub encoder, or textcnn:FILE with word vectors.",
        "placeholder": "bert-base-uncased",
    }
}


@dataclass(frozen=True)
class StoredExamples:
    """The examples in a run's folder, not read before ``read`` is called."""

    label: str
    kind: str | None
    read: Callable[[], Any]


class Choice:
    """A choice of one option, and the typed texts that some options need."""

    what: ClassVar[str]
    inputs: ClassVar[dict[str, list[str]]]

    def __init__(self, choice: str, **typed: str) -> None:
        self.choice, self.typed = choice, typed

    @property
    def options(self) -> list[dict[str, str]]:
        """Value, label and note of each option."""
        raise NotImplementedError

    @property
    def known(self) -> list[str]:
        return [option["value"] for option in self.options]

    @property
    def place(self) -> str:
        return self.typed["place"].strip()

    @property
    def text(self) -> str:
        return self.place if self.choice == ELSEWHERE else self.choice

    def choose(self, choice: str | None = None, **typed: Any) -> None:
        """Set the option, its typed texts, or both; None changes nothing."""
        if choice is not None and choice not in self.known:
            raise ValueError(
                f"there is no {self.what} {shown(choice)}; choose one of {', '.join(self.known)}"
            )
        for name, text in typed.items():
            if name not in self.typed or not isinstance(text, str | None):
                raise TypeError(
                    f"{name}={shown(text)}; give texts for the {self.what}'s {', '.join(self.typed)}"
                )
        self.choice = self.choice if choice is None else choice
        self.typed |= {name: text for name, text in typed.items() if text is not None}

    def state(self) -> dict[str, Any]:
        """Return the choice, its options, the typed texts, and the names of the inputs to show."""
        shown = self.inputs.get(self.choice, [])
        return {"choice": self.choice, "options": self.options, "shown": shown, **self.typed}


class CorpusChoice(Choice):
    """The corpus: by name, as typed text, or examples from the call or from a run."""

    what = "corpus"
    inputs: ClassVar = {OWN: ["text"], ELSEWHERE: ["place", "column"]}

    def __init__(
        self, given: Any = None, accepts: tuple[str, ...] = ("sentences",), column: str = ""
    ) -> None:
        self._sources = {source.key: source for source in sources_of("sentences", *accepts)}
        self._given = None if isinstance(given, str) else given
        name = given if isinstance(given, str) else DEFAULT
        key = next(
            (source.key for source in sources_of("sentences") if source.name == name), ELSEWHERE
        )
        choice = (
            STORED
            if isinstance(given, StoredExamples)
            else GIVEN
            if self._given is not None
            else key
        )
        super().__init__(choice, place=name if key == ELSEWHERE else "", column=column, text="")

    @property
    def options(self) -> list[dict[str, str]]:
        options = [(key, source.choice, source.title) for key, source in self._sources.items()]
        options += [(value, label, note) for value, (label, note) in CORPUS_NOTES.items()]
        if isinstance(self._given, StoredExamples):
            options.insert(0, (STORED, self._given.label, "The examples of this run."))
        elif self._given is not None:
            size = (
                plural(len(self._given), "example")
                if hasattr(self._given, "__len__")
                else "a stream"
            )
            options.insert(
                0, (GIVEN, f"given in the call ({size})", "The examples given in the call.")
            )
        return [{"value": value, "label": label, "note": note} for value, label, note in options]

    def state(self) -> dict[str, Any]:
        """Return the choice as JSON for the page: "text" is None if it is too long."""
        text = self.typed["text"]
        if self.choice == OWN:
            note = f"{plural(len(self._lines()), 'sentence')} so far; a step takes as many as the batch size."
        else:
            note = next(
                (option["note"] for option in self.options if option["value"] == self.choice), ""
            )
        return {
            **super().state(),
            "text": text if len(text) <= LONGEST else None,
            "note": note,
            "credit": self.credit,
        }

    def _lines(self) -> list[str]:
        return [text.strip() for text in self.typed["text"].splitlines() if text.strip()]

    def read(self) -> Any:
        """Return the corpus for ``clwork.start(sentences=…)``; may read a file, so do not call it in a callback."""
        if isinstance(self._given, StoredExamples) and self.choice == STORED:
            return self._given.read()
        if self.choice == GIVEN:
            return self._given
        if (source := self._source) is not None:
            return source.name if source.kind == "sentences" else triplets(source.name)
        if self.choice == OWN:
            if len(lines := self._lines()) < FEWEST:
                count = plural(len(lines), "sentence")
                raise ValueError(
                    f"own text has {count}: type or paste at least {FEWEST}, one on each line"
                )
            return lines
        if not self.place:
            raise ValueError(f"no corpus is named: type a file or hub dataset, or choose {DEFAULT}")
        column = self.typed["column"].strip()
        return sentences(self.place, column=column) if column else self.place

    @property
    def kind(self) -> str | None:
        """``"sentences"``, ``"pairs"``, ``"triplets"`` or ``"quadruplets"``; None if unknown without reading."""
        if isinstance(self._given, StoredExamples) and self.choice == STORED:
            return self._given.kind
        if self.choice != GIVEN:
            return "sentences" if self._source is None else self._source.kind
        if not isinstance(self._given, Sequence) or not len(self._given):
            return None
        first = self._given[0]
        return (
            "sentences" if isinstance(first, str) else KINDS_OF_TUPLES.get(len(first), "triplets")
        )

    def named(self, name: str) -> tuple[str, str | None]:
        """Return the option and place for ``name`` in a line of settings; None means that the place is unchanged."""
        known = [value for value in self.known if value != ELSEWHERE]
        if (
            name in (GIVEN, STORED, *(source.key for source in SOURCES.values()))
            and name not in known
        ):
            raise ValueError(
                f"corpus={name}: the examples are neither in the line nor in this panel; name a corpus"
            )
        return (name, None) if name in known else (ELSEWHERE, name)

    @property
    def _source(self) -> CorpusSource | None:
        return self._sources.get(self.choice)

    @property
    def credit(self) -> str:
        """The credit of the corpus; empty for the reader's own sentences."""
        return "" if self._source is None else self._source.credit


class EncoderChoice(Choice):
    """The encoder: one of the method's, one by name or folder, an object, or the best encoder of an earlier run."""

    what = "encoder"
    inputs: ClassVar = {ELSEWHERE: ["place"]}

    def __init__(self, given: Any, default: str, others: Sequence[str] = ()) -> None:
        self._given = None if given is None or isinstance(given, str) else given
        self._default = default
        self._names = list(dict.fromkeys([default, *others]))
        self._earlier: list[tuple[str, str]] = []
        named = isinstance(given, str) and given not in self._names
        choice = GIVEN if self._given is not None else ELSEWHERE if named else given or default
        super().__init__(choice, place=given if named else "")

    @property
    def options(self) -> list[dict[str, str]]:
        given = (
            [(GIVEN, f"given in the call ({getattr(self._given, 'name', '?')})")]
            if self._given is not None
            else []
        )
        named = [(name, name) for name in self._names]
        options = [*given, *named, *self._earlier, (ELSEWHERE, "a folder or hub name …")]
        return [{"value": value, "label": label, "note": ENCODER_NOTE} for value, label in options]

    def state(self) -> dict[str, Any]:
        return {**super().state(), "note": ENCODER_NOTE}

    def offer(self, runs: Any) -> bool:
        """Offer the best encoders of ``runs`` as options; return whether the options changed."""
        earlier = [(f"{RUN}{run.folder}", f"best of {run.name}") for run in runs if run.best]
        if earlier == self._earlier:
            return False
        self._earlier = earlier
        if self.choice not in self.known:
            self.choice = self._default
        return True

    @property
    def origin(self) -> Any:
        """The chosen encoder, or its name or folder, to select presets by; nothing is loaded."""
        return self.origin_of(self.choice, self.place)

    def origin_of(self, choice: str, place: str | None) -> Any:
        """Return the property :attr:`origin` for another choice."""
        if choice == GIVEN:
            return self._given
        if choice == ELSEWHERE:
            return (place or "").strip() or UNNAMED
        if not choice.startswith(RUN):
            return choice
        folder = choice[len(RUN) :]  # the run's newest encoder, else the encoder that it began with
        began = next(
            (str(run.recipe.encoder) for run in live_runs() if str(run.folder) == folder), folder
        )
        return str(RunFolder(folder).latest_encoder() or began)

    def named(self, text: str) -> tuple[str, str | None]:
        known = [value for value in self.known if value != ELSEWHERE]
        if text == GIVEN and GIVEN not in known:
            raise ValueError(
                "encoder=given refers to an object of another panel; name an encoder or a folder"
            )
        if text.startswith(RUN) and text not in known:
            raise ValueError(
                f"encoder={text} is a run of another kernel; name the folder of an encoder"
            )
        return (text, None) if text in known else (ELSEWHERE, text)

    def read(self) -> Any:
        if self.choice == GIVEN:
            return self._given
        if self.choice == ELSEWHERE and not self.place:
            raise ValueError(
                "no encoder is named: type a folder or hub name, or choose the bundled one"
            )
        if not self.choice.startswith(RUN):
            return self.place if self.choice == ELSEWHERE else self.choice
        folder = self.choice[len(RUN) :]
        for run in live_runs():
            if str(run.folder) == folder:
                return run.best_encoder()
        raise ValueError(f"this kernel has no run in {folder} any more: choose another encoder")
