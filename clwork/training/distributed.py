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

# How long the processes wait for each other to connect. All connect as soon as they are started,
# before anything is loaded, so a process that is later than this will not come.
CONNECT_TIMEOUT = timedelta(minutes=3)
# How long a process waits for the others' part of a step. The first step also waits until all
# have read corpus and encoder.
STEP_TIMEOUT = timedelta(minutes=30)
# How long the others wait for the next order of process 0, which may be preparing, or paused.
ORDER_TIMEOUT = timedelta(days=30)


class JoinedProcesses(ProcessGroup):
    """The processes that ``torch.distributed`` has connected.

    One group sends the tensors of a step; another one, over the CPU, the orders of process 0. They
    are separate because their timeouts differ.
    """

    def __init__(self) -> None:
        self.rank = dist.get_rank()
        self.size = dist.get_world_size()
        self._steps = dist.new_group(timeout=STEP_TIMEOUT)
        self._orders = dist.new_group(backend="gloo", timeout=ORDER_TIMEOUT)

    def gather(self, rows: Mapping[str, Tensor]) -> dict[str, Gathered]:
        """Join the rows of all processes by name, in rank order, without gradient.

        A process may have any number of rows, also none, but all_gather needs tensors of equal
        shape. So each process first sends its numbers of rows, and then its rows, padded with zeros
        to the largest number. The receivers cut off the padding.
        """
        # The same order on all processes.
        names = sorted(rows)
        row_counts = torch.tensor([len(rows[name]) for name in names])
        # (processes, names)
        counts = self._all_gather(row_counts)
        gathered = {}
        for column, name in enumerate(names):
            mine = rows[name]
            count_by_process: list[int] = counts[:, column].tolist()
            padding = mine.new_zeros((max(count_by_process) - len(mine), *mine.shape[1:]))
            # (processes, largest count, ...)
            padded = self._all_gather(torch.cat([mine, padding]))
            unpadded = [sent[:count] for sent, count in zip(padded, count_by_process, strict=True)]
            first_of_mine = sum(count_by_process[: self.rank])
            gathered[name] = Gathered(torch.cat(unpadded), first_of_mine)
        return gathered

    def drop_repeated(self, parameters: Iterable[nn.Parameter]) -> None:
        """Drop the present gradients of ``parameters``, except on process 0.

        Every process has computed the same ones, from the loss of the whole batch. They must be in
        the sum of :meth:`add_gradients` only once.
        """
        if self.rank != 0:
            for parameter in parameters:
                parameter.grad = None

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace each gradient by the sum over all processes.

        All gradients are sent as one tensor, since many small ones take longer. Before them stands
        a flag for each parameter, 1 if this process has a gradient for it: a parameter without a
        gradient on any process must keep none, because the optimizer then skips it.
        """
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        if not trained:
            return
        flags = [float(parameter.grad is not None) for parameter in trained]
        pieces = [torch.tensor(flags, device=trained[0].device)]
        for parameter in trained:
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            pieces.append(gradient.flatten())
        summed = self.total(torch.cat(pieces))
        flag_sums, *gradients = torch.split(summed, [len(piece) for piece in pieces])
        for parameter, flag_sum, gradient in zip(
            trained, flag_sums.tolist(), gradients, strict=True
        ):
            if flag_sum > 0:
                parameter.grad = gradient.view_as(parameter)

    def total(self, tensor: Tensor) -> Tensor:
        """Return the sum of a tensor over all processes."""
        summed = tensor.clone()
        with _lost_connection():
            dist.all_reduce(summed, group=self._steps)
        return summed

    def share_order(self, order: Any = None) -> Any:
        """Return process 0's ``order``; the others call this without one and wait for it."""
        # broadcast_object_list replaces the list's item on the receiving processes.
        message = [order]
        with _lost_connection():
            dist.broadcast_object_list(message, src=0, group=self._orders)
        return message[0]

    def _all_gather(self, tensor: Tensor) -> Tensor:
        """Stack the tensors of all processes, which have equal shapes, in the order of ranks."""
        received = [torch.empty_like(tensor) for _ in range(self.size)]
        with _lost_connection():
            dist.all_gather(received, tensor.contiguous(), group=self._steps)
        return torch.stack(received)


@contextmanager
def _lost_connection() -> Iterator[None]:
    """Context that raises torch's errors of a lost connection as ConnectionError."""
    try:
        yield
    except RuntimeError as error:
        raise ConnectionError(
            f"another process of this run has ended, or cannot be reached; see its output in the "
            f"launcher's log: {error}"
        ) from error


def join(device: torch.device, **rendezvous: Any) -> JoinedProcesses:
    """Connect the processes of a run, which all call this; ``device`` is where they train.

    ``rendezvous`` are arguments of :func:`torch.distributed.init_process_group` that replace the
    environment variables of torchrun. Raises ConnectionError after ``CONNECT_TIMEOUT``.
    """
    # gloo sends CPU tensors, and NCCL sends GPU tensors.
    backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    try:
        dist.init_process_group(backend, timeout=CONNECT_TIMEOUT, **rendezvous)
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
def joined(size: int, device: str) -> Iterator[ProcessGroup]:
    """Context in which process 0 is connected to the others, ``size`` processes in all.

    Its end sends the order None, which ends the others. They get no order if the context raises:
    then they lose the connection, which is an error for them, too.
    """
    if size == 1:
        yield SINGLE_PROCESS
        return
    try:
        processes = join(torch.device(device))
        yield processes
        processes.share_order(None)
    finally:
        leave()


def split_batch(config: MethodConfig, processes: int) -> None:
    """Set ``config.micro_batch``, unless it is set, so that each process has a part of a batch."""
    if processes > 1 and config.micro_batch == 0:
        config.micro_batch = math.ceil(config.batch_size / processes)
