"""Train a run with the processes that torchrun has started: exchange vectors and gradients.

Every process runs the same loop on the same batches, and process 0 alone writes the run's folder. The
gradients equal those of one process with the complete batch.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from ..methods import MethodConfig
from ..methods.step import SINGLE_PROCESS, Gathered, ProcessGroup

LOST = "another process of this run has ended"
STARTUP_TIMEOUT = timedelta(minutes=3)  # for starting the processes and their rendezvous
STEP_TIMEOUT = timedelta(minutes=30)  # for the other processes' part of a step
ORDER_TIMEOUT = timedelta(
    days=30
)  # for the next order from process 0; long, since a run can be paused


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
        counts = self._all_gather(
            torch.tensor([len(rows[name]) for name in names])
        )  # (size, names)
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
        return (
            self._orders if tensor.device.type == "cpu" and dist.get_backend() == "nccl" else None
        )

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
        has = torch.tensor(
            [p.grad is not None for p in trained], dtype=torch.float32, device=device
        )
        flat = torch.cat(
            [*((torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in trained), has]
        )
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


def join(
    device: torch.device, timeout: timedelta = STARTUP_TIMEOUT, **where: Any
) -> JoinedProcesses:
    """Join the processes of a run: gloo for CPU tensors, NCCL for GPU tensors."""
    backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    try:
        dist.init_process_group(backend, timeout=timeout, **where)
        return JoinedProcesses(timeout)
    except RuntimeError as error:  # also torch's DistError
        raise ConnectionError(
            f"the processes of this run could not connect to each other: {error}"
        ) from error


def leave() -> None:
    if dist.is_initialized():
        with suppress(RuntimeError):
            dist.destroy_process_group()


class Processes:
    """The processes that train a run; this base class stands for a single process."""

    size = 1

    @contextmanager
    def joined(self, run: Mapping[str, str], device: torch.device) -> Iterator[ProcessGroup]:
        """Context of a run's steps, in which the other processes train the ``run`` as well."""
        yield SINGLE_PROCESS

    def split_batch(self, config: MethodConfig) -> None:
        """Set ``config.micro_batch``, unless set already, so that each process has a part of the batch."""
        if self.size == 1:
            return
        batch, micro = config.batch_size, config.micro_batch
        if batch < self.size:
            raise ValueError(
                f"batch_size={batch} is less than the number of processes, {self.size}; raise batch_size"
            )
        config.micro_batch = micro or -(-batch // self.size)
        if -(-batch // config.micro_batch) < self.size:
            raise ValueError(
                f"micro_batch={micro} splits a batch of {batch} into fewer parts than the {self.size} processes; "
                f"give at most {batch // self.size}, or 0"
            )


class LaunchedProcesses(Processes):
    """Processes on one or more machines, started by torchrun or a launcher that sets the same variables."""

    def __init__(self) -> None:
        self.size = int(os.environ.get("WORLD_SIZE", "1"))

    @contextmanager
    def joined(self, run: Mapping[str, str], device: torch.device) -> Iterator[ProcessGroup]:
        if self.size == 1:
            yield SINGLE_PROCESS
            return
        try:
            processes = join(device)
            processes.order(dict(run))
            yield processes
            processes.order(None)
        except ConnectionError as error:
            raise ProcessDiedError(
                f"{error}; see the output of the other processes in the launcher's log"
            ) from error
        finally:
            leave()
