"""What a run answers, wherever it is: trained in this kernel, or read back from its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ...edges import like
from ...encoders import Encoder
from ...methods import MethodName


class RunLike(Protocol):
    """What :class:`.Run` and :class:`.Stored` have in common; the lab's boards ask for no more where both may come."""

    @property
    def name(self) -> str:
        """Its name, also that of its folder."""

    @property
    def method(self) -> MethodName:
        """The name of its method, which :func:`clwork.methods.get` takes: known to this kernel or not."""

    @property
    def folder(self) -> Path:
        """Where it lies."""

    @property
    def status(self) -> str:
        """How it stands, in a word."""

    @property
    def error(self) -> str | None:
        """What went wrong, in words, or None."""

    @property
    def step(self) -> int:
        """Steps done so far."""

    @property
    def total_steps(self) -> int:
        """The step at which it ends."""

    @property
    def encoder(self) -> Encoder:
        """What it has come to, at its method's test-time representation; training does not change what is given.

        Raises:
            RuntimeError, FileNotFoundError: it has not got as far as having one.
        """

    def records(self, since: int = 0) -> Sequence[Mapping[str, Any]]:
        """The rows of its history, from row number ``since``."""


A_RUN = like(
    "a run, as clwork.start and clwork.train return it, or what clwork.open_run(folder) gives", "folder", "records"
)
