"""Packing: on a CPU, a batch's rows are concatenated, and padded for attention only.

A transformer layer processes positions separately, except in attention. All rows of a batch can
therefore form one row ``(1, N, D)``, if attention separates them. :func:`attend_packed` does so, in
groups of similar length; the ``transformers`` library passes unknown arguments, such as a
:class:`Layout`, to this function. A pooling that reads only the first token needs the last layer at
that token only: :class:`LastLayer`.

This file changes speed alone. Without :func:`use_packed_attention`, a backbone is called as
transformers defines it, and returns equal vectors and gradients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from .. import arithmetic
from .tokens import POSITIONS_ON_CPU, by_length

ATTENTION = "clwork"  # this module's name among the attention functions of transformers
# Model types with a position table and attention among all tokens, which pass extra arguments on.
MODELS = frozenset({"bert", "camembert", "electra", "roberta", "xlm-roberta"})
WASTE = 1.1  # packing is used if padding multiplies the number of positions by at least this
# Up to this many tokens per row, _products is faster than PyTorch's fused attention in bfloat16 on
# a CPU without gradient: 280 instead of 440 microseconds at 32 tokens, 360 instead of 540 at 48;
# from 64 on it is slower.
SHORT = 48


class Group(NamedTuple):
    """Rows of similar length within the packed row.

    Attributes:
        span: positions of the group's tokens in the packed row.
        shape: number of rows b, and length T of the longest.
        places: index of each token in the padded (b · T); None if all rows have one length.
        mask: ``(b, 1, 1, T)``, true at tokens; None if all rows have one length.
        rows: numbers of the group's rows in the packed row.
    """

    span: slice
    shape: tuple[int, int]
    places: Tensor | None
    mask: Tensor | None
    rows: slice

    def pad(self, heads: Tensor) -> Tensor:
        """Return this group of the packed row ``(N, H, d)``, padded: ``(b, H, T, d)``."""
        tokens = heads[self.span]
        if self.places is not None:
            zeros = tokens.new_zeros(self.shape[0] * self.shape[1], *tokens.shape[1:])
            tokens = zeros.index_copy(0, self.places, tokens)
        return tokens.view(*self.shape, *tokens.shape[1:]).transpose(1, 2)

    def flatten(self, heads: Tensor) -> Tensor:
        """Remove this group's padding: ``(b, H, T, d)`` to ``(n, H, d)``."""
        flat = heads.transpose(1, 2).flatten(0, 1)
        return flat if self.places is None else flat[self.places]

    def first_tokens(self) -> Group:
        """Return the group of these rows in a packed row that has only each row's first token."""
        return Group(self.rows, (self.shape[0], 1), None, None, self.rows)


class Layout:
    """The positions of a padded batch in its packed row, longest rows first; no row is empty.

    Attributes:
        groups: rows of similar length, in the packed row's order.
        firsts: ``(B,)``, position of each row's first token in the packed row.
        order: ``(B,)``, where each row of the batch stands among the packed row's rows.
    """

    def __init__(self, lengths: Sequence[int], longest: int) -> None:
        sizes = np.asarray(lengths)
        self._shape = len(sizes), longest
        self.groups: list[Group] = []
        positions = []
        tokens_before = rows_before = 0
        for chosen in by_length(sizes.tolist(), POSITIONS_ON_CPU):
            mask = np.arange(sizes[chosen].max()) < sizes[chosen][:, None]  # (b, T)
            row, column = mask.nonzero()
            positions.append(chosen[row] * longest + column)
            span = slice(tokens_before, tokens_before + len(row))
            rows = slice(rows_before, rows_before + len(chosen))
            places = attended = None
            if not mask.all():
                places = torch.from_numpy(row * mask.shape[1] + column)
                attended = torch.from_numpy(mask)[:, None, None, :]
            shape = len(chosen), mask.shape[1]
            self.groups.append(Group(span, shape, places, attended, rows))
            tokens_before, rows_before = span.stop, rows.stop
        in_batch = np.concatenate(positions)
        firsts = np.flatnonzero(in_batch % longest == 0)
        self._positions = torch.from_numpy(in_batch)  # (N,), in the padded B · T
        self.firsts = torch.from_numpy(firsts)
        self.order = torch.from_numpy(np.argsort(in_batch[firsts]))

    def pack(self, padded: Tensor) -> Tensor:
        """Pack a padded ``(B, T)``: ``(1, N)``."""
        return padded.flatten()[self._positions][None]

    def unpack(self, states: Tensor) -> Tensor:
        """Pad ``(1, N, D)`` again, by zeros: ``(B, T, D)``."""
        zeros = states.new_zeros(self._shape[0] * self._shape[1], states.shape[-1])
        return zeros.index_copy(0, self._positions, states[0]).view(*self._shape, -1)


def use_packed_attention(backbone: Any) -> None:
    """Make a backbone use :func:`attend_packed` and :class:`LastLayer`, if its type can."""
    if backbone.config.model_type not in MODELS or backbone.config._attn_implementation != "sdpa":
        return
    _register()
    backbone.set_attn_implementation(ATTENTION)
    last = backbone.encoder.layer[-1]
    last.__class__ = _last_layer(last.__class__)


