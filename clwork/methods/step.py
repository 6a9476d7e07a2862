"""One training step: views, loss, gradients, update; in parts, and on several processes.

A batch of B examples is divided into parts of ``micro_batch`` examples, numbered from 0. Vectors
are computed part by part, so that memory suffices; the loss needs all B rows at once. See
:func:`differentiate` for how the gradient nevertheless is that of the whole batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from ..arithmetic import without_waiting
from .base import Draws, Method, Terms, Views

Around = Callable[[], AbstractContextManager[Any]]
"""Returns a context for a forward pass, such as that of a lower precision."""


class Gathered(NamedTuple):
    """Rows of all processes, in rank order, and the index of this process's first row."""

    rows: Tensor
    start: int


class ProcessGroup:
    """The processes of a step; this one has number ``rank``, of ``size``.

    This class is for a single process: what it has is all there is, so its methods return their
    argument or do nothing.
    """

    rank, size = 0, 1

    def share(self, count: int) -> range:
        """Return the numbers of the parts, out of ``count``, that this process computes.

        Every process has about as many: of 5 parts, two processes have 0 to 2, and 3 and 4.
        """
        least, remainder = divmod(count, self.size)
        # If the division leaves a remainder, each of the first processes has one part more.
        start = self.rank * least + min(self.rank, remainder)
        return range(start, start + least + (self.rank < remainder))

    def gather(self, rows: Mapping[str, Tensor]) -> dict[str, Gathered]:
        """Join the rows of all processes, by name: ``(b, ...)`` here to ``(B, ...)`` in all.

        The result is the same on every process, and without gradient.
        """
        return {name: Gathered(tensor, start=0) for name, tensor in rows.items()}

    def drop_repeated(self, parameters: Iterable[nn.Parameter]) -> None:
        """Drop gradients that all processes have computed alike, except on process 0.

        So :meth:`add_gradients` adds them to the sum only once.
        """

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace each gradient by the sum over all processes."""

    def total(self, tensor: Tensor) -> Tensor:
        """Return the sum of a tensor over all processes."""
        return tensor

    def share_order(self, order: Any = None) -> Any:
        """Return process 0's ``order`` on every process.

        It is the run's folder, the hyperparameters of a step, or None at the end of the run.
        """
        return order


SINGLE_PROCESS = ProcessGroup()
UNSCALED = torch.amp.GradScaler(enabled=False)
"""Leaves losses and gradients unchanged."""


def train_step(
    method: Method[Any],
    optimizer: torch.optim.Optimizer,
    batch: Sequence[Any],
    draws: Draws,
    step: int,
    total: int,
    *,
    around: Around = nullcontext,
) -> tuple[Views, Terms, Tensor]:
    """Run one optimizer step in a single process; return views, terms and gradient norm.

    The caller must check that the numbers are finite, then call ``after_step``.

    Args:
        method: the method; its parameters are updated.
        optimizer: the result of ``method.optimizer()``.
        batch: tokenised examples, B results of ``method.tokenize``, equal on all processes.
        draws: the step's random numbers.
        step: number of the step, from 0.
        total: number of steps of the run, for the learning rate's schedule.
        around: returns a context for each forward pass.

    Returns:
        The views by name, ``(B, D)`` each; the loss with the numbers to record; and the norm of the
        gradient before clipping, 0-dim.

    >>> batch, draws = method.tokenize(sentences), Draws.of(0, 0, device)  # doctest: +SKIP
    >>> train_step(method, method.optimizer(), batch, draws, 0, 1)  # doctest: +SKIP
    """
    method.train()
    method.before_step(step, total, optimizer)
    method.zero_grad()
    views, terms = differentiate(method, batch, draws, around=around)
    norm = apply_update(optimizer, method.parameters(), method.config.clip, terms.loss)
    return views, terms, norm


def parts(count: int, most: int) -> list[slice]:
    """Divide ``count`` examples into parts of at most ``most``; if ``most`` is 0, into one part.

    >>> parts(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    size = most or max(1, count)
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]


def in_parts(method: Method[Any], count: int, processes: ProcessGroup = SINGLE_PROCESS) -> bool:
    """Whether a batch of ``count`` examples is divided into parts.

    Several processes always divide it, since each computes some of the parts. ValueError if the
    method computes the vectors of a whole batch only.
    """
    if processes.size == 1 and not 0 < method.config.micro_batch < count:
        return False
    if type(method).encode is Method.encode:
        raise ValueError(
            f"{method.title} overrides embed, so its batches cannot be divided; for micro-batches "
            "or several processes define encode instead, and move computations over the whole "
            "batch to complete"
        )
    return True


