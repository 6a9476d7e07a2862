"""The sphere lab: contrastive learning of points on a sphere, in a page without a kernel.

The page, js/src/sphere, draws and trains; here are its settings, with their ranges and titles, and
the *state text*, which the page copies and :func:`sphere` reads, such as
``sphere1 temperature=0.1 shape=circle points=16``.
"""

from __future__ import annotations

import base64
import math
import re
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _validation
from .._validation import nearest, shown
from ..arithmetic import unit_rows
from .page.standalone import iframe, page

OBJECTIVES = {
    "infonce": "InfoNCE (SimCSE)",
    "alignment-uniformity": "alignment + uniformity",
    "no-negatives": "no negatives, with stop-gradient",
    "no-stop-gradient": "no negatives, no stop-gradient",
}


@dataclass(frozen=True)
class Setting:
    """A control of the page: a choice of ``options``, or a number from ``least`` to ``most``.

    The page receives these fields by their names.
    """

    name: str
    title: str
    help: str
    default: Any
    least: float = 0.0
    most: float = 1.0
    # Whether the setting is an integer.
    whole: bool = False
    # Whether its slider is logarithmic.
    log: bool = False
    # The titles of the choices by name; None for a number.
    options: dict[str, str] | None = None
    # Whether a change resets the page to step 0.
    restarts: bool = False
    # The objectives that do not use the setting.
    without: tuple[str, ...] = ()

    def checked(self, value: object) -> Any:
        """Return ``value`` if the page accepts it; raise TypeError or ValueError otherwise."""
        if self.options is not None:
            return _validation.choice(self.name, value, list(self.options))
        if self.whole:
            return _validation.integer(self.name, value, int(self.least), int(self.most))
        number = _validation.number(self.name, value)
        if not self.least <= number <= self.most:
            allowed = f"{self.least:g} to {self.most:g}"
            raise ValueError(f"{self.name}={shown(value)} is out of range; give {allowed}")
        return number


def count(name: str, title: str, help: str, default: int, least: int, most: int) -> Setting:
    """Return a setting of the start that is an integer."""
    return Setting(name, title, help, default, least, most, whole=True, restarts=True)


NEITHER = ("no-negatives", "no-stop-gradient")
"""Objectives without negatives."""
WITHOUT_TEMPERATURE = ("alignment-uniformity", *NEITHER)
SHAPES = {"circle": "circle", "sphere": "sphere"}
STARTS = {"cone": "cone", "random": "random"}
# A line of help must fit on the narrowest page: 34 characters, or 20 under the picture.
SETTINGS = (
    Setting("objective", "Objective", "what a step makes smaller", "infonce", options=OBJECTIVES),
    Setting(
        "temperature",
        "Temperature τ",
        "low: only the nearest push",
        0.2,
        0.02,
        2.0,
        log=True,
        without=WITHOUT_TEMPERATURE,
    ),
    Setting(
        "negatives",
        "Negatives",
        "how many push each anchor",
        255,
        0,
        255,
        whole=True,
        without=NEITHER,
    ),
    Setting("batch_size", "Batch size", "points that take part in a step", 256, 2, 256, whole=True),
    Setting("pull", "Weight of pull α", "how hard partners attract", 1.0, 0.0, 3.0),
    Setting("push", "Weight of push β", "how hard negatives repel", 1.0, 0.0, 3.0, without=NEITHER),
    Setting("noise", "Noise of the positives", "how far a partner's view strays", 0.1, 0.0, 1.5),
    Setting(
        "false_negatives",
        "False negatives",
        "share of own colour that pushes",
        1.0,
        without=NEITHER,
    ),
    Setting("step_size", "Step size", "how far a step goes downhill", 0.02, 0.001, 0.2, log=True),
    Setting("shape", "Shape", "2 or 3 dimensions", "sphere", options=SHAPES, restarts=True),
    Setting("start", "Start", "at step 0", "cone", options=STARTS, restarts=True),
    count("points", "Points", "sentences", 64, 2, 256),
    count("meanings", "Meanings", "one colour each", 8, 1, 128),
    count("seed", "Seed", "of start, batches", 0, 0, 9999),
    Setting("chosen", "Chosen", "shows its forces", 0, 0, 255, whole=True),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}

