"""The settings of a panel: values for the next run, and the controls of the active run.

Each value has one owner: the panel before *Start*, from then on the run's controls. A *hot*
hyperparameter can be changed during a run; the others are fixed then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from ... import methods
from ..._validation import nearest, shown
from ...encoders import Encoder
from ...methods import MethodConfig
from ...run_folder.config import RunConfig, read_sentences
from ...run_folder.files import COPIED, START
from ...settings import Field, build, fields
from ...training import Run
from ..page.labels import plain
from ..page.markup import marked
from .choices import (
    CORPUS_INPUTS,
    ENCODER_INPUTS,
    CorpusChoice,
    EncoderChoice,
    GivenExamples,
    option,
)
from .sliders import describe

RUN_FIELDS = {field.name: field for field in fields(RunConfig)}
STEPS = RUN_FIELDS["steps"]
SEED = RUN_FIELDS["seed"]
RUN_IS_ACTIVE = "a run is active with these settings: stop it to change them"

# Presets besides those that a method has published.
OWN_VALUES = "your own"
"""Selected while the values match no preset; to choose it changes nothing."""
DEFAULT = "default"
PRESET_NOTES = {OWN_VALUES: "", DEFAULT: "The defaults for this encoder."}

FIRST = 6
"""Number of controls shown first, if the method does not name them."""


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run other than its hyperparameters.

    Attributes:
        encoder: name, folder or object; None for the method's default.
        sentences: name of a corpus, path or examples; None for the default corpus.
        more: arguments of :func:`clwork.start` without a control, such as ``sts``.
    """

    seed: int = 0
    steps: int = STEPS.default
    encoder: str | Encoder | None = None
    sentences: Any = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def changed_by(self, more: Mapping[str, Any], **arguments: Any) -> RunSettings:
        """Return these settings with the arguments of ``lab.panel`` that are not None."""
        changes = _without_none(arguments)
        return replace(self, **changes, more={**self.more, **_without_none(more)})


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are not None, which stands for an argument that was not given."""
    return {name: value for name, value in values.items() if value is not None}


def run_settings_of(run: Run) -> RunSettings:
    """Return the settings of a run, read from its configuration; nothing is loaded."""
    configuration = run.run_config
    files = run.files
    encoder: str | None = configuration.encoder
    if encoder == COPIED:
        # The encoder was given as an object, which the run has saved in its folder.
        start = files.path / START
        encoder = str(start) if start.is_dir() else None
    corpus = configuration.sentences
    examples: str | GivenExamples | None = corpus.name
    if not corpus.is_plain:
        examples = GivenExamples(
            label=f"as in {run.name}",
            note="The examples of this run.",
            kind=corpus.kind_of_examples,
            read=lambda: read_sentences(corpus, files),
        )
    return RunSettings(
        seed=configuration.seed,
        steps=configuration.steps,
        encoder=encoder,
        sentences=examples,
        more={
            "sts": configuration.sts,
            "probe_every": configuration.probe_every,
            "keep_every": configuration.keep_every,
        },
    )


class PanelSettings:
    """The settings that *Start* trains with; all are valid, and ``lock`` is held during a change.

    Before a run the values are the panel's. Once ``run`` is set, those of its controls are read
    from and written to ``run.controls``, until the run has ended and the reader changes a value.

    Attributes:
        run: the run that owns the values of the hot hyperparameters, or None.
        is_active: returns whether a run is active, so that only its controls may change.
    """

    def __init__(
        self,
        method: str,
        start: RunSettings | None = None,
        config: Mapping[str, Any] | None = None,
        run_config: MethodConfig | None = None,
    ) -> None:
        """Begin with these values.

        Args:
            method: name of the method.
            start: seed, steps, encoder and corpus.
            config: hyperparameters that differ from ``run_config`` or from the defaults.
            run_config: the hyperparameters of the run that the panel shows.
        """
        start = start or RunSettings()
        self.method = methods.get(method)
        self.corpus = CorpusChoice(start.sentences, self.method.accepts)
        self.encoder = EncoderChoice(
            start.encoder, self.method.default_encoder, self.method.encoders
        )
        self.defaults = self._defaults_for(self.encoder.origin)
        if run_config is None:
            chosen = methods.config(method, self.encoder.origin, **(config or {}))
        else:
            chosen = build(self.method.Config, {**vars(run_config), **(config or {})})

        shared = {field.name for field in methods.fields(MethodConfig)}
        declared = methods.fields(self.method.Config)
        # False sorts before True, so a method's own hyperparameters come first.
        declared.sort(key=lambda field: field.name in shared)
        self.fields = {field.name: field for field in declared}
        self.hot = [field.name for field in declared if field.hot]
        # The controls that are always in view.
        self.main = list(self.method.main_settings) or self.hot[:FIRST]
        self._all = {"steps": STEPS, "seed": SEED, **self.fields}

        self._values = {
            "steps": STEPS.check(start.steps),
            "seed": SEED.check(start.seed),
            **vars(chosen),
        }
        self._published = {
            name: vars(build(self.method.Config, values))
            for name, values in self.method.published.items()
        }
        # The preset chosen last.
        self._preset = DEFAULT
        self.lock = threading.RLock()
        self.run: Run | None = None
        self.is_active: Callable[[], bool] = lambda: False

    def _defaults_for(self, encoder: Any) -> dict[str, Any]:
        """Return the method's default hyperparameters, some of which depend on the encoder."""
        return dict(vars(methods.config(self.method.name, encoder)))

    @property
    def values(self) -> dict[str, Any]:
        """The present values of ``steps``, ``seed`` and all hyperparameters, by name."""
        if self.run is None:
            return self._values
        controls = self.run.controls
        return self._values | {name: getattr(controls, name) for name in self.hot}

    def _replace(self, values: Mapping[str, Any]) -> None:
        """Change values of the panel, which owns them from now on.

        The other values of a run that has ended are copied from its controls, since the page
        shows these.
        """
        self._values = self.values | dict(values)
        self.run = None

    def config(self) -> dict[str, Any]:
        """Return the hyperparameters; a hyperparameter without effect has its default value."""
        values = self.values
        config = {name: values[name] for name in self.fields}
        return config | {name: self.defaults[name] for name in self._why_without_effect()}

    def changed(self) -> dict[str, Any]:
        """Return the hyperparameters that have an effect and differ from their defaults."""
        config = self.config()
        return {name: value for name, value in config.items() if value != self.defaults[name]}

    def _why_without_effect(self) -> dict[str, str]:
        """Return the reason for each hyperparameter that has no effect now, by name."""
        # Field.idle reads the values as attributes, like those of a configuration.
        values = SimpleNamespace(**self.values)
        kind_of_examples = self.corpus.kind
        reasons = {}
        for name, declared in self.fields.items():
            # The reason is empty if the hyperparameter has an effect.
            if reason := declared.idle(values, kind_of_examples):
                reasons[name] = reason
        return reasons

    @property
    def preset(self) -> str:
        """The preset with the present hyperparameters; if several match, the one chosen last."""
        values = self.values
        present = {name: values[name] for name in self.fields}
        presets = {DEFAULT: self.defaults, **self._published}
        for name in (self._preset, *presets):
            if presets.get(name) == present:
                return name
        return OWN_VALUES

    def set(self, name: str, value: Any) -> None:
        """Set a hyperparameter, ``steps`` or ``seed`` to a value or a typed text.

        Raises:
            ValueError: there is no such setting, or the value is out of range.
            RuntimeError: the setting has no effect now, or a run is active with it.
        """
        if name not in self._all:
            raise ValueError(f"there is no setting {shown(name)}{nearest(name, self._all)}")
        declared = self._all[name]
        with self.lock:
            if reason := self._why_without_effect().get(name):
                raise RuntimeError(f"{declared.called} has no effect now: {reason}")
            if self.is_active() and not declared.hot:
                raise RuntimeError(f"{declared.called}: {RUN_IS_ACTIVE}")
            if value == plain(self.values[name]):
                # The page sends the text that it shows, and the value may have more digits.
                return
            new_value = parsed(value, declared)
            if self.run is not None and self.run.alive:
                setattr(self.run.controls, name, new_value)
            else:
                self._replace({name: new_value})

    def choose_preset(self, choice: str) -> None:
        """Set all hyperparameters to the defaults or to published values."""
        with self._change():
            # The choice of "your own" changes no value.
            presets = {DEFAULT: self.defaults, **self._published, OWN_VALUES: {}}
            if choice not in presets:
                hint, known = nearest(choice, presets), ", ".join(presets)
                raise ValueError(f"there is no preset {shown(choice)}{hint}; known: {known}")
            self._replace(presets[choice])
            self._preset = choice

    def choose_corpus(self, choice: str | None = None, **typed: str | None) -> None:
        """Choose a corpus, see :meth:`.Choice.choose`."""
        with self._change():
            self.corpus.choose(choice, **typed)

    def choose_encoder(self, choice: str | None = None, **typed: str | None) -> None:
        """Choose an encoder; values at their defaults change to the defaults of the new one."""
        with self._change():
            self.encoder.choose(choice, **typed)
            earlier_defaults = self.defaults
            self.defaults = self._defaults_for(self.encoder.origin)
            values = self.values
            at_default = [name for name in self.fields if values[name] == earlier_defaults[name]]
            self._replace({name: self.defaults[name] for name in at_default})

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Hold the lock during a change; reject it while a run is active."""
        with self.lock:
            if self.is_active():
                raise RuntimeError(RUN_IS_ACTIVE)
            yield

    def text(self) -> str:
        """Return all settings as a call of ``lab.panel``, which makes such a panel in a cell.

        A hyperparameter at its default is left out, and so is one without effect.
        """
        settings = {
            "seed": self.values["seed"],
            "steps": self.values["steps"],
            "sentences": self.corpus.as_argument,
            "encoder": self.encoder.as_argument,
        }
        for name, value in self.changed().items():
            # The shown text of a float is free of binary rounding errors.
            settings[name] = float(plain(value)) if isinstance(value, float) else value
        # A corpus or encoder is left out if it is empty: the reader has typed no name yet.
        arguments = [f"{name}={value!r}" for name, value in settings.items() if value != ""]
        return f"lab.panel({', '.join([repr(self.method.name), *arguments])})"

    def state(self) -> dict[str, Any]:
        """Return the part of the settings that can change, for the page, as JSON.

        Of each control: the value as ``text``, why it is ``idle`` (has no effect now; empty if it
        has one), and whether it is ``off`` (cannot be moved now).
        """
        with self.lock:
            values = self.values
            is_active = self.is_active()
            reasons = self._why_without_effect()
            controls = {}
            for name, declared in self._all.items():
                reason = reasons.get(name)
                is_fixed = is_active and not declared.hot
                controls[name] = {
                    "text": plain(values[name]),
                    "idle": f"No effect now: {reason}." if reason else "",
                    "off": bool(reason) or is_fixed,
                }
            return {
                "controls": controls,
                "frozen": is_active,
                "preset": self.preset,
                "line": self.text(),
                "corpus": self.corpus.state(),
                "encoder": self.encoder.state(),
            }

    def about(self) -> dict[str, Any]:
        """Return the constant part as JSON: method, formula, fields, presets, inputs."""
        method = self.method
        values = self.values
        described = {name: describe(field, values[name]) for name, field in self._all.items()}
        others = [name for name in self.fields if name not in self.main]
        # The page finds a hyperparameter in the formula by its symbol.
        symbols = {name: field.symbol for name, field in self.fields.items() if field.symbol}
        presets = [
            option(name, name, PRESET_NOTES.get(name, "As published, for BERT-base."))
            for name in (OWN_VALUES, DEFAULT, *self._published)
        ]
        return {
            "method": {
                "name": method.name,
                "title": method.title,
                "paper": method.paper,
                "formula": marked(method.formula, symbols),
            },
            "fields": [
                described[name] | {"main": name in self.main} for name in (*self.main, *others)
            ],
            "steps": described["steps"],
            "seed": described["seed"],
            "presets": presets,
            "inputs": {"corpus": CORPUS_INPUTS, "encoder": ENCODER_INPUTS},
        }


def parsed(value: Any, declared: Field) -> Any:
    """Return a slider's number or a typed text as a value of the field.

    Raises:
        TypeError: the value is of another type, such as 2.7 for an integer.
        ValueError: the text is no number, or the value is not allowed.
    """
    if isinstance(value, str) and declared.kind in ("int", "float"):
        try:
            number = float(value)
        except ValueError:
            hint = "write a point, not a comma" if "," in value else "type a number"
            raise ValueError(f"{declared.called}: {shown(value)} is not a number; {hint}") from None
        # An integer can also be typed as "1e3".
        value = int(number) if number.is_integer() else number
    return declared.check(value)
