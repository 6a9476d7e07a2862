"""Masked words: what is hidden, that the head guesses as in pre-training, and what is filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.encoders import Encoder
from clwork.encoders.copies import redraw
from clwork.encoders.masked_words import MaskedWordHead, fill_in, guess, mask_pieces

pytestmark = pytest.mark.nightly
TEXTS = list(clwork.data.sentences("wikipedia-mini")[:40])


@pytest.fixture(scope="module")
def mini() -> Encoder:
    return clwork.load_encoder("mini", device="cpu")


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_a_share_of_the_pieces_is_hidden_and_no_special_one(mini: Encoder) -> None:
    sentences = mini.tokenize(TEXTS)
    masked = mask_pieces(sentences, 0.15, mini, seeded(), noise=False)
    assert masked == mask_pieces(sentences, 0.15, mini, seeded(), noise=False)
    hidden = set(zip(masked.rows, masked.places, strict=True))
    for row, tokens in enumerate(sentences):
        words = tokens.truncate(mini.max_length).words
        places = [place for place in range(len(words)) if (row, place) in hidden]
        assert len(places) == max(1, round(0.15 * sum(word != -1 for word in words)))
        assert all(words[place] != -1 for place in places)
        for place, piece in enumerate(masked.ids[row]):
            assert piece == (mini.tokenizer.mask_token_id if place in places else tokens.ids[place])
    assert masked.labels == [sentences[row].ids[place] for row, place in zip(masked.rows, masked.places, strict=True)]


def test_with_noise_a_tenth_stays_and_a_tenth_is_another_piece(mini: Encoder) -> None:
    masked = mask_pieces(mini.tokenize(TEXTS * 5), 0.5, mini, seeded())
    seen = [masked.ids[row][place] for row, place in zip(masked.rows, masked.places, strict=True)]
    hidden = sum(piece == mini.tokenizer.mask_token_id for piece in seen) / len(seen)
    same = sum(piece == label for piece, label in zip(seen, masked.labels, strict=True)) / len(seen)
    assert len(seen) > 2000 and hidden == pytest.approx(0.8, abs=0.03) and same == pytest.approx(0.1, abs=0.03)


def test_the_head_is_that_of_pre_training(mini: Encoder) -> None:
    """transformers' own masked language model, filled with the same file, gives the same logits."""
    from safetensors.torch import load_file
    from transformers import BertForMaskedLM

    place = Path(clwork.__file__).parent / "encoders" / "mini"
    untyped: Any = BertForMaskedLM
    model = untyped(mini.backbone.config).eval()
    stored = {name: tensor.float() for name, tensor in load_file(place / "model.safetensors").items()}
    report = model.load_state_dict(stored, strict=False)
    missing = [name for name in report.missing_keys if "decoder" not in name and "position_ids" not in name]
    assert not report.unexpected_keys and not missing
    model.tie_weights()
    masked = mask_pieces(mini.tokenize(TEXTS[:4]), 0.2, mini, seeded(), noise=False)
    with torch.no_grad():
        ours = guess(mini, MaskedWordHead(mini), masked)
        theirs = model(**mini.collate(masked.ids)).logits[masked.rows, masked.places]
    torch.testing.assert_close(ours, theirs, atol=1e-3, rtol=1e-3)
    wrong = torch.nn.functional.cross_entropy(ours.roll(1, dims=0), torch.tensor(masked.labels))
    assert torch.nn.functional.cross_entropy(ours, torch.tensor(masked.labels)) < 0.7 * wrong


def test_only_hidden_places_are_filled_and_often_as_they_were(mini: Encoder) -> None:
    sentences = mini.tokenize(TEXTS)
    masked = mask_pieces(sentences, 0.15, mini, seeded(), noise=False)
    filled = fill_in(mini, MaskedWordHead(mini), masked, seeded())
    assert (
        filled
        == fill_in(mini, MaskedWordHead(mini), masked, seeded())
        != fill_in(mini, MaskedWordHead(mini), masked, seeded(1))
    )
    hidden = set(zip(masked.rows, masked.places, strict=True))
    for row, ids in enumerate(filled):
        shown = [place for place in range(len(ids)) if (row, place) not in hidden]
        assert [ids[place] for place in shown] == [masked.ids[row][place] for place in shown]
    places = zip(masked.rows, masked.places, masked.labels, strict=True)
    again = [filled[row][place] == label for row, place, label in places]
    assert 0.1 < sum(again) / len(again) < 0.8


def test_another_encoder_has_no_such_head(mini: Encoder) -> None:
    other = Encoder(mini.backbone, mini.tokenizer, name="own", pooling="mean")
    with pytest.raises(ValueError, match=r"own has no head for masked words here; .*start from it"):
        MaskedWordHead(other)


def test_fresh_weights_are_those_that_bert_begins_with(mini: Encoder) -> None:
    fresh = [clwork.load_encoder("mini", device="cpu").backbone for _ in range(2)]
    for backbone in fresh:
        redraw(backbone, seeded())
    for (name, weight), (_, same) in zip(fresh[0].named_parameters(), fresh[1].named_parameters(), strict=True):
        assert torch.equal(weight, same) and weight.requires_grad
        if weight.dim() > 1 and weight.numel() > 10_000:
            assert weight.std().item() == pytest.approx(0.02, rel=0.05)
        elif weight.dim() == 1:
            assert set(weight.tolist()) == {1.0 if name.endswith("weight") else 0.0}
