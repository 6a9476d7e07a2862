"""All functions that take a run accept all forms of one, or raise an error with the reason and the
accepted form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import lab
from clwork.training.forces import forces_at
from clwork.training.frozen_step import checkpoint_steps

Take = Callable[[Any], object]
WIDGETS: dict[str, Take] = {
    "lab.panel": lambda run: lab.panel(run=run).run.records(),
    "lab.player": lambda run: lab.player(run).data,
    "lab.player, with another": lambda run: lab.player("dclr", run).data[1],
    "lab.forces": lambda run: lab.forces(run).seen.texts,
    "clwork.recording": lambda run: clwork.recording(run)["rows"],
    "training.forces_at": lambda run: forces_at(run).texts,
    "training.checkpoint_steps": lambda run: checkpoint_steps(run),
}
RUNS: dict[str, Take] = {
    "a run": lambda run: run,
    "one opened from its folder": lambda run: clwork.open_run(run.folder),
    "a folder's name": lambda run: str(run.folder),
    "a folder's path": lambda run: Path(run.folder),
}


def test_every_widget_takes_a_run_in_every_form(trained: clwork.Run) -> None:
    for widget, take in WIDGETS.items():
        for kind, given in RUNS.items():
            assert take(given(trained)), (widget, kind)


def test_a_path_without_a_run_is_named(tmp_path: Path) -> None:
    for take in WIDGETS.values():
        with pytest.raises((FileNotFoundError, ValueError), match=r"(run|folder)=.*nowhere"):
            take(str(tmp_path / "nowhere"))
        with pytest.raises(TypeError, match=r"=42 is int; give a run"):
            take(42)
