"""Train a run with several processes: start them, join them, and exchange vectors and gradients.

Process 0 reads the corpus, sends each step's examples, and is the only one to write the run's folder; the others call
:func:`.preparation.follow`. The gradients equal those of one process with the complete batch.
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
STARTUP_TIMEOUT = timedelta(minutes=3)  # for starting the processes and their rendezvous
# For creating the process groups after rendezvous; short, so that a dead process is detected within a minute.
GROUP_TIMEOUT = timedelta(seconds=20)
STEP_TIMEOUT = timedelta(minutes=30)  # for the other processes' part of a step
ORDER_TIMEOUT = timedelta(days=30)  # for the next order from process 0; long, since a run can be paused
EXIT_TIMEOUT = 20.0  # seconds for a process to exit before it is killed
EXIT_STATUS_TIMEOUT = 10.0  # seconds to wait for the exit status after a lost connection
OUTPUT_LENGTH = 2000  # characters read from the end of a dead process's output


class ProcessDiedError(RuntimeError):
    """Another process that trains this run has ended."""


class JoinedProcesses(ProcessGroup):
    """Processes joined by ``torch.distributed``; the default group sends tensors, a gloo group sends orders."""

    def __init__(self, timeout: timedelta) -> None:
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self._orders = dist.new_group(backend="gloo", timeout=timeout)
        _set_timeout(STEP_TIMEOUT)
        _set_timeout(ORDER_TIMEOUT, self._orders)

    def gather(self, rows: Mapping[str, Tensor]) -> dict[str, Gathered]:
        """See :meth:`.ProcessGroup.gather`; the number of rows may differ between processes and may be 0."""
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
        received = [torch.empty_like(tensor) for _ in range(self.size)]
        with _lost_connection():
            dist.all_gather(received, tensor.contiguous(), group=self._group(tensor))
        return torch.stack(received)

    def _group(self, tensor: Tensor) -> Any:
        """Return the group that can send a tensor; NCCL cannot send CPU tensors."""
        return self._orders if tensor.device.type == "cpu" and dist.get_backend() == "nccl" else None

    def drop_repeated(self, parameters: Iterable[nn.Parameter]) -> None:
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
        summed = tensor.clone()
        with _lost_connection():
            dist.all_reduce(summed, group=self._group(summed))
        return summed

    def order(self, order: Any = None) -> Any:
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
    """Change a group's timeout by a private function of PyTorch; releases that lack it keep the original timeout."""
    with suppress(ImportError):
        from torch.distributed.distributed_c10d import _set_pg_timeout

        _set_pg_timeout(timeout, group)


def join(device: torch.device, timeout: timedelta = STARTUP_TIMEOUT, **where: Any) -> JoinedProcesses:
    """Join the processes of a run: gloo for CPU tensors, NCCL for GPU tensors."""
    backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    if not dist.is_initialized():
        # Processes match groups by number. A failed launch leaves the counter raised in this process, and then the next
        # launch can time out, so reset the counter; PyTorch has no public function for this.
        with suppress(ImportError, AttributeError):
            from torch.distributed.distributed_c10d import _world

            _world.group_count = 0
    try:
        dist.init_process_group(backend, timeout=timeout, **where)
        return JoinedProcesses(timeout)
    except RuntimeError as error:  # also torch's DistError
        raise ConnectionError(f"the processes of this run could not connect to each other: {error}") from error


def leave() -> None:
    if dist.is_initialized():
        with suppress(RuntimeError):
            dist.destroy_process_group()


