"""``precision="auto"``: what it chooses, that a run retains it, and that bfloat16 is close."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch.nn.modules.module import register_module_forward_pre_hook

import clwork
from clwork import precision
from clwork.methods import Draws, Terms, config, get, names
from clwork.methods.simcse import SimCSE
from clwork.precision import forward_pass, resolve
from clwork.run_folder.folder import RunFolder
from clwork.training.batches import IndexedBatches
from clwork.training.divergence import DivergedError

from ..runs import same, stop_at
from .conftest import SHORT


def machine(monkeypatch: pytest.MonkeyPatch, known: set[str]) -> None:
    """A processor with these features."""
    monkeypatch.setattr(precision, "abilities", lambda: known)


PROCESSORS: list[tuple[set[str], str, str]] = [
    ({"avx512_bf16", "avx2"}, "bfloat16", "has instructions for it: avx512_bf16"),
    ({"avx2", "avx512f"}, "float32", "no instructions for bfloat16"),
]


def test_the_features_of_the_processor_decide_and_no_timing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Equal machines choose the same precision, whatever their load."""
    for known, name, why in PROCESSORS:
        with monkeypatch.context() as patch:
            machine(patch, known)
            patch.setattr("time.perf_counter", lambda: pytest.fail("a clock was read"))
            found = resolve("auto", "cpu")
            assert found.name == name
            assert found.why.startswith(f"{name}: ")
            assert why in found.why
            for fixed in ("float32", "bfloat16"):
                assert resolve(fixed, "cpu").name == fixed
    for has, name in ((True, "bfloat16"), (False, "float16")):  # a GPU
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda has=has, **_: has)
        assert resolve("auto", "cuda").name == name


def initial_scale(monkeypatch: pytest.MonkeyPatch, scale: float) -> None:
    """Set the loss scale of new runs; it doubles after 2 steps without overflow."""
    monkeypatch.setattr(
        torch.amp.GradScaler.__init__, "__defaults__", ("cuda", scale, 2.0, 0.5, 2, True)
    )


