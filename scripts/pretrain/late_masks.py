"""Masked-language modelling in which the encoder never sees [MASK].

The masked pieces are left out of the encoder and enter extra layers after it, which are thrown
away at the end. The idea is that of MAE-LM (Meng et al. 2024, arXiv 2302.02060): an encoder that
sees [MASK] reserves dimensions for it, which no real sentence uses.
"""

from __future__ import annotations

import torch
from torch import nn
from transformers import BertConfig, BertForMaskedLM
from transformers.models.bert.modeling_bert import BertLayer

from .corpus import MASK, Packed
from .masking import to_batch


class LateMasks(BertForMaskedLM):  # type: ignore[no-untyped-call]
    """A BERT with ``extra_layers`` layers behind it that see the masked pieces."""

    def __init__(self, config: BertConfig, extra_layers: int) -> None:
        super().__init__(config)
        self.extra = nn.ModuleList(BertLayer(config) for _ in range(extra_layers))  # type: ignore[no-untyped-call]
        self.extra.apply(self._init_weights)
        self.mask_vector = nn.Parameter(torch.randn(config.hidden_size) * config.initializer_range)

    def late_logits(
        self, packed: Packed, rows: torch.Tensor, rate: float, generator: torch.Generator
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``(N, V)`` and labels ``(N,)`` of masked pieces, ``rate * T`` in a row of T."""
        ids, positions, segments = to_batch(packed, rows, generator.device)
        length = ids.shape[1]
        count = max(1, round(rate * length))
        lottery = torch.rand(ids.shape, generator=generator, device=ids.device)
        # Special pieces are drawn last.
        lottery = lottery.masked_fill(ids <= MASK, -1.0)
        drawn = lottery.topk(count, dim=1)
        masked = torch.zeros_like(ids, dtype=torch.bool).scatter(1, drawn.indices, True)
        visible = masked.to(torch.uint8).argsort(dim=1, stable=True)[:, : length - count]  # (R, S)

        seen = segments.gather(1, visible)
        encoded = self.bert(
            input_ids=ids.gather(1, visible),
            attention_mask=seen[:, None, :, None] == seen[:, None, None, :],
            position_ids=positions.gather(1, visible),
        ).last_hidden_state  # (R, S, D)
        embeddings = self.bert.embeddings
        masks = self.mask_vector + embeddings.position_embeddings(positions)  # (R, T, D)
        hidden = embeddings.LayerNorm(masks)
        rows_of_visible = visible[..., None].expand_as(encoded)
        hidden = hidden.to(encoded.dtype).scatter(1, rows_of_visible, encoded)
        everything = segments[:, None, :, None] == segments[:, None, None, :]  # (R, 1, T, T)
        for layer in self.extra:
            hidden = layer(hidden, attention_mask=everything)
        words = masked & (ids > MASK)
        return self.cls(hidden[words]), ids[words]

    def without_extra_layers(self) -> BertForMaskedLM:
        """The same weights without the layers that saw the masks."""
        plain = BertForMaskedLM(self.config)
        plain.load_state_dict(self.state_dict(), strict=False)
        plain.tie_weights()
        return plain
