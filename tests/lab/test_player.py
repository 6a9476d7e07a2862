"""The player's page: the recorded data that it holds, and its errors."""

from __future__ import annotations

import base64
import itertools

import numpy as np
import pytest

from clwork import lab
from clwork.lab.panel.recorded import planar, prepared_recording
from clwork.recordings import coordinates

from . import state_in
from .synthetic_recordings import recording


def test_the_page_holds_the_recorded_data() -> None:
    made = recording()
    (one,) = state_in(lab.player(made).html)["runs"]
    assert one["head"]["texts"] == made["texts"]
    assert one["head"]["labels"] == made["labels"]
    assert [probe["step"] for probe in one["probes"]] == [
        probe["step"] for probe in made["measurements"]
    ]
    for number, name in itertools.product((0, 5, -1), ("step", "at", "near")):
        stored = made["measurements"][number]
        assert one["probes"][number][name] == stored[name]
    assert one["rows"]["events"] == [[40, "temperature 0.05 → 0.1"], [70, "resumed from step 69"]]
    columns = ["step", *one["rows"]["columns"]]
    table = np.frombuffer(base64.b64decode(one["rows"]["values"]), "<f4").reshape(-1, len(columns))
    alignment = table[:, columns.index("alignment")]
    wanted = [row["alignment"] for row in made["rows"] if "alignment" in row]
    assert np.array_equal(alignment[~np.isnan(alignment)], np.asarray(wanted, "<f4"))


def test_positions_are_decoded_within_one_quantum() -> None:
    one = prepared_recording(recording())
    points = coordinates(one)
    assert np.abs(points[0].mean(axis=0)).max() < 1e-4, "the first probe is centred on its mean"
    laid = planar([0, 10], [points[0][:, :2], points[3][:, :2]])
    integers = np.frombuffer(base64.b64decode(laid["measurements"][1]), "<i2").reshape(-1, 2)
    again = integers * (laid["span"] / 32767)
    assert np.abs(again - points[3][:, :2]).max() <= laid["span"] / 32767


def test_half_a_character_breaks_no_page() -> None:
    given = recording() | {"name": "half \ud800", "rows": [{"step": 0, "event": "\udfff"}]}
    given["texts"] = ["\ud83d alone", *given["texts"][1:]]
    given["labels"] = ["\ud800"] * len(given["texts"])
    player = lab.player(given)
    player.html.encode("utf-8")
    assert state_in(player.html)["runs"][0]["head"]["texts"][0] == "\ufffd alone"


def test_one_player_shows_two_runs() -> None:
    player = lab.player(recording(count=20, probes=3))
    assert repr(player) == "<Player of made-0, 3 probes>"
    two = lab.player(recording(), recording(seed=1))
    first, second = (run["head"] for run in state_in(two.html)["runs"])
    assert (first["name"], second["name"]) == ("made-0", "made-1")
    assert "height:640px" in player._repr_html_()
    assert 'sandbox="allow-scripts allow-downloads"' in player._repr_html_()


def test_a_run_without_positions_is_refused() -> None:
    with pytest.raises(ValueError, match="made-0 has no recorded positions"):
        lab.player(recording(count=20, probes=3) | {"measurements": []})
