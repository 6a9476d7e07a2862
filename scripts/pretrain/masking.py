"""BERT's masking, applied to packed rows."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from clwork.encoders.batching import to_device

from .corpus import MASK, Packed


@dataclass(frozen=True)
class MaskedBatch:
    """A masked batch."""

    ids: torch.Tensor  # (R, T)
    positions: torch.Tensor  # (R, T)
    attention: torch.Tensor  # (R, 1, T, T), true where a piece attends to another
    where: torch.Tensor  # (N,), flat places of the masked pieces
    labels: torch.Tensor  # (N,), the original pieces


def to_batch(
    packed: Packed, rows: torch.Tensor, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids, positions and segments of the given rows on ``device``; each is ``(R, T)``."""
    picked = rows.numpy()
    ids = to_device(packed.ids[picked].astype("int32"), device).long()
    positions = to_device(packed.positions[picked], device).long()
    segments = to_device(packed.segments[picked], device)
    return ids, positions, segments


def masked_batch(
    packed: Packed, rows: torch.Tensor, *, rate: float, vocab_size: int, generator: torch.Generator
) -> MaskedBatch:
    """Mask a share ``rate`` of the word pieces of the given rows.

    Of these, 80 % become ``[MASK]``, 10 % a random piece, and 10 % are unchanged.

    Attention is confined to the piece's own sentence. Devlin et al. (2019) §3.1; ``rate`` between
    0 and 1. The batch is on the device of ``generator``, and a GPU is not waited for.
    """
    device = generator.device
    words = int((packed.ids[rows.numpy()] > MASK).sum())
    count = max(1, int(rate * words))
    ids, positions, segments = to_batch(packed, rows, device)
    lottery = torch.rand(ids.shape, generator=generator, device=device)
    # Special pieces are drawn last.
    lottery = lottery.masked_fill(ids <= MASK, -1.0)
    where = lottery.flatten().topk(count).indices
    labels = ids.flatten()[where]
    fate = torch.rand(count, generator=generator, device=device)
    random_ids = torch.randint(MASK + 1, vocab_size, (count,), generator=generator, device=device)
    random_or_unchanged = torch.where(fate < 0.9, random_ids, labels)
    seen = torch.where(fate < 0.8, MASK, random_or_unchanged)
    corrupted = ids.flatten().scatter(0, where, seen).view_as(ids)
    attention = segments[:, None, :, None] == segments[:, None, None, :]  # (R, 1, T, T)
    return MaskedBatch(corrupted, positions, attention, where, labels)
