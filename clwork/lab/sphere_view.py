"""The sphere lab: contrastive learning of points on a circle or a sphere, in a page without a kernel."""

from __future__ import annotations

import base64
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _validation
from .._validation import kind, nearest, shown
from ..arithmetic import unit_rows
from ..wording import plural
from .page.standalone import iframe, page

OBJECTIVES = {
    "infonce": "InfoNCE (SimCSE)",
    "alignment-uniformity": "alignment + uniformity",
    "no-negatives": "no negatives, with stop-gradient",
    "no-stop-gradient": "no negatives, no stop-gradient",
}


@dataclass(frozen=True)
class Setting:
    """A control of the page: a choice of ``options`` (value to title), or a number from ``least`` to ``most``."""

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
        if self.options is not None:
            return _validation.choice(self.name, value, list(self.options))
        if self.whole:
            return _validation.integer(self.name, value, int(self.least), int(self.most))
        number = _validation.number(self.name, value)
        if not self.least <= number <= self.most:
            raise ValueError(
                f"{self.name}={shown(value)} is out of range; give {self.least:g} to {self.most:g}"
            )
        return number


NEITHER = ("no-negatives", "no-stop-gradient")  # objectives without negatives
# Limits of a line of help, which must fit on the narrowest page: 34 characters, or 20 under the picture.
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
        without=("alignment-uniformity", *NEITHER),
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
        0.0,
        1.0,
        without=NEITHER,
    ),
    Setting("step_size", "Step size", "how far a step goes downhill", 0.02, 0.001, 0.2, log=True),
    Setting(
        "shape",
        "Shape",
        "2 or 3 dimensions",
        "sphere",
        options={"circle": "circle", "sphere": "sphere"},
        restarts=True,
    ),
    Setting(
        "start",
        "Start",
        "at step 0",
        "cone",
        options={"cone": "cone", "random": "random"},
        restarts=True,
    ),
    Setting("points", "Points", "sentences", 64, 2, 256, whole=True, restarts=True),
    Setting("meanings", "Meanings", "one colour each", 8, 1, 128, whole=True, restarts=True),
    Setting("seed", "Seed", "of start, batches", 0, 0, 9999, whole=True, restarts=True),
    Setting("chosen", "Chosen", "shows its forces", 0, 0, 255, whole=True),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


HEIGHT = 590  # pixels: the free height of JupyterLab on a screen of 1280 x 720
LONGEST_QUESTION = 160  # characters; a question takes up to two lines above the picture
FIRST_WORD = "sphere1"  # a state text begins with this name of its format
TURN = 2 * np.pi / 65536  # unit of an angle of 16 bits


def packed(positions: NDArray[np.float64]) -> str:
    """Encode unit vectors as angles of 16 bits (circle: one a point, sphere: two) in URL-safe base64."""
    around = np.arctan2(positions[:, 1], positions[:, 0])
    angles = [around]
    if positions.shape[1] == 3:
        angles.append(np.arccos(np.clip(positions[:, 2], -1, 1)))
    turns = np.round(np.stack(angles, axis=1) / TURN).astype(np.int64) % 65536
    return base64.urlsafe_b64encode(turns.astype("<u2").tobytes()).decode().rstrip("=")


def unpacked(text: str, width: int) -> NDArray[np.float64]:
    """Decode the text of :func:`packed` to unit vectors of ``width`` 2 or 3."""
    raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    angles = np.frombuffer(raw, dtype="<u2").reshape(-1, width - 1) * TURN
    around = np.stack([np.cos(angles[:, 0]), np.sin(angles[:, 0])], axis=1)
    if width == 2:
        return around
    return np.concatenate([around * np.sin(angles[:, 1:]), np.cos(angles[:, 1:])], axis=1)


def _read(text: object) -> dict[str, Any]:
    if not isinstance(text, str):
        raise TypeError(f"state={shown(text)} is {kind(text)}; give the text that the lab copies")
    first, *parts = text.split() or [""]
    if first != FIRST_WORD:
        raise ValueError(
            f"state={shown(text)} does not begin with {FIRST_WORD!r}; give the text that the lab copies"
        )
    values: dict[str, Any] = {}
    for part in parts:
        name, sign, value = part.partition("=")
        known = [*BY_NAME, "step", "from", "at"]
        if not sign or name not in known or name in values:
            raise ValueError(
                f"state has the part {shown(part)}{nearest(name, known)}; give NAME=VALUE, each name once"
            )
        setting = BY_NAME.get(name)
        try:
            if name == "step" or (setting is not None and setting.whole):
                values[name] = _validation.integer(name, int(value), 0, 10**9)
            else:
                values[name] = (
                    float(value) if setting is not None and setting.options is None else value
                )
        except ValueError:
            whole = "an integer" if setting is None or setting.whole else "a number"
            raise ValueError(f"state has the part {shown(part)}; {name} must be {whole}") from None
    return values


