"""Who pulled a sentence and who pushed it: a step's loss differentiated by every score, of a copy of the run."""

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
from ..loop.precision import forward_pass
from ..stored.stored import A_RUN, RunLike
from .frozen_step import FrozenStep, moment
from .pair_forces import Matrix, SeenContest, numbers

ADDS_UP = 1e-4  # relative tolerance for the sum of a method's terms against its loss


class TermShare(NamedTuple):
    """A term of the loss: its value, and the length of its gradient by the trained weights."""

    value: float
    gradient: float


@dataclass(frozen=True)
class StepForces:
    """What a step does to each sentence of its batch, and why.

    Attributes:
        about: which step this is, in a sentence.
        texts: the sentences of the batch.
        loss: of the batch; ``gradient_norm`` the length of its gradient by the trained weights, before it is clipped.
        terms: by name; their values add up to the loss. Only the loss itself where the method defines no terms.
        contests: who meets whom; empty where the method does not tell.
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
    contests: tuple[SeenContest, ...]
    parts: dict[str, float]
    view_norms: dict[str, Matrix]

    def formula(self, row: int, contest: int = 0) -> list[str]:
        """The formula with the numbers of a sentence in it, as lines of LaTeX."""
        lines = self.contests[contest].contest.lines if self.contests else None
        return [*(lines(row) if lines else ()), summed({name: term.value for name, term in self.terms.items()})]


@checked(run=A_RUN, step=at_least(0))
def forces_at(run: RunLike, step: int | None = None) -> StepForces:
    """Differentiate the loss of a run's step; nothing of the run changes.

    Args:
        run: one that is trained here, or has left a checkpoint.
        step: steps done; default: the present one. See :func:`.moment` for what can be had.

    Raises:
        RuntimeError, FileNotFoundError, ValueError: there are no weights of that step, or no examples.
    """
    return differentiate(moment(run, step))


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
        terms, told = method.compare(views), method.forces(views)
        _check_sum(method, terms.loss, told)
    texts = _texts(held.examples)
    more = method.view_texts(held.examples, held.batch, Draws.of(held.seed, held.step, device)) if told else {}
    parameters = [p for p in method.parameters() if p.requires_grad]
    named = {"loss": terms.loss} if told is None else dict(told.terms)
    return StepForces(
        held.run,
        method.title,
        held.step,
        held.about,
        texts,
        float(terms.loss.detach()),
        _length(terms.loss, parameters),
        {name: TermShare(float(term.detach()), _length(term, parameters)) for name, term in named.items()},
        () if told is None else _seen(told, texts, more),
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


def _check_sum(method: Method[Any], loss: Tensor, told: Forces | None) -> None:
    total = float(loss.detach()) if told is None else sum(float(term.detach()) for term in told.terms.values())
    if told is not None and abs(total - float(loss.detach())) > ADDS_UP * max(1.0, abs(total)):
        raise ValueError(
            f"the terms that {type(method).__name__}.forces tells add up to {total:.6g}, and its loss is "
            f"{float(loss.detach()):.6g}; every part of the loss must be among the terms, weighted as it is there"
        )


def _texts(examples: Sequence[Any]) -> tuple[str, ...]:
    """Sentences as they are, of triplets the first."""
    return tuple(example if isinstance(example, str) else str(example[0]) for example in examples)


def _length(loss: Tensor, parameters: Sequence[Tensor]) -> float:
    """The length of the gradient by all parameters; 0 where none is reached."""
    if not loss.requires_grad:
        return 0.0
    found = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
    return float(torch.stack([part.float().norm() for part in found if part is not None]).norm())


def _seen(told: Forces, texts: Sequence[str], more: dict[str, list[str]]) -> tuple[SeenContest, ...]:
    """The contests with the gradients of the whole loss by their scores."""
    scores = [contest.scores for contest in told.contests]
    loss = torch.stack(list(told.terms.values())).sum()
    found = torch.autograd.grad(loss, scores, retain_graph=True, allow_unused=True)
    seen = []
    for contest, gradient in zip(told.contests, found, strict=True):
        names = tuple(
            [f"{group.name} {k + 1}" for k in range(group.count)] if group.nobody else more.get(group.view, texts)
            for group in contest.candidates
        )
        zeros = torch.zeros_like(contest.scores)
        seen.append(SeenContest(contest.at_rest(), zeros if gradient is None else gradient, names))
    return tuple(seen)


def _view_norms(loss: Tensor, views: Views, size: int) -> dict[str, Matrix]:
    trained = {name: view for name, view in views.items() if view.requires_grad and len(view) == size}
    found = torch.autograd.grad(loss, list(trained.values()), retain_graph=True, allow_unused=True) if trained else ()
    reached = {name: part for name, part in zip(trained, found, strict=True) if part is not None}
    return {name: numbers(part.flatten(1).norm(dim=1)) for name, part in reached.items()}
