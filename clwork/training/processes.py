"""Further processes that train a run: started here, or by torchrun; joined for the steps of the run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import IO, Any

import torch
import torch.distributed as dist
from torch.distributed import TCPStore  # type: ignore[attr-defined]

from .. import _validation
from ..methods import Method, MethodConfig
from ..ranks import ALONE, LOST, Joined, Ranks

MOST = 64  # processes started on one machine
STEP = timedelta(minutes=30)  # the longest that one process waits for another's part of a step
MEETING = timedelta(minutes=3)  # the longest that processes take to find each other
# The longest that each of two groups takes to form once they have: one process may die meanwhile, unnoticed, and the
# others are to end within a minute.
JOINING = timedelta(seconds=20)
HERE = "127.0.0.1"
DYING = 10.0  # seconds given to a process whose connection is lost to be gone
QUIET = 20.0  # seconds given to a process to end by itself
LAST_WORDS = 2000  # characters of what a dead process wrote


class ProcessDiedError(RuntimeError):
    """A process that trained the run with this one has ended."""


class Processes:
    """The processes that train a run; this base class: this one alone.

    Attributes:
        size: how many there are.
    """

    size = 1

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[Ranks]:
        """Context of a run's steps on ``device``: the others have read its checkpoint, and follow process 0."""
        yield ALONE

    def settle(self, config: MethodConfig) -> None:
        """Cut the batch into at least one part for each process, unless the configuration says how.

        Raises:
            ValueError: a process would have nothing to do.
        """
        if self.size == 1:
            return
        batch, micro = config.batch_size, config.micro_batch
        if batch < self.size:
            raise ValueError(f"batch_size={batch} is less than {self.size} processes; give each at least one example")
        config.micro_batch = micro or -(-batch // self.size)
        if -(-batch // config.micro_batch) < self.size:
            raise ValueError(
                f"micro_batch={micro} cuts a batch of {batch} into fewer parts than the {self.size} processes; give at "
                f"most {batch // self.size}, or 0"
            )


ALL_HERE = Processes()


class Spawned(Processes):
    """Processes of this machine, started for one run and ended with it; this process is number 0.

    They are fresh interpreters: nothing is forked, so a kernel that has used a GPU, or runs threads, is no hindrance.

    Raises:
        TypeError, ValueError: ``size`` is no whole number from 2 to 64.
    """

    def __init__(self, size: int) -> None:
        self.size = _validation.whole("processes", size, 2, MOST)

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[Ranks]:
        """See :meth:`Processes.joined`; also shares the processor's cores out.

        Raises:
            ProcessDiedError: another process ended before the run did.
            RuntimeError: this process belongs to such a group already.
        """
        if dist.is_initialized():
            raise RuntimeError(
                "this process already trains a run by several processes, and can be number 0 of one only; wait for "
                "that run, or stop it"
            )
        check_devices(device, self.size)
        threads, cores = torch.get_num_threads(), max(1, torch.get_num_threads() // self.size)
        with ExitStack() as files:  # without names: a process that is killed leaves none behind
            words = [files.enter_context(tempfile.TemporaryFile()) for _ in range(1, self.size)]
            store = TCPStore(HERE, 0, self.size, is_master=True, wait_for_workers=False, timeout=MEETING)
            started = [_started(rank, self.size, store.port, cores, file) for rank, file in enumerate(words, start=1)]
            try:
                torch.set_num_threads(cores)
                _meet(store, started)
                ranks = _joined_beside(
                    started, lambda: join(device, JOINING, store=store, rank=0, world_size=self.size)
                )
                with leading(ranks, folder, method, device):
                    yield ranks
            except ConnectionError as error:
                raise ProcessDiedError(_obituary(started, words) or str(error)) from error
            finally:
                torch.set_num_threads(threads)
                leave()
                _end(started)


class Environment(Processes):
    """Processes that torchrun, or another launcher that sets its variables, has started, on one machine or several."""

    def __init__(self) -> None:
        self.size = int(os.environ.get("WORLD_SIZE", "1"))

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[Ranks]:
        """See :meth:`Processes.joined`."""
        if self.size == 1:
            yield ALONE
            return
        try:
            ranks = join(device)
            with leading(ranks, folder, method, device):
                yield ranks
        except ConnectionError as error:
            raise ProcessDiedError(f"{error}. The launcher's output has that process's own words") from error
        finally:
            leave()


def check_devices(device: torch.device, size: int) -> None:
    """Check that each process has a GPU of its own where the run is on GPUs.

    Raises:
        ValueError: there are too few.
    """
    if device.type == "cuda" and torch.cuda.device_count() < size:
        raise ValueError(
            f"{size} processes need a GPU each, and this machine has {torch.cuda.device_count()}; give fewer "
            "processes, or device='cpu'"
        )


def join(device: torch.device, patience: timedelta = MEETING, **where: Any) -> Joined:
    """Join the group of a run's processes: gloo between processors, NCCL between GPUs.

    ``where`` is a store, rank and size; nothing: what a launcher's variables say. It waits ``patience`` for the
    others; a launcher ends them all when one dies.
    """
    kind = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    if not dist.is_initialized():
        _reset_group_count()
    with _unreachable():
        dist.init_process_group(kind, timeout=patience, **where)
        ranks = Joined(patience)
        ranks.set_patience(STEP)
        return ranks


def _reset_group_count() -> None:
    """Number the groups from 0 again: groups are matched by number, and a failed one leaves its number taken.

    PyTorch has no public way. Where its private one is gone, a launch after a failed one may time out.
    """
    with suppress(ImportError, AttributeError):
        from torch.distributed.distributed_c10d import _world

        _world.group_count = 0


def join_parent(rank: int, size: int, port: int, device: torch.device) -> Joined:
    """Join the group of the process that started this one, see :class:`Spawned`."""
    with _unreachable():
        store = TCPStore(HERE, port, size, is_master=False, timeout=MEETING)
        store.set(f"here {rank}", "")
    return join(device, JOINING, store=store, rank=rank, world_size=size)


@contextmanager
def _unreachable() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:  # torch's DistError is one
        raise ConnectionError(f"the processes of this run did not find each other: {error}") from error


def leave() -> None:
    """Leave the group, if this process is in one; the others notice."""
    if dist.is_initialized():
        with suppress(RuntimeError):
            dist.destroy_process_group()


@contextmanager
def leading(ranks: Ranks, folder: Path, method: Method[Any], device: torch.device) -> Iterator[None]:
    """Context in which the others follow: they read the run in ``folder`` first, and end after it.

    They import the module that defines the run's method.
    """
    about = {"module": type(method).__module__, "kind": method.kind, "device": device.type}
    ranks.order({"follow": str(folder), **about})
    yield
    ranks.order({"end": True})


def _started(rank: int, size: int, port: int, threads: int, words: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a process that follows; what it writes goes to ``words``."""
    place = [str(os.getpid()), str(port), str(rank), str(size)]
    command = [sys.executable, "-m", "clwork.train", "--follow", *place]
    path = os.pathsep.join(place for place in sys.path if place)
    return subprocess.Popen(
        command,
        env=os.environ | {"OMP_NUM_THREADS": str(threads), "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        stdout=words,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # an interrupt of the notebook is for process 0
    )


def _meet(store: Any, started: Sequence[subprocess.Popen[bytes]]) -> None:
    """Wait until all processes have found the store.

    Raises:
        ConnectionError: one has ended before, or takes too long.
    """
    end = time.monotonic() + MEETING.total_seconds()
    for rank, process in enumerate(started, start=1):
        while not store.check([f"here {rank}"]):
            if process.poll() is not None:
                raise ConnectionError(f"{LOST}: process {rank} of {len(started) + 1}")
            if time.monotonic() > end:
                raise ConnectionError(f"process {rank} of {len(started) + 1} did not come within {MEETING}")
            time.sleep(0.02)


def _joined_beside(started: Sequence[subprocess.Popen[bytes]], join: Callable[[], Joined]) -> Joined:
    """Join in a thread of its own, and give up where a process has ended: gloo may wait for it without end.

    Raises:
        ConnectionError: one has ended before they have joined.
    """
    found: list[Joined] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(join())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work, name="clwork joining", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.02)
        if any(process.poll() is not None for process in started):
            thread.join(DYING)  # mostly it notices by itself
            break
    if found:
        return found[0]
    raise failed[0] if failed else ConnectionError(f"{LOST}: it ended while they joined")


def _obituary(started: Sequence[subprocess.Popen[bytes]], words: Sequence[IO[bytes]]) -> str:
    """Say which process died of what, as far as it is known; empty where all live."""
    end, told = time.monotonic() + DYING, []
    for rank, (process, file) in enumerate(zip(started, words, strict=True), start=1):
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(max(0.0, end - time.monotonic()))
            by = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit status {code}"
            file.seek(0)
            lines = file.read().decode("utf-8", "replace")[-LAST_WORDS:].strip().splitlines()
            said = lines[-1] if lines else ""
            later = code >= 0 and said.startswith(LOST)  # it ended because another one had
            told.append((later, code >= 0, f"process {rank} of {len(started) + 1} ended {by}: {said}".rstrip(": ")))
    if not told:
        return ""
    return f"{min(told)[-1]}. The run goes on from its last checkpoint by clwork.resume, by any number of processes"


def _end(started: Sequence[subprocess.Popen[bytes]]) -> None:
    """Wait for processes to end, and end those that do not."""
    for process in started:
        try:
            process.wait(QUIET)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def of(count: object) -> Processes:
    """The processes for ``processes=count``, an integer from 1 to 64.

    >>> of(1).size, of(3).size
    (1, 3)
    """
    number = _validation.whole("processes", count, 1, MOST)
    return ALL_HERE if number == 1 else Spawned(number)
