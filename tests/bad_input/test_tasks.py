"""Bad STS pairs, transfer tasks and triplets, and bad settings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clwork import data, disk

from .table import Case, hold, refused, table, taken

NAN, INF = float("nan"), float("inf")
PAIR = {"sentence1": "A cat sleeps.", "sentence2": "A cat rests.", "score": 4.0}
pairs: Any = data.sts_pairs
Pairs: Any = data.StsPairs
task: Any = data.transfer_task
three: Any = data.triplets
read: Any = data.sentences


def write(path: Path, rows: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def sts(*rows: Any, name: str = "stsb/validation.jsonl", **more: Any) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        write(folder / name, rows)
        return pairs("stsb", source=folder, **more)

    return call


def row(**changes: Any) -> dict[str, Any]:
    return PAIR | changes


def made(**changes: Any) -> Callable[[Path], Any]:
    given = {"name": "own", "sentences1": ["a", "b"], "sentences2": ["c", "d"], "scores": [1.0, 2.0]}
    return lambda _: Pairs(**(given | changes))


def pipe(call: Callable[[Path], Any], name: str) -> Callable[[Path], Any]:
    def made_first(folder: Path) -> Any:
        (folder / name).parent.mkdir(parents=True)
        os.mkfifo(folder / name)
        return call(folder)

    return made_first


STS = [
    refused("no task", TypeError, "task is NoneType .*; give its name", lambda f: pairs(None, source=f)),
    refused("a task that is a list", TypeError, "task is list", lambda f: pairs(["stsb"], source=f)),
    refused("an unknown task", ValueError, "no STS task 'sts17'; there are stsb", lambda f: pairs("STS17", source=f)),
    refused("no split", TypeError, "split is NoneType", lambda f: pairs("stsb", None, f)),
    refused(
        "an unknown split",
        ValueError,
        "no split 'dev'; there are train, validation and test",
        lambda f: pairs("stsb", "dev", f),
    ),
    refused(
        "no source", TypeError, "source is NoneType .*; give 'hub' or a folder", lambda _: pairs("stsb", source=None)
    ),
    refused("rows as a source", TypeError, "source is list", lambda _: pairs("stsb", source=[PAIR])),
    refused(
        "a file as a source",
        FileNotFoundError,
        "is a file; name the folder",
        lambda f: pairs("stsb", source=write(f / "x.jsonl", [PAIR])),
    ),
    refused("the hub out of reach", ConnectionError, "the hub cannot be reached", lambda _: pairs("stsb")),
    refused(
        "a pipe",
        ValueError,
        "validation.jsonl is a pipe",
        pipe(lambda f: pairs("stsb", source=f), "stsb/validation.jsonl"),
    ),
    refused(
        "a blank sentence",
        ValueError,
        "row 2: 'sentence1' is blank; fill it, or leave the row out",
        sts(PAIR, row(sentence1=" ")),
    ),
    refused("a missing sentence", ValueError, "row 2: 'sentence2' is missing; fill it", sts(PAIR, row(sentence2=None))),
    refused("a number for a sentence", ValueError, "column 'sentence1' holds int", sts(row(sentence1=4))),
    refused("a lone surrogate", ValueError, "row 1 holds .*half of a character", sts(row(sentence1="\ud800"))),
    refused(
        "infinite gold",
        ValueError,
        "row 2: the score is inf; it must be a number from 0 to 5",
        sts(PAIR, row(score=INF)),
    ),
    refused("gold that is NaN", ValueError, "row 1: the score is nan", sts(row(score=NAN))),
    refused(
        "gold of 400 digits",
        ValueError,
        "row 1: the score is 9999.*…; it must be a number",
        sts('{"sentence1": "a", "sentence2": "b", "score": ' + "9" * 400 + "}\n"),
    ),
    refused(
        "gold of 5,000 digits",
        ValueError,
        "line 1 is not JSON .*4300 digits",
        sts('{"sentence1": "a", "sentence2": "b", "score": ' + "9" * 5000 + "}\n"),
    ),
    refused("gold in words", ValueError, "the score is '4.0'; it must be a number", sts(row(score="4.0"))),
    refused("gold that is true", ValueError, "the score is True", sts(row(score=True))),
    refused("gold below 0", ValueError, "the score -0.5 is outside 0…5; rescale", sts(row(score=-0.5))),
    refused("no gold at all", ValueError, "holds no scored pair; check how it was written", sts(row(score=None))),
    refused(
        "other columns",
        ValueError,
        "row 1: no score; the columns are",
        sts({"sentence1": "a", "sentence2": "b", "label": 1}),
    ),
    refused("deep brackets", ValueError, "line 2 is not JSON", sts(PAIR, "[" * 100_000 + "\n")),
    refused("an empty file", ValueError, "is empty", sts()),
    taken("no pair above 4", sts(*[row(score=k % 5) for k in range(9)]), lambda found: max(found.scores) == 4.0),
    refused(
        "pairs by hand with None",
        TypeError,
        "sentences1, row 1: None is NoneType; every sentence must be a str",
        made(sentences1=["a", None]),
    ),
    refused(
        "pairs by hand with infinite gold",
        ValueError,
        "scores, row 0: inf is no finite number; leave the pair out",
        made(scores=[INF, 1.0]),
    ),
    refused(
        "pairs by hand with gold in words",
        ValueError,
        "scores, row 1: '2' is no finite number",
        made(scores=[1.0, "2"]),
    ),
    refused(
        "pairs by hand with gold of 5,000 digits",
        ValueError,
        "scores, row 0: an int of .* bits is no finite",
        made(scores=[10**5000, 1.0]),
    ),
    refused(
        "pairs by hand of unequal length", ValueError, r"have different lengths .\[2, 3\]", made(scores=[1.0, 2.0, 3.0])
    ),
    taken("pairs by hand without gold", made(scores=[None, NAN]), lambda found: len(found) == 2),
    taken("pairs by hand with a blank sentence", made(sentences1=["", "b"]), lambda found: len(found) == 2),
    taken("pairs by hand with numpy's gold", made(scores=np.array([1, 2])), lambda found: len(found) == 2),
]

LABELLED = [{"text": f"text {k}", "label": k % 2} for k in range(40)]


def mr(*rows: Any) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        write(folder / "mr" / "all.jsonl", [*LABELLED, *rows])
        return task("mr", folder)

    return call


TRANSFER = [
    refused(
        "no transfer task", TypeError, "task is NoneType .*; give its name, one of mr, cr", lambda f: task(None, f)
    ),
    refused("a transfer task that is a list", TypeError, "task is list", lambda f: task(["mr"], f)),
    refused("a transfer task from None", TypeError, "source is NoneType", lambda _: task("mr", None)),
    refused(
        "a seed below 0", ValueError, "seed=-1 is out of range; give an int from 0", lambda f: task("wos", f, seed=-1)
    ),
    refused("a seed that is half", TypeError, "seed=0.5 is float; give an int", lambda f: task("wos", f, seed=0.5)),
    refused("a transfer text that is blank", ValueError, "row 41: 'text' is blank", mr({"text": "", "label": 0})),
    refused("a transfer text that is None", ValueError, "row 41: 'text' is missing", mr({"text": None, "label": 0})),
    refused(
        "a label that is NaN",
        ValueError,
        "row 41: the label is nan; it must name a class",
        mr({"text": "a", "label": NAN}),
    ),
    refused(
        "a label that is true", ValueError, "the label is True; it must name a class", mr({"text": "a", "label": True})
    ),
    refused("a label that is None", ValueError, "the label is None", mr({"text": "a", "label": None})),
    refused("a label that is hidden", ValueError, "the label is -1", mr({"text": "a", "label": -1})),
    refused("a label that is a list", ValueError, r"the label is \[1\]", mr({"text": "a", "label": [1]})),
    refused(
        "a third class of two",
        ValueError,
        "mr has 2 classes.*get another before scoring",
        mr({"text": "a", "label": 2}),
    ),
    refused("a pipe for a task", ValueError, "all.jsonl is a pipe", pipe(lambda f: task("mr", f), "mr/all.jsonl")),
    refused("tasks in a number", TypeError, "root is int .*; give a folder", lambda _: data.transfer_tasks_in(3)),  # type: ignore[arg-type]
]

ROW = {"premise": "a", "entailment": "b", "contradiction": "c"}


def rows(*found: Any) -> Callable[[Path], Any]:
    return lambda folder: three(write(folder / "x.jsonl", found))


TRIPLETS = [
    refused(
        "no name of triplets",
        TypeError,
        "source is NoneType .*; give 'handwritten', 'hub' or a path",
        lambda _: three(None),
    ),
    refused("a name misspelt", FileNotFoundError, "there is no file handwriten", lambda _: three("handwriten")),
    refused(
        "only incomplete triplets",
        ValueError,
        "holds no complete triplet; check how",
        rows(ROW | {"contradiction": None}),
    ),
    refused(
        "a column missing later",
        ValueError,
        "row 2: no contradiction; the columns are premise, entailment",
        rows(ROW, {"premise": "a", "entailment": "b"}),
    ),
    refused(
        "other columns for triplets", ValueError, "'a', 'b'; triplets need one of: premise", rows({"a": 1, "b": 2})
    ),
    refused("a number in a triplet", ValueError, "column 'entailment' holds int", rows(ROW | {"entailment": 5})),
    refused("a column twice", ValueError, "the name 'premise' comes twice", rows('{"premise": "a", "premise": "b"}\n')),
    taken("rows with a blank cell are left out", rows(ROW, ROW | {"premise": " "}), lambda found: len(found) == 1),
    taken("triplets are read again by their source", lambda _: read(three()[5:9].source) == list(three())[5:9]),
    taken(
        "triplets have a fingerprint",
        lambda _: len({three().fingerprint(), three()[1:].fingerprint(), three()[::-1].fingerprint()}) == 3,
    ),
]


@table(*STS, *TRANSFER, *TRIPLETS)
@pytest.mark.filterwarnings("ignore:.*scored pairs where", "ignore:.*rows where")
def test_it(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)


def home(content: str | None) -> Path:
    path = disk.home() / "settings.json"
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is None:
        os.mkfifo(path)
    else:
        path.write_text(content)
    return path


SETTINGS = [
    refused(
        "a number for a folder",
        TypeError,
        "folder is int .*; give its path, or None",
        lambda _: data.remember_sts(3),  # type: ignore[arg-type]
    ),
    refused(
        "a file for a folder",
        FileNotFoundError,
        "is a file; name the folder",
        lambda f: data.remember_sts(write(f / "x.jsonl", [PAIR])),
    ),
    refused("nobody's home", ValueError, "names the home of a user", lambda _: data.remember_sts("~nobody-here/sts")),
    taken("settings that are a pipe", lambda _: (home(None), data.sts_folder())[1], lambda found: found is None),
    taken(
        "settings of deep brackets", lambda _: (home("[" * 100_000), data.sts_folder())[1], lambda found: found is None
    ),
    taken(
        "settings of 5,000 digits",
        lambda _: (home('{"sts_folder": ' + "9" * 5000 + "}"), data.sts_folder())[1],
        lambda found: found is None,
    ),
    taken("settings that are a list", lambda _: (home("[1]"), data.sts_folder())[1], lambda found: found is None),
    taken(
        "a remembered number", lambda _: (home('{"sts_folder": 5}'), data.sts_folder())[1], lambda found: found is None
    ),
    taken(
        "a remembered nobody",
        lambda _: (home('{"sts_folder": "~nobody-here/x"}'), data.sts_folder())[1],
        lambda found: found is None,
    ),
]


@table(*SETTINGS)
@pytest.mark.filterwarnings("ignore:the settings in", "ignore:the remembered STS folder")
def test_settings(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)
