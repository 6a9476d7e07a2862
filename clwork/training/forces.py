"""The forces in a training step: the gradient of its loss with respect to every score, computed on a copy."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .._validation import Natural, checked, usual_device
from ..arithmetic import at_least_float32
from ..data.sources import check_examples, sentences
from ..encoders import load_encoder
from ..methods import Draws, Forces, Method, get
from ..methods import config as make_config
from ..methods.base import PreparationContext, Views
from ..methods.forces import ScoreTable, summed
from ..methods.step import embedded, view_texts
from ..precision import forward_pass, is_here, resolve, without_scaler
from ..run_folder.checkpoints import restore_method
from ..run_folder.config import RunConfig, read_sentences
from ..run_folder.folder import RunFolder
from ..run_folder.stored import RunSource, as_run
from ..wording import plural
from .preparation import RunPreparation, build_method, make_batches, read_config, rebuild
from .run import Run
from .starting import live_runs

GRADIENT = "gradient by the score"
TOLERANCE = 1e-4  # relative difference between the sum of a method's terms and its loss
STEPS, SEED = 300, 0  # of untrained_step; STEPS as in clwork.start
Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True)
class FrozenStep:
    """A copy of everything that a step depends on, independent of the run."""

    run: str
    method: Method[Any]
    examples: list[Any]
    batch: list[Any]
    step: int
    total: int
    seed: int
    precision: str
    about: str  # a sentence that describes the step


def untrained_step(method: str, **config: Any) -> FrozenStep:
    """Return the first step of ``clwork.start(method, **config)`` with seed 0, after the method's preparation."""
    kind, device = get(method), usual_device()
    values = make_config(method, encoder=kind.default_encoder, **config)
    encoder = load_encoder(kind.default_encoder, device=device, seed=SEED)
    made = build_method(method, encoder, values, SEED)
    held = _next_batch(made, sentences(), SEED, PreparationContext())
    about = (
        "the first step, with the method's default settings and seed 0; nothing has been trained"
    )
    return FrozenStep(
        "no run yet", made, *held, 0, STEPS, SEED, resolve(values.precision, device).name, about
    )


def with_batch(held: FrozenStep, examples: Sequence[Any]) -> FrozenStep:
    """Return the step ``held`` with ``examples`` as its batch; its random numbers stay the same."""
    given = list(check_examples(examples))
    if len(given) < 2:
        raise ValueError(
            f"a batch of {plural(len(given), 'example')} has no negatives; use at least 2"
        )
    own = held.examples[0]
    if any(isinstance(example, str) is not isinstance(own, str) for example in given):
        kind = "sentences" if isinstance(own, str) else f"tuples of {len(own)} sentences"
        raise ValueError(
            f"{held.run} trains on {kind}, but these examples are of another kind; give {kind}"
        )
    about = (
        f"{plural(len(given), 'chosen sentence')} as a batch, at the weights after step {held.step}"
    )
    return replace(held, examples=given, batch=held.method.tokenize(given), about=about)


def checkpoint_steps(run: RunSource) -> list[int]:
    """List the steps whose weights can be read, latest first: the checkpoints on disk, and step 0."""
    files = RunFolder(as_run("run", run).folder)
    return sorted(_checkpoint_files(files, RunConfig.read(files)), reverse=True)


def _checkpoint_files(files: RunFolder, recipe: RunConfig) -> dict[int, str | None]:
    """Return the file of each step; None for step 0, whose weights follow from the configuration."""
    by_step: dict[int, str | None] = {
        meta.step: name for name, meta in files.checkpoints.on_disk().items()
    }
    return by_step if recipe.parent is not None and recipe.parent.step else {0: None, **by_step}


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
        done, held = loop.step, loop.batches.ahead(loop.step)
        about = f"step {done + 1} of {loop.total}, the next one: its batch and draws, at the present weights"
        if held is None:
            if not loop.batches.latest:
                raise RuntimeError(
                    f"{run.name} reads a stream, which cannot be read ahead; wait for its first step"
                )
            done, latest = done - 1, loop.batches.latest
            held = latest, loop.method.tokenize(latest)
            about = (
                f"the batch and draws of step {done + 1}, at the weights after that step: a stream cannot be read "
                "ahead, so the run has already trained on these sentences"
            )
        copied = copy.deepcopy(loop.method)
        return FrozenStep(
            run.name, copied, *held, done, loop.total, loop.seed, run.recipe.precision, about
        )


