"""Which run is whose fork, laid out in lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import clwork
from clwork.training import RunFolder, Stored, fork_tree, stored_runs
from clwork.training.disk.recipe import Recipe
from clwork.training.disk.schema import Parent

COMMON: dict[str, Any] = {
    "method": "simcse",
    "encoder": "mini",
    "sentences": {},
    "config": {},
    "steps": 4,
    "seed": 0,
    "sts": None,
    "probe_every": None,
    "eval_every": 1,
    "checkpoint_every": 200,
    "device": None,
}


def stored(name: str, parent: str | None = None) -> Stored:
    above = None if parent is None else Parent(run=parent, step=2)
    return Stored(Recipe(name=name, parent=above, **COMMON), RunFolder(Path(name)), [], "finished")


def lines(*runs: Stored) -> list[str]:
    return ["·" * depth + run.name for run, depth, _ in fork_tree(runs)]


SHAPES: dict[str, tuple[list[tuple[str, str | None]], list[str]]] = {
    "none": ([], []),
    "no forks": ([("b", None), ("a", None)], ["b", "a"]),
    "a tree": ([("a", None), ("b", None), ("c", "a"), ("d", "c"), ("e", "a")], ["a", "·c", "··d", "·e", "b"]),
    "parent gone": ([("child", "gone"), ("a", None)], ["child", "a"]),
    "child first": ([("later", "a"), ("a", None)], ["a", "·later"]),
    "a circle": ([("a", "a"), ("b", "c"), ("c", "b")], ["a", "b", "·c"]),
    "two of a name": ([("a", None), ("a", None), ("b", "a")], ["a", "·b", "a"]),
}


def test_each_run_is_followed_by_its_forks() -> None:
    found = {shape: lines(*(stored(*run) for run in runs)) for shape, (runs, _) in SHAPES.items()}
    assert found == {shape: expected for shape, (_, expected) in SHAPES.items()}


def test_forks_on_disk_are_found(copied: Path) -> None:
    run = clwork.open_run(copied).as_run()
    fork = run.fork(6, temperature=0.2).wait()
    found, _ = stored_runs()
    (first, second) = fork_tree(found)
    assert (first.run.name, first.depth, first.parent) == (run.name, 0, None)
    assert (second.run.name, second.depth, second.parent) == (fork.name, 1, first.run)
    assert second.run.parent is not None and second.run.parent.changed == {"temperature": [0.05, 0.2]}
