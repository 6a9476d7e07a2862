"""What ``precision="auto"`` comes to, that a run keeps to it, and that bfloat16 computes what float32 does."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

import clwork
from clwork.methods import Draws, config, get, names
from clwork.training import precision
from clwork.training.batches import IndexedBatches
from clwork.training.precision import FASTER, abilities, resolve, trial

from ..runs import stop_at, weights
from .conftest import SHORT


def machine(monkeypatch: pytest.MonkeyPatch, known: set[str], ratio: float) -> None:
    """A processor with these abilities, where bfloat16 is ``ratio`` times as fast."""
    monkeypatch.setattr(precision, "abilities", lambda: known)
    monkeypatch.setattr(precision, "trial", lambda: ratio)


@pytest.mark.parametrize(
    ("known", "ratio", "name", "why"),
    [
        ({"avx512_bf16"}, 3.94, "bfloat16", "3.9 times as fast"),
        ({"amx_bf16", "avx2"}, FASTER, "bfloat16", "1.3 times as fast"),
        ({"avx512_bf16"}, 0.61, "float32", "has bfloat16, but it was only 0.6 times"),
        ({"avx2"}, 9.0, "float32", "no bfloat16 of its own"),
        (set(), 9.0, "float32", "no bfloat16 of its own"),
    ],
)
def test_a_processor_gets_bfloat16_only_where_it_has_it_and_is_faster_with_it(
    known: set[str], ratio: float, name: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, known, ratio)
    found = resolve("auto", "cpu")
    assert found.name == name and found.why.startswith(f"{name}: ") and why in found.why


@pytest.mark.parametrize("native", [True, False])
def test_a_gpu_gets_bfloat16_where_it_has_it_natively(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, set(), 0.0)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: native or including_emulation)
    assert resolve("auto", "cuda:0").name == ("bfloat16" if native else "float32")
    assert resolve("auto", "mps").name == "float32"


def test_what_is_asked_for_is_what_one_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, {"amx_bf16"}, 9.0)
    assert resolve("float32", "cpu").name == "float32" and resolve("bfloat16", "cuda").name == "bfloat16"


def test_the_trial_measures_this_processor_once(monkeypatch: pytest.MonkeyPatch) -> None:
    trial.cache_clear()
    first = trial()
    assert first > 0 and trial() == first and trial.cache_info().misses == 1
    monkeypatch.undo()  # the repository's tests hide what the processor can do
    assert "avx512_bf16" in abilities() or not torch.cpu._is_avx512_bf16_supported()


@pytest.mark.parametrize(
    ("usual", "lucky", "expected"),
    [((3.0, 1.5), (1.2, 1.0), 1.2), ((3.0, 2.0), (9.0, 1.0), 1.5), ((3.0, 1.0), (3.0, 1.0), 3.0)],
)
def test_the_trial_takes_the_smaller_of_the_best_turns_and_the_median(
    usual: tuple[float, float], lucky: tuple[float, float], expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = iter([0.001, 9.0, *lucky, *usual * 20])  # float32, then bfloat16; the first turn is there to get ready
    asked: list[torch.dtype] = []

    def seconds(left: torch.Tensor, right: torch.Tensor) -> float:
        asked.append((left @ right[:, :1]).dtype)
        return next(turns)

    monkeypatch.setattr(precision, "_seconds", seconds)
    trial.cache_clear()
    assert trial() == pytest.approx(expected)
    assert asked[:4] == [torch.float32, torch.bfloat16] * 2 and len(asked) > 20
    trial.cache_clear()


def test_every_method_asks_for_auto() -> None:
    assert {config(name).precision for name in names()} == {"auto"}


def test_a_run_goes_on_at_the_precision_it_began_with(corpus: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, {"avx512_bf16"}, 2.0)
    whole = clwork.train("simcse", sentences=corpus, steps=6, name="whole", **SHORT)
    cut = clwork.start("simcse", sentences=corpus, steps=6, name="cut", **SHORT)
    stop_at(cut, 3)
    stored = json.loads((cut.folder / "run.json").read_text())
    assert (stored["config"]["precision"], stored["precision"]) == ("auto", "bfloat16")
    assert "2.0 times as fast" in stored["precision_why"]
    machine(monkeypatch, set(), 0.1)  # another machine
    resumed = clwork.resume(cut.folder)
    assert resumed.recipe.precision == "bfloat16" and resumed.config.precision == "auto"
    expected, got = weights(whole), weights(resumed)
    assert all(torch.equal(expected[name], got[name]) for name in expected)
    calm = clwork.train("simcse", sentences=corpus, steps=6, name="calm", **SHORT)
    assert calm.recipe.precision == "float32"
    assert calm.history["loss"].iloc[-1] != whole.history["loss"].iloc[-1]  # guard: bfloat16 was at work above


def test_a_run_from_before_auto_keeps_what_its_configuration_says(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus, steps=2, precision="bfloat16", **SHORT)
    run.stop()
    run.wait()
    path = run.folder / "run.json"
    stored = json.loads(path.read_text())
    del stored["precision"], stored["precision_why"]
    path.write_text(json.dumps(stored))
    assert clwork.resume(run.folder).recipe.precision == "bfloat16"


def loss_and_gradient(name: str, texts: Any, dtype: torch.dtype) -> tuple[float, torch.Tensor]:
    encoder = clwork.load_encoder(get(name).default_encoder, device="cpu")
    values = config(name, encoder=encoder, batch_size=16, **({"complementary": "mini"} if name == "dclr" else {}))
    method = get(name)(encoder, values, torch.Generator().manual_seed(0)).train()
    batch = IndexedBatches(texts, 16, 0, method.tokenize, method.usable()).batch(0)
    with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
        views = method.embed(batch, Draws.of(0, 0, torch.device("cpu")))
    loss = method.compare(views).loss
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.dtype == torch.float32
    return loss.item(), torch.cat([p.grad.flatten() for p in method.parameters() if p.grad is not None])


@pytest.mark.parametrize("name", names())
def test_bfloat16_agrees_with_float32(name: str, corpus: Any) -> None:
    """The loss within 3 %, the whole gradient within 5 % of its length: bfloat16 keeps two to three digits of a number.

    GCLSR's gradient passes through four batch norms, which divide by the spread of 16 rows: there it is 25 %.
    """
    exact, gradient = loss_and_gradient(name, corpus, torch.float32)
    rounded, other = loss_and_gradient(name, corpus, torch.bfloat16)
    assert rounded != exact and not torch.equal(other, gradient), "bfloat16 did not run"
    assert rounded == pytest.approx(exact, rel=0.03)
    assert (other - gradient).norm() < (0.25 if name == "gclsr" else 0.05) * gradient.norm()
