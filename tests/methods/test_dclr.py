"""DCLR's wiring: additions to SimCSE, its noise, and the complementary model."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn.functional import cosine_similarity, normalize

import clwork
from clwork import losses, methods
from clwork.methods import Draws
from clwork.run_folder.folder import RunFolder
from clwork.training.preparation import RunPreparation
from tests.encoders.conftest import write_tiny

from ..runs import stop_at

SENTENCES = [
    "the cat sat on the mat",
    "the dog ran far",
    "a cat ran to the mat",
    "the dog sat on a cat, and ran",
    "on and on the dog ran",
    "far, farther, the mat!",
]
CPU = torch.device("cpu")
RELEASED = {"beta_rel": 0.0, "phi_quantile": 0.0}  # the preset for the mini encoder has others
CORPUS = [
    f"the {a} {verb} on the {b}"
    for a in ("cat", "dog", "mat")
    for verb in ("sat", "ran", "fed")
    for b in "abcdef"
]


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_tiny(tmp_path_factory.mktemp("other"), "roberta", seed=5))


def make(tiny: Path, name: str = "dclr", **values: Any) -> Any:
    config = methods.config(name, batch_size=6, **{**RELEASED, **values})
    method = methods.get(name)(
        clwork.load_encoder(tiny, device="cpu"), config, torch.Generator().manual_seed(0)
    )
    return method.train()


def views(method: Any, step: int = 0) -> dict[str, torch.Tensor]:
    return dict(method.embed(method.tokenize(SENTENCES), Draws.of(0, step, CPU)))


def begin(method: Any, folder: Path) -> Any:
    tokenized = method.tokenize(SENTENCES)
    method.begin(lambda step: tokenized, RunPreparation(RunFolder(folder)))
    return method


def train(tiny: Path, method: str = "dclr", steps: int = 3, **values: Any) -> clwork.Run:
    short: dict[str, Any] = {"batch_size": 8, "probe_every": 50, "eval_every": 50, "device": "cpu"}
    return clwork.train(method, encoder=tiny, sentences=CORPUS, steps=steps, **{**short, **values})


def test_without_noise_and_weights_it_is_simcse_to_the_bit(tiny: Path) -> None:
    """Same batch, same masks, same head, same loss and the same weights afterwards."""
    ours = train(tiny, steps=4, weighting="none", noise_ratio=0.0)
    theirs = train(tiny, "simcse", steps=4, temperature=0.05)
    assert ours.history["loss"].equals(theirs.history["loss"])
    mine, other_weights = ours.encoder.state_dict(), theirs.encoder.state_dict()
    assert all(torch.equal(mine[name], other_weights[name]) for name in mine)
    assert (
        not train(tiny, steps=4, weighting="none").history["loss"].equals(theirs.history["loss"])
    )  # the guard


def test_views_and_loss_equal_those_of_the_library_functions(tiny: Path) -> None:
    method = make(tiny, phi=0.5, temperature=0.1, noise_ratio=1.5, beta_rel=0.5)
    z = views(method)
    assert {name: tuple(v.shape) for name, v in z.items()} == {
        "z1": (6, 16),
        "z2": (6, 16),
        "noise": (9, 16),
        "complementary": (6, 16),
    }
    c = normalize(z["complementary"])
    weights = losses.instance_weights(c @ c.T, phi=0.5)
    # beta_rel = β t / (σ √d), with t = 4, σ = 1, d = 16
    noise = clwork.augmenters.ascend_noise(
        z["noise"], z["z1"], z["z2"], step_size=0.5, temperature=0.1
    )
    terms = method.compare(z)
    assert torch.equal(
        terms.loss, losses.dclr(z["z1"], z["z2"], noise=noise, weights=weights, temperature=0.1)
    )
    mass = losses.softmax_mass(z["z1"], z["z2"], noise=noise, weights=weights, temperature=0.1)
    found = [terms.parts[name] for name in ("positive_mass", "in_batch_mass", "noise_mass")]
    assert found == list(mass)
    assert sum(map(float, found)) == pytest.approx(1)
    assert float(terms.parts["masked_share"]) == pytest.approx(float((weights == 0).sum()) / 30)
    assert float(terms.parts["positive_cosine"]) == pytest.approx(
        float(cosine_similarity(z["z1"], z["z2"]).detach().mean())
    )


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        ({"noise_scope": "sentence"}, (6, 6, 16)),
        ({"noise_ratio": 0.5}, (3, 16)),
        ({"noise_ratio": 0.0}, None),
    ],
)
def test_number_and_scope_of_noise(tiny: Path, values: Any, shape: Any) -> None:
    method = make(tiny, **values)
    z = views(method)
    assert (tuple(z["noise"].shape) if "noise" in z else None) == shape
    terms = method.compare(z)
    assert torch.isfinite(terms.loss)
    assert (float(terms.parts["noise_mass"]) > 0) is (shape is not None)


@pytest.mark.parametrize("weighting", ["complementary", "self", "none"])
def test_which_model_finds_false_negatives(tiny: Path, weighting: Any) -> None:
    method = make(tiny, weighting=weighting)
    method.config.phi = 0.2  # of no effect with weighting='none'
    z = views(method)
    assert ("complementary" in z) is (weighting == "complementary")
    terms = method.compare(z)
    assert (float(terms.parts["masked_share"]) > 0) is (weighting in ("complementary", "self"))
    alike = method.similarities(z)
    assert (alike is None) is (weighting == "none")
    assert alike is None or not alike.requires_grad


def test_a_cut_off_changes_the_second_view_alone(tiny: Path) -> None:
    calm: dict[str, Any] = {"dropout_hidden": 0.0, "dropout_attention": 0.0, "noise_ratio": 0.0}
    plain = views(make(tiny, **calm))
    method = make(tiny, **calm, augmentation="token_cutoff")
    before = method.encoder.encode(SENTENCES)
    changed = views(method)
    torch.testing.assert_close(plain["z1"], plain["z2"])
    torch.testing.assert_close(changed["z1"], plain["z1"])
    assert (cosine_similarity(changed["z1"], changed["z2"]) < 0.9999).sum() >= 4
    assert (method.encoder.encode(SENTENCES) == before).all()  # the encoder is unchanged


def test_the_complementary_model_is_no_parameter_and_is_not_trained(
    tiny: Path, tmp_path: Path
) -> None:
    method = begin(make(tiny, complementary_steps=0, phi=0.5), tmp_path)
    mine = [*method.encoder.parameters(), *method.head.parameters()]
    assert {id(p) for p in method.parameters()} == {id(p) for p in mine}
    assert not any(name.startswith("complementary") for name in method.state_dict())
    model = method.complementary.module
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    optimizer = method.optimizer()
    method.train()
    method.compare(views(method)).loss.backward()
    optimizer.step()
    assert not model.training
    assert all(p.grad is None for p in model.parameters())
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


def test_trained_before_the_run_it_is_simcse_from_the_same_start(
    tiny: Path, tmp_path: Path
) -> None:
    raw, method = (
        make(tiny, complementary_steps=0),
        make(tiny, complementary_steps=20, learning_rate=1e-3),
    )
    begin(raw, tmp_path / "raw")
    begin(method, tmp_path / "trained")
    start = {name: tensor.clone() for name, tensor in method.encoder.state_dict().items()}
    assert all(
        torch.equal(t, start[name]) for name, t in raw.complementary.module.state_dict().items()
    )
    model = method.complementary.module
    assert any(not torch.equal(t, start[name]) for name, t in model.state_dict().items())
    alike = [m.similarities(views(m)) for m in (raw, method)]
    assert not torch.allclose(alike[1], alike[0], atol=1e-3)
    again = begin(make(tiny, complementary_steps=20, learning_rate=1e-3), tmp_path / "again")
    made = method.complementary.module.fingerprint()
    assert again.complementary.module.fingerprint() == made
    reused = begin(
        make(tiny, complementary_steps=1, learning_rate=1e-5), tmp_path / "trained"
    )  # found, not made again
    assert reused.complementary.module.fingerprint() == made


def test_the_complementary_model_by_name_folder_and_run(
    tiny: Path, other: str, tmp_path: Path
) -> None:
    run = train(tiny, "simcse", name="other", learning_rate=1e-2)
    expected = run.encoder.encode(SENTENCES)
    for number, name in enumerate(("other", str(run.folder), str(run.folder / "encoder"))):
        method = begin(make(tiny, complementary=name), tmp_path / str(number))
        assert (method.complementary.module.encode(SENTENCES) == expected).all()
    shutil.rmtree(run.folder / "encoder")  # as in a run that was killed
    with pytest.raises(FileNotFoundError, match="wait until it has finished"):
        begin(make(tiny, complementary="other"), tmp_path / "none")
    with pytest.raises(OSError, match="'ohter'"):
        begin(make(tiny, complementary="ohter"), tmp_path / "none")
    method = begin(
        make(tiny, complementary=other, max_length=12), tmp_path / "run"
    )  # another tokenizer's encoder
    plain = clwork.load_encoder(other, device="cpu")
    short = [0, 1, 2]  # sentences that fit into 12 pieces
    torch.testing.assert_close(
        views(method)["complementary"][short],
        torch.from_numpy(plain.encode([SENTENCES[i] for i in short])),
    )


@pytest.mark.nightly
def test_a_run_stores_its_complementary_model(tiny: Path, tmp_path: Path) -> None:
    model = train(tiny, "simcse", name="gone", learning_rate=1e-2)
    short: dict[str, Any] = {"batch_size": 8, "probe_every": 50, "eval_every": 50, "device": "cpu"}
    run = clwork.start(
        "dclr", encoder=tiny, sentences=CORPUS, complementary="gone", phi=0.3, steps=4, **short
    )
    stop_at(run, 2)
    shutil.rmtree(model.folder)
    copy = run.save(tmp_path / "copy")
    shutil.rmtree(run.folder)
    assert clwork.resume(copy).status == "finished"
