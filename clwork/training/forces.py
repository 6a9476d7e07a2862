"""The forces in a training step: the gradient of its loss with respect to every score.

It is computed on a copy, so that the run is not affected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..arithmetic import at_least_float32
from ..methods import Draws, Forces, Method
from ..methods.base import Views
from ..methods.forces import ScoreTable, summed
from ..methods.step import embedded, view_texts
from ..precision import forward_pass, without_scaler
from .frozen_step import FrozenStep, freeze_step
from .run import RunSource

# Name of the matrix of gradients, as shown.
GRADIENT = "gradient by the score"
# Largest relative difference between the sum of a method's terms and its loss.
TOLERANCE = 1e-4
Matrix = npt.NDArray[np.float32]


class TermShare(NamedTuple):
    """A term of the loss: its value, and the norm of its gradient by the trained weights."""

    value: float
    gradient: float


class Pair(NamedTuple):
    """An anchor and one of its candidates.

    Attributes:
        kind: the role of the candidate for the anchor: the group's kind, such as ``"in-batch
            negative"``; that of the anchor's own candidates is ``table.own``, mostly "positive".
        name: the candidate's set of vectors, such as ``"view 2"``.
        sentence: the candidate's row in the batch; None for synthetic candidates, such as noise.
        text: the candidate's text.
        score: similarity of anchor and candidate, by the table's measure.
        weight: softmax weight, if the loss has a softmax.
        gradient: ∂loss/∂score: a negative gradient pulls, a positive one pushes.
        vector: this pair's contribution to the anchor's gradient, ``(D,)``, and its ``norm``.
    """

    kind: str
    name: str
    sentence: int | None
    text: str
    score: float
    weight: float | None
    gradient: float
    norm: float
    vector: Tensor

    @property
    def pull(self) -> float:
        """The norm of the pair's gradient; negative if the pair pushes."""
        return -self.norm if self.gradient > 0 else self.norm


@dataclass(frozen=True)
class ScoreGradients:
    """The scores of a batch's anchors with their candidates, and the gradient by the scores.

    Row i is the anchor of sentence i of B. The C columns are the candidates, group by group: of a
    table with the groups "view 2" and "noise", the first B columns are the sentences' second views,
    and the other ones the noise vectors.

    Attributes:
        table: the scores, detached from the graph.
        gradient: ∂loss/∂score, ``(B, C)``.
        texts: for each group of candidates, their texts.
    """

    table: ScoreTable
    gradient: Tensor
    texts: tuple[Sequence[str], ...]

    @property
    def role(self) -> str:
        """The role of the anchors, such as ``"view 1 retrieves view 2"``."""
        return self.table.role

    @property
    def measure(self) -> str:
        """The name of the similarity."""
        return self.table.measure.name

    def matrices(self) -> dict[str, Matrix]:
        """Return scores, softmax weights (if there is a softmax) and gradients, each ``(B, C)``."""
        matrices = {self.measure: numbers(self.table.scores)}
        if self.table.weights is not None:
            matrices["softmax weight"] = numbers(self.table.weights)
        return matrices | {GRADIENT: numbers(self.gradient)}

    @property
    def losses(self) -> Matrix | None:
        """Each sentence's contribution to the loss, ``(B,)``."""
        return None if self.table.losses is None else numbers(self.table.losses)

    def anchor_gradients(self, row: int) -> Tensor:
        """Return each candidate's part of the gradient by the anchor in ``row``, ``(C, D)``.

        By the chain rule it is ∂loss/∂score · ∂score/∂anchor, for the anchor's score with this
        candidate. Each score gets its own copy of the anchor, so that one backward pass gives all
        the derivatives apart.
        """
        anchor = at_least_float32(self.table.anchors[row])
        derivatives: list[Tensor] = []
        for group in self.table.candidates:
            # (K, D); some synthetic candidates differ from anchor to anchor.
            candidates = group.vectors if group.vectors.dim() == 2 else group.vectors[row]
            with torch.enable_grad():
                # (K, D)
                copies = anchor.expand(len(candidates), -1).clone().requires_grad_()
                scores = self.table.measure.each(copies, candidates)
                derivatives += torch.autograd.grad(scores.sum(), copies)
        return torch.cat(derivatives).float() * self.gradient[row][:, None]

    def pairs(self, row: int) -> list[Pair]:
        """List the anchor's pairs that contribute to the loss, largest norm first."""
        table = self.table
        vectors = self.anchor_gradients(row).cpu()
        scores = table.scores[row].tolist()
        weights = None if table.weights is None else table.weights[row].tolist()
        gradients = self.gradient[row].tolist()
        positive = table.positive[row].tolist()
        counts = table.counts[row].tolist()
        pairs = []
        # The column of the table, in which all groups stand one after the other.
        column = 0
        for group, texts in zip(table.candidates, self.texts, strict=True):
            for candidate in range(group.count):
                if counts[column]:
                    pair = Pair(
                        kind=table.own if positive[column] else group.kind,
                        name=group.name,
                        sentence=None if group.synthetic else candidate,
                        text=texts[candidate],
                        score=scores[column],
                        weight=None if weights is None else weights[column],
                        gradient=gradients[column],
                        norm=float(vectors[column].norm()),
                        vector=vectors[column],
                    )
                    pairs.append(pair)
                column += 1
        return sorted(pairs, key=lambda pair: -pair.norm)

    def by_kind(self, row: int) -> dict[str, float]:
        """Return the norm of each kind's part of the anchor's gradient; negative if it pushes.

        The kind of the anchor's own candidates comes first.
        """
        pairs_by_kind: dict[str, list[Pair]] = {self.table.own: []}
        for pair in self.pairs(row):
            pairs_by_kind.setdefault(pair.kind, []).append(pair)
        norms = {}
        for kind, pairs in pairs_by_kind.items():
            if pairs:
                norm = float(torch.stack([pair.vector for pair in pairs]).sum(dim=0).norm())
                norms[kind] = -norm if sum(pair.gradient for pair in pairs) > 0 else norm
        return norms


