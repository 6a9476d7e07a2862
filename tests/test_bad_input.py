"""Bad arguments of public functions: the type of the error, and its essential words (argument, value, remedy)."""

from __future__ import annotations

import inspect
import io
import json
import operator
import os
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

import clwork
from clwork import data
from clwork._validation import shown
from clwork.encoders.tokens import Tokens

from .encoders.conftest import write_tiny

pytestmark = pytest.mark.usefixtures("_limit_duration")

NAN, INF, HUGE = float("nan"), float("inf"), 10**5000
TEXTS = [f"the cat sat on mat {letter}" for letter in "abcdefgh"]
LABELS = ["a", "b"] * 12
Z, Z2, Z3 = (torch.randn(4, 6, generator=torch.Generator().manual_seed(seed)) for seed in range(3))
X = torch.randn(24, 6, generator=torch.Generator().manual_seed(3)).numpy()
WORDS, MASK, EYE = (
    torch.randn(2, 5, 6, generator=torch.Generator().manual_seed(4)),
    torch.ones(2, 5),
    torch.eye(4),
)
PAIR = {"sentence1": "A cat sleeps.", "sentence2": "A cat rests.", "score": 4.0}
SHORT: dict[str, Any] = {
    "method": "simcse",
    "sentences": TEXTS,
    "steps": 1,
    "batch_size": 4,
    "device": "cpu",
}
THREE = [("a", "b", "c")] * 8
V, T, F = ValueError, TypeError, FileNotFoundError
CONFIGURED = ("methods.config", "start", "train", "lab.panel")  # they take hyperparameters
Made = SimpleNamespace


def pairs(**changes: Any) -> SimpleNamespace:
    given = {
        "sentences1": ["a cat", "b", "c", "d"],
        "sentences2": ["a", "e", "c", "b"],
        "scores": [5, 1, 3, 2],
    }
    return SimpleNamespace(**{"subsets": None, **given, **changes})


