"""Bad arguments of ``clwork.start`` and of configurations: refused before anything is written."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

import clwork
from clwork import data, methods
from clwork.checks import shown

from .table import Case, hold, refused, table, taken

NAN, INF = float("nan"), float("inf")
TEXTS = [f"A sentence about the number {number}." for number in range(8)]
THREE = [(f"A cat has {n} toys.", f"A pet has {n} toys.", f"No cat has {n} toys.") for n in range(8)]
SHORT: dict[str, Any] = {"sentences": TEXTS, "steps": 1, "batch_size": 4, "device": "cpu"}
make: Any = methods.config


def start(**more: Any) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        return clwork.start(more.get("method", "simcse"), **(SHORT | {k: v for k, v in more.items() if k != "method"}))

    return call


class Stream:
    """A stream of the reader's own."""

    def __iter__(self) -> Iterator[str]:
        return iter(TEXTS)


class Nothing:
    """A stream with nothing in it."""

    def __iter__(self) -> Iterator[str]:
        return iter(())


TOO_MANY = [
    refused(
        f"{name} beyond what a run's folder holds",
        ValueError,
        f"{name}=10000000000 is out of range; give an int of at most 1000000000",
        start(**{name: 10**10}),
    )
    for name in ("steps", "eval_every", "checkpoint_every", "probe_every", "keep_every")
]
COUNTS = [
    refused(f"{name} {label}", error, f"{name}=.*; give an int of at least 1", start(**{name: value}))
    for name in ("steps", "eval_every", "checkpoint_every", "probe_every", "keep_every")
    for label, value, error in (
        ("zero", 0, ValueError),
        ("negative", -3, ValueError),
        ("half", 1.5, TypeError),
        ("a float", 2.0, TypeError),
        ("in words", "2", TypeError),
        ("true", True, TypeError),
        ("NaN", NAN, TypeError),
        ("infinite", INF, TypeError),
        ("a list", [1], TypeError),
        ("a tensor", torch.tensor(2), TypeError),
        ("an array", np.array([2]), TypeError),
        ("numpy's float", np.float64(2), TypeError),
        ("numpy's true", np.True_, TypeError),
        ("minus 5,000 digits", -(10**5000), ValueError),
    )
]
SEEDS = [
    refused(f"seed {shown(value, 20)}", error, match, start(seed=value))
    for value, error, match in (
        (-1, ValueError, "seed=-1 is out of range; give an int from 0 to 4294967295"),
        (2**32, ValueError, "seed=4294967296 is out of range"),
        (10**5000, ValueError, "seed=an int of .* bits is out of range"),
        (1.0, TypeError, "seed=1.0 is float; give an int"),
        (NAN, TypeError, "seed=nan is float"),
        ("1", TypeError, "seed='1' is str"),
        (True, TypeError, "seed=True is bool"),
        (None, TypeError, "seed=None is NoneType"),
        ([1], TypeError, r"seed=\[1\] is list"),
        (np.float64(1), TypeError, "seed=np.float64.* is float64"),
        (np.True_, TypeError, "seed=np.True_ is bool"),
        (torch.tensor(1), TypeError, "seed=tensor.* is Tensor"),
    )
]
DEVICES = [
    refused(f"device {shown(value, 20)}", error, match, start(device=value))
    for value, error, match in (
        ("cdua", ValueError, "device='cdua' cannot be used here .*; give 'cpu', or leave it out"),
        ("", ValueError, "device='' cannot be used here"),
        ("meta", ValueError, "device='meta' holds no numbers to train"),
        ("cuda:99", ValueError, "device='cuda:99' cannot be used here"),
        ("gpu\0", ValueError, "device=.* cannot be used here"),
        (0, TypeError, "device=0 is int; give 'cpu', 'cuda' or 'cuda:1'"),
        (1.5, TypeError, "device=1.5 is float"),
        (True, TypeError, "device=True is bool"),
        (["cpu"], TypeError, r"device=\['cpu'\] is list"),
        (torch.float32, TypeError, "device=torch.float32 is dtype"),
    )
]

