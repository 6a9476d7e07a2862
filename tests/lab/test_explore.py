"""The explorer: the data for its page, its first setting, its figures, and its errors."""

from __future__ import annotations

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.claims.reference import Reference
from clwork.lab.explore_view import Explorer
from clwork.views.history import band_of

from . import state_in

NAME = "simcse/dropout-against-fixed-mask"


@pytest.fixture(scope="module")
def stored() -> Reference:
    return clwork.reference(NAME)


@pytest.fixture
def view(stored: Reference) -> Explorer:
    return lab.explore(stored)


def test_it_starts_with_the_first_setting_and_shows_its_score_and_seeds(view: Explorer) -> None:
    state = state_in(view.page())
    scores = view.reference.scores("SimCSE")
    assert state["variants"][state["start"]]["name"] == "SimCSE"
    said = state["variants"][state["start"]]["summary"]
    assert f"stsb {np.mean(scores):.4g}, from {min(scores):.4g} to {max(scores):.4g}" in said
    assert "5 seeds" in said
    assert state["claim"] == view.reference.claim.claim
    assert state["verdict"].startswith(view.reference.answer().finding)
    assert "batch 128" in state_in(lab.explore("gclsr/batch-hardly-matters").page())["verdict"], (
        "absent"
    )
    assert NAME in repr(view)
    html = view._repr_html_()
    assert html.count("<iframe") == 1
    assert "data-fits" in html
    assert "SimCSE: stsb" in html
    assert not hasattr(view, "_repr_mimebundle_")
    assert len(html) < 400_000


def test_curves_are_those_of_the_reference_with_mean_band_and_every_seed(
    view: Explorer,
) -> None:
    for variant in state_in(view.page())["variants"]:
        runs = view.reference.runs(variant["name"])
        for column, curve in variant["curves"].items():
            band = band_of(runs, column)
            thinned = np.isin(band.steps, curve["steps"])
            for name, values in (("mean", band.mean), ("low", band.low), ("high", band.high)):
                assert curve[name] == pytest.approx(values[thinned].tolist(), rel=1e-4), (
                    variant["name"],
                    column,
                )
            assert np.mean(curve["seeds"], axis=0) == pytest.approx(
                curve["mean"], rel=1e-3, abs=1e-4
            )
            assert len(curve["seeds"]) == variant["seeds"] == len(runs)
        assert set(variant["curves"]) == {"loss", "uniformity", "alignment"}
