"""Packing: on a CPU, a batch's rows are concatenated without padding, and padded in groups for attention only.

A transformer layer processes positions separately, except in attention. All rows of a batch can therefore form one row
``(1, N, D)``, if attention separates them. :func:`attend_packed` does so, in groups of similar length; the
``transformers`` library passes unknown arguments, such as a :class:`Layout`, to this function.

A pooling that reads only the first token needs the last layer at that token only: :class:`LastLayer`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from .. import arithmetic
from .tokens import POSITIONS_ON_CPU, by_length

ATTENTION = "clwork"  # this module's name among the attention functions of transformers
# Model types with a position table and attention among all tokens; they pass extra arguments on to the attention.
MODELS = frozenset({"bert", "camembert", "electra", "roberta", "xlm-roberta"})
WASTE = 1.1  # packing is used if padding multiplies the number of positions by at least this
# Up to this many tokens per row, _products is faster than PyTorch's fused attention in bfloat16 on a CPU without
# gradient: 280 instead of 440 microseconds at 32 tokens, 360 instead of 540 at 48; from 64 on it is slower.
SHORT = 48


class Group(NamedTuple):
    """Rows of similar length within the packed row."""

    span: slice  # positions of the group's tokens in the packed row
    shape: tuple[int, int]  # number of rows, and length of the longest
    places: (
        Tensor | None
    )  # index of each position in the padded (b · T); None if all rows have one length
    mask: Tensor | None  # (b, 1, 1, T), true at tokens; None if all rows have one length
    rows: slice  # numbers of the group's rows in the packed row

    def pad(self, heads: Tensor) -> Tensor:
        """Return this group of the packed row ``(N, H, d)``, padded: ``(b, H, T, d)``."""
        taken = heads[self.span]
        if self.places is not None:
            zeros = taken.new_zeros(self.shape[0] * self.shape[1], *taken.shape[1:])
            taken = zeros.index_copy(0, self.places, taken)
        return taken.view(*self.shape, *taken.shape[1:]).transpose(1, 2)

    def flatten(self, heads: Tensor) -> Tensor:
        """Remove this group's padding: ``(b, H, T, d)`` to ``(n, H, d)``."""
        flat = heads.transpose(1, 2).flatten(0, 1)
        return flat if self.places is None else flat[self.places]

    def firsts(self) -> Group:
        """Return the group of these rows in a packed row that has only the first position of each row."""
        return Group(self.rows, (self.shape[0], 1), None, None, self.rows)


class Layout:
    """The positions of a padded batch, whose rows all have tokens, in its packed row, longest rows first."""

    def __init__(self, lengths: Sequence[int], longest: int) -> None:
        sizes = np.asarray(lengths)
        self._shape = len(sizes), longest
        self.groups: list[Group] = []
        rows: list[np.ndarray[Any, Any]] = []
        columns: list[np.ndarray[Any, Any]] = []
        start = done = 0
        for chosen in by_length(sizes.tolist(), POSITIONS_ON_CPU):
            mask = np.arange(sizes[chosen].max()) < sizes[chosen][:, None]  # (b, T)
            row, column = mask.nonzero()
            rows.append(chosen[row])
            columns.append(column)
            even = mask.all()
            places = None if even else torch.from_numpy(row * mask.shape[1] + column)
            attended = None if even else torch.from_numpy(mask)[:, None, None, :]
            span = slice(start, start + len(row))
            numbers = slice(done, done + len(chosen))
            self.groups.append(
                Group(span, (mask.shape[0], mask.shape[1]), places, attended, numbers)
            )
            start, done = span.stop, numbers.stop
        places = np.concatenate(rows) * longest + np.concatenate(columns)
        self._places = torch.from_numpy(places)  # (N,), in the padded B · T
        firsts = np.flatnonzero(places % longest == 0)
        self.firsts = torch.from_numpy(
            firsts
        )  # (B,), each row's first position in the packed row, in its order
        self.order = torch.from_numpy(
            np.argsort(places[firsts])
        )  # (B,), indices of the batch's rows among them

    def pack(self, padded: Tensor) -> Tensor:
        """Pack a padded ``(B, T)``: ``(1, N)``."""
        return padded.flatten()[self._places][None]

    def unpack(self, states: Tensor) -> Tensor:
        """Pad ``(1, N, D)`` again, by zeros: ``(B, T, D)``."""
        zeros = states.new_zeros(self._shape[0] * self._shape[1], states.shape[-1])
        return zeros.index_copy(0, self._places, states[0]).view(*self._shape, -1)


def use_packed_attention(backbone: Any) -> None:
    """Make a backbone use :func:`attend_packed` and :class:`LastLayer`, if its model type supports packing."""
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
    """Whether rows can be packed: the backbone uses packed attention, is on a CPU, and has no hooks on word vectors."""
    if not uses_packed_attention(backbone):
        return False
    return bool(
        backbone.get_input_embeddings().weight.device.type == "cpu" and not hooked(backbone)
    )


def hooked(backbone: Any) -> bool:
    """Whether a hook changes the word vectors of a whole batch, which then cannot be rearranged."""
    hooks = backbone.get_input_embeddings()._forward_hooks.values()
    return any(not hook.__module__.startswith("transformers.") for hook in hooks)


