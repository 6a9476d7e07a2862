"""Whatever stands for a run goes into whatever takes one: it works, or an error says why not and what to give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import lab
from clwork.training import forces_at
from clwork.training.forces import checkpoint_steps

Take = Callable[[Any], object]
BOARDS: dict[str, Take] = {
    "lab.panel": lambda run: lab.panel(run=run).run.records(),
    "lab.player": lambda run: lab.player(run).data,
    "lab.player, beside another": lambda run: lab.player("dclr", run).data[1],
    "lab.forces": lambda run: lab.forces(run).seen.texts,
    "lab.playground": lambda run: lab.playground(run=run).left.options,
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


def test_every_board_takes_a_run_in_every_form(trained: clwork.Run) -> None:
    for board, take in BOARDS.items():
        for kind, given in RUNS.items():
            assert take(given(trained)), (board, kind)


def test_a_place_without_a_run_is_named(tmp_path: Path) -> None:
    for take in BOARDS.values():
        with pytest.raises((FileNotFoundError, ValueError), match=r"(run|folder)=.*nowhere"):
            take(str(tmp_path / "nowhere"))
        with pytest.raises(TypeError, match=r"=42 is int; give a run"):
            take(42)
