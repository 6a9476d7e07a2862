"""Train a run from the command line: ``python -m clwork run.toml``, also through ``torchrun``.

The file has the arguments of :func:`clwork.start`, also hyperparameters::

    method = "simcse"
    folder = "runs/first"
    sentences = "corpus.txt"
    steps = 1000
    batch_size = 256

If ``folder`` holds a run with a checkpoint, the run is resumed, with any number of processes; a run
that ended before its first checkpoint is started again. SIGTERM, SIGHUP or an interrupt (SIGINT) of
any process stops the run after the step in progress, with a checkpoint.
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

from clwork.precision import default_device
from clwork.run_folder.folder import RunFolder
from clwork.training import distributed
from clwork.training.preparation import follow_first_process
from clwork.training.run import ENDING
from clwork.training.starting import resume, start, watch

# Exit status of a run that was stopped, as shells report a program that was interrupted.
STOPPED = 128 + signal.SIGINT


def main(arguments: list[str] | None = None) -> int:
    """Train the run of a file; return the exit status.

    ``torchrun`` starts this function in each process, and numbers the processes from 0 (``RANK``).
    """
    first_line_of_this_file = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m clwork", description=first_line_of_this_file)
    parser.add_argument("file", type=Path, help="run.toml")
    file = parser.parse_args(arguments).file
    settings = tomllib.loads(file.read_text(encoding="utf-8"))
    is_first = int(os.environ.get("RANK", "0")) == 0
    return train_and_write(settings) if is_first else help_first_process(settings)


def train_and_write(settings: dict[str, Any]) -> int:
    """Train or resume the run with these settings, as process 0, which writes its folder.

    Returns the exit status: 0 finished, STOPPED stopped, 1 failed.
    """
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    folder = settings.get("folder")
    device = settings.get("device") or default_device()
    if folder is not None and RunFolder(folder).checkpoints.any():
        run = resume(folder, device=device, background=True, processes=processes)
    else:
        run = start(**settings, processes=processes)

    if run.training.inputs is None:
        # A finished run is only opened. But the other processes wait for a connection: they get
        # one, which is closed at once, and so end too.
        with distributed.joined(processes, device):
            pass
    elif processes > 1:
        # A launcher interrupts its processes twice, and the second KeyboardInterrupt would end the
        # wait for the checkpoint. So an interrupt only requests the end of the run.
        signal.signal(signal.SIGINT, lambda *_: run.stop())
    watch(run)
    print(f"{run.name}: {run.status} at step {run.step}, in {run.folder}")
    return {"finished": 0, "stopped": STOPPED}.get(run.status, 1)


def help_first_process(settings: dict[str, Any]) -> int:
    """Do the steps of the run together with process 0, until it ends; return the exit status."""
    device = torch.device(settings.get("device") or default_device())
    if device.type == "cuda":
        # Each process of a machine has its own GPU.
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    stopping = threading.Event()
    try:
        processes = distributed.join(device)
        # Until now, a signal ended this process. From now on process 0 waits for it in each step,
        # so a signal only requests the end of the run.
        for number in {signal.SIGINT, *ENDING}:
            signal.signal(number, lambda *_: stopping.set())
        follow_first_process(processes, str(device), stopping.is_set)
    except Exception as error:
        # Flushed at once, so that the cause is printed before the errors of the processes that lose
        # their connection to this one. Of a lost connection the message is enough.
        message = str(error) if isinstance(error, ConnectionError) else traceback.format_exc()
        print(message, file=sys.stderr, flush=True)
        return 1
    finally:
        distributed.leave()
    return 0


if __name__ == "__main__":
    sys.exit(main())
