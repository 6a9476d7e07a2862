"""What every term and every hyperparameter does in one real step, and which of them do nothing."""

from __future__ import annotations

import html
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from ... import data
from ..._validation import Positive, checked, usual_device
from ...encoders import Encoder, load_encoder
from ...methods import Field, MethodConfig, Value, fields, get
from ...methods import config as make_config
from ...methods.hyperparameters import build, unknown_name
from ...wording import plural
from ..examples import a_corpus, an_encoder
from ..preparation import HEAD
from .one_step import SHORT, Difference, HeldStep, OnePreparation, StepMaker, TooLongError
from .step_forces import StepForces, TermShare, differentiate

if TYPE_CHECKING:
    import pandas as pd

Acts = Literal["in the batch", "in the step", "between steps", "before the first step", "nowhere", "not tried"]
FAINT = 1e-3  # of loss and gradient: what changes less is named too
CANNOT = (ValueError, TypeError, LookupError, ImportError, OSError, RuntimeError, TooLongError)


@dataclass(frozen=True)
class Effect:
    """What a hyperparameter changes, seen from its present value.

    Attributes:
        name: of the hyperparameter; ``value`` its present one.
        acts: where the first change shows. ``"in the batch"``: other examples; ``"in the step"``: other loss, gradient
            or vectors of the same ones; ``"between steps"``: another update of the weights, or other rates in the
            schedule; ``"before the first step"``: other first weights, or another preparation, such as of a model that
            judges negatives; ``"nowhere"``: all values tried are equal to the bit; ``"not tried"``: there was none to
            try here.
        differences: by the other values that were tried, how far the step is from the present one.
        untried: by value, why it could not be tried.
        inert: why it does nothing at its present value; empty where it does something.
        faint: how little it does, where that is less than a thousandth of loss and gradient.
    """

    name: str
    value: Value
    acts: Acts
    differences: Mapping[Value, Difference]
    untried: Mapping[Value, str]
    inert: str = ""
    faint: str = ""

    def most(self, measure: str) -> float:
        """Return the largest change of ``"loss"``, ``"gradient"``, ``"vectors"``, ``"update"`` or ``"schedule"``."""
        return max((abs(getattr(each, measure)) for each in self.differences.values()), default=0.0)