def _rows(positions: ArrayLike) -> NDArray[np.float64]:
    try:
        rows = np.asarray(positions, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"positions={shown(positions)}; give an array of numbers with a row for each point"
        ) from None
    if rows.ndim != 2 or rows.shape[1] not in (2, 3):
        raise ValueError(
            f"positions have shape {rows.shape}; give (N, 2) for the circle or (N, 3) for the sphere"
        )
    if not np.isfinite(rows).all() or not (points := unit_rows(rows)).any(axis=1).all():
        raise ValueError(
            "positions contain NaN, infinity or a row of zeros; give finite rows other than zero"
        )
    return points


class Sphere:
    """Returned by :func:`sphere`; ``settings`` are the values by name."""

    def __init__(
        self,
        settings: dict[str, Any],
        places: dict[str, Any],
        question: str,
        play: bool,
        height: int,
    ) -> None:
        self.settings, self.question, self.height = settings, question, height
        self._places, self._play = places, play

    @property
    def text(self) -> str:
        """The state as a short text: settings other than the defaults, and positions that do not follow from a seed."""
        changed = {k: v for k, v in self.settings.items() if v != BY_NAME[k].default} | self._places
        words = [
            f"{k}={format(v, '.6g') if isinstance(v, float) else v}" for k, v in changed.items()
        ]
        return " ".join([FIRST_WORD, *words])

    def html(self) -> str:
        """Return the page as an HTML document, which makes no requests."""
        state = {
            "table": [asdict(setting) for setting in SETTINGS],
            "text": self.text,
            "question": self.question,
            "play": self._play,
            "fill": True,
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
    """Show a page that trains points on a circle or a sphere with a contrastive loss, without kernel or network.

    Each point is a sentence, each colour a meaning. A step draws a batch, pulls each point to a partner of its meaning
    and pushes it from the others. TypeError for a value of a wrong type, ValueError for a value out of range.

    Args:
        state: a text copied from the lab; other arguments override its settings.
        positions: initial positions, ``(N, 2)`` or ``(N, 3)``; only their directions are used.
        objective: "infonce", "alignment-uniformity", "no-negatives" or "no-stop-gradient".
        temperature: 0.02 to 2.
        negatives: largest number of negatives of each anchor, 0 to 255; default: all others of the batch.
        batch_size: 2 to 256; default: all points.
        pull: weight of the pull between partners, 0 to 3.
        push: weight of the push between negatives, 0 to 3.
        noise: size of the noise of a partner's view, 0 to 1.5.
        false_negatives: share of the batch's points of the same meaning that are pushed as well, 0 to 1.
        step_size: 0.001 to 0.2.
        shape: "circle" or "sphere".
        start: "cone" or "random".
        points: 2 to 256.
        meanings: 1 to 128; with ``N // 2`` meanings, rows 0 and 1 are partners, rows 2 and 3, and so on.
        seed: seed of initial positions and batches, 0 to 9999.
        chosen: the point whose forces are shown.
        question: a text of at most 160 characters, shown above the picture.
        play: whether the run starts immediately.
        height: height of the frame in pixels, 300 to 4000.

    >>> sphere(shape="circle", points=16, temperature=0.1)
    Sphere('sphere1 temperature=0.1 shape=circle points=16')
    """
    given = {
        name: value for name, value in locals().items() if name in BY_NAME and value is not None
    }
    places = {} if state is None else _read(state)
    settings = {name: setting.default for name, setting in BY_NAME.items()}
    settings |= {name: places.pop(name) for name in list(places) if name in BY_NAME} | given
    if positions is not None:
        rows = _rows(positions)
        implied = {"points": len(rows), "shape": "circle" if rows.shape[1] == 2 else "sphere"}
        for name, value in implied.items():
            if name in given and given[name] != value:
                raise ValueError(
                    f"{name}={shown(given[name])}, but positions imply {value!r}; leave {name} out"
                )
        settings |= implied
        places = {"from": packed(rows)}
    settings = {name: BY_NAME[name].checked(value) for name, value in settings.items()}
    _check_places(places, settings)
    if not isinstance(question, str) or len(question) > LONGEST_QUESTION:
        raise ValueError(
            f"question={shown(question)}; give a text of at most {LONGEST_QUESTION} characters"
        )
    play, height = _validation.flag("play", play), _validation.integer("height", height, 300, 4000)
    return Sphere(settings, places, question, play, height)


def _check_places(places: dict[str, Any], settings: dict[str, Any]) -> None:
    width = 2 if settings["shape"] == "circle" else 3
    for name in [name for name in ("from", "at") if name in places]:
        try:
            count = len(unpacked(places[name], width))
        except ValueError:
            count = -1
        if count != settings["points"]:
            points = f"{plural(settings['points'], 'point')} on the {settings['shape']}"
            raise ValueError(
                f"state: {name}={shown(places[name])} does not encode {points}; copy the whole text again"
            )
