"""How far a method's preparation is, and how it is ended: what :class:`clwork.methods.keeper.Keeper` asks of a run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..encoders import Encoder
from .folder import RunFolder
from .outside import Outside


class StoppedEarlyError(Exception):
    """The run was stopped while its method made ready: there is no step to go back to, and nothing has failed."""


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total`` parts of ``work``, which took so many ``seconds``."""

    work: str
    done: int
    total: int
    seconds: float


class PreparationProgress:
    """Keeps the latest of it for those who look at the run, and ends the preparation once ``stop`` is set."""

    def __init__(self, stop: threading.Event) -> None:
        self.now: Progress | None = None
        self._stop = stop

    def tell(self, progress: Progress) -> None:
        """Take note.

        Raises:
            StoppedEarlyError: nobody wants the rest.
        """
        self.now = progress
        if self._stop.is_set():
            raise StoppedEarlyError


class PreparedFolder:
    """A run's folder, as a method sees it while it makes ready."""

    def __init__(self, files: RunFolder, progress: PreparationProgress, outside: Outside | None = None) -> None:
        """Without ``outside``, whatever is named is named by the reader."""
        self._files, self._progress, self._outside = files, progress, outside
        self._began = time.perf_counter()

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """See :meth:`.RunFolder.keep_encoder`."""
        return self._files.keep_encoder(name, make, device)

    def named_encoder(self, hyperparameter: str, named: str, read: Callable[[str | Path], Encoder]) -> Encoder:
        """See :meth:`.Outside.named_encoder`."""
        if self._outside is None:
            return read(self._files.encoder_of(named) or named)
        return self._outside.named_encoder(hyperparameter, named, read)

    def progress(self, work: str, done: int, total: int) -> None:
        """Tell whoever looks at the run; raises :class:`StoppedEarlyError` where it is to end."""
        self._progress.tell(Progress(work, done, total, time.perf_counter() - self._began))
