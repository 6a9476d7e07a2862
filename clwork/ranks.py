"""The processes that train one run together: who has which part of a batch, and what they send each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor, nn

LOST = "another process of this run is gone"
PATIENCE = timedelta(days=30)  # for orders: a pause may be long, and a process that dies is noticed at once


class Gathered(NamedTuple):
    """Rows of all processes, in their order, and the place of the first row of one's own."""

    rows: Tensor
    start: int


class Ranks:
    """Processes 0 to ``size`` - 1, of which this is ``rank``; alone, nothing is sent.

    What a step needs of other processes goes through these calls: rows are gathered, gradients and counts are added up,
    and process 0 gives orders. Each is a collective: all processes call it, in the same order.
    """

    rank, size = 0, 1

    def share(self, count: int) -> range:
        """Numbers of the parts, of ``count``, that this process computes: neighbours, as evenly as can be."""
        first, more = divmod(count, self.size)
        start = self.rank * first + min(self.rank, more)
        return range(start, start + first + (self.rank < more))

    def gather(self, rows: Mapping[str, Tensor]) -> dict[str, Gathered]:
        """Gather each tensor's rows ``(b, ...)`` of all processes to ``(B, ...)``; no gradient goes through."""
        return {name: Gathered(tensor, 0) for name, tensor in rows.items()}

    def drop_repeated(self, parameters: Iterable[nn.Parameter]) -> None:
        """Drop gradients that every process has computed alike, on all but process 0, so that they count once."""

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace each gradient by the sum over all processes."""

    def total(self, count: Tensor) -> Tensor:
        """Sum of a 0-dim count over all processes."""
        return count

    def clip(self, parameters: Iterable[nn.Parameter], most: float) -> Tensor:
        """Clip the gradients to length ``most`` together; returns their length before, 0-dim."""
        return nn.utils.clip_grad_norm_(parameters, most)

    def order(self, order: Any = None) -> Any:
        """Send process 0's ``order`` to all others, or receive it there; returns it."""
        return order


ALONE = Ranks()


def _set_timeout(timeout: timedelta, group: dist.ProcessGroup | None = None) -> None:
    """Change a group's timeout; PyTorch's only way is private, and a newer release without it keeps the first one."""
    try:
        from torch.distributed.distributed_c10d import _set_pg_timeout
    except ImportError:
        return
    _set_pg_timeout(timeout, group)


class Joined(Ranks):
    """Processes joined by ``torch.distributed``: its default group carries tensors, a group of gloo's the orders.

    Raises:
        ConnectionError: in each call, if another process is gone.
    """

    def __init__(self, timeout: timedelta) -> None:
        """Join the processes of the default group, which is set up; each call waits so long for the others."""
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self._orders = dist.new_group(backend="gloo", timeout=timeout)

    def set_patience(self, step: timedelta) -> None:
        """Wait ``step`` for the others' part of a step, and for orders as long as it takes."""
        _set_timeout(step)
        _set_timeout(PATIENCE, self._orders)

    def gather(self, rows: Mapping[str, Tensor]) -> dict[str, Gathered]:
        """See :meth:`Ranks.gather`; processes may have different numbers of rows, also none."""
        names = sorted(rows)
        counts = self._all([torch.tensor([len(rows[name]) for name in names])])[0]  # (size, names)
        padded = []
        for name, most in zip(names, counts.amax(dim=0).tolist(), strict=True):
            room = rows[name].new_zeros((most, *rows[name].shape[1:]))
            room[: len(rows[name])] = rows[name]
            padded.append(room)
        gathered = {}
        for place, (name, parts) in enumerate(zip(names, self._all(padded), strict=True)):
            own = counts[:, place].tolist()
            joined = torch.cat([part[:count] for part, count in zip(parts, own, strict=True)])
            gathered[name] = Gathered(joined, sum(own[: self.rank]))
        return gathered

    def _all(self, tensors: list[Tensor]) -> list[Tensor]:
        """Gather tensors that have one shape everywhere: ``(size, *shape)`` each."""
        gathered = []
        for tensor in tensors:
            room = [torch.empty_like(tensor) for _ in range(self.size)]
            with _noticed():
                dist.all_gather(room, tensor.contiguous(), group=self._group(tensor))
            gathered.append(torch.stack(room))
        return gathered

    def _group(self, tensor: Tensor) -> Any:
        """The group that carries a tensor: that for orders where the default one is for GPUs only."""
        return self._orders if tensor.device.type == "cpu" and dist.get_backend() == "nccl" else None

    def drop_repeated(self, parameters: Iterable[nn.Parameter]) -> None:
        """See :meth:`Ranks.drop_repeated`."""
        if self.rank:
            for parameter in parameters:
                parameter.grad = None

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """See :meth:`Ranks.add_gradients`; sent as one tensor. A parameter that nobody has a gradient of gets none."""
        trained = [p for p in parameters if p.requires_grad]
        if not trained:
            return
        device = trained[0].device
        has = torch.tensor([p.grad is not None for p in trained], dtype=torch.float32, device=device)
        flat = torch.cat([*((torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in trained), has])
        self._sum(flat)
        has, at = flat[-len(trained) :], 0
        for parameter, somewhere in zip(trained, (has > 0).tolist(), strict=True):
            if somewhere:
                parameter.grad = flat[at : at + parameter.numel()].view_as(parameter)
            at += parameter.numel()

    def total(self, count: Tensor) -> Tensor:
        """See :meth:`Ranks.total`."""
        summed = count.clone()
        self._sum(summed)
        return summed

    def _sum(self, tensor: Tensor) -> None:
        with _noticed():
            dist.all_reduce(tensor, group=self._group(tensor))

    def order(self, order: Any = None) -> Any:
        """See :meth:`Ranks.order`."""
        carried = [order]
        with _noticed():
            dist.broadcast_object_list(carried, src=0, group=self._orders)
        return carried[0]


@contextmanager
def _noticed() -> Iterator[None]:
    """Context: a collective that fails says that a process is gone."""
    try:
        yield
    except RuntimeError as error:
        raise ConnectionError(f"{LOST}, or cannot be reached: {error}") from error
