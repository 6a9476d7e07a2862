"""A run's folder from somebody else: nothing outside of it is read into it, written, replaced or copied."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
import clwork.training.disk.folder
from clwork import lab, methods
from clwork.disk import is_plain_file
from clwork.methods import MethodConfig, hyper
from clwork.training import RunFolder, stored_runs
from clwork.training.disk import tensors as tensor_files
from clwork.training.disk.recipe import FORMAT
from clwork.training.forces import frozen_step

from ..encoders.conftest import write_tiny
from ..lab.instrument.client import Client
from ..runs import stop_at
from ..sts import write as write_sts
from .conftest import SHORT

pytestmark = pytest.mark.usefixtures("nothing_hangs")

SECRET = "-----BEGIN A KEY THAT IS NOBODY'S BUSINESS-----"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was stopped half-way; every test spoils a copy, so it is a small one: of the mini all fill a disk."""
    place = tmp_path_factory.mktemp("good")
    corpus = clwork.data.sentences("wikipedia-mini")[:160]
    tiny = clwork.load_encoder(write_tiny(place / "tiny"), device="cpu")
    run = clwork.start("simcse", sentences=list(corpus), steps=4, folder=place / "run", **(SHORT | {"encoder": tiny}))
    return stop_at(run, 2).folder


Spoil = Callable[[Path, Path], None]


def link(name: str, folder: bool = False) -> Spoil:
    def spoil(run: Path, outside: Path) -> None:
        target = outside / "folder" if folder else outside / "secret"
        if (run / name).is_dir():
            shutil.rmtree(run / name)
        (run / name).unlink(missing_ok=True)
        (run / name).symlink_to(target)

    return spoil


def special(name: str) -> Spoil:
    def spoil(run: Path, _: Path) -> None:
        (run / name).unlink(missing_ok=True)
        os.mkfifo(run / name)

    return spoil


def endless(name: str) -> Spoil:
    def spoil(run: Path, _: Path) -> None:
        (run / name).unlink(missing_ok=True)
        (run / name).symlink_to("/dev/zero")

    return spoil


def directory(name: str) -> Spoil:
    def spoil(run: Path, _: Path) -> None:
        (run / name).unlink(missing_ok=True)
        (run / name).mkdir()

    return spoil


def text(name: str, content: str) -> Spoil:
    def spoil(run: Path, _: Path) -> None:
        (run / name).write_text(content)

    return spoil


def alone(spoil: Spoil) -> Spoil:
    """The same where there is no earlier checkpoint to fall back on."""

    def both(run: Path, outside: Path) -> None:
        (run / "checkpoint.earlier.safetensors").unlink()
        spoil(run, outside)

    return both


def recipe(**values: Any) -> Spoil:
    def spoil(run: Path, outside: Path) -> None:
        stored = json.loads((run / "run.json").read_text())
        told = {k: v(outside) if callable(v) else v for k, v in values.items()}
        (run / "run.json").write_text(json.dumps(stored | told))

    return spoil


def checkpoint(**values: Any) -> Spoil:
    def spoil(run: Path, _: Path) -> None:
        files = RunFolder(run)
        tensors, meta = files.checkpoints.read()
        (run / "checkpoint.earlier.safetensors").unlink(missing_ok=True)
        tensor_files.write_state(run / "checkpoint.safetensors", tensors, meta.model_dump() | values)

    return spoil


def no_fingerprint(**values: Any) -> Spoil:
    return recipe(fingerprints={}, **values)


def config(**values: Any) -> Spoil:
    def spoil(run: Path, _: Path) -> None:
        stored = json.loads((run / "run.json").read_text())
        stored["config"] |= values
        (run / "run.json").write_text(json.dumps(stored))

    return spoil


def sparse(name: str, size: int) -> Spoil:
    """A file of zeros that takes no room on the disk."""

    def spoil(run: Path, _: Path) -> None:
        (run / name).unlink(missing_ok=True)
        with open(run / name, "wb") as file:
            file.truncate(size)

    return spoil


def header(size: int) -> Spoil:
    """A checkpoint whose header alone is so long."""

    def spoil(run: Path, _: Path) -> None:
        told = b'{"__metadata__": {"clwork": "' + b" " * size + b'"}}'
        (run / "checkpoint.safetensors").write_bytes(len(told).to_bytes(8, "little") + told)

    return spoil


