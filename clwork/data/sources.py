"""Sources of examples: named corpora, files, the hub and lists; and the reference that a run stores."""

from __future__ import annotations

import copy
import difflib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Literal, overload

from .. import _validation
from .._validation import checked, kind, listed, shown
from . import tables
from .corpus import (
    KINDS_OF_TUPLES,
    PARTS,
    Examples,
    Sentences,
    StreamedSentences,
    Triplets,
    check_sentences,
    check_tuple,
)

KindOfExamples = Literal["sentences", "triplets"]
Source = str | os.PathLike[str] | Iterable[str]
DEFAULT, DEFAULT_TRIPLETS = "wikipedia-mini", "handwritten"
# `owner/name`, or the bare name of an old data set, with `:configuration` if it has several.
HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w.-]+)?(:[\w.-]+)?")
# Column names in published files of triplets; the second tuple is SimCSE's (princeton-nlp/SimCSE, nli_for_simcse.csv).
TRIPLET_COLUMNS = (PARTS[3], ("sent0", "sent1", "hard_neg"), ("anchor", "positive", "negative"))
NLI_HUB, NLI_FILE = "princeton-nlp/datasets-for-simcse", "nli_for_simcse.csv"


@dataclass(frozen=True)
class CorpusSource:
    """A named corpus; its text is public, so a run that a stranger made may read the corpus without a fingerprint."""

    name: str
    key: str  # name in the panel's settings as text
    choice: str  # entry in the panel's list
    title: str  # one line about the corpus, shown in the panel
    read: Callable[[], Examples[Any]] = field(
        repr=False, compare=False
    )  # returns Sentences or Triplets
    kind: KindOfExamples = "sentences"
    licence: str | None = None
    credit: str = ""  # one line, shown next to the corpus's sentences

    def examples(self) -> Any:
        """Read all examples; their ``.source`` and ``.licence`` are set to this source's."""
        examples = copy.copy(self.read())
        examples.source = {"source": self.name} | (
            {"kind": self.kind} if self.kind != "sentences" else {}
        )
        examples.licence = self.licence
        return examples


SOURCES: dict[str, CorpusSource] = {}  # by name


def named(source: object, kind: KindOfExamples = "sentences") -> CorpusSource | None:
    known = SOURCES.get(source) if isinstance(source, str) else None
    return known if known is not None and known.kind == kind else None


def sources_of(*kinds: str) -> list[CorpusSource]:
    return [source for source in SOURCES.values() if source.kind in kinds]


