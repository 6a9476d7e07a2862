"""The settings of a panel: values for the next run, controls of the active run, and all settings as a line of text."""

from __future__ import annotations

import math
import shlex
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch

from ... import methods
from ..._validation import nearest, shown
from ...data.corpus import KINDS_OF_TUPLES
from ...data.sources import DEFAULT as DEFAULT_CORPUS
from ...data.sources import CorpusRef
from ...encoders import Encoder
from ...methods import MethodConfig
from ...run_folder.config import RunConfig, read_sentences
from ...run_folder.files import SENTENCES, START
from ...run_folder.folder import RunFolder
from ...settings import Field, build, fields
from ...training import Run, starting
from ...training.starting import usual_eval_every
from ...training.validation import read_sts
from ..page.labels import plain
from ..page.markup import marked, mathml
from .choices import CORPUS_INPUTS, ENCODER_INPUTS, CorpusChoice, EncoderChoice, StoredExamples

RUN_FIELDS = {field.name: field for field in fields(RunConfig)}
STEPS, SEED = RUN_FIELDS["steps"], RUN_FIELDS["seed"]
ACTIVE = "a run is active with these settings: stop it to change them"
LINE = (
    "seed",
    "steps",
    "corpus",
    "column",
    "encoder",
)  # settings that precede the hyperparameters in a line
LONGEST = 20_000  # characters of a line of settings
YES, NO = ("yes", "true", "on"), ("no", "false", "off")
OWN_VALUES, DEFAULT = "your own", "default"  # presets
FIRST = 6  # number of controls shown first, if the method does not name them
POSITIONS = 100  # positions of a slider
COARSE = 64  # an integer range that spans a larger factor has a logarithmic slider if the field has ``log``, else none


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run other than its hyperparameters."""

    seed: int = 0
    steps: int = starting.STEPS
    encoder: str | Encoder | None = None
    sentences: Any = None
    column: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


def settings_of(run: Run) -> RunSettings:
    """Read the settings of ``run`` from its recipe; nothing is loaded."""
    recipe, files = run.recipe, run.files
    encoder: str | None = recipe.encoder
    if encoder == f"./{START}":
        encoder = str(files.path / START) if files.has_folder(START) else None
    corpus = recipe.sentences
    label, kind = f"as in {run.name}", _kind(corpus, files)
    stored = StoredExamples(label, kind, lambda: read_sentences(corpus, files))
    name, column = (corpus.name, corpus.column) if corpus.is_plain else (stored, "")
    more: dict[str, Any] = {"sts": recipe.sts, "probe_every": recipe.probe_every}
    if recipe.sts is not None and not run.alive:
        try:
            read_sts(recipe.sts)
        except (OSError, ValueError):  # raised if the files have changed or are missing
            more["sts"] = None
    if recipe.eval_every != usual_eval_every(recipe.steps):
        more["eval_every"] = recipe.eval_every
    if recipe.checkpoint_every != starting.CHECKPOINT_EVERY:
        more["checkpoint_every"] = recipe.checkpoint_every
    if recipe.device is not None and (
        not recipe.device.startswith("cuda") or torch.cuda.is_available()
    ):
        more["device"] = recipe.device
    return RunSettings(recipe.seed, recipe.steps, encoder, name, column, more)


def _kind(corpus: CorpusRef, files: RunFolder) -> str | None:
    if corpus.file is None:
        return corpus.kind_of_examples
    try:
        row: Any = next(iter(files.lines(SENTENCES)), {})
    except (OSError, ValueError):  # reported when the examples are read
        return None
    example = row.get("example")
    return (
        "sentences"
        if isinstance(example, str)
        else KINDS_OF_TUPLES.get(len(example or ()), "triplets")
    )


class PanelSettings:
    """The settings that *Start* trains with. All are valid; ``lock`` is held during a change."""

    def __init__(
        self,
        method: str,
        start: RunSettings | None = None,
        config: Mapping[str, Any] | None = None,
        run_config: MethodConfig | None = None,
    ) -> None:
        """Begin with ``start`` and ``config``; the ``run_config`` of a run replaces the encoder's defaults."""
        start = start or RunSettings()
        self.method = kind = methods.get(method)
        self.corpus = CorpusChoice(start.sentences, kind.accepts, start.column)
        self.encoder = EncoderChoice(start.encoder, kind.default_encoder, kind.encoders)
        self.usual = vars(methods.config(method, self.encoder.origin))
        if run_config is None:
            chosen = methods.config(method, self.encoder.origin, **(config or {}))
        else:
            chosen = build(kind.Config, {**vars(run_config), **(config or {})})
        shared = {one.name for one in methods.fields(MethodConfig)}
        ordered = sorted(methods.fields(kind.Config), key=lambda one: one.name in shared)
        self.fields = {one.name: one for one in ordered}
        self._all = {"steps": STEPS, "seed": SEED, **self.fields}
        self.hot = [one.name for one in ordered if one.hot]
        self.main = list(kind.main_settings) or self.hot[:FIRST]
        self.values = {
            "steps": STEPS.check(start.steps),
            "seed": SEED.check(start.seed),
            **vars(chosen),
        }
        self.frozen, self.version, self.lock = False, 1, threading.RLock()
        self._published = {
            name: vars(build(kind.Config, own)) for name, own in kind.published.items()
        }
        self._preset = DEFAULT

    def config(self) -> dict[str, Any]:
        """Return the hyperparameters; a hyperparameter without effect has its default value."""
        with self.lock:
            idle = self._without_effect()
            return {
                name: self.usual[name] if name in idle else self.values[name]
                for name in self.fields
            }

    def changed(self) -> dict[str, Any]:
        """Return the hyperparameters that have an effect and differ from their defaults."""
        return {
            name: value for name, value in self.config().items() if value != self.usual.get(name)
        }

    def _without_effect(self) -> dict[str, str]:
        values, kind = SimpleNamespace(**self.values), self.corpus.kind
        return {
            name: reason for name, one in self.fields.items() if (reason := one.idle(values, kind))
        }

    @property
    def preset(self) -> str:
        """The name of the preset with the present hyperparameters; if several match, the one chosen last."""
        now = {name: self.values[name] for name in self.fields}
        names = [self._preset, DEFAULT, *self._published]
        equal = (name for name in names if name != OWN_VALUES and self._preset_values(name) == now)
        self._preset = next(equal, OWN_VALUES)
        return self._preset

    def _preset_values(self, name: str) -> Mapping[str, Any]:
        if name in (OWN_VALUES, DEFAULT):
            return self.usual if name == DEFAULT else {}
        if name not in self._published:
            known = [DEFAULT, *self._published]
            raise ValueError(
                f"there is no preset {shown(name)}{nearest(name, known)}; known: {', '.join(known)}"
            )
        return self._published[name]

    def set(self, name: str, value: Any) -> Any:
        """Set a hyperparameter, ``steps`` or ``seed`` to a value or a typed text; return the value."""
        if name not in self._all:
            raise ValueError(f"there is no setting {shown(name)}{nearest(str(name), self._all)}")
        one = self._all[name]
        with self.lock:
            if reason := self._without_effect().get(name):
                raise RuntimeError(f"{one.called} has no effect now: {reason}")
            if self.frozen and not one.hot:
                raise RuntimeError(f"{one.called}: {ACTIVE}")
            if value != plain(self.values[name]):  # do not replace a value by its rounded text
                self.show({name: parse(value, one)})
            return self.values[name]

    def show(self, values: Mapping[str, Any]) -> None:
        """Set values that are known to be valid, such as those of a run's controls."""
        with self.lock:
            if any(self.values[name] != value for name, value in values.items()):
                self.values |= values
                self.version += 1

    def choose_preset(self, name: str) -> None:
        """Set the hyperparameters to the encoder's defaults or to published values; ``your own`` changes nothing."""
        with self._change():
            self.values |= self._preset_values(name)
            self._preset = name

    def choose_corpus(self, choice: str | None = None, **parts: Any) -> None:
        with self._change():
            self.corpus.choose(choice, **parts)

    def choose_encoder(self, choice: str | None = None, *, place: str | None = None) -> None:
        """Choose an encoder; hyperparameters at their defaults change to the defaults of the new encoder."""
        with self._change():
            self.encoder.choose(choice, place=place)
            self._follow_encoder()

    def offer(self, runs: Any) -> None:
        with self.lock:
            if self.encoder.offer(runs):
                self.version += 1
                self._follow_encoder()

    def freeze(self, frozen: bool) -> None:
        """If ``frozen``, allow only changes of hot hyperparameters; otherwise of all settings."""
        with self.lock:
            if frozen != self.frozen:
                self.frozen = frozen
                self.version += 1
                self._follow_encoder()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Context of a change that is rejected while a run is active; holds the lock."""
        with self.lock:
            self.version += 1
            if self.frozen:
                raise RuntimeError(ACTIVE)
            yield

    def _follow_encoder(self) -> None:
        """Change hyperparameters from the previous encoder's defaults to the new encoder's, except during a run."""
        if self.frozen:
            return
        old, self.usual = self.usual, vars(methods.config(self.method.name, self.encoder.origin))
        self.show(
            {name: new for name, new in self.usual.items() if self.values[name] == old.get(name)}
        )

    def text(self) -> str:
        """Return all settings as one line, which :meth:`apply` accepts in any panel of the method."""
        with self.lock:
            own = {
                "seed": self.values["seed"],
                "steps": self.values["steps"],
                "corpus": self.corpus.text,
            }
            own |= {"column": self.corpus.typed["column"].strip(), "encoder": self.encoder.text}
            pairs = {
                name: value
                for name, value in (own | self.changed()).items()
                if value not in (None, "")
            }
            return " ".join(
                [
                    self.method.name,
                    *(f"{name}={shlex.quote(plain(one))}" for name, one in pairs.items()),
                ]
            )

    def apply(self, text: str) -> None:
        """Apply a line of settings, all or none of them; reset hyperparameters that it lacks to their defaults."""
        name = self.method.name
        with self._change():
            given = read_line(text, name)
            known = [*LINE, *self.fields]
            for unknown in [one for one in given if one not in known]:
                hint = nearest(unknown, known)
                raise ValueError(
                    f"there is no setting {shown(unknown)}{hint}; known: {', '.join(known)}"
                )
            values = {
                one: parse(given[one], known) for one, known in self._all.items() if one in given
            }
            encoder, place = self.encoder.named(given.get("encoder", self.method.default_encoder))
            corpus, where = self.corpus.named(given.get("corpus", DEFAULT_CORPUS))
            origin = self.encoder.origin_of(encoder, place)
            config = {one: value for one, value in values.items() if one in self.fields}
            methods.config(name, origin, **config)  # checks the combination
            self.encoder.choose(encoder, place=place)
            self.corpus.choose(corpus, place=where, column=given.get("column", ""))
            self.usual = vars(methods.config(name, origin))
            self.values |= {**self.usual, **values}

    def state(self) -> dict[str, Any]:
        """Return the part of the settings that can change, for the page, as JSON."""
        with self.lock:
            idle = self._without_effect()
            return {
                "version": self.version,
                "controls": {
                    name: {
                        "text": plain(self.values[name]),
                        "idle": f"No effect now: {idle[name]}." if name in idle else "",
                        "off": name in idle or (self.frozen and not one.hot),
                    }
                    for name, one in self._all.items()
                },
                "frozen": self.frozen,
                "preset": self.preset,
                "line": self.text(),
                "corpus": self.corpus.state(),
                "encoder": self.encoder.state(),
            }

    def about(self) -> dict[str, Any]:
        """Return the constant part as JSON: the method with its formula, the fields, the presets, and the inputs."""
        kind = self.method
        notes = {OWN_VALUES: "", DEFAULT: "The defaults for this encoder."}
        about = {name: describe(one, self.values[name]) for name, one in self._all.items()}
        rest = [name for name in self.fields if name not in self.main]
        return {
            "method": {
                "name": kind.name,
                "title": kind.title,
                "paper": kind.paper,
                "formula": marked(
                    kind.formula,
                    {name: one.symbol for name, one in self.fields.items() if one.symbol},
                ),
            },
            "fields": [about[name] | {"main": name in self.main} for name in (*self.main, *rest)],
            "steps": about["steps"],
            "seed": about["seed"],
            "presets": [
                {
                    "value": name,
                    "label": name,
                    "note": notes.get(name, "As published, for BERT-base."),
                }
                for name in (OWN_VALUES, DEFAULT, *self._published)
            ],
            "inputs": {"corpus": CORPUS_INPUTS, "encoder": ENCODER_INPUTS},
        }


def parse(value: Any, one: Field) -> Any:
    """Convert a typed text or a slider's number to a value of the field ``one`` and check its range."""
    if not isinstance(value, str) or one.kind == "str":
        return one.check(value)
    text = value.strip()
    if one.kind == "bool":
        if text.lower() not in YES + NO:
            raise ValueError(f"{one.called}: {shown(text)} is neither yes nor no; type one of them")
        return text.lower() in YES
    try:
        number = float(text)
    except ValueError:
        hint = "write a point, not a comma" if "," in text else "type a number"
        raise ValueError(f"{one.called}: {shown(text)} is not a number; {hint}") from None
    whole = one.kind == "int" and math.isfinite(number) and number == int(number)
    return one.check(int(number) if whole else number)


