"""The settings of a run, and the hyperparameters of a method as controls."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch

from ...data.corpus import KINDS_OF_TUPLES
from ...data.sources import CorpusRef
from ...encoders import Encoder
from ...methods import Field, MethodConfig
from ...training import Run
from ...training.disk.folder import RunFolder
from ...training.disk.run_files import SENTENCES, START
from ...training.outside import Outside
from ...training.run.arguments import usual_eval_every
from .changes import Changes
from .control import Control
from .corpus_choice import Kept


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


FIRST = 6  # controls shown first, if the method does not name them


class SettingControls:
    """All controls of a configuration; ``values()`` is always valid.

    A control without effect is off, with the reason.

    Attributes:
        controls: by name.
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
        changes: Changes | None = None,
    ) -> None:
        """Create them with the values of ``config``; ``usual`` are those of an unchanged one."""
        self.changes = changes or Changes()
        self.fields = {field.name: field for field in fields}
        self.controls = {f.name: Control(f, getattr(config, f.name), self.changes, self._changed) for f in fields}
        self.hot = [field.name for field in fields if field.hot]
        self.cold = [field.name for field in fields if not field.hot]
        self.main = list(main) or self.hot[:FIRST]
        self.more = [name for name in self.fields if name not in self.main]
        self.usual = dict(usual or {field.name: field.default for field in fields})
        self.frozen = False
        self._examples: str | None = None
        self._showing = False  # in show(), whose changes do not steer the run
        self._on_change: list[Callable[[], object]] = []
        self._on_hot: list[Callable[[str, Any], object]] = []
        self._mark()

    def value(self, name: str) -> Any:
        """The value of a control."""
        return self.controls[name].value

    def values(self) -> dict[str, Any]:
        """The values of all controls; the usual ones for controls without effect."""
        with self.changes:
            idle = self.idle()
            return {name: self.usual[name] if name in idle else self.value(name) for name in self.controls}

    def changed(self) -> dict[str, Any]:
        """The values that differ from the usual ones and have an effect."""
        return {name: value for name, value in self.values().items() if value != self.usual.get(name)}

    def wrong(self) -> list[str]:
        """Error messages of what was typed."""
        return [control.wrong for control in self.controls.values() if control.wrong]

    def idle(self) -> dict[str, str]:
        """The controls without effect, with the reason."""
        with self.changes:
            values = SimpleNamespace(**{name: self.value(name) for name in self.controls})
            reasons = {name: field.idle(values, self._examples) for name, field in self.fields.items()}
        return {name: reason for name, reason in reasons.items() if reason}

    def set_example_kind(self, examples: str | None) -> None:
        """Set the kind of examples, such as ``sentences`` or ``triplets``; None if it is unknown."""
        with self.changes:
            self._examples = examples
            self._mark()

    def show(self, values: Mapping[str, Any]) -> None:
        """Update the controls without firing the callbacks that steer a run; equal values are left alone."""
        with self.changes:
            self._showing = True
            try:
                self._set(values)
            finally:
                self._showing = False

    def apply(self, values: Mapping[str, Any]) -> None:
        """Set controls to ``values`` as if the reader had moved them, all at once."""
        with self.changes:
            self._set(values)

    def _set(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            control = self.controls.get(name)
            if control is not None and (control.wrong or control.value != value):
                control.value = value

    def freeze(self, frozen: bool) -> None:
        """Switch the cold controls off while a run is at work."""
        with self.changes:
            if frozen != self.frozen:
                self.frozen = frozen
                self.changes.note()
                self._mark()

    def on_hot(self, act: Callable[[str, Any], object]) -> None:
        """Call ``act(name, value)`` when the reader moves a hot control; another thread may set it again meanwhile."""
        self._on_hot.append(act)

    def on_change(self, act: Callable[[], object]) -> None:
        """Call ``act()`` after controls were moved, by the reader or by code, or a typed text was wrong or mended."""
        self._on_change.append(act)

    def _changed(self, control: Control, moved: bool) -> None:
        name = control.field.name
        if moved:
            self._mark()
            if control.field.hot and not self._showing:
                self.changes.afterwards(functools.partial(self._steer, name, control.value))
        self.changes.afterwards(self._report)

    def _steer(self, name: str, value: Any) -> None:
        for act in self._on_hot:
            act(name, value)

    def _report(self) -> None:
        for act in self._on_change:
            act()

    def _mark(self) -> None:
        """Update which controls have no effect, and which are off."""
        idle = self.idle()
        for name, control in self.controls.items():
            control.mark(idle=idle.get(name, ""), off=name in idle or (self.frozen and not control.field.hot))