PLACES = [
    refused("a name that is a number", TypeError, "name=5 is int; give text, or leave name out", start(name=5)),
    refused("a name that is a path", TypeError, "name=.* is PosixPath; give text", start(name=Path("x"))),
    refused("a blank name", ValueError, "name=' ' is blank", start(name=" ")),
    refused("a name that leads out", ValueError, "name='../x' cannot name a folder", start(name="../x")),
    refused("a name with a zero", ValueError, "name holds a zero character", start(name="a\0b")),
    refused("a name too long", ValueError, "name='a.*…? has 300 letters; give at most 200", start(name="a" * 300)),
    refused("a folder that is a number", TypeError, "folder=5 is int", start(folder=5)),
    refused("a blank folder", ValueError, "folder='' is blank", start(folder="")),
    refused("a folder in bytes", TypeError, "folder=b'x' is bytes", start(folder=b"x")),
    refused(
        "a folder that is a file", FileExistsError, "is there, and no folder; give another", start(folder=__file__)
    ),
    refused("a folder that is a device", FileExistsError, "is there, and no folder", start(folder="/dev/zero")),
    refused(
        "a folder with a lone surrogate", ValueError, "folder holds .*half of a character", start(folder="/tmp/\ud800")
    ),
    refused(
        "STS that is a number",
        TypeError,
        "sts=5 is int; give a folder of STS tasks, 'hub', or leave it out",
        start(sts=5),
    ),
    refused("STS that is true", TypeError, "sts=True is bool", start(sts=True)),
    refused(
        "STS that is nowhere",
        FileNotFoundError,
        "sts='/nowhere' is no folder; give one of STS tasks",
        start(sts="/nowhere"),
    ),
    refused("STS that is a file", FileNotFoundError, "is no folder; give one of STS tasks", start(sts=__file__)),
    refused("STS in nobody's home", ValueError, "names the home of a user", start(sts="~nobody-here/sts")),
]

METHODS = [
    refused("no method", TypeError, "method is NoneType .*; give its name, one of simcse", start(method=None)),
    refused("a method that is a number", TypeError, "method is int", start(method=1)),
    refused("a method that is a list", TypeError, "method is list", start(method=["simcse"])),
    refused("a method that is a class", TypeError, "method is type", start(method=methods.get("simcse"))),
    refused(
        "a method misspelt",
        ValueError,
        "there is no method called 'simsce' .did you mean 'simcse'",
        start(method="simsce"),
    ),
    refused("a blank method", ValueError, "there is no method called ''; known: simcse", start(method="")),
    refused(
        "a method of 99,999 letters", ValueError, "there is no method called 'xxx.*…; known", start(method="x" * 99_999)
    ),
    refused(
        "an encoder that is a number",
        TypeError,
        "encoder is int .5.; give a name, a folder, an Encoder, or leave it out",
        start(encoder=5),
    ),
    refused("an encoder that is true", TypeError, "encoder is bool", start(encoder=True)),
    refused("an encoder that is a list", TypeError, "encoder is list", start(encoder=["mini"])),
    refused("an encoder that is a module", TypeError, "encoder is Linear", start(encoder=torch.nn.Linear(2, 2))),
    refused("a blank encoder", ValueError, "encoder is blank", start(encoder=" ")),
    refused("an encoder of 99,999 letters", ValueError, "encoder is too long .'xxx.*…", start(encoder="x" * 99_999)),
    refused("an encoder with a zero", ValueError, "holds a zero character", start(encoder="a\0b")),
    refused("an encoder in nobody's home", ValueError, "names the home of a user", start(encoder="~nobody-here/mine")),
    refused(
        "vectors in nobody's home", ValueError, "names the home of a user", start(encoder="textcnn:~nobody-here/x.vec")
    ),
    taken("no encoder is the method's own", lambda _: make("simcse", None) == make("simcse")),
]