def lines(rows: Iterable[Any]) -> str:
    return "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """A tiny encoder, a finished run of two steps, and a folder of STS pairs."""
    place = tmp_path_factory.mktemp("made")
    tiny = str(write_tiny(place / "tiny"))
    files = {
        "sts/stsb/validation.jsonl": [PAIR, PAIR | {"sentence2": "No.", "score": 2.0}],
    }
    for name, rows in files.items():
        (place / name).parent.mkdir(parents=True)
        (place / name).write_text(lines(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLWORK_HOME", str(place / "home"))
        run = clwork.train(**{**SHORT, "encoder": tiny, "steps": 2, "folder": place / "run"})
        encoder = clwork.load_encoder(tiny, device="cpu")
        yield Made(place=place, tiny=tiny, run=run, encoder=encoder, sts=place / "sts")


def draw(**more: Any) -> dict[str, Any]:
    return {**more, "generator": torch.Generator().manual_seed(0)}


def views_of(*names: str, **more: Any) -> Callable[[Made], dict[str, Any]]:
    return lambda _: {**dict(zip(names, (Z, Z2, Z3, Z2, Z, Z3), strict=False)), **more}


SENTENCE = Tokens([2, 7, 8, 9, 10, 3], [-1, 0, 1, 1, 2, -1])
# By public call, arguments that it accepts; `made.x.y` stands for an object of the fixture.
GOOD: dict[str, Callable[[Made], dict[str, Any]]] = {
    "load_encoder": lambda m: {"name": m.tiny, "device": "cpu"},
    "made.encoder.encode": lambda _: {"texts": TEXTS},
    "losses.simcse": views_of("z1", "z2", "hard_negatives"),
    "losses.dclr": views_of("z1", "z2"),
    "losses.instance_weights": lambda _: {"similarities": EYE},
    "losses.self_guided": views_of("c", "h", form="opt1"),
    "losses.gclsr": views_of("p1", "z2", "p2", "z1", group_dim=2),
    "losses.mocoutrl": views_of(
        "anchor", "positive", "negative", "token_label", "token_positive", "token_negative"
    ),
    "losses.info_nce": views_of("anchors", "candidates"),
    "losses.long_span": views_of("anchor", "positive", "negative"),
    "losses.parameter_distance": lambda _: {
        "model": torch.nn.Linear(2, 2),
        "frozen": torch.nn.Linear(2, 2),
    },
    "augmenters.noise_negatives": lambda _: draw(z1=Z, z2=Z2, count=2),
    "augmenters.pwva": lambda _: draw(vectors=WORDS, mask=MASK),
    "augmenters.swap_word": lambda _: draw(sentence="A big dog."),
    "augmenters.words.crop": lambda _: draw(tokens=SENTENCE, rate=0.1),
    "augmenters.words.delete_words": lambda _: draw(tokens=SENTENCE, rate=0.1),
    "augmenters.cutoff": lambda _: draw(embeddings=WORDS, mask=MASK, kind="token", rate=0.1),
    "augmenters.perturb": lambda _: draw(vectors=Z, kind="radial"),
    "augmenters.noise.gaussian_noise": lambda _: draw(shape=(2, 8)),
    "metrics.alignment": lambda _: {"x": X, "y": X[::-1].copy()},
    "metrics.uniformity": lambda _: {"x": X},
    "metrics.diagnose": lambda _: {"x": X},
    "metrics.nearest": lambda _: {"queries": X, "k": 3},
    "metrics.proxies.knn_label_accuracy": lambda _: {"x": X, "labels": LABELS, "k": 3},
    "metrics.pair_auc": lambda _: {"x": X, "groups": LABELS},
    "metrics.sts": lambda m: {"enc": m.encoder, "tasks": {"own": pairs()}},
    "metrics.differences": lambda _: {"scores": {"a": [3.0, 3.1, 2.9], "b": [1.0, 1.1, 0.9]}},
    "data.sentences": lambda _: {"source": TEXTS},
    "data.sts_pairs": lambda m: {"task": "stsb", "source": m.sts},
    "data.StsPairs": lambda _: {
        "name": "own",
        "sentences1": ["a"],
        "sentences2": ["b"],
        "scores": [1.0],
    },
    "data.remember_sts": lambda m: {"folder": m.sts},
    "methods.config": lambda _: {"name": "simcse"},
    "train": lambda m: {**SHORT, "encoder": m.tiny},
    "start": lambda m: {**SHORT, "encoder": m.tiny},
    "resume": lambda m: {"folder": m.run.folder},
    "made.run.fork": lambda m: {"step": 0, "steps": 1, "folder": m.out / "fork"},
    "made.run.save": lambda m: {"folder": m.out / "copy"},
    "claims.get": lambda _: {"name": "simcse/dropout-against-none"},
    "claims.running_table": lambda _: {"upto": "03"},
    "claims.test": lambda m: {
        "claim": "simcse/dropout-against-none",
        "folder": m.out / "runs",
        "progress": False,
    },
    "reference": lambda _: {"name": "simcse/dropout-against-none"},
    "recording": lambda _: {"run": "simcse"},
    "lab.panel": lambda m: {"method": "simcse", "encoder": m.tiny, "sentences": TEXTS},
    "lab.forces": lambda m: {"run": m.run},
    "lab.sphere": lambda _: {"points": 9, "temperature": 0.1},
    "views.spectrum": lambda _: {"embeddings": {"a": X}},
    "views.similarity_matrix": lambda _: {"vectors": X[:8], "texts": TEXTS},
}
ELSEWHERE = ("claims.test", "start")  # whose good call is slow, and made in other tests
UNCHECKED = ("data.StsPairs",)  # made by readers: its kinds are not checked
BAD_OF_A_TYPE: dict[type, tuple[Any, ...]] = {
    bool: ("no", 1, 0.0, []),
    int: ("3", 1.5, True, NAN, INF, [3], np.float64(3), torch.tensor(3), -(10**39)),
    float: ("0.1", True, NAN, [0.1], torch.tensor(0.1), 1j),
    str: (3, True, b"x", ["x"], object()),
    Path: (3, True, b"x", "", " ", "a\0b", "~nobody-such/x"),
    torch.Tensor: ("abc", 3, True, [[1.0]], np.eye(3)),
    np.ndarray: ("abc", True, np.array([["a"]]), np.array([[NAN, 1.0]])),
    torch.Generator: (3, "0", True, np.random.default_rng(0)),
    dict: (3, "abc", [1]),
    list: (3, True, object()),
}
BAD_BY_NAME: dict[str, tuple[Any, ...]] = {
    "seed": ("3", 1.5, True, NAN, -1, 2**32, HUGE),
    "device": (3, True, ["cpu"], "nope", "cuda:99", "meta", ""),
    "seeds": ("3", 1.5, True, NAN, [], 0, -1),
    **dict.fromkeys(("probe_every", "eval_every", "keep_every"), ("3", 1.5, True, NAN, 0, -3)),
    "on_row": (3, "print", True),
    "name": (3, True, b"x", "", "\0"),
}


def called(name: str, made: Made) -> Callable[..., Any]:
    root, path = (made, name.removeprefix("made.")) if name.startswith("made.") else (clwork, name)
    found: Callable[..., Any] = operator.attrgetter(path)(root)
    return found


def fault(
    name: str, made: Made, bad: dict[str, Any], error: tuple[type[Exception], ...], words: list[str]
) -> str:
    """Describe a wrong reaction to bad arguments; empty if the expected error is raised."""
    label = f"{name}({', '.join(f'{key}={shown(value, 30)}' for key, value in bad.items())})"
    try:
        found = called(name, made)(**{**GOOD[name](made), **bad})
    except TimeoutError:
        raise  # the alarm of _limit_duration
    except Exception as caught:
        message = str(caught)
        ours = "/clwork/" in traceback.extract_tb(caught.__traceback__)[-1].filename
        lacks = [word for word in words if word not in message]
        if ours and type(caught) in error and not lacks and len(message) <= 1000:
            return ""
        return f"{label}: {'' if ours else 'not raised by clwork, '}lacks {lacks}: {type(caught).__name__}: {message}"
    return f"{label} is accepted: {shown(found)}"


TABLE: list[tuple[str, str, list[Any], type[Exception], str]] = [
    ("load_encoder", "name", [" ", "a\0b"], V, "name"),
    ("load_encoder", "name", ["nowhere/at/all"], F, ""),
    (
        "losses.simcse",
        "temperature",
        [0, -0.05, 1e-39, NAN, INF, 10**400],
        V,
        "temperature above 0",
    ),
    (
        "losses.simcse",
        "temperature",
        [np.True_, None, "0.05", torch.tensor(0.05)],
        T,
        "temperature number",
    ),
    ("losses.simcse", "hard_negatives", [Z[:2]], V, "hard_negatives (2, 6)"),
    ("losses.dclr", "weights", [EYE + 2, EYE * NAN], V, "weights NaN outside"),
    ("losses.dclr", "noise", [torch.ones(3, 2, 6)], V, "noise (3, 2, 6) 4"),
    ("losses.dclr", "variant", ["papre", "Paper"], V, "variant paper"),
    ("losses.gclsr", "group_dim", [4, 0, -1, HUGE], V, "group_dim divide"),
    ("losses.mocoutrl", "token_label", [None], V, "token_label lam=1"),
    ("losses.info_nce", "targets", [torch.tensor([-100, 1, 2, 3])], V, "targets -100"),
    ("losses.info_nce", "log_weights", [EYE - INF], V, "log_weights positive"),
    ("losses.parameter_distance", "frozen", [torch.nn.Linear(2, 3)], V, "frozen shape copy"),
    ("augmenters.noise_negatives", "sigma", [0, -1], V, "sigma above 0"),
    ("augmenters.noise_negatives", "sigma", [NAN, INF], V, "sigma finite"),
    ("augmenters.noise_negatives", "z1", [Z * NAN], V, "z1 NaN"),
    ("augmenters.pwva", "mix", [(1, 1, 1), (NAN, 1, 1, 1)], V, "mix four"),
    ("augmenters.pwva", "snr", [(11.0, 6.0), (NAN, 11.0)], V, "snr decibels"),
    ("augmenters.words.crop", "rate", [1.0], V, "rate below 1"),
    ("augmenters.words.crop", "rate", [-0.1, INF], V, "rate"),
    ("augmenters.words.delete_words", "tokens", [Tokens([2, 7, 3], [-1, 0])], V, "tokens 3 2"),
    ("metrics.nearest", "k", [0, 24, HUGE], V, "k"),
    ("metrics.proxies.knn_label_accuracy", "labels", [LABELS[1:]], V, "23 labels 24"),
    ("metrics.pair_auc", "groups", [["a"] * 24], V, "group across"),
    ("metrics.sts", "enc", ["mini"], T, "enc clwork.load_encoder"),
    (
        "metrics.sts",
        "tasks",
        [pairs(sentences2=["a", None, "b", "c"])],
        T,
        "own sentences2 row 1 None str",
    ),
    ("metrics.sts", "tasks", [pairs(scores=[1, 2, INF, 3])], V, "own row 2 inf"),
    ("metrics.sts", "tasks", [pairs(scores=[True, False, True, False])], V, "own row 0 True"),
    ("metrics.sts", "tasks", [pairs(scores=[3] * 4)], V, "own 4 3 equal"),
    ("metrics.differences", "scores", [{"a": [1, 2, 3], "b": [1, 2]}], V, "'b' 2"),
    *(
        (name, "sentences", [[]], V, "sentences empty at least one")
        for name in ("start", "lab.panel")
    ),
    ("data.sentences", "source", [["fine", " "]], V, "sentence 1 blank"),
    ("data.sentences", "source", [["a", "b\0c"]], V, "sentence 1 zero character"),
    ("data.sentences", "source", [["a", "b\ud83d"]], V, "sentence 1 half character"),
    ("data.sentences", "source", [["a", 5], ["a", None]], T, "sentence 1 str"),
    ("data.sentences", "source", [set(TEXTS)], T, "set order list"),
    ("data.sentences", "source", [pd.DataFrame({"s": TEXTS})], T, "DataFrame columns"),
    ("data.sentences", "source", ["wikipedia_minni"], V, "'wikipedia-mini'"),
    ("data.sts_pairs", "task", ["sts17"], V, "stsb"),
    ("data.sts_pairs", "source", [__file__, "/nowhere"], F, ""),
    ("data.remember_sts", "folder", ["/nowhere"], F, ""),
    *((name, "temprature", [[]], T, "temprature 'temperature'") for name in CONFIGURED),
    *(
        (name, "temperature", [-1, 0, NAN, INF, 10**400], V, "temperature= from")
        for name in CONFIGURED
    ),
    *(
        (name, "temperature", [True, None, "0.1", torch.tensor(0.1)], T, "temperature number")
        for name in CONFIGURED
    ),
    *((name, "batch_size", [1, 10**5, HUGE], V, "batch_size= from 2") for name in CONFIGURED),
    *(
        (name, "batch_size", [8.0, True, np.float64(8)], T, "batch_size= int")
        for name in CONFIGURED
    ),
    *((name, "pooling", ["median"], V, "pooling= 'mean'") for name in CONFIGURED),
    ("methods.config", "fixed_mask", [1], T, "fixed_mask=1 True False"),
    *((name, "method", ["simsce", ""], V, "simcse") for name in ("start", "train", "lab.panel")),
    *((name, "steps", [0, -3, 10**10], V, "steps=") for name in ("start", "train", "lab.panel")),
    ("start", "name", ["../x", "a" * 300], V, "name"),
    ("start", "folder", [__file__], FileExistsError, "folder another"),
    ("start", "encoder", [5, ["mini"], torch.nn.Linear(2, 2)], T, "encoder folder"),
    ("start", "sts", ["/nowhere", __file__], F, "sts folder"),
    ("start", "sentences", [iter(TEXTS)], T, "sentences iterator list"),
    ("start", "sentences", [[*THREE, ("a", "b")]], V, "triplet 8 2 parts"),
    ("start", "sentences", [[*THREE, ("a", " ", "c")]], V, "triplet 8 part 1 blank"),
    ("made.run.fork", "step", [99, -1], V, "step"),
    ("claims.test", "seeds", [0, 2, [0, 1], [0, 0, 1]], V, "seed"),
    ("recording", "run", ["no such run"], V, "simcse"),
    ("lab.forces", "row", [99, -1], V, "row="),
]


@pytest.fixture
def stage(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """The objects of this module, and an empty working directory."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    made.out = tmp_path / "work"
    return made


