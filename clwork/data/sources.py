"""Sources of examples: named corpora, files, the hub and lists; and the reference a run stores."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from .. import _validation
from .._validation import kind, nearest, shown
from . import tables
from .corpus import (
    KINDS_OF_TUPLES,
    PARTS,
    Sentences,
    StreamedSentences,
    check_sentences,
    check_tuple,
)

if TYPE_CHECKING:
    import pandas as pd

Triplet = tuple[str, str, str]
Source = str | os.PathLike[str] | Iterable[str]
DEFAULT = "wikipedia-mini"
DEFAULT_TRIPLETS = "handwritten"
# `owner/name`, or the bare name of an old data set, with `:configuration` if it has several.
HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w.-]+)?(:[\w.-]+)?")
# Column names in published files of triplets; the second ones are those of SimCSE's own file.
TRIPLET_COLUMNS = (PARTS[3], ("sent0", "sent1", "hard_neg"), ("anchor", "positive", "negative"))


@dataclass(frozen=True)
class CorpusSource:
    """A named corpus, which the panel offers in a list."""

    name: str
    key: str  # name in the panel's settings as text
    choice: str  # entry in the panel's list
    title: str  # one line about the corpus, shown in the panel
    read: Callable[[], Sequence[Any]] = field(repr=False, compare=False)
    kind: Literal["sentences", "triplets"] = "sentences"
    licence: str | None = None
    credit: str = ""  # one line, shown next to the corpus's sentences


SOURCES: dict[str, CorpusSource] = {}  # by name


def named(source: object) -> CorpusSource | None:
    """Return the corpus with this name; None if ``source`` is something else."""
    corpus = SOURCES.get(source) if isinstance(source, str) else None
    return corpus if corpus is not None and corpus.kind == "sentences" else None


def sources_of(*kinds: str) -> list[CorpusSource]:
    return [source for source in SOURCES.values() if source.kind in kinds]


@dataclass(frozen=True)
class CorpusRef:
    """The examples of a run, as its configuration stores them.

    They are a ``.source`` to read again, a file in the run's folder, or unknown.
    """

    source: Mapping[str, Any] | None = None
    file: str | None = None
    unknown: str | None = None
    count: int | None = None

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> CorpusRef:
        if not isinstance(stored, Mapping):
            raise ValueError(f"the corpus is {shown(stored)}, not an object with a source or file")
        return cls(*(stored.get(name) for name in ("source", "file", "unknown", "count")))

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}

    @property
    def name(self) -> str | None:
        """The name of a corpus or data set, or the path of a file; None without a source."""
        if self.source is None or self.file:
            return None
        return str(self.source["source"])

    @property
    def column(self) -> str:
        """The column of a table that holds the sentences; empty if it is chosen automatically."""
        return str((self.source or {}).get("column") or "")

    @property
    def is_plain(self) -> bool:
        """Whether name and column determine the examples: not sliced, not streamed, no split."""
        return self.name not in (None, "list") and set(self.source or ()) <= {"source", "column"}

    @property
    def label(self) -> str:
        """The corpus as text: ``wikipedia-mini``, ``600 sentences of wikipedia-mini``."""
        if self.unknown and not self.source:
            return self.unknown
        if self.name and "steps" not in (self.source or {}):
            return self.name
        count = "some" if self.count is None else f"{self.count:,}"
        kind = "examples" if self.file else "sentences"
        return f"{count} {kind} of {self.name or 'its own'}"

    @property
    def kind_of_examples(self) -> str | None:
        """``"sentences"`` for a source; None for a file, which has other examples, too."""
        return None if self.source is None or self.file else "sentences"

    @property
    def credit(self) -> str:
        """One line that names the text's authors; empty without a named source."""
        corpus = named(self.name)
        return "" if corpus is None else corpus.credit


@overload
def sentences(
    source: Source | Mapping[str, Any] = DEFAULT,
    column: str | None = None,
    split: str = "train",
    streaming: Literal[False] = False,
) -> Sentences: ...
@overload
def sentences(
    source: Source | Mapping[str, Any] = DEFAULT,
    column: str | None = None,
    split: str = "train",
    *,
    streaming: bool,
) -> Any: ...
def sentences(
    source: Source | Mapping[str, Any] = DEFAULT,
    column: str | None = None,
    split: str = "train",
    streaming: bool = False,
) -> Sentences | StreamedSentences:
    """Read sentences from a package, a file or the hub.

    Args:
        source: ``"wikipedia-mini"`` (about 36,000 sentences with one of 11 topics each);
            a file ``.txt`` (one sentence per line), ``.csv``, ``.tsv``, ``.jsonl`` (each also
            ``.gz``) or ``.parquet``; a data set of the hub, ``"owner/name"`` or
            ``"owner/name:configuration"``; a ``datasets.Dataset``; an iterable of sentences;
            or the ``.source`` of sentences or triplets read earlier. In tables, a column ``topic``
            or ``label`` becomes ``labels``, and ``article``, ``title`` or ``group`` becomes
            ``groups``. Rows without a sentence are left out.
        column: the column of a table that holds the sentences. Default: ``sentence``, ``text``,
            or the only one.
        split: split of a data set of the hub.
        streaming: read files and data sets while looping, for corpora that do not fit in memory.
            The result has no length and no labels.

    Raises:
        FileNotFoundError: there is no such file or data set.
        ConnectionError: the hub cannot be reached.
        ValueError: unknown column, split or ending; text that is not UTF-8; a blank sentence.

    >>> sentences(["A cat sleeps.", "Rain falls."])[1]
    'Rain falls.'
    """
    if isinstance(source, str | os.PathLike):
        return _by_name(source, column, split, streaming)
    if isinstance(source, Mapping):
        part: Sentences | StreamedSentences = _read_again(source)
        return part
    if isinstance(source, StreamedSentences):
        return source
    if _is_data_set(source):
        return _of_chunks(tables.hub_chunks(source), column, "the data set", {"source": "list"})
    examples = source if isinstance(source, Sentences) else Sentences(source)
    check_sentences(examples)
    return examples


