"""Schemas of a run's files: everything read from disk is validated before it is used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator

from ..._validation import is_finite, printable
from ...encoders.disk.schemas import Strict
from ...wording import plural

LONGEST = 20_000  # characters of one text
MOST_SEEN, MOST_LEVELS = 1000, 50
LONGEST_SEEN, MOST_AXES = 500, 8  # characters of a text, and axes, in a recording of positions
MOST_NAMES, MOST_EVENTS = 300, 1000  # columns of a record, and other things by name; events of a row
MOST_STEPS = 10**9  # of a run, and the largest count in its files
Count = Annotated[int, Field(ge=0, le=MOST_STEPS)]
Seconds = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
Word = Annotated[str, Field(max_length=200), AfterValidator(printable)]
Text = Annotated[str, Field(max_length=LONGEST), AfterValidator(printable)]
Whole = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]
Value = bool | Whole | float | Text | None
Moved = Annotated[dict[Word, Annotated[list[Value], Field(min_length=2, max_length=2)]], Field(max_length=MOST_NAMES)]
Share = Annotated[float, Field(ge=0, le=1)]
Level = Annotated[float, Field(allow_inf_nan=False)]


class Best(Strict):
    """The best checkpoint so far."""

    step: Count
    score: Level
    rule: Word


class Seen(Strict):
    """Sentences and pairs of the probe; ``step`` is that of the last look.

    The sentences' vectors at that step are a tensor of the checkpoint.
    """

    texts: Annotated[list[Text], Field(min_length=1, max_length=MOST_SEEN)]
    labels: Annotated[list[Text | None], Field(max_length=MOST_SEEN)] | None
    pairs: Annotated[list[Annotated[list[Text], Field(min_length=2, max_length=2)]], Field(max_length=MOST_SEEN)]
    positives: Text
    step: Count

    @model_validator(mode="after")
    def _a_label_each(self) -> Seen:
        if self.labels is not None and len(self.labels) != len(self.texts):
            raise ValueError(f"{plural(len(self.labels), 'label')} of {plural(len(self.texts), 'sentence')}")
        return self


class Cloud(Strict):
    """First line of the recorded positions: of which sentences, on which axes."""

    format: Literal[1]
    texts: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_SEEN), AfterValidator(printable)]],
        Field(min_length=1, max_length=MOST_SEEN),
    ]
    labels: Annotated[list[Word | None], Field(max_length=MOST_SEEN)] | None
    basis: Literal["first look"]
    axes: Annotated[int, Field(ge=1, le=MOST_AXES)]
    span: Annotated[float, Field(gt=0, le=100)]
    share: Annotated[list[Share], Field(max_length=MOST_AXES)]

    @model_validator(mode="after")
    def _of_one_size(self) -> Cloud:
        if self.labels is not None and len(self.labels) != len(self.texts):
            raise ValueError(f"{plural(len(self.labels), 'label')} of {plural(len(self.texts), 'sentence')}")
        if len(self.share) != self.axes:
            raise ValueError(f"{len(self.share)} shares of {self.axes} axes")
        return self


class Look(Strict):
    """Each further line: coordinates and nearest sentences as base64, see :mod:`.positions`."""

    step: Count
    at: Annotated[str, Field(max_length=1 << 15)]
    near: Annotated[str, Field(max_length=1 << 15)]
    kept: Share


class Parent(Strict):
    """The run and step that a fork goes on from, and each changed setting: its value then and now."""

    run: Word
    step: Count
    changed: Moved = Field(default_factory=dict)


class Event(Strict):
    """What happened between steps: one of the kinds that clwork/events.py puts into words."""

    moved: Moved = Field(default_factory=dict)
    paused: Seconds = 0.0
    resumed: Count = 0
    changed: Word = ""
    forked: Parent | None = None
    usable: Share = 1.0
    lost: Annotated[list[Count], Field(min_length=3, max_length=3)] = Field(default_factory=lambda: [0, 0, 0])
    damaged: Count = 0
    told: Text = ""

    @model_validator(mode="after")
    def _of_one_kind(self) -> Event:
        if len(self.model_fields_set) != 1:
            raise ValueError(f"an event is of one kind, this one of {len(self.model_fields_set)}")
        return self


class CheckpointMeta(Strict):
    """Metadata of a checkpoint; what later formats added is None or empty in earlier ones."""

    step: Count
    best: Best | Annotated[dict[str, Any], Field(max_length=0)] = Field(default_factory=dict)
    config: Annotated[dict[Word, Value], Field(max_length=200)]
    seconds: Seconds
    probe_seconds: Seconds
    events: Annotated[list[Event | Text], Field(max_length=MOST_EVENTS)] = Field(default_factory=list)
    probe: Seen | None = None
    references: Annotated[dict[Word, Level], Field(max_length=MOST_LEVELS)] = Field(default_factory=dict)

    @property
    def best_step(self) -> int | None:
        """The step of the best encoder so far, if any."""
        return self.best.step if isinstance(self.best, Best) else None

    def pending_events(self) -> list[dict[str, Any]]:
        """Events not yet written to a row; sentences of older runs unchanged."""
        return [{"told": e} if isinstance(e, str) else e.model_dump(exclude_unset=True) for e in self.events]


class State(Strict):
    """Status of a run when it was last written."""

    status: Annotated[str, Field(pattern="^(waiting|running|paused|stopped|finished|failed)$")]
    step: Count
    error: Text | None = None
    process: Count
    host: Word


Kind = TypeVar("Kind", bound=BaseModel)


def check_row(row: object, path: Path) -> dict[str, Any]:
    """Validate a row of a record: a step, numbers by name (NaN in older runs where nothing was measured), and events.

    Numbers fit into a float; sizes are bounded: MOST_NAMES columns, MOST_EVENTS events.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(row, dict) or type(row.get("step")) is not int or not 0 <= row["step"] <= MOST_STEPS:
        raise ValueError(f"{path} is damaged: a row without a step")
    if len(row) > MOST_NAMES:
        raise ValueError(f"{path} is damaged: step {row['step']} has {len(row):,} columns, more than {MOST_NAMES}")
    for name, value in row.items():
        if len(name) > 200 or printable(name) != name:
            raise ValueError(f"{path} is damaged: step {row['step']} has a column whose name cannot be shown")
        if name == "events" and isinstance(value, list) and len(value) <= MOST_EVENTS:
            for event in value:
                parse(Event, event, path)
        elif name == "event" and isinstance(value, str):
            row[name] = printable(value[:LONGEST])
        elif type(value) not in (int, float) or (type(value) is int and not is_finite(value)):
            raise ValueError(f"{path} is damaged: {name[:50]} at step {row['step']} is no number that can be drawn")
    return row


def parse(kind: type[Kind], content: object, path: Path) -> Kind:
    """Validate ``content`` as a ``kind``.

    Raises:
        ValueError: it is invalid; the message names the file, the place in it, and the fault.
    """
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        raise ValueError(first_fault(error, path)) from None


def first_fault(error: ValidationError, path: Path) -> str:
    """First fault of a file, in one line."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "all of it"
    return f"{path} is damaged, or not from clwork: {place[:100]}: {first['msg'][:200]}"
