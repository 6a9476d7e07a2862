"""The names of the files in a run's folder.

Three rules hold: weights are safetensors and everything else is JSON, so that opening a folder runs
no code; a file is replaced in one step; one process at a time writes.

A finished run that began with an encoder object and a list of sentences has these files::

    run.json                         the run configuration; a folder that has it holds a run
    state.json                       the last status
    run.lock                         locked while a process writes
    sentences.json                   the sentences that the caller passed
    start/                           the encoder that the caller passed
    record.jsonl                     the history: a line for each step
    positions.jsonl                  positions of the probe's sentences: a line for each measurement
    checkpoint.safetensors           the newest checkpoint
    saved-000050.safetensors         a checkpoint that keep_every retains
    best-000040/                     the best encoder by validation
    encoder/                         the encoder of the last step
"""

from __future__ import annotations

import re

from .. import _validation

RUN = "run.json"
STATE = "state.json"
LOCK = "run.lock"
HISTORY = "record.jsonl"
POSITIONS = "positions.jsonl"
SENTENCES = "sentences.json"
CHECKPOINT = "checkpoint.safetensors"
SAVED = "saved-*.safetensors"
# Folders of the first, the best and the last encoder.
START = "start"
BEST = "best-*"
END = "encoder"
# The name of the encoder in run.json if the caller passed an object: START has a copy of it.
COPIED = f"./{START}"
# What a run may write before its first checkpoint, besides encoders that its method makes.
BEFORE_CHECKPOINT = (RUN, STATE, LOCK, HISTORY, POSITIONS, SENTENCES, START)
# Copies of objects that the caller passed; a fork copies them again.
GIVEN = (SENTENCES, START)
# Steps append to these files; they are synced before each checkpoint, and a fork copies them.
GROWING = (HISTORY, POSITIONS)
# What at_step makes of SAVED and BEST, such as best-000040.
FOR_ONE_STEP = re.compile(r"(saved|best)-\d+(\.safetensors)?")
# File systems allow 255 bytes, and the name of a temporary file contains that of the run.
VALID_NAME = re.compile(r"\w[\w.+-]{,99}")


def at_step(name: str, step: int) -> str:
    """Replace the ``*`` of a pattern such as BEST by a step: ``best-*`` becomes ``best-000040``."""
    return name.replace("*", f"{step:06d}")


def run_name(argument: str, name: str) -> str:
    """Return ``name``, passed as ``argument``, if it can name a run's folder; else ValueError."""
    if not VALID_NAME.fullmatch(name):
        raise ValueError(
            f"{argument}={_validation.shown(name)} cannot name a folder; use at most 100 letters, "
            "digits, '.', '_', '+' and '-', with a letter or digit first"
        )
    return name
