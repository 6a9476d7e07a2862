from __future__ import annotations

import pytest
import torch

from clwork.encoders.pooling import POOLINGS, pool

G = torch.Generator().manual_seed(0)
STATES = [torch.randn(3, 5, 4, generator=G) for _ in range(4)]
LENGTHS = [5, 2, 1]
MASK = torch.tensor([[1] * n + [0] * (5 - n) for n in LENGTHS])


def by_hand(states: list[torch.Tensor], row: int, pooling: str, first_layer: int) -> torch.Tensor:
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
            layers = [states[first_layer], states[-1]]
    return sum(sum(layer[row, t] for t in tokens) / len(tokens) for layer in layers) / len(layers)  # type: ignore[return-value]


@pytest.mark.parametrize("first_layer", [0, 1])
@pytest.mark.parametrize("pooling", POOLINGS)
def test_equals_the_definition(pooling: str, first_layer: int) -> None:
    got = pool(STATES, MASK, pooling, first_layer=first_layer)
    want = torch.stack([by_hand(STATES, row, pooling, first_layer) for row in range(3)])
    torch.testing.assert_close(got, want)


@pytest.mark.parametrize("pooling", POOLINGS)
def test_padding_is_never_read(pooling: str) -> None:
    poisoned = [states.masked_fill(MASK.unsqueeze(-1) == 0, 1e6) for states in STATES]
    torch.testing.assert_close(pool(poisoned, MASK, pooling), pool(STATES, MASK, pooling))


def test_poolings_differ() -> None:
    vectors = {pooling: pool(STATES, MASK, pooling) for pooling in POOLINGS}
    assert torch.equal(vectors.pop("cls"), vectors["cls_before_pooler"])  # they differ by the head alone
    names = list(vectors)
    for i, one in enumerate(names):
        for other in names[:i]:
            assert not torch.allclose(vectors[one], vectors[other]), (one, other)


def test_half_precision_is_pooled_in_float32() -> None:
    got = pool([states.bfloat16() for states in STATES], MASK, "mean")
    assert got.dtype == torch.float32
    torch.testing.assert_close(got, pool([states.bfloat16().float() for states in STATES], MASK, "mean"))


@pytest.mark.parametrize(
    ("states", "mask", "pooling", "words"),
    [
        (STATES, MASK, "avg", "one of 'cls'"),
        (STATES, MASK[:, :4], "mean", r"\(3, 4\)"),
        ([STATES[0][0]], MASK, "mean", r"\(B, T, D\)"),
        ([], MASK, "mean", r"\(B, T, D\)"),
        (STATES[:1], MASK, "last2", "all hidden states"),
    ],
)
def test_refuses(states: list[torch.Tensor], mask: torch.Tensor, pooling: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pool(states, mask, pooling)


def test_refuses_a_layer_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="first_layer=7"):
        pool(STATES, MASK, "first_last", first_layer=7)