def _register() -> None:
    """Add :func:`attend_packed` to the attention functions of this process."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(ATTENTION, attend_packed)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)


def uses_packed_attention(backbone: Any) -> bool:
    """Whether a backbone uses :func:`attend_packed` and :class:`LastLayer`."""
    return getattr(backbone.config, "_attn_implementation", None) == ATTENTION


def packs(backbone: Any) -> bool:
    """Whether rows can be packed: on a CPU, and without hooks on word vectors.

    Such a hook changes the word vectors of a padded batch.
    """
    if not uses_packed_attention(backbone):
        return False
    words = backbone.get_input_embeddings()
    hooks = words._forward_hooks.values()
    hooked = any(not hook.__module__.startswith("transformers.") for hook in hooks)
    return bool(words.weight.device.type == "cpu" and not hooked)


def call(
    backbone: Any, batch: Mapping[str, Tensor], padding: int, **options: bool
) -> tuple[Any, Layout | None]:
    """Call a backbone that uses packed attention; return its output, and the layout of packed rows.

    ``padding`` is the token id without a position (:func:`.position_padding`).
    """
    mask = batch["attention_mask"]
    ids = batch.get("input_ids")  # a batch may have word vectors instead
    layout = layout_of(mask) if ids is not None and packs(backbone) else None
    if ids is not None and layout is not None:
        output = backbone(
            input_ids=layout.pack(ids),
            attention_mask=layout.pack(mask),
            position_ids=layout.pack(_positions(ids, padding)),
            layout=layout,
            **options,
        )
        return output, layout
    if mask.device.type not in arithmetic.HOST_DEVICES:
        mask = mask.bool()[
            :, None, None, :
        ]  # ready, so that transformers does not wait for the GPU
    return backbone(**{**batch, "attention_mask": mask}, **options), None


def _positions(ids: Tensor, padding: int) -> Tensor:
    """Number the positions ``(B, T)`` of token ids padded on the right, as the model does."""
    counted = (ids != padding).long()
    return counted.cumsum(1) * counted + padding


def layout_of(mask: Tensor) -> Layout | None:
    """Return the layout of a batch with this mask ``(B, T)``; None if packing is not faster."""
    lengths = mask.sum(1)
    if not lengths.all() or mask.numel() < WASTE * int(lengths.sum()):
        return None
    return Layout(lengths.tolist(), mask.shape[1])


class LastLayer:
    """Mixed into the class of a backbone's last layer, to compute first tokens alone."""

    def forward(
        self: Any,
        states: Tensor,
        mask: Tensor | None = None,
        *others: Any,
        first_token: bool = False,
        layout: Layout | None = None,
        **named: Any,
    ) -> Tensor:
        """Compute the layer; with ``first_token``, of each row's first position: ``(B, 1, D)``."""
        if not first_token:
            whole: Any = super()
            output: Tensor = whole.forward(states, mask, *others, layout=layout, **named)
            return output
        attention = self.attention.self
        # (B, 1, D) or (1, B, D)
        firsts = states[:, :1] if layout is None else states.index_select(1, layout.firsts)

        def split_heads(projected: Any) -> Any:
            return projected.unflatten(-1, (attention.num_attention_heads, -1)).transpose(1, 2)

        attended, _ = attend_packed(
            attention,
            split_heads(attention.query(firsts)),
            split_heads(attention.key(states)),
            split_heads(attention.value(states)),
            None if mask is None else mask[:, :, :1],
            attention.dropout.p if attention.training else 0.0,
            attention.scaling,
            layout,
        )
        output = self.feed_forward_chunk(self.attention.output(attended.flatten(2), firsts))
        return output if layout is None else output[0, layout.order, None]

    def __reduce__(self: Any) -> tuple[Any, ...]:
        """Pickle the layer by the class of transformers, since ours is made while loading."""
        return _rebuild, (type(self).__mro__[2],), self.__dict__


@cache
def _last_layer(kind: Any) -> type[Any]:
    """Return a layer's class with :class:`LastLayer` mixed in."""
    return type(f"Last{kind.__name__}", (LastLayer, kind), {})


def _rebuild(kind: Any) -> Any:
    """Return an empty last layer for pickle, in a process that may have loaded no encoder."""
    _register()
    return object.__new__(_last_layer(kind))


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
    """Attention function for ``transformers``: within packed rows, or within padded rows.

    Queries may be those of all positions, or one of each row.

    Shapes: ``(B, H, T, d)`` each, or ``(1, H, N, d)`` with a layout; returns ``(B, T, H, d)``.
    """
    if layout is None:
        attended = _attend(module, query, key, value, attention_mask, dropout, scaling)
        return attended.transpose(1, 2).contiguous(), None
    queries, keys, values = (heads[0].transpose(0, 1) for heads in (query, key, value))  # (N, H, d)
    one_query_each = len(queries) < len(keys)
    parts = []
    for group in layout.groups:
        asking = group.first_tokens() if one_query_each else group
        attended = _attend(
            module,
            asking.pad(queries),
            group.pad(keys),
            group.pad(values),
            group.mask,
            dropout,
            scaling,
        )
        parts.append(asking.flatten(attended))
    return torch.cat(parts)[None], None


def _attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    dropout: float,
    scaling: float | None,
) -> Tensor:
    """Attention within padded rows ``(b, H, T, d)``, by the faster of two ways."""
    is_short = key.shape[2] <= SHORT and key.dtype == torch.bfloat16 and key.device.type == "cpu"
    if is_short and not module.training and not torch.is_grad_enabled():
        return _products(query, key, value, mask, scaling)
    return F.scaled_dot_product_attention(query, key, value, mask, dropout, scale=scaling)


def _products(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scaling: float | None
) -> Tensor:
    """Attention by two products and a softmax in float32; ``mask`` is true at tokens."""
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    scores = (query * scale) @ key.mT  # (b, H, T, T)
    if mask is not None:  # finite, so that a row without tokens does not get NaN
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1, dtype=torch.float32).to(value.dtype) @ value