@dataclass(frozen=True)
class CorpusRef:
    """The examples of a run, as its recipe stores them: a ``.source``, a file in the run's folder, or a description."""

    source: Mapping[str, Any] | None = None
    file: str | None = None
    unknown: str | None = None
    count: int | None = None

    @classmethod
    def from_json(cls, stored: object) -> CorpusRef:
        """Read a recipe's corpus; unknown fields are ignored."""
        if not isinstance(stored, Mapping):
            raise ValueError(
                f"the corpus is {shown(stored)}; it must be an object, with a source or a file"
            )
        source, file, unknown, count = (
            stored.get(name) for name in ("source", "file", "unknown", "count")
        )
        source = {"source": source} if isinstance(source, str) else source
        if not isinstance(source, Mapping | None) or not isinstance(file, str | None):
            raise ValueError(
                f"source is {shown(source)} and file {shown(file)}; they must be an object and a name"
            )
        return cls(
            source, file, unknown and str(unknown), count if isinstance(count, int) else None
        )

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}

    @property
    def name(self) -> str | None:
        """The name of a corpus or data set, or the path of a file; None without a source."""
        name = None if self.source is None or self.file else self.source.get("source")
        return None if name is None else str(name)

    @property
    def column(self) -> str:
        """The column of a table that holds the sentences; empty if it is chosen automatically."""
        return str((self.source or {}).get("column") or "")

    @property
    def is_plain(self) -> bool:
        """Whether name and column determine the examples: default split, not sliced, not streamed."""
        return self.name not in (None, "list") and set(self.source or ()) <= {"source", "column"}

    @property
    def label(self) -> str:
        """The corpus as text: ``wikipedia-mini``, ``600 sentences of wikipedia-mini``."""
        source = self.source or {}
        if (self.name and not source.get("steps")) or (self.unknown and not source):
            return str(self.name or self.unknown)
        count = "some" if self.count is None else f"{self.count:,}"
        kind = "examples" if self.file else self.kind_of_examples or "sentences"
        return f"{count} {kind} of {self.name or 'its own'}"

    @property
    def kind_of_examples(self) -> KindOfExamples | None:
        """Kind of examples that the source declares; None if it declares none."""
        if self.source is None or self.file:
            return None
        return "triplets" if self.source.get("kind") == "triplets" else "sentences"

    @property
    def named_source(self) -> CorpusSource | None:
        """The entry in :data:`SOURCES`; None for a file, a data set of the hub, and examples without a name."""
        return named(self.name, self.kind_of_examples or "sentences")

    @property
    def credit(self) -> str:
        """One line that names the text's authors; empty without a named source."""
        return "" if self.named_source is None else self.named_source.credit


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
@checked()
def sentences(
    source: Source | Mapping[str, Any] = DEFAULT,
    column: str | None = None,
    split: str = "train",
    streaming: bool = False,
) -> Sentences | StreamedSentences:
    """Read sentences from a package, a file or the hub.

    Args:
        source: ``"wikipedia-mini"`` (about 36,000 sentences with one of 11 topics each); a file ``.txt`` (one sentence
            per line), ``.csv``, ``.tsv``, ``.jsonl`` (each also ``.gz``) or ``.parquet``; a data set of the hub,
            ``"owner/name"`` or ``"owner/name:configuration"``; a ``datasets.Dataset``; an iterable of sentences; or the
            ``.source`` of sentences or triplets read earlier. In tables, a column ``topic`` or ``label`` becomes
            ``labels``, and ``article``, ``title`` or ``group`` becomes ``groups``; an empty cell is ``""``.
        column: the column of a table that holds the sentences. Default: ``sentence``, ``text``, or the only one.
        split: split of a data set of the hub.
        streaming: read while looping, for corpora that do not fit in memory. The result has no length and no labels.

    Raises:
        FileNotFoundError, ModuleNotFoundError, ConnectionError: no such file, package or data set, or no network.
        ValueError: unknown column, split or ending; text that is not UTF-8; no sentence, a blank one, or all equal.

    >>> sentences(["A cat sleeps.", "Rain falls."])[1]
    'Rain falls.'
    """
    if isinstance(source, str | os.PathLike):
        return _by_name(source, column, split, streaming)
    table = _is_data_set(source)
    for name, value, default, reason in (
        ("column", None if table else column, None, "only tables have columns"),
        ("split", split, "train", "only data sets of the hub have splits"),
        ("streaming", streaming, False, "only sources given by name or path are streamed"),
    ):
        if value != default:
            why = "a .source has its own settings" if isinstance(source, Mapping) else reason
            raise ValueError(f"{name}={shown(value)}: {why}; leave {name} out")
    if isinstance(source, Mapping):
        _check_splits(source)
        check_source(source)
        again: Sentences | StreamedSentences = _read_again(source)
        return again
    if isinstance(source, StreamedSentences):
        return source
    if table:
        return _of_table(tables.hub_rows(source), column, "the data set", "row", {"source": "list"})
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        raise TypeError(
            f"source is {kind(source)} ({shown(source, 40)}); give a name, a path or a list of sentences"
        )
    found = source if isinstance(source, Sentences) else Sentences(source)
    check_sentences(found)
    return found


def _is_data_set(given: object) -> bool:
    """Whether ``given`` is a ``datasets.Dataset``: a column of one also has features, but no columns."""
    return (
        hasattr(given, "column_names")
        and hasattr(given, "__len__")
        and not isinstance(given, Mapping)
    )