def one_length_at_a_time(
    batch: Mapping[str, Tensor], compute: Callable[..., tuple[Tensor, ...]]
) -> tuple[Tensor, ...]:
    """Return layers ``(B, T, D)`` of a batch padded on the right, computed from rows of one length, unpadded."""
    lengths, longest = batch["attention_mask"].sum(1), batch["attention_mask"].shape[1]
    groups = [(lengths == length).nonzero().flatten() for length in set(lengths.tolist())]
    parts = []
    for rows in groups:
        length = max(1, int(lengths[rows[0]]))
        layers = compute({name: part[rows, :length] for name, part in batch.items()})
        parts.append([F.pad(states, (0, 0, 0, longest - states.shape[1])) for states in layers])
    order = torch.cat(groups).argsort()
    return tuple(torch.cat(layer)[order] for layer in zip(*parts, strict=True))


def padding_of_positions(backbone: Any) -> int:
    """Return the id whose tokens get no position in RoBERTa-like models, which begin at the next number; -1 if none."""
    tables = (
        part for name, part in backbone.named_modules() if name.endswith("position_embeddings")
    )
    padding = getattr(next(tables, None), "padding_idx", None)
    return -1 if padding is None else int(padding)


def positions(batch: Mapping[str, Tensor], padding: int) -> Tensor:
    """Number the positions ``(B, T)`` of token ids padded on the right, as the model does."""
    counted = (batch["input_ids"] != padding).long()
    return counted.cumsum(1) * counted + padding


def with_ready_mask(backbone: Any, batch: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the batch; on a GPU and with packed attention, its mask is ``(B, 1, 1, T)`` bool."""
    mask = batch["attention_mask"]
    if not uses_packed_attention(backbone) or mask.device.type in arithmetic.HOST_DEVICES:
        return dict(batch)
    return {**batch, "attention_mask": mask.bool()[:, None, None, :]}


def layout_of(batch: Mapping[str, Tensor]) -> Layout | None:
    """Return the layout of a batch of token ids and mask ``(B, T)``; None if packing is impossible or not faster."""
    if batch.keys() != {"input_ids", "attention_mask"}:
        return None
    mask = batch["attention_mask"]
    lengths = mask.sum(1)
    total = int(lengths.sum())
    if not lengths.all() or mask.numel() < WASTE * total or not (mask[:, 1:] <= mask[:, :-1]).all():
        return None
    return Layout(lengths.tolist(), mask.shape[1])


class LastLayer:
    """Mixed into the class of a backbone's last layer, which can then compute first positions alone."""

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
        own = self.attention.self
        # (B, 1, D) or (1, B, D)
        firsts = states[:, :1] if layout is None else states.index_select(1, layout.firsts)
        query, key, value = (
            project(read).unflatten(-1, (own.num_attention_heads, -1)).transpose(1, 2)
            for project, read in ((own.query, firsts), (own.key, states), (own.value, states))
        )
        mask = None if mask is None else mask[:, :, :1]
        dropout = own.dropout.p if own.training else 0.0
        attended, _ = attend_packed(own, query, key, value, mask, dropout, own.scaling, layout)
        output = self.feed_forward_chunk(self.attention.output(attended.flatten(2), firsts))
        return output if layout is None else output[0, layout.order, None]

    def __reduce__(self: Any) -> tuple[Any, ...]:
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
    """Attention function for ``transformers``: within packed rows, or within padded rows if ``layout`` is None.

    Queries may be those of all positions, or one of each row.
    """
    if layout is None:
        if _is_short(module, key) and (
            attention_mask is None or attention_mask.dtype == torch.bool
        ):
            return _products(query, key, value, attention_mask, scaling).transpose(
                1, 2
            ).contiguous(), None
        from transformers.integrations.sdpa_attention import sdpa_attention_forward

        attended, _ = sdpa_attention_forward(
            module, query, key, value, attention_mask, dropout=dropout, scaling=scaling, **others
        )
        return attended, None
    heads = [part[0].transpose(0, 1) for part in (query, key, value)]  # (N, H, d) each
    parts = []
    one_each = query.shape[2] < key.shape[2]
    for group in layout.groups:
        queries = group.firsts() if one_each else group
        q, k, v = queries.pad(heads[0]), group.pad(heads[1]), group.pad(heads[2])
        if _is_short(module, k):
            parts.append(queries.flatten(_products(q, k, v, group.mask, scaling)))
        else:
            parts.append(
                queries.flatten(
                    F.scaled_dot_product_attention(q, k, v, group.mask, dropout, scale=scaling)
                )
            )
    return torch.cat(parts)[None], None


def _is_short(module: Any, key: Tensor) -> bool:
    """Whether :func:`_products` is faster for keys ``(b, H, T, d)``; never in training mode, which needs dropout."""
    fits = key.shape[2] <= SHORT and key.dtype == torch.bfloat16 and key.device.type == "cpu"
    return bool(fits and not module.training and not torch.is_grad_enabled())


def _products(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scaling: float | None
) -> Tensor:
    """Attention by two products and a softmax in float32: ``(b, H, T, d)``; ``mask`` is true at tokens."""
    scores = (
        query * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    ) @ key.mT  # (b, H, T, T)
    if mask is not None:  # finite, so that a row without tokens does not get NaN
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1, dtype=torch.float32).to(value.dtype) @ value
