"""The files of a run's folder: their names, and which of them a fork copies."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

RECIPE, STATE, LOCK = "run.json", "state.json", "run.lock"
RECORD, POSITIONS, SENTENCES = "record.jsonl", "positions.jsonl", "sentences.jsonl"
CHECKPOINT, EARLIER, KEPT = "checkpoint.safetensors", "checkpoint.earlier.safetensors", "kept-*.safetensors"
START, BEST, END = "start", "best-*", "encoder"
OLD_BEST = "best"  # where format 1 kept the best encoder


@dataclass(frozen=True)
class RunFile:
    """A file that clwork writes into a run's folder, or a folder in which it saves an encoder there.

    Attributes:
        name: its name; ``*`` stands for the digits of a step, see :func:`at_step`.
        folder: whether it is the folder of a saved encoder; a file otherwise.
        given: whether it holds objects passed by the caller when the run began; forks copy it.
        grows: whether steps append to it; it is synced before a checkpoint is written, and a fork from a checkpoint
            copies it.
    """

    name: str
    folder: bool = False
    given: bool = False
    grows: bool = False

    def matches(self, name: str) -> bool:
        """Whether a file of this name belongs to this row."""
        return re.fullmatch(re.escape(self.name).replace(r"\*", r"\d+"), name) is not None


FILES = (
    RunFile(RECIPE),  # what the run is made of; it makes the folder a run
    RunFile(STATE),  # status, error, and which process writes
    RunFile(RECORD, grows=True),  # a row per step
    RunFile(POSITIONS, grows=True),  # where the probe's sentences lay at each look
    RunFile(SENTENCES, given=True),  # the examples that were given as objects
    RunFile(START, folder=True, given=True),  # the encoder that was given as an object
    RunFile(CHECKPOINT),  # all that the next step depends on
    RunFile(EARLIER),  # the checkpoint before
    RunFile(KEPT),  # checkpoints that ``keep_every`` asked for
    RunFile(BEST, folder=True),  # the best encoder, where a score decides; the checkpoint names it
    RunFile(OLD_BEST, folder=True),
    RunFile(END, folder=True),  # the encoder of the last step, once the run has ended or was stopped
    RunFile(LOCK),  # held by the writer
)
"""All that clwork writes there and deletes with the run, beside what :meth:`.SavedEncoders.keep` keeps."""


def at_step(name: str, step: int) -> str:
    """Return the name of a file of one step.

    >>> at_step(KEPT, 50)
    'kept-000050.safetensors'
    """
    return name.replace("*", f"{step:06d}")


def row_of(name: str) -> RunFile | None:
    """Return the row of :data:`FILES` that a file's name belongs to; None for files that are not in the table."""
    return next((row for row in FILES if row.matches(name)), None)


def names_of(wanted: Callable[[RunFile], bool]) -> list[str]:
    """Return the names of the rows of :data:`FILES` for which ``wanted`` is true, in the order of the table."""
    return [row.name for row in FILES if wanted(row)]