def nothing_left(stage: Made) -> list[str]:
    """Files that a refused call left in the folder of runs or in the working directory."""
    return [
        str(path)
        for place in (Path(os.environ["CLWORK_RUNS"]), stage.out)
        for path in place.rglob("*")
    ]


@pytest.mark.parametrize("name", sorted({row[0] for row in TABLE}))
def test_a_bad_argument_is_refused_with_its_essential_words(name: str, stage: Made) -> None:
    found = []
    for argument, values, error, words in (row[1:] for row in TABLE if row[0] == name):
        for value in values:
            seen = [shown(value).strip("'")[:9]] if isinstance(value, int | float | str) else []
            bad = {"own": value} if isinstance(value, SimpleNamespace) else value
            found.append(fault(name, stage, {argument: bad}, (error,), [*words.split(), *seen]))
    assert not list(filter(None, found)), "\n".join(filter(None, found))
    assert not nothing_left(stage)


def swept(name: str, made: Made) -> Iterator[tuple[str, Any]]:
    """Each argument of a call with each value that is bad for the kind of its good or default value."""
    given = GOOD[name](made)
    for parameter in inspect.signature(called(name, made)).parameters.values():
        good = given.get(parameter.name, parameter.default)
        for value in BAD_BY_NAME.get(parameter.name) or BAD_OF_A_TYPE.get(type(good), ()):
            fits = (
                isinstance(value, float | int) and not isinstance(value, bool) and abs(value) < INF
            )
            if not (fits and "float" in str(parameter.annotation)):
                yield parameter.name, value


