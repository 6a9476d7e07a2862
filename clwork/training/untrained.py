"""The first step of a run that nobody has started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from .. import data
from ..encoders import Encoder, load_encoder
from ..methods import config as make_config
from ..methods import get
from .devices import usual_device
from .moment import Moment
from .precision import resolve
from .preparation import make_batches

STEPS = 300  # as clwork.start has it
SEED = 0


class _Nowhere:
    """Stands for a run's folder: what a method makes ready is made, and not kept."""

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """What ``make`` makes."""
        return make()

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """By its name as an encoder: no run is known here."""
        return read(named)

    def progress(self, work: str, done: int, total: int) -> None:
        """Nobody is told."""


def untrained(method: str, **config: Any) -> Moment:
    """The moment before the first step of ``clwork.start(method, **config)``, at seed 0: nothing has been trained.

    What a method makes ready before its first step is made here too, and takes its time.

    Raises:
        TypeError, ValueError: no such method, or a hyperparameter is unknown, of another kind or out of range.
    """
    kind, device = get(method), usual_device()
    if strange := config.keys() & {"encoder", "name"}:
        raise TypeError(f"{', '.join(sorted(strange))} cannot be given here; give hyperparameters of {method} alone")
    values = make_config(method, encoder=kind.default_encoder, **config)
    encoder = load_encoder(kind.default_encoder, device=device, seed=SEED)
    made = kind(encoder, values, torch.Generator().manual_seed(SEED)).to(device)
    batches, _, _ = make_batches(made, data.sentences("wikipedia-mini"), values.batch_size, SEED)
    made.begin(batches.batch, _Nowhere())
    batch = batches.batch(0)
    return Moment(
        "no run yet", made, batches.latest, batch, 0, STEPS, SEED, resolve(values.precision, device).name,
        "the first step, at the method's own settings and seed 0; nothing has been trained",
    )  # fmt: skip
