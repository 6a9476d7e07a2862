"""Data sets of the Hugging Face hub, through ``datasets``; without a network they fail fast, with a remedy."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..hub import reachable, unreachable
from . import tables
from .corpus import Sentences, StreamedSentences
from .files import READABLE
from .sources import DEFAULT

INSTEAD = f"{DEFAULT!r} or a file ({', '.join(READABLE)})"
_switch = threading.Lock()


@contextmanager
def _from_cache() -> Iterator[None]:
    """Restrict ``datasets`` to its cache on disk, instead of retrying a hub that does not answer."""
    import datasets

    with _switch:
        before = datasets.config.HF_HUB_OFFLINE
        datasets.config.HF_HUB_OFFLINE = True
        try:
            yield
        finally:
            datasets.config.HF_HUB_OFFLINE = before


def load(name: str, split: str, streaming: bool = False, data_files: str | None = None) -> Any:
    """Load one split of a data set from the hub or, if that cannot be reached, from the cache of an earlier load.

    Args:
        name: ``"owner/name"`` or ``"owner/name:configuration"``.
        split: such as ``"train"``.
        streaming: read while looping.
        data_files: one file of the data set, for those without a configuration.

    Raises:
        ConnectionError: no answer, and no copy.
        FileNotFoundError: the hub has no such data set, or it is closed to you.
        ValueError: wrong configuration or split.
    """
    import datasets

    repository, _, configuration = name.partition(":")
    arguments = {"split": split, "streaming": streaming, "data_files": data_files}
    try:
        if reachable():
            return datasets.load_dataset(repository, configuration or None, **arguments)
        with _from_cache():
            return datasets.load_dataset(repository, configuration or None, **arguments)
    except ConnectionError:
        raise unreachable(name, INSTEAD) from None
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"no data set {name!r} on the hub, or it is closed to you ({_brief(error)}); check its name on "
            f"https://huggingface.co/datasets. If you mean a file, give its path with the ending; a corpus of "
            "your own, register it first (clwork.data.register_source)"
        ) from None
    except (ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        raise ValueError(
            f"the data set {name!r} cannot be read with split={split!r}: {_brief(error)}. "
            "Choose a configuration with 'owner/name:configuration', a split with split="
        ) from None


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:400]


def column_names(data: Any) -> list[str]:
    """Return the columns of a split; for a stream without column names, those of its first row."""
    return list(data.column_names or next(iter(data), {}))


def read_sentences(name: str, column: str | None, split: str, streaming: bool) -> Sentences | StreamedSentences:
    """Read the sentences of one split; see :func:`clwork.data.sentences`."""
    data = load(name, split, streaming)
    columns = column_names(data)
    if not columns:
        raise ValueError(f"the split {split!r} of {name!r} is empty; choose another with split=")
    taken = tables.choose_column(columns, column, f"{name!r} (split {split!r})")
    about: dict[str, Any] = {"source": name, "column": taken, "split": split}
    licence = getattr(data.info, "license", None) or None
    if streaming:
        return StreamedSentences(lambda: _stream(data, taken, name), {**about, "streaming": True}, licence)
    beside = [tables.find_column(columns, names, taken) for names in (tables.LABEL_COLUMNS, tables.GROUP_COLUMNS)]
    rows = data.select_columns(list(dict.fromkeys([taken, *filter(None, beside)])))[:]
    texts = [tables.text_of(value, taken, f"{name}, row {i}") for i, value in enumerate(rows[taken])]
    filled_rows = [i for i, text in enumerate(texts) if text]
    if not filled_rows:
        raise ValueError(f"column {taken!r} of {name!r} holds no sentence; choose another of {', '.join(columns)}")
    labels, groups = (_names(data, rows, beside_column, filled_rows) for beside_column in beside)
    return Sentences([texts[i] for i in filled_rows], labels, groups, about, licence)


def _stream(data: Any, column: str, name: str) -> Iterator[str]:
    for i, row in enumerate(data):
        if text := tables.text_of(row[column], column, f"{name}, row {i}"):
            yield text


def _names(data: Any, rows: dict[str, list[Any]], column: str | None, numbers: list[int]) -> list[str] | None:
    """Convert a column to strings; class numbers become the names of their classes."""
    if column is None:
        return None
    values = [rows[column][i] for i in numbers]
    classes = getattr(data.features[column], "names", None)
    if classes:
        return [classes[v] if v is not None and 0 <= v < len(classes) else "" for v in values]
    return [tables.label_of(value, column) for value in values]
