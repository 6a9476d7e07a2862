from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import datasets
import pytest

from clwork.data import sentences, tables
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

    monkeypatch.setattr(tables, "reachable", lambda: True)
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
    monkeypatch.setattr(tables, "reachable", lambda: True)
    for raised, expected, match in cases:

        def load(*_: Any, raised: Exception = raised, **__: Any) -> Any:
            raise raised

        monkeypatch.setattr(datasets, "load_dataset", load)
        with pytest.raises(expected, match=match) as caught:
            sentences("someone/reviews", split="dev")
        assert "someone/reviews" in str(caught.value)


SILENT = """
import time
from clwork import hub
from clwork.data import tables
began = time.monotonic()
assert not hub.reachable(0.7)
hub.reachable.__defaults__ = (0.7,)
try:
    tables.load_from_hub("someone/reviews", "train")
except ConnectionError as error:
    print(f"{time.monotonic() - began:.1f}", error)
import datasets
assert datasets.config.HF_HUB_OFFLINE is False
"""


@pytest.mark.nightly
def test_without_a_reply_of_the_hub_the_error_is_raised_soon(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(ConnectionError, match=r"cannot be reached.*'wikipedia-mini' or a file"):
        sentences("some.one/wiki-1.5:20231101.en")
    assert time.monotonic() - began < 15
    with socket.create_server(("127.0.0.1", 0)) as silent:
        clean = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith("HF_") and not k.lower().endswith("_proxy")
        }
        clean |= {
            "HF_ENDPOINT": f"http://127.0.0.1:{silent.getsockname()[1]}",
            "HF_HOME": str(tmp_path),
        }
        ended = subprocess.run(
            [sys.executable, "-c", SILENT], env=clean, capture_output=True, text=True, timeout=120
        )
    assert ended.returncode == 0, ended.stderr
    seconds, message = ended.stdout.split(" ", 1)
    assert "cannot be reached" in message
    assert float(seconds) < 20, "`datasets` alone would need 23 s and more"


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
    monkeypatch.setattr(tables, "reachable", lambda: False)
    assert len(sentences("someone/reviews")) == 3
