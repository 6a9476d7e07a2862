"""One training step: views, loss, gradients, update; in parts, and on several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from ..arithmetic import without_waiting
from .base import Draws, Method, Terms, Views

Around = Callable[[], AbstractContextManager[Any]]
Compare = Callable[[Views], Terms]


class Gathered(NamedTuple):
    """Rows of all processes, in rank order, and the index of this process's first row."""

    rows: Tensor
    start: int


class ProcessGroup:
    """The processes of a step; this one has number ``rank``. The base class is a single process."""

    rank, size = 0, 1

    def share(self, count: int) -> range:
        """Return the part numbers, out of ``count``, that this process computes, about evenly."""
        first, more = divmod(count, self.size)
        start = self.rank * first + min(self.rank, more)
        return range(start, start + first + (self.rank < more))

    def gather(self, rows: Mapping[str, Tensor]) -> dict[str, Gathered]:
        """Gather each tensor's rows ``(b, ...)`` of all processes to ``(B, ...)``, no gradient."""
        return {name: Gathered(tensor, 0) for name, tensor in rows.items()}

    def drop_repeated(self, parameters: Iterable[nn.Parameter]) -> None:
        """Drop gradients that all processes have computed, except on process 0.

        Their sum then has them once.
        """

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace each gradient by the sum over all processes."""

    def total(self, tensor: Tensor) -> Tensor:
        """Return the sum of a tensor over all processes."""
        return tensor

    def order(self, order: Any = None) -> Any:
        """Return process 0's ``order`` on every process."""
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
    compare: Compare | None = None,
    processes: ProcessGroup = SINGLE_PROCESS,
    scaler: torch.amp.GradScaler = UNSCALED,
    graph_memory: int = 0,
) -> tuple[Views, Terms, Tensor]:
    """Run ``step`` (from 0) of ``total``; return views, terms and gradient norm.

    The caller must check that the numbers are finite, then call ``after_step``. ``batch`` has
    tokenised examples, equal on all ``processes``; ``around`` returns a context for each forward
    pass; ``compare`` replaces ``method.compare``; ``scaler`` scales the loss at float16; see
    :func:`differentiate` for ``graph_memory``.
    """
    method.train()
    method.before_step(step, total, optimizer)
    method.zero_grad()
    views, terms = differentiate(
        method,
        batch,
        draws,
        around=around,
        compare=compare,
        processes=processes,
        scaler=scaler,
        graph_memory=graph_memory,
    )
    norm = apply_update(optimizer, method.parameters(), method.config.clip, terms.loss, scaler)
    return views, terms, norm


def parts(count: int, most: int) -> list[slice]:
    """Divide ``count`` examples into parts of at most ``most``; if ``most`` is 0, into one part."""
    size = most or max(1, count)
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]