class Processes:
    """The processes that train a run; this base class stands for a single process."""

    size = 1

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[ProcessGroup]:
        """Context of a run's steps, in which the other processes follow process 0 from the run's checkpoint."""
        yield SINGLE_PROCESS

    def split_batch(self, config: MethodConfig) -> None:
        """Set ``config.micro_batch``, unless set already, so that each process has a part of the batch."""
        if self.size == 1:
            return
        batch, micro = config.batch_size, config.micro_batch
        if batch < self.size:
            raise ValueError(f"batch_size={batch} is less than the number of processes, {self.size}; raise batch_size")
        config.micro_batch = micro or -(-batch // self.size)
        if -(-batch // config.micro_batch) < self.size:
            raise ValueError(
                f"micro_batch={micro} splits a batch of {batch} into fewer parts than the {self.size} processes; "
                f"give at most {batch // self.size}, or 0"
            )


class SpawnedProcesses(Processes):
    """New interpreters on this machine (not forks, since a GPU may be in use); this process is number 0."""

    def __init__(self, size: int) -> None:
        self.size = size

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[ProcessGroup]:
        """See :meth:`Processes.joined`; the CPU's cores are divided among the processes."""
        if dist.is_initialized():
            raise RuntimeError(
                "this process already leads a run of several processes and cannot lead a second one; wait for that run "
                "or stop it"
            )
        if device.type == "cuda" and torch.cuda.device_count() < self.size:
            raise ValueError(
                f"{self.size} processes need {self.size} GPUs, but this machine has {torch.cuda.device_count()}; give "
                "fewer processes, or device='cpu'"
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
    """Processes on one or more machines, started by torchrun or a launcher that sets the same variables."""

    def __init__(self) -> None:
        self.size = int(os.environ.get("WORLD_SIZE", "1"))

    @contextmanager
    def joined(self, folder: Path, method: Method[Any], device: torch.device) -> Iterator[ProcessGroup]:
        if self.size == 1:
            yield SINGLE_PROCESS
            return
        try:
            processes = join(device)
            with _leading(processes, folder, method, device):
                yield processes
        except ConnectionError as error:
            raise ProcessDiedError(f"{error}; see the output of the other processes in the launcher's log") from error
        finally:
            leave()


def local_processes(count: object) -> Processes:
    """Return the processes for ``processes=count``, an integer from 1 to 64."""
    number = integer("processes", count, 1, MOST_PROCESSES)
    return Processes() if number == 1 else SpawnedProcesses(number)


@contextmanager
def _leading(processes: ProcessGroup, folder: Path, method: Method[Any], device: torch.device) -> Iterator[None]:
    """Context in which the other processes train the run in ``folder``, after importing the method's module."""
    about = {"module": type(method).__module__, "kind": method.kind, "device": device.type}
    processes.order({"follow": str(folder), **about})
    yield
    processes.order({"end": True})


def start_process(rank: int, size: int, meeting: Path, threads: int) -> subprocess.Popen[bytes]:
    """Start a process that follows process 0; its output goes to a file in the folder ``meeting``."""
    path = os.pathsep.join(place for place in sys.path if place)
    with open(meeting / f"output-{rank}", "wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "clwork", "--follow", str(os.getpid()), str(rank), str(size), str(meeting)],
            env=os.environ | {"OMP_NUM_THREADS": str(threads), "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that an interrupt in the notebook reaches only process 0
        )


def join_started(parent: int, rank: int, size: int, meeting: Path, device: torch.device) -> JoinedProcesses:
    """Join the process that started this one (:func:`start_process`), and exit when that process exits."""

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
            thread.join(EXIT_STATUS_TIMEOUT)  # gloo usually detects the dead process
            break
    if found:
        return found[0]
    raise failed[0] if failed else ConnectionError(f"{LOST} while they joined")


def _exit_reason(started: Sequence[subprocess.Popen[bytes]], meeting: Path) -> str:
    """Return as text which process ended first, why, and its last line of output; empty if all are alive."""
    end, reasons = time.monotonic() + EXIT_STATUS_TIMEOUT, []
    for rank, process in enumerate(started, start=1):
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(max(0.0, end - time.monotonic()))
            by = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit status {code}"
            output = (meeting / f"output-{rank}").read_bytes().decode("utf-8", "replace")
            last = (output[-OUTPUT_LENGTH:].strip().splitlines() or [""])[-1]
            later = code >= 0 and last.startswith(LOST)  # this process ended because another had ended
            reasons.append((later, code >= 0, f"process {rank} of {len(started) + 1} ended {by}: {last}".rstrip(": ")))
    if not reasons:
        return ""
    return f"{min(reasons)[-1]}. To continue from the last checkpoint, call clwork.resume with any number of processes"
