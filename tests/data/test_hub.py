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

from clwork.data import StreamedSentences, hub_datasets, sentences

ROWS = {
    "idx": [0, 1, 2, 3],
    "text": ["One is here.", "  ", "Three is here.", "Four is here."],
    "label": [1, 0, 0, -1],
    "title": ["A", "A", "B", "B"],
}


def made() -> datasets.Dataset:
    return datasets.Dataset.from_dict(ROWS).cast_column("label", datasets.ClassLabel(names=["neg", "pos"]))


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A hub that answers every request with one small data set, and notes what it was asked for."""
    asked: list[dict[str, Any]] = []

    def load(name: str, configuration: str | None = None, **arguments: Any) -> Any:
        asked.append({"name": name, "configuration": configuration, **arguments})
        return made().to_iterable_dataset() if arguments["streaming"] else made()

    monkeypatch.setattr(hub_datasets, "reachable", lambda: True)
    monkeypatch.setattr(datasets, "load_dataset", load)
    return asked


def test_reads_sentences_with_the_names_of_their_classes(online: list[dict[str, Any]]) -> None:
    found = sentences("someone/reviews:small", split="validation")
    assert list(found) == ["One is here.", "Three is here.", "Four is here."]
    assert found.labels == ["pos", "neg", ""] and found.groups == ["A", "B", "B"]
    assert online[0] == {
        "name": "someone/reviews",
        "configuration": "small",
        "split": "validation",
        "streaming": False,
        "data_files": None,
    }
    assert found.source == {"source": "someone/reviews:small", "column": "text", "split": "validation"}
    assert list(sentences(found[1:].source)) == list(found[1:])


def test_streams(online: list[dict[str, Any]]) -> None:
    stream = sentences("someone/reviews", streaming=True)
    assert isinstance(stream, StreamedSentences) and stream.labels is None
    assert list(stream) == list(stream) == ["One is here.", "Three is here.", "Four is here."]
    assert list(sentences(stream.source)) == list(stream)
    assert all(request["streaming"] is True for request in online)


def test_a_wrong_column_lists_those_there_are(online: list[dict[str, Any]], subtests: pytest.Subtests) -> None:
    for streaming in [False, True]:
        with subtests.test(streaming=streaming):
            with pytest.raises(ValueError, match=r"no column 'satz'.*someone/reviews.*'idx', 'text', 'label', 'title'"):
                sentences("someone/reviews", column="satz", streaming=streaming)
            with pytest.raises(ValueError, match=r"row 0: column 'idx' holds int"):
                list(sentences("someone/reviews", column="idx", streaming=streaming))


def test_what_the_hub_refuses(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    cases: list[tuple[Exception, type[Exception], str]] = [
        (ValueError("Unknown split 'dev'. Should be one of ['train']"), ValueError, r"\['train'\].*split="),
        (ValueError("Config name is missing. Pick one of ['a', 'b']"), ValueError, "owner/name:configuration"),
        (RuntimeError("Dataset scripts are no longer supported"), ValueError, "scripts"),
        (datasets.exceptions.DatasetNotFoundError("doesn't exist"), FileNotFoundError, "check its name"),
        (ConnectionError("reset"), ConnectionError, "wikipedia-mini"),
    ]
    for raised, expected, match in cases:
        with subtests.test():

            def load(*_: Any, raised: Exception = raised, **__: Any) -> Any:
                raise raised

            monkeypatch.setattr(hub_datasets, "reachable", lambda: True)
            monkeypatch.setattr(datasets, "load_dataset", load)
            with pytest.raises(expected, match=match) as caught:
                sentences("someone/reviews", split="dev")
            assert "someone/reviews" in str(caught.value)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["someone/no-such-set", "imdb", "some.one/wiki-1.5:20231101.en"])
def test_without_network_the_answer_is_quick_and_names_the_remedy(name: str) -> None:
    began = time.monotonic()
    with pytest.raises(
        ConnectionError, match=r"cannot be reached.*was not loaded here before.*'wikipedia-mini' or a file"
    ):
        sentences(name)
    assert time.monotonic() - began < 15
    assert datasets.config.HF_HUB_OFFLINE is True  # as the tests set it, and as it was


SILENT = """
import sys, time
from clwork import hub as hub_client
from clwork.data import hub_datasets
began = time.monotonic()
assert not hub_client.reachable(0.7)
hub_client.reachable.__defaults__ = (0.7,)
try:
    hub_datasets.load("someone/reviews", "train")
except ConnectionError as error:
    print(f"{time.monotonic() - began:.1f}", error)
import datasets
assert datasets.config.HF_HUB_OFFLINE is False
"""


@pytest.mark.nightly
def test_a_hub_that_never_answers_is_given_up_soon(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HF_") and not k.lower().endswith("_proxy")}
        clean |= {"HF_ENDPOINT": f"http://127.0.0.1:{silent.getsockname()[1]}", "HF_HOME": str(tmp_path)}
        told = subprocess.run([sys.executable, "-c", SILENT], env=clean, capture_output=True, text=True, timeout=120)
    assert told.returncode == 0, told.stderr
    seconds, message = told.stdout.split(" ", 1)
    assert "cannot be reached" in message and float(seconds) < 20  # `datasets` alone would need 23 s and more


def test_what_was_loaded_before_is_found_without_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made().to_json(tmp_path / "rows.jsonl")
    builder = datasets.load_dataset_builder(
        "json", data_files=str(tmp_path / "rows.jsonl"), cache_dir=str(tmp_path / "build")
    )
    builder.dataset_name = "reviews"
    kept = tmp_path / "kept" / "someone___reviews" / "default" / "0.0.0" / "abc"
    builder.download_and_prepare(output_dir=str(kept))
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "kept")
    monkeypatch.setattr(hub_datasets, "reachable", lambda: False)
    assert len(sentences("someone/reviews")) == 3
