"""A grid of runs: every combination of the values of one or two hyperparameters, once for each seed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _validation, columns
from .._validation import shown
from ..methods import config as make_config
from ..wording import explain
from .run import RUNS
from .starting import plan_run, start

if TYPE_CHECKING:
    import pandas as pd

MOST_RUNS = 500


def sweep(method: str, *, seeds: int | Sequence[int] = 3, steps: int = 300, **settings: Any) -> pd.DataFrame:
    """Train with every value of one or two hyperparameters and each seed, one run after another, with a progress bar.

    A hyperparameter given as a list is swept; other arguments are those of :func:`clwork.start`. The runs are ordinary
    runs: ``lab.desk()`` compares them, and shows runs that differ only in their seed as a band. The row of a failed run
    has its error. An interrupt stops the present run, with a checkpoint, and returns the rows so far.

    Args:
        method: one of :func:`clwork.methods.names`.
        seeds: the number of seeds (0, 1, 2, …), or a list of seeds.
        steps: optimizer steps of each run.
        settings: hyperparameters, at most two of them as lists, and arguments of :func:`clwork.start`.

    Returns:
        One row per run: swept values, ``seed``, ``status``, last loss, metrics and scores, ``folder`` and ``error``.

    Raises:
        TypeError, ValueError: no hyperparameter or more than two are swept; a list is empty, too long or has a value
            twice; or :func:`clwork.start` rejects an argument.

    >>> clwork.sweep("simcse", temperature=[0.02, 0.05, 0.2], seeds=5)  # doctest: +SKIP
    """
    import pandas as pd
    from tqdm.auto import tqdm

    planned = _plan(method, seeds, {"steps": steps, **settings})
    rows: list[dict[str, Any]] = []
    with tqdm(planned, desc="sweep", unit="run") as bar:
        for arguments, row in bar:
            run = None
            try:
                run = start(**arguments)
                run.wait()
            except KeyboardInterrupt:
                if run is not None:
                    run.stop()
                break
            except Exception as error:  # of any kind: the sweep continues with the next run
                row["error"] = explain(error)
            if run is None:
                row["status"] = "failed"
            else:
                history = run.training.history
                ends = {name: history.last(name) for name in columns.shown("desk") if name in history.names}
                row |= {"status": run.status, **ends, "folder": str(run.folder)}
                RUNS.remove(run)  # the list would hold every encoder in memory
            rows.append(row)
    return pd.DataFrame(rows)


def _plan(method: str, seeds: Any, settings: Mapping[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Check all runs; return for each the arguments of :func:`clwork.start` and the first columns of its row."""
    for name in ("seed", "name", "folder"):
        if name in settings:
            raise TypeError(f"{name}={shown(settings[name])} applies to a single run; give seeds=3 or [0, 7] instead")
    seeds = range(_validation.integer("seeds", seeds, 1)) if _validation.is_integer(seeds) else seeds
    numbers = _values("seeds", seeds)
    known = vars(make_config(method))
    swept = {name: _values(name, value) for name, value in settings.items() if name in known and _is_list(value)}
    if not 1 <= len(swept) <= 2:
        fault = f"{', '.join(swept)} are lists" if swept else "no hyperparameter is a list"
        raise ValueError(f"{fault}; give one or two with the values to try, such as temperature=[0.02, 0.05, 0.2]")
    grid = [dict(zip(swept, values, strict=True)) for values in itertools.product(*swept.values())]
    if (count := len(grid) * len(numbers)) > MOST_RUNS:
        raise ValueError(f"{count} runs are planned, at most {MOST_RUNS} are possible; give fewer values or seeds")
    for values in grid:
        plan_run(method, **{**settings, **values})
    return [
        (arguments | {"seed": _validation.seed(seed)}, {**values, "seed": seed})
        for seed in numbers
        for values in grid
        for arguments in [{"method": method, **settings, **values}]
    ]


def _values(name: str, given: Any) -> list[Any]:
    if not _is_list(given):
        raise TypeError(f"{name}={shown(given)} must be the number of seeds, or a list of them")
    values = list(itertools.islice(given, MOST_RUNS + 1))
    if not values or len(values) > MOST_RUNS:
        raise ValueError(f"{name} has {'no' if not values else f'more than {MOST_RUNS}'} values; give a list to try")
    if repeated := [value for place, value in enumerate(values) if value in values[:place]]:
        raise ValueError(f"{name} has {shown(repeated[0])} twice, which would repeat a run; give each value once")
    return values


def _is_list(value: object) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, Mapping))
