"""The Python part of the sphere lab: checked settings, the text that encodes them, and the page."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np
import pytest

from clwork import lab
from clwork.arithmetic import unit_rows
from clwork.lab.sphere_view import SETTINGS, packed

from . import state_in


def test_without_arguments_it_is_the_default() -> None:
    default = lab.sphere()
    assert default.text == "sphere1"
    assert default.settings == {
        setting.name: setting.checked(setting.default) for setting in SETTINGS
    }
    assert all(setting.help and setting.title for setting in SETTINGS)
    assert "<iframe" in default._repr_html_()
    assert 'sandbox="allow-scripts allow-downloads"' in default._repr_html_()


def test_its_text_restores_the_state() -> None:
    made = lab.sphere(
        objective="no-stop-gradient", temperature=0.1, points=20, shape="circle", seed=7, pull=1 / 3
    )
    assert lab.sphere(state=made.text).text == made.text
    again = lab.sphere(state=made.text, seed=8)
    assert again.settings == made.settings | {"seed": 8, "pull": 0.333333}, (
        "an argument overrides the text"
    )


def unpacked(text: str, width: int) -> Any:
    """Decode positions (N, width) from a text, as js/src/sphere/text.js does."""
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    angles = np.frombuffer(content, "<u2").reshape(-1, width - 1) * (math.tau / 65536)
    around = angles[:, 0]
    circle = np.stack([np.cos(around), np.sin(around)], axis=1)
    if width == 2:
        return circle
    down = angles[:, 1:]
    return np.concatenate([circle * np.sin(down), np.cos(down)], axis=1)


def test_positions_round_trip_as_text() -> None:
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    circle = unit_rows(np.random.default_rng(0).standard_normal((31, 2)))
    sphere = unit_rows(np.random.default_rng(0).standard_normal((31, 3)))
    for rows, shape in ((circle, "circle"), (sphere, "sphere"), (axes, "sphere")):
        count, width = rows.shape
        assert np.abs(unpacked(packed(rows), width) - rows).max() < 2e-4
        # only the directions of given positions count
        made = lab.sphere(positions=5 * rows)
        assert made.settings["points"] == count
        assert made.settings["shape"] == shape
        again = lab.sphere(state=made.text)
        assert again.text == made.text
        assert f"from={packed(rows)}" in made.text
        assert state_in(again.html())["text"] == made.text


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"temperature": 0}, ValueError, r"temperature=0 is out of range; give 0.02 to 2"),
    ({"temperature": math.nan}, ValueError, "temperature=nan"),
    ({"points": 257}, ValueError, "points=257"),
    ({"pull": True}, TypeError, "pull=True is bool"),
    ({"shape": "spere"}, ValueError, "did you mean 'sphere'"),
    ({"positions": np.ones((4, 5))}, ValueError, r"shape \(4, 5\)"),
    ({"positions": np.zeros((4, 3))}, ValueError, "row of zeros"),
    ({"positions": np.full((4, 3), np.inf)}, ValueError, "infinity"),
    ({"state": ""}, ValueError, "does not begin with 'sphere1'"),
    ({"state": "sphere1 temprature=1"}, ValueError, "did you mean 'temperature'"),
    ({"state": "sphere1 temperature=warm"}, ValueError, "'temperature=warm'; give a number"),
    ({"state": "sphere1 temperature=99"}, ValueError, "temperature=99 is out of range"),
    ({"state": "sphere1 at=AAAA"}, ValueError, "does not encode 64 points"),
    ({"state": "sphere1 " + "x" * 5000}, ValueError, "has the part"),
    ({"question": "Play [no push](psh=0)."}, ValueError, "did you mean 'push'"),
    ({"question": "[Much](push=1) and [too much](push=9)?"}, ValueError, "push=9 is out of range"),
]


def test_invalid_arguments_raise_an_error() -> None:
    for arguments, error, words in WRONG:
        with pytest.raises(error, match=words) as raised:
            lab.sphere(**arguments)
        assert len(str(raised.value)) < 400