def row(**values: Any) -> str:
    return json.dumps({"step": 0, **values}) + "\n"


SEEN = {"texts": ["a"], "labels": None, "pairs": [], "positives": "none", "step": 2}
DEEP = "[" * 100_000
LONG = "9" * 5_000
UNREADABLE: dict[str, Spoil] = {  # not shown as a run: a line on the desk, and an error on resume
    "recipe is a link": link("run.json"),
    "recipe is a fifo": special("run.json"),
    "recipe is endless": endless("run.json"),
    "recipe is a folder": directory("run.json"),
    "recipe is empty": text("run.json", ""),
    "recipe is a list": text("run.json", "[]"),
    "recipe is deep": text("run.json", DEEP),
    "recipe has a long number": text("run.json", '{"format": ' + LONG + "}"),
    "recipe has another field": recipe(more=1),
    "recipe of a later format": recipe(format=FORMAT + 1),
    "recipe's format is a text": recipe(format="2"),
    "recipe's steps are a text": recipe(steps="4"),
    "recipe's steps are huge": recipe(steps=10**12),
    "recipe's steps are none": recipe(steps=0),
    "recipe's config is nested": recipe(config={"temperature": {"a": 1}}),
    "recipe's precision is a name in torch": recipe(precision="load"),
    "recipe's name is very long": recipe(name="x" * 100_000),
    "recipe's seed has 39 digits": recipe(seed=int("9" * 39)),
    "recipe's config has 60,000 names": config(**{f"k{number}": 0 for number in range(60_000)}),
    "recipe has 40,000 fingerprints": recipe(fingerprints={f"k{number}": "" for number in range(40_000)}),
    "recipe is sparse": sparse("run.json", 1 << 31),
    "record is sparse": sparse("record.jsonl", 1_900_000_000),
    "record has three million lines": text("record.jsonl", "\n" * 3_000_000),
}
REFUSED: dict[str, Spoil] = {  # shown, for its recipe can be read, but not resumed
    "checkpoint is a link": alone(link("checkpoint.safetensors")),
    "checkpoint is a fifo": alone(special("checkpoint.safetensors")),
    "checkpoint is endless": alone(endless("checkpoint.safetensors")),
    "checkpoint is a folder": alone(directory("checkpoint.safetensors")),
    "checkpoint's header is 20 MB": alone(header(20_000_000)),
    "texts are one line without an end": sparse("sentences.jsonl", 1_900_000_000),
    "checkpoint is text": alone(text("checkpoint.safetensors", SECRET)),
    "lock is a link": link("run.lock"),
    "lock is a fifo": special("run.lock"),
    "texts are a link": link("sentences.jsonl"),
    "texts are a fifo": special("sentences.jsonl"),
    "texts are endless": endless("sentences.jsonl"),
    "texts are deep": text("sentences.jsonl", DEEP),
    "texts are others": text("sentences.jsonl", '{"example": "one"}\n' * 20),
    "texts lack examples": text("sentences.jsonl", '{"text": "one"}\n' * 20),
    "corpus names a system file": no_fingerprint(sentences={"source": {"source": "/etc/passwd"}}),
    "corpus names a system file, with a fingerprint": recipe(sentences={"source": {"source": "/etc/passwd"}}),
    "corpus names a file beside": no_fingerprint(sentences=lambda outside: {"source": str(outside / "secret")}),
    "encoder names a folder": no_fingerprint(encoder=lambda outside: str(outside / "folder")),
    "encoder names a folder, with a fingerprint": recipe(encoder=lambda outside: str(outside / "folder")),
    "word vectors name a system file": no_fingerprint(encoder="textcnn:/etc/passwd"),
    "checkpoint's temperature is negative": checkpoint(config={"temperature": -1.0}),
    "checkpoint's step is huge": checkpoint(step=10**9),
    "checkpoint's step is beyond the end": checkpoint(step=5),
    "checkpoint's step is a text": checkpoint(step="<b>2</b>"),
    "checkpoint's best is a text": checkpoint(best={"step": "<img src=x onerror=1>", "score": 1.0, "rule": ""}),
    "checkpoint's seconds are endless": checkpoint(seconds=-1.0),
    "checkpoint has another field": checkpoint(more=1),
    "checkpoint's probe is a text": checkpoint(probe="<img src=x onerror=1>"),
    "checkpoint's probe has no sentence": checkpoint(probe=SEEN | {"texts": []}),
    "checkpoint's probe has a million sentences": checkpoint(probe=SEEN | {"texts": ["a"] * 10**6}),
    "checkpoint's probe has a sentence without end": checkpoint(probe=SEEN | {"texts": ["a" * 10**6]}),
    "checkpoint's probe has a label too many": checkpoint(probe=SEEN | {"labels": ["a", "b"]}),
    "checkpoint's probe has a label that is a list": checkpoint(probe=SEEN | {"labels": [["a"]]}),
    "checkpoint's probe has a pair of three": checkpoint(probe=SEEN | {"pairs": [["a", "b", "c"]]}),
    "checkpoint's probe has another field": checkpoint(probe=SEEN | {"more": 1}),
    "checkpoint's probe is of no step": checkpoint(probe=SEEN | {"step": -1}),
    "checkpoint's references are a list": checkpoint(references=[1.0]),
    "checkpoint's reference is a text": checkpoint(references={"log N": "<b>"}),
    "checkpoint's references are many": checkpoint(references={str(n): 1.0 for n in range(1000)}),
    "checkpoint's reference has a long name": checkpoint(references={"x" * 1000: 1.0}),
    "start's note is deep": text("start/clwork.json", DEEP),
    "config has an unknown name": config(nonsense=1),
    "config is out of range": config(temperature=-1.0),
    "batch is huge": config(batch_size=10**9),
}
HARMLESS: dict[str, Spoil] = {  # as if it were not there
    "checkpoint's probe is another's": checkpoint(probe=SEEN),
    "record is a link": link("record.jsonl"),
    "record is deep": text("record.jsonl", DEEP),
    "record's step is a text": text("record.jsonl", '{"step": "<b>1</b>"}\n'),
    "record holds markup": text("record.jsonl", '{"step": 0, "event": "<img src=x onerror=alert(1)>"}\n'),
    "record's event is of no kind": text("record.jsonl", '{"step": 0, "events": [{"sold": 1}]}\n'),
    "record's event is of two": text("record.jsonl", '{"step": 0, "events": [{"paused": 1.0, "resumed": 1}]}\n'),
    "record's event has no value": text("record.jsonl", '{"step": 0, "events": [{"moved": {"temperature": [1.0]}}]}\n'),
    "record has a number of 400 digits": text("record.jsonl", '{"step": 0, "loss": ' + "9" * 400 + "}\n"),
    "record's event has a number of 400 digits": text("record.jsonl", row(events=[{"moved": {"a": [1, 10**400]}}])),
    "record has 100,000 events in a row": text("record.jsonl", row(events=[{"paused": 1.0}] * 100_000)),
    "record has 100,000 columns": text("record.jsonl", row(**{f"c{number}": 1.0 for number in range(100_000)})),
    "record has ever new columns": text("record.jsonl", "".join(row(**{f"c{n}": 1.0}) for n in range(10_000))),
    "record is one line without an end": sparse("record.jsonl", 40_000_000),
    "positions are sparse": sparse("positions.jsonl", 8_000_000),
    "state is sparse": sparse("state.json", 1 << 21),
    "positions are a link": link("positions.jsonl"),
    "positions are a fifo": special("positions.jsonl"),
    "positions are endless": endless("positions.jsonl"),
    "positions are deep": text("positions.jsonl", DEEP),
    "positions are none": text("positions.jsonl", '{"format": 1}\n'),
    "state is a link": link("state.json"),
    "state is a fifo": special("state.json"),
    "state is deep": text("state.json", DEEP),
    "draft of the record is a link": link("record.jsonl.partial"),
    "encoder is a link": link("encoder", folder=True),
    "best is a link": link("best", folder=True),
    "best of a step is a link": link("best-000002", folder=True),
    "a further link": link("key"),
}