@without_waiting()
def differentiate(
    method: Method[Any],
    batch: Sequence[Any],
    draws: Draws,
    *,
    around: Around = nullcontext,
    processes: ProcessGroup = SINGLE_PROCESS,
    scaler: torch.amp.GradScaler = UNSCALED,
    graph_memory: int = 0,
) -> tuple[Views, Terms]:
    """Compute views and loss of a batch, and add the scaled loss's gradient to the parameters'.

    With parts of ``config.micro_batch`` examples this is GradCache (Gao et al. 2021):

    1. Compute the vectors of each part. The graph of the last part is retained, and those of as
       many others as fit into ``graph_memory`` MiB, judged by the largest so far; the other parts
       have no graph.
    2. Join the rows of all parts and processes, and differentiate the loss of the whole batch by
       each row.
    3. Backpropagate each part's rows into the parameters. A part without graph is computed again,
       with the same random numbers.

    Processes divide the parts, and their gradients are added. Part k draws its random numbers from
    ``draws.part(2k)`` for ``fixed`` and ``draws.part(2k + 1)`` for ``encode``.
    """
    if not in_parts(method, len(batch), processes):
        with around():
            views = method.embed(batch, draws)
        terms = method.compare(views)
        scaler.scale(terms.loss).backward()  # type: ignore[no-untyped-call]
        return views, terms

    # 1. the vectors of each part
    slices = parts(len(batch), method.config.micro_batch)
    # The numbers of the parts that this process computes.
    own_parts = processes.share(len(slices))
    # A process without a part computes part 0, because it needs the names and shapes of the views.
    computed = own_parts or range(1)
    # All vectors, without graph, by the number of their part.
    pieces: dict[int, Views] = {}
    # The trained vectors of the parts whose graphs are retained, and the bytes of these graphs.
    graphs: dict[int, Views] = {}
    graph_bytes: list[int] = []
    # The last part comes first, because its graph is retained in any case.
    for number in (computed[-1], *computed[:-1]):
        # The limit applies to all graphs but the first one, plus the graph of this part, which may
        # be as large as the largest so far. For the first part this is 0: its graph is retained.
        needed = sum(graph_bytes[1:]) + max(graph_bytes, default=0)
        retains_graph = needed <= graph_memory * 2**20
        part = batch[slices[number]]
        with torch.no_grad(), around():
            fixed = method.fixed(part, draws.part(2 * number))
        saved = SavedBytes(method.parameters())
        with torch.set_grad_enabled(retains_graph), saved, around():
            encoded = method.encode(part, draws.part(2 * number + 1))
        if retains_graph:
            graphs[number] = _trained(encoded)
            graph_bytes.append(saved.count())
        piece = fixed | {name: view.detach() for name, view in encoded.items()}
        # A process without a part contributes no rows.
        pieces[number] = piece if own_parts else {name: view[:0] for name, view in piece.items()}
    # The rows of all parts by view, in the order of the batch.
    rows = {name: torch.cat([pieces[number][name] for number in computed]) for name in piece}
    # The names of the views that get a gradient.
    trained = set(_trained(encoded))
    # These vectors would hold the graph of the last part until the function returns.
    del encoded

    # 2. the loss of the whole batch, and its gradient by each row
    gathered = processes.gather(rows)
    # The rows are the leaves of a new graph, in which the loss gives each row its gradient.
    leaves = {
        name: of_all.rows.detach().requires_grad_(name in trained)
        for name, of_all in gathered.items()
    }
    with around():
        views = method.complete(dict(leaves), draws)
    terms = method.compare(views)
    scaler.scale(terms.loss).backward()  # type: ignore[no-untyped-call]
    # Every process has computed the same gradients of the parameters that compare and complete use,
    # which must be in the sum of add_gradients only once.
    processes.drop_repeated(method.parameters())

    # 3. from the rows to the parameters; backwards, so that the last part's graph is freed first
    # By view, the row of the batch at which the next part ends; it moves towards the first row.
    ends = {name: of_all.start + len(rows[name]) for name, of_all in gathered.items()}
    for number in reversed(own_parts):
        if number not in graphs:
            # Compute the part again, now with a graph.
            with around():
                graphs[number] = _trained(
                    method.encode(batch[slices[number]], draws.part(2 * number + 1))
                )
        # The part's views, and the gradients of the loss by their rows.
        tensors, gradients = [], []
        for name, view in graphs.pop(number).items():
            start = ends[name] - len(view)
            gradient = leaves[name].grad
            if gradient is not None and view.requires_grad:
                tensors.append(view)
                gradients.append(gradient[start : ends[name]])
            ends[name] = start
        torch.autograd.backward(tensors, gradients)
    processes.add_gradients(method.parameters())
    return views, terms


