"""The explorer as a widget: settings by knobs and by name, what is drawn of them, and what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.lab.explore.explore import knobs_of

NAME = "simcse/dropout-against-fixed-mask"


@pytest.fixture
def view() -> lab.Explorer:
    return lab.explore(NAME)


def test_it_shows_the_first_setting_and_its_score(view: lab.Explorer) -> None:
    assert view.arm.value == "SimCSE" and set(view.knobs) >= {"dropout_attention", "fixed_mask"}
    scores = view.reference.scores("SimCSE")
    assert f"stsb {np.mean(scores):.4g}, from {min(scores):.4g}" in view.state.value
    bands = [trace for trace in view.figure().data if trace.fill == "toself"]
    assert {trace.name for trace in bands} == {"SimCSE"} and len(bands) == 3
    full = {trace.name for trace in view.figure().data if trace.mode == "markers" and trace.marker.symbol == "circle"}
    assert full == {"SimCSE"}, "the chosen setting's scores are marked"


def test_a_knob_goes_to_the_nearest_setting_and_the_others_follow(view: lab.Explorer) -> None:
    view.choose("fixed mask")
    assert view.knobs["fixed_mask"].value is True and view.knobs["dropout_attention"].value == 0.4
    view.knobs["dropout_attention"].value = 0.1
    assert view.arm.value == "one mask .1", "the mask stays one"
    view.knobs["fixed_mask"].value = False
    assert view.arm.value == "dropout .1" and "dropout .1: stsb" in view.state.value
    assert [trace.name for trace in view.figure().data if trace.fill == "toself"] == ["dropout .1"] * 3


def test_sentences_are_shown_at_every_look(view: lab.Explorer) -> None:
    cloud = view.reference.cloud("SimCSE")
    assert cloud is not None and [step for _, step in view.step.options] == list(cloud.steps)
    assert view.step.value == cloud.steps[-1]

    def drawn() -> Any:
        return np.concatenate([np.asarray(trace.x, float) for trace in view.figure("cloud").data])

    last = drawn()
    view.step.value = 0
    assert not np.allclose(drawn(), last) and "step 0" in view.figure("cloud").layout.title.text
    assert sorted(drawn()) == pytest.approx(sorted(cloud.at[0, :, 0].tolist()), abs=1e-6)
    view.choose("fixed mask")
    assert view.step.value == 0, "the step stays when the setting changes"
    assert view.drawn["cloud"].figure().data[0].x is not None


def test_an_untrained_arm_has_scores_alone() -> None:
    view = lab.explore("simcse/against-raw").choose("raw [CLS]")
    assert "untrained" in view.state.value and "no positions" in view.note.value
    assert view.step.layout.display == "none" and len(view.figure("cloud").data) == 0
    assert view._repr_mimebundle_()[0]["text/html"].count("<img alt=") == 1


def test_a_page_without_widgets_has_the_pictures(view: lab.Explorer) -> None:
    page = view._repr_mimebundle_()[0]["text/html"]
    assert page.count("<img alt=") == 2 and "role='status'" in page


def test_what_another_part_decides_has_no_knob_of_its_own() -> None:
    settings = {"a": {"method": "x", "rate": 1, "width": 8}, "b": {"method": "y", "rate": 2, "width": 8}}
    assert knobs_of(settings) == {"method": ["x", "y"], "width": [8]} or knobs_of(settings) == {"method": ["x", "y"]}
    many = {str(n): {f"k{k}": n * 7 % (k + 2) for k in range(8)} for n in range(9)}
    assert len(knobs_of(many)) == 4


@pytest.mark.parametrize(
    ("name", "folder", "error", "words"),
    [
        ("simcse/nothing", None, ValueError, "is no claim"),
        (5, None, TypeError, "name=5"),
        (None, None, TypeError, "name=None"),
        (NAME, 5, TypeError, "folder=5"),
        (NAME, "no such folder", FileNotFoundError, "holds no measured run"),
    ],
)
def test_bad_input_is_refused_in_words(name: Any, folder: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        lab.explore(name, folder)


def test_a_reference_is_taken_too_and_bad_settings_are_refused(view: lab.Explorer) -> None:
    same = lab.explore(clwork.reference(NAME))
    assert same.arm.options == view.arm.options
    with pytest.raises(ValueError, match="folder is for the name"):
        lab.explore(clwork.reference(NAME), "somewhere")
    with pytest.raises(ValueError, match="SimCES"):
        view.choose("SimCES")
    with pytest.raises(TypeError, match="arm=5"):
        view.choose(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="name='bars'"):
        view.figure("bars")
