"""Packing: on a CPU, a batch's rows are concatenated, and padded for attention only.

A transformer layer computes each token by itself, except in attention. So a batch can be computed
as one long row without padding, if attention keeps the sentences apart. Three sentences, with
tokens a, b and c, and ``.`` for padding::

    batch (B, T) = (3, 4)     row 0:  a0 a1  .  .
                              row 1:  b0 b1 b2 b3
                              row 2:  c0  .  .  .

    packed row (1, N), N = 7          b0 b1 b2 b3 a0 a1 c0        the longest row first

    groups, for attention     (1, 4)  b0 b1 b2 b3
                              (2, 2)  a0 a1
                                      c0  .

:class:`Layout` has the indices between batch, packed row and groups. :func:`attend_packed` is the
attention function; the ``transformers`` library passes arguments that it does not know, such as a
layout, on to it. A pooling that reads only the first token needs the last layer at that token only:
:class:`LastLayer`.

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
from .batching import POSITIONS_ON_CPU, Indices, by_length

ATTENTION = "clwork"  # this module's name among the attention functions of transformers
# Model types with a position table and attention among all tokens, which pass extra arguments on.
MODELS = frozenset({"bert", "camembert", "electra", "roberta", "xlm-roberta"})
WASTE = 1.1  # packing is used if padding multiplies the number of positions by at least this


class Group(NamedTuple):
    """Rows of similar length, which attention computes as one padded batch ``(b, T)``.

    In the drawing above, the second group has tokens 4:7 and rows 1:3 of the packed row, the shape
    (2, 2), and the positions 0, 1, 2: position 3 is padding.

    Attributes:
        tokens: where the group's n tokens stand in the packed row.
        rows: where its b rows stand among the packed row's rows.
        shape: number of rows b, and length T of the longest of them.
        positions: ``(n,)``, where each token stands in the group's flattened ``b · T`` positions;
            None if all rows have one length, so that nothing is padded.
        mask: ``(b, 1, 1, T)``, true at tokens; None if nothing is padded.
    """

    tokens: slice
    rows: slice
    shape: tuple[int, int]
    positions: Tensor | None = None
    mask: Tensor | None = None

    def pad(self, packed: Tensor) -> Tensor:
        """Return this group's part of a packed row as a padded batch, with zeros as padding.

        Shapes: ``(N, H, d)``, for N tokens H attention heads of width d, to ``(b, H, T, d)``.
        """
        tokens = packed[self.tokens]  # (n, H, d)
        if self.positions is not None:
            # Each token is copied to its place among b · T positions; the others stay zero.
            rows, longest = self.shape
            zeros = tokens.new_zeros(rows * longest, *tokens.shape[1:])  # (b · T, H, d)
            tokens = zeros.index_copy(0, self.positions, tokens)
        # (b · T, H, d) to (b, T, H, d), then to (b, H, T, d), the order of PyTorch's attention
        return tokens.view(*self.shape, *tokens.shape[1:]).transpose(1, 2)

    def flatten(self, padded: Tensor) -> Tensor:
        """Remove this group's padding: ``(b, H, T, d)`` to ``(n, H, d)``."""
        flat = padded.transpose(1, 2).flatten(0, 1)  # (b · T, H, d)
        return flat if self.positions is None else flat[self.positions]

    def first_tokens(self) -> Group:
        """Return the same rows in a packed row that has only the first token of each row."""
        return Group(tokens=self.rows, rows=self.rows, shape=(self.shape[0], 1))