HEIGHT = 590
"""Pixels: the free height of JupyterLab on a screen of 1280 x 720."""
FIRST_WORD = "sphere1"
"""A state text begins with this name of its format."""
PLACES = ("step", "from", "at")
"""Parts of a state text that are no settings: a step, and the positions at step 0 and at this step.

Positions are texts of :func:`packed`.
"""
TURN = 2 * np.pi / 65536
"""Unit of an angle of 16 bits."""


def packed(positions: NDArray[np.float64]) -> str:
    """Encode unit vectors ``(N, 2)`` or ``(N, 3)`` as angles of 16 bits in URL-safe base64.

    A point on the circle has one angle, around the z axis; on the sphere a second one, from the
    pole. js/src/sphere/text.js does the same.
    """
    angles = [np.arctan2(positions[:, 1], positions[:, 0])]
    if positions.shape[1] == 3:
        angles.append(np.arccos(np.clip(positions[:, 2], -1, 1)))
    turns = np.round(np.stack(angles, axis=1) / TURN).astype(np.int64) % 65536  # (N, 1 or 2)
    return base64.urlsafe_b64encode(turns.astype("<u2").tobytes()).decode().rstrip("=")


def _read_state(text: str) -> dict[str, Any]:
    """Return the parts of a state text by name: settings as values, ``PLACES`` as texts."""
    first, *parts = text.split() or [""]
    if first != FIRST_WORD:
        raise ValueError(
            f"state={shown(text)} does not begin with {FIRST_WORD!r}; "
            "give the text that the lab copies"
        )
    known = [*BY_NAME, *PLACES]
    values: dict[str, Any] = {}
    for part in parts:
        name, _, value = part.partition("=")
        if name not in known:
            raise ValueError(f"state has the part {shown(part)}{nearest(name, known)}")
        # PLACES are no settings, and a setting with options has a word as its value.
        setting = BY_NAME.get(name)
        is_number = setting is not None and setting.options is None
        try:
            values[name] = _number(value) if is_number else value
        except ValueError:
            raise ValueError(f"state has the part {shown(part)}; give a number") from None
    return values


def _number(text: str) -> float:
    return int(text) if text.isdecimal() else float(text)


def _unit_positions(positions: ArrayLike) -> NDArray[np.float64]:
    """Return the reader's positions as unit vectors ``(N, 2)`` or ``(N, 3)``."""
    rows = np.asarray(positions, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] not in (2, 3):
        raise ValueError(
            f"positions have shape {rows.shape}; give (N, 2) for the circle or (N, 3) for the "
            "sphere"
        )
    if not np.isfinite(rows).all() or not rows.any(axis=1).all():
        raise ValueError(
            "positions contain NaN, infinity or a row of zeros; give finite rows other than zero"
        )
    return unit_rows(rows)


@dataclass
class Sphere:
    """Returned by :func:`sphere`.

    Attributes:
        settings: the value of each setting by its name.
        question: the text above the picture.
        height: height of the frame in pixels.
    """

    settings: dict[str, Any]
    # The parts of a state text that are no settings, see PLACES.
    _places: dict[str, Any]
    question: str
    _play: bool
    height: int

    @property
    def text(self) -> str:
        """The state as a short text: settings that are no defaults, and given positions."""
        parts = [FIRST_WORD]
        for name, value in self.settings.items():
            if value != BY_NAME[name].default:
                shortened = f"{value:.6g}" if isinstance(value, float) else value
                parts.append(f"{name}={shortened}")
        parts += [f"{name}={value}" for name, value in self._places.items()]
        return " ".join(parts)

    def html(self) -> str:
        """Return the page as an HTML document, which makes no requests."""
        state = {
            "table": [asdict(setting) for setting in SETTINGS],
            "text": self.text,
            "question": self.question,
            "play": self._play,
        }
        return page("sphere", state, "clwork: the sphere lab")

    def _repr_html_(self) -> str:
        return iframe(self.html(), self.height, "The sphere lab: contrastive learning of points")

    def __repr__(self) -> str:
        return f"Sphere({self.text!r})"


