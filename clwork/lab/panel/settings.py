"""The settings of a run, and the hyperparameters of a method as knobs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch

from ...data import CorpusRef
from ...data.pairs import KINDS_OF_TUPLES
from ...encoders import Encoder
from ...methods import Field, MethodConfig
from ...training import Run
from ...training.disk.folder import RunFolder
from ...training.disk.run_files import SENTENCES, START
from ...training.loop.outside import Outside
from ...training.run.arguments import usual_eval_every
from .corpus_picker import Kept
from .knob import Knob


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run besides its hyperparameters, for a panel to show and to start again.

    Attributes:
        seed: of everything random.
        steps: optimizer steps.
        encoder: a name or folder, or None for the method's default.
        sentences: a source's name, or the examples as the run's folder has them, or None for the default.
        column: of a table.
        more: what has no control: STS data, how often to look, validate and write checkpoints, the device.
    """

    seed: int = 0
    steps: int = 300
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
    kept = Kept(f"as in {run.name}", _kind(corpus, files), lambda: Outside(recipe, files).examples())
    name, column = (corpus.name, corpus.column) if corpus.is_plain else (kept, "")
    more: dict[str, Any] = {"sts": _sts(run), "probe_every": recipe.probe_every}
    if recipe.eval_every != usual_eval_every(recipe.steps):
        more["eval_every"] = recipe.eval_every
    if recipe.checkpoint_every != 200:
        more["checkpoint_every"] = recipe.checkpoint_every
    if recipe.device is not None and (not recipe.device.startswith("cuda") or torch.cuda.is_available()):
        more["device"] = recipe.device
    return RunSettings(recipe.seed, recipe.steps, encoder, name, column, more)


def _sts(run: Run) -> str | None:
    """The run's STS data; None if the files of a run that is not at work here have changed or are missing."""
    if run.recipe.sts is not None and not run.alive:
        try:
            Outside(run.recipe, run.files).sts()
        except (OSError, ValueError):
            return None
    return run.recipe.sts


def _kind(corpus: CorpusRef, files: RunFolder) -> str | None:
    if corpus.file is None:
        return corpus.kind_of_examples
    try:
        row: Any = next(iter(files.lines(SENTENCES)), {})
    except (OSError, ValueError):  # reported when they are read
        return None
    example = row.get("example")
    return "sentences" if isinstance(example, str) else KINDS_OF_TUPLES.get(len(example or ()), "triplets")


FIRST = 6  # knobs shown first, if the method does not name them


