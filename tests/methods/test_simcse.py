"""SimCSE's wiring: what its two views are, where the head is, and what the test-time representation is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import methods
from clwork.methods import Draws

SENTENCES = ["The river is long.", "A band plays on the square.", "He was born in Paris.", "Two cats sleep."]
TRIPLETS = [(s, s.replace("is", "was"), "No " + s) for s in SENTENCES]


def make(examples: Any = SENTENCES, **values: Any) -> Any:
    config = methods.config("simcse", batch_size=4, **values)
    method = methods.get("simcse")(clwork.load_encoder("mini"), config, torch.Generator().manual_seed(0))
    method.kind = method.check_examples(examples)
    return method.train()


def views(method: Any, examples: Any = SENTENCES, step: int = 0) -> dict[str, torch.Tensor]:
    return dict(method.embed(method.tokenize(examples), Draws.of(0, step, torch.device("cpu"))))


def test_dropout_makes_the_two_views_differ_and_the_step_repeats_them() -> None:
    method = make()
    first, again, later = views(method), views(method), views(method, step=1)
    assert set(first) == {"z1", "z2"} and first["z1"].shape == (4, 256)
    assert not torch.equal(first["z1"], first["z2"])
    assert torch.equal(first["z1"], again["z1"]) and torch.equal(first["z2"], again["z2"])
    assert not torch.equal(first["z1"], later["z1"])


def test_a_fixed_mask_is_dropout_with_equal_views() -> None:
    fixed, none = views(make(fixed_mask=True)), views(make(dropout_hidden=0.0, dropout_attention=0.0))
    assert torch.equal(fixed["z1"], fixed["z2"])
    assert not torch.allclose(fixed["z1"], none["z1"])


def test_word_augmentations_change_view_2_only(subtests: pytest.Subtests) -> None:
    for augmentation in ["delete", "delete_one", "crop"]:
        with subtests.test(augmentation=augmentation):
            rate: dict[str, Any] = {} if augmentation == "delete_one" else {"augmentation_rate": 0.5}
            method = make(augmentation=augmentation, **rate)
            tokens = method.tokenize(SENTENCES)
            first, second = method.rows(tokens, Draws.of(0, 0, torch.device("cpu")))
            assert first == [t.ids for t in tokens]
            assert all(len(b) < len(a) for a, b in zip(first, second, strict=True))


PAIRS = [triplet[:2] for triplet in TRIPLETS]
QUADRUPLETS = [(*triplet, f"Perhaps {triplet[0]}") for triplet in TRIPLETS]


def test_pairs_give_positives_and_no_hard_negative() -> None:
    z, triplets = views(make(PAIRS, head="none"), PAIRS), views(make(TRIPLETS, head="none"), TRIPLETS)
    assert set(z) == {"z1", "z2"} and not torch.equal(z["z1"], z["z2"])
    method = make(PAIRS)
    assert method.kind == "pairs" and method.supervised and method.references() == {"log N": pytest.approx(math.log(4))}
    alone = method.compare(z).loss
    assert alone == clwork.losses.simcse(z["z1"], z["z2"]) and alone < make(TRIPLETS).compare(triplets).loss
    assert method.view_texts(PAIRS, method.tokenize(PAIRS), Draws.of(0, 0, torch.device("cpu")))["z2"] == [
        b for _, b in PAIRS
    ]


def test_a_fourth_column_is_a_second_hard_negative() -> None:
    method = make(QUADRUPLETS, hard_negative_weight=2.0)
    z = views(method, QUADRUPLETS)
    assert set(z) == {"z1", "z2", "hard_negatives", "neutral"} and method.references().keys() == {"log 3N"}
    both = torch.cat([z["hard_negatives"], z["neutral"]])
    assert method.compare(z).loss == clwork.losses.simcse(z["z1"], z["z2"], both, hard_negative_weight=2.0)


def test_the_other_direction_counts_half() -> None:
    z, there = views(make()), clwork.losses.simcse
    found = make(both_directions=True).compare(z).loss
    expected = (there(z["z1"], z["z2"]) + there(z["z2"], z["z1"])) / 2
    assert found.item() == pytest.approx(expected.item())
    assert there(z["z1"], z["z2"]) != there(z["z2"], z["z1"])


def test_first_views_are_negatives_of_all_but_themselves() -> None:
    method = make(view1_negatives=True, temperature=1.0)
    z = views(method)
    there, same = (torch.cosine_similarity(z["z1"][:, None], z[name][None], dim=-1) for name in ("z2", "z1"))
    below = torch.cat([there, same.fill_diagonal_(-math.inf)], dim=1).logsumexp(dim=1)
    assert float(method.compare(z).loss) == pytest.approx(float((below - there.diagonal()).mean()), abs=1e-5)
    assert method.references() == {"log (2N - 1)": math.log(7)}


def test_the_unlabelled_loss_is_added_with_its_weight() -> None:
    method = make(TRIPLETS, unlabelled_weight=0.5)
    z = views(method, TRIPLETS)
    assert set(z) == {"z1", "z2", "hard_negatives", "again"} and not torch.equal(z["z1"], z["again"])
    labelled = clwork.losses.simcse(z["z1"], z["z2"], z["hard_negatives"])
    expected = labelled + 0.5 * clwork.losses.simcse(z["z1"], z["again"])
    assert float(method.compare(z).loss) == pytest.approx(float(expected))
    assert views(make(TRIPLETS), TRIPLETS).keys() == {"z1", "z2", "hard_negatives"}


def test_two_encoders_begin_alike_and_learn_apart(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [SENTENCES, TRIPLETS]
    for examples in cases:
        with subtests.test(examples=examples):
            still: dict[str, Any] = {"dropout_hidden": 0.0, "dropout_attention": 0.0}
            two, one = make(examples, two_encoders=True, **still), make(examples, **still)
            z, together = views(two, examples), views(one, examples)
            assert z.keys() == together.keys()
            for name in z:
                torch.testing.assert_close(z[name], together[name], atol=1e-5, rtol=1e-4)
            gradients = torch.autograd.grad(z["z1"].square().sum(), list(two.second.parameters()), allow_unused=True)
            assert all(gradient is None for gradient in gradients), "first views are the first encoder's alone"
            clwork.methods.train_step(
                two, two.optimizer(), two.tokenize(examples), Draws.of(0, 0, torch.device("cpu")), 0, 1
            )
            first, second = two.encoder.state_dict(), two.second.state_dict()
            assert any(not torch.equal(first[name], second[name]) for name in first)
            assert two.test_encoder().backbone is two.encoder.backbone


def test_a_switch_without_effect_is_refused(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (TRIPLETS, {"view1_negatives": True}, "triplets have hard negatives instead"),
        (TRIPLETS, {"augmentation": "delete"}, "augmentation='delete' would change nothing: pairs and triplets bring"),
        (SENTENCES, {"unlabelled_weight": 1.0}, "sentences have no labelled loss"),
        (PAIRS, {"hard_negative_weight": 2.0}, "only triplets have hard negatives"),
        (SENTENCES, {"fixed_mask": True, "two_encoders": True}, "two_encoders=False"),
    ]
    for examples, values, reason in cases:
        with subtests.test(examples=examples, values=values, reason=reason):
            with pytest.raises(ValueError, match=reason):
                make(examples, **values)


CHANGED = ["A big dog ran along the long street.", "The small child was happy.", "He had a cold supper.", "Rain fell."]


def test_words_are_exchanged_in_view_2_only_anew_at_each_step(subtests: pytest.Subtests) -> None:
    for augmentation in ["synonyms", "eda", "masked_words"]:
        with subtests.test(augmentation=augmentation):
            method = make(CHANGED, augmentation=augmentation, augmentation_rate=0.4)
            batch, draws = method.tokenize(CHANGED), [Draws.of(0, step, torch.device("cpu")) for step in (0, 0, 1)]
            first, second = method.rows(batch, draws[0])
            assert first == [tokens.ids for tokens in method.encoder.tokenize(CHANGED)] and second != first
            assert method.rows(batch, draws[1])[1] == second != method.rows(batch, draws[2])[1]
            shown = method.view_texts(CHANGED, batch, Draws.of(0, 0, torch.device("cpu")))["z2"]
            assert [tokens.ids for tokens in method.encoder.tokenize(shown)] == second or augmentation == "masked_words"
            assert views(method, CHANGED)["z2"].shape == (4, 256)


@pytest.mark.nightly
def test_words_are_filled_in_by_the_encoder_as_it_began() -> None:
    method = make(CHANGED, augmentation="masked_words", augmentation_rate=0.4)
    batch, device = method.tokenize(CHANGED), torch.device("cpu")
    before = method.rows(batch, Draws.of(0, 0, device))[1]
    with torch.no_grad():
        for weight in method.parameters():
            weight.add_(0.1)
    assert method.rows(batch, Draws.of(0, 0, device))[1] == before
    assert not any("filler" in name for name, _ in method.named_parameters())


@pytest.mark.nightly
def test_the_masked_word_loss_is_added_and_trains_encoder_and_head(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [SENTENCES, TRIPLETS]
    for examples in cases:
        with subtests.test(examples=examples):
            method = make(examples, masked_word_weight=0.1)
            z = views(method, examples)
            terms, plain = method.compare(z), views(make(examples), examples)
            for name, view in plain.items():
                assert torch.equal(view, z[name]), "the contrast is the same"
            contrast = make(examples).compare(plain).loss
            assert terms.loss.item() == pytest.approx(contrast.item() + 0.1 * float(terms.parts["masked_word_loss"]))
            assert 1 < float(terms.parts["masked_word_loss"]) < 8, "nats; of 8,192 pieces by chance 9"
            forces = method.forces(z)
            assert set(forces.terms) == {"contrast", "masked words"}
            assert sum(term.item() for term in forces.terms.values()) == pytest.approx(terms.loss.item())
            words = z["masked_words"].sum()
            for weight in (method.word_head.dense, method.encoder.backbone.get_input_embeddings().weight):
                (gradient,) = torch.autograd.grad(words, weight, retain_graph=True)
                assert gradient.abs().sum() > 0


@pytest.mark.nightly
def test_what_a_run_can_change_while_it_goes_on_takes_effect() -> None:
    """The head for masked words is there from the start or not at all; the unlabelled loss needs nothing of its own."""
    hot = {field.name for field in methods.fields(methods.get("simcse").Config) if field.hot}
    assert "masked_word_weight" not in hot and "unlabelled_weight" in hot
    method = make(TRIPLETS)
    method.config.unlabelled_weight = 1.0
    assert "again" in views(method, TRIPLETS)


def test_the_loss_is_the_librarys_on_the_views() -> None:
    method = make(temperature=0.1)
    z = views(method)
    assert method.compare(z).loss == clwork.losses.simcse(z["z1"], z["z2"], temperature=0.1)


def test_where_the_head_is_kept(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Any, bool]] = [
        ("auto", SENTENCES, False),
        ("auto", TRIPLETS, True),
        ("train_only", TRIPLETS, False),
        ("both", SENTENCES, True),
    ]
    for head, examples, kept in cases:
        with subtests.test(head=head, examples=examples, kept=kept):
            method = make(examples, head=head)
            raw = clwork.load_encoder("mini", pooling="cls_before_pooler").encode(SENTENCES)
            assert np.allclose(method.test_encoder().encode(SENTENCES), raw, atol=1e-6) is not kept
            assert any(p is method.head.dense.weight for p in method.parameters())


def test_other_examples_are_refused(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [[1, 2], [("a",)], [["a", "b", "c", "d", "e"]]]
    for examples in cases:
        with subtests.test(examples=examples):
            with pytest.raises(TypeError, match="triplets"):
                make(examples)


def test_layers_that_are_computed_again_give_the_same_gradient() -> None:
    """Gradient checkpointing of the encoder, as a user may have switched it on, changes memory and nothing else."""

    def gradients(checkpointing: bool) -> torch.Tensor:
        encoder: Any = clwork.load_encoder("mini", device="cpu")
        if checkpointing:
            encoder.backbone.train().activation_checkpointing_enable()
        method = methods.get("simcse")(
            encoder, methods.config("simcse", batch_size=4), torch.Generator().manual_seed(0)
        )
        method.train().compare(views(method)).loss.backward()  # type: ignore[no-untyped-call]
        return torch.cat([p.grad.flatten() for p in method.parameters() if p.grad is not None])

    plain = gradients(False)
    assert plain.abs().sum() > 0 and torch.equal(gradients(True), plain)


def test_an_encoder_without_dropout_is_refused() -> None:
    values: dict[str, Any] = {"batch_size": 4, "pooling": "max"}
    encoder = clwork.load_encoder("textcnn:mini", device="cpu")
    method = methods.get("simcse")(encoder, methods.config("simcse", **values), torch.Generator().manual_seed(0))
    with pytest.raises(ValueError, match=r"nothing was dropped .*\(a TextCNN\).*set both rates to 0"):
        views(method.train())
