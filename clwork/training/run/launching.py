"""Runs that several processes train."""

from __future__ import annotations

import inspect
from typing import Any

from ... import _validation
from ...methods import get
from ..disk.folder import RunFolder
from ..distributed import Processes, local_processes
from .run import Run
from .start import check_start, start, written


def begin(together: Processes, *given: Any, **named: Any) -> Run:
    """Start a run that several processes train; the other arguments are those of :func:`start`.

    Raises:
        TypeError: the arguments are not those of :func:`start`.
        ValueError: as :func:`start` and :meth:`.Processes.split_batch`; the method is defined in a notebook.
    """
    bound = inspect.signature(start).bind(*given, **named)
    bound.apply_defaults()
    arguments = bound.arguments
    asked = check_start(**arguments)
    together.split_batch(asked.values)
    _check_importable(arguments["method"])
    with RunFolder.new(arguments["method"], arguments["name"], arguments["folder"]) as files:
        run = written(arguments["method"], asked, files, arguments["on_row"], together)
    return run.start()


def _check_importable(method: str) -> None:
    """Check that other processes find the method."""
    if get(method).__module__ == "__main__":
        raise ValueError(
            f"the method {method!r} is defined in this notebook or script, which other processes cannot import; move "
            "its class to a file of its own and import that"
        )


def launch(*given: Any, processes: int = 2, **named: Any) -> Run:
    """Train a run by several processes of this machine, in the background; returns at once.

    This process is number 0: it alone reads the corpus and writes, and the run is paused, steered, looked at, forked
    and resumed like any other. The others are fresh interpreters that train their parts of each batch, on a GPU each
    where the run is on GPUs, and end with the run. All negatives of the batch count for all sentences, and the gradient
    is that of the whole batch, see :func:`clwork.methods.step.differentiate`: the run equals, but for rounding, one of
    a single process with ``micro_batch`` at ``batch_size / processes``. If a process dies, the run fails, and says
    which; its last checkpoint stays, and :func:`resume` goes on from there with any number of processes.

    Args:
        given: as for :func:`start`, the method's name first.
        processes: how many, 2 to 64, this one included.
        named: as for :func:`start`.

    Raises:
        TypeError, ValueError: as for :func:`start`; ``processes`` is out of range; a process would have no part of the
            batch; the method is defined in a notebook.
    """
    return begin(local_processes(_validation.whole("processes", processes, 2)), *given, **named)