@pytest.fixture
def place(good: Path, tmp_path: Path) -> Path:
    """A folder of runs with a copy of the good one, and something outside that nobody may touch."""
    shutil.copytree(good, tmp_path / "runs" / "strange")
    shutil.copytree(good, tmp_path / "runs" / "other")
    (tmp_path / "outside" / "folder").mkdir(parents=True)
    (tmp_path / "outside" / "secret").write_text(SECRET)
    (tmp_path / "outside" / "folder" / "config.json").write_text(SECRET)
    return tmp_path


def untouched(place: Path) -> bool:
    outside = place / "outside"
    names = sorted(str(path.relative_to(outside)) for path in outside.rglob("*"))
    same = [(outside / name).read_text() == SECRET for name in ("secret", "folder/config.json")]
    copied = [path for path in place.rglob("*") if path.is_file() and not path.is_relative_to(outside)]
    copied = [path for path in copied if path.stat().st_size < 1 << 24]  # larger ones are sparse
    leaked = [path for path in copied if not path.is_symlink() and SECRET.encode() in path.read_bytes()]
    return names == ["folder", "folder/config.json", "secret"] and all(same) and not leaked


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_recipe_that_cannot_be_read_is_a_line_on_the_desk(kind: str, place: Path) -> None:
    strange = place / "runs" / "strange"
    UNREADABLE[kind](strange, place / "outside")
    found, trouble = stored_runs(place / "runs")
    assert [run.folder.name for run in found] == ["other"]
    assert len(trouble) == 1 and trouble[0].startswith("strange cannot be read") and len(trouble[0]) < 500
    assert lab.desk(place / "runs")._page().count("scope='row'>run") == 1
    with pytest.raises((OSError, ValueError)):
        clwork.resume(strange)
    assert untouched(place)


