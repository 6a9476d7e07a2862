"""The complementary model: an encoder that judges negatives, found by name or trained on the spot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path

import torch

from ..data.settings import RECIPE, encoder_of_run, runs_folder
from ..encoders import Encoder, Tokens, load_encoder
from .base import Draws, MethodConfig
from .simcse import SimCSE, SimCSEConfig


def find(name: str, device: torch.device, *, behind_head: bool = False) -> Encoder:
    """An encoder by the name of a run, a folder (a run's or an encoder's), or a name for ``load_encoder``.

    Of a run the encoder at its end is taken, and of a stopped run the best so far. It is read as at test, or
    ``behind_head``, its own head or pooler, as the released code reads it (D17).

    Raises:
        FileNotFoundError: the run has neither.
        ValueError: nothing of that name is to be found, or it is no encoder, or it has no head to read behind.
    """
    encoder = _find(name, device)
    if not behind_head:
        return encoder
    if encoder.head is None:
        raise ValueError(
            f"complementary={name!r} has no head or pooler to be read behind; set complementary_head=False, or name "
            "a model that keeps one (SimCSE with head='both')"
        )
    return encoder.with_pooling("cls") if encoder.pooling == "cls_before_pooler" else encoder


def _find(name: str, device: torch.device) -> Encoder:
    for folder in (runs_folder() / name, Path(name).expanduser()):
        if (folder / RECIPE).is_file():
            kept = encoder_of_run(folder)
            if kept is None:
                raise FileNotFoundError(f"the run in {folder} has no encoder yet; wait until it has finished")
            return load_encoder(kept, device=str(device))
    try:
        return load_encoder(name, device=str(device))
    except (OSError, ValueError) as error:
        raise ValueError(f"complementary={name!r} is no run in {runs_folder()}, and as an encoder: {error}") from error


def train(
    encoder: Encoder,
    config: MethodConfig,
    batches: Callable[[int], Sequence[Tokens]],
    steps: int,
    generator: torch.Generator,
    *,
    behind_head: bool = False,
) -> Encoder:
    """``encoder`` itself after ``steps`` of unsupervised SimCSE, at its test-time representation or ``behind_head``.

    What ``config`` has in common with SimCSE's (rates, temperature, dropout, pooling) is SimCSE's here too; its
    augmentation is dropout alone.
    """
    known = {field.name for field in fields(SimCSEConfig)} - {"head", "augmentation", "augmentation_rate"}
    shared = {name: value for name, value in asdict(config).items() if name in known}
    head = "both" if behind_head else "train_only"
    method = SimCSE(encoder, SimCSEConfig(**shared, head=head), generator).to(encoder.device)
    seed = int(torch.randint(1 << 30, (), generator=generator))
    optimizer = method.optimizer()
    for step in range(steps):
        method.train()
        method.before_step(step, steps, optimizer)
        terms = method.compare(method.embed(batches(step), Draws.of(seed, step, encoder.device)))
        optimizer.zero_grad()
        terms.loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(method.parameters(), config.clip)
        optimizer.step()
    return method.test_encoder()


def keep(folder: Path, make: Callable[[], Encoder], device: torch.device) -> Encoder:
    """What lies in ``folder``; ``make`` puts it there the first time, so that a resumed run finds the same."""
    if not folder.is_dir():
        make().save(folder)
    return load_encoder(folder, device=str(device))
