"""The gradient of a step's loss by every score, computed on a copy of the run: who pulls a sentence, who pushes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..._validation import Natural, checked
from ...arithmetic import at_least_float32
from ...methods import Draws, Forces, Method, ScoreTable, Views
from ...methods.forces import summed
from ...methods.step import embedded, view_texts
from ..precision import forward_pass
from ..stored import RunSource, as_run
from .frozen_step import FrozenStep, freeze_step, with_batch

GRADIENT = "gradient by the score"
Matrix = npt.NDArray[np.float32]
ADDS_UP = 1e-4  # relative tolerance for the sum of a method's terms against its loss


class Pair(NamedTuple):
    """A candidate beside one anchor.

    Attributes:
        kind: ``"positive"``, or what the method calls it.
        name: which vectors it is one of, such as ``"view 2"``.
        sentence: the row of the batch that the candidate is of; None for synthetic candidates, such as noise.
        text: of the candidate.
        score: how near the two are, by the table's measure.
        weight: its share of the softmax; None without one.
        gradient: of the loss by the score: below 0 it pulls, above 0 it pushes.
        norm: length of the part of the anchor's gradient that comes from this pair.
    """

    kind: str
    name: str
    sentence: int | None
    text: str
    score: float
    weight: float | None
    gradient: float
    norm: float

    @property
    def pull(self) -> float:
        """The norm, below 0 where the pair pushes."""
        return -self.norm if self.gradient > 0 else self.norm


@dataclass(frozen=True)
class ScoreGradients:
    """A :class:`clwork.methods.ScoreTable` without its graph, and the loss's gradient by its scores, ``(B, C)``."""

    table: ScoreTable
    gradient: Tensor
    texts: tuple[Sequence[str], ...]  # of each group of candidates

    @property
    def role(self) -> str:
        """The role of the anchors, such as ``"view 1 looks for view 2"``."""
        return self.table.role

    @property
    def measure(self) -> str:
        """What the scores are."""
        return self.table.measure.name

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Name and number of the candidates that are side by side in the columns."""
        return [(group.name, group.count) for group in self.table.candidates]

    def matrices(self) -> dict[str, Matrix]:
        """Scores, softmax weights where there are any, and gradients, each ``(B, C)``."""
        named = {self.measure: self.table.scores}
        named |= {} if self.table.weights is None else {"softmax weight": self.table.weights}
        return {name: numbers(matrix) for name, matrix in (named | {GRADIENT: self.gradient}).items()}

    @property
    def losses(self) -> Matrix | None:
        """What each sentence adds to the loss, ``(B,)``."""
        return None if self.table.losses is None else numbers(self.table.losses)

    def anchor_gradients(self, row: int) -> Tensor:
        """Split the loss's gradient by sentence ``row``'s anchor into one part for each candidate, ``(C, D)``."""
        table = self.table
        anchor = at_least_float32(table.anchors[row])
        parts: list[Tensor] = []
        for group in table.candidates:
            others = group.vectors if group.vectors.dim() == 2 else group.vectors[row]
            with torch.enable_grad():
                copies = anchor.expand(len(others), -1).clone().requires_grad_()  # (C, D)
                scores = table.measure.each(copies, others)
                parts += torch.autograd.grad(scores.sum(), copies)
        return torch.cat(parts).float() * self.gradient[row][:, None]

    def pairs(self, row: int) -> list[Pair]:
        """The candidates of sentence ``row``'s anchor that take part in the loss, the strongest first."""
        table, kinds = self.table, self._kinds(row)
        scores, gradients, counts = (matrix[row].tolist() for matrix in (table.scores, self.gradient, table.counts))
        norms = self.anchor_gradients(row).norm(dim=1).tolist()
        weights = [None] * len(scores) if table.weights is None else table.weights[row].tolist()
        places = [(g, k) for g, group in enumerate(table.candidates) for k in range(group.count)]
        counted = []
        for column, (g, k) in enumerate(places):
            if counts[column]:
                group = table.candidates[g]
                sentence, text = None if group.synthetic else k, self.texts[g][k]
                measured = scores[column], weights[column], gradients[column], norms[column]
                counted.append(Pair(kinds[column], group.name, sentence, text, *measured))
        return sorted(counted, key=lambda pair: -pair.norm)

    def _kinds(self, row: int) -> list[str]:
        """What each column is to sentence ``row``."""
        kinds = [group.kind for group in self.table.candidates for _ in range(group.count)]
        mine = self.table.positive[row].tolist()
        return [self.table.own if own else kind for own, kind in zip(mine, kinds, strict=True)]

    def by_kind(self, row: int) -> dict[str, float]:
        """Length of the gradient on the anchor from all candidates of a kind together; below 0 where they push."""
        parts, gradient = self.anchor_gradients(row).cpu(), self.gradient[row].cpu()
        counts, kinds, lengths = self.table.counts[row].cpu(), self._kinds(row), {}
        for kind in dict.fromkeys([self.table.own, *kinds]):
            chosen = torch.tensor([name == kind for name in kinds]) & counts
            if chosen.any():
                length = float(parts[chosen].sum(dim=0).norm())
                lengths[kind] = -length if float(gradient[chosen].sum()) > 0 else length
        return lengths


class TermShare(NamedTuple):
    """A term of the loss: its value, and the length of its gradient by the trained weights."""

    value: float
    gradient: float


