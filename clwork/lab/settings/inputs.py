"""All settings of an instrument together: corpus, encoder, steps, seed, presets and hyperparameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ... import methods
from ..._validation import nearest, shown
from ...data.sources import DEFAULT
from ...methods import MethodConfig
from ...methods.hyperparameters import build
from ..page.labels import plain
from . import corpus_choice, encoder_choice, settings_text
from .changes import Changes
from .control import Control, count
from .corpus_choice import CorpusChoice
from .encoder_choice import EncoderChoice
from .formula import marked, place_in
from .settings import RunSettings, SettingControls
from .settings_text import Presets

AT_WORK = "a run goes on with the settings shown: stop it, then apply others"
ABOUT_STEPS = "Optimizer steps of a run."
ABOUT_SEED = "Of everything random: equal seeds, equal runs on a CPU."


class Inputs:
    """The settings that *Start* trains with, the commands that change them, and what a page shows of them.

    Commands arrive on the kernel's thread, other threads read and show: all of them under one lock, ``changes``.

    Attributes:
        method: the method's class.
        corpus: what to train on; ``encoder`` what to start from; ``settings`` the hyperparameters.
        steps: of a run; ``seed`` of everything random.
    """

    def __init__(
        self,
        method: str,
        made_of: RunSettings | None = None,
        config: Mapping[str, Any] | None = None,
        *,
        of_run: MethodConfig | None = None,
        busy: Callable[[], bool] = lambda: False,
    ) -> None:
        """Create them with the settings ``made_of`` and the hyperparameters ``config``.

        ``of_run`` is the configuration of a run that is shown, in place of the encoder's defaults. While ``busy()``
        the settings are those of the run at work; it is called under the lock, and must wait for no other thread.

        Raises:
            TypeError, ValueError: a value is of another kind or out of range.
        """
        made_of = made_of or RunSettings()
        self.method = kind = methods.get(method)
        self.changes = changes = Changes()
        self._busy = busy
        self._acts: list[Callable[[], object]] = []
        self.corpus = CorpusChoice(made_of.sentences, kind.accepts, made_of.column, changes, self._corpus_changed)
        self.encoder = EncoderChoice(
            made_of.encoder, kind.default_encoder, kind.encoders, changes, self._encoder_changed
        )
        self.steps = count(
            "steps", made_of.steps, 1, 10**7, ABOUT_STEPS, changes=changes, changed=lambda *_: self._changed()
        )
        self.seed = count(
            "seed", made_of.seed, 0, 2**32 - 1, ABOUT_SEED, changes=changes, changed=lambda *_: self._changed()
        )
        usual = methods.config(method, self.encoder.origin)
        if of_run is None:
            values = methods.config(method, self.encoder.origin, **(config or {}))
        else:
            values = build(kind.Config, {**vars(of_run), **(config or {})})
        shared = {field.name for field in methods.fields(MethodConfig)}
        fields = sorted(methods.fields(kind.Config), key=lambda field: field.name in shared)
        self.settings = SettingControls(fields, values, vars(usual), kind.knobs, changes)
        self.settings.on_change(self._report)
        self.settings.set_example_kind(self.corpus.kind)
        self.presets = Presets(kind.Config, kind.published, lambda: self.settings.usual)
        self._state: dict[str, Any] = {}

    def on_change(self, act: Callable[[], object]) -> None:
        """Call ``act()`` after any input was changed or corrected, by the reader or by code."""
        self._acts.append(act)

    def on_hot(self, act: Callable[[str, Any], object]) -> None:
        """Call ``act(name, value)`` when the reader moves a control that steers a run at work."""
        self.settings.on_hot(act)

    @property
    def version(self) -> int:
        """Grows with every change of :meth:`state`, and with every command, whose page may show what was refused."""
        return self.changes.version

    @property
    def frozen(self) -> bool:
        """Whether only hot controls can be changed, because a run is at work."""
        return self.settings.frozen

    def values(self) -> dict[str, Any]:
        """The hyperparameters now."""
        return self.settings.values()

    def wrong(self) -> list[str]:
        """Error messages of what was typed."""
        return [*(control.wrong for control in (self.steps, self.seed) if control.wrong), *self.settings.wrong()]

    def state(self) -> dict[str, Any]:
        """What the page shows of the settings, see the schema of the messages; do not change what it returns."""
        with self.changes:
            if self._state.get("version") != self.version:
                self._state = {
                    "version": self.version,
                    "controls": {name: control.state() for name, control in self.settings.controls.items()},
                    "steps": self.steps.state(),
                    "seed": self.seed.state(),
                    "frozen": self.frozen,
                    "preset": self.preset,
                    "line": self.text(),
                    "corpus": self.corpus.state(),
                    "encoder": self.encoder.state(),
                }
            return self._state

    def about(self) -> dict[str, Any]:
        """What never changes: the method with its formula, every field, presets, corpora and encoders.

        ``method.symbols`` are the fields whose symbol is in the formula, in its order; their places in the formula
        have the attribute ``data-field``. One that is idle is not shown with its value.
        """
        kind, main = self.method, self.settings.main
        signs = {name: field.symbol for name, field in self.settings.fields.items() if field.symbol}
        placed = sorted((place_in(sign, kind.formula), name) for name, sign in signs.items())
        about = {name: control.about() for name, control in self.settings.controls.items()}
        return {
            "method": {
                "name": kind.name,
                "title": kind.title,
                "paper": kind.paper,
                "formula": marked(kind.formula, signs),
                "symbols": [name for at, name in placed if at >= 0],
            },
            "fields": [about[name] | {"main": name in main} for name in (*main, *self.settings.more)],
            "steps": self.steps.about(),
            "seed": self.seed.about(),
            "presets": self.presets.options,
            "corpora": self.corpus.options,
            "encoders": self.encoder.options,
            "inputs": {"corpus": corpus_choice.INPUTS, "encoder": encoder_choice.INPUTS},
        }

    def set(self, name: str, value: str | float) -> None:
        """Set a hyperparameter, ``steps`` or ``seed``: to a text as typed or chosen, or to the number of a slider.

        An invalid text is kept beside the value, with its error.

        Raises:
            ValueError: there is no such setting.
            RuntimeError: it can not be changed now.
        """
        control = self._control(name)
        with self.changes:
            self.changes.note()  # also if nothing changes: the page has to show the value in place of what was typed
            if control.off:
                raise RuntimeError(control.help_text if control.idle else f"{control.field.called}: {AT_WORK}")
            if isinstance(value, int | float) and not isinstance(value, bool):
                control.drag(value)
            else:
                control.type_in(plain(value))

    def choose_preset(self, name: str) -> None:
        """Set the hyperparameters to the encoder's default, or to published values; ``your own`` changes nothing.

        Raises:
            ValueError: there is no such preset.
            RuntimeError: a run goes on.
        """
        with self._changing():
            self.settings.apply(self.presets.choose(name))

    @property
    def preset(self) -> str:
        """The name of the present hyperparameters."""
        with self.changes:
            return self.presets.name_of({name: control.value for name, control in self.settings.controls.items()})

    def reset(self) -> None:
        """Set every hyperparameter to the encoder's default.

        Raises:
            RuntimeError: a run goes on.
        """
        self.choose_preset(settings_text.DEFAULT)

    def choose_corpus(self, choice: str | None = None, **parts: Any) -> None:
        """Choose a corpus, see :meth:`.CorpusChoice.choose`.

        Raises:
            ValueError: there is no such choice.
            RuntimeError: a run goes on.
        """
        with self._changing():
            self.corpus.choose(choice, **parts)

    def choose_encoder(self, choice: str | None = None, *, place: str | None = None) -> None:
        """Choose an encoder, see :meth:`.EncoderChoice.choose`; settings at the former one's defaults follow.

        Raises:
            ValueError: there is no such choice.
            RuntimeError: a run goes on.
        """
        with self._changing():
            self.encoder.choose(choice, place=place)

    def freeze(self, frozen: bool) -> None:
        """Leave only hot controls to the reader while a run is at work."""
        with self.changes:
            self.settings.freeze(frozen)
            for control in (self.steps, self.seed):
                control.mark(idle="", off=frozen)
            if not frozen:
                self._follow_encoder()

    def search(self, words: str) -> tuple[list[str], str]:
        """The settings beside the main ones that match ``words``, and a sentence about the search."""
        words, settings = words.strip(), self.settings
        names = [name for name in settings.more if not words or settings.controls[name].matches(words)]
        main = [settings.controls[name] for name in settings.main]
        elsewhere = [control.field.called for control in main if words and control.matches(words)]
        text = f"{len(names)} of {len(settings.more)} settings" if words else f"{len(names)} more settings"
        return names, text + (f"; beside the pictures: {', '.join(elsewhere)}" if elsewhere else "")

    def text(self) -> str:
        """All settings as one line, see :func:`.settings_text.write`."""
        with self.changes:
            own = {"seed": self.seed.value, "steps": self.steps.value, "corpus": self.corpus.name}
            own |= {"column": self.corpus.column.strip(), "encoder": self.encoder.text}
            return settings_text.write(self.method.name, own, self.settings.changed())

    def apply(self, text: str) -> None:
        """Apply a line of settings, all or nothing; what it leaves out goes back to its default.

        Raises:
            ValueError: the line cannot be applied here; the message says why.
            RuntimeError: a run goes on.
        """
        name = self.method.name
        with self._changing():
            parsed = settings_text.read(text, name)
            numbers = {
                control: settings_text.value_of(parsed[number], control.field)
                for number, control in (("steps", self.steps), ("seed", self.seed))
                if number in parsed
            }
            values = settings_text.values(parsed, self.settings.fields)
            encoder, place = self.encoder.meaning(parsed.get("encoder", self.method.default_encoder))
            origin = self.encoder.origin_of(encoder, place)
            usual = methods.config(name, origin)
            methods.config(name, origin, **values)  # all of them together
            corpus, where = self.corpus.meaning(parsed.get("corpus", DEFAULT))
            self.encoder.choose(encoder, place=place)
            self.corpus.choose(corpus, place=where, column=parsed.get("column", ""))
            self.settings.apply({**vars(usual), **values})
            for control, number in numbers.items():
                control.value = number

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock for a change that no run at work allows."""
        with self.changes:
            self.changes.note()  # also if it is refused: the page has to show what is chosen still
            if self.frozen or self._busy():
                raise RuntimeError(AT_WORK)
            yield

    def _control(self, name: str) -> Control:
        controls = {**self.settings.controls, "steps": self.steps, "seed": self.seed}
        if name not in controls:
            raise ValueError(f"there is no setting {shown(name)}{nearest(str(name), controls)}")
        return controls[name]

    def _encoder_changed(self) -> None:
        self._follow_encoder()
        self._changed()

    def _follow_encoder(self) -> None:
        """Move settings from the former encoder's defaults to the new one's; not while a run is at work."""
        if self.frozen or self._busy():
            return
        new = vars(methods.config(self.method.name, self.encoder.origin))
        if new != self.settings.usual:
            now, old = self.settings.values(), self.settings.usual
            self.settings.usual = new
            self.changes.note()
            self.settings.show({name: new[name] for name in new if now.get(name) == old.get(name)})

    def _corpus_changed(self) -> None:
        self.settings.set_example_kind(self.corpus.kind)
        self._changed()

    def _changed(self) -> None:
        self.changes.afterwards(self._report)

    def _report(self) -> None:
        for act in self._acts:
            act()