def _is_data_set(value: object) -> bool:
    """Whether a value is a ``datasets.Dataset``; a column of one has no ``column_names``."""
    return hasattr(value, "column_names") and not isinstance(value, Mapping)


def _by_name(
    source: str | os.PathLike[str], column: str | None, split: str, streaming: bool
) -> Sentences | StreamedSentences:
    known = named(source)
    path = None if known else file_path(source)
    if known is None and path is None:
        return _from_hub(str(source), column, split, streaming)
    if split != "train":
        raise ValueError(f"split={split!r}: {source} has no splits; leave split out")
    if column is not None and (path is None or tables.extension(path) == ".txt"):
        raise ValueError(f"column={column!r}: {source} has no columns; leave column out")
    if path is not None:
        return _from_file(path, column, streaming)
    assert known is not None
    examples: Any = known.read()
    origin = {"source": known.name}
    if streaming:
        return StreamedSentences(lambda: iter(examples), origin, known.licence)
    return Sentences(examples, examples.labels, examples.groups, origin, known.licence)


def file_path(source: str | os.PathLike[str]) -> Path | None:
    """Return the path of a file; None for the name of a data set of the hub."""
    path = _validation.path("source", source)
    # The name of a data set may contain dots, but no known file ending.
    ending = tables.extension(path)
    is_file = ending in tables.READABLE or ending in tables.ADVICE or path.exists()
    if is_file or not isinstance(source, str) or not HUB_NAME.fullmatch(source):
        return path
    suggestion = nearest(source, [known.name for known in sources_of("sentences")])
    if suggestion and "/" not in source:
        raise ValueError(f"no source is called {source!r}{suggestion}")
    return None


def _from_file(path: Path, column: str | None, streaming: bool) -> Sentences | StreamedSentences:
    path = path.absolute()  # the working directory may change until the file is read again
    source = {"source": str(path)}
    if column is not None:
        source["column"] = column
    is_table = tables.check_file(path) != ".txt"
    if is_table and not streaming:
        return _of_chunks(tables.chunks(path), column, str(path), source)

    def read() -> Iterator[str]:
        return _texts(tables.chunks(path), column, str(path)) if is_table else tables.lines(path)

    # Reading the first sentence raises for a wrong column or encoding before the training starts.
    if next(read(), None) is None:
        raise ValueError(f"{path} holds no sentence; check how it was written")
    return StreamedSentences(read, source) if streaming else Sentences(read(), source=source)


def _from_hub(
    name: str, column: str | None, split: str, streaming: bool
) -> Sentences | StreamedSentences:
    data = tables.load_from_hub(name, split, streaming)
    columns = list(data.column_names or next(iter(data), {}))
    text_column = tables.choose_column(columns, column, f"{name!r} (split {split!r})")
    source = {"source": name, "column": text_column, "split": split}
    licence = data.info.license or None
    if streaming:
        texts = data.select_columns([text_column])
        return StreamedSentences(
            lambda: _texts(tables.hub_chunks(texts), text_column, name), source, licence
        )
    wanted = {text_column, *_label_and_group(columns, text_column)}
    data = data.select_columns([column for column in columns if column in wanted])
    examples = _of_chunks(tables.hub_chunks(data), text_column, name, source)
    examples.licence = licence
    return examples


def _label_and_group(columns: Sequence[str], text_column: str) -> list[str | None]:
    """Return the columns of topics and of articles, None where there is none."""
    return [
        tables.find_column(columns, names, text_column)
        for names in (tables.LABEL_COLUMNS, tables.GROUP_COLUMNS)
    ]


def _texts(chunks: Iterable[pd.DataFrame], column: str | None, where: str) -> Iterator[str]:
    """Yield the sentences of a table that is read in parts."""
    for frame in chunks:
        text_column = tables.choose_column(list(frame.columns), column, where)
        yield from filter(None, tables.texts_of(frame[text_column], text_column, where))


