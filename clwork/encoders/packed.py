"""Rows of a batch laid end to end, so that padding costs only attention: on a CPU, everything else skips it.

A layer of a transformer treats each position alone, except in attention. So all rows of a batch may follow one another
as one long row, ``(1, N, D)``, if attention separates them: here it takes them out in groups of similar length. The
``transformers`` library passes unknown arguments, such as a :class:`Layout`, to its attention function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from .. import arithmetic
from .tokens import POSITIONS_ON_CPU, by_length

ATTENTION = "clwork"  # this module's name among the attention functions of transformers
# Positions from a table, attention among all of a row's tokens, and arguments passed on: what packing relies on.
MODELS = frozenset({"bert", "camembert", "electra", "roberta", "xlm-roberta"})
WASTE = 1.1  # positions with padding over those without, from which on packing pays
# Tokens of a row up to which a few products are faster than PyTorch's fused attention at bfloat16 on a CPU, where no
# gradient is wanted: 280 instead of 440 microseconds at 32 tokens, 360 instead of 540 at 48, more from 64 on.
SHORT = 48


class Group(NamedTuple):
    """Rows of similar length within the long row."""

    span: slice  # their positions
    shape: tuple[int, int]  # number of rows, and length of the longest
    places: Tensor | None  # index of each position in the padded (b · T); None if all rows are of one length
    mask: Tensor | None  # (b, 1, 1, T), true where there is a token; None likewise

    def pad(self, heads: Tensor) -> Tensor:
        """Take this group out of the long row ``(N, H, d)``: ``(b, H, T, d)``."""
        taken = heads[self.span]
        if self.places is not None:
            zeros = taken.new_zeros(self.shape[0] * self.shape[1], *taken.shape[1:])
            taken = zeros.index_copy(0, self.places, taken)
        return taken.view(*self.shape, *taken.shape[1:]).transpose(1, 2)

    def flatten(self, heads: Tensor) -> Tensor:
        """Remove this group's padding again: ``(b, H, T, d)`` to ``(n, H, d)``."""
        flat = heads.transpose(1, 2).flatten(0, 1)
        return flat if self.places is None else flat[self.places]


class Layout:
    """The order of a padded batch's rows laid end to end, longest first."""

    def __init__(self, lengths: Sequence[int], longest: int) -> None:
        sizes = np.asarray(lengths)
        self._shape = len(sizes), longest
        self.groups: list[Group] = []
        rows: list[np.ndarray[Any, Any]] = []
        columns: list[np.ndarray[Any, Any]] = []
        start = 0
        for chosen in by_length(sizes.tolist(), POSITIONS_ON_CPU):
            mask = np.arange(max(1, sizes[chosen].max())) < sizes[chosen][:, None]  # (b, T)
            row, column = mask.nonzero()
            rows.append(chosen[row])
            columns.append(column)
            even = mask.all()
            places = None if even else torch.from_numpy(row * mask.shape[1] + column)
            attended = None if even else torch.from_numpy(mask)[:, None, None, :]
            span = slice(start, start + len(row))
            self.groups.append(Group(span, (mask.shape[0], mask.shape[1]), places, attended))
            start = span.stop
        column = np.concatenate(columns)
        self.columns = torch.from_numpy(column)[None]
        self._places = torch.from_numpy(np.concatenate(rows) * longest + column)  # (N,), in the padded B · T

    def pack(self, padded: Tensor) -> Tensor:
        """Lay a padded ``(B, T)`` end to end: ``(1, N)``."""
        return padded.flatten()[self._places][None]

    def unpack(self, states: Tensor) -> Tensor:
        """Pad ``(1, N, D)`` again, by zeros: ``(B, T, D)``."""
        zeros = states.new_zeros(self._shape[0] * self._shape[1], states.shape[-1])
        return zeros.index_copy(0, self._places, states[0]).view(*self._shape, -1)


def use_packed_attention(backbone: Any) -> None:
    """Give a backbone the attention that separates packed rows, where its kind of model allows packing."""
    if backbone.config.model_type not in MODELS or backbone.config._attn_implementation != "sdpa":
        return
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(ATTENTION, attend_packed)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    backbone.set_attn_implementation(ATTENTION)


def packs(backbone: Any) -> bool:
    """Whether rows may be laid end to end: a backbone with that attention, on a CPU, without hooks on word vectors."""
    if getattr(backbone.config, "_attn_implementation", None) != ATTENTION:
        return False
    words = backbone.get_input_embeddings()
    hooked = any(not hook.__module__.startswith("transformers.") for hook in words._forward_hooks.values())
    return bool(words.weight.device.type == "cpu" and not hooked)


def with_ready_mask(backbone: Any, batch: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """On a GPU: a batch with its mask as ``(B, 1, 1, T)``, for a backbone with that attention."""
    mask = batch["attention_mask"]
    named = getattr(backbone.config, "_attn_implementation", None) == ATTENTION
    if not named or mask.device.type in arithmetic.AT_HAND:
        return dict(batch)
    return {**batch, "attention_mask": mask.bool()[:, None, None, :]}


def layout_of(batch: Mapping[str, Tensor]) -> Layout | None:
    """Lay out a batch of token ids and their mask ``(B, T)``."""
    if batch.keys() != {"input_ids", "attention_mask"}:
        return None
    mask = batch["attention_mask"]
    lengths = mask.sum(1)
    total = int(lengths.sum())
    if not total or mask.numel() < WASTE * total or not (mask[:, 1:] <= mask[:, :-1]).all():
        return None
    return Layout(lengths.tolist(), mask.shape[1])


def attend_packed(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    layout: Layout | None = None,
    **others: Any,
) -> tuple[Tensor, None]:
    """Attend within rows laid end to end, or within padded rows without a layout, as ``transformers`` calls it."""
    if layout is None:
        if _is_short(module, query) and (attention_mask is None or attention_mask.dtype == torch.bool):
            return _products(query, key, value, attention_mask, scaling).transpose(1, 2).contiguous(), None
        from transformers.integrations.sdpa_attention import sdpa_attention_forward

        attended, _ = sdpa_attention_forward(
            module, query, key, value, attention_mask, dropout=dropout, scaling=scaling, **others
        )
        return attended, None
    heads = [part[0].transpose(0, 1) for part in (query, key, value)]  # (N, H, d) each
    parts = []
    for group in layout.groups:
        q, k, v = (group.pad(part) for part in heads)
        if _is_short(module, q):
            parts.append(group.flatten(_products(q, k, v, group.mask, scaling)))
        else:
            parts.append(group.flatten(F.scaled_dot_product_attention(q, k, v, group.mask, dropout, scale=scaling)))
    return torch.cat(parts)[None], None


def _is_short(module: Any, query: Tensor) -> bool:
    """Whether attention of ``(b, H, T, d)`` is faster by :func:`_products`; never in training mode, which drops out."""
    fits = query.shape[2] <= SHORT and query.dtype == torch.bfloat16 and query.device.type == "cpu"
    return bool(fits and not module.training and not torch.is_grad_enabled())


def _products(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scaling: float | None) -> Tensor:
    """Attention by two products and a softmax in float32: ``(b, H, T, d)``; ``mask`` is true where there is a token."""
    scores = (query * (query.shape[-1] ** -0.5 if scaling is None else scaling)) @ key.mT  # (b, H, T, T)
    if mask is not None:  # a row without any token gets some mean, as finite numbers
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1, dtype=torch.float32).to(value.dtype) @ value
