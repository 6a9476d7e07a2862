"""Bad lists of sentences, and bad names of sources."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from clwork import data
from clwork.data import sentences

from .table import Case, hold, refused, table, taken

read: Any = sentences  # what is given here is not what its annotation asks for
Kept: Any = data.Sentences
FEW = ["A cat sleeps.", "Rain falls.", "A dog barks."]
NAN = float("nan")


def corpus(*texts: str) -> data.Sentences:
    return data.Sentences(texts or FEW)


def csv(folder: Path) -> Path:
    path = folder / "x.csv"
    path.write_text("sentence,label\n" + "".join(f"{text},{k}\n" for k, text in enumerate(FEW)), encoding="utf-8")
    return path


LISTS = [
    refused("all blank", ValueError, "sentence 0 of 3 is blank; leave blank", lambda _: read(["", " ", "\t"])),
    refused("one blank", ValueError, "sentence 1 of 2 is blank", lambda _: read(["fine", "\u3000"])),
    refused("blank among Sentences", ValueError, "sentence 1 of 2 is blank", lambda _: read(corpus("fine", " "))),
    refused("empty list", ValueError, "is empty; give at least one", lambda _: read([])),
    refused("empty Sentences", ValueError, "is empty; give at least one", lambda _: read(corpus()[9:])),
    refused("all equal", ValueError, "all 4 sentences are 'same'; give different", lambda _: read(["same"] * 4)),
    refused(
        "a zero character",
        ValueError,
        "sentence 1 holds a zero character, .* take it out",
        lambda _: read(["a", "b\0c"]),
    ),
    refused(
        "a late zero character", ValueError, "at place 5000; take it out", lambda _: read(["a", "b" * 5000 + "\0"])
    ),
    refused(
        "a lone surrogate",
        ValueError,
        r"sentence 1 holds .*ud83d.* half of a character.*repair",
        lambda _: read(["a", "b\ud83d"]),
    ),
    refused("a low surrogate in Sentences", ValueError, "half of a character", lambda _: read(corpus("a", "\udc00"))),
    refused(
        "a set", TypeError, "set .*, which has no order; give a list, for instance sorted", lambda _: read(set(FEW))
    ),
    refused("a frozenset", TypeError, "has no order", lambda _: read(frozenset(FEW))),
    refused(
        "a dict of columns",
        ValueError,
        "no 'source' .* give the list of sentences in it",
        lambda _: read({"sentence": FEW}),
    ),
    refused("an empty dict", ValueError, "no 'source'", lambda _: read({})),
    refused("a dict to Sentences", TypeError, "give the list of sentences in it", lambda _: Kept({"a": 1})),
    refused(
        "a data frame",
        TypeError,
        "DataFrame .*a table of columns; give one of them",
        lambda _: read(pd.DataFrame({"s": FEW})),
    ),
    refused("an open file", TypeError, "open file; give its path", lambda f: read(open(csv(f), encoding="utf-8"))),
    refused("open bytes", TypeError, "open file; give its path", lambda _: read(io.BytesIO(b"a\nb"))),
    refused("an array of no dimension", TypeError, "ndarray .*one by one", lambda _: read(np.array("a"))),
    refused("a table of texts", TypeError, "sentence 0 is ndarray", lambda _: read(np.array([FEW, FEW]))),
    refused(
        "an array of bytes", TypeError, "sentence 0 is bytes_.*must be a str", lambda _: read(np.array([b"a", b"b"]))
    ),
    refused("an array of numbers", TypeError, "sentence 0 is int64", lambda _: read(np.arange(3))),
    refused("a tensor", TypeError, "sentence 0 is Tensor", lambda _: read(torch.ones(3))),
    refused("a tensor of no dimension", TypeError, "one by one", lambda _: read(torch.tensor(3))),
    refused("a series with a gap", TypeError, r"sentence 1 is float \(nan\)", lambda _: read(pd.Series(["a", NAN]))),
    refused("a list of bytes", TypeError, "sentence 0 is bytes", lambda _: read([b"a"])),
    refused("None among them", TypeError, "sentence 1 is NoneType", lambda _: read(["a", None])),
    refused("lists among them", TypeError, "sentence 0 is list", lambda _: read([["a"], ["b"]])),
    refused("a number of 5,000 digits among them", TypeError, "sentence 1 is int", lambda _: read(["a", 10**5000])),
    refused(
        "a column of a list", ValueError, "column='text': only tables have columns", lambda _: read(FEW, column="text")
    ),
    refused(
        "a split of a list", ValueError, "split='test': only data sets of the hub", lambda _: read(FEW, split="test")
    ),
    refused(
        "a list as a stream", ValueError, "streaming=True: .* in memory already", lambda _: read(FEW, streaming=True)
    ),
    taken("a generator, read whole", lambda _: list(read(text for text in FEW)) == FEW),
    taken("a tuple", lambda _: list(read(tuple(FEW))) == FEW),
    taken("an array of texts", lambda _: [type(text) for text in read(np.array(FEW))] == [str] * 3),
    taken("an array of objects", lambda _: list(read(np.array(FEW, dtype=object))) == FEW),
    taken("a series", lambda _: list(read(pd.Series(FEW))) == FEW),
    taken("the values of a dict", lambda _: list(read(dict(enumerate(FEW)).values())) == FEW),
    taken(
        "a stream is passed on", lambda f: isinstance(read(sentences(csv(f), streaming=True)), data.StreamedSentences)
    ),
    taken("a single sentence", lambda _: len(read(["one"])) == 1),
]

COLUMNS = [
    refused(
        "labels of another length",
        ValueError,
        "2 labels for 3 sentences; give one for each",
        lambda _: Kept(FEW, labels=["a", "b"]),
    ),
    refused("labels in one word", TypeError, "labels is one str .*; give a list", lambda _: Kept(FEW, labels="abc")),
    refused("labels in a set", TypeError, "labels .* no order", lambda _: Kept(FEW, labels={"a", "b", "c"})),
    refused(
        "labels in a dict",
        TypeError,
        "labels is dict .*give the list",
        lambda _: Kept(FEW, labels={"a": 1, "b": 2, "c": 3}),
    ),
    refused(
        "groups that are lists",
        TypeError,
        r"group 0 is list .*; give a word or a number",
        lambda _: Kept(FEW, groups=[["a"], ["b"], ["c"]]),
    ),
    refused("labels that are tensors", TypeError, "label 0 is Tensor", lambda _: Kept(FEW, labels=torch.arange(3))),
    refused(
        "a label with a lone surrogate", ValueError, "label 1 holds", lambda _: Kept(FEW, labels=["a", "\ud800", "c"])
    ),
    refused("a number for labels", TypeError, "labels is int", lambda _: Kept(FEW, labels=3)),
    taken("labels that are numbers", lambda _: Kept(FEW, labels=[0, np.int64(1), 2.5]).labels == ["0", "1", "2.5"]),
    taken("labels that are NaN are missing", lambda _: Kept(FEW, labels=["a", NAN, None]).labels == ["a", None, None]),
    taken(
        "missing labels have a fingerprint",
        lambda _: Kept(FEW, labels=["a", None, ""]).fingerprint() != Kept(FEW, labels=["a", "", ""]).fingerprint(),
    ),
    taken("labels in an array", lambda _: Kept(FEW, labels=np.array(["a", "b", "a"])).label_names == ["a", "b"]),
    taken("missing labels are no topic", lambda _: Kept(FEW, labels=["a", None, "b"]).label_names == ["a", "b"]),
]

SAMPLES = [
    refused("half a sentence", TypeError, "n=1.5 is float; give an int", lambda _: corpus().sample(1.5, 0)),  # type: ignore[arg-type]
    refused("n in words", TypeError, "n='2' is str; give an int", lambda _: corpus().sample("2", 0)),  # type: ignore[arg-type]
    refused("n true", TypeError, "n=True is bool", lambda _: corpus().sample(True, 0)),
    refused(
        "more than there are",
        ValueError,
        "cannot draw 4 of 3 sentences; n must be from 0 to 3",
        lambda _: corpus().sample(4, 0),
    ),
    refused(
        "n of 5,000 digits", ValueError, "cannot draw an int of .* bits of 3", lambda _: corpus().sample(10**5000, 0)
    ),
    refused(
        "a seed below 0", ValueError, "seed=-1 is out of range; give an int from 0", lambda _: corpus().sample(2, -1)
    ),
    refused("no seed", TypeError, "seed=None is NoneType; give an int", lambda _: corpus().sample(2, None)),  # type: ignore[arg-type]
    refused("half a seed", TypeError, "seed=0.5 is float", lambda _: corpus().sample(2, 0.5)),  # type: ignore[arg-type]
    refused("a seed true", TypeError, "seed=True is bool", lambda _: corpus().sample(2, True)),
    taken("numpy's numbers", lambda _: corpus().sample(np.int64(2), np.int64(5)).source["steps"] == [["sample", 2, 5]]),  # type: ignore[arg-type]
]

LOOP = "loop.txt"


def loop(folder: Path) -> Path:
    (folder / LOOP).symlink_to(folder / "pool.txt")
    (folder / "pool.txt").symlink_to(folder / LOOP)
    return folder / LOOP


def told(folder: Path, **more: Any) -> Any:
    return read({"source": str(csv(folder)), **more})


SOURCES = [
    refused("None", TypeError, "source is NoneType .*; give a name, a path or a list", lambda _: read(None)),
    refused("True", TypeError, "source is bool", lambda _: read(True)),
    refused("a float", TypeError, r"source is float \(1.5\)", lambda _: read(1.5)),
    refused("bytes", TypeError, "source is bytes", lambda _: read(b"x.txt")),
    refused("a function", TypeError, "source is function", lambda _: read(loop)),
    refused("blank", ValueError, "source is blank", lambda _: read(" \n")),
    refused(
        "misspelt",
        ValueError,
        "no source is called 'wikipedia_minni'; did you mean 'wikipedia-mini'",
        lambda _: read("wikipedia_minni"),
    ),
    refused(
        "a hub name offline", ConnectionError, "the hub cannot be reached.*Offline, use", lambda _: read("owner/name")
    ),
    refused("a name with a zero", ValueError, "zero character", lambda _: read("a\0b.txt")),
    refused(
        "a name too long", ValueError, "cannot be looked up .*File name too long", lambda _: read("a" * 5000 + ".txt")
    ),
    refused(
        "nobody's home",
        ValueError,
        r"~nobody-here/x.txt names the home of a user",
        lambda _: read("~nobody-here/x.txt"),
    ),
    refused("a column that is a number", TypeError, r"column is int \(0\)", lambda f: read(csv(f), column=0)),
    refused(
        "a column that is a list", TypeError, "column is list .*give its name", lambda f: read(csv(f), column=["label"])
    ),
    refused(
        "a wrong column",
        ValueError,
        "no column 'satz': .* has the columns 'sentence', 'label'",
        lambda f: read(csv(f), column="satz"),
    ),
    refused(
        "a blank column",
        ValueError,
        "no column '': .* has the columns 'sentence', 'label'",
        lambda f: read(csv(f), column=""),
    ),
    refused("a split that is None", TypeError, "split is NoneType .*'train'", lambda f: read(csv(f), split=None)),
    refused(
        "a split of a file", ValueError, "split='test': a file has no splits", lambda f: read(csv(f), split="test")
    ),
    refused(
        "streaming in words",
        TypeError,
        "streaming='no' is str; give True or False",
        lambda f: read(csv(f), streaming="no"),
    ),
    refused("streaming as a number", TypeError, "streaming=1 is int", lambda f: read(csv(f), streaming=1)),
    refused("a .source that is a number", TypeError, "source is int", lambda _: read({"source": 5})),
    refused(
        "a .source that is a list",
        ValueError,
        "given as a list, so they cannot be read again",
        lambda _: read(corpus().source),
    ),
    refused("a .source within a .source", TypeError, "source is dict", lambda _: read({"source": {"source": "x"}})),
    refused(
        "steps that are a word",
        ValueError,
        r"steps is 'abc'; it must be a list of slices",
        lambda f: told(f, steps="abc"),
    ),
    refused("steps that are a number", ValueError, "steps is 3", lambda f: told(f, steps=3)),
    refused("a step that is empty", ValueError, r"cannot apply \[\] to .*; known are", lambda f: told(f, steps=[[]])),
    refused(
        "a slice of words",
        ValueError,
        "cannot apply .*'slice', 'a'",
        lambda f: told(f, steps=[["slice", "a", None, None]]),
    ),
    refused(
        "a slice of too many", ValueError, "cannot apply .*'slice'", lambda f: told(f, steps=[["slice", 1, 2, 3, 4]])
    ),
    refused("a step of zero", ValueError, "cannot apply .*'slice'", lambda f: told(f, steps=[["slice", 1, 2, 0]])),
    refused(
        "a sample without a seed", ValueError, "cannot apply .*'sample', 3", lambda f: told(f, steps=[["sample", 3]])
    ),
    refused("a sample of halves", TypeError, "n=1.5 is float", lambda f: told(f, steps=[["sample", 1.5, 0]])),
    refused(
        "steps of a stream",
        ValueError,
        "cannot apply .* StreamedSentences",
        lambda f: told(f, streaming=True, steps=[["slice", 1, 2, None]]),
    ),
    refused(
        "a column beside a .source",
        ValueError,
        "column='text': .*says its own",
        lambda f: read({"source": str(csv(f))}, column="text"),
    ),
    taken("numpy's flag", lambda f: isinstance(read(csv(f), streaming=np.True_), data.StreamedSentences)),
    taken("numpy's str", lambda f: len(read(np.str_(csv(f)))) == 3),
]


class Again:
    """A stream of the reader's own, which can be read as often as one likes."""

    def __init__(self, *rows: Any) -> None:
        self.rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows)


@table(*LISTS, *COLUMNS, *SAMPLES, *SOURCES)
def test_it(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)