@dataclass(frozen=True)
class StepForces:
    """What a step does to each sentence of its batch, and why.

    Attributes:
        about: a sentence that names the step.
        texts: the sentences of the batch.
        loss: of the batch; ``gradient_norm`` the length of its gradient by the trained weights, before it is clipped.
        terms: by name; their values add up to the loss. Only the loss itself where the method defines no terms.
        tables: anchors with candidates; empty where the method defines no ``forces``.
        parts: what the method records beside its loss.
        view_norms: by view, the length of the loss's gradient by each sentence's vector, ``(B,)``.
    """

    run: str
    title: str
    step: int
    about: str
    texts: tuple[str, ...]
    loss: float
    gradient_norm: float
    terms: dict[str, TermShare]
    tables: tuple[ScoreGradients, ...]
    parts: dict[str, float]
    view_norms: dict[str, Matrix]

    def formula(self, row: int, table: int = 0) -> list[str]:
        """Write the formula with the numbers of a sentence in it, as lines of LaTeX."""
        lines = self.tables[table].table.lines if self.tables else None
        return [*(lines(row) if lines else ()), summed({name: term.value for name, term in self.terms.items()})]


@checked()
def forces_at(run: RunSource, step: Natural | None = None, examples: Sequence[Any] | None = None) -> StepForces:
    """Differentiate the loss of a run's step; nothing of the run changes.

    Args:
        run: one that is trained here, or has left a checkpoint; or its folder.
        step: steps done; default: the present one. See :func:`.freeze_step` for the steps available.
        examples: a batch to take instead of the step's own, of the kind that the run trains on; at least two.

    Raises:
        TypeError: it is no run, or a recording, which has no weights; or ``examples`` are none.
        RuntimeError, FileNotFoundError, ValueError: there are no weights of that step, or no examples; ``examples``
            are of another kind, or fewer than two.
    """
    held = freeze_step(as_run("run", run), step)
    return differentiate(held if examples is None else with_batch(held, examples))


def differentiate(held: FrozenStep) -> StepForces:
    """Run the batch forward with the step's own draws, and compute all gradients.

    Raises:
        ValueError: the method's terms do not add up to its loss.
    """
    method, device = held.method, held.method.encoder.device
    method.train()
    method.before_step(min(held.step, held.total - 1), held.total, method.optimizer())
    with torch.enable_grad(), own_draws(device):
        around = partial(forward_pass, device, held.precision)
        views = embedded(method, held.batch, Draws.of(held.seed, held.step, device), around=around)
        terms, forces = method.compare(views), method.forces(views)
        _check_sum(method, terms.loss, forces)
    texts = _texts(held.examples)
    more = view_texts(method, held.examples, held.batch, Draws.of(held.seed, held.step, device)) if forces else {}
    parameters = [p for p in method.parameters() if p.requires_grad]
    named = {"loss": terms.loss} if forces is None else dict(forces.terms)
    return StepForces(
        held.run,
        method.title,
        held.step,
        held.about,
        texts,
        float(terms.loss.detach()),
        _length(terms.loss, parameters),
        {name: TermShare(float(term.detach()), _length(term, parameters)) for name, term in named.items()},
        () if forces is None else _differentiated(forces, texts, more),
        {name: float(part) for name, part in terms.parts.items()},
        _view_norms(terms.loss, views, len(texts)),
    )


@contextmanager
def own_draws(device: torch.device) -> Iterator[None]:
    """Context: restore torch's global generators, in case a method draws from them."""
    gpu = device.type == "cuda"
    before = torch.get_rng_state(), torch.cuda.get_rng_state(device) if gpu else None
    try:
        yield
    finally:
        if not torch.equal(torch.get_rng_state(), before[0]):
            torch.set_rng_state(before[0])
        if before[1] is not None and not torch.equal(torch.cuda.get_rng_state(device), before[1]):
            torch.cuda.set_rng_state(before[1], device)


def _check_sum(method: Method[Any], loss: Tensor, forces: Forces | None) -> None:
    if forces is None:
        return
    value, total = float(loss.detach()), sum(float(term.detach()) for term in forces.terms.values())
    if abs(total - value) > ADDS_UP * max(1.0, abs(total)):
        raise ValueError(
            f"the terms that {type(method).__name__}.forces returns add up to {total:.6g}, and its loss is "
            f"{value:.6g}; every part of the loss must be among the terms, weighted as it is there"
        )


def _texts(examples: Sequence[Any]) -> tuple[str, ...]:
    """Return sentences as they are, of triplets the first."""
    return tuple(example if isinstance(example, str) else str(example[0]) for example in examples)


def _length(loss: Tensor, parameters: Sequence[Tensor]) -> float:
    """Return the length of the gradient by all parameters; 0 where the loss depends on none."""
    if not loss.requires_grad:
        return 0.0
    gradients = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
    return float(torch.stack([part.float().norm() for part in gradients if part is not None]).norm())


def _differentiated(forces: Forces, texts: Sequence[str], more: dict[str, list[str]]) -> tuple[ScoreGradients, ...]:
    """Differentiate the whole loss by the scores of every table."""
    loss = torch.stack(list(forces.terms.values())).sum()
    tables = []
    for table in forces.tables:
        names = tuple(
            [f"{group.name} {k + 1}" for k in range(group.count)] if group.synthetic else more.get(group.view, texts)
            for group in table.candidates
        )
        tables.append(ScoreGradients(table.detached(), table.gradient(loss), names))
    return tuple(tables)


def _view_norms(loss: Tensor, views: Views, size: int) -> dict[str, Matrix]:
    trained = {name: view for name, view in views.items() if view.requires_grad and len(view) == size}
    gradients = (
        torch.autograd.grad(loss, list(trained.values()), retain_graph=True, allow_unused=True) if trained else ()
    )
    reached = {name: part for name, part in zip(trained, gradients, strict=True) if part is not None}
    return {name: numbers(part.flatten(1).norm(dim=1)) for name, part in reached.items()}


def numbers(tensor: Tensor) -> Matrix:
    """A tensor as an array of float32."""
    array: Matrix = tensor.detach().float().cpu().numpy()
    return array