@pytest.mark.parametrize("family", sorted({name.split(".")[0] for name in GOOD}))
def test_a_value_of_a_wrong_kind_is_refused_by_every_call(family: str, stage: Made) -> None:
    found = []
    for name in (name for name in GOOD if name.split(".")[0] == family and name not in UNCHECKED):
        for argument, value in swept(name, stage):
            by_name = fault(name, stage, {argument: value}, (T, V, F), [argument])
            found.append(
                by_name
                and fault(name, stage, {argument: value}, (T, V, F), [shown(value)[:20].strip("'")])
            )
    assert not list(filter(None, found)), "\n".join(filter(None, found))
    assert not nothing_left(stage)


def test_the_good_arguments_are_accepted_and_the_sweep_is_large(stage: Made) -> None:
    """Guard: the calls above are refused only because of their one bad value."""
    assert sum(1 for name in GOOD for _ in swept(name, stage)) > 800
    for name in (name for name in GOOD if name not in ELSEWHERE):
        called(name, stage)(**GOOD[name](stage))


VECTORS: list[tuple[Callable[[torch.Tensor], Any], type[Exception], str]] = [
    (lambda z: z.index_fill(0, torch.tensor([1]), NAN), V, "NaN 1 rows"),
    (lambda z: z[0], V, "(6,)"),
    (lambda z: z[:, :0], V, ", 0)"),
    (lambda z: z > 0, T, "bool"),
    (lambda z: z.to(torch.complex64), T, "complex64"),
    (lambda z: z.to_sparse(), T, "sparse to_dense"),
    (lambda z: z.to("meta"), V, "meta"),
    (lambda z: z.tolist(), T, "list torch.Tensor"),
]
OF_LOSSES = [
    (lambda z: z[:0], V, "(0, 6)"),
    (lambda z: z.long(), T, "int64 float"),
    (lambda z: z.numpy(), T, "ndarray"),
]
OF_METRICS = [
    (pd.DataFrame, T, "DataFrame"),
    (lambda x: np.ma.masked_greater(x.numpy(), 0), T, "MaskedArray"),
]


