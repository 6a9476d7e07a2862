"""All layers as sentence vectors, and one drawn for each sentence."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from clwork.encoders import load_encoder, one_layer, pool_layers

from .conftest import TEXTS


def test_layers_are_those_of_the_grid_embedding_output_first(any_folder: Any) -> None:
    encoder = load_encoder(any_folder, pooling="mean", device="cpu")
    batch = encoder.collate([tokens.ids for tokens in encoder.tokenize(TEXTS)])
    grid = encoder.layer_grid(TEXTS)
    for pooling in ("mean", "max"):
        with torch.no_grad():
            layers = pool_layers(encoder.hidden_states(batch), batch["attention_mask"], pooling)
        assert layers.shape == (len(TEXTS), 3, 16)  # embeddings and two layers
        for layer in range(3):
            torch.testing.assert_close(layers[:, layer], torch.from_numpy(grid[layer, pooling]), atol=1e-5, rtol=1e-4)


def test_padding_is_not_pooled() -> None:
    states = torch.tensor([[[-1.0], [-2.0], [9.0]]])
    layers = [pool_layers([states, 2 * states], torch.tensor([[1, 1, 0]]), pooling) for pooling in ("max", "mean")]
    assert [layer.flatten().tolist() for layer in layers] == [[-1.0, -2.0], [-1.5, -3.0]]


def test_a_pooling_of_several_layers_is_refused() -> None:
    with pytest.raises(ValueError, match="reads several layers"):
        pool_layers([torch.zeros(1, 2, 3)] * 3, torch.ones(1, 2), "first_last")


def test_every_sentence_gets_one_of_its_layers_and_all_equally_often() -> None:
    layers = torch.arange(5000 * 4).reshape(5000, 4, 1).float()
    drawn = one_layer(layers, "uniform", torch.Generator().manual_seed(0))
    assert (drawn.flatten() // 4 == torch.arange(5000)).all()  # its own
    counts = torch.bincount((drawn.flatten() % 4).long(), minlength=4)
    assert (counts - 1250).abs().max() < 4 * (5000 * 0.25 * 0.75) ** 0.5
    again = one_layer(layers, "uniform", torch.Generator().manual_seed(0))
    assert torch.equal(drawn, again)
    assert not torch.equal(drawn, one_layer(layers, "uniform", torch.Generator().manual_seed(1)))


def test_the_average_draws_nothing() -> None:
    layers, generator = torch.randn(3, 4, 2), torch.Generator().manual_seed(0)
    before = generator.get_state()
    torch.testing.assert_close(one_layer(layers, "average", generator), layers.mean(1))
    assert torch.equal(generator.get_state(), before)
    with pytest.raises(ValueError, match="'uniform', 'average'"):
        one_layer(layers, "first", generator)
