"""Train a run from the command line: ``python -m clwork run.toml``, or ``torchrun … -m clwork run.toml``.

The file has the arguments of :func:`clwork.start`, and may have a table ``[config]`` with hyperparameters::

    method = "simcse"
    folder = "runs/first"
    sentences = "corpus.txt"
    steps = 1000
    [config]
    batch_size = 256

If ``folder`` already holds a run, the run is resumed, with any number of processes. SIGTERM, SIGHUP or an interrupt
(SIGINT) of any process stops the run after the step in progress, with a checkpoint.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import tomllib
import traceback
from pathlib import Path
from typing import Any

import torch

from clwork.run_folder.files import RUN
from clwork.training import distributed
from clwork.training.preparation import follow
from clwork.training.run import ENDING
from clwork.training.starting import begin, plan_run, resume, watch

STOPPED = 128 + signal.SIGINT  # exit status of a run that was stopped


def main(arguments: list[str] | None = None) -> int:
    """Train the run as process 0, or follow process 0; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m clwork", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", help="run.toml")
    parser.add_argument("--follow", nargs=4, help=argparse.SUPPRESS)  # parent, rank, size, rendezvous folder
    given = parser.parse_args(arguments)
    if not given.follow and given.file is None:
        parser.error("name a file, such as run.toml")
    if given.follow is not None or int(os.environ.get("RANK", "0")) > 0:
        return follow_leader(given.follow)
    return _train(Path(given.file))


def _train(file: Path) -> int:
    """Train or resume the run that the file describes, as process 0."""
    try:
        named = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        print(f"{file} cannot be read: {error}", file=sys.stderr)
        return 2
    named |= named.pop("config", {})
    together = distributed.LaunchedProcesses()
    folder: Any = named.get("folder")
    if folder is not None and (Path(folder) / RUN).is_file():
        run = resume(folder, background=True, processes=together)
    else:
        run = begin(together, plan_run(**named))
    if together.size > 1:  # a launcher interrupts its processes twice, which would end the wait for the checkpoint
        signal.signal(signal.SIGINT, lambda *_: run.stop())
    watch(run)
    print(f"{run.name}: {run.status} at step {run.step}, in {run.folder}")
    return {"finished": 0, "stopped": STOPPED}.get(run.status, 1)


def follow_leader(started: list[str] | None) -> int:
    """Follow process 0 until it ends: the process in ``started``, else the one given by torchrun's variables."""
    place = int(os.environ.get("LOCAL_RANK", "0")) if started is None else int(started[1])
    device = torch.device("cuda", place) if torch.cuda.is_available() else torch.device("cpu")
    try:
        if started is None:
            processes = distributed.join(device)
        else:
            parent, rank, size, meeting = started
            processes = distributed.join_started(int(parent), int(rank), int(size), Path(meeting), device)
        stopping = threading.Event()
        for number in {signal.SIGINT, *ENDING}:  # from now on, process 0 waits for this one
            signal.signal(number, lambda *_: stopping.set())
        order = processes.order()
        follow(processes, order, "cpu" if order["device"] == "cpu" else str(device), stopping.is_set)
    except Exception as error:  # printed before the other processes detect that this one ended
        print(error if isinstance(error, ConnectionError) else traceback.format_exc(), file=sys.stderr, flush=True)
        return 1
    finally:
        distributed.leave()
    return 0


if __name__ == "__main__":
    sys.exit(main())