class SettingControls:
    """All knobs of a configuration; ``values()`` is always valid.

    A knob without effect is disabled, and its line of help gives the reason; one whose value alone has none is grey.

    Attributes:
        widgets: the knobs by name.
        main: the names of those that matter most, in order; ``more`` are all others.
        hot: those that move while a run goes on; ``cold`` those that do not.
        usual: the values of an unchanged configuration.
    """

    def __init__(
        self,
        fields: list[Field],
        config: MethodConfig,
        usual: Mapping[str, Any] | None = None,
        main: tuple[str, ...] = (),
    ) -> None:
        """Create them with the values of ``config``; ``usual`` are those of an unchanged one."""
        self.fields = {field.name: field for field in fields}
        self.widgets = {field.name: Knob(field, getattr(config, field.name)) for field in fields}
        self.hot = [field.name for field in fields if field.hot]
        self.cold = [field.name for field in fields if not field.hot]
        self.main = list(main) or self.hot[:FIRST]
        self.more = [name for name in self.fields if name not in self.main]
        self.usual = dict(usual or {field.name: field.default for field in fields})
        self._frozen = False
        self._examples: str | None = None
        self._slack: dict[str, tuple[Any, str]] = {}  # by knob, a value that does nothing, and why
        self._showing: int | None = None  # id of the thread in show(), whose changes do not steer the run
        self._many = False  # several are being set: effects on each other are updated once, at the end
        self._on_change: list[Callable[[], object]] = []
        for name, widget in self.widgets.items():
            (widget.add_class("clwork-hot") if name in self.hot else widget).observe(self._changed, names="value")
        self._disable()

    def value(self, name: str) -> Any:
        """The value of a knob."""
        return self.widgets[name].value

    def values(self) -> dict[str, Any]:
        """The values of all knobs; the usual ones for knobs without effect."""
        idle = self.idle()
        return {name: self.usual[name] if name in idle else self.value(name) for name in self.widgets}

    def changed(self) -> dict[str, Any]:
        """The values that differ from the usual ones and have an effect."""
        return {name: value for name, value in self.values().items() if value != self.usual.get(name)}

    def wrong(self) -> list[str]:
        """Error messages of what was typed."""
        return [widget.wrong for widget in self.widgets.values() if widget.wrong]

    def idle(self) -> dict[str, str]:
        """The knobs without effect, with the reason."""
        values = SimpleNamespace(**{name: self.value(name) for name in self.widgets})
        reasons = {name: field.idle(values, self._examples) for name, field in self.fields.items()}
        return {name: reason for name, reason in reasons.items() if reason}

    def set_example_kind(self, examples: str | None) -> None:
        """Set the kind of examples, such as ``sentences`` or ``triplets``; None if it is unknown."""
        self._examples = examples
        self._disable()

    def limits(self) -> dict[str, Field]:
        """The fields in effect whose slack a run's record shows: see :class:`clwork.methods.Slack`."""
        idle = self.idle()
        return {name: f for name, f in self.fields.items() if f.slack and f.slack.part and name not in idle}

    def set_slack(self, parts: Mapping[str, float], values: Mapping[str, Any]) -> None:
        """Grey the limits that limit nothing, by what a step at ``values`` has recorded; all without any ``parts``."""
        self._slack = {
            name: (values[name], field.slack.words(values[name], parts))
            for name, field in self.limits().items()
            if field.slack and parts.get(field.slack.part) == 0
        }
        self._explain_slack()

    def _explain_slack(self) -> None:
        """Show the reasons of those that still have the value that does nothing."""
        limits = self.limits() if self._slack else {}
        for name, widget in self.widgets.items():
            value, reason = self._slack.get(name, (None, ""))
            widget.explain_slack(reason if name in limits and self.value(name) == value else "")

    def show(self, values: Mapping[str, Any]) -> None:
        """Update the widgets without firing the callbacks that steer a run; equal values are left alone."""
        self._showing = threading.get_ident()
        try:
            self._set({name: value for name, value in values.items() if name in self.widgets})
        finally:
            self._showing = None

    def apply(self, values: Mapping[str, Any]) -> None:
        """Set knobs to ``values`` as if the reader had moved them."""
        self._set({name: value for name, value in values.items() if name in self.widgets})

    def _set(self, values: Mapping[str, Any]) -> None:
        new = {name: value for name, value in values.items() if self.value(name) != value}
        for name in values:  # invalid text is replaced, too
            if self.widgets[name].wrong:
                self.widgets[name].take_back()
        self._many = True
        try:
            for name, value in new.items():
                self.widgets[name].value = value
        finally:
            self._many = False
        if new:
            self._changed(None)

    def freeze(self, frozen: bool) -> None:
        """Disable the cold knobs while a run is at work."""
        if frozen != self._frozen:
            self._frozen = frozen
            self._disable()

    def on_hot(self, act: Callable[[str, Any], None]) -> None:
        """Call ``act(name, value)`` when the reader moves a hot knob; another thread may set it again meanwhile."""

        def moved(name: str, change: Any) -> None:
            if self._showing != threading.get_ident():
                act(name, change["new"])

        for name in self.hot:
            self.widgets[name].observe(lambda change, name=name: moved(name, change), names="value")

    def on_change(self, act: Callable[[], object]) -> None:
        """Call ``act()`` after knobs were moved, by the reader or by code."""
        self._on_change.append(act)

    def _changed(self, _: Any) -> None:
        if not self._many:
            self._disable()
            for act in self._on_change:
                act()

    def _disable(self) -> None:
        idle = self.idle()
        for name, widget in self.widgets.items():
            widget.disabled = name in idle or (self._frozen and name in self.cold)
            widget.explain(idle.get(name, ""))
        self._explain_slack()
