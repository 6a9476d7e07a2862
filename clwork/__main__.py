"""Train a run from the command line: ``python -m clwork run.toml``, also through ``torchrun``.

The file has the arguments of :func:`clwork.start`, and may have a table ``[config]`` with
hyperparameters::

    method = "simcse"
    folder = "runs/first"
    sentences = "corpus.txt"
    steps = 1000
    [config]
    batch_size = 256

If ``folder`` already holds a run, the run is resumed, with any number of processes. SIGTERM, SIGHUP
or an interrupt (SIGINT) of any process stops the run after the step in progress, with a checkpoint.
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
from clwork.training.ending import ENDING
from clwork.training.preparation import train_along
from clwork.training.starting import resume, start, watch

STOPPED = 128 + signal.SIGINT  # exit status of a run that was stopped


def main(arguments: list[str] | None = None) -> int:
    """Train the run of a file; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m clwork", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("file", type=Path, help="run.toml")
    file = parser.parse_args(arguments).file
    return train_with_first() if int(os.environ.get("RANK", "0")) else train_as_first(file)


def train_as_first(file: Path) -> int:
    """Train or resume the run that the file describes, as process 0, which writes its folder."""
    try:
        named = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        print(f"{file} cannot be read: {error}", file=sys.stderr)
        return 2
    named |= named.pop("config", {})
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    folder: Any = named.get("folder")
    if folder is not None and (Path(folder) / RUN).is_file():
        run = resume(folder, background=True, processes=processes)
    else:
        run = start(**named, processes=processes)
    if processes > 1:
        # A launcher interrupts its processes twice, which would end the wait for the checkpoint.
        signal.signal(signal.SIGINT, lambda *_: run.stop())
    watch(run)
    print(f"{run.name}: {run.status} at step {run.step}, in {run.folder}")
    return {"finished": 0, "stopped": STOPPED}.get(run.status, 1)


def train_with_first() -> int:
    """Train the run of process 0 until it ends."""
    place = int(os.environ.get("LOCAL_RANK", "0"))
    device = torch.device("cuda", place) if torch.cuda.is_available() else torch.device("cpu")
    stopping = threading.Event()
    try:
        processes = distributed.join(device)
        for number in {signal.SIGINT, *ENDING}:  # from now on, process 0 waits for this one
            signal.signal(number, lambda *_: stopping.set())
        train_along(processes, str(device), stopping.is_set)
    except Exception as error:  # printed before the other processes detect that this one ended
        print(
            error if isinstance(error, ConnectionError) else traceback.format_exc(),
            file=sys.stderr,
            flush=True,
        )
        return 1
    finally:
        distributed.leave()
    return 0


if __name__ == "__main__":
    sys.exit(main())