class Layout:
    """Where the tokens of a padded batch ``(B, T)`` stand in its packed row ``(1, N)``.

    Each row of the batch has a token. The packed row has the rows by length, the longest first.

    Attributes:
        groups: rows of similar length, in the packed row's order.
        first_tokens: ``(B,)``, where each row begins in the packed row, in the packed row's order
            (in the drawing above 0, 4, 6).
        packed_rows: ``(B,)``, for each row of the batch its number among the packed row's rows
            (1, 0, 2).
    """

    def __init__(self, lengths: Sequence[int], longest: int) -> None:
        """Lay out B rows with these numbers of tokens, which are padded to ``longest``, T."""
        row_lengths = np.asarray(lengths)
        self._batch_shape = len(row_lengths), longest

        # The groups, one after the other: each begins where the one before ends.
        rows_by_group = list(by_length(lengths, POSITIONS_ON_CPU))
        self.groups: list[Group] = []
        tokens_before = 0
        rows_before = 0
        for group_rows in rows_by_group:
            group = _group(row_lengths[group_rows], tokens_before, rows_before)
            self.groups.append(group)
            tokens_before = group.tokens.stop
            rows_before = group.rows.stop

        # Batch rows in the packed row's order, their lengths, and where they begin: (B,) each.
        batch_rows = np.concatenate(rows_by_group)
        packed_lengths = row_lengths[batch_rows]
        starts = packed_lengths.cumsum() - packed_lengths
        self.first_tokens = torch.from_numpy(starts)
        # The inverse of a permutation is the order that sorts it.
        self.packed_rows = torch.from_numpy(np.argsort(batch_rows))

        # Row and column of each token in the batch: (N,) each.
        token_rows = np.repeat(batch_rows, packed_lengths)
        token_columns = np.arange(tokens_before) - np.repeat(starts, packed_lengths)
        self._batch_positions = torch.from_numpy(token_rows * longest + token_columns)

    def pack(self, padded: Tensor) -> Tensor:
        """Return the tokens of a padded batch ``(B, T)`` as a packed row ``(1, N)``."""
        return padded.flatten()[self._batch_positions][None]

    def unpack(self, packed: Tensor) -> Tensor:
        """Return a packed row ``(1, N, D)`` as a batch ``(B, T, D)``, padded by zeros."""
        rows, longest = self._batch_shape
        zeros = packed.new_zeros(rows * longest, packed.shape[-1])
        flat = zeros.index_copy(0, self._batch_positions, packed[0])  # (B · T, D)
        return flat.view(rows, longest, -1)


def _group(lengths: Indices, tokens_before: int, rows_before: int) -> Group:
    """Return the group of rows with these lengths ``(b,)``, after others in the packed row."""
    mask = np.arange(lengths.max()) < lengths[:, None]  # (b, T)
    group = Group(
        tokens=slice(tokens_before, tokens_before + int(lengths.sum())),
        rows=slice(rows_before, rows_before + len(lengths)),
        shape=mask.shape,
    )
    if mask.all():
        return group
    return group._replace(
        positions=torch.from_numpy(np.flatnonzero(mask)),
        mask=torch.from_numpy(mask)[:, None, None, :],
    )


def use_packed_attention(backbone: Any) -> None:
    """Make a backbone use :func:`attend_packed` and :class:`LastLayer`, if its type can."""
    config = backbone.config
    if config.model_type not in MODELS or config._attn_implementation != "sdpa":
        return
    _register()
    backbone.set_attn_implementation(ATTENTION)
    last = backbone.encoder.layer[-1]
    last.__class__ = _last_layer(last.__class__)


