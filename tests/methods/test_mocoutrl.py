"""MoCoUTRL's wiring: triplets, use of the dictionary, both heads, every switch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import methods
from clwork.encoders import load_encoder
from clwork.losses import long_span, token_level
from clwork.methods import Draws

SENTENCES = [
    "the big cat sat on the mat",
    "a poor dog ran far",
    "no swap",
    "the hot mat",
    "a happy cat ran",
]
CPU = torch.device("cpu")
STILL: dict[str, Any] = {"dropout_hidden": 0.0, "dropout_attention": 0.0}


def make(folder: Path, **values: Any) -> Any:
    config = methods.config("mocoutrl", **({"batch_size": 5} | values))
    encoder = load_encoder(folder, pooling="mean", device="cpu")
    return methods.get("mocoutrl")(encoder, config, torch.Generator().manual_seed(0)).train()


def views(method: Any, step: int = 0, sentences: list[str] = SENTENCES) -> dict[str, torch.Tensor]:
    return dict(method.embed(method.tokenize(sentences), Draws.of(0, step, CPU)))


def test_sentences_without_a_swap_are_not_usable_and_the_others_counted(tiny: Path) -> None:
    method = make(tiny)
    usable = method.usable()
    found = [usable(example) for example in method.tokenize(SENTENCES)]
    assert found == [True, True, False, True, True]
    z = views(method)
    names = {"anchor", "positive", "negative"}
    names |= {"token_label", "token_positive", "token_negative"}
    assert {name: tuple(view.shape) for name, view in z.items()} == dict.fromkeys(names, (4, 16))
    assert float(method.compare(z).parts["swapped_share"]) == pytest.approx(4 / 5)
    cut = make(tiny, max_length=4)  # the word is there, and is cut off
    long = ["the mat ran on and on, big", "the dog ran far, hot"]
    assert not any(map(cut.usable(), cut.tokenize(long)))


@pytest.mark.parametrize("lam", [0.0, 0.3, 1.0])
def test_the_loss_equals_the_library_function_on_the_views(tiny: Path, lam: Any) -> None:
    loud: dict[str, Any] = {"temperature": 0.2} if lam else {}
    method = make(tiny, lam=lam, **loud)
    terms, z = method.compare(views(method)), views(method)
    tokens: dict[str, Any] = {
        name: z[name] for name in ("token_label", "token_positive", "token_negative")
    }
    sentences = long_span(z["anchor"], z["positive"], z["negative"], **loud)
    expected = lam * sentences + (1 - lam) * token_level(*tokens.values(), unit_label=False)
    assert terms.loss.item() == pytest.approx(expected.item(), rel=1e-6)
    parts = terms.parts
    assert terms.loss.item() == pytest.approx(
        lam * float(parts["long_loss"]) + (1 - lam) * float(parts["token_loss"])
    )
    assert not any(part.requires_grad for part in parts.values())


def test_originals_use_the_embeddings_and_changed_sentences_the_dictionary(tiny: Path) -> None:
    by_dictionary, by_encoder = make(tiny, **STILL), make(tiny, aug_embedding="encoder", **STILL)
    for method in (by_dictionary, by_encoder):
        method.dictionary.table.mul_(-1)
    one, other = views(by_dictionary), views(by_encoder)
    torch.testing.assert_close(one["anchor"], other["anchor"])
    for name in ("positive", "negative", "token_positive", "token_negative"):
        assert not torch.allclose(one[name], other[name]), name
    torch.testing.assert_close(one["token_label"], other["token_label"])  # always the dictionary's


def test_changed_sentences_give_the_word_embeddings_no_gradient(tiny: Path) -> None:
    """Words that occur in changed sentences only, such as the replacements, get no gradient."""
    known = {"dictionary": False, "encoder": True}
    for way, reached in known.items():
        method = make(tiny, aug_embedding=way, **STILL)
        method.compare(views(method, sentences=["a hot cat", "a big dog"])).loss.backward()
        gradient = method.encoder.backbone.get_input_embeddings().weight.grad
        only_changed = method.encoder.tokenizer.convert_tokens_to_ids(
            ["##d", "l"]
        )  # of cold, little and large
        assert bool(gradient[only_changed].any()) is reached, way
        assert gradient[method.encoder.tokenizer.convert_tokens_to_ids("cat")].any()
        assert all(p.grad is not None and p.grad.any() for p in method.sentence_head.parameters())
        assert all(p.grad is not None and p.grad.any() for p in method.token_head.parameters())


def test_the_label_is_the_mean_of_the_original_words_entries(tiny: Path) -> None:
    method = make(tiny, perturb="none", token_loss="literal")
    ids = method.encoder.tokenizer.convert_tokens_to_ids(["b", "##i", "##g"])
    label = views(method, sentences=["the big cat"])["token_label"]
    torch.testing.assert_close(label, method.dictionary.table[ids].mean(dim=0)[None])


def test_the_printed_token_loss_takes_the_normalised_and_perturbed_label(tiny: Path) -> None:
    """Eq. 10 and 21 together have a label of length about 1; alone, eq. 10 has the raw entry."""
    both, alone = (
        make(tiny, token_loss="literal", perturb="radial"),
        make(tiny, token_loss="literal", perturb="none"),
    )
    length = views(both)["token_label"].norm(dim=1)
    assert ((length > 0.985) & (length < 1)).all()
    assert (views(alone)["token_label"].norm(dim=1) < 0.9).all()
    z = views(both)
    by_hand = ((z["token_label"] - z["token_positive"]) ** 2).mean() - (
        (z["token_label"] - z["token_negative"]) ** 2
    ).mean()
    assert float(both.compare(z).parts["token_loss"]) == pytest.approx(
        float(by_hand.detach()), rel=1e-5
    )


def test_the_released_token_loss_compares_all_three_words(tiny: Path) -> None:
    method = make(tiny, token_loss="code", heads=False)
    z = views(method)
    outputs = torch.cat([z["token_anchor"], z["token_positive"], -z["token_negative"]])
    entries = torch.cat([z["token_label"], z["positive_label"], z["negative_label"]])
    expected = torch.nn.functional.mse_loss(outputs, entries)
    assert method.compare(z).parts["token_loss"].item() == pytest.approx(expected.item(), rel=1e-6)


def test_at_test_there_are_no_heads_and_no_dictionary(tiny: Path) -> None:
    raw = load_encoder(tiny, pooling="mean", device="cpu").encode(SENTENCES)
    method = make(tiny)
    method.dictionary.table.zero_()
    np.testing.assert_allclose(method.test_encoder().encode(SENTENCES), raw, atol=1e-6)
    assert method.test_encoder().head is None


CORPUS = [
    f"the {a} {b} ran {c}"
    for a in ("big", "hot", "poor")
    for b in ("cat", "dog", "mat")
    for c in ("far", "on")
]
RUN: dict[str, Any] = {
    "batch_size": 4,
    "learning_rate": 1e-3,
    "momentum": 0.5,
    "probe_every": 50,
    "eval_every": 50,
}


def start(folder: Path, **values: Any) -> clwork.Run:
    about: dict[str, Any] = {"sentences": CORPUS, "steps": 8, "device": "cpu"}
    return clwork.start("mocoutrl", encoder=folder, **(about | RUN | values))


def test_batches_hold_only_sentences_with_a_swap(tiny: Path) -> None:
    useless = [
        f"the {b} ran on {c}"
        for b in ("cat", "dog", "mat")
        for c in ("far", "a mat", "it", "and on")
    ]
    run = start(tiny, sentences=CORPUS + useless, batch_size=6).wait()
    assert run.status == "finished"
    assert (run.history["swapped_share"].iloc[1:] == 1).all()
    with pytest.raises(
        ValueError, match=r"only 1 of 13 examples can be used, fewer than one batch of 4"
    ):
        start(tiny, sentences=[*useless, "a big dog"]).wait()
