"""Where the force view's numbers come from: a run, a run's folder, or a method that nobody has trained."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from .. import methods
from ..checks import kind, shown
from ..training import Run, StepForces, Stored, forces_at, open_run, steps_at_hand
from ..training.forces import differentiate
from ..training.untrained import untrained


class ForceSource(NamedTuple):
    """``at`` computes a step, None for the present one; ``steps`` lists those whose weights are kept."""

    at: Callable[[int | None], StepForces]
    steps: Callable[[], list[int]]


def source_of(given: Any, config: dict[str, Any]) -> ForceSource:
    """What ``given`` leads to.

    Raises:
        TypeError: no run, folder or method; hyperparameters for what is no method.
        FileNotFoundError: there is no run in that folder.
    """
    if isinstance(given, str) and given in methods.names():
        held = untrained(given, **config)
        return ForceSource(lambda step: differentiate(held), list)
    if config:
        raise TypeError(
            f"{', '.join(config)} can only be given with the name of a method, such as lab.forces('simcse'); a run has "
            "its settings"
        )
    run = open_run(given) if isinstance(given, str | Path) else given
    if not isinstance(run, Run | Stored):
        raise TypeError(
            f"run={shown(given)} is {kind(given)}; give a run, as clwork.start and clwork.train return it, "
            "clwork.training.open_run(folder), a run's folder, or the name of a method"
        )
    return ForceSource(lambda step: forces_at(run, step), lambda: steps_at_hand(run))
