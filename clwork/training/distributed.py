"""Train a run with the processes that torchrun has started: exchange vectors and gradients.

Every process runs the same loop on the same batches, and process 0 alone writes the run's folder.
The gradients equal those of one process with the complete batch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from ..methods import MethodConfig
from ..methods.step import SINGLE_PROCESS, Gathered, ProcessGroup

STEP_TIMEOUT = timedelta(minutes=30)  # for the other processes' part of a step
ORDER_TIMEOUT = timedelta(days=30)  # for the next order of process 0, since a run can be paused


class JoinedProcesses(ProcessGroup):
    """Processes joined by ``torch.distributed``.

    The default group sends tensors; a gloo group sends the orders of process 0.
    """

    def __init__(self) -> None:
        self.rank = dist.get_rank()
        self.size = dist.get_world_size()
        self._orders = dist.new_group(backend="gloo", timeout=ORDER_TIMEOUT)

    def gather(self, rows: Mapping[str, Tensor]) -> dict[str, Gathered]:
        """See :meth:`.ProcessGroup.gather`; a process may have any number of rows, also none."""
        names = sorted(rows)
        lengths = torch.tensor([len(rows[name]) for name in names])
        counts = self._all_gather(lengths)  # (processes, names)
        gathered = {}
        for column, name in enumerate(names):
            own = rows[name]
            sizes: list[int] = counts[:, column].tolist()
            padding = own.new_zeros((max(sizes) - len(own), *own.shape[1:]))
            padded = self._all_gather(torch.cat([own, padding]))  # (processes, most rows, ...)
            parts = [part[:size] for part, size in zip(padded, sizes, strict=True)]
            gathered[name] = Gathered(torch.cat(parts), sum(sizes[: self.rank]))
        return gathered

    def drop_repeated(self, parameters: Iterable[nn.Parameter]) -> None:
        """See :meth:`.ProcessGroup.drop_repeated`."""
        if self.rank:
            for parameter in parameters:
                parameter.grad = None

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """See :meth:`.ProcessGroup.add_gradients`; sent as one tensor, with a flag for each."""
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        if not trained:
            return
        flags = [float(parameter.grad is not None) for parameter in trained]
        sent = [torch.tensor(flags, device=trained[0].device)]
        for parameter in trained:
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            sent.append(gradient.flatten())
        sizes = [len(tensor) for tensor in sent]
        has_gradient, *gradients = torch.split(self.total(torch.cat(sent)), sizes)
        for parameter, has, gradient in zip(trained, has_gradient.tolist(), gradients, strict=True):
            if has:
                parameter.grad = gradient.view_as(parameter)

    def total(self, tensor: Tensor) -> Tensor:
        """See :meth:`.ProcessGroup.total`."""
        summed = tensor.clone()
        with _lost_connection():
            dist.all_reduce(summed, group=self._group_for(summed))
        return summed

    def order(self, order: Any = None) -> Any:
        """See :meth:`.ProcessGroup.order`."""
        carried = [order]
        with _lost_connection():
            dist.broadcast_object_list(carried, src=0, group=self._orders)
        return carried[0]

    def _all_gather(self, tensor: Tensor) -> Tensor:
        received = [torch.empty_like(tensor) for _ in range(self.size)]
        with _lost_connection():
            dist.all_gather(received, tensor.contiguous(), group=self._group_for(tensor))
        return torch.stack(received)

    def _group_for(self, tensor: Tensor) -> Any:
        """Return the group that can send a tensor; NCCL cannot send CPU tensors."""
        by_gloo = tensor.device.type == "cpu" and dist.get_backend() == "nccl"
        return self._orders if by_gloo else None


@contextmanager
def _lost_connection() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        raise ConnectionError(
            f"another process of this run has ended, or cannot be reached; see its output in the "
            f"launcher's log: {error}"
        ) from error


def join(device: torch.device, **rendezvous: Any) -> JoinedProcesses:
    """Join the processes of a run: gloo for CPU tensors, NCCL for GPU tensors.

    ``rendezvous`` replaces the variables that torchrun sets.
    """
    backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    try:
        dist.init_process_group(backend, timeout=STEP_TIMEOUT, **rendezvous)
        return JoinedProcesses()
    except RuntimeError as error:  # also torch's DistError
        raise ConnectionError(
            f"the processes of this run could not connect to each other: {error}"
        ) from error


def leave() -> None:
    """Leave the processes that were joined, if any were."""
    if dist.is_initialized():
        with suppress(RuntimeError):
            dist.destroy_process_group()


@contextmanager
def joined(size: int, run: Mapping[str, str], device: torch.device) -> Iterator[ProcessGroup]:
    """Context in which process 0 does the steps of ``run`` together with the others."""
    if size == 1:
        yield SINGLE_PROCESS
        return
    try:
        processes = join(device)
        processes.order(dict(run))
        yield processes
        processes.order(None)
    finally:
        leave()


def split_batch(config: MethodConfig, processes: int) -> None:
    """Set ``config.micro_batch``, unless set already, so that each process has a part."""
    if processes == 1:
        return
    batch = config.batch_size
    if batch < processes:
        raise ValueError(
            f"batch_size={batch} is less than the number of processes, {processes}; raise "
            "batch_size"
        )
    if config.micro_batch == 0:
        config.micro_batch = math.ceil(batch / processes)
    if math.ceil(batch / config.micro_batch) < processes:
        raise ValueError(
            f"micro_batch={config.micro_batch} splits a batch of {batch} into fewer parts than the "
            f"{processes} processes; give at most {batch // processes}, or 0"
        )