def _check_splits(given: Mapping[str, Any]) -> None:
    """Refuse a ``datasets.DatasetDict``, which ``load_dataset(name)`` returns."""
    if hasattr(given, "column_names"):
        first = next(iter(given), "train")
        raise ValueError(
            f"the data set has the splits {', '.join(given)}; give one of them, such as data[{first!r}]"
        )


def _by_name(
    source: str | os.PathLike[str], column: str | None, split: str, streaming: bool
) -> Sentences | StreamedSentences:
    if known := named(source):
        if column is not None or split != "train":
            raise ValueError(
                f"{known.name} has no columns and no splits; leave column={column!r} and split={split!r} out"
            )
        found: Sentences = known.examples()
        if not streaming:
            return found
        return StreamedSentences(
            lambda: iter(found),
            {**found.source, "streaming": True},
            found.licence,
            found.fingerprint,
        )
    path = _path(source)
    if path is None:
        return _from_hub(str(source), column, split, streaming)
    if split != "train":
        raise ValueError(
            f"split={split!r}: a file has no splits; give the file of that split, and leave split out"
        )
    ending = tables.check_file(path)
    if ending == ".txt" and column is not None:
        raise ValueError(
            f"column={column!r}: {path} is a .txt file without columns; leave column out"
        )
    about: dict[str, Any] = {"source": str(tables.full_path(path))} | (
        {} if column is None else {"column": column}
    )
    if not streaming and ending != ".txt":
        return _of_table(tables.rows(path), column, str(path), "line", about)
    path = path.absolute()  # the working directory may change between two loops

    def loop() -> Iterator[str]:
        if ending == ".txt":
            return tables.lines(path)
        return (text for text, _ in _texts(tables.rows(path), column, str(path), "line"))

    if next(loop(), None) is None:  # raises for a wrong column or encoding before training starts
        raise ValueError(f"{path} holds no sentence; check how it was written")
    if not streaming:
        return Sentences(loop(), source=about)
    return StreamedSentences(
        loop, {**about, "streaming": True}, None, lambda: tables.fingerprint(path, column)
    )


def _path(source: str | os.PathLike[str]) -> Path | None:
    path = _validation.path("source", source)
    if isinstance(source, str):
        ending = tables.extension(
            path
        )  # a data set's name may contain dots, but no known file ending
        known = ending in tables.READABLE or ending in tables.ADVICE or path.suffix == ".gz"
        if not known and HUB_NAME.fullmatch(source) and not path.exists():
            own = [known.name for known in sources_of("sentences")]
            if close := difflib.get_close_matches(
                source.lower().replace("_", "-"), own, cutoff=0.8
            ):
                raise ValueError(f"no source is called {source!r}; did you mean {close[0]!r}?")
            return None
    return path


def read_file(source: str | os.PathLike[str], tuples: bool) -> Sequence[Any] | None:
    """Read a file of sentences or, if ``tuples``, of pairs or triplets; None for a corpus or a data set of the hub."""
    path = None if named(source) else _path(source)
    if path is None:
        return None
    if tuples and tables.check_file(path) != ".txt":
        first = next(tables.rows(path), (0, ()))[1]
        if names := _parts(first, TRIPLET_COLUMNS) or _parts(first, tables.PAIR_COLUMNS):
            return _complete(tables.rows(path), str(path), names)
    return sentences(path)


