"""Measures how loss terms and hyperparameters affect one training step; finds hyperparameters without effect."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import torch
from torch import Tensor

from .. import data
from .._validation import Positive, checked, usual_device
from ..encoders import Encoder, load_encoder
from ..methods import Draws, Method, MethodConfig, fields, get
from ..methods import config as make_config
from ..methods.base import PreparationContext
from ..methods.hyperparameters import Field, Value, build, unknown_name
from ..methods.step import apply_update, differentiate, train_step
from ..precision import forward_pass, resolve, without_scaler
from ..run_folder.checkpoints import optimizer_tensors, restore_optimizer
from ..run_folder.folder import encoder_of
from ..wording import plural
from .batches import IndexedBatches
from .examples import a_corpus, an_encoder
from .forces import FrozenStep, StepForces, TermShare, own_draws
from .forces import differentiate as differentiate_scores
from .preparation import SAMPLE, build_method, indexed_batches

if TYPE_CHECKING:
    import pandas as pd

Acts = Literal["in the batch", "in the step", "between steps", "before the first step", "nowhere", "not tried"]
STEPS_BEFORE = 2  # steps before the audited one: at step 1 the weights are unchanged and the optimizer has no moments
SHORT = 10  # most steps of the method's preparation
UNTRIABLE = (ValueError, TypeError, LookupError, ImportError, OSError, RuntimeError)
Tensors = Mapping[str, Tensor]


class Difference(NamedTuple):
    """How a step under another configuration differs from the present step; all zeros if both are bitwise equal."""

    loss: float
    gradient: float  # norm of the change divided by the gradient's norm
    vectors: float  # norm of the change in the vectors of all views, divided by their norm
    update: float  # norm of the change in weights and buffers, divided by the norm of the step's own update
    schedule: float  # largest relative change of a learning rate, decay or momentum in any step of the run
    examples: float  # share of the batch's examples that changed


@dataclass(frozen=True)
class Effect:
    """The effect of a hyperparameter; ``acts`` names the first part of training that the hyperparameter changes."""

    name: str
    value: Value
    acts: Acts
    differences: Mapping[Value, Difference]  # by tried value
    untried: Mapping[Value, str]  # errors, by value that could not be tried
    inert: str = ""  # why the hyperparameter has no effect; empty if it has an effect

    def most(self, measure: str) -> float:
        """Return the largest change of ``"loss"``, ``"gradient"``, ``"vectors"``, ``"update"`` or ``"schedule"``."""
        return max((abs(getattr(each, measure)) for each in self.differences.values()), default=0.0)


@dataclass(frozen=True)
class Audit:
    """The terms of a step's loss and the effect of every hyperparameter; see :func:`clwork.audit`."""

    step: StepForces  # with the present configuration
    encoder: str  # name of the start encoder
    config: MethodConfig
    effects: Mapping[str, Effect]
    cut: tuple[int, int] | None = None  # if the preparation was shortened: its steps here, and in a run

    @property
    def terms(self) -> dict[str, TermShare]:
        """Each term's share of the loss and of the gradient's norm; the shares of each add up to 1."""
        terms = self.step.terms
        loss = sum(abs(term.value) for term in terms.values()) or 1.0
        gradient = sum(term.gradient for term in terms.values()) or 1.0
        return {name: TermShare(abs(t.value) / loss, t.gradient / gradient) for name, t in terms.items()}

    @property
    def inert(self) -> dict[str, str]:
        """The hyperparameters that have no effect at their present value, each with the reason."""
        return {name: effect.inert for name, effect in self.effects.items() if effect.inert}

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row per hyperparameter: value, tried values, first changed part, largest changes, reason if inert."""
        import pandas as pd

        rows = []
        for name, effect in self.effects.items():
            tried = ", ".join(map(_short, effect.differences))
            row = {"hyperparameter": name, "value": effect.value, "tried": tried, "acts": effect.acts}
            row |= {measure: effect.most(measure) for measure in ("loss", "gradient", "vectors", "update", "schedule")}
            untried = "; ".join(f"{_short(value)}: {why}" for value, why in effect.untried.items())
            rows.append(row | {"why": effect.inert or (untried and f"not tried: {untried}")})
        return pd.DataFrame(rows).set_index("hyperparameter")

    def _lines(self) -> Iterator[str]:
        step = self.step
        yield (
            f"{step.title} on {self.encoder}, {step.about}, {plural(len(step.texts), 'example')}: "
            f"loss {step.loss:.4g}, gradient {step.gradient_norm:.4g}"
        )
        if self.cut is not None:
            yield f"the preparation took {self.cut[0]} of the {self.cut[1]} steps of a run, so its cosines differ"
        for name, share in self.terms.items():
            yield f"{name}: {share.value:.1%} of the loss, {share.gradient:.1%} of the gradient"
        yield "; ".join(f"{name.replace('_', ' ')} {value:.3g}" for name, value in step.parts.items())
        for name, reason in self.inert.items():
            yield f"{name}={_short(self.effects[name].value)} has no effect here: {reason}"
        if not self.inert:
            yield "every hyperparameter that was tried has an effect"

    def __repr__(self) -> str:
        return "\n".join(self._lines())


@checked(encoder=an_encoder, sentences=a_corpus)
def audit(
    method: str,
    encoder: Any = None,
    *,
    sentences: Any = None,
    steps: Positive = 300,
    seed: int = 0,
    only: Sequence[str] | None = None,
    **config: Any,
) -> Audit:
    """Repeat the third step of ``clwork.train(method, encoder=encoder, **config)`` once for each changed setting.

    Each hyperparameter is set to each other choice, or to the ends of its slider (an integer at most to twice its
    value), with the same weights, examples and random draws. A hyperparameter is inert if it leaves step, update,
    learning rates and preparation bitwise unchanged, or if it is a threshold that is never reached, such as φ above
    every cosine. The method's preparation, such as training DCLR's complementary model, is cut to ten steps; to use the
    cosines of a full run, pass a trained model as ``complementary=``.

    >>> clwork.audit("simcse").inert["augmentation_rate"]  # doctest: +SKIP
    "there is no rate; set augmentation='delete' or 'crop'"

    Args:
        method: one of ``clwork.methods.names()``.
        encoder: as for :func:`clwork.start`.
        sentences: as for :func:`clwork.start`; only the first sentences of a stream are used.
        steps: length of the audited run, which sets the learning-rate schedule.
        seed: seed of all random numbers.
        only: names of the hyperparameters to try; default: all. Each takes one to four training steps.
        config: hyperparameters, see :func:`clwork.methods.config`.
    """
    chosen = get(method).default_encoder if encoder is None else encoder
    values = make_config(method, encoder=chosen, **config)
    known = {field.name: field for field in fields(values)}
    if unknown := [name for name in only or () if name not in known]:
        raise ValueError(f"only: {unknown_name(unknown[0], list(known), 'hyperparameter')}")
    start = chosen if isinstance(chosen, Encoder) else load_encoder(chosen, device=usual_device(), seed=seed)
    repeat = RepeatedStep(method, start, _examples(sentences), values, steps, seed)
    step, present = differentiate_scores(repeat.frozen), repeat.step(values)
    noise = present.difference(repeat.step(values))  # 0 on a CPU; a GPU may sum in a different order each time
    trial = _Trial(repeat, present, noise, step.parts)
    effects = {name: trial.effect(field) for name, field in known.items() if only is None or name in only}
    return Audit(step, start.name, values, effects, repeat.preparation.cut)


def _examples(sentences: Any) -> Sequence[Any]:
    given = isinstance(sentences, Sequence) and not isinstance(sentences, str)
    read = sentences if given else data.sentences() if sentences is None else data.sentences(sentences)
    return read if isinstance(read, Sequence) else list(islice(read, SAMPLE))


def alternatives(field: Field, value: Value) -> list[Value]:
    """List the values to try in place of ``value``: all other choices, or the ends of the slider."""
    if field.choices is not None:
        return [choice for choice in field.choices if choice != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str) or field.low is None or field.high is None:
        return []
    low, high = field.span or (field.low, field.high)
    if field.kind == "int":  # large integers cost time and memory
        high = min(high, 2 * value or high)
    return [end for end in (field.check(low), field.check(high)) if end != value]


class SharedPreparation(PreparationContext):
    """The result of :meth:`.Method.begin`, made once and shared by all repetitions of a step."""

    def __init__(self, most: int | None = None) -> None:
        self.encoders: dict[str, Encoder] = {}
        self.cut: tuple[int, int] | None = None
        self._most = most  # a longer preparation raises an error; if None, a preparation is cut to SHORT steps

    def length(self, steps: int) -> int:
        """Return the number of steps to take in a preparation of ``steps``."""
        if self._most is not None or steps <= SHORT:
            return steps
        self.cut = SHORT, steps
        return SHORT

    def keep_encoder(self, name: str, make: Any, device: str | None = None) -> Encoder:
        if name not in self.encoders:
            self.encoders[name] = make()
        return self.encoders[name]

    def named_encoder(self, hyperparameter: str, named: str, read: Any) -> Encoder:
        """Call ``read`` with the encoder of the run called ``named``, or with ``named`` if there is no such run."""
        encoder: Encoder = read(encoder_of(named) or named)
        return encoder

    def progress(self, work: str, done: int, total: int) -> None:
        """Raise RuntimeError if a preparation has more steps than allowed."""
        if self._most is not None and total > self._most:
            raise RuntimeError(f"{work} takes {total} steps, more than {self._most}")


@dataclass(frozen=True)
class HeldStep:
    """The results of a training step; ``before`` and ``after`` hold weights and buffers."""

    examples: list[Any]
    loss: Tensor
    vectors: Tensors
    gradients: Tensors
    before: Tensors
    after: Tensors
    rates: list[list[float]]  # the optimizer's settings at each step of the run
    same_start: bool  # whether the initial weights are those of the present configuration

    def difference(self, other: HeldStep) -> Difference:
        examples = set(map(repr, self.examples))
        others = sum(repr(example) not in examples for example in other.examples)
        both = [name for name, t in self.after.items() if name in other.after and other.after[name].shape == t.shape]
        update = _distance(self.before, self.after)
        moved = _distance({n: self.after[n] for n in both}, {n: other.after[n] for n in both})
        return Difference(
            float(other.loss - self.loss),
            _distance(self.gradients, other.gradients) / (_distance(self.gradients, {}) or 1.0),
            _distance(self.vectors, other.vectors) / (_distance(self.vectors, {}) or 1.0),
            moved / (update or 1.0),
            _largest_change(self.rates, other.rates),
            others / max(1, len(other.examples)),
        )


def _distance(mine: Tensors, theirs: Tensors) -> float:
    """Return the norm of all differences; a tensor that is missing or differs in shape adds its own norm."""
    total = 0.0
    for name in {**mine, **theirs}:
        pair = [tensors[name].double() for tensors in (mine, theirs) if name in tensors]
        if len(pair) == 2 and pair[0].shape == pair[1].shape:
            pair = [pair[0] - pair[1]]
        total += sum(float(tensor.square().sum()) for tensor in pair)
    return math.sqrt(total)


def _largest_change(mine: list[list[float]], theirs: list[list[float]]) -> float:
    """The largest relative difference of two tables of numbers; 1 if their shapes differ."""
    if [len(row) for row in mine] != [len(row) for row in theirs]:
        return 1.0
    pairs = [(a, b) for row, other in zip(mine, theirs, strict=True) for a, b in zip(row, other, strict=True)]
    return max((abs(a - b) / max(abs(a), abs(b)) for a, b in pairs if a != b), default=0.0)


class RepeatedStep:
    """Repeats step STEPS_BEFORE + 1 of a run under other configurations, always from the same weights."""

    def __init__(
        self, name: str, encoder: Encoder, examples: Sequence[Any], config: MethodConfig, total: int, seed: int
    ) -> None:
        self.name, self._encoder, self._examples = name, encoder, examples
        self.config, self.total, self.seed = config, total, seed
        self.preparation = SharedPreparation()
        self.kind = build_method(name, copy.deepcopy(encoder), config, seed).check_examples(examples)
        method, batches, optimizer = self._begun(config, self.preparation)
        self._initial = _copies(method.state_dict())
        for step in range(STEPS_BEFORE):
            batch = batches.batch(step)
            train_step(method, optimizer, batch, self._draws(step), step, total, around=self._around(config))
            method.after_step()
        self._weights = _copies(method.state_dict())
        self._moments, self._shapes = _copies(optimizer_tensors(optimizer)), _shapes(optimizer)
        optimizer.zero_grad()
        tokens, precision = batches.batch(STEPS_BEFORE), self._precision(config)
        about = f"step {STEPS_BEFORE + 1} of {total}"
        self.frozen = FrozenStep("", method, batches.latest, tokens, STEPS_BEFORE, total, seed, precision, about)

    def step(self, config: MethodConfig, preparation: PreparationContext | None = None) -> HeldStep:
        """Do the step under ``config``; ``preparation`` defaults to the shared one."""
        method, batches, optimizer = self._begun(config, preparation or self.preparation)
        own = method.state_dict()
        same_start = own.keys() == self._initial.keys() and all(
            tensor.shape == own[name].shape and torch.equal(tensor, own[name]) for name, tensor in self._initial.items()
        )
        # fingerprints belong to the frozen encoders that the method has just made
        fitting = {n: t for n, t in self._weights.items() if n in own and own[n].shape == t.shape}
        fitting = {name: tensor for name, tensor in fitting.items() if not name.endswith("fingerprint")}
        method.load_state_dict(fitting, strict=False)
        if _shapes(optimizer) == self._shapes:
            restore_optimizer(optimizer, _copies(self._moments))
        before, batch = _floating(method), batches.batch(STEPS_BEFORE)
        method.train()
        method.before_step(STEPS_BEFORE, self.total, optimizer)
        with torch.enable_grad():
            views, terms = differentiate(method, batch, self._draws(STEPS_BEFORE), around=self._around(config))
        gradients = {name: p.grad.clone() for name, p in method.named_parameters() if p.grad is not None}
        apply_update(optimizer, method.parameters(), method.config.clip, terms.loss)
        method.after_step()
        vectors, after = {name: view.detach() for name, view in views.items()}, _floating(method)
        rates = []
        for step in range(self.total):
            method.before_step(step, self.total, optimizer)
            settings = [group.values() for group in optimizer.param_groups if group["params"]]
            rates.append([float(v) for values in settings for v in values if isinstance(v, int | float)])
        return HeldStep(batches.latest, terms.loss.detach(), vectors, gradients, before, after, rates, same_start)

    def _begun(
        self, config: MethodConfig, preparation: PreparationContext
    ) -> tuple[Method[Any], IndexedBatches, torch.optim.Optimizer]:
        method = build_method(self.name, copy.deepcopy(self._encoder), replace(config), self.seed)
        method.kind = self.kind
        batches = indexed_batches(method, self._examples, config.batch_size, self.seed)
        with own_draws(self._encoder.device):
            method.begin(batches.batch, preparation)
        return method, batches, method.optimizer()

    def _draws(self, step: int) -> Draws:
        return Draws.of(self.seed, step, self._encoder.device)

    def _precision(self, config: MethodConfig) -> str:
        return without_scaler(resolve(config.precision, str(self._encoder.device)).name)

    def _around(self, config: MethodConfig) -> Any:
        return partial(forward_pass, self._encoder.device, self._precision(config))


def _copies(tensors: Tensors) -> dict[str, Tensor]:
    return {name: tensor.detach().clone() for name, tensor in tensors.items()}


def _floating(method: Method[Any]) -> dict[str, Tensor]:
    return _copies({name: tensor for name, tensor in method.state_dict().items() if tensor.is_floating_point()})


def _shapes(optimizer: torch.optim.Optimizer) -> list[list[torch.Size]]:
    return [[parameter.shape for parameter in group["params"]] for group in optimizer.param_groups]


@dataclass(frozen=True)
class _Trial:
    """Tries hyperparameters at other values; ``noise`` is the difference of two identical steps."""

    repeat: RepeatedStep
    present: HeldStep
    noise: Difference
    parts: Mapping[str, float]

    def effect(self, field: Field) -> Effect:
        value, idle = getattr(self.repeat.config, field.name), field.idle(self.repeat.config, self.repeat.kind)
        differences, untried, same_start = self._try(field, value, None)
        acts = _acts(differences.values())
        if acts == "nowhere" and not idle and self.repeat.preparation.encoders:
            prepared, failed, _ = self._try(field, value, SHORT)
            if any(map(any, prepared.values())):
                differences, acts = prepared, "before the first step"
            elif failed:
                untried, acts = untried | failed, "not tried"
        if acts == "nowhere" and not idle and not same_start:
            acts = "before the first step"  # initial weights change, but the step replaces them
        inert = self._inert(field, value, idle, differences, acts)
        return Effect(field.name, value, acts, differences, untried, inert)

    def _try(
        self, field: Field, value: Value, most: int | None
    ) -> tuple[dict[Value, Difference], dict[Value, str], bool]:
        """Do the step at each value of ``field`` except ``value``; ``most`` limits the steps of its own preparation."""
        differences: dict[Value, Difference] = {}
        untried: dict[Value, str] = {}
        same_start, own = True, self.repeat.config
        for other in alternatives(field, value):
            try:
                config = build(type(own), {**vars(own), field.name: other})
                step = self.repeat.step(config, None if most is None else SharedPreparation(most))
            except UNTRIABLE as error:
                untried[other] = next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]
                continue
            pairs = zip(self.present.difference(step), self.noise, strict=True)
            differences[other] = Difference(*(0.0 if abs(found) <= abs(noise) else found for found, noise in pairs))
            same_start = same_start and step.same_start
        return differences, untried, same_start

    def _inert(self, field: Field, value: Any, idle: str, differences: Mapping[Value, Difference], acts: Acts) -> str:
        reason = field.non_binding.explain(value, dict(self.parts)) if field.non_binding else ""
        if acts == "nowhere":
            tried = ", ".join(map(_short, differences))
            return idle or reason or f"loss, gradient, vectors and weights are bitwise equal at {tried}"
        same = [other for other, each in differences.items() if not any(each)]
        if acts != "in the step" or field.choices is not None or len(same) != 1 or len(differences) != 2:
            return ""
        low, high = sorted(differences, key=float)
        limits = field.non_binding is not None and self.parts.get(field.non_binding.part, 0.0) != 0
        if limits or not float(low) < float(value) < float(high):
            return ""
        return reason or f"all values between {_short(value)} and {_short(same[0])} have the same effect"


def _acts(differences: Iterable[Difference]) -> Acts:
    found = list(differences)
    if not found:
        return "not tried"
    if any(each.examples for each in found):
        return "in the batch"
    if any(each.loss or each.gradient or each.vectors for each in found):
        return "in the step"
    return "between steps" if any(map(any, found)) else "nowhere"


def _short(value: Value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)