@dataclass(frozen=True)
class StepForces:
    """Loss, terms and gradients of a step, for each sentence of its batch; see :func:`forces_at`.

    Attributes:
        run: the run's name; ``title`` is its method's.
        step: number of the step, and ``about``, a sentence that describes it.
        texts: the sentences of the batch.
        loss: the sum of the ``terms``.
        gradient_norm: with respect to the trained weights, before clipping.
        tables: anchors with candidates.
        view_norms: of each view, the norm of the gradient by each sentence's vector, ``(B,)``.
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
    view_norms: dict[str, Matrix]

    def formula(self, row: int, table: int = 0) -> list[str]:
        """Return the loss formula with a sentence's numbers filled in, as lines of LaTeX."""
        total = summed({name: term.value for name, term in self.terms.items()})
        lines = self.tables[table].table.lines
        return [total] if lines is None else [*lines(row), total]


def forces_at(
    run: RunSource, step: int | None = None, examples: Sequence[Any] | None = None
) -> StepForces:
    """Compute loss and gradients of a step of a run, which is not affected.

    Args:
        run: a run, a stored run, or the folder of a run.
        step: number of steps done before it; default: the next step of a live run, else the one
            after the latest checkpoint.
        examples: replace the batch of the step.

    Raises:
        RuntimeError: the run has no weights yet.
        ValueError: the weights of the step are not stored, ``examples`` are not of the kind that
            the run trains on, or the method does not report its loss by pairs.
    """
    frozen = freeze_step(run, step)
    if examples is not None:
        frozen = _with_batch(frozen, examples)
    return differentiate(frozen)


def _with_batch(frozen: FrozenStep, examples: Sequence[Any]) -> FrozenStep:
    """Return the step with ``examples`` as its batch; its random numbers stay the same."""
    kind = frozen.method.check_examples(examples)
    if kind != frozen.method.kind:
        raise ValueError(
            f"{frozen.run_config.name} trains on {frozen.method.kind}, but these are {kind}"
        )
    batch = frozen.method.tokenize(examples)
    about = f"chosen examples as a batch, at the weights after step {frozen.step}"
    return replace(frozen, examples=list(examples), batch=batch, about=about)