@dataclass(frozen=True)
class Audit:
    """What a step's loss is made of, and what every hyperparameter does to it; see :func:`clwork.audit`.

    Attributes:
        step: loss, gradient, terms and recorded parts at the present setting, as the force view has them.
        encoder: what the audited run starts from; ``config`` its hyperparameters.
        effects: by hyperparameter.
        seconds: the audit took; ``prepared`` of these for what comes before the first step.
        cut: steps that what is prepared was trained for, and steps that a run takes for it; None where they are equal.
    """

    step: StepForces
    encoder: str
    config: MethodConfig
    effects: Mapping[str, Effect]
    seconds: float
    prepared: float
    cut: tuple[int, int] | None = None

    @property
    def terms(self) -> dict[str, TermShare]:
        """Each term's share of the loss and of the gradient's length, of 1: absolute values add up to 1."""
        terms = self.step.terms
        loss = sum(abs(term.value) for term in terms.values()) or 1.0
        gradient = sum(term.gradient for term in terms.values()) or 1.0
        return {name: TermShare(abs(t.value) / loss, t.gradient / gradient) for name, t in terms.items()}

    @property
    def inert(self) -> dict[str, str]:
        """The hyperparameters that do nothing at their present value, with the reason."""
        return {name: effect.inert for name, effect in self.effects.items() if effect.inert}

    @property
    def faint(self) -> dict[str, str]:
        """Those that change less than a thousandth of loss and gradient, whatever their value."""
        return {name: effect.faint for name, effect in self.effects.items() if effect.faint}

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row per hyperparameter: value, what was tried, where it acts, its largest changes, and why it does nothing.

        The changes are those of :class:`.Difference`.
        """
        import pandas as pd

        rows = []
        for name, effect in self.effects.items():
            tried = ", ".join(_short(value) for value in effect.differences)
            row = {"hyperparameter": name, "value": effect.value, "tried": tried, "acts": effect.acts}
            row |= {measure: effect.most(measure) for measure in ("loss", "gradient", "vectors", "update", "schedule")}
            untried = "; ".join(f"{_short(value)}: {why}" for value, why in effect.untried.items())
            rows.append(row | {"why": effect.inert or effect.faint or (untried and f"not tried: {untried}")})
        return pd.DataFrame(rows).set_index("hyperparameter")

    def _lines(self) -> Iterator[str]:
        """The audit in sentences: step, terms, parts, and what does nothing."""
        step = self.step
        yield (
            f"{step.title} on {self.encoder}, {step.about}, {plural(len(step.texts), 'example')}: "
            f"loss {step.loss:.4g}, gradient {step.gradient_norm:.4g}"
        )
        if self.cut is not None:
            taken, whole = self.cut
            yield (
                f"what is prepared before the first step was trained for {taken} of its {whole} steps, to be quick: "
                "in a run its cosines differ"
            )
        for name, share in self.terms.items():
            yield f"{name}: {share.value:.1%} of the loss, {share.gradient:.1%} of the gradient"
        yield "; ".join(f"{name.replace('_', ' ')} {value:.3g}" for name, value in step.parts.items())
        for title, reasons in (("does nothing here", self.inert), ("does next to nothing in this step", self.faint)):
            for name, reason in reasons.items():
                yield f"{name}={_short(self.effects[name].value)} {title}: {reason}"
        if not self.inert:
            yield "no hyperparameter that was tried is without effect"

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        first, *rest = (html.escape(line) for line in self._lines())
        about = f"<b>{first}</b><ul>{''.join(f'<li>{line}</li>' for line in rest)}</ul>"
        table = self.table.drop(columns="why").to_html(float_format=lambda number: f"{number:.2g}", border=0)
        return f"{about}<details><summary>every hyperparameter</summary>{table}</details>"


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
    """Audit the third step of ``clwork.train(method, encoder=encoder, **config)``: what does each setting do in it?

    The step is done again with every hyperparameter at each other choice and at the ends of its slider (of whole
    numbers at most at twice the value), from the same weights, examples and random draws, and compared. Two steps come
    before it: at the very first, nothing has moved away from anything yet. What changes nothing in the step is looked
    for in the update of the weights, in the rates of all steps, and in the preparation; what changes nothing at all, to
    the bit, is inert. A limit is inert, too, where every value beyond it does the same, such as a φ that no pair
    reaches.

    What is prepared before the first step (DCLR's model that judges negatives) is made once and kept, as when a slider
    moves while a run goes on. To be quick it is trained for ten steps at most, and the audit says so: give
    ``complementary=`` a trained model for the cosines of a whole run. A preparation of more steps is not repeated.

    >>> clwork.audit("simcse").inert["augmentation_rate"]  # doctest: +SKIP
    "there is none; set augmentation='delete' or 'crop'"

    Args:
        method: one of ``clwork.methods.names()``.
        encoder: what :func:`clwork.load_encoder` takes, or an encoder; default: the method's.
        sentences: as for :func:`clwork.start`; of a stream its head.
        steps: of the run that is audited: its learning rate's course depends on them.
        seed: of everything random.
        only: names of the hyperparameters to try; default: all. Each takes one to four steps.
        config: hyperparameters, see :func:`clwork.methods.config`.

    Raises:
        TypeError, ValueError: as :func:`clwork.start`.
    """
    began = time.perf_counter()
    chosen = get(method).default_encoder if encoder is None else encoder
    values = make_config(method, encoder=chosen, **config)
    tried = _tried_fields(values, only)
    start = chosen if isinstance(chosen, Encoder) else load_encoder(chosen, device=usual_device(), seed=seed)
    maker = StepMaker(method, start, _examples(sentences), values, steps, seed)
    prepared = time.perf_counter() - began
    step, present = differentiate(maker.frozen), maker.step(values)
    noise = present.difference(maker.step(values))  # 0 on a CPU; a GPU may add up in another order each time
    effects = {field.name: _Trial(maker, field, present, noise, step.parts).effect() for field in tried}
    return Audit(step, start.name, values, effects, time.perf_counter() - began, prepared, maker.preparation.cut)


def _tried_fields(config: MethodConfig, only: Sequence[str] | None) -> list[Field]:
    known = {field.name: field for field in fields(config)}
    for name in only or ():
        if name not in known:
            raise ValueError(f"only: {unknown_name(name, list(known), 'hyperparameter')}")
    return [field for name, field in known.items() if only is None or name in only]


def _examples(sentences: Any) -> Sequence[Any]:
    plain = sentences is None or not isinstance(sentences, Sequence) or isinstance(sentences, str)
    read = data.sentences() if sentences is None else data.sentences(sentences) if plain else sentences
    return read if isinstance(read, Sequence) else list(islice(read, HEAD))


def alternatives(field: Field, value: Value) -> list[Value]:
    """List the values to try in place of ``value``: all other choices, or the ends of the slider.

    A whole number, which costs time and memory, is at most doubled.

    >>> known = {field.name: field for field in fields(make_config("simcse"))}
    >>> alternatives(known["temperature"], 0.05), alternatives(known["fixed_mask"], False)
    ([0.01, 1.0], [True])
    """
    if field.choices is not None:
        return [choice for choice in field.choices if choice != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str) or field.low is None or field.high is None:
        return []
    low, high = field.span or (field.low, field.high)
    if field.kind == "int":
        high = min(high, 2 * value or high)
    return [end for end in (field.check(low), field.check(high)) if end != value]


@dataclass(frozen=True)
class _Trial:
    """One hyperparameter, tried at other values."""

    maker: StepMaker
    field: Field
    present: HeldStep
    noise: Difference
    parts: Mapping[str, float]

    @property
    def _value(self) -> Any:
        return getattr(self.maker.config, self.field.name)

    @property
    def _idle(self) -> str:
        return self.field.idle(self.maker.config, self.maker.kind)

    def effect(self) -> Effect:
        """Try all values, and say where the hyperparameter acts."""
        maker, name = self.maker, self.field.name
        differences, untried = self._tried(None)
        acts = _acts(differences.values())
        if acts == "nowhere" and name in maker.read_before:
            anew, failed = self._tried(SHORT)
            if any(not each.none for each in anew.values()):
                differences, acts = anew, "before the first step"
            elif failed:
                untried |= failed
                acts = "not tried"
        if acts == "nowhere" and not self._idle and name in maker.read_between - maker.read_in_step:
            acts = "between steps"  # as a clip that this one gradient does not reach
        if acts == "nowhere" and not self._idle and not all(map(maker.starts_alike, self._configs(differences))):
            acts = "before the first step"  # it draws other weights, which the repeated step does not begin from
        inert = self._inert(differences, acts)
        faint = "" if inert else self._faint(differences, acts)
        return Effect(name, self._value, acts, differences, untried, inert, faint)

    def _tried(self, most: int | None) -> tuple[dict[Value, Difference], dict[Value, str]]:
        """Do the step at each other value, with a preparation of its own of at most ``most`` steps unless None."""
        differences: dict[Value, Difference] = {}
        untried: dict[Value, str] = {}
        for value in alternatives(self.field, self._value):
            try:
                (config,) = self._configs([value])
                step = self.maker.step(config, None if most is None else OnePreparation(most))
                differences[value] = self._beyond_noise(self.present.difference(step))
            except CANNOT as error:
                untried[value] = next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]
        return differences, untried

    def _configs(self, values: Iterable[Value]) -> list[MethodConfig]:
        """Build the present configuration with other values of the hyperparameter."""
        own = self.maker.config
        return [build(type(own), {**vars(own), self.field.name: value}) for value in values]

    def _beyond_noise(self, found: Difference) -> Difference:
        pairs = zip(found, self.noise, strict=True)
        return Difference(*(0.0 if abs(change) <= abs(noise) else change for change, noise in pairs))

    def _inert(self, differences: Mapping[Value, Difference], acts: Acts) -> str:
        """Say why the present value does nothing; empty where it does something."""
        slack = self.field.slack
        if acts == "nowhere":
            tried = ", ".join(_short(value) for value in differences)
            words = slack.words(self._value, self.parts) if slack else ""
            return self._idle or words or f"loss, gradient, vectors and weights are equal to the bit at {tried}"
        same = [value for value, each in differences.items() if each.none]
        if acts != "in the step" or self.field.choices is not None or len(same) != 1 or len(differences) != 2:
            return ""
        low, high = sorted(differences, key=float)
        felt = slack is not None and self.parts.get(slack.part, 0.0) != 0
        if felt or not float(low) < float(self._value) < float(high):
            return ""
        return slack.words(self._value, self.parts) if slack else f"all values to {_short(same[0])} do the same"

    def _faint(self, differences: Mapping[Value, Difference], acts: Acts) -> str:
        """Say how little it changes; empty where that is no little."""
        loss = max((abs(each.loss) for each in differences.values()), default=0.0)
        gradient = max((each.gradient for each in differences.values()), default=0.0)
        if acts != "in the step" or loss > FAINT * abs(float(self.present.loss)) or gradient > FAINT:
            return ""
        idle = self._idle
        change = f"changes by {gradient:.1g} of its length at most" if gradient else "is the same"
        tried = " and ".join(_short(value) for value in differences)
        return f"{idle + '; ' if idle else ''}at {tried} the gradient {change}"


def _acts(differences: Iterable[Difference]) -> Acts:
    """Return where the first change shows."""
    found = list(differences)
    if not found:
        return "not tried"
    if any(each.examples for each in found):
        return "in the batch"
    if any(each.in_step for each in found):
        return "in the step"
    return "nowhere" if all(each.none for each in found) else "between steps"


def _short(value: Value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)