def _from_folder(files: RunFolder, step: int | None) -> FrozenStep:
    """Rebuild a step from a checkpoint in the folder; nothing is written."""
    recipe = RunConfig.read(files)
    at, tensors, values = _checkpoint(files, recipe, step)
    device = recipe.device if is_here(recipe.device) else usual_device()
    method = rebuild(recipe, files, read_config(recipe, files, values), device)
    if at < recipe.steps:
        where = "at the initial weights" if tensors is None else f"from the checkpoint of step {at}"
        about = f"step {at + 1} of {recipe.steps}, {where}"
    else:
        about = (
            f"after the last of {plural(recipe.steps, 'step')}, with the batch that would come next"
        )
    context = RunPreparation(files, read_only=True)
    held = _next_batch(
        method, read_sentences(recipe.sentences, files), recipe.seed, context, at, tensors
    )
    return FrozenStep(
        recipe.name, method, *held, at, recipe.steps, recipe.seed, recipe.precision, about
    )


def _next_batch(
    method: Method[Any],
    examples: Sequence[Any] | Iterable[Any],
    seed: int,
    context: PreparationContext,
    step: int = 0,
    tensors: Mapping[str, Tensor] | None = None,
) -> tuple[list[Any], list[Any]]:
    """Prepare ``method``, load ``tensors``, and return the batch after ``step``: raw and tokenised examples."""
    batches, _, _ = make_batches(method, examples, method.config.batch_size, seed)
    method.begin(batches.batch, context)
    if tensors is not None:
        restore_method(method, tensors)
    batch = batches.batch(step)
    return batches.latest, batch


def _checkpoint(
    files: RunFolder, recipe: RunConfig, step: int | None
) -> tuple[int, dict[str, Tensor] | None, Mapping[str, Any]]:
    """Return number, tensors and configuration of a step with stored weights, by default the latest."""
    if step is None:
        tensors, meta = files.checkpoints.read()
        return meta.step, tensors, meta.config
    known = _checkpoint_files(files, recipe)
    if step not in known:
        raise ValueError(
            f"{recipe.name} has no weights of step {step}; give one of the stored steps "
            f"({', '.join(map(str, sorted(known))) or 'none'}) or leave step out. clwork.start(..., keep_every=50) "
            "stores a checkpoint of every 50th step"
        )
    file = known[step]
    if file is None:
        return 0, None, recipe.config
    tensors, meta = files.checkpoints.of(file)
    return meta.step, tensors, meta.config


class TermShare(NamedTuple):
    """A term of the loss: its value, and the norm of its gradient with respect to the trained weights."""

    value: float
    gradient: float


class Pair(NamedTuple):
    """An anchor and one of its candidates."""

    kind: str  # "positive", or the method's name for the candidate
    name: str  # the candidate's set of vectors, such as "view 2"
    sentence: (
        int | None
    )  # the candidate's row in the batch; None for synthetic candidates, such as noise
    text: str
    score: float  # similarity of anchor and candidate, by the table's measure
    weight: float | None  # softmax weight, if the loss has a softmax
    gradient: float  # d loss / d score: a negative gradient pulls, a positive one pushes
    norm: float  # norm of this pair's contribution to the anchor's gradient

    @property
    def pull(self) -> float:
        """The norm of the pair's gradient; negative if the pair pushes."""
        return -self.norm if self.gradient > 0 else self.norm