def test_a_folder_of_very_many_files_is_a_line_on_the_desk(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clwork.training.disk.folder, "MOST_FILES", 100)  # 30,000 take a while to be made
    (place / "runs" / "strange" / "more").mkdir()
    for number in range(100):
        (place / "runs" / "strange" / "more" / str(number)).symlink_to("/dev/null")
    desk = lab.desk(place / "runs")
    assert [run.folder.name for run in desk.runs] == ["other"]
    assert "strange holds more than 100 files, the most that are looked at" in desk.sentence
    with pytest.raises(ValueError, match="holds more than 100 files"):
        clwork.resume(place / "runs" / "strange")


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_not_as_it_should_be_is_not_resumed(kind: str, place: Path) -> None:
    strange = place / "runs" / "strange"
    REFUSED[kind](strange, place / "outside")
    if not kind.endswith("text"):  # else the secret is in the run itself
        assert untouched(place)
    assert len(lab.desk(place / "runs").runs) == 2
    with pytest.raises((OSError, ValueError)) as raised:
        clwork.resume(strange)
    assert "root:" not in str(raised.value) and SECRET not in str(raised.value)
    if kind != "checkpoint is text":
        assert untouched(place)


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_leads_outside_is_as_if_it_were_not_there(kind: str, place: Path) -> None:
    strange = place / "runs" / "strange"
    HARMLESS[kind](strange, place / "outside")
    desk = lab.desk(place / "runs")
    assert {run.folder.name for run in desk.runs} == {"strange", "other"}
    assert "<img onerror" not in desk._page() and "<img src=x" not in desk._page() + desk.sentence
    RunFolder(strange).copy_to(place / "copy", "stopped")
    assert not [path for path in (place / "copy").rglob("*") if path.is_symlink()]
    try:
        assert clwork.resume(strange).status == "finished"
    except OSError as error:
        assert "is a link" in str(error) or "links" in str(error)
    assert untouched(place)


