"""Schemas that validate everything read from a run's files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from .._validation import printable
from ..wording import plural

LONGEST = 20_000  # characters of a stored text
LONGEST_SEEN, MOST_AXES = 500, 8  # characters of a text, and number of axes, in recorded positions
MOST_LEVELS = 50  # reference levels in a checkpoint
MOST_STEPS = 10**9
Count = Annotated[int, Field(ge=0, le=MOST_STEPS)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Word = Annotated[str, Field(max_length=200), AfterValidator(printable)]
Text = Annotated[str, Field(max_length=LONGEST), AfterValidator(printable)]
Whole = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]
Value = bool | Whole | float | Text | None
Moved = dict[Word, Annotated[list[Value], Field(min_length=2, max_length=2)]]
Share = Annotated[float, Field(ge=0, le=1)]
Level = Annotated[float, Field(allow_inf_nan=False)]


class Strict(BaseModel):
    """Base model that converts no types and accepts no unknown fields."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Best(Strict):
    """Step, score and selection rule of the best checkpoint so far."""

    step: Count
    score: Level
    rule: Word


class ProbeMeta(Strict):
    """Sentences and pairs of the probe; their vectors at ``step`` are a tensor of the checkpoint."""

    texts: Annotated[list[Text], Field(min_length=1)]
    labels: list[Text | None] | None
    pairs: list[Annotated[list[Text], Field(min_length=2, max_length=2)]]
    positives: Text
    step: Count

    @model_validator(mode="after")
    def _a_label_each(self) -> ProbeMeta:
        return _check_labels(self, self.labels, self.texts)


class PositionsHeader(Strict):
    """First line of the recorded positions: sentences and axes."""

    format: Literal[1]
    texts: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_SEEN), AfterValidator(printable)]],
        Field(min_length=1),
    ]
    labels: list[Word | None] | None
    basis: Literal["first measurement"]
    axes: Annotated[int, Field(ge=1, le=MOST_AXES)]
    span: Annotated[float, Field(gt=0, le=100)]
    share: list[Share]

    @model_validator(mode="after")
    def _of_one_size(self) -> PositionsHeader:
        if len(self.share) != self.axes:
            raise ValueError(f"{len(self.share)} shares for {self.axes} axes")
        return _check_labels(self, self.labels, self.texts)


class PositionsRow(Strict):
    """A measurement: coordinates and nearest sentences as base64, see :mod:`clwork.run_folder.positions`."""

    step: Count
    at: str
    near: str
    share: Share


class Parent(Strict):
    """The run and step that a fork continues from, and the old and new value of each changed setting."""

    run: Word
    step: Count
    changed: Moved = Field(default_factory=dict)


class Pooled(Strict):
    """Pooling of the trained encoder and of the encoder as loaded."""

    trained: Word
    loaded: Word
    auto: bool
    declared: bool


class Event(Strict):
    """An event between two steps; exactly one field is set. clwork/events.py formats it as text."""

    moved: Moved = Field(default_factory=dict)
    paused: Seconds = 0.0
    resumed: Count = 0
    changed: Word = ""
    forked: Parent | None = None
    pooling: Pooled | None = None
    untrained: dict[Word, Level] = Field(default_factory=dict)
    usable: Share = 1.0
    unknown: Share = 0.0
    repeated: Share = 0.0
    lost: Annotated[list[Count], Field(min_length=3, max_length=3)] = Field(
        default_factory=lambda: [0, 0, 0]
    )
    damaged: Count = 0
    overflow: Level = 0.0

    @model_validator(mode="after")
    def _of_one_kind(self) -> Event:
        if len(self.model_fields_set) != 1:
            raise ValueError(
                f"an event must have exactly one field, but this one has {len(self.model_fields_set)}"
            )
        return self


class CheckpointMeta(Strict):
    """Metadata of a checkpoint."""

    step: Count
    best: Best | Annotated[dict[str, Any], Field(max_length=0)] = Field(default_factory=dict)
    config: dict[Word, Value]
    seconds: Seconds
    probe_seconds: Seconds
    events: list[Event] = Field(default_factory=list)
    probe: ProbeMeta | None = None
    references: dict[Word, Level] = Field(default_factory=dict)
    scaler: dict[Word, Whole | Level] = Field(
        default_factory=dict
    )  # state of the loss scaler; empty without one

    @property
    def best_step(self) -> int | None:
        return self.best.step if isinstance(self.best, Best) else None

    def pending_events(self) -> list[dict[str, Any]]:
        return [event.model_dump(exclude_unset=True) for event in self.events]


class State(Strict):
    """The last written status of a run."""

    status: Literal["waiting", "running", "paused", "stopped", "finished", "failed"]
    step: Count
    error: Text | None = None
    process: Count
    host: Word


Kind = TypeVar("Kind", bound=BaseModel)


def _check_labels(model: Kind, labels: list[Any] | None, texts: list[str]) -> Kind:
    if labels is not None and len(labels) != len(texts):
        raise ValueError(f"{plural(len(labels), 'label')} for {plural(len(texts), 'sentence')}")
    return model


def check_row(row: object, path: Path) -> dict[str, Any]:
    """Validate and return a row of a history: a step, finite numbers, and events."""
    if (
        not isinstance(row, dict)
        or type(row.get("step")) is not int
        or not 0 <= row["step"] <= MOST_STEPS
    ):
        raise ValueError(f"{path} is damaged: a row without a step")
    for name, value in row.items():
        if printable(name) != name:
            raise ValueError(
                f"{path} is damaged: step {row['step']} has a column whose name cannot be shown"
            )
        if name == "events" and isinstance(value, list):
            for event in value:
                parse(Event, event, path)
        elif type(value) not in (int, float) or abs(value) > 1e300 or not math.isfinite(value):
            raise ValueError(
                f"{path} is damaged: {name[:50]} at step {row['step']} is not a finite number"
            )
    return row


def parse(kind: type[Kind], content: object, path: Path) -> Kind:
    """Validate ``content`` as a ``kind``; the ValueError names the file, the field and the fault."""
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        raise ValueError(first_fault(error, path)) from None


def first_fault(error: ValidationError, path: Path) -> str:
    """Return the first fault of a file as one line."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "all of it"
    return f"{path} is damaged, or not from clwork: {place[:100]}: {first['msg'][:200]}"
