from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clwork.encoders import Encoder, ProjectionHead, load_encoder
from clwork.encoders import encoder as encoder_module
from clwork.encoders.batching import by_length
from clwork.encoders.loading import BUNDLED
from clwork.encoders.pooling import POOLINGS

from .conftest import TEXTS, with_head


@pytest.fixture(scope="module")
def encoder(bert_folder: Path) -> Encoder:
    return with_head(bert_folder, out=16)


def test_order_and_batching_do_not_matter(encoder: Encoder) -> None:
    for pooling in POOLINGS:
        one = encoder.with_pooling(pooling)
        together = one.encode(TEXTS)
        alone = np.concatenate([one.encode([text]) for text in TEXTS])
        np.testing.assert_allclose(together, alone, atol=2e-5, err_msg=pooling)
        assert np.abs(together[0] - together[1]).max() > 1e-2  # not vacuous: sentences differ


def test_tokens_agree_with_transformers_and_number_words(encoder: Encoder) -> None:
    for text, tokens in zip(TEXTS, encoder.tokenize(TEXTS), strict=True):
        assert tokens.ids == encoder.tokenizer(text, truncation=True, max_length=24)["input_ids"]
    tokens = encoder.tokenize(["The farther dog!"])[0]
    pieces = [encoder.tokenizer.convert_ids_to_tokens(i) for i in tokens.ids]
    assert pieces == ["[CLS]", "the", "far", "##ther", "dog", "!", "[SEP]"]
    assert tokens.words == [-1, 0, 1, 1, 2, 3, -1]


def test_truncation(encoder: Encoder) -> None:
    """At the model's positions in encode, at max_length in training; [SEP] stays in both."""
    long = encoder.tokenize(["cat " * 100])[0]
    assert encoder.max_length == len(long.ids) == 24
    assert long.ids[-1] == 3
    assert long.words[-1] == -1
    batch = encoder.collate([long.ids, [2, 5, 3]], max_length=8)
    assert batch["input_ids"].shape == (2, 8)
    assert batch["input_ids"][0, -1] == 3
    assert batch["attention_mask"].sum(1).tolist() == [8, 3]
    assert not batch["input_ids"][1, 3:].any()


def test_encode_uses_eval_mode_and_restores_the_earlier_modes(encoder: Encoder) -> None:
    encoder.train()
    encoder.backbone.encoder.layer[0].eval()  # type: ignore[union-attr,index]
    try:
        found = [part.training for part in encoder.modules()]
        assert encoder.encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes()
        assert [part.training for part in encoder.modules()] == found
        with pytest.raises(TypeError):
            encoder.encode([1])  # type: ignore[list-item]
        batch = encoder.collate([[2, 5, 6, 3]])
        assert not torch.equal(
            encoder(batch), encoder(batch)
        )  # not vacuous: there is dropout to switch off
        assert encoder(batch).requires_grad
    finally:
        encoder.eval()


def test_threads_that_share_an_encoder_in_train_mode_get_its_vectors(encoder: Encoder) -> None:
    """The second thread begins while the first one encodes, and encodes after the first one has
    ended.
    """
    first, texts = copy.deepcopy(encoder).train(), ["the cat ran", "a dog"]
    second, found = first.with_pooling("mean").train(), list[np.ndarray]()  # shares the weights
    expected = encoder.with_pooling("mean").encode(texts)
    began = {first: threading.Event(), second: threading.Event()}
    ended = threading.Event()

    def meet(*_: object) -> None:
        own, other = (
            (first, began[second])
            if threading.current_thread().name == "first"
            else (second, ended)
        )
        began[own].set()
        assert other.wait(10)

    def encode(one: Encoder) -> None:
        found.append(one.encode(texts))

    first.backbone.register_forward_pre_hook(meet)
    threads = [
        threading.Thread(target=encode, args=[one], name=name)
        for one, name in zip(began, ("first", "second"), strict=True)
    ]
    threads[0].start()
    assert began[first].wait(10)
    threads[1].start()
    threads[0].join()
    ended.set()
    threads[1].join()
    np.testing.assert_allclose(found[1], expected, atol=1e-5, err_msg="dropout was on")
    assert all(part.training for part in [*first.modules(), *second.modules()])


def test_with_pooling_shares_weights_and_drops_the_head_for_other_poolings(
    encoder: Encoder,
) -> None:
    mean = encoder.with_pooling("mean")
    assert mean.backbone is encoder.backbone
    assert mean.head is None
    assert encoder.pooling == "cls"
    raw = encoder.with_pooling("cls_before_pooler")
    assert np.abs(raw.encode(TEXTS) - encoder.encode(TEXTS)).max() > 1e-2
    assert raw.with_pooling("cls").encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes()
    with pytest.raises(ValueError, match="has none; use 'cls_before_pooler'"):
        mean.with_pooling("cls")
    with pytest.raises(ValueError, match="'average' is not known"):
        encoder.with_pooling("average")


def test_a_head_stays_with_the_pooling_it_was_trained_with(encoder: Encoder) -> None:
    head = ProjectionHead(16, 5, generator=torch.Generator().manual_seed(0))
    small = Encoder(encoder.backbone, encoder.tokenizer, name="x", pooling="mean", head=head)
    assert small.dim == 5
    assert small.hidden_dim == 16
    want = head(torch.from_numpy(encoder.with_pooling("mean").encode(TEXTS))).detach().numpy()
    np.testing.assert_allclose(small.encode(TEXTS), want, atol=1e-6)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 120))