VECTORS: dict[str, Callable[[int], torch.Tensor | None]] = {
    "missing": lambda _: None,
    "too few": lambda count: torch.zeros(count - 1, 16),
    "of another kind": lambda count: torch.zeros(count, 16, dtype=torch.int32),
    "in three dimensions": lambda count: torch.zeros(count, 4, 4),
    "one number": lambda _: torch.zeros(()),
    "NaN": lambda count: torch.full((count, 16), float("nan")),
    "too many": lambda count: torch.zeros(count, (1 << 24) // count + 1),
}


@pytest.mark.parametrize("kind", VECTORS)
def test_vectors_of_a_strangers_probe_fit_or_the_run_is_not_shown(kind: str, place: Path) -> None:
    strange = place / "runs" / "strange"
    files = RunFolder(strange)
    tensors, meta = files.checkpoints.read()
    (strange / "checkpoint.earlier.safetensors").unlink()
    spoilt = {name: tensor for name, tensor in tensors.items() if name != "probe.vectors"}
    assert meta.probe is not None
    if (vectors := VECTORS[kind](len(meta.probe.texts))) is not None:
        spoilt["probe.vectors"] = vectors
    tensor_files.write_state(strange / "checkpoint.safetensors", spoilt, meta.model_dump())
    with pytest.raises(ValueError, match=r"damaged: (it holds no finite vector|probe\.vectors has the shape)"):
        clwork.open_run(strange).as_run()
    shown = clwork.open_run(place / "runs" / "other").as_run()
    assert shown.probe is not None and shown.status == "stopped", "the guard: a good one is"


# --- what a recipe names outside its folder ---------------------------------------------------------------------

MADE_UP = "0" * 32  # where a fingerprint of the named file should be, which a stranger cannot know


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of DCLR that was stopped half-way; its judge is found before the first step."""
    place = tmp_path_factory.mktemp("judged")
    corpus = clwork.data.sentences("wikipedia-mini")[:160]
    tiny = clwork.load_encoder(write_tiny(place / "tiny"), device="cpu")
    settings = SHORT | {"encoder": tiny, "complementary_steps": 0}
    run = clwork.start("dclr", sentences=list(corpus), steps=4, folder=place / "run", **settings)
    return stop_at(run, 2).folder


@pytest.fixture
def outside(judged: Path, tmp_path: Path) -> Path:
    """A corpus, a table, STS data and an encoder of the reader's, all of which tell SECRET, beside a run."""
    shutil.copytree(judged, tmp_path / "runs" / "judged")
    place = tmp_path / "outside"
    write_sts(place / "sts", ("stsb",), pairs=12)
    pairs = place / "sts" / "stsb" / "validation.jsonl"
    pairs.write_text(pairs.read_text().replace('"sentence1": "', f'"sentence1": "{SECRET} '))
    (place / "secret.txt").write_text("".join(f"{SECRET} number {n}\n" for n in range(40)))
    (place / "secret.csv").write_text(f"{SECRET},password\n1,2\n")
    encoder = write_tiny(place / "encoder", seed=3)
    for path in encoder.glob("*.json"):
        path.write_text(path.read_text().replace('"##ther"', json.dumps(SECRET)))
    return place


def leaked(runs: Path) -> list[Path]:
    """The files of runs that hold what lies outside, also as JSON has it."""
    told = (SECRET.encode(), json.dumps(SECRET)[1:-1].encode())
    own = [path for path in runs.rglob("*") if is_plain_file(path)]
    return [path for path in own if any(word in path.read_bytes() for word in told)]


def corpus_of(name: Callable[[Path], str]) -> Callable[[Path], dict[str, Any]]:
    return lambda outside: {"sentences": {"source": {"source": name(outside)}}}


NAMES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "STS data": lambda outside: {"sts": str(outside / "sts")},
    "the encoder of a hyperparameter": lambda outside: {"complementary": str(outside / "encoder")},
    "a corpus": corpus_of(lambda outside: str(outside / "secret.txt")),
    "a corpus by a way out": corpus_of(lambda outside: f"{outside.parent}/runs/judged/../../outside/secret.txt"),
    "a corpus by a link inside": corpus_of(lambda outside: f"{outside.parent}/runs/judged/linked.txt"),
    "a corpus by a relative name": corpus_of(lambda outside: os.path.relpath(outside / "secret.txt")),
    "a column of a table": corpus_of(lambda outside: str(outside / "secret.csv")),
    "a corpus without more": lambda outside: {"sentences": {"source": str(outside / "secret.txt")}},
    "an encoder": lambda outside: {"encoder": str(outside / "encoder")},
    "an encoder by a way out": lambda outside: {"encoder": f"{outside.parent}/runs/judged/../../outside/encoder"},
    "an encoder by a link in its place": lambda _: {"encoder": "./start"},
}
TAKE_UP: dict[str, Callable[[Path], Any]] = {
    "resume": clwork.resume,
    "replay": clwork.replay,
    "fork": lambda run: clwork.open_run(run).as_run().fork(2).wait(),
    "fork anew": lambda run: clwork.open_run(run).as_run().fork(0, batch_size=6).wait(),
    "its raw encoder": lambda run: clwork.open_run(run).raw_encoder(),
    "its next step": lambda run: frozen_step.freeze_step(clwork.open_run(run)),
}


