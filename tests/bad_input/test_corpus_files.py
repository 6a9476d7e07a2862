"""Bad places, sources and numbers for a corpus that is encoded into a file."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clwork import encode_corpus
from clwork.data import StreamedSentences
from clwork.encoders import Encoder, load_encoder

from ..encoders.conftest import write_tiny
from .table import Case, hold, refused, table, taken

FEW = ["the cat sat", "a dog ran", "the mat"]
write: Any = encode_corpus


@functools.cache
def tiny() -> Encoder:
    with tempfile.TemporaryDirectory() as folder:
        return load_encoder(write_tiny(Path(folder)), device="cpu")


def to(name: str, source: Any = FEW, **more: Any) -> Callable[[Path], Any]:
    return lambda folder: write(tiny(), source, folder / name, **{"progress": False, **more})


def stream(*texts: Any) -> StreamedSentences:
    return StreamedSentences(lambda: iter(texts), {"source": "made"})


def after(make: Callable[[Path], Any], name: str = "x.npy") -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        make(folder)
        return to(name)(folder)

    return call


def linked(folder: Path) -> None:
    (folder / "y.npy").touch()
    (folder / "x.npy").symlink_to("y.npy")


PLACES = [
    refused("another ending", ValueError, r"x\.txt.* must end in \.npy", to("x.txt")),
    refused("no ending", ValueError, r"must end in \.npy", to("x")),
    refused(
        "no such folder", FileNotFoundError, "there is no folder .*nowhere for out; make it first", to("nowhere/x.npy")
    ),
    refused("a folder", FileExistsError, "stands where a file belongs", after(lambda at: (at / "x.npy").mkdir())),
    refused(
        "a pipe as the part",
        FileExistsError,
        "stands where a file belongs",
        after(lambda at: os.mkfifo(at / "x.npy.part")),
    ),
    refused(
        "a link",
        FileExistsError,
        "stands where a file belongs",
        after(linked),
    ),
    refused(
        "a list as the record",
        FileExistsError,
        "was not written by clwork.encode_corpus",
        after(lambda at: (at / "x.npy.json").write_text("[1]")),
    ),
    refused(
        "a record of negative rows",
        FileExistsError,
        "was not written by clwork.encode_corpus",
        after(lambda at: (at / "x.npy.json").write_text('{"encoder": "", "precision": "", "dtype": "", "rows": -1}')),
    ),
    refused(
        "an array of one's own",
        FileExistsError,
        r"x\.npy is there already.*give another path",
        after(lambda at: np.save(at / "x.npy", np.eye(3))),
    ),
]
SOURCES = [
    refused("no sentence", ValueError, "the list of sentences is empty", to("x.npy", [])),
    refused("a stream of none", ValueError, "source holds no sentence", to("x.npy", stream())),
    refused(
        "a number in a stream",
        TypeError,
        "sentence 1 is 3 .int.; every sentence must be a str",
        to("x.npy", stream("a", 3)),
    ),
    refused("half a character in a stream", ValueError, "half of a surrogate pair", to("x.npy", stream("a", "\ud800"))),
    refused("no such file", FileNotFoundError, "there is no file", to("x.npy", "nothing.txt")),
    taken("one sentence", to("x.npy", ["the cat"]), lambda found: found.shape == (1, 16)),
    taken("a blank sentence in a stream", to("x.npy", stream("a", "")), lambda found: len(found) == 2),
    taken("a window of one", to("x.npy", window=np.int64(1), batch_size=1), lambda found: len(found) == 3),
    taken("a window beyond the end", to("x.npy", window=10**9), lambda found: len(found) == 3),
]
NUMBERS = [
    refused("no window", ValueError, "window=0 is out of range", to("x.npy", window=0)),
    refused("half a window", TypeError, "window=2.5 is float; give", to("x.npy", window=2.5)),
    refused("batches of none", ValueError, "batch_size=0 is out of range", to("x.npy", batch_size=0)),
    refused("eight bits", ValueError, "dtype='int8' is not known", to("x.npy", dtype="int8")),
    refused(
        "a numpy type", TypeError, "dtype=.*float16.* give one of 'float32', 'float16'", to("x.npy", dtype=np.float16)
    ),
    refused("float16 forward", ValueError, "precision='float16' is not known", to("x.npy", precision="float16")),
    refused(
        "no encoder", TypeError, "encoder='mini' is str; give an encoder", lambda at: write("mini", FEW, at / "x.npy")
    ),
]


@table(*PLACES, *SOURCES, *NUMBERS)
def test_it(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)


def test_what_is_refused_leaves_nothing_that_is_in_the_way_of_the_next_call(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no sentence"):
        to("x.npy", stream())(tmp_path)
    assert len(to("x.npy")(tmp_path)) == len(FEW)
