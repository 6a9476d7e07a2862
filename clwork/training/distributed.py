"""A run trained by several processes: how they start and join, and what they exchange in a step.

Process 0 reads the corpus, sends each step's examples, and alone writes the run's folder; the others
:func:`.preparation.follow` it. Gradients are those of one process with the whole batch.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from .._validation import integer
from ..methods import Method, MethodConfig
from ..methods.step import SINGLE_PROCESS, Gathered, ProcessGroup

MOST_PROCESSES = 64  # started on one machine
LOST = "another process of this run has ended"
STARTUP_TIMEOUT = timedelta(minutes=3)  # for processes to start and find each other
# For creating the process groups after that; short, so that a process that dies here is detected within a minute.
GROUP_TIMEOUT = timedelta(seconds=20)
STEP_TIMEOUT = timedelta(minutes=30)  # for the others' part of a step
ORDER_TIMEOUT = timedelta(days=30)  # for the next order of process 0: a pause may be long
EXIT_TIMEOUT = 20.0  # seconds for a process to end by itself
EXIT_STATUS_TIMEOUT = 10.0  # seconds until the exit status of a process whose connection is lost can be read
OUTPUT_LENGTH = 2000  # characters read of what a dead process wrote


class ProcessDiedError(RuntimeError):
    """A process that trained the run with this one has ended."""


class JoinedProcesses(ProcessGroup):
    """Processes joined by ``torch.distributed``: the default group carries tensors, a gloo group the orders."""

    def __init__(self, timeout: timedelta) -> None:
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self._orders = dist.new_group(backend="gloo", timeout=timeout)
        _set_timeout(STEP_TIMEOUT)
        _set_timeout(ORDER_TIMEOUT, self._orders)

    def gather(self, rows: Mapping[str, Tensor]) -> dict[str, Gathered]:
        """See :meth:`.ProcessGroup.gather`; processes may have different numbers of rows, also none."""
        names = sorted(rows)
        counts = self._all_gather(torch.tensor([len(rows[name]) for name in names]))  # (size, names)
        gathered = {}
        for place, (name, most) in enumerate(zip(names, counts.amax(dim=0).tolist(), strict=True)):
            own, sizes = rows[name], counts[:, place].tolist()
            padded = torch.cat([own, own.new_zeros((most - len(own), *own.shape[1:]))])
            parts = self._all_gather(padded)
            joined = torch.cat([part[:size] for part, size in zip(parts, sizes, strict=True)])
            gathered[name] = Gathered(joined, sum(sizes[: self.rank]))
        return gathered

    def _all_gather(self, tensor: Tensor) -> Tensor:
        """Gather tensors of one shape: ``(size, *shape)``."""
        received = [torch.empty_like(tensor) for _ in range(self.size)]
        with _lost_connection():
            dist.all_gather(received, tensor.contiguous(), group=self._group(tensor))
        return torch.stack(received)

    def _group(self, tensor: Tensor) -> Any:
        """The group that can carry a tensor: NCCL carries none of the processor's."""
        return self._orders if tensor.device.type == "cpu" and dist.get_backend() == "nccl" else None

    def drop_repeated(self, parameters: Iterable[nn.Parameter]) -> None:
        """See :meth:`.ProcessGroup.drop_repeated`."""
        if self.rank:
            for parameter in parameters:
                parameter.grad = None

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """See :meth:`.ProcessGroup.add_gradients`; sent as one tensor, with a flag per parameter."""
        trained = [p for p in parameters if p.requires_grad]
        if not trained:
            return
        device = trained[0].device
        has = torch.tensor([p.grad is not None for p in trained], dtype=torch.float32, device=device)
        flat = torch.cat([*((torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in trained), has])
        flat = self.total(flat)
        has, at = flat[-len(trained) :], 0
        for parameter, somewhere in zip(trained, (has > 0).tolist(), strict=True):
            if somewhere:
                parameter.grad = flat[at : at + parameter.numel()].view_as(parameter)
            at += parameter.numel()

    def total(self, tensor: Tensor) -> Tensor:
        """See :meth:`.ProcessGroup.total`."""
        summed = tensor.clone()
        with _lost_connection():
            dist.all_reduce(summed, group=self._group(summed))
        return summed

    def order(self, order: Any = None) -> Any:
        """See :meth:`.ProcessGroup.order`."""
        carried = [order]
        with _lost_connection():
            dist.broadcast_object_list(carried, src=0, group=self._orders)
        return carried[0]


@contextmanager
def _lost_connection() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        raise ConnectionError(f"{LOST}, or cannot be reached: {error}") from error


def _set_timeout(timeout: timedelta, group: dist.ProcessGroup | None = None) -> None:
    """Change a group's timeout; PyTorch's only way is private, and a release without it leaves the first timeout."""
    with suppress(ImportError):
        from torch.distributed.distributed_c10d import _set_pg_timeout

        _set_pg_timeout(timeout, group)


def join(device: torch.device, timeout: timedelta = STARTUP_TIMEOUT, **where: Any) -> JoinedProcesses:
    """Join the processes of a run: gloo between processors, NCCL between GPUs."""
    backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    if not dist.is_initialized():
        # Groups are matched by number, and a failed one leaves its number taken. PyTorch has no public way to reset it:
        # without the private one, a launch after a failed one may time out.
        with suppress(ImportError, AttributeError):
            from torch.distributed.distributed_c10d import _world

            _world.group_count = 0
    try:
        dist.init_process_group(backend, timeout=timeout, **where)
        return JoinedProcesses(timeout)
    except RuntimeError as error:  # torch's DistError is one
        raise ConnectionError(f"the processes of this run did not find each other: {error}") from error


def leave() -> None:
    """Leave the process group, if this process is in one."""
    if dist.is_initialized():
        with suppress(RuntimeError):
            dist.destroy_process_group()


class Processes:
    """The processes that train a run; this base class stands for a single process."""

    size = 1

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[ProcessGroup]:
        """Context of a run's steps: the other processes have read its checkpoint and follow process 0."""
        yield SINGLE_PROCESS

    def split_batch(self, config: MethodConfig) -> None:
        """Set ``micro_batch`` so that each process has a part of the batch, unless it is set already."""
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


class SpawnedProcesses(Processes):
    """Fresh interpreters on this machine (no forks: a GPU may be in use), ended with the run; this one is number 0."""

    def __init__(self, size: int) -> None:
        self.size = size

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[ProcessGroup]:
        """See :meth:`Processes.joined`; the processor's cores are shared out."""
        if dist.is_initialized():
            raise RuntimeError(
                "this process already trains a run by several processes, and can be number 0 of one only; wait for "
                "that run, or stop it"
            )
        if device.type == "cuda" and torch.cuda.device_count() < self.size:
            raise ValueError(
                f"{self.size} processes need a GPU each, and this machine has {torch.cuda.device_count()}; give fewer "
                "processes, or device='cpu'"
            )
        threads, cores = torch.get_num_threads(), max(1, torch.get_num_threads() // self.size)
        with tempfile.TemporaryDirectory(prefix="clwork-", ignore_cleanup_errors=True) as name:
            meeting = Path(name)
            started = [start_process(rank, self.size, meeting, cores) for rank in range(1, self.size)]
            try:
                torch.set_num_threads(cores)
                _wait_until_started(meeting, started)
                processes = _join_unless_one_ends(started, lambda: _join_at(meeting, 0, self.size, device))
                with _leading(processes, folder, method, device):
                    yield processes
            except ConnectionError as error:
                raise ProcessDiedError(_exit_reason(started, meeting) or str(error)) from error
            finally:
                torch.set_num_threads(threads)
                leave()
                for process in started:
                    try:
                        process.wait(EXIT_TIMEOUT)
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.wait()


class LaunchedProcesses(Processes):
    """Processes that torchrun, or a launcher that sets its variables, has started, on one machine or several."""

    def __init__(self) -> None:
        self.size = int(os.environ.get("WORLD_SIZE", "1"))

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[ProcessGroup]:
        """See :meth:`Processes.joined`."""
        if self.size == 1:
            yield SINGLE_PROCESS
            return
        try:
            processes = join(device)
            with _leading(processes, folder, method, device):
                yield processes
        except ConnectionError as error:
            raise ProcessDiedError(f"{error}. See that process's output in the launcher's") from error
        finally:
            leave()


def local_processes(count: object) -> Processes:
    """The processes for ``processes=count``, an integer from 1 to 64."""
    number = integer("processes", count, 1, MOST_PROCESSES)
    return Processes() if number == 1 else SpawnedProcesses(number)


@contextmanager
def _leading(processes: ProcessGroup, folder: Path, method: Method[Any], device: torch.device) -> Iterator[None]:
    """Context in which the others train the run in ``folder``; they import the module that defines its method."""
    about = {"module": type(method).__module__, "kind": method.kind, "device": device.type}
    processes.order({"follow": str(folder), **about})
    yield
    processes.order({"end": True})


def start_process(rank: int, size: int, meeting: Path, threads: int) -> subprocess.Popen[bytes]:
    """Start a process that follows process 0; its output goes to a file in ``meeting``."""
    path = os.pathsep.join(place for place in sys.path if place)
    with open(meeting / f"output-{rank}", "wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "clwork", "--follow", str(os.getpid()), str(rank), str(size), str(meeting)],
            env=os.environ | {"OMP_NUM_THREADS": str(threads), "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # an interrupt of the notebook reaches process 0 alone
        )


def join_started(parent: int, rank: int, size: int, meeting: Path, device: torch.device) -> JoinedProcesses:
    """Join the process that has started this one, see :func:`start_process`; end when it ends."""

    def end_with_parent() -> None:
        while os.getppid() == parent:
            time.sleep(2.0)
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    (meeting / f"started-{rank}").touch()
    return _join_at(meeting, rank, size, device)


def _join_at(meeting: Path, rank: int, size: int, device: torch.device) -> JoinedProcesses:
    return join(device, GROUP_TIMEOUT, init_method=f"file://{meeting}/store", rank=rank, world_size=size)


def _wait_until_started(meeting: Path, started: Sequence[subprocess.Popen[bytes]]) -> None:
    end = time.monotonic() + STARTUP_TIMEOUT.total_seconds()
    for rank, process in enumerate(started, start=1):
        while not (meeting / f"started-{rank}").exists():
            if process.poll() is not None:
                raise ConnectionError(f"{LOST}: process {rank} of {len(started) + 1}")
            if time.monotonic() > end:
                raise ConnectionError(f"process {rank} of {len(started) + 1} did not start within {STARTUP_TIMEOUT}")
            time.sleep(0.02)


def _join_unless_one_ends(
    started: Sequence[subprocess.Popen[bytes]], join: Callable[[], JoinedProcesses]
) -> JoinedProcesses:
    """Run ``join`` in a thread and raise ConnectionError if a child exits; gloo can block forever on a dead peer."""
    found: list[JoinedProcesses] = []
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
            thread.join(EXIT_STATUS_TIMEOUT)  # gloo usually notices
            break
    if found:
        return found[0]
    raise failed[0] if failed else ConnectionError(f"{LOST} while they joined")


def _exit_reason(started: Sequence[subprocess.Popen[bytes]], meeting: Path) -> str:
    """Which process ended first and why, with the last line of its output; empty if all are alive."""
    end, reasons = time.monotonic() + EXIT_STATUS_TIMEOUT, []
    for rank, process in enumerate(started, start=1):
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(max(0.0, end - time.monotonic()))
            by = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit status {code}"
            output = (meeting / f"output-{rank}").read_bytes().decode("utf-8", "replace")
            last = (output[-OUTPUT_LENGTH:].strip().splitlines() or [""])[-1]
            later = code >= 0 and last.startswith(LOST)  # it ended because another one had
            reasons.append((later, code >= 0, f"process {rank} of {len(started) + 1} ended {by}: {last}".rstrip(": ")))
    if not reasons:
        return ""
    return f"{min(reasons)[-1]}. clwork.resume continues from the last checkpoint, with any number of processes"