class SavedBytes(torch.autograd.graph.saved_tensors_hooks):
    """Context that counts the bytes that autograd saves for the backward pass.

    Counted are *storages*, the memory behind tensors, because several tensors can share one. Those
    of parameters do not count, since they are in memory anyway.
    """

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self._storages_of_weights = {parameter.untyped_storage() for parameter in parameters}
        self._saved: set[torch.UntypedStorage] = set()
        # PyTorch calls the first function with each tensor that an operation saves, and the second
        # one, which changes nothing, with its result when the backward pass reads it.
        super().__init__(self._save, lambda tensor: tensor)

    def _save(self, tensor: Tensor) -> Tensor:
        """Note the storage of a tensor that an operation saves for its backward pass."""
        self._saved.add(tensor.untyped_storage())
        # Returning the tensor itself would make a reference cycle if the operation returns it too.
        return tensor.detach()

    def count(self) -> int:
        """Return the bytes, and release the storages, which only the graph holds from now on."""
        total = sum(storage.nbytes() for storage in self._saved - self._storages_of_weights)
        self._saved.clear()
        return total


def _trained(encoded: Views) -> Views:
    """Return the views that can have a gradient, unlike token ids."""
    return {name: view for name, view in encoded.items() if view.is_floating_point()}


def embedded(
    method: Method[Any], batch: Sequence[Any], draws: Draws, *, around: Around = nullcontext
) -> Views:
    """Compute the views of a training step, to look into it; no loss or gradient is computed.

    The views equal those of :func:`differentiate`, with the same parts and random numbers. But the
    autograd graph of all parts is retained, so that the caller can differentiate by any tensor.
    """
    if not in_parts(method, len(batch)):
        with around():
            return method.embed(batch, draws)
    # The views of each part.
    pieces = []
    for number, rows in enumerate(parts(len(batch), method.config.micro_batch)):
        with around():
            # Even parts of the draws are for fixed, odd ones for encode, as in differentiate.
            fixed = method.fixed(batch[rows], draws.part(2 * number))
            encoded = method.encode(batch[rows], draws.part(2 * number + 1))
        pieces.append(fixed | encoded)
    with around():
        views = {name: torch.cat([piece[name] for piece in pieces]) for name in pieces[0]}
        return method.complete(views, draws)


def view_texts(
    method: Method[Any], examples: Sequence[Any], batch: Sequence[Any], draws: Draws
) -> dict[str, list[str]]:
    """Return the texts of the views that :func:`embedded` computes, in the same parts."""
    if not in_parts(method, len(batch)):
        return method.view_texts(examples, batch, draws)
    texts: dict[str, list[str]] = {}
    for number, part in enumerate(parts(len(batch), method.config.micro_batch)):
        # The random numbers that encode draws.
        part_draws = draws.part(2 * number + 1)
        part_texts = method.view_texts(examples[part], batch[part], part_draws)
        for name, rows in part_texts.items():
            texts.setdefault(name, []).extend(rows)
    return texts


def apply_update(
    optimizer: torch.optim.Optimizer,
    parameters: Iterable[nn.Parameter],
    clip: float,
    loss: Tensor,
    scaler: torch.amp.GradScaler = UNSCALED,
) -> Tensor:
    """Clip the gradient, and update the parameters if loss and gradients are finite.

    Returns:
        The norm of the gradient before clipping, 0-dim.
    """
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(parameters, clip)
    # 0-dim and on the loss's device, so that a GPU need not be waited for
    bad = ~(loss.detach().isfinite() & norm.isfinite())
    if getattr(optimizer, "_step_supports_amp_scaling", False):
        # As torch.amp.GradScaler does: fused AdamW checks on the GPU and skips the update.
        optimizer.found_inf = bad.float()  # type: ignore[attr-defined]
        optimizer.step()
    elif not bad:
        optimizer.step()
    # This lowers the scale if a gradient is not finite.
    scaler.update()
    return norm
