"""A queue of runs: the values to try, the number of seeds, progress, and a stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from ...methods import Field
from ...training import Sweep
from ...training.stored.sweep import Planned
from ...wording import duration, explain, plural
from ..page.labels import plain
from .control import count
from .settings_text import value_of

EXAMPLE = "temperature = 0.02, 0.05, 0.2"
FAILURES_SHOWN = 3


def values_of(text: str, fields: Mapping[str, Field]) -> dict[str, list[Any]]:
    """The values to try of each hyperparameter, from a line such as ``temperature = 0.02, 0.05; head = none, both``.

    Raises:
        ValueError: not such a line.
    """
    values: dict[str, list[Any]] = {}
    for part in filter(str.strip, text.split(";")):
        name, sign, listed = (piece.strip() for piece in part.partition("="))
        words = [word.strip() for word in listed.split(",") if word.strip()]
        if not sign or not words:
            raise ValueError(f"{part.strip()!r} names no values; write it like this: {EXAMPLE}")
        if name not in fields or name in values:
            known = ", ".join(sorted(fields))
            raise ValueError(f"{name!r} {'stands twice' if name in values else f'is none of {known}'}")
        values[name] = [value_of(word, fields[name]) for word in words]
    if not values:
        raise ValueError(f"there is nothing to try yet; write it like this: {EXAMPLE}")
    return values


class SweepQueue:
    """Starts a queue and says how it stands; ``begin(values, seeds)`` makes one with the other settings.

    Attributes:
        text: the line of values to try; ``seeds`` how many runs of each.
        sweep: the last queue, or None.
        error: why nothing started; empty if it did.
    """

    def __init__(
        self, fields: Mapping[str, Field], begin: Callable[[dict[str, list[Any]], int], Sweep], busy: Callable[[], bool]
    ) -> None:
        """Prepare; nothing starts while ``busy()``, for two trainings slow each other down."""
        self._fields, self._begin, self._busy = fields, begin, busy
        self.text, self.error = "", ""
        self.seeds = count("seeds", 3, 1, 100, "How many runs of each, which differ in nothing but the seed.")
        self.sweep: Sweep | None = None
        self._stopping = False
        self._begun = threading.Event()  # clear while a queue is starting
        self._begun.set()

    @property
    def alive(self) -> bool:
        """Whether a queue is at work or starting."""
        return not self._begun.is_set() or (self.sweep is not None and self.sweep.alive)

    def write(self, text: str) -> None:
        """Change the line; takes an error back."""
        self.text = str(text)
        if not self.alive:
            self.error = ""

    def start(self, text: str | None = None, seeds: str | int | None = None) -> None:
        """Read the line and start; what is wrong is in :attr:`error`. Does nothing while a queue is at work."""
        if self.alive:
            return
        self.write(self.text if text is None else text)
        if seeds is not None:
            self.seeds.type_in(plain(seeds))
        if self._busy():
            self.error = "A run goes on: stop it, or wait for its end. Two at once take from each other."
            return
        try:
            values = values_of(self.text, self._fields)
        except (TypeError, ValueError) as error:
            self.error = str(error)
            return
        if self.seeds.wrong:
            self.error = self.seeds.wrong
            return
        self.sweep, self._stopping = None, False
        self._begun.clear()
        arguments = values, int(self.seeds.value)
        threading.Thread(target=self._start, args=arguments, name="clwork queue", daemon=True).start()

    def stop(self) -> None:
        """End the present run after its step, and start no other."""
        self._stopping = True
        if self.sweep is not None:
            self.sweep.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the queue has ended; ``timeout`` in seconds, of its start and again of its work."""
        if self._begun.wait(timeout) and self.sweep is not None:
            self.sweep.wait(timeout)

    def state(self) -> dict[str, Any]:
        """What the page shows: line, seeds, a sentence, and how many runs are done of how many, parts of one included.

        ``of`` is 0 before a queue has begun; ``trouble`` marks a sentence about an error.
        """
        sweep, alive = self.sweep, self.alive
        run = None if sweep is None else sweep.current
        part = 0.0 if run is None else run.step / run.total_steps
        if not self._begun.is_set():
            sentence = "Starting …"
        else:
            sentence = self.error or ("" if sweep is None else progress_of(sweep))
        return {
            "text": self.text,
            "seeds": self.seeds.state(),
            "alive": alive,
            "sentence": sentence,
            "trouble": bool(self.error) or (sweep is not None and bool(sweep.failures)),
            "done": 0 if sweep is None else sweep.done + part,
            "of": 0 if sweep is None else len(sweep.planned),
        }

    def about(self) -> dict[str, Any]:
        """What never changes: an example of the line, and the control of the seeds."""
        return {"example": EXAMPLE, "seeds": self.seeds.about()}

    def _start(self, values: dict[str, list[Any]], seeds: int) -> None:
        """Start the queue; in a thread, for reading a corpus may take seconds."""
        try:
            self.sweep = self._begin(values, seeds)
            if self._stopping:
                self.sweep.stop()
        except Exception as error:
            self.error = explain(error)
        finally:
            self._begun.set()


def progress_of(sweep: Sweep) -> str:
    """A queue's present run, progress and time left; at the end its outcome, with failures."""
    text = f"{sweep.done} of {plural(len(sweep.planned), 'run is', 'runs are')} done"
    if sweep.alive:
        place, run, left = sweep.done, sweep.current, sweep.seconds_left
        if place < len(sweep.planned):
            text += f". Now {described(sweep.planned[place])}"
            text += " is made ready" if run is None else f": {run.name}, step {run.step} of {run.total_steps}"
        text += f". About {duration(left)} left" if left is not None else ""
    else:
        text += f": the queue is {sweep.status}. lab.desk() compares them"
    first = list(sweep.failures.items())[:FAILURES_SHOWN]
    failed = [f"{described(sweep.planned[place])}: {why}" for place, why in first]
    return f"{text}." + (f" {len(sweep.failures)} failed: {'; '.join(failed)}." if failed else "")


def described(planned: Planned) -> str:
    """A run of a queue as text: its values and its seed.

    >>> described(Planned({"group_dim": 0.050000000000000003}, 2))
    'group dim 0.05, seed 2'
    """
    named = [f"{name.replace('_', ' ')} {plain(value)}" for name, value in planned.values.items()]
    return ", ".join([*named, f"seed {planned.seed}"])
