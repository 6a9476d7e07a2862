from __future__ import annotations

from pathlib import Path

import torch

from clwork.encoders import load_encoder
from clwork.encoders.pooling import POOLINGS, pool, pool_layers, wk_pool

from .conftest import TEXTS

G = torch.Generator().manual_seed(0)
STATES = [torch.randn(3, 5, 4, generator=G) for _ in range(4)]
LENGTHS = [5, 2, 1]
MASK = torch.tensor([[1] * n + [0] * (5 - n) for n in LENGTHS])


def by_hand(states: list[torch.Tensor], row: int, pooling: str) -> torch.Tensor:
    """The definition, one sentence and one token at a time."""
    tokens = range(LENGTHS[row])
    match pooling:
        case "cls" | "cls_before_pooler":
            return states[-1][row, 0]
        case "max":
            return torch.stack([states[-1][row, t] for t in tokens]).max(0).values
        case "mean":
            layers = [states[-1]]
        case "last2":
            layers = [states[-2], states[-1]]
        case _:
            layers = [states[1], states[-1]]
    return sum(sum(layer[row, t] for t in tokens) / len(tokens) for layer in layers) / len(layers)  # type: ignore[return-value]


def test_poolings_equal_their_definitions() -> None:
    for pooling in POOLINGS:
        want = torch.stack([by_hand(STATES, row, pooling) for row in range(3)])
        torch.testing.assert_close(pool(STATES, MASK, pooling), want, msg=pooling)


def test_the_papers_first_last_average_can_be_made_of_the_grid(bert_folder: Path) -> None:
    """S3: layer 0 as the first. With layer 1, the average of the grid is the pooling's vector."""
    encoder = load_encoder(bert_folder, pooling="first_last", device="cpu")
    grid = encoder.layer_grid(TEXTS)
    vectors = torch.from_numpy(encoder.encode(TEXTS))
    by_code, by_paper = ((grid[first, "mean"] + grid[2, "mean"]) / 2 for first in (1, 0))
    torch.testing.assert_close(torch.from_numpy(by_code), vectors, atol=1e-5, rtol=1e-4)
    assert not torch.allclose(torch.from_numpy(by_paper), vectors, atol=1e-2)


def test_layers_start_with_the_output_of_the_embeddings(any_folder: Path) -> None:
    encoder = load_encoder(any_folder, pooling="mean", device="cpu")
    batch = encoder.collate([tokens.ids for tokens in encoder.tokenize(TEXTS)])
    grid = encoder.layer_grid(TEXTS)
    for pooling in ("mean", "max"):
        with torch.no_grad():
            layers = pool_layers(encoder.hidden_states(batch), batch["attention_mask"], pooling)
        assert layers.shape == (len(TEXTS), 3, 16)  # embeddings and two layers
        for layer in range(3):
            torch.testing.assert_close(
                layers[:, layer], torch.from_numpy(grid[layer, pooling]), atol=1e-5, rtol=1e-4
            )


DEEP = [
    1.0 + torch.randn(3, 5, 16, generator=G) for _ in range(6)
]  # a common component makes cosines positive


def wk_by_hand(states: list[torch.Tensor], row: int) -> torch.Tensor:
    """SBERT-WK one sentence, token and layer at a time; projections by least squares."""
    vectors, importance = [], []
    for token in range(LENGTHS[row] - 1):
        layers = torch.stack([layer[row, token] for layer in states]).double()
        alignment, novelty = [], []
        for place, own in enumerate(layers):
            near = [k for k in range(len(layers)) if 0 < abs(k - place) <= 2]
            context = layers[near]
            inside = context.T @ torch.linalg.lstsq(context.T, own[:, None]).solution[:, 0]
            cosine = torch.stack(
                [torch.cosine_similarity(inside, other, dim=0) for other in context]
            ).mean()
            alignment.append(1 / (2 * (len(near) + 1) * cosine))
            novelty.append((own - inside).norm() / own.norm())
        parts = [torch.stack(part) / torch.stack(part).sum() for part in (alignment, novelty)]
        vectors.append((parts[0] + parts[1]) / 2 @ layers)
        importance.append(torch.cosine_similarity(layers[1:], layers[:-1], dim=1).var(correction=0))
    shares = torch.stack(importance) / torch.stack(importance).sum()
    return (shares @ torch.stack(vectors)).float()


def test_wk_equals_its_definition() -> None:
    want = torch.stack([wk_by_hand(DEEP, row) for row in range(2)])
    torch.testing.assert_close(wk_pool(DEEP, MASK)[:2], want, atol=1e-4, rtol=1e-4)
