"""Runs in a queue: every combination of the values of one or two hyperparameters, once for each seed."""

from __future__ import annotations

import inspect
import itertools
import math
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ... import _validation
from ..._validation import checked, shown
from ...methods import config as make_config
from ...methods import get
from ...wording import explain, plural
from ..run.arguments import steps_from
from ..run.run import RUNS, Run
from ..run.start import check_start, start
from ..run.training_thread import FAILED, FINISHED, RUNNING, STOPPED, WAITING

MOST_RUNS = 500


class Planned(NamedTuple):
    """A run of the queue: its swept values and its seed."""

    values: dict[str, Any]
    seed: int


def plan(swept: Mapping[str, Sequence[Any]], seeds: Sequence[int]) -> list[Planned]:
    """List all runs, seed by seed, so that a sweep that is stopped early has whole rounds.

    >>> [(run.values["temperature"], run.seed) for run in plan({"temperature": (0.05, 0.1)}, (0, 1))]
    [(0.05, 0), (0.1, 0), (0.05, 1), (0.1, 1)]
    """
    combinations = [dict(zip(swept, values, strict=True)) for values in itertools.product(*swept.values())]
    return [Planned(values, seed) for seed in seeds for values in combinations]


class Sweep:
    """Trains one run after another in the background; made by :func:`sweep`.

    A run that has ended is left to its folder, so that a long queue does not fill the memory with encoders.

    Attributes:
        planned: what is to be trained, in order.
        current: the run at work, or None; ``folders`` those of all runs begun so far.
        done: how many have come to their end, failed ones too.
        failures: by place in ``planned``, what went wrong; the queue goes on behind a run that fails.
        status: ``waiting``, ``running``, ``stopped`` or ``finished``.
    """

    def __init__(self, method: str, planned: list[Planned], shared: dict[str, Any]) -> None:
        """Get ready; ``shared`` are the arguments of :func:`clwork.start` that all runs have in common."""
        self.method, self.planned, self._shared = method, planned, shared
        self.current: Run | None = None
        self.folders: list[Path] = []
        self.failures: dict[int, str] = {}
        self.done, self.status = 0, WAITING
        self._steps, self._seconds = 0, 0.0  # of runs that have ended
        self._stop, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._main, name="clwork sweep", daemon=True)

    def start(self) -> Sweep:
        """Begin with the first run; returns at once."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End the present run after its step, with a checkpoint, and begin no other."""
        self._stop.set()
        if (run := self.current) is not None:
            run.stop()

    @checked()
    def wait(self, timeout: float | None = None) -> Sweep:
        """Block until the last run has ended, or for ``timeout`` seconds; an interrupt stops the sweep."""
        try:
            self._ended.wait(timeout)
        except KeyboardInterrupt:
            self.stop()
            raise
        return self

    @property
    def alive(self) -> bool:
        """Whether it is still at work."""
        return not self._ended.is_set()

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take, at the pace of the steps so far; None before there are any."""
        run, length = self.current, int(self._shared["steps"])
        now = (0, 0.0) if run is None else (run.step, run.seconds)
        steps, seconds = self._steps + now[0], self._seconds + now[1]
        left = (len(self.planned) - self.done) * length - now[0]
        return max(0, left) * seconds / steps if steps else None

    def _main(self) -> None:
        self.status = RUNNING
        try:
            for place, planned in enumerate(self.planned):
                if self._stop.is_set():
                    break
                self._train(place, planned)
        finally:
            self.status = FINISHED if self.done == len(self.planned) else STOPPED
            self._ended.set()

    def _train(self, place: int, planned: Planned) -> None:
        try:
            self.current = run = start(self.method, seed=planned.seed, **self._shared, **planned.values)
            self.folders.append(run.folder)
            if self._stop.is_set():  # stop() was called while the run was being made
                run.stop()
            run.wait()
        except Exception as error:
            self.failures[place] = explain(error)
        ended, self.current = self.current, None
        if ended is not None:
            self._steps, self._seconds = self._steps + ended.step, self._seconds + ended.seconds
            RUNS.remove(ended)
        self.done += ended is None or ended.status in (FINISHED, FAILED)

    def __repr__(self) -> str:
        if not self.failures:
            return f"<Sweep of {self.method}: {self.status}, {self.done} of {plural(len(self.planned), 'run')}>"
        first = next(iter(self.failures.values()))
        failed = f"{len(self.failures)} of {plural(len(self.planned), 'run')} failed, the first by {first}"
        return f"<Sweep of {self.method}: {self.status}: {failed}>"


def sweep(method: str, *, seeds: int | Sequence[int] = 3, steps: int = 300, **settings: Any) -> Sweep:
    """Train with every value of one or two hyperparameters and each seed, one run after another in the background.

    A hyperparameter given as a list is swept; all else is as for :func:`clwork.start`. The runs are ordinary runs:
    ``lab.desk()`` compares them, with a band where only the seed differs.

    Args:
        method: one of :func:`clwork.methods.names`.
        seeds: how many (0, 1, 2, …), or which.
        steps: of each run.
        settings: hyperparameters, two of them at most as lists, and arguments of :func:`clwork.start`.

    Raises:
        TypeError, ValueError: nothing is swept or more than two; a list is empty, too long or without an end, or has
            a value twice; or what :func:`clwork.start` would refuse.
        FileNotFoundError: the file of sentences or the folder of STS tasks is not there.

    >>> queue = clwork.sweep("simcse", temperature=[0.02, 0.05, 0.2], seeds=5)  # doctest: +SKIP
    """
    steps_from("steps", steps, 1)
    if own := [name for name in ("seed", "name", "folder") if name in settings]:
        argument = f"{own[0]}={shown(settings[own[0]])}"
        raise TypeError(
            f"{argument} is of one run; leave it out: a queue names its runs itself, and takes seeds=3 or seeds=[0, 7]"
        )
    numbers = _seeds(seeds)
    fields = vars(make_config(method))
    swept = {name: _values(name, value) for name, value in settings.items() if name in fields and _is_list(value)}
    if not 1 <= len(swept) <= 2 or not all(swept.values()):
        fault = f"{', '.join(swept)} are lists" if swept else "no hyperparameter is a list"
        raise ValueError(f"{fault}; give one or two with the values to try, such as temperature=[0.02, 0.05, 0.2]")
    count = math.prod(map(len, swept.values())) * len(numbers)
    if count > MOST_RUNS:
        raise ValueError(f"{count} runs are planned, at most {MOST_RUNS} are taken; give fewer values or seeds")
    planned = plan(swept, numbers)
    shared = {"steps": int(steps), **{name: value for name, value in settings.items() if name not in swept}}
    _check_runs(method, planned[: count // len(numbers)], shared)
    return Sweep(method, planned, shared).start()


def _seeds(given: Any) -> list[int]:
    chosen = range(_validation.whole("seeds", given, 1, MOST_RUNS)) if _validation.is_whole(given) else given
    if isinstance(chosen, str | bytes) or not isinstance(chosen, Sequence) or not len(chosen):
        raise TypeError(f"seeds={shown(given)} must be how many seeds, or a list of them")
    numbers = [_validation.seed(seed) for seed in _values("seeds", chosen)]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"seeds={shown(given)} has a seed twice, whose runs would be equal; give each one once")
    return numbers


def _values(name: str, given: Iterable[Any]) -> list[Any]:
    """Items of an iterable of bounded length."""
    values = list(itertools.islice(given, MOST_RUNS + 1))
    if len(values) > MOST_RUNS:
        raise ValueError(f"{name} has more than {MOST_RUNS} values, or no end; give a list of those to try")
    return values


def _check_runs(method: str, planned: Sequence[Planned], shared: Mapping[str, Any]) -> None:
    arguments = inspect.signature(start).bind(method, **shared, **planned[0].values)
    arguments.apply_defaults()
    check_start(**arguments.arguments)
    encoder = get(method).default_encoder if shared.get("encoder") is None else shared["encoder"]
    fixed = {name: value for name, value in shared.items() if name in arguments.arguments["config"]}
    seen = []
    for run in planned:
        made = make_config(method, encoder=encoder, **fixed, **run.values)
        if made in seen:
            values = ", ".join(f"{name}={shown(value)}" for name, value in run.values.items())
            raise ValueError(f"{values} is planned twice, for equal runs; give each value once")
        seen.append(made)


def _is_list(value: object) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, Mapping))
