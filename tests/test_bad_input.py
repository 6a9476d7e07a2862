"""Mistakes that users are likely to make: the type of the error, and its essential words."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

import clwork
from clwork import augmenters, claims, data, lab, losses, methods, metrics
from clwork.training.run import Run

from .encoders.conftest import write_tiny
from .refusals import Case, not_refused

pytestmark = pytest.mark.usefixtures("_limit_duration")

NAN, INF = float("nan"), float("inf")
TEXTS = [f"the cat sat on mat {letter}" for letter in "abcdefgh"]
THREE = [("a", "b", "c")] * 8
Z, Z2 = (torch.randn(4, 6, generator=torch.Generator().manual_seed(seed)) for seed in range(2))
EYE = torch.eye(4)
CLAIM = "simcse/dropout-against-none"
V, T, F = ValueError, TypeError, FileNotFoundError


@dataclass
class Made:
    """A tiny encoder, a finished run of two steps, and an empty working directory."""

    tiny: str
    run: Run
    out: Path


@pytest.fixture(scope="module")
def tiny_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Run]]:
    folder = tmp_path_factory.mktemp("made")
    tiny = str(write_tiny(folder / "tiny"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLWORK_HOME", str(folder / "home"))
        yield tiny, clwork.train("simcse", **small(tiny, steps=2, folder=folder / "run"))


@pytest.fixture
def made(tiny_run: tuple[str, Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return Made(*tiny_run, tmp_path / "work")


def small(encoder: str, **changes: Any) -> dict[str, Any]:
    """Arguments of a short training."""
    short = {"sentences": TEXTS, "steps": 1, "batch_size": 4, "device": "cpu", "encoder": encoder}
    return {**short, **changes}


def files_left(made: Made) -> list[Path]:
    """Files that a refused call left in the folder of runs or in the working directory."""
    return [*Path(os.environ["CLWORK_RUNS"]).rglob("*"), *made.out.rglob("*")]


def words(*essential: object) -> str:
    """Return a regular expression that finds these words in any order."""
    return "(?s)" + "".join(f"(?=.*{re.escape(str(word))})" for word in essential)


# ---- losses: each table of vectors, and each number -------------------------------------------

LOSSES: dict[str, tuple[Callable[..., object], tuple[str, ...], dict[str, Any]]] = {
    "simcse": (losses.simcse, ("z1", "z2", "hard_negatives"), {}),
    "dclr": (losses.dclr, ("z1", "z2"), {}),
    "self_guided": (losses.self_guided, ("c", "h"), {"form": "opt1"}),
    "gclsr": (losses.gclsr, ("p1", "z2", "p2", "z1"), {"group_dim": 2}),
    "mocoutrl": (losses.mocoutrl, ("anchor", "positive", "negative"), {"lam": 1.0}),
    "info_nce": (losses.info_nce, ("anchors", "candidates"), {}),
}
WRONG_VECTORS: list[tuple[Callable[[torch.Tensor], Any], type[Exception], str]] = [
    (lambda z: z.index_fill(0, torch.tensor([1]), NAN), V, words("NaN", "1", "rows")),
    (lambda z: z[0], V, words("(6,)")),
    (lambda z: z[:0], V, words("(0, 6)")),
    (lambda z: z.long(), T, words("int64", "float")),
    (lambda z: z.numpy(), T, words("ndarray", "torch.Tensor")),
]


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_refuses_wrong_vectors_by_the_argument_name(name: str) -> None:
    loss, arguments, settings = LOSSES[name]
    good = {argument: Z for argument in arguments}
    assert torch.isfinite(loss(**good, **settings))  # type: ignore[arg-type]
    cases: list[Case] = []
    for argument in arguments:
        for spoil, error, essential in WRONG_VECTORS:
            bad = good | {argument: spoil(Z)}
            call = partial(loss, **bad, **settings)
            cases.append((argument, call, error, words(argument) + essential.removeprefix("(?s)")))
    assert not not_refused(cases)


def test_losses_refuse_impossible_settings() -> None:
    simcse: Callable[..., object] = partial(losses.simcse, Z, Z2)
    cases: list[Case] = [
        (value, partial(simcse, temperature=value), error, essential)
        for value, error, essential in [
            (0, V, words("temperature is 0", "above 0")),
            (-0.05, V, words("temperature is -0.05", "above 0")),
            (NAN, V, words("temperature is nan")),
            ("0.05", T, words("temperature is", "number")),
        ]
    ]
    dclr: Callable[..., object] = partial(losses.dclr, Z, Z2)
    cases += [
        ("rows", lambda: losses.simcse(Z, Z2, Z[:2]), V, words("hard_negatives", "(2, 6)")),
        ("weights", partial(dclr, weights=EYE + 2), V, words("weights", "outside")),
        ("noise", partial(dclr, noise=torch.ones(3, 2, 6)), V, words("(3, 2, 6)")),
        ("variant", partial(dclr, variant="papre"), V, words("'papre'", "'paper'")),
        ("group", lambda: losses.gclsr(Z, Z2, Z, Z2, group_dim=4), V, words("group_dim", "divide")),
        ("tokens", lambda: losses.mocoutrl(Z, Z, Z), V, words("token_label", "lam=1")),
    ]
    assert not not_refused(cases)


# ---- training, methods, panel -----------------------------------------------------------------

SETTINGS: list[tuple[str, Any, type[Exception], str]] = [
    ("temprature", 0.1, T, words("temprature", "'temperature'")),
    ("temperature", -1, V, words("temperature=-1", "from")),
    ("temperature", NAN, V, words("temperature=nan")),
    ("temperature", "warm", T, words("temperature='warm'", "number")),
    ("batch_size", 1, V, words("batch_size=1", "from 2")),
    ("batch_size", 8.5, T, words("batch_size=8.5", "int")),
    ("batch_size", True, T, words("batch_size=True", "bool")),
    ("temperature", True, T, words("temperature=True", "bool")),
    ("pooling", "median", V, words("pooling='median'", "'mean'")),
    ("fixed_mask", "maybe", T, words("fixed_mask='maybe'", "True")),
]
RUN: list[tuple[str, Any, type[Exception], str]] = [
    ("method", "simsce", V, words("simsce", "simcse")),
    ("steps", 0, V, words("steps=0")),
    ("sentences", [], V, words("sentences", "at least one")),
]
STARTED: list[tuple[str, Any, type[Exception], str]] = [
    ("seed", -1, V, words("seed=-1")),
    ("seed", True, T, words("seed=True", "bool")),
    ("device", "nope", V, words("device='nope'")),
    ("name", "../x", V, words("name", "../x")),
    ("folder", __file__, FileExistsError, words("File exists")),
    ("encoder", 5, T, words("encoder", "folder")),
    ("sts", "/nowhere", F, words("sts", "folder")),
    ("sentences", iter(TEXTS), T, words("sentences", "list")),
    ("sentences", [*THREE, ("a", "b")], V, words("triplet 8", "premise")),
    ("sentences", [*THREE, ("a", " ", "c")], V, words("triplet 8", "blank")),
]


def test_settings_and_runs_refuse_mistakes_before_anything_is_written(made: Made) -> None:
    def call(function: Callable[..., object], **changes: Any) -> object:
        arguments = {"method": "simcse", **small(made.tiny), **changes}
        return function(**arguments)

    def panel(**changes: Any) -> object:
        arguments = {"method": "simcse", "encoder": made.tiny, "sentences": TEXTS, **changes}
        return lab.panel(**arguments)

    cases: list[Case] = []
    for name, value, error, essential in SETTINGS:
        config = partial(methods.config, "simcse", **{name: value})
        cases.append((f"methods.config {name}", config, error, essential))
    for name, value, error, essential in [*SETTINGS, *RUN]:
        for function in (clwork.start, clwork.train):
            run = partial(call, function, **{name: value})
            cases.append((f"{function.__name__} {name}", run, error, essential))
        cases.append((f"panel {name}", partial(panel, **{name: value}), error, essential))
    for name, value, error, essential in STARTED:
        start = partial(call, clwork.start, **{name: value})
        cases.append((f"start {name}", start, error, essential))
    assert not not_refused(cases)
    assert not files_left(made)


def test_controls_refuse_bad_values_and_retain_the_old_one(made: Made) -> None:
    controls = made.run.controls
    for value, error in ((-1, V), (NAN, V), ("warm", T), (None, T)):
        with pytest.raises(error, match="temperature"):
            controls.temperature = value
    with pytest.raises((AttributeError, TypeError), match="temprature"):
        controls.temprature = 0.1
    assert controls.temperature == 0.05


def test_a_finished_run_refuses_steps_and_rows_that_it_does_not_have(made: Made) -> None:
    cases: list[Case] = [
        ("fork", lambda: made.run.fork(99, folder=made.out / "fork"), V, words("step", "99")),
        ("row", lambda: lab.forces(made.run, row=99), V, words("row=99")),
        ("recording", lambda: clwork.recording("no such run"), V, words("simcse")),
        ("encoder", lambda: clwork.load_encoder("nowhere/at/all"), F, words("nowhere/at/all")),
        ("seeds", lambda: claims.test(CLAIM, seeds=2), V, words("seed")),
    ]
    assert not not_refused(cases)
    assert not files_left(made)


# ---- augmenters and metrics -------------------------------------------------------------------


def pairs(**changes: Any) -> SimpleNamespace:
    fine = {"sentences1": TEXTS[:4], "sentences2": TEXTS[4:], "scores": [5, 1, 3, 2]}
    return SimpleNamespace(**{"subsets": None, **fine, **changes})


def test_augmenters_and_metrics_refuse_impossible_numbers(made: Made) -> None:
    encoder = made.run.encoder

    any_sts: Callable[..., object] = metrics.sts

    def noise(**changes: Any) -> object:
        return augmenters.noise_negatives(Z, Z2, count=2, **changes)

    def sts(**changes: Any) -> object:
        return metrics.sts(encoder, {"own": pairs(**changes)})

    cases: list[Case] = [
        ("sigma", lambda: noise(sigma=0), V, words("sigma", "above 0")),
        ("k", lambda: metrics.nearest(np.eye(4), k=24), V, words("k")),
        ("groups", lambda: metrics.pair_auc(np.eye(4), ["a"] * 4), V, words("group")),
        ("sts", partial(any_sts, "mini", {}), T, words("clwork.load_encoder")),
        ("text", lambda: sts(sentences2=["a", None, "b", "c"]), T, words("sentences2", "row 1")),
        ("score", lambda: sts(scores=[1, 2, INF, 3]), V, words("row 2", "inf")),
        ("equal", lambda: sts(scores=[3] * 4), V, words("equal")),
        ("seeds", lambda: metrics.differences({"a": [1, 2, 3], "b": [1, 2]}), V, words("'b'")),
    ]
    assert not not_refused(cases)


# ---- data -------------------------------------------------------------------------------------


def test_data_refuses_mistakes_with_the_place(made: Made) -> None:
    table = pd.DataFrame({"s": TEXTS})
    cases: list[Case] = [
        (source, partial(data.sentences, source), error, essential)
        for source, error, essential in [
            (["fine", " "], V, words("sentence 1", "blank")),
            (["a", 5], T, words("row 1", "str")),
            (set(TEXTS), T, words("set", "list")),
            (table, T, words("DataFrame", "columns")),
            ("wikipedia_minni", V, words("'wikipedia-mini'")),
        ]
    ]
    cases += [
        ("task", lambda: data.sts_pairs("sts17", source=made.out), V, words("stsb")),
        ("source", lambda: data.sts_pairs("stsb", source="/nowhere"), F, words("nowhere")),
        ("remember", lambda: data.remember_sts("/nowhere"), F, words("nowhere")),
    ]
    assert not not_refused(cases)


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


PAIR = {"sentence1": "A cat sleeps.", "sentence2": "A cat rests.", "score": 4.0}
MALFORMED: list[tuple[str, tuple[str, ...]]] = [
    ("", ()),
    (lines(PAIR, PAIR | {"sentence1": " "}), ("row 2", "'sentence1'", "blank")),
    (lines(PAIR, PAIR | {"sentence2": None}), ("row 2", "'sentence2'")),
    (lines(PAIR, PAIR | {"score": INF}), ("row 2", "score")),
    (lines(PAIR | {"score": -0.5}), ("score", "-0.5", "rescale")),
    (lines({"sentence1": "a", "sentence2": "b", "grade": 1}), ("score", "columns")),
]


@pytest.mark.parametrize(("content", "essential"), MALFORMED)
def test_a_malformed_file_of_pairs_is_refused_with_its_name(
    content: str, essential: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "stsb" / "validation.jsonl"
    path.parent.mkdir()
    path.write_text(content)
    with pytest.raises(ValueError, match=words(path.name, *essential)):
        data.sts_pairs("stsb", source=tmp_path)


def test_nothing_is_saved_inside_its_own_source(made: Made) -> None:
    inside = made.run.folder / "copy"
    cases: Iterable[Case] = [
        ("run", lambda: made.run.save(inside), V, "inside"),
    ]
    assert not not_refused(cases)
    assert not inside.exists()
