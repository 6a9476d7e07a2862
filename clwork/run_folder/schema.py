"""The parts of a run's files that are read as objects: metadata of a checkpoint, and of a fork."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

# Characters of a sentence of the probe that are stored.
LONGEST = 20_000
# The largest number of steps that a setting can have.
MOST_STEPS = 10**9
Value = bool | int | float | str | None
Moved = dict[str, list[Value]]
"""Old and new value of each changed setting, such as ``{"temperature": [0.05, 0.1]}``."""


class Best(BaseModel):
    """The best encoder so far: its step, its validation score, and what the score is, as text."""

    step: int
    score: float
    rule: str


class ProbeMeta(BaseModel):
    """The probe's N sentences, with a topic each, and its pairs of sentences with one meaning.

    The checkpoint has the vectors ``(N, D)`` of the sentences at ``step``. ``positives`` says as
    text what the pairs are.
    """

    texts: list[str]
    labels: list[str | None] | None
    pairs: list[list[str]]
    positives: str
    step: int


class Parent(BaseModel):
    """What a fork continues from: name of the run, step, and the settings that were changed."""

    run: str
    step: int
    changed: Moved = Field(default_factory=dict)


class CheckpointMeta(BaseModel):
    """The state of a run at a checkpoint, apart from its tensors.

    Attributes:
        step: number of completed steps.
        best: the best encoder so far; empty before the first validation.
        config: the method's settings, with the values to which controls were moved.
        seconds: time of all steps and measurements so far.
        probe_seconds: time of the measurements alone.
        events: events since the last row of the history, which the next row gets.
        probe: the probe; None before the first measurement.
        references: reference levels by name, see :func:`clwork.columns.by_column`.
        scaler: state of the loss scaler of float16; empty for other precisions.
    """

    step: int
    best: Best | dict[str, Any] = Field(default_factory=dict)
    config: dict[str, Any]
    seconds: float
    probe_seconds: float
    events: list[dict[str, Any]] = Field(default_factory=list)
    probe: ProbeMeta | None = None
    references: dict[str, float] = Field(default_factory=dict)
    scaler: dict[str, Any] = Field(default_factory=dict)

    @property
    def best_step(self) -> int | None:
        """Step of the best encoder; None before the first validation."""
        return self.best.step if isinstance(self.best, Best) else None


def parse_meta(content: object, path: Path) -> CheckpointMeta:
    """Convert the JSON ``content`` of the checkpoint ``path``; ValueError if it is damaged."""
    try:
        return CheckpointMeta.model_validate(content)
    except ValidationError as error:
        first_error = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first_error["loc"]))
        raise ValueError(f"{path} is damaged: {field}: {first_error['msg']}") from None
