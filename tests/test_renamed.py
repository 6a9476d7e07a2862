"""Old public names work, warn at the line that uses them, and give the new name."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from clwork.renamed import RenamedAttribute, renamed_names


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