@dataclass(frozen=True)
class ScoreGradients:
    """A detached :class:`clwork.methods.ScoreTable`, and the gradient of the loss by its scores, ``(B, C)``."""

    table: ScoreTable
    gradient: Tensor
    texts: tuple[Sequence[str], ...]

    @property
    def role(self) -> str:
        """The role of the anchors, such as ``"view 1 retrieves view 2"``."""
        return self.table.role

    @property
    def measure(self) -> str:
        return self.table.measure.name

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Name and number of candidates of each group, in the order of the columns."""
        return [(group.name, group.count) for group in self.table.candidates]

    def matrices(self) -> dict[str, Matrix]:
        """Return scores, softmax weights (if the loss has a softmax) and gradients, each ``(B, C)``."""
        named = {self.measure: self.table.scores}
        named |= {} if self.table.weights is None else {"softmax weight": self.table.weights}
        return {
            name: numbers(matrix) for name, matrix in (named | {GRADIENT: self.gradient}).items()
        }

    @property
    def losses(self) -> Matrix | None:
        """Each sentence's contribution to the loss, ``(B,)``."""
        return None if self.table.losses is None else numbers(self.table.losses)

    def anchor_gradients(self, row: int) -> Tensor:
        """Return each candidate's part of the gradient with respect to the anchor in ``row``, ``(C, D)``."""
        anchor = at_least_float32(self.table.anchors[row])
        parts: list[Tensor] = []
        for group in self.table.candidates:
            others = group.vectors if group.vectors.dim() == 2 else group.vectors[row]
            with torch.enable_grad():
                copies = anchor.expand(len(others), -1).clone().requires_grad_()  # (C, D)
                scores = self.table.measure.each(copies, others)
                parts += torch.autograd.grad(scores.sum(), copies)
        return torch.cat(parts).float() * self.gradient[row][:, None]

    def pairs(self, row: int) -> list[Pair]:
        """List the pairs of the anchor in ``row`` that contribute to the loss, largest norm first."""
        table, kinds = self.table, self._kinds(row)
        scores, gradients, counts = (
            matrix[row].tolist() for matrix in (table.scores, self.gradient, table.counts)
        )
        norms = self.anchor_gradients(row).norm(dim=1).tolist()
        weights = [None] * len(scores) if table.weights is None else table.weights[row].tolist()
        places = [(g, k) for g, group in enumerate(table.candidates) for k in range(group.count)]
        pairs = []
        for column, (g, k) in enumerate(places):
            if counts[column]:
                group, text = table.candidates[g], self.texts[g][k]
                measured = scores[column], weights[column], gradients[column], norms[column]
                pairs.append(
                    Pair(kinds[column], group.name, None if group.synthetic else k, text, *measured)
                )
        return sorted(pairs, key=lambda pair: -pair.norm)

    def _kinds(self, row: int) -> list[str]:
        kinds = [group.kind for group in self.table.candidates for _ in range(group.count)]
        mine = self.table.positive[row].tolist()
        return [self.table.own if own else kind for own, kind in zip(mine, kinds, strict=True)]

    def by_kind(self, row: int) -> dict[str, float]:
        """Return for each kind of candidates the norm of their part of the anchor's gradient; negative if it pushes."""
        parts, gradient = self.anchor_gradients(row).cpu(), self.gradient[row].cpu()
        counts, kinds, lengths = self.table.counts[row].cpu(), self._kinds(row), {}
        for kind in dict.fromkeys([self.table.own, *kinds]):
            chosen = torch.tensor([name == kind for name in kinds]) & counts
            if chosen.any():
                length = float(parts[chosen].sum(dim=0).norm())
                lengths[kind] = -length if float(gradient[chosen].sum()) > 0 else length
        return lengths


@dataclass(frozen=True)
class StepForces:
    """Loss, terms and gradients of a step, for each sentence of its batch; made by :func:`forces_at`."""

    run: str
    title: str
    step: int
    about: str  # a sentence that describes the step
    texts: tuple[str, ...]
    loss: float
    gradient_norm: float  # with respect to the trained weights, before clipping
    terms: dict[str, TermShare]  # the values add up to the loss
    tables: tuple[
        ScoreGradients, ...
    ]  # anchors with candidates; empty if the method defines no forces
    parts: dict[str, float]  # numbers that the method records in addition to the loss
    view_norms: dict[
        str, Matrix
    ]  # of each view: norm of the gradient by each sentence's vector, (B,)

    def formula(self, row: int, table: int = 0) -> list[str]:
        """Return the loss formula with a sentence's numbers filled in, as lines of LaTeX."""
        lines = self.tables[table].table.lines if self.tables else None
        return [
            *(lines(row) if lines else ()),
            summed({name: term.value for name, term in self.terms.items()}),
        ]


