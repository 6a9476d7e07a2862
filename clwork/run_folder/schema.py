"""The parts of a run's files that are read back as objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

LONGEST = 20_000  # characters of a stored text
MOST_LEVELS = 50  # reference levels in a checkpoint
MOST_STEPS = 10**9
Value = bool | int | float | str | None
Moved = dict[str, list[Value]]


class Best(BaseModel):
    """Step, score and selection rule of the best checkpoint so far."""

    step: int
    score: float
    rule: str


class ProbeMeta(BaseModel):
    """Sentences and pairs of the probe; the checkpoint has their vectors at ``step``."""

    texts: list[str]
    labels: list[str | None] | None
    pairs: list[list[str]]
    positives: str
    step: int


class Parent(BaseModel):
    """Run and step that a fork continues from, and old and new value of each changed setting."""

    run: str
    step: int
    changed: Moved = Field(default_factory=dict)


class CheckpointMeta(BaseModel):
    """Metadata of a checkpoint; ``scaler`` is the state of the loss scaler, where there is one."""

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
        return self.best.step if isinstance(self.best, Best) else None

    def pending_events(self) -> list[dict[str, Any]]:
        """Return the events since the last row of the history."""
        return list(self.events)


def parse_meta(content: object, path: Path) -> CheckpointMeta:
    """Read the metadata of the checkpoint ``path``; ValueError if it is damaged."""
    try:
        return CheckpointMeta.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise ValueError(f"{path} is damaged: {field}: {first['msg']}") from None
