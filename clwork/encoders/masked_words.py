"""Masked words: hide pieces of sentences, and guess them by the head that the mini was pre-trained with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm, linear

from ..arithmetic import at_least_float32
from .disk.files import Source
from .disk.weights import model_weights
from .encoder import Encoder
from .packed import with_ready_mask
from .tokens import Tokens

HEAD, EPSILON = "cls.predictions.", 1e-12  # where BERT's files have it; of its layer norms


class MaskedWordHead(nn.Module):
    """BERT's head over token vectors: ``logits = LayerNorm(gelu(W h + b)) Eᵀ + c``, E the encoder's word embeddings.

    Devlin et al. (2019), as released. The weights are those of pre-training; of other encoders than the mini, and what
    descends from it, no file is read for them.

    Raises:
        ValueError: the encoder does not descend from the mini.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        if encoder.base != "mini":
            raise ValueError(
                f"{encoder.name} has no head for masked words here; clwork has that of the mini alone: start from it, "
                "or choose another augmentation than 'masked_words', and masked_word_weight=0"
            )
        stored = model_weights(Source("mini")).slices

        def read(name: str) -> nn.Parameter:
            return nn.Parameter(stored[HEAD + name][:].float().to(encoder.device))

        self.dense, self.dense_bias = read("transform.dense.weight"), read("transform.dense.bias")
        self.norm, self.norm_bias = read("transform.LayerNorm.weight"), read("transform.LayerNorm.bias")
        self.bias = read("bias")

    def forward(self, states: Tensor, embeddings: Tensor) -> Tensor:
        """Token vectors ``(N, D)`` and word embeddings ``(V, D)`` to logits ``(N, V)``."""
        hidden = gelu(linear(states, self.dense, self.dense_bias))
        return linear(layer_norm(hidden, self.norm.shape, self.norm, self.norm_bias, EPSILON), embeddings, self.bias)


class Masked(NamedTuple):
    """Rows of ids with hidden pieces: N of them at ``rows`` and ``places``; ``labels`` is what was there."""

    ids: list[list[int]]
    rows: list[int]
    places: list[int]
    labels: list[int]


def mask_pieces(
    sentences: Sequence[Tokens], rate: float, encoder: Encoder, generator: torch.Generator, *, noise: bool = True
) -> Masked:
    """Hide a random ``rate`` of each sentence's pieces, at least one, by [MASK]; special pieces stay.

    With ``noise`` a tenth of them becomes a random piece instead and a tenth stays, as BERT was trained (Devlin et al.
    2019, section 3.1). The generator is on the CPU.
    """
    mask, size = encoder.tokenizer.mask_token_id, len(encoder.tokenizer)
    masked = Masked([], [], [], [])
    for row, whole in enumerate(sentences):
        tokens = whole.truncate(encoder.max_length)
        pieces, ids = [place for place, word in enumerate(tokens.words) if word != -1], list(tokens.ids)
        order = torch.randperm(len(pieces), generator=generator).tolist()
        for chosen in order[: max(1, round(rate * len(pieces)))]:
            place = pieces[chosen]
            masked.rows.append(row)
            masked.places.append(place)
            masked.labels.append(ids[place])
            fate = float(torch.rand((), generator=generator)) if noise else 0.0
            if fate < 0.8:
                ids[place] = mask
            elif fate < 0.9:
                ids[place] = int(torch.randint(size, (), generator=generator))
        masked.ids.append(ids)
    return masked


def guess(encoder: Encoder, head: nn.Module, masked: Masked) -> Tensor:
    """Guess the hidden pieces from their sentences, in one forward pass: logits ``(N, V)``, at least float32."""
    batch = encoder.collate(masked.ids)
    backbone: Any = encoder.backbone
    states = backbone(**with_ready_mask(backbone, batch)).last_hidden_state  # (B, T, D)
    logits: Tensor = head(states[masked.rows, masked.places], backbone.get_input_embeddings().weight)
    return at_least_float32(logits)


def fill_in(encoder: Encoder, head: nn.Module, masked: Masked, generator: torch.Generator) -> list[list[int]]:
    """Put a guess into each hidden place, drawn from the head's distribution, without gradients; rows of ids.

    The generator is on the encoder's device.
    """
    with torch.no_grad():
        drawn = guess(encoder, head, masked).softmax(dim=1).multinomial(1, generator=generator)  # (N, 1)
    ids = [list(row) for row in masked.ids]
    for row, place, piece in zip(masked.rows, masked.places, drawn.flatten().tolist(), strict=True):
        ids[row][place] = piece
    return ids
