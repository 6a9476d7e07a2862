"""The gradient of a step's loss by every score, computed on a copy of the run: who pulls a sentence, who pushes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ...edges import at_least, checked
from ...methods import Draws, Forces, Method, Views
from ...methods.forces import summed
from ...renamed import RenamedAttribute, renamed_arguments
from ..loop.precision import forward_pass
from ..stored.stored import RunSource, as_run
from .frozen_step import FrozenStep, moment
from .pair_forces import Matrix, ScoreGradients, numbers

ADDS_UP = 1e-4  # relative tolerance for the sum of a method's terms against its loss


class TermShare(NamedTuple):
    """A term of the loss: its value, and the length of its gradient by the trained weights."""

    value: float
    gradient: float


@renamed_arguments(contests="tables")
@dataclass(frozen=True)
class StepForces:
    """What a step does to each sentence of its batch, and why.

    Attributes:
        about: a sentence about which step this is.
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

    contests = RenamedAttribute("tables")

    def formula(self, row: int, table: int = 0) -> list[str]:
        """Write the formula with the numbers of a sentence in it, as lines of LaTeX."""
        lines = self.tables[table].table.lines if self.tables else None
        return [*(lines(row) if lines else ()), summed({name: term.value for name, term in self.terms.items()})]


@checked(step=at_least(0))
def forces_at(run: RunSource, step: int | None = None) -> StepForces:
    """Differentiate the loss of a run's step; nothing of the run changes.

    Args:
        run: one that is trained here, or has left a checkpoint; or its folder.
        step: steps done; default: the present one. See :func:`.moment` for what can be had.

    Raises:
        TypeError: it is no run, or a recording, which has no weights.
        RuntimeError, FileNotFoundError, ValueError: there are no weights of that step, or no examples.
    """
    return differentiate(moment(as_run("run", run), step))


def differentiate(held: FrozenStep) -> StepForces:
    """One forward of the batch with the step's own draws, and the gradients that are asked for.

    Raises:
        ValueError: the method's terms do not add up to its loss.
    """
    method, device = held.method, held.method.encoder.device
    method.train()
    method.before_step(min(held.step, held.total - 1), held.total, method.optimizer())
    with torch.enable_grad(), _own_draws(device):
        with forward_pass(device, held.precision):
            views = method.embed(held.batch, Draws.of(held.seed, held.step, device))
        terms, forces = method.compare(views), method.forces(views)
        _check_sum(method, terms.loss, forces)
    texts = _texts(held.examples)
    more = method.view_texts(held.examples, held.batch, Draws.of(held.seed, held.step, device)) if forces else {}
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
def _own_draws(device: torch.device) -> Iterator[None]:
    """A method that draws from torch's own generators, which none should, leaves them here as they were."""
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
            f"the terms that {type(method).__name__}.forces tells add up to {total:.6g}, and its loss is "
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