def test_an_overflow_at_float16_skips_the_update(
    tiny: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scale starts so high that gradients overflow; a resumed run continues with the scale."""
    initial_scale(monkeypatch, 2.0**18)
    arguments = {**tiny, "steps": 14, "precision": "float16", "probe_every": 100}
    whole = clwork.train("simcse", name="whole", **arguments)
    rows = whole.records()
    skipped = [
        row["step"] for row in rows if {"overflow": row.get("loss_scale")} in row.get("events", ())
    ]
    assert skipped[:3] == [1, 2, 3]
    assert rows[3]["loss_scale"] == 2.0**15
    assert len(skipped) < 14
    assert [row["step"] for row in rows if "gradient_norm" not in row] == [0, *skipped]
    within_growth_interval = skipped[-2] + 1
    cut = stop_at(clwork.start("simcse", name="cut", **arguments), within_growth_interval)
    assert RunFolder(cut.folder).checkpoints.meta().scaler["_growth_tracker"] == 1
    assert same(whole, resumed := clwork.resume(cut.folder))
    for name in ("loss", "loss_scale"):
        assert [row.get(name) for row in resumed.records()] == [row.get(name) for row in rows]
    assert "loss_scale" not in resumed.fork(precision="float32").wait().records()[-1]


def test_a_gradient_that_stays_not_finite_ends_the_run(
    tiny: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    initial_scale(monkeypatch, 4.0)
    compare = SimCSE.compare

    def spoilt(self: SimCSE, views: Any) -> Terms:
        terms = compare(self, views)
        return replace(terms, loss=terms.loss + (views["z1"] * 0).sum().sqrt())

    monkeypatch.setattr(SimCSE, "compare", spoilt)
    match = r"step 3: gradient_norm is nan, at float16.*precision='float32'"
    with pytest.raises(DivergedError, match=match):
        clwork.train("simcse", **tiny, precision="float16")


def test_a_run_resumes_at_the_precision_it_started_with(
    corpus: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, {"avx512_bf16"})
    arguments: dict[str, Any] = {**SHORT, "sentences": corpus, "steps": 6}
    whole = clwork.train("simcse", name="whole", **arguments)
    cut = stop_at(clwork.start("simcse", name="cut", **arguments), 3)
    stored = json.loads((cut.folder / "run.json").read_text())
    assert (stored["config"]["precision"], stored["precision"]) == ("auto", "bfloat16")
    assert "avx512_bf16" in stored["precision_why"]
    machine(monkeypatch, set())  # another machine
    resumed = clwork.resume(cut.folder)
    assert resumed.run_config.precision == "bfloat16"
    assert resumed.config.precision == "auto"
    assert same(whole, resumed)
    other = clwork.train("simcse", name="other", **arguments)
    assert other.run_config.precision == "float32"
    assert other.history["loss"].iloc[-1] != whole.history["loss"].iloc[-1]


def loss_and_gradient(name: str, texts: Any, dtype: str) -> tuple[float, torch.Tensor]:
    encoder = clwork.load_encoder(get(name).default_encoder, device="cpu")
    own: dict[str, Any] = {"complementary": "mini"} if name == "dclr" else {}
    values = config(name, encoder=encoder, batch_size=16, **own)
    method = get(name)(encoder, values, torch.Generator().manual_seed(0)).train()
    batch = IndexedBatches(texts, 16, 0, method.tokenize, method.usable()).batch(0)
    with forward_pass(torch.device("cpu"), dtype):
        views = method.embed(batch, Draws.of(0, 0, torch.device("cpu")))
    loss = method.compare(views).loss
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.dtype == torch.float32
    gradients = [p.grad.flatten() for p in method.parameters() if p.grad is not None]
    return loss.item(), torch.cat(gradients)


@pytest.mark.nightly
@pytest.mark.parametrize("name", names())
def test_bfloat16_agrees_with_float32(name: str, corpus: Any) -> None:
    """The loss within 3 %, the gradient within 5 % of its length: bfloat16 has two to three digits.

    GCLSR's gradient passes through four batch norms of 16 rows: there it is 25 %.
    """
    exact, gradient = loss_and_gradient(name, corpus, "float32")
    rounded, other = loss_and_gradient(name, corpus, "bfloat16")
    assert rounded != exact, "bfloat16 did not run"
    assert not torch.equal(other, gradient), "bfloat16 did not run"
    assert rounded == pytest.approx(exact, rel=0.03)
    assert (other - gradient).norm() < (0.25 if name == "gclsr" else 0.05) * gradient.norm()


def leave_autocast() -> None:
    """Leave autocast as each step of another run does; this empties its process-wide cache."""
    with torch.autocast("cpu", torch.bfloat16):
        pass


@pytest.fixture
def others_leave_autocast() -> Iterator[Callable[[], None]]:
    """Make another thread leave autocast just before a run enters each module."""
    with ThreadPoolExecutor(1) as other, ExitStack() as hooks:

        def begin() -> None:
            hook = register_module_forward_pre_hook(
                lambda *_: other.submit(leave_autocast).result()
            )
            hooks.callback(hook.remove)

        yield begin


@pytest.mark.parametrize("name", ["simcse", pytest.param("gclsr", marks=pytest.mark.nightly)])
def test_two_runs_at_bfloat16_do_not_disturb_each_other(
    name: str, corpus: Any, others_leave_autocast: Callable[[], None]
) -> None:
    """Several parts of a step use each weight; another run must not change how gradients add."""
    arguments = {**SHORT, "sentences": corpus, "steps": 4, "batch_size": 16}
    arguments |= {"precision": "bfloat16"}
    if name == "gclsr":
        arguments |= {"encoder": "textcnn:glove-6b-50d", "projector": 32, "predictor": 8}
    alone = clwork.train(name, **arguments, name="alone")
    others_leave_autocast()
    twins = [clwork.start(name, **arguments, name=f"twin-{number}") for number in (1, 2)]
    for twin in [twin.wait() for twin in twins]:
        assert twin.run_config.precision == "bfloat16"
        assert twin.history["loss"].tolist()[1:] == alone.history["loss"].tolist()[1:]
        assert same(twin, alone)