@checked()
def forces_at(
    run: RunSource, step: Natural | None = None, examples: Sequence[Any] | None = None
) -> StepForces:
    """Compute loss and gradients of a step (default: the present one), if given with ``examples`` as its batch."""
    folder = as_run("run", run).folder
    live = next((known for known in live_runs() if known.alive and known.folder == folder), None)
    held = (None if live is None else _from_memory(live, step)) or _from_folder(
        RunFolder(folder), step
    )
    return differentiate(held if examples is None else with_batch(held, examples))


def differentiate(held: FrozenStep) -> StepForces:
    """Run the forward pass with the step's own random draws, and compute all gradients."""
    method, device = held.method, held.method.encoder.device
    method.train()
    method.before_step(min(held.step, held.total - 1), held.total, method.optimizer())
    with torch.enable_grad(), own_draws(device):
        around = partial(forward_pass, device, without_scaler(held.precision))
        views = embedded(method, held.batch, Draws.of(held.seed, held.step, device), around=around)
        terms, forces = method.compare(views), method.forces(views)
    named = {"loss": terms.loss} if forces is None else dict(forces.terms)
    value, total = float(terms.loss.detach()), sum(float(term.detach()) for term in named.values())
    if abs(total - value) > TOLERANCE * max(1.0, abs(total)):
        raise ValueError(
            f"the terms that {type(method).__name__}.forces returns add up to {total:.6g}, but its loss is "
            f"{value:.6g}; return every part of the loss as a term, with the loss's weights"
        )
    texts = tuple(
        example if isinstance(example, str) else str(example[0]) for example in held.examples
    )
    more = (
        view_texts(method, held.examples, held.batch, Draws.of(held.seed, held.step, device))
        if forces
        else {}
    )
    parameters = [p for p in method.parameters() if p.requires_grad]
    return StepForces(
        held.run,
        method.title,
        held.step,
        held.about,
        texts,
        value,
        _gradient_norm(terms.loss, parameters),
        {
            name: TermShare(float(term.detach()), _gradient_norm(term, parameters))
            for name, term in named.items()
        },
        () if forces is None else _score_gradients(forces, texts, more),
        {name: float(part) for name, part in terms.parts.items()},
        _view_norms(terms.loss, views, len(texts)),
    )


@contextmanager
def own_draws(device: torch.device) -> Iterator[None]:
    """Context that restores torch's global generators at its end, because a method may draw from the generators."""
    gpu = device.type == "cuda"
    before = torch.get_rng_state(), torch.cuda.get_rng_state(device) if gpu else None
    try:
        yield
    finally:
        if not torch.equal(torch.get_rng_state(), before[0]):
            torch.set_rng_state(before[0])
        if before[1] is not None and not torch.equal(torch.cuda.get_rng_state(device), before[1]):
            torch.cuda.set_rng_state(before[1], device)


def _gradient_norm(loss: Tensor, parameters: Sequence[Tensor]) -> float:
    if not loss.requires_grad:
        return 0.0
    gradients = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
    return float(
        torch.stack([part.float().norm() for part in gradients if part is not None]).norm()
    )


def _score_gradients(
    forces: Forces, texts: Sequence[str], more: dict[str, list[str]]
) -> tuple[ScoreGradients, ...]:
    loss = torch.stack(list(forces.terms.values())).sum()
    tables = []
    for table in forces.tables:
        names = tuple(
            [f"{group.name} {k + 1}" for k in range(group.count)]
            if group.synthetic
            else more.get(group.view, texts)
            for group in table.candidates
        )
        tables.append(ScoreGradients(table.detached(), table.gradient(loss), names))
    return tuple(tables)


def _view_norms(loss: Tensor, views: Views, size: int) -> dict[str, Matrix]:
    """Return for each view the norm of the loss's gradient by each row, ``(B,)``; omit views without a gradient."""
    trained = {
        name: view for name, view in views.items() if view.requires_grad and len(view) == size
    }
    if not trained:
        return {}
    gradients = torch.autograd.grad(
        loss, list(trained.values()), retain_graph=True, allow_unused=True
    )
    found = zip(trained, gradients, strict=True)
    return {name: numbers(part.flatten(1).norm(dim=1)) for name, part in found if part is not None}


def numbers(tensor: Tensor) -> Matrix:
    array: Matrix = tensor.detach().float().cpu().numpy()
    return array