def describe(one: Field, value: Any) -> dict[str, Any]:
    """Describe a field for the page: name, title, symbol (MathML), kind, help, unit, choices, slider and range."""
    slider = slider_of(one, value)
    help = one.help
    if slider is None and one.choices is None and one.low is not None and one.high is not None:
        low, high = (
            f"{end:,}" if one.kind == "int" else plain(float(end)) for end in (one.low, one.high)
        )
        help += f" {low} to {high}{f' ({one.unit})' if one.unit else ''}."
    return {
        "name": one.name,
        "title": one.called,
        "symbol": mathml(one.symbol),
        "kind": one.kind if one.kind != "str" else "text" if one.choices is None else "choice",
        "help": help,
        "unit": one.unit,
        "hot": one.hot,
        "choices": None if one.choices is None else list(one.choices),
        "slider": slider,
        "low": one.low,
        "high": one.high,
    }


def slider_of(one: Field, value: float) -> dict[str, float] | None:
    """Return a slider over the field's usual range and ``value``, or None; key "log": base of the scale, or 0."""
    if one.kind not in ("int", "float") or one.low is None or one.high is None:
        return None
    low, high = one.span or (one.low, one.high)
    log, step = 0, 1.0
    if one.kind == "int" and high > COARSE * max(low, 1):
        if not one.log or low <= 0:
            return None
        log = 2
    elif one.kind == "float" and one.log and low > 0:
        log, step = 10, math.log10(high / low) / POSITIONS
    elif one.kind == "float":
        step = round_step((high - low) / POSITIONS)
        if value and 0 < value - low < 5 * step:  # finer steps for a value near the low end
            step = min(step, round_step(value / 10))
    first, last, at = (
        {0: float, 2: math.log2, 10: math.log10}[log](end) for end in (low, high, value)
    )
    return {"min": min(first, at), "max": max(last, at), "step": step, "log": log}


def round_step(least: float) -> float:
    """Round ``least`` up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return float(
        f"{next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * 0.999):.12g}"
    )


def read_line(text: str, method: str) -> dict[str, str]:
    """Parse a line of settings; return their texts by name."""
    if len(text) > LONGEST:
        raise ValueError(
            f"this text has {len(text):,} characters; settings are one line of at most {LONGEST:,}"
        )
    try:
        first, *rest = shlex.split(text) or [""]
    except ValueError as error:
        raise ValueError(
            f"{shown(text, 80)} has an open quotation mark ({error}); close it"
        ) from None
    if not first or "=" in first:
        raise ValueError(f"the text must begin with the method's name: {method} seed=0 …")
    if first != method:
        raise ValueError(
            f"these are settings of {shown(first)}, not of {method!r}; apply them in lab.panel({first!r})"
        )
    settings: dict[str, str] = {}
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(
                f"{shown(word)} lacks '='; write name=value, and quote a value that contains spaces"
            )
        if name in settings:
            raise ValueError(
                f"{name} is set twice, to {shown(settings[name])} and to {shown(value)}; leave one out"
            )
        settings[name] = value
    return settings
