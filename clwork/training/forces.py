"""The forces in a training step: the gradient of its loss with respect to every score.

It is computed on a copy, so that the run is not affected.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ..arithmetic import at_least_float32
from ..data.sources import checked_examples
from ..methods import Draws, Forces, Method
from ..methods.base import Views
from ..methods.forces import ScoreTable, summed
from ..methods.step import embedded, view_texts
from ..precision import default_device, forward_pass, is_here, without_scaler
from ..run_folder.config import RunConfig
from ..run_folder.folder import RunFolder
from ..run_folder.stored import RunSource, as_run
from ..wording import plural
from .preparation import RunInputs, prepare, read_config
from .run import RUNS, Run

GRADIENT = "gradient by the score"
TOLERANCE = 1e-4  # relative difference between the sum of a method's terms and its loss
Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True)
class FrozenStep:
    """A copy of everything that a step depends on; ``about`` describes the step in a sentence."""

    run_config: RunConfig
    method: Method[Any]
    examples: list[Any]
    batch: list[Any]
    step: int
    about: str


def with_batch(frozen: FrozenStep, examples: Sequence[Any]) -> FrozenStep:
    """Return the step with ``examples`` as its batch; its random numbers stay the same."""
    examples = list(checked_examples(examples))
    if len(examples) < 2:
        count = plural(len(examples), "example")
        raise ValueError(f"a batch of {count} has no negatives; use at least 2")
    own = frozen.examples[0]
    if any(type(example) is not type(own) for example in examples):
        kind = "sentences" if isinstance(own, str) else f"tuples of {len(own)} sentences"
        raise ValueError(
            f"{frozen.run_config.name} trains on {kind}, but these examples are not; give {kind}"
        )
    chosen = plural(len(examples), "chosen sentence")
    about = f"{chosen} as a batch, at the weights after step {frozen.step}"
    batch = frozen.method.tokenize(examples)
    return replace(frozen, examples=examples, batch=batch, about=about)


def checkpoint_steps(run: RunSource) -> list[int]:
    """List the steps whose weights can be read, latest first: those on disk, and step 0."""
    files = RunFolder(as_run("run", run).folder)
    return sorted(_weights_by_step(files, RunConfig.read(files)), reverse=True)


def _weights_by_step(files: RunFolder, run_config: RunConfig) -> dict[int, str | None]:
    """Return the checkpoint file of each step; None for initial weights, which can be remade."""
    by_step: dict[int, str | None] = {}
    if run_config.parent is None or run_config.parent.step == 0:
        by_step[0] = None
    for name, meta in files.checkpoints.on_disk().items():
        by_step[meta.step] = name
    return by_step


def _from_memory(run: Run, step: int | None) -> FrozenStep | None:
    """Copy a live run between two steps; None if it has just ended or is at another step."""
    with run.training.between:
        loop = run.training.loop
        if loop is None:
            raise RuntimeError(
                f"{run.name} is {run.status} and has no weights yet; wait for its first step"
            )
        if run.training.released or step not in (None, loop.step):
            return None
        step = loop.step
        ahead = loop.batches.ahead(step)
        about = (
            f"step {step + 1} of {loop.total}, the next one: its batch and draws, at the present "
            "weights"
        )
        if ahead is None:
            examples = loop.batches.latest
            if not examples:
                raise RuntimeError(
                    f"{run.name} reads a stream, which cannot be read ahead; wait for its first "
                    "step"
                )
            ahead = examples, loop.method.tokenize(examples)
            step -= 1
            about = (
                f"the batch and draws of step {step + 1}, at the weights after that step: a stream "
                "cannot be read ahead, so the run has already trained on these sentences"
            )
        return FrozenStep(loop.run_config, copy.deepcopy(loop.method), *ahead, step, about)


def _from_folder(files: RunFolder, step: int | None) -> FrozenStep:
    """Rebuild a step from a checkpoint in the folder."""
    run_config = RunConfig.read(files)
    by_step = _weights_by_step(files, run_config)
    step = max(by_step, default=0) if step is None else step
    if step not in by_step:
        known = ", ".join(str(number) for number in sorted(by_step)) or "none"
        raise ValueError(
            f"{run_config.name} has no weights of step {step}; give one of the stored steps "
            f"({known}) or leave step out. clwork.start(..., keep_every=50) stores a checkpoint of "
            "every 50th step"
        )
    file = by_step[step]
    device = run_config.device if is_here(run_config.device) else default_device()
    inputs = RunInputs(run_config.encoder, device=device, resume=file is not None)
    config = read_config(run_config, files)
    loop, _ = prepare(run_config, files, config, inputs, store=False, file=file)
    where = "at the initial weights" if file is None else f"from the checkpoint of step {step}"
    about = f"step {step + 1} of {loop.total}, {where}"
    if step >= loop.total:
        steps = plural(loop.total, "step")
        about = f"after the last of {steps}, with the batch that would come next"
    batch = loop.batches.batch(step)
    return FrozenStep(run_config, loop.method, loop.batches.latest, batch, step, about)


class TermShare(NamedTuple):
    """A term of the loss: its value, and the norm of its gradient by the trained weights."""

    value: float
    gradient: float


class Pair(NamedTuple):
    """An anchor and one of its candidates.

    Attributes:
        kind: ``"positive"``, or the method's name for the candidate.
        name: the candidate's set of vectors, such as ``"view 2"``.
        sentence: the candidate's row in the batch; None for synthetic candidates, such as noise.
        text: the candidate's text.
        score: similarity of anchor and candidate, by the table's measure.
        weight: softmax weight, if the loss has a softmax.
        gradient: ∂loss/∂score: a negative gradient pulls, a positive one pushes.
        norm: norm of this pair's contribution to the anchor's gradient.
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
        """The norm of the pair's gradient; negative if the pair pushes."""
        return -self.norm if self.gradient > 0 else self.norm