EXAMPLES = [
    refused(
        "examples all blank",
        ValueError,
        "sentence 0 of 8 is blank; leave blank sentences out",
        start(sentences=[" "] * 8),
    ),
    refused(
        "examples all equal",
        ValueError,
        "all 8 sentences are 'same'; give different ones",
        start(sentences=["same"] * 8),
    ),
    refused(
        "blank among Sentences", ValueError, "sentence 8 of 9 is blank", start(sentences=data.Sentences([*TEXTS, ""]))
    ),
    refused("no examples", ValueError, "sentences is empty; give at least one batch", start(sentences=[])),
    refused("an empty array", ValueError, "sentences is empty", start(sentences=np.array([]))),
    refused(
        "a lone surrogate",
        ValueError,
        "sentence 8 holds .*half of a character.*repair",
        start(sentences=[*TEXTS, "a\ud800"]),
    ),
    refused("a zero character", ValueError, "sentence 8 holds a zero character", start(sentences=[*TEXTS, "a\0"])),
    refused("a number among sentences", TypeError, "sentence 8 is int", start(sentences=[*TEXTS, 5])),
    refused("examples in a set", TypeError, "sentences is set .*no order; give a list", start(sentences=set(TEXTS))),
    refused(
        "examples in a dict",
        ValueError,
        "there is no 'source' in .*; of a table, give the list",
        start(sentences={"sentence": TEXTS}),
    ),
    refused(
        "examples in a data frame",
        TypeError,
        "a table of columns; give one of them",
        start(sentences=pd.DataFrame({"s": TEXTS})),
    ),
    refused(
        "examples in a generator",
        TypeError,
        "sentences is a generator, which can be read only once; give a list",
        start(sentences=(text for text in TEXTS)),
    ),
    refused(
        "examples that are a number", TypeError, "sentences is int .*cannot be read one by one", start(sentences=5)
    ),
    refused("examples that are true", TypeError, "sentences is bool", start(sentences=True)),
    refused("examples in bytes", TypeError, "a list of sentences is needed, not one bytes", start(sentences=b"abc")),
    refused(
        "a stream with nothing in it",
        ValueError,
        "a stream .Nothing. that gives no example; see what its __iter__",
        start(sentences=Nothing()),
    ),
    refused(
        "an open file",
        TypeError,
        "which can be read only once|open file",
        lambda f: start(sentences=open(__file__, encoding="utf-8"))(f),
    ),
    refused(
        "a file that is not there", FileNotFoundError, "there is no file nowhere.txt", start(sentences="nowhere.txt")
    ),
    refused(
        "a folder for a file", ValueError, "is a folder; name one file in it", start(sentences=Path(__file__).parent)
    ),
    refused("an endless device", ValueError, "is a pipe, a socket or a device", start(sentences=Path("/dev/zero"))),
    refused("a blank source", ValueError, "source is blank", start(sentences=" ")),
    refused("a name misspelt", ValueError, "did you mean 'wikipedia-mini'", start(sentences="wikipedia_mini")),
    refused(
        "a .source of a list",
        ValueError,
        "given as a list, so they cannot be read again",
        start(sentences=data.Sentences(TEXTS).source),
    ),
    refused(
        "a triplet with two parts",
        ValueError,
        "triplet 8 has 2 parts .*; give .premise, entailment, contradiction.",
        start(sentences=[*THREE, ("a", "b")]),
    ),
    refused("a triplet with four parts", ValueError, "triplet 8 has 4 parts", start(sentences=[*THREE, tuple("abcd")])),
    refused(
        "a triplet with a blank part",
        ValueError,
        "triplet 8: part 1 is blank; .*or leave the triplet out",
        start(sentences=[*THREE, ("a", " ", "c")]),
    ),
    refused(
        "a triplet with a part missing",
        TypeError,
        "triplet 8: part 2 is NoneType",
        start(sentences=[*THREE, ("a", "b", None)]),
    ),
    refused("a sentence among triplets", TypeError, "triplet 8 is str", start(sentences=[*THREE, "a sentence"])),
    refused(
        "a triplet with a lone surrogate",
        ValueError,
        "triplet 8, part 0, holds .*half of a character",
        start(sentences=[*THREE, ("\ud800", "b", "c")]),
    ),
]

VALUES = [
    refused(
        "a rate in words", TypeError, "learning_rate='1e-4' is str; give a number from", start(learning_rate="1e-4")
    ),
    refused(
        "a rate of NaN", ValueError, "learning_rate=nan is out of range; give a number from", start(learning_rate=NAN)
    ),
    refused("a rate of 400 digits", ValueError, "learning_rate=1000.* is out of range", start(learning_rate=10**400)),
    refused(
        "a rate of 5,000 digits",
        ValueError,
        "learning_rate=an int of .* bits is out of range",
        start(learning_rate=10**5000),
    ),
    refused(
        "a batch of 5,000 digits",
        ValueError,
        "batch_size=an int of .* bits is out of range; give an int from 2 to 4096",
        start(batch_size=10**5000),
    ),
    refused(
        "a batch of a float", TypeError, "batch_size=64.0 is float; give an int from 2 to 4096", start(batch_size=64.0)
    ),
    refused(
        "a batch of numpy's float",
        TypeError,
        "batch_size=np.float64.* is float64; give an int",
        start(batch_size=np.float64(8)),
    ),
    refused("a batch true", TypeError, "batch_size=True is bool", start(batch_size=True)),
    refused("a batch in an array", TypeError, "batch_size=array.* is ndarray", start(batch_size=np.array([8]))),
    refused("a temperature of None", TypeError, "temperature=None is NoneType; give a number", start(temperature=None)),
    refused(
        "a temperature in a tensor", TypeError, "temperature=tensor.* is Tensor", start(temperature=torch.tensor(0.05))
    ),
    refused(
        "a pooling unknown",
        ValueError,
        r"pooling='median' is not known \(did you mean 'mean'\?\); give one of",
        start(pooling="median"),
    ),
    refused("a pooling of None", TypeError, "pooling=None is NoneType; give one of", start(pooling=None)),
    refused("a flag of 1", TypeError, "fixed_mask=1 is int; give True or False", start(fixed_mask=1)),
    refused("a flag in words", TypeError, "fixed_mask='no' is str", start(fixed_mask="no")),
    refused("a name unknown", TypeError, "called 'temprature' .did you mean 'temperature'", start(temprature=0.1)),
    refused(
        "a word with a lone surrogate",
        ValueError,
        "complementary holds .*half of a character",
        start(method="dclr", complementary="\ud800"),
    ),
]