@pytest.mark.parametrize("family", ["losses", "metrics"])
def test_invalid_tables_of_vectors_are_refused(family: str, stage: Made) -> None:
    found = []
    for make, error, words in [*VECTORS, *(OF_LOSSES if family == "losses" else OF_METRICS)]:
        for name in (name for name in GOOD if name.startswith(family)):
            for argument, good in GOOD[name](stage).items():
                if isinstance(good, torch.Tensor | np.ndarray) and good.shape[1] == 6:
                    found.append(
                        fault(
                            name,
                            stage,
                            {argument: make(torch.as_tensor(good))},
                            (error,),
                            words.split(),
                        )
                    )
    assert len(found) > 60 and not list(filter(None, found)), "\n".join(filter(None, found))


def parquet(frame: pd.DataFrame) -> bytes:
    frame.to_parquet(buffer := io.BytesIO())
    return buffer.getvalue()


FINE = '{"sentence": "fine"}\n'
READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "x.txt": ("sentences", lambda path: data.sentences(path)),
    "x.csv": ("sentences", lambda path: list(data.sentences(path, streaming=True))),
    "x.jsonl": ("sentences", lambda path: data.sentences(path)),
    "x.parquet": ("sentences", lambda path: data.sentences(path)),
    "three.jsonl": ("triplets", lambda path: data.triplets(path)),
    "stsb/validation.jsonl": ("STS", lambda path: data.sts_pairs("stsb", source=path.parents[1])),
}
MALFORMED: list[tuple[str, bytes | str | Callable[[Path], object], str]] = [
    *((name, os.mkfifo, "pipe") for name in READERS),
    *((name, Path.mkdir, "folder") for name in READERS),
    *((name, lambda path: path.symlink_to("/dev/zero"), "device") for name in READERS),
    *((name, "", "") for name in READERS),
    ("x.txt", b"word\n" * 2999 + b"a\0b\n", "zero byte 3000"),
    ("x.jsonl", FINE + '{"sentence": "a\\ud800"}', "line 2 half character"),
    ("x.csv", "sentence,sentence\na,b\n", "'sentence' rename"),
    ("x.jsonl", FINE + '{"sentence": 5}', "line 2 'sentence' int 5"),
    ("x.jsonl", FINE + '{"sentence": ' + "[" * 100_000 + "]" * 100_000 + "}", "line 2 JSON"),
    ("x.parquet", parquet(pd.DataFrame({"n": [1, 2]})), "'n' int"),
    (
        "three.jsonl",
        lines([{"premise": "a", "entailment": "b", "contradiction": None}]),
        "no complete triplet",
    ),
    (
        "stsb/validation.jsonl",
        lines([PAIR, PAIR | {"sentence1": " "}]),
        "row 2 'sentence1' blank leave",
    ),
    (
        "stsb/validation.jsonl",
        lines([PAIR, PAIR | {"sentence2": None}]),
        "row 2 'sentence2' missing",
    ),
    ("stsb/validation.jsonl", lines([PAIR, PAIR | {"score": INF}]), "row 2 score inf 0 5"),
    ("stsb/validation.jsonl", lines([PAIR | {"score": -0.5}]), "score -0.5 rescale"),
    (
        "stsb/validation.jsonl",
        lines([{"sentence1": "a", "sentence2": "b", "grade": 1}]),
        "row 1 score columns",
    ),
]


