"""The baseline with labels: what each kind of examples teaches, and that a run of it starts and resumes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn import functional as F

import clwork
from clwork import methods
from clwork.encoders import Encoder, load_encoder
from clwork.methods import Draws

from ..runs import stop_at, weights

pytestmark = pytest.mark.nightly

CPU = torch.device("cpu")
TEXTS = ["the cat sat", "a dog ran", "on the mat", "far away"]
LABELLED = [(text, number % 3) for number, text in enumerate(TEXTS)]
GRADED = [("the cat sat", "a cat sat", 4.5), ("a dog ran", "far away", 0.0), ("on the mat", "the mat", 3)]
TRIPLETS = [("a dog ran", "a dog", "a cat"), ("the cat sat", "a cat", "far away")]
PLAIN: dict[str, Any] = {"dropout_hidden": 0.0, "dropout_attention": 0.0, "classes": 3}


@pytest.fixture(scope="module")
def mini() -> Encoder:
    return load_encoder("mini", device="cpu")


def make(encoder: Encoder, examples: list[Any], **values: Any) -> Any:
    config = methods.config("supervised", encoder="mini", **(PLAIN | values))
    method = methods.get("supervised")(encoder, config, torch.Generator().manual_seed(0)).train()
    method.kind = method.check_examples(examples)
    return method


def views(method: Any, examples: list[Any]) -> dict[str, torch.Tensor]:
    return dict(method.embed(method.tokenize(examples), Draws.of(0, 0, CPU)))


def test_it_is_trained_by_its_name_and_listed_nowhere() -> None:
    assert "supervised" not in methods.names() and "supervised" in methods.names(baselines=True)
    assert set(methods.names()) < set(methods.names(baselines=True))
    assert methods.get("supervised").title == "Supervised baseline"
    with pytest.raises(TypeError, match="baselines="):
        methods.names(baselines="yes")  # type: ignore[arg-type]


def test_labels_are_told_apart_by_a_linear_layer(mini: Encoder) -> None:
    method = make(mini, LABELLED)
    z = views(method, LABELLED)
    assert method.kind == "labelled" and set(z) == {"z1", "targets"}
    torch.testing.assert_close(z["z1"], torch.from_numpy(mini.encode(TEXTS)), atol=1e-4, rtol=1e-3)
    logits = z["z1"] @ method.classifier.dense.weight.T + method.classifier.dense.bias
    terms = method.compare(z)
    torch.testing.assert_close(terms.loss, F.cross_entropy(logits, torch.tensor([0, 1, 2, 0])))
    assert float(terms.parts["accuracy"]) == float((logits.argmax(1) == torch.tensor([0, 1, 2, 0])).float().mean())


def test_grades_are_the_cosines_aim(mini: Encoder) -> None:
    method = make(mini, GRADED)
    first, second = (torch.from_numpy(mini.encode([str(row[k]) for row in GRADED])) for k in range(2))
    want = (F.cosine_similarity(first, second) - torch.tensor([0.9, 0.0, 0.6])).square().mean()
    torch.testing.assert_close(method.compare(views(method, GRADED)).loss, want, atol=1e-4, rtol=1e-3)


def test_triplets_are_sentence_berts_objective(mini: Encoder) -> None:
    method = make(mini, TRIPLETS)
    z = views(method, TRIPLETS)
    losses = []
    for other, label in (("z2", 1), ("z3", 0)):
        for u, v in zip(z["z1"], z[other], strict=True):
            logits = method.comparer(torch.cat([u, v, (u - v).abs()])[None])
            losses.append(F.cross_entropy(logits, torch.tensor([label])))
    torch.testing.assert_close(method.compare(z).loss, torch.stack(losses).mean())


@pytest.mark.parametrize("examples", [LABELLED, GRADED, TRIPLETS])
def test_a_few_steps_learn_the_examples(examples: list[Any]) -> None:
    method = make(load_encoder("mini", device="cpu"), examples)
    tokens, optimizer = method.tokenize(examples), torch.optim.AdamW(method.parameters(), lr=1e-3)
    losses = []
    for step in range(12):
        terms = method.compare(method.embed(tokens, Draws.of(0, step, CPU)))
        optimizer.zero_grad()
        terms.loss.backward()
        optimizer.step()
        losses.append(float(terms.loss.detach()))
    assert losses[-1] < 0.5 * losses[0]


def test_the_mlp_is_kept_at_test_and_the_linear_layers_are_not(mini: Encoder) -> None:
    method = make(mini, GRADED, mlp=True)
    raw = torch.from_numpy(mini.encode(TEXTS))
    trained = torch.from_numpy(method.test_encoder().encode(TEXTS))
    torch.testing.assert_close(trained, method.mlp(raw).detach(), atol=1e-4, rtol=1e-3)
    assert method.test_encoder().with_pooling("first_last").head is None
    assert make(mini, GRADED).test_encoder().head is None


@pytest.mark.parametrize(
    ("examples", "error"),
    [
        (["a", "b"], TypeError),
        ([("a", "b")], TypeError),
        ([("a", 3)], TypeError),
        ([("a", -1)], TypeError),
        ([("a", True)], TypeError),
        ([("a", "b", 5.1)], TypeError),
        ([("a", "b", float("nan"))], TypeError),
        ([("a", 0), ("b", 9)], ValueError),
        ([("a", 0), ("a", "b", 1.0)], ValueError),
        ([("a", "b", "c"), ("a", "b", None)], ValueError),
    ],
)
def test_other_examples_are_refused_with_what_to_give(
    mini: Encoder, examples: list[Any], error: type[Exception]
) -> None:
    with pytest.raises(error, match=r"give \(text, label\)"):
        make(mini, examples)


@pytest.mark.parametrize("examples", [LABELLED, GRADED])
def test_a_run_resumes_bit_for_bit_and_reads_back(examples: list[Any]) -> None:
    some = [
        (*(f"{part} {n}" if isinstance(part, str) else part for part in row),) for n in range(4) for row in examples
    ]
    settings: dict[str, Any] = {"sentences": some, "steps": 4, "batch_size": 4, "device": "cpu", "probe_every": 2}
    whole = clwork.start("supervised", name="whole", **settings).wait()
    cut = stop_at(clwork.start("supervised", name="cut", **settings), 2)
    resumed = clwork.resume(cut.folder)
    assert whole.status == resumed.status == "finished"
    want, got = weights(whole), weights(resumed)
    assert all(torch.equal(want[name], got[name]) for name in want)
    assert whole.encoder.encode(TEXTS).shape == (4, 256)
    assert repr(clwork.open_run(whole.folder)) and whole.diagnosis is not None