def differentiate(frozen: FrozenStep) -> StepForces:
    """Run the forward pass with the step's own random draws, and compute all gradients."""
    # The forward pass, as in the training loop.
    method = frozen.method
    device = method.encoder.device
    # Each call makes the generators again, so that the texts of the views match their vectors.
    draws = partial(Draws.of, frozen.run_config.seed, frozen.step, device)
    total = frozen.run_config.steps
    method.train()
    # After the last step there is no next one, and the schedules of the last one are used.
    method.before_step(min(frozen.step, total - 1), total, method.optimizer())
    with torch.enable_grad():
        precision = without_scaler(frozen.run_config.precision)
        around = partial(forward_pass, device, precision)
        views = embedded(method, frozen.batch, draws(), around=around)
        terms = method.compare(views)
        forces = method.forces(views)

    # The gradients by the scores.
    loss = float(terms.loss.detach())
    if forces is None:
        raise ValueError(
            f"{method.title} does not report its loss by pairs, so there is no table; define the "
            "method forces(views) in its class, see clwork.methods.Forces"
        )
    _check_sum(method, forces.terms, loss)
    examples = frozen.examples
    texts = tuple(text if isinstance(text, str) else str(text[0]) for text in examples)
    texts_by_view = view_texts(method, examples, frozen.batch, draws())
    tables = _score_gradients(forces, texts, texts_by_view)

    # The gradients by the weights.
    weights = [parameter for parameter in method.parameters() if parameter.requires_grad]
    shares = {}
    for name, term in forces.terms.items():
        shares[name] = TermShare(float(term.detach()), _gradient_norm(term, weights))
    return StepForces(
        run=frozen.run_config.name,
        title=method.title,
        step=frozen.step,
        about=frozen.about,
        texts=texts,
        loss=loss,
        gradient_norm=_gradient_norm(terms.loss, weights),
        terms=shares,
        tables=tables,
        view_norms=_view_norms(terms.loss, views, len(texts)),
    )


def _check_sum(method: Method[Any], terms: Mapping[str, Tensor], loss: float) -> None:
    """Raise ValueError if the terms of a method's own ``forces`` do not add up to its loss."""
    added = sum(float(term.detach()) for term in terms.values())
    if abs(added - loss) > TOLERANCE * max(1.0, abs(added)):
        raise ValueError(
            f"the terms that {type(method).__name__}.forces returns add up to {added:.6g}, but its "
            f"loss is {loss:.6g}; return every part of the loss as a term, with the loss's weights"
        )


def _gradient_norm(loss: Tensor, weights: Sequence[Tensor]) -> float:
    """Return the norm of a loss's gradient over all weights."""
    # A term of frozen vectors alone has no gradient.
    if not loss.requires_grad:
        return 0.0
    gradients = torch.autograd.grad(loss, weights, retain_graph=True, allow_unused=True)
    norms = [gradient.float().norm() for gradient in gradients if gradient is not None]
    return float(torch.stack(norms).norm())


def _score_gradients(
    forces: Forces, texts: Sequence[str], by_view: dict[str, list[str]]
) -> tuple[ScoreGradients, ...]:
    """Differentiate the loss by the scores of each table.

    ``texts`` are the sentences of the batch; ``by_view`` has the texts of views that differ from
    them, such as sentences with a word deleted.
    """
    loss = torch.stack(list(forces.terms.values())).sum()
    tables = []
    for table in forces.tables:
        candidate_texts: list[Sequence[str]] = []
        for group in table.candidates:
            if group.synthetic:
                numbered = [f"{group.name} {number + 1}" for number in range(group.count)]
                candidate_texts.append(numbered)
            else:
                candidate_texts.append(by_view.get(group.view, texts))
        gradient = table.gradient(loss)
        tables.append(ScoreGradients(table.detached(), gradient, tuple(candidate_texts)))
    return tuple(tables)


def _view_norms(loss: Tensor, views: Views, size: int) -> dict[str, Matrix]:
    """Return for each trained view the norm of the loss's gradient by each row, ``(B,)``."""
    norms = {}
    for name, view in views.items():
        if view.requires_grad and len(view) == size:
            (gradient,) = torch.autograd.grad(loss, view, retain_graph=True, allow_unused=True)
            if gradient is not None:
                norms[name] = numbers(gradient.flatten(1).norm(dim=1))
    return norms


def numbers(tensor: Tensor) -> Matrix:
    """Return a tensor as a float32 array."""
    array: Matrix = tensor.detach().float().cpu().numpy()
    return array
