"""All settings of a method as knobs: what they say, which change nothing now, and which presets there are."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch

from ...data import CorpusRef
from ...methods import Field
from ...training import Run
from ...training.disk.folder import RunFolder
from ...training.disk.run_files import SENTENCES, START
from ...training.loop.outside import Outside
from ...training.run.arguments import usual_eval_every
from .corpus_picker import Kept
from .knob import Knob

# What a run was made of, as a panel's controls take it: to be shown as it was, and to be started again.


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run beside its hyperparameters.

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
    encoder: Any = None
    sentences: Any = None
    column: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


def settings_of(run: Run) -> RunSettings:
    """Those of ``run``, read off its recipe: nothing is loaded."""
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
    """The run's STS data, which no control shows: of a run that is not trained here, only what is still as it was."""
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
    except (OSError, ValueError):  # to be told when they are read
        return None
    return "sentences" if isinstance(row.get("example"), str) else "triplets"


FIRST = 6  # knobs shown first, where a method does not say which


class SettingControls:
    """All knobs of a configuration; ``values()`` is always a valid configuration's values.

    A knob that changes nothing beside the others is greyed out, and says why in its line of help.

    Attributes:
        widgets: the knobs by name.
        main: the names of those that matter most, in order; ``more`` are all others.
        hot: those that move while a run goes on; ``cold`` those that do not.
        usual: what an untouched configuration says.
    """

    def __init__(
        self,
        fields: list[Field],
        config: Any,
        usual: Mapping[str, Any] | None = None,
        main: tuple[str, ...] = (),
    ) -> None:
        """Build them with the values of ``config``; ``usual`` are those of an untouched one."""
        self.fields = {field.name: field for field in fields}
        self.widgets = {field.name: Knob(field, getattr(config, field.name)) for field in fields}
        self.hot = [field.name for field in fields if field.hot]
        self.cold = [field.name for field in fields if not field.hot]
        self.main = list(main) or self.hot[:FIRST]
        self.more = [name for name in self.fields if name not in self.main]
        self.usual = dict(usual or {field.name: field.default for field in fields})
        self._frozen = False
        self._examples: str | None = None
        self._showing: int | None = None  # the thread that sets knobs, where no reader does
        self._many = False  # several are being set: their effects on each other are looked at once, at the end
        self._on_change: list[Callable[[], object]] = []
        for name, widget in self.widgets.items():
            (widget.add_class("clwork-hot") if name in self.hot else widget).observe(self._changed, names="value")
        self._grey()

    def value(self, name: str) -> Any:
        """What a knob says."""
        return self.widgets[name].value

    def values(self) -> dict[str, Any]:
        """What all knobs say; the usual where one has no effect."""
        idle = self.idle()
        return {name: self.usual[name] if name in idle else self.value(name) for name in self.widgets}

    def changed(self) -> dict[str, Any]:
        """What differs from the usual, and has an effect."""
        return {name: value for name, value in self.values().items() if value != self.usual.get(name)}

    def wrong(self) -> list[str]:
        """What stands in a box and cannot be meant, in words, one sentence each."""
        return [widget.wrong for widget in self.widgets.values() if widget.wrong]

    def idle(self) -> dict[str, str]:
        """The knobs that change nothing as the others stand, each with the reason."""
        said = SimpleNamespace(**{name: self.value(name) for name in self.widgets})
        reasons = {name: field.idle(said, self._examples) for name, field in self.fields.items()}
        return {name: reason for name, reason in reasons.items() if reason}

    def set_example_kind(self, examples: str | None) -> None:
        """Take note of the kind of examples; None where it is not known."""
        self._examples = examples
        self._grey()

    def show(self, values: Mapping[str, Any]) -> None:
        """Update the widgets without firing the callbacks that steer a run; equal values are left alone."""
        self._showing = threading.get_ident()
        try:
            self._set({name: value for name, value in values.items() if name in self.widgets})
        finally:
            self._showing = None

    def apply(self, values: Mapping[str, Any]) -> None:
        """Set knobs to ``values`` as the reader's move."""
        self._set({name: value for name, value in values.items() if name in self.widgets})

    def _set(self, values: Mapping[str, Any]) -> None:
        new = {name: value for name, value in values.items() if self.value(name) != value}
        for name in values:  # what was typed wrong gives way too
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
        """Disable the cold knobs while a run goes on."""
        if frozen != self._frozen:
            self._frozen = frozen
            self._grey()

    def on_hot(self, act: Callable[[str, Any], None]) -> None:
        """Call ``act(name, value)`` when the reader moves a hot knob; by then another thread may show another value."""

        def moved(name: str, change: Any) -> None:
            if self._showing != threading.get_ident():
                act(name, change["new"])

        for name in self.hot:
            self.widgets[name].observe(lambda change, name=name: moved(name, change), names="value")

    def on_change(self, act: Callable[[], object]) -> None:
        """Call ``act()`` after knobs were moved, by whomever."""
        self._on_change.append(act)

    def _changed(self, _: Any) -> None:
        if not self._many:
            self._grey()
            for act in self._on_change:
                act()

    def _grey(self) -> None:
        idle = self.idle()
        for name, widget in self.widgets.items():
            widget.disabled = name in idle or (self._frozen and name in self.cold)
            widget.explain(idle.get(name, ""))