def _parts(columns: Iterable[str], layouts: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the columns of a table that are named, in any case, as one of ``layouts``; a pair allows no others."""
    by_name = {name.lower(): name for name in columns if name}  # row numbers may have no name
    fits = (
        names
        for names in layouts
        if set(names) <= by_name.keys() and len(names) in (3, len(by_name))
    )
    return [by_name[name] for name in next(fits, ())]


def _texts(
    rows: Iterable[tables.Row], column: str | None, where: str, unit: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    chosen: str | None = None
    for number, row in rows:
        chosen = tables.choose_column(list(row), column, where) if chosen is None else chosen
        if chosen not in row:
            raise ValueError(
                f"{where}, {unit} {number}: no column {chosen!r}, only {', '.join(map(repr, row))}"
            )
        if text := tables.text_of(row[chosen], chosen, f"{where}, {unit} {number}"):
            yield text, row


def _of_table(
    rows: Iterable[tables.Row], column: str | None, where: str, unit: str, about: dict[str, Any]
) -> Sentences:
    found = list(_texts(rows, column, where, unit))
    if not found:
        raise ValueError(
            f"{where} holds no sentence; check how it was written, or choose another column or split"
        )
    columns = list(found[0][1])
    taken = tables.choose_column(columns, column, where)
    others: list[Any] = []
    for names in (tables.LABEL_COLUMNS, tables.GROUP_COLUMNS):
        name = tables.find_column(columns, names, taken)
        values = (
            [tables.label_of(row.get(name), f"{where}, {name}") for _, row in found]
            if name
            else None
        )
        others.append(values)
    return Sentences([text for text, _ in found], others[0], others[1], about)


def _from_hub(
    name: str, column: str | None, split: str, streaming: bool
) -> Sentences | StreamedSentences:
    data = tables.load_from_hub(name, split, streaming)
    columns = list(data.column_names or next(iter(data), {}))
    if not columns:
        raise ValueError(f"the split {split!r} of {name!r} is empty; choose another with split=")
    taken = tables.choose_column(columns, column, f"{name!r} (split {split!r})")
    others = [
        tables.find_column(columns, names, taken)
        for names in (tables.LABEL_COLUMNS, tables.GROUP_COLUMNS)
    ]
    data = data.select_columns([taken, *filter(None, dict.fromkeys(others))])
    about: dict[str, Any] = {"source": name, "column": taken, "split": split}
    licence = getattr(data.info, "license", None) or None
    if not streaming:
        found = _of_table(tables.hub_rows(data), taken, name, "row", about)
        found.licence = licence
        return found
    return StreamedSentences(
        lambda: (text for text, _ in _texts(tables.hub_rows(data), taken, name, "row")),
        {**about, "streaming": True},
        licence,
    )


def check_source(stored: Mapping[str, Any]) -> None:
    """Check that a mapping is the ``.source`` of sentences or triplets and can be read again."""
    source, steps = stored.get("source"), stored.get("steps", [])
    if source is None:
        raise ValueError(
            f"{shown(stored)} has no 'source'; give the .source of sentences, or a list of sentences"
        )
    if not isinstance(source, str | os.PathLike):
        raise TypeError(
            f"source is {kind(source)} ({shown(source)}); give a name or a path, as in .source"
        )
    if source == "list":
        raise ValueError(
            "these sentences were given as a list, so they cannot be read again; give the list itself"
        )
    if not isinstance(steps, list | tuple):
        raise ValueError(
            f"steps is {shown(steps)}; it must be a list of slices and samples, as in .source"
        )


def _read_again(stored: Mapping[str, Any]) -> Any:
    found: Any
    if stored.get("kind") == "triplets":
        found = triplets(stored["source"])
    else:
        options = {
            name: stored[name] for name in ("column", "split", "streaming") if name in stored
        }
        found = sentences(stored["source"], **options)
    for step in stored.get("steps", []):
        match step:
            case ["slice", _, _, _] if isinstance(found, Examples):
                found = found[slice(*step[1:])]
            case ["sample", n, seed] if isinstance(found, Examples):
                found = found.sample(n, seed)
            case ["at_most" | "every_group" as name, n] if isinstance(found, Sentences):
                found = getattr(found, name)(n)
            case _:
                raise ValueError(
                    f"cannot apply {shown(step)} to {found!r}; read the sentences into memory first"
                )
    return found


def check_examples(given: Any) -> Any:
    """Check training examples: sentences, tuples of sentences, or a stream, which is not read."""
    if isinstance(given, Mapping):
        _check_splits(given)
        check_source(given)
        return given
    if isinstance(given, str | os.PathLike):
        raise TypeError(
            f"sentences={shown(given)} is a name; give the sentences themselves: clwork.data.sentences(...)"
        )
    if isinstance(given, Triplets | StreamedSentences):
        return given
    if isinstance(given, Iterator):
        raise TypeError(
            f"sentences is a {kind(given)}, which can be read only once; give a list of its items"
        )
    if not hasattr(given, "__len__") and isinstance(given, Iterable):
        return given  # a stream of another class
    given = sentences(given) if _is_data_set(given) else given
    rows = given if isinstance(given, Sentences) else listed("sentences", given)
    if not len(rows):
        raise ValueError("sentences is empty; give at least one batch of them")
    if isinstance(rows[0], str):
        return sentences(rows)
    size = len(rows[0]) if isinstance(rows[0], tuple | list) else 0
    if size not in KINDS_OF_TUPLES or not all(isinstance(part, str) for part in rows[0]):
        return given
    return (
        Triplets(rows)
        if size == 3
        else [check_tuple(row, place, size) for place, row in enumerate(rows)]
    )


def triplets(source: str | os.PathLike[str] = DEFAULT_TRIPLETS) -> Triplets:
    """Read (premise, entailment, contradiction) triplets.

    Args:
        source: ``"handwritten"``, 240 triplets that come with clwork; ``"hub"``, the 275,601 of SimCSE from SNLI and
            MNLI; or a .csv, .tsv, .jsonl or .parquet file with columns ``premise, entailment, contradiction``
            (or ``sent0, sent1, hard_neg``, or ``anchor, positive, negative``). Rows with a blank cell are left out.

    >>> premise, entailment, contradiction = triplets()[0]
    """
    if known := named(source, "triplets"):
        examples: Triplets = known.examples()
        return examples
    about = {"source": str(source), "kind": "triplets"}
    if source == "hub":
        data = tables.load_from_hub(NLI_HUB, "train", data_files=NLI_FILE)
        return Triplets(_complete(enumerate(data), f"{NLI_HUB}/{NLI_FILE}"), about)
    path = _validation.path("source", source)
    return Triplets(
        _complete(tables.rows(path), str(path)), about | {"source": str(tables.full_path(path))}
    )


def _complete(rows: Iterable[tables.Row], where: str, names: Sequence[str] = ()) -> list[list[str]]:
    found = []
    for number, row in rows:
        names = names or _parts(row, TRIPLET_COLUMNS)
        if not names:
            allowed = "; ".join(", ".join(columns) for columns in TRIPLET_COLUMNS)
            raise ValueError(
                f"{where} has the columns {', '.join(map(repr, row))}; triplets need one of: {allowed}"
            )
        missing = [name for name in names if name not in row]
        if missing:
            raise ValueError(
                f"{where}, row {number} lacks {', '.join(missing)}; its columns are {', '.join(row)}"
            )
        parts = [tables.text_of(row[name], name, f"{where}, row {number}") for name in names]
        if all(parts):
            found.append(parts)
    if not found:
        raise ValueError(
            f"{where} holds no complete {KINDS_OF_TUPLES[len(names) or 3][:-1]}; check how it was written"
        )
    return found


def shipped_rows(name: str) -> list[dict[str, Any]]:
    """Read one of the package's files of handwritten examples."""
    text = resources.files("clwork.data").joinpath("handwritten", name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


SOURCES[DEFAULT_TRIPLETS] = CorpusSource(
    DEFAULT_TRIPLETS,
    "triplets",
    "triplets written for clwork",
    "Premise, entailment and contradiction: supervised.",
    lambda: Triplets([[row[name] for name in PARTS[3]] for row in shipped_rows("triplets.jsonl")]),
    kind="triplets",
)