def _register() -> None:
    """Add :func:`attend_packed` to the attention functions that transformers knows by name."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(ATTENTION, attend_packed)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)


def uses_packed_attention(backbone: Any) -> bool:
    """Whether a backbone uses :func:`attend_packed` and :class:`LastLayer`."""
    return getattr(backbone.config, "_attn_implementation", None) == ATTENTION


def can_pack(backbone: Any) -> bool:
    """Whether rows can be packed.

    The backbone must use packed attention, be on a CPU, and have no foreign hook on its word
    vectors: such a hook, as of :func:`.at_embeddings`, changes those of a *padded* batch.
    """
    if not uses_packed_attention(backbone):
        return False
    embeddings = backbone.get_input_embeddings()
    if embeddings.weight.device.type != "cpu":
        return False
    # Hooks of transformers itself only record outputs.
    hooks = embeddings._forward_hooks.values()
    return all(hook.__module__.startswith("transformers.") for hook in hooks)


def call(
    backbone: Any, batch: Mapping[str, Tensor], padding: int, **options: bool
) -> tuple[Any, Layout | None]:
    """Call a backbone that uses packed attention.

    Args:
        backbone: a model of transformers, after :func:`use_packed_attention`.
        batch: ``attention_mask`` ``(B, T)``, with ``input_ids`` ``(B, T)`` or word vectors.
        padding: the token id without a position (:func:`position_padding`).
        options: further arguments of the backbone.

    Returns the backbone's output, and the layout if it is that of a packed row; None if not.
    """
    mask = batch["attention_mask"]
    ids = batch.get("input_ids")
    layout = None
    if ids is not None and can_pack(backbone):
        layout = layout_of(mask)
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
        # Ready for attention: transformers would read its values, and so wait for the GPU.
        mask = mask.bool()[:, None, None, :]
    return backbone(**{**batch, "attention_mask": mask}, **options), None


def _positions(ids: Tensor, padding: int) -> Tensor:
    """Number the positions ``(B, T)`` of token ids padded on the right, as the model does."""
    counted = (ids != padding).long()
    return counted.cumsum(1) * counted + padding


def position_padding(backbone: Any) -> int:
    """Return the token id that has no position in RoBERTa-like models; -1 for other models.

    RoBERTa numbers the positions of the other tokens from the next number on; BERT from 0.
    """
    for name, module in backbone.named_modules():
        if name.endswith("position_embeddings"):
            padding = module.padding_idx
            return -1 if padding is None else int(padding)
    return -1


def layout_of(mask: Tensor) -> Layout | None:
    """Return the layout of a batch with this mask ``(B, T)``; None if packing is not faster.

    Also None if a row has no token, since it would have no place in the packed row.
    """
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
        """Compute the layer of transformers, or with ``first_token`` only each row's first token.

        Shapes: ``states`` ``(B, T, D)``, or ``(1, N, D)`` with a layout, returned with the same
        shape; with ``first_token`` ``(B, 1, D)``, in the order of the batch.
        """
        if not first_token:
            layer_of_transformers: Any = super()
            output: Tensor = layer_of_transformers.forward(
                states, mask, *others, layout=layout, **named
            )
            return output

        if layout is None:
            firsts = states[:, :1]  # (B, 1, D)
        else:
            firsts = states.index_select(1, layout.first_tokens)  # (1, B, D)
        attention = self.attention.self

        def split_heads(projected: Any) -> Any:
            return projected.unflatten(-1, (attention.num_attention_heads, -1)).transpose(1, 2)

        # Only the first tokens are queries, but the tokens of all positions are keys and values.
        attended, _ = attend_packed(
            attention,
            query=split_heads(attention.query(firsts)),
            key=split_heads(attention.key(states)),
            value=split_heads(attention.value(states)),
            attention_mask=None if mask is None else mask[:, :, :1],
            dropout=attention.dropout.p if attention.training else 0.0,
            scaling=attention.scaling,
            layout=layout,
        )
        output = self.feed_forward_chunk(self.attention.output(attended.flatten(2), firsts))
        if layout is None:
            return output
        # This converts (1, B, D) in the packed order to (B, 1, D) in the order of the batch.
        return output[0, layout.packed_rows, None]

    def __reduce__(self: Any) -> tuple[Any, ...]:
        """Pickle the layer by the class of transformers, since ours is made while loading."""
        class_of_transformers = type(self).__mro__[2]  # after our class and LastLayer
        return _rebuild, (class_of_transformers,), self.__dict__


@cache
def _last_layer(layer_class: Any) -> type[Any]:
    """Return a layer's class with :class:`LastLayer` mixed in."""
    return type(f"Last{layer_class.__name__}", (LastLayer, layer_class), {})


def _rebuild(layer_class: Any) -> Any:
    """Return an empty last layer for pickle, in a process that may have loaded no encoder."""
    _register()
    return object.__new__(_last_layer(layer_class))


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
    """Compute attention within each sentence: the attention function for ``transformers``.

    Queries may be those of all positions, or one of each row. The second result would be the
    attention weights, which are not returned.

    Shapes: ``(B, H, T, d)`` each, or ``(1, H, N, d)`` with a layout; returns ``(B, T, H, d)`` or
    ``(1, N, H, d)``.
    """
    if layout is None:
        attended = F.scaled_dot_product_attention(
            query, key, value, attention_mask, dropout, scale=scaling
        )
        return attended.transpose(1, 2).contiguous(), None

    # Each group is padded, computed, and flattened again. The groups are in the packed row's order.
    queries, keys, values = (heads[0].transpose(0, 1) for heads in (query, key, value))  # (N, H, d)
    one_query_each = len(queries) < len(keys)  # then they form a packed row of first tokens
    results = []
    for group in layout.groups:
        query_group = group.first_tokens() if one_query_each else group
        attended = F.scaled_dot_product_attention(
            query_group.pad(queries),
            group.pad(keys),
            group.pad(values),
            group.mask,
            dropout,
            scale=scaling,
        )
        results.append(query_group.flatten(attended))
    return torch.cat(results)[None], None