def name_outside(run: Path, outside: Path, named: dict[str, Any], fingerprint: str) -> None:
    """Let the run's recipe name these, with such a fingerprint for each, or with none."""
    stored = json.loads((run / "run.json").read_text())
    stored["config"] |= {what: value for what, value in named.items() if what in stored["config"]}
    stored |= {what: value for what, value in named.items() if what in stored}
    stored["fingerprints"] = {what: fingerprint for what in named} if fingerprint else {}
    (run / "run.json").write_text(json.dumps(stored))
    checkpoint(config=stored["config"])(run, outside)
    shutil.rmtree(run / "complementary")
    (run / "linked.txt").symlink_to(outside / "secret.txt")
    if named.get("encoder") == "./start":
        shutil.rmtree(run / "start")
        (run / "start").symlink_to(outside / "encoder")


WAYS = [pytest.param(way, "", id=way) for way in TAKE_UP]
WAYS += [pytest.param(way, MADE_UP, id=f"{way}, made up") for way in ("resume", "replay")]


@pytest.mark.filterwarnings("ignore:.*scored pairs")
@pytest.mark.parametrize(("way", "fingerprint"), WAYS)
@pytest.mark.parametrize("kind", NAMES)
def test_what_a_recipe_names_outside_does_not_come_into_a_run(
    kind: str, way: str, fingerprint: str, outside: Path
) -> None:
    run, named = outside.parent / "runs" / "judged", NAMES[kind](outside)
    name_outside(run, outside, named, fingerprint)
    before = sorted(path for path in run.rglob("*"))
    if way == "its raw encoder" and "encoder" not in named:
        assert TAKE_UP[way](run) is not None, "nothing else is read for it"
    else:
        with pytest.raises((OSError, ValueError)) as raised:
            TAKE_UP[way](run)
        assert SECRET not in str(raised.value)
    assert not leaked(outside.parent / "runs")
    assert [path for path in run.rglob("*") if path not in before and path.name not in ("state.json", "run.lock")] == []


def test_what_the_reader_vouches_for_is_read(outside: Path) -> None:
    run = outside.parent / "runs" / "judged"
    named = {"sts": str(outside / "sts"), "complementary": str(outside / "encoder")}
    name_outside(run, outside, named, "")
    with pytest.raises(TypeError, match="accept_changes='no' is str; give True or False"):
        clwork.resume(run, accept_changes="no")  # type: ignore[arg-type]
    assert not leaked(run)
    with pytest.warns(UserWarning, match="scored pairs"), pytest.raises(ValueError, match="another frozen copy"):
        clwork.resume(run, accept_changes=True)  # it is another judge than the checkpoint's
    assert leaked(run), "the guard: what is refused elsewhere would have come into the folder"


def test_a_stream_that_tells_no_fingerprint_is_not_read(outside: Path) -> None:
    """What a stream of the hub writes down for its fingerprint is none that could be compared."""
    run, named = outside.parent / "runs" / "judged", NAMES["a corpus"](outside)
    name_outside(run, outside, named, "None")
    with pytest.raises(clwork.training.ChangedError, match="no fingerprint of it; if you know it, resume with accept"):
        clwork.resume(run)


@pytest.mark.filterwarnings("ignore:.*scored pairs")
def test_a_run_of_ones_own_tells_what_it_names_and_goes_on(outside: Path) -> None:
    judge = write_tiny(outside / "judge", seed=5)
    named: dict[str, Any] = {"sts": outside / "sts", "complementary": str(judge)}
    corpus = clwork.data.sentences("wikipedia-mini")[:160]
    run = clwork.start("dclr", sentences=corpus, steps=4, **(SHORT | {"encoder": str(outside / "encoder")}), **named)
    stop_at(run, 2)
    told = json.loads((run.folder / "run.json").read_text())["fingerprints"]
    assert told.keys() == {"encoder", "sentences", "sts", "complementary"}
    shutil.rmtree(run.folder / "complementary")
    copy = run.save(outside / "copy")
    fork = run.fork(0, batch_size=6).wait()
    assert fork.status == clwork.resume(run.folder).status == "finished", "the judge is found again, and is the same"
    write_tiny(judge, seed=6)
    with pytest.raises(clwork.training.ChangedError, match="complementary is no longer what"):
        clwork.resume(copy)
    (outside / "sts" / "stsb" / "validation.jsonl").write_text(
        '{"sentence1": "One.", "sentence2": "Two.", "score": 1.0}\n'
    )
    with pytest.raises(clwork.training.ChangedError, match="sts is no longer what"):
        clwork.resume(copy)


