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

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """The encoder that a hyperparameter names: ``read`` gets the folder where a run keeps its own, or the name.

        Raises:
            ValueError: the run's folder names it, and does not tell its fingerprint, or that of another encoder.
        """

    def progress(self, work: str, done: int, total: int) -> None:
        """Tell that ``done`` of ``total`` parts of ``work`` are done: called between them.

        Raises:
            Exception: the run was stopped; let it through.
        """