@dataclass(frozen=True)
class ScoreGradients:
    """A detached :class:`clwork.methods.ScoreTable`, and the gradient by its scores, ``(B, C)``.

    ``texts`` are those of the candidates, for each group.
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

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Name and number of candidates of each group, in the order of the columns."""
        return [(group.name, group.count) for group in self.table.candidates]

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
        """Return each candidate's part of the gradient by the anchor in ``row``, ``(C, D)``."""
        anchor = at_least_float32(self.table.anchors[row])
        parts: list[Tensor] = []
        for group in self.table.candidates:
            candidates = group.vectors if group.vectors.dim() == 2 else group.vectors[row]
            with torch.enable_grad():
                copies = anchor.expand(len(candidates), -1).clone().requires_grad_()  # (C, D)
                scores = self.table.measure.each(copies, candidates)
                parts += torch.autograd.grad(scores.sum(), copies)
        return torch.cat(parts).float() * self.gradient[row][:, None]

    def pairs(self, row: int) -> list[Pair]:
        """List the anchor's pairs that contribute to the loss, largest norm first."""
        table = self.table
        kinds = self._kinds(row)
        scores = table.scores[row].tolist()
        weights = None if table.weights is None else table.weights[row].tolist()
        gradients = self.gradient[row].tolist()
        norms = self.anchor_gradients(row).norm(dim=1).tolist()
        counts = table.counts[row].tolist()
        pairs = []
        column = 0
        for group, texts in zip(table.candidates, self.texts, strict=True):
            for candidate in range(group.count):
                if counts[column]:
                    pair = Pair(
                        kind=kinds[column],
                        name=group.name,
                        sentence=None if group.synthetic else candidate,
                        text=texts[candidate],
                        score=scores[column],
                        weight=None if weights is None else weights[column],
                        gradient=gradients[column],
                        norm=norms[column],
                    )
                    pairs.append(pair)
                column += 1
        return sorted(pairs, key=lambda pair: -pair.norm)

    def _kinds(self, row: int) -> list[str]:
        """Return the kind of each candidate for the anchor in ``row``."""
        kinds = []
        for group in self.table.candidates:
            kinds += [group.kind] * group.count
        for column in self.table.positive[row].nonzero().flatten().tolist():
            kinds[column] = self.table.own
        return kinds

    def by_kind(self, row: int) -> dict[str, float]:
        """Return the norm of each kind's part of the anchor's gradient; negative if it pushes."""
        parts = self.anchor_gradients(row).cpu()
        gradient = self.gradient[row].cpu()
        counts = self.table.counts[row].cpu()
        kinds = self._kinds(row)
        norms = {}
        for kind in dict.fromkeys([self.table.own, *kinds]):
            chosen = torch.tensor([name == kind for name in kinds]) & counts
            if chosen.any():
                norm = float(parts[chosen].sum(dim=0).norm())
                norms[kind] = -norm if float(gradient[chosen].sum()) > 0 else norm
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
        tables: anchors with candidates; empty if the method defines no forces.
        parts: numbers that the method records in addition to the loss.
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
    parts: dict[str, float]
    view_norms: dict[str, Matrix]

    def formula(self, row: int, table: int = 0) -> list[str]:
        """Return the loss formula with a sentence's numbers filled in, as lines of LaTeX."""
        lines = self.tables[table].table.lines if self.tables else None
        total = summed({name: term.value for name, term in self.terms.items()})
        return [*(lines(row) if lines else ()), total]


