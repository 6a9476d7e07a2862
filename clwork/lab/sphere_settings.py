"""What can be set in the sphere lab: names, ranges, defaults and the line of help that stands beside each control."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .. import checks

OBJECTIVES = {
    "infonce": "InfoNCE (SimCSE)",
    "alignment-uniformity": "alignment + uniformity",
    "no-negatives": "no negatives, with stop-gradient",
    "no-stop-gradient": "no negatives, no stop-gradient",
}


@dataclass(frozen=True)
class Setting:
    """A control of the page: ``options`` for a choice (value to title), else a number from ``least`` to ``most``.

    ``restarts`` says that a change begins anew, ``log`` that the slider's track is logarithmic, and ``without`` for
    which objectives the setting has no effect.
    """

    name: str
    title: str
    help: str
    default: Any
    least: float = 0.0
    most: float = 1.0
    whole: bool = False
    log: bool = False
    options: dict[str, str] | None = None
    restarts: bool = False
    without: tuple[str, ...] = ()

    def checked(self, value: object) -> Any:
        """The value in its own type.

        Raises:
            TypeError: not a number, where one is due.
            ValueError: not one of the options, or out of range.
        """
        if self.options is not None:
            return checks.choice(self.name, value, list(self.options))
        if self.whole:
            return checks.whole(self.name, value, int(self.least), int(self.most))
        found = checks.number(self.name, value)
        if not self.least <= found <= self.most:
            raise ValueError(f"{self.name}={checks.shown(value)} is out of range; give {self.least:g} to {self.most:g}")
        return found


NEITHER = ("no-negatives", "no-stop-gradient")
# A line of help fits beside its control where the page is narrowest: 34 letters, 20 under the picture.
SETTINGS = (
    Setting("objective", "Objective", "what a step makes smaller", "infonce", options=OBJECTIVES),
    Setting("temperature", "Temperature τ", "low: only the nearest push", 0.2, 0.02, 2.0, log=True,
            without=("alignment-uniformity", *NEITHER)),
    Setting("negatives", "Negatives", "how many push each anchor", 255, 0, 255, whole=True, without=NEITHER),
    Setting("batch_size", "Batch size", "points that take part in a step", 256, 2, 256, whole=True),
    Setting("pull", "Weight of pull α", "how hard partners attract", 1.0, 0.0, 3.0),
    Setting("push", "Weight of push β", "how hard negatives repel", 1.0, 0.0, 3.0, without=NEITHER),
    Setting("noise", "Noise of the positives", "how far a partner's view strays", 0.1, 0.0, 1.5),
    Setting("false_negatives", "False negatives", "share of own colour that pushes", 1.0, 0.0, 1.0, without=NEITHER),
    Setting("step_size", "Step size", "how far a step goes downhill", 0.02, 0.001, 0.2, log=True),
    Setting("shape", "Shape", "2 or 3 dimensions", "sphere", options={"circle": "circle", "sphere": "sphere"},
            restarts=True),
    Setting("start", "Start", "at step 0", "cone", options={"cone": "cone", "random": "random"},
            restarts=True),
    Setting("points", "Points", "sentences", 64, 2, 256, whole=True, restarts=True),
    Setting("meanings", "Meanings", "one colour each", 8, 1, 128, whole=True, restarts=True),
    Setting("seed", "Seed", "of start, batches", 0, 0, 9999, whole=True, restarts=True),
    Setting("chosen", "Chosen", "has the arrows", 0, 0, 255, whole=True),
)  # fmt: skip
BY_NAME = {setting.name: setting for setting in SETTINGS}


def table() -> list[dict[str, Any]]:
    """All settings as JSON, for the page."""
    return [asdict(setting) for setting in SETTINGS]