def sphere(
    *,
    state: str | None = None,
    positions: ArrayLike | None = None,
    objective: str | None = None,
    temperature: float | None = None,
    negatives: int | None = None,
    batch_size: int | None = None,
    pull: float | None = None,
    push: float | None = None,
    noise: float | None = None,
    false_negatives: float | None = None,
    step_size: float | None = None,
    shape: str | None = None,
    start: str | None = None,
    points: int | None = None,
    meanings: int | None = None,
    seed: int | None = None,
    chosen: int | None = None,
    question: str = "",
    play: bool = False,
    height: int = HEIGHT,
) -> Sphere:
    """Show a page that trains points on a circle or a sphere with a contrastive loss.

    Each point is a sentence, each colour a meaning. A step draws a batch, pulls each point to a
    partner of its meaning and pushes it from the others.

    Args:
        state: a text copied from the lab; other arguments override its settings.
        positions: initial positions, ``(N, 2)`` or ``(N, 3)``; only their directions are used.
            They determine ``points`` and ``shape``.
        objective: "infonce", "alignment-uniformity", "no-negatives" or "no-stop-gradient".
        temperature: 0.02 to 2.
        negatives: largest number of negatives of each anchor, 0 to 255; default: all others of the
            batch.
        batch_size: 2 to 256; default: all points.
        pull: weight of the pull between partners, 0 to 3.
        push: weight of the push between negatives, 0 to 3.
        noise: size of the noise of a partner's view, 0 to 1.5.
        false_negatives: share of the batch's points of the same meaning that are pushed as well,
            0 to 1.
        step_size: 0.001 to 0.2.
        shape: "circle" or "sphere".
        start: "cone" or "random".
        points: 2 to 256.
        meanings: 1 to 128; with ``N // 2`` meanings, rows 0 and 1 are partners, rows 2 and 3, and
            so on.
        seed: seed of initial positions and batches, 0 to 9999.
        chosen: the point whose forces are shown.
        question: a text above the picture, of up to two lines. In it ``[no push](push=0)`` is a
            button that starts anew with these settings, and plays.
        play: whether the run starts immediately.
        height: height of the frame in pixels.

    Raises:
        TypeError: a value has a wrong type.
        ValueError: a value is out of range, or ``state`` is no text of the lab.

    >>> sphere(shape="circle", points=16, temperature=0.1)
    Sphere('sphere1 temperature=0.1 shape=circle points=16')
    """
    # Each setting is an argument of its name. This line is the first, before other local names.
    arguments = locals()
    arguments_given = {name: arguments[name] for name in BY_NAME if arguments[name] is not None}

    # A default yields to the state text, the text to an argument, both to the positions.
    settings = {name: setting.default for name, setting in BY_NAME.items()}
    state_parts = {} if state is None else _read_state(state)
    settings |= {name: value for name, value in state_parts.items() if name in BY_NAME}
    settings |= arguments_given
    places = {name: value for name, value in state_parts.items() if name in PLACES}
    if positions is not None:
        vectors = _unit_positions(positions)
        implied = {"points": len(vectors), "shape": "circle" if vectors.shape[1] == 2 else "sphere"}
        settings |= implied
        places = {"from": packed(vectors)}

    settings = {name: BY_NAME[name].checked(value) for name, value in settings.items()}
    # A text that was cut has incomplete positions.
    angles = settings["points"] * (1 if settings["shape"] == "circle" else 2)
    # An angle has 2 bytes, and base64 encodes 3 bytes in 4 letters.
    letters = math.ceil(2 * angles * 4 / 3)
    for name in places.keys() & {"from", "at"}:
        if len(places[name]) != letters:
            raise ValueError(
                f"state: {name}={shown(places[name])} does not encode {settings['points']} points; "
                "copy the whole text again"
            )
    for button in re.findall(r"\]\(([^)]+)\)", question):
        sphere(state=f"{FIRST_WORD} {button}")
    return Sphere(settings, places, question, play, height)
