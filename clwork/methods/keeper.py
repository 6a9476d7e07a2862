"""What a run does for a method while that makes ready."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from ..encoders import Encoder


class Keeper(Protocol):
    """A run as a method sees it before the first step: its folder, and somebody who waits."""

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """What lies in the folder under ``name``; ``make`` puts it there the first time."""

    def encoder_of(self, run: str) -> Path | None:
        """Where another run, given by name or folder, keeps its encoder; None where no run is called so."""

    def progress(self, work: str, done: int, total: int) -> None:
        """Tell that ``done`` of ``total`` parts of ``work`` are done: called between them.

        Raises:
            Exception: the run was stopped; let it through.
        """