def in_parts(method: Method[Any], count: int, processes: ProcessGroup = SINGLE_PROCESS) -> bool:
    """Return whether a batch of ``count`` examples is divided into parts."""
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
    compare: Compare | None = None,
    processes: ProcessGroup = SINGLE_PROCESS,
    scaler: torch.amp.GradScaler = UNSCALED,
    graph_memory: int = 0,
) -> tuple[Views, Terms]:
    """Compute views and loss of a batch, and add the scaled loss's gradient to the parameters'.

    With parts of ``config.micro_batch`` examples this is GradCache (Gao et al. 2021): the loss of
    the whole batch gives the gradient of each row, and each part backpropagates its rows'
    gradients. The graph of the last part is retained, and those of as many others as fit into
    ``graph_memory`` MiB, judged by the largest so far. The other parts are computed without a
    graph, and later again with the same random numbers. Processes divide the parts.
    """
    compare = compare or method.compare
    if not in_parts(method, len(batch), processes):
        with around():
            views = method.embed(batch, draws)
        terms = compare(views)
        scaler.scale(terms.loss).backward()  # type: ignore[no-untyped-call]
        return views, terms
    cut = parts(len(batch), method.config.micro_batch)
    own = processes.share(len(cut))
    # a process without a part computes part 0 for the shapes
    computed = own or range(1)
    # all vectors without graph, by part number
    pieces: dict[int, Views] = {}
    # the trained vectors of the parts whose graphs are retained
    graphs: dict[int, Views] = {}
    # bytes of the retained graphs
    sizes: list[int] = []
    # the last part's graph is retained in any case
    for number in (computed[-1], *computed[:-1]):
        retained = not sizes or sum(sizes[1:]) + max(sizes) <= graph_memory * 2**20
        part = batch[cut[number]]
        with torch.no_grad(), around():
            fixed = method.fixed(part, draws.part(2 * number))
        saved = SavedBytes(method.parameters())
        with torch.set_grad_enabled(retained), saved, around():
            encoded = method.encode(part, draws.part(2 * number + 1))
        if retained:
            graphs[number] = _trained(encoded)
            sizes.append(saved.count())
        piece = fixed | {name: view.detach() for name, view in encoded.items()}
        pieces[number] = piece if own else {name: view[:0] for name, view in piece.items()}
    rows = {name: torch.cat([pieces[number][name] for number in computed]) for name in piece}
    trained = set(_trained(encoded))
    # so that each graph is freed once it is used
    del encoded
    gathered = processes.gather(rows)
    leaves = {
        name: there.rows.detach().requires_grad_(name in trained)
        for name, there in gathered.items()
    }
    with around():
        views = method.complete(dict(leaves), draws)
    terms = compare(views)
    scaler.scale(terms.loss).backward()  # type: ignore[no-untyped-call]
    processes.drop_repeated(method.parameters())
    # end row of the next part
    ends = {name: there.start + len(rows[name]) for name, there in gathered.items()}
    for number in reversed(own):
        if number not in graphs:
            with around():
                graphs[number] = _trained(
                    method.encode(batch[cut[number]], draws.part(2 * number + 1))
                )
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
    """Context that counts the bytes that autograd saves, except those of ``parameters``."""

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self._weights = {parameter.untyped_storage() for parameter in parameters}
        self._saved: set[torch.UntypedStorage] = set()
        super().__init__(self._save, lambda tensor: tensor)

    def _save(self, tensor: Tensor) -> Tensor:
        self._saved.add(tensor.untyped_storage())
        # the tensor itself would be a reference cycle if the operation returns it
        return tensor.detach()

    def count(self) -> int:
        """Return the bytes, and release the storages, which only the graph holds from now on."""
        total = sum(storage.nbytes() for storage in self._saved - self._weights)
        self._saved.clear()
        return total


def _trained(encoded: Views) -> Views:
    return {name: view for name, view in encoded.items() if view.is_floating_point()}


def embedded(
    method: Method[Any], batch: Sequence[Any], draws: Draws, *, around: Around = nullcontext
) -> Views:
    """Compute all views of a batch in the parts of a training step, with one autograd graph."""
    if not in_parts(method, len(batch)):
        with around():
            return method.embed(batch, draws)
    pieces = []
    for number, part in enumerate(parts(len(batch), method.config.micro_batch)):
        with around():
            fixed = method.fixed(batch[part], draws.part(2 * number))
            pieces.append(fixed | method.encode(batch[part], draws.part(2 * number + 1)))
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
        of_part = method.view_texts(examples[part], batch[part], draws.part(2 * number + 1))
        for name, rows in of_part.items():
            texts.setdefault(name, []).extend(rows)
    return texts


def apply_update(
    optimizer: torch.optim.Optimizer,
    parameters: Iterable[nn.Parameter],
    clip: float,
    loss: Tensor,
    scaler: torch.amp.GradScaler = UNSCALED,
) -> Tensor:
    """Clip the gradient, update if loss and gradients are finite; return the unclipped norm."""
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(parameters, clip)
    bad = ~(loss.detach().isfinite() & norm.isfinite())
    if getattr(optimizer, "_step_supports_amp_scaling", False):
        # as torch.amp.GradScaler does: fused AdamW checks on the GPU and skips the update
        optimizer.found_inf = bad.float()  # type: ignore[attr-defined]
        optimizer.step()
    elif not bad:
        optimizer.step()
    # lowers the scale if a gradient is not finite
    scaler.update()
    return norm