def forces_at(
    run: RunSource, step: int | None = None, examples: Sequence[Any] | None = None
) -> StepForces:
    """Compute loss and gradients of a step (default: the present one).

    ``examples`` replace its batch.

    Raises:
        ValueError: the weights of the step are not stored.
    """
    folder = as_run("run", run).folder
    frozen = None
    for live in RUNS:
        if live.alive and live.folder == folder:
            frozen = _from_memory(live, step)
    frozen = frozen or _from_folder(RunFolder(folder), step)
    return differentiate(frozen if examples is None else with_batch(frozen, examples))


def differentiate(frozen: FrozenStep) -> StepForces:
    """Run the forward pass with the step's own random draws, and compute all gradients."""
    method = frozen.method
    device = method.encoder.device
    draws = partial(Draws.of, frozen.run_config.seed, frozen.step, device)
    total = frozen.run_config.steps
    method.train()
    method.before_step(min(frozen.step, total - 1), total, method.optimizer())
    with torch.enable_grad(), _own_draws(device):
        precision = without_scaler(frozen.run_config.precision)
        around = partial(forward_pass, device, precision)
        views = embedded(method, frozen.batch, draws(), around=around)
        terms = method.compare(views)
        forces = method.forces(views)
    named = {"loss": terms.loss} if forces is None else dict(forces.terms)
    loss = float(terms.loss.detach())
    added = sum(float(term.detach()) for term in named.values())
    if abs(added - loss) > TOLERANCE * max(1.0, abs(added)):
        raise ValueError(
            f"the terms that {type(method).__name__}.forces returns add up to {added:.6g}, but its "
            f"loss is {loss:.6g}; return every part of the loss as a term, with the loss's weights"
        )
    examples = frozen.examples
    texts = tuple(text if isinstance(text, str) else str(text[0]) for text in examples)
    tables: tuple[ScoreGradients, ...] = ()
    if forces is not None:
        tables = _score_gradients(
            forces, texts, view_texts(method, examples, frozen.batch, draws())
        )
    weights = [parameter for parameter in method.parameters() if parameter.requires_grad]
    shares = {}
    for name, term in named.items():
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
        parts={name: float(part) for name, part in terms.parts.items()},
        view_norms=_view_norms(terms.loss, views, len(texts)),
    )


@contextmanager
def _own_draws(device: torch.device) -> Iterator[None]:
    """Context that restores torch's global generators, because a method may draw from them."""
    state = torch.get_rng_state()
    gpu_state = torch.cuda.get_rng_state(device) if device.type == "cuda" else None
    try:
        yield
    finally:
        if not torch.equal(torch.get_rng_state(), state):
            torch.set_rng_state(state)
        if gpu_state is not None and not torch.equal(torch.cuda.get_rng_state(device), gpu_state):
            torch.cuda.set_rng_state(gpu_state, device)


def _gradient_norm(loss: Tensor, weights: Sequence[Tensor]) -> float:
    if not loss.requires_grad:
        return 0.0
    gradients = torch.autograd.grad(loss, weights, retain_graph=True, allow_unused=True)
    norms = [gradient.float().norm() for gradient in gradients if gradient is not None]
    return float(torch.stack(norms).norm())


def _score_gradients(
    forces: Forces, texts: Sequence[str], by_view: dict[str, list[str]]
) -> tuple[ScoreGradients, ...]:
    """Differentiate the loss by the scores; ``by_view`` has texts that differ from ``texts``."""
    loss = torch.stack(list(forces.terms.values())).sum()
    tables = []
    for table in forces.tables:
        names: list[Sequence[str]] = []
        for group in table.candidates:
            if group.synthetic:
                names.append([f"{group.name} {number + 1}" for number in range(group.count)])
            else:
                names.append(by_view.get(group.view, texts))
        tables.append(ScoreGradients(table.detached(), table.gradient(loss), tuple(names)))
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