def _of_chunks(
    chunks: Iterable[pd.DataFrame], column: str | None, where: str, source: dict[str, Any]
) -> Sentences:
    """Return the sentences of a table with their topics and articles."""
    import pandas as pd

    frame = pd.concat([pd.DataFrame(), *chunks], ignore_index=True)
    columns = list(frame.columns)
    text_column = tables.choose_column(columns, column, where)
    texts = tables.texts_of(frame[text_column], text_column, where)
    rows = [row for row, text in enumerate(texts) if text]
    if not rows:
        raise ValueError(f"{where} holds no sentence in the column {text_column!r}; choose another")
    frame = frame.iloc[rows]
    labels, groups = (
        None if name is None else tables.labels_of(frame[name])
        for name in _label_and_group(columns, text_column)
    )
    return Sentences([texts[row] for row in rows], labels, groups, source)


STEPS: dict[str, Callable[..., Any]] = {  # what a .source stores of slices and samples
    "slice": lambda examples, *bounds: examples[slice(*bounds)],
    "sample": Sentences.sample,
    "at_most": Sentences.at_most,
    "every_group": Sentences.every_group,
}


def _read_again(source: Mapping[str, Any]) -> Any:
    """Read the examples of a ``.source``, and take the same part of them."""
    _check_source(source)
    names = {"column", "split", "streaming"} & source.keys()
    examples: Any = sentences(source["source"], **{name: source[name] for name in names})
    for name, *arguments in source.get("steps", []):
        examples = STEPS[name](examples, *arguments)
    return examples


def _check_source(source: Mapping[str, Any]) -> None:
    if hasattr(source, "column_names"):  # a datasets.DatasetDict, from load_dataset(name)
        raise ValueError(
            f"the data set has the splits {', '.join(source)}; "
            f"give one of them, such as data[{next(iter(source), 'train')!r}]"
        )
    if source.get("source") in (None, "list"):
        raise ValueError(
            f"{shown(source)} does not say where its sentences can be read; "
            "give the list of sentences itself"
        )


def check_examples(examples: Any) -> Any:
    """Check training examples: sentences, tuples of sentences, or a stream, which is not read."""
    if isinstance(examples, Mapping):
        _check_source(examples)
        return examples
    if isinstance(examples, str | os.PathLike):
        raise TypeError(
            f"sentences={shown(examples)} is a name; "
            "give the sentences themselves: clwork.data.sentences(...)"
        )
    if isinstance(examples, Iterator):
        raise TypeError(
            f"sentences is a {kind(examples)}, which can be read only once; "
            "give a list of its items"
        )
    is_stream = not hasattr(examples, "__len__") and isinstance(examples, Iterable)
    if is_stream:
        return examples
    if _is_data_set(examples):
        return sentences(examples)
    rows = list(examples)
    if not rows:
        raise ValueError("sentences is empty; give at least one batch of them")
    first = rows[0]
    if isinstance(first, str):
        return sentences(examples)
    size = len(first) if isinstance(first, tuple | list) else 0
    if size not in KINDS_OF_TUPLES or not all(isinstance(part, str) for part in first):
        return examples  # examples of a user's own method
    return [check_tuple(row, number, size) for number, row in enumerate(rows)]


def triplets(source: str | os.PathLike[str] = DEFAULT_TRIPLETS) -> list[Triplet]:
    """Read (premise, entailment, contradiction) triplets.

    Args:
        source: ``"handwritten"``, 240 triplets that come with clwork; or a .csv, .tsv, .jsonl or
            .parquet file with columns ``premise, entailment, contradiction`` (or ``sent0, sent1,
            hard_neg``, as in SimCSE's ``nli_for_simcse.csv``, or ``anchor, positive, negative``).
            Rows with a blank cell are left out.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file has other columns, or no complete row.

    >>> premise, entailment, contradiction = triplets()[0]
    """
    if source == DEFAULT_TRIPLETS:
        return _handwritten_triplets()
    path = _validation.path("source", source).absolute()
    frame = tables.read_table(path)
    by_name = {name.lower(): name for name in frame.columns}
    names = next((names for names in TRIPLET_COLUMNS if set(names) <= by_name.keys()), None)
    if names is None:
        allowed = "; ".join(", ".join(names) for names in TRIPLET_COLUMNS)
        raise ValueError(
            f"{path} has the columns {', '.join(map(repr, frame.columns))}; "
            f"triplets need one of: {allowed}"
        )
    columns = [tables.texts_of(frame[by_name[name]], name, str(path)) for name in names]
    rows = [(a, b, c) for a, b, c in zip(*columns, strict=True) if a and b and c]
    if not rows:
        raise ValueError(f"{path} holds no complete triplet; check how it was written")
    return rows


def _handwritten_triplets() -> list[Triplet]:
    rows = shipped_rows("triplets.jsonl")
    return [(row["premise"], row["entailment"], row["contradiction"]) for row in rows]


def shipped_rows(name: str) -> list[dict[str, Any]]:
    """Read one of the package's files of handwritten examples."""
    text = resources.files("clwork.data").joinpath("handwritten", name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


SOURCES[DEFAULT_TRIPLETS] = CorpusSource(
    DEFAULT_TRIPLETS,
    "triplets",
    "triplets written for clwork",
    "Premise, entailment and contradiction: supervised.",
    _handwritten_triplets,
    kind="triplets",
)
