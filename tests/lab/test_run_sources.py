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
NO_RUNS: dict[str, Take] = {
    "a method's name": lambda run: "simcse",
    "a recording": lambda run: clwork.recording("simcse"),
}
TAKE_RECORDINGS = {"lab.player", "lab.player, beside another", "clwork.recording"}
TAKE_METHODS = {*TAKE_RECORDINGS, "lab.forces"}


def test_every_board_takes_a_run_in_every_form(trained: clwork.Run) -> None:
    for board, take in BOARDS.items():
        for kind, given in RUNS.items():
            assert take(given(trained)), (board, kind)


def test_what_a_board_cannot_do_with_a_recording_is_said(trained: clwork.Run) -> None:
    for board, take in BOARDS.items():
        for kind, given in NO_RUNS.items():
            if board in (TAKE_METHODS if kind == "a method's name" else TAKE_RECORDINGS):
                assert take(given(trained)), (board, kind)
                continue
            with pytest.raises(
                (TypeError, ValueError), match=r"'simcse.* has no weights .*; give a run, as clwork\.start"
            ):
                take(given(trained))


def test_a_place_without_a_run_is_named(tmp_path: Path) -> None:
    for take in BOARDS.values():
        with pytest.raises((FileNotFoundError, ValueError), match=r"(run|folder)=.*nowhere"):
            take(str(tmp_path / "nowhere"))
        with pytest.raises(TypeError, match=r"=42 is int; give a run"):
            take(42)
