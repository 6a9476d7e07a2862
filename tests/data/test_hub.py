from __future__ import annotations

from typing import Any

import datasets
import pytest

from clwork.data import sentences

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
    assert found.labels == ["pos", "neg", None]
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
    assert list(sentences("someone/reviews", streaming=True)) == ROWS["text"]
    assert online[0]["streaming"] is True
    with pytest.raises(
        ValueError, match=r"no column 'satz'.*someone/reviews.*'idx', 'text', 'label', 'title'"
    ):
        sentences("someone/reviews", column="satz")
    with pytest.raises(ValueError, match=r"the column 'idx' holds int"):
        sentences("someone/reviews", column="idx")


def test_without_the_hub_the_error_names_what_can_be_read() -> None:
    with pytest.raises(ConnectionError, match=r"cannot be reached.*'wikipedia-mini' or a file"):
        sentences("some.one/wiki-1.5:20231101.en")