@pytest.mark.parametrize("family", ["sentences", "triplets", "STS"])
def test_a_malformed_file_is_refused_with_its_name_and_place(family: str, tmp_path: Path) -> None:
    found = []
    for number, (name, content, words) in enumerate(
        row for row in MALFORMED if READERS[row[0]][0] == family
    ):
        path = tmp_path / str(number) / name
        path.parent.mkdir(parents=True)
        if callable(content):
            content(path)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        try:
            found.append(f"{path} is accepted: {shown(READERS[name][1](path))}")
        except (ValueError, FileNotFoundError) as error:
            lacks = [word for word in [path.name, *words.split()] if word not in str(error)]
            found += [f"{name} lacks {lacks}: {error}"] if lacks or len(str(error)) > 1000 else []
    assert not found, "\n".join(found)


def test_controls_refuse_bad_values_and_retain_the_old_one(stage: Made) -> None:
    controls = stage.run.controls
    for value, error in ((-1, V), (NAN, V), (True, T), ("0.1", T), (None, T)):
        with pytest.raises(error, match="temperature"):
            controls.temperature = value
    with pytest.raises((AttributeError, TypeError), match="temprature"):
        controls.temprature = 0.1
    assert controls.temperature == 0.05


def test_nothing_is_saved_inside_its_own_source(stage: Made) -> None:
    inside = stage.run.folder / "copy"
    stage.encoder.save(stage.out / "own")
    saved = clwork.load_encoder(stage.out / "own", device="cpu")
    with pytest.raises(ValueError, match="inside"):
        saved.save(stage.out / "own" / "again")
    with pytest.raises(ValueError, match="inside"):
        stage.run.save(inside)
    with pytest.raises(ValueError, match="inside"):
        stage.run.fork(0, steps=1, folder=inside)
    assert not inside.exists() and not (stage.out / "own" / "again").exists()
