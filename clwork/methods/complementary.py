"""The complementary model: an encoder that judges negatives, found by name or trained on the spot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Literal

import torch

from ..encoders import Encoder, Tokens, load_encoder
from .base import Draws, MethodConfig, train_step
from .simcse import SimCSE, SimCSEConfig


def find(name: str | Path, device: torch.device, *, behind_head: bool = False) -> Encoder:
    """An encoder by a name for ``load_encoder``, or the folder where a run keeps its own.

    It is read as at test, or ``behind_head``, its own head or pooler, as the released code reads it (D17).

    Raises:
        ValueError: nothing of that name is to be found, or it is no encoder, or it has no head to read behind.
    """
    try:
        encoder = load_encoder(name, device=str(device))
    except (OSError, ValueError) as error:
        raise ValueError(f"complementary={str(name)!r} is no run, and as an encoder: {error}") from error
    return read_behind_head(encoder, name) if behind_head else encoder


def read_behind_head(encoder: Encoder, name: str | Path) -> Encoder:
    """The encoder with its head or pooler in force.

    Raises:
        ValueError: it has none.
    """
    if encoder.head is None:
        raise ValueError(
            f"complementary={str(name)!r} has no head or pooler to be read behind; set complementary_head=False, or "
            "name a model that keeps one (SimCSE with head='both')"
        )
    return encoder.with_pooling("cls") if encoder.pooling == "cls_before_pooler" else encoder


def train(
    encoder: Encoder,
    config: MethodConfig,
    batches: Callable[[int], Sequence[Tokens]],
    steps: int,
    generator: torch.Generator,
    *,
    behind_head: bool = False,
    told: Callable[[int, int], None] = lambda done, total: None,
) -> Encoder:
    """``encoder`` itself after ``steps`` of unsupervised SimCSE, at its test-time representation or ``behind_head``.

    What ``config`` has in common with SimCSE's (rates, temperature, dropout, pooling) is SimCSE's here too; its
    augmentation is dropout alone. ``told(done, total)`` is called before each step and after the last; it may raise.
    """
    known = {field.name for field in fields(SimCSEConfig)} - {"head", "augmentation", "augmentation_rate"}
    shared = {name: value for name, value in asdict(config).items() if name in known}
    head: Literal["both", "train_only"] = "both" if behind_head else "train_only"
    method = SimCSE(encoder, SimCSEConfig(**shared, head=head), generator).to(encoder.device)
    seed = int(torch.randint(1 << 30, (), generator=generator))
    optimizer = method.optimizer()
    for step in range(steps):
        told(step, steps)
        train_step(method, optimizer, batches(step), Draws.of(seed, step, encoder.device), step, steps)
        method.after_step()
    told(steps, steps)
    return method.test_encoder()