def test_groups_hold_every_row_once_within_the_limit_of_positions(
    lengths: list[int], most: int
) -> None:
    groups = list(by_length(lengths, most))
    assert sorted(i for group in groups for i in group) == list(range(len(lengths)))
    for group in groups:
        assert (
            len(group) == 1
            or len(group) * max(lengths[i] for i in group) <= most
            or not max(lengths)
        )
    longest = [lengths[i] for group in groups for i in group]
    assert longest == sorted(lengths, reverse=True)


@pytest.mark.parametrize("limit", [None, 6])
def test_groups_give_the_vectors_and_gradients_of_one_forward(
    bert_folder: Path, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = with_head(bert_folder).requires_grad_(True)
    monkeypatch.setattr(encoder_module, "POSITIONS_ON_CPU", 20)
    monkeypatch.setattr(encoder_module, "POSITIONS_PACKED", 20)
    rows = [tokens.ids for tokens in encoder.tokenize([*TEXTS, "cat " * 20, "a"])]
    sizes = []
    hook = encoder.backbone.register_forward_pre_hook(
        lambda _, __, batch: sizes.append(tuple(batch["input_ids"].shape)), with_kwargs=True
    )
    whole = encoder(encoder.collate(rows, limit))
    parts = encoder.forward_by_length(rows, limit)
    hook.remove()
    assert len(sizes) > 2, "guard: there were groups"
    assert all(n == 1 or n * length <= 20 for n, length in sizes[1:])
    torch.testing.assert_close(parts, whole, rtol=0, atol=2e-6)
    direction = torch.randn(whole.shape, generator=torch.Generator().manual_seed(0))
    weights = list(encoder.parameters())
    for one, other in zip(
        *(torch.autograd.grad((out * direction).sum(), weights) for out in (whole, parts)),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_pieces_outside_the_vocabulary_are_counted(encoder: Encoder) -> None:
    texts = ["The cat sat.", "the 猫 sat on 猫 ☃", ""]
    assert encoder.unknown_share(texts) == 0.3
    assert encoder.unknown_share([""]) == 0


def test_the_bundled_encoder() -> None:
    encoder = load_encoder(device="cpu")
    assert (encoder.name, encoder.dim, encoder.pooling, encoder.head) == ("mini", 256, "mean", None)
    vectors = encoder.encode(
        ["The cat sat on the mat.", "a cat is sitting on a mat", "The treaty was signed in 1648."]
    )
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert cosines[0, 1] > cosines[0, 2]
    assert cosines[0, 1] > cosines[1, 2]
    with pytest.raises(ValueError, match="use 'cls_before_pooler'"):
        load_encoder("mini", pooling="cls")

    for folder in BUNDLED.values():
        assert (folder / "model.safetensors").stat().st_size <= 12_000_000
        assert {path.suffix for path in folder.iterdir()} <= {".json", ".md", ".safetensors"}


def test_the_two_minis_differ_in_their_weights_alone() -> None:
    mini, old = (load_encoder(name, device="cpu") for name in BUNDLED)
    assert (old.name, old.dim, old.pooling, old.raw) == ("mini-old", 256, mini.pooling, True)
    assert old.tokenize(["A cat sat."])[0].words == mini.tokenize(["A cat sat."])[0].words
    vectors = [each.encode(["A cat sat on a mat."]) for each in (mini, old)]
    assert np.abs(vectors[0] - vectors[1]).max() > 0.1


def test_equal_encoders_have_one_fingerprint(any_folder: Path, tmp_path: Path) -> None:
    encoder = with_head(any_folder, "mean")
    encoder.save(tmp_path / "saved")
    others = [
        load_encoder(tmp_path / "saved", device="cpu"),
        with_head(any_folder, "mean"),
        copy.deepcopy(encoder),
        encoder.train(),
    ]
    assert {other.fingerprint() for other in others} == {encoder.fingerprint()}


def one_weight(encoder: Encoder) -> Encoder:
    weight = next(encoder.backbone.parameters())
    with torch.no_grad():
        weight.view(-1)[5] = torch.nextafter(weight.view(-1)[5], torch.tensor(torch.inf))
    return encoder


def other_activation(encoder: Encoder) -> Encoder:
    head = ProjectionHead(16, 7, "relu", generator=torch.Generator())
    assert isinstance(encoder.head, ProjectionHead)
    head.load_state_dict(encoder.head.state_dict())
    return encoder.with_head(head, "mean")


CHANGES: list[Callable[[Encoder], Encoder]] = [
    lambda encoder: encoder,
    one_weight,
    other_activation,
    lambda encoder: encoder.without_head("mean"),
    lambda encoder: encoder.with_head(encoder.head, "max"),
    Encoder.half,
]


def test_each_change_of_an_encoder_changes_the_fingerprint(bert_folder: Path) -> None:
    found = {change(with_head(bert_folder, "mean")).fingerprint() for change in CHANGES}
    assert len(found) == len(CHANGES)
