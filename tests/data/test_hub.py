from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import pytest

from clwork.data import sentences
from clwork.data.corpus import StreamedSentences

ROWS = {
    "idx": [0, 1, 2, 3],
    "text": ["One is here.", "  ", "Three is here.", "Four is here."],
    "label": [1, 0, 0, -1],
    "title": ["A", "A", "B", "B"],
}
TEXTS = ["One is here.", "Three is here.", "Four is here."]


def made() -> datasets.Dataset:
    return datasets.Dataset.from_dict(ROWS).cast_column(
        "label", datasets.ClassLabel(names=["neg", "pos"])
    )


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Replace the hub by one small data set for every request; return the list of requests."""
    requests: list[dict[str, Any]] = []

    def load(name: str, configuration: str | None = None, **arguments: Any) -> Any:
        requests.append({"name": name, "configuration": configuration, **arguments})
        return made().to_iterable_dataset() if arguments["streaming"] else made()

    monkeypatch.setattr(datasets, "load_dataset", load)
    return requests


def test_reads_sentences_with_the_names_of_their_classes(online: list[dict[str, Any]]) -> None:
    found = sentences("someone/reviews:small", split="validation")
    assert list(found) == TEXTS
    assert found.labels == ["pos", "neg", ""]
    assert found.groups == ["A", "B", "B"]
    assert online[0] == {
        "name": "someone/reviews",
        "configuration": "small",
        "split": "validation",
        "streaming": False,
    }
    assert found.source == {
        "source": "someone/reviews:small",
        "column": "text",
        "split": "validation",
    }
    assert list(sentences(found[1:].source)) == TEXTS[1:]


def test_streams_and_refuses_wrong_columns(online: list[dict[str, Any]]) -> None:
    stream = sentences("someone/reviews", streaming=True)
    assert isinstance(stream, StreamedSentences)
    assert stream.labels is None
    assert list(stream) == list(stream) == list(sentences(stream.source)) == TEXTS
    assert all(request["streaming"] is True for request in online)
    for streaming in (False, True):
        with pytest.raises(
            ValueError, match=r"no column 'satz'.*someone/reviews.*'idx', 'text', 'label', 'title'"
        ):
            sentences("someone/reviews", column="satz", streaming=streaming)
        with pytest.raises(ValueError, match=r"the column 'idx' holds int"):
            list(sentences("someone/reviews", column="idx", streaming=streaming))


def test_errors_of_the_hub_name_the_data_set_and_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[tuple[Exception, type[Exception], str]] = [
        (
            ValueError("Unknown split 'dev'. Should be one of ['train']"),
            ValueError,
            r"\['train'\].*split=",
        ),
        (
            ValueError("Config name is missing. Pick one of ['a', 'b']"),
            ValueError,
            "owner/name:configuration",
        ),
        (RuntimeError("Dataset scripts are no longer supported"), ValueError, "scripts"),
        (
            datasets.exceptions.DatasetNotFoundError("doesn't exist"),
            FileNotFoundError,
            "check its name",
        ),
        (ConnectionError("reset"), ConnectionError, "wikipedia-mini"),
    ]
    for raised, expected, match in cases:

        def load(*_: Any, raised: Exception = raised, **__: Any) -> Any:
            raise raised

        monkeypatch.setattr(datasets, "load_dataset", load)
        with pytest.raises(expected, match=match) as caught:
            sentences("someone/reviews", split="dev")
        assert "someone/reviews" in str(caught.value)


def test_without_the_hub_the_error_names_what_can_be_read() -> None:
    with pytest.raises(ConnectionError, match=r"cannot be reached.*'wikipedia-mini' or a file"):
        sentences("some.one/wiki-1.5:20231101.en")


def test_a_data_set_that_was_loaded_before_is_found_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made().to_json(tmp_path / "rows.jsonl")
    files = str(tmp_path / "rows.jsonl")
    builder = datasets.load_dataset_builder(
        "json", data_files=files, cache_dir=str(tmp_path / "build")
    )
    builder.dataset_name = "reviews"
    cache = tmp_path / "cache"
    builder.download_and_prepare(
        output_dir=str(cache / "someone___reviews" / "default" / "0.0.0" / "abc")
    )
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", cache)
    assert len(sentences("someone/reviews")) == 3