@table(*COUNTS, *TOO_MANY, *SEEDS, *DEVICES, *PLACES, *METHODS, *EXAMPLES, *VALUES)
def test_it(case: Case, tmp_path: Path) -> None:
    """And nothing is written, neither where runs are kept nor where one works."""
    before = sorted(os.listdir())
    hold(case, tmp_path)
    assert not os.listdir(os.environ["CLWORK_RUNS"]) and sorted(os.listdir()) == before


NUMPY: dict[str, Any] = {
    "batch_size": np.int64(4),
    "learning_rate": np.float32(1e-4),
    "temperature": np.float64(0.1),
    "fixed_mask": np.False_,
    "schedule": np.str_("constant"),
    "clip": np.int64(1),
    "max_length": np.uint8(16),
}


def test_numpy_numbers_become_pythons_own() -> None:
    """So that they can be written as JSON and compared, in every field of every method."""
    made = make("simcse", **NUMPY)
    for name, value in dataclasses.asdict(made).items():
        assert type(value) in (int, float, bool, str), name
    assert json.loads(json.dumps(dataclasses.asdict(made)))["batch_size"] == 4
    for method in methods.names():
        for field in methods.fields(methods.get(method).Config):
            given = np.array(field.default)[()]
            assert isinstance(given, np.generic) and type(field.check(given)) is type(field.default)


def test_numpy_numbers_are_taken_by_a_run(tmp_path: Path) -> None:
    given: dict[str, Any] = {"eval_every": np.int32(1), "checkpoint_every": np.int64(5), "device": torch.device("cpu")}
    given |= NUMPY | {"sentences": np.array(TEXTS), "steps": np.int64(1), "seed": np.uint32(3)}
    run = clwork.start("simcse", folder=tmp_path / "run", **given).wait()
    stored = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run.status == "finished" and stored["seed"] == 3 and stored["steps"] == 1 and stored["device"] == "cpu"


def test_a_file_is_recorded_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a later change of the working directory does not matter."""
    (tmp_path / "x.txt").write_text("\n".join(TEXTS))
    monkeypatch.chdir(tmp_path)
    run = clwork.start("simcse", **(SHORT | {"sentences": "x.txt"}), folder=tmp_path / "run")
    monkeypatch.chdir("/")
    assert run.wait().status == "finished"
    assert run.recipe.sentences.name == str(tmp_path.resolve() / "x.txt")


@table(
    taken("Sentences are passed on", lambda _: (kept := data.Sentences(TEXTS)) is data.check_examples(kept)),
    taken("a stream is passed on unread", lambda _: isinstance(data.check_examples(Stream()), Stream)),
    taken("triplets in lists", lambda _: list(data.check_examples([list(row) for row in THREE])) == THREE),
    taken("triplets that were read", lambda _: len(data.check_examples(data.triplets())) == 240),
    taken("examples of a method's own", lambda _: data.check_examples([{"a": 1}, {"a": 2}]) == [{"a": 1}, {"a": 2}]),
    taken("tuples of a method's own", lambda _: data.check_examples([("c",), ("a", "b")]) == [("c",), ("a", "b")]),
    taken("a series of sentences", lambda _: list(data.check_examples(pd.Series(TEXTS))) == TEXTS),
    taken("a .source is not read", lambda _: data.check_examples({"source": "/no.txt"}) == {"source": "/no.txt"}),
)
def test_what_is_trained_on(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)
