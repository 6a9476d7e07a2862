"""Old public names work, warn at the line that uses them, and give the new name."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import pytest
import torch

from clwork import methods
from clwork.renamed import RenamedAttribute, renamed_arguments, renamed_names

pytestmark = pytest.mark.nightly


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("made_up_room")
    module.new = object()  # type: ignore[attr-defined]
    module.__getattr__ = renamed_names("made_up_room", {"old": "new"})  # type: ignore[method-assign]
    monkeypatch.setitem(sys.modules, "made_up_room", module)
    return module


def test_an_old_name_of_a_module_is_the_new_thing_with_a_warning_here(room: ModuleType) -> None:
    with pytest.warns(DeprecationWarning, match=r"made_up_room\.old is now made_up_room\.new") as caught:
        old = room.old
    assert old is room.new
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("home", "old", "new"),
    [
        ("clwork.views", "Tracks", "RunColumns"),
        ("clwork.views", "still", "to_svg"),
        ("clwork.views", "still_image", "to_svg_image"),
    ],
)
def test_every_old_name_leads_to_its_new_one(home: str, old: str, new: str) -> None:
    module = importlib.import_module(home)
    assert old not in module.__all__ and new in module.__all__
    with pytest.warns(DeprecationWarning, match=new):
        assert getattr(module, old) is getattr(module, new)


def test_other_names_are_still_missing(room: ModuleType) -> None:
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = room.other


def test_an_old_attribute_of_a_class_forwards_to_the_new_one() -> None:
    class Thing:
        steps = (1, 2)
        steps_kept = RenamedAttribute("steps")

        def count(self) -> int:
            return 2

        size = RenamedAttribute("count")

    with pytest.warns(DeprecationWarning, match=r"Thing\.steps_kept is now Thing\.steps") as caught:
        assert Thing().steps_kept == (1, 2)
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning):
        assert Thing().size() == 2


def test_an_old_argument_of_a_class_is_taken_by_its_new_name() -> None:
    @renamed_arguments(nobody="synthetic")
    @dataclass(frozen=True)
    class Group:
        name: str
        synthetic: bool = False

    made: Any = Group
    with pytest.warns(DeprecationWarning, match=r"Group\(nobody=…\) is now Group\(synthetic=…\)") as caught:
        assert made("noise", nobody=True).synthetic
    assert caught[0].filename == __file__
    assert Group("noise", synthetic=True) == replace(Group("noise"), synthetic=True)
    with pytest.raises(TypeError, match="other"):
        made("noise", other=True)


def test_old_names_of_a_methods_scores_still_work() -> None:
    z = torch.eye(3)
    with pytest.warns(DeprecationWarning, match=r"methods\.meet is now .*score_table"):
        table = methods.meet("z looks for z", z, methods.Candidates("view 2", z))
    with pytest.warns(DeprecationWarning, match="softmax"):
        table = methods.softmax(table, 0.5)
    forces = methods.Forces((table,), {"contrast": table.loss})
    with pytest.warns(DeprecationWarning, match="contests"):
        assert forces.contests == (table,)


RENAMED = [
    ("clwork", "recorded", "recording"),
    ("clwork.recordings", "recorded", "recording"),
    ("clwork.training", "Member", "TreeRow"),
    ("clwork.training", "SeenContest", "ScoreGradients"),
    ("clwork.training", "alike", "group_by_recipe"),
    ("clwork.training", "family", "fork_tree"),
    ("clwork.training", "recording", "recording_of"),
    ("clwork.training", "steps_at_hand", "checkpoint_steps"),
]


@pytest.mark.parametrize(("room", "old", "new"), RENAMED)
def test_a_name_of_an_earlier_clwork_still_works(room: str, old: str, new: str) -> None:
    module = importlib.import_module(room)
    with pytest.warns(DeprecationWarning, match=rf"{room}\.{old} is now {room}\.{new}"):
        assert getattr(module, old) is getattr(module, new)
    assert old not in getattr(module, "__all__", ())