@dataclass(kw_only=True)
class WordsConfig(MethodConfig):
    file: str = hyper("", "A file of words; nobody said what it names.")
    prompt: str = hyper("", "Words before each sentence.", names="nothing")


@pytest.mark.parametrize("named", ["file", "prompt"])
def test_a_free_text_of_a_method_of_ones_own_may_name_a_file(named: str, tmp_path: Path) -> None:
    """A sixth method need not remember: what is not said to name nothing is not taken from a stranger."""

    class Words(methods.get("simcse")):  # type: ignore[misc]
        name, Config = (
            "words",
            dataclasses.make_dataclass("Both", [], bases=(WordsConfig, methods.get("simcse").Config), kw_only=True),
        )

    methods.register(Words)
    try:
        run = clwork.start("words", steps=4, folder=tmp_path / "run", **SHORT | {named: "/etc/hostname"})
        stop_at(run, 2)
        if named == "prompt":
            assert clwork.resume(run.folder).status == "finished"
            return
        stored = json.loads((run.folder / "run.json").read_text())
        stored["fingerprints"]["file"] = MADE_UP
        (run.folder / "run.json").write_text(json.dumps(stored))
        with pytest.raises(clwork.training.ChangedError, match="names '/etc/hostname' for its file"):
            clwork.resume(run.folder)
        assert clwork.resume(run.folder, accept_changes=True).status == "finished"
    finally:
        methods.base.REGISTERED.pop("words")


# --- text from a folder stays text --------------------------------------------------------------------------------

MARKUP = "<img src=x onerror=alert(1)>\x01 $x$ %{y}"


def test_names_of_a_strangers_run_are_text_on_the_desk(place: Path) -> None:
    strange = place / "runs" / "strange"
    recipe(name=MARKUP)(strange, place)
    told = {"<img src=x>": 1.0, "loss": 1.0, "events": [{"replayed": MARKUP}]}
    (strange / "record.jsonl").write_text("".join(json.dumps({"step": n, **told}) + "\n" for n in range(3)))
    shutil.copytree(strange, os.fsdecode(os.fsencode(place / "runs") + b"/\xff"))  # a name that is no text at all
    desk = lab.desk(place / "runs")
    assert len(desk.runs) == 2 and "the name of its folder holds what no page can show; rename it" in desk.sentence
    desk.view.look(["<img src=x>"], extra="<img src=x>")
    figure = json.dumps(json.loads(desk.figure().to_json()), ensure_ascii=False)
    assert "&lt;img" in figure and "<img src=x" not in figure + desk._page()
    for page in (figure, desk.sentence, desk._page(), json.dumps(desk._news({}), default=repr)):
        page.encode("utf-8")


def test_texts_of_a_strangers_probe_can_be_shown(place: Path) -> None:
    strange = place / "runs" / "strange"
    _, meta = RunFolder(strange).checkpoints.read()
    assert meta.probe is not None
    probe = meta.probe.model_dump() | {"texts": ["\0\x01<b>", *meta.probe.texts[1:]], "labels": None}
    checkpoint(probe=probe)(strange, place)
    run = clwork.open_run(strange).as_run()
    assert run.probe is not None and run.probe.texts[0] == "\ufffd\ufffd<b>"
    panel = lab.panel(run=run)
    assert "Drawing failed" not in Client(panel).ask()["pulse"]["sentence"]
    panel.close()


def test_half_a_character_in_a_strangers_record_is_not_passed_on(place: Path) -> None:
    strange = place / "runs" / "strange"
    rows = [{"step": 0, "event": "\ud800 \x00"}, {"step": 1, "\ud800": 1.0}]
    (strange / "record.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (run,) = [run for run in stored_runs(place / "runs")[0] if run.folder == strange]
    assert run.records() == [{"step": 0, "event": "\ufffd \ufffd"}] and run.damaged == 1
