"""Choosing what a run starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from ..page.widgets import drop_down, hidden_line, note, reveal
from .corpus_picker import ELSEWHERE, GIVEN

RUN = "run:"
UNNAMED = "no encoder is named yet"  # selects the general presets until something is typed


class EncoderPicker(widgets.VBox):  # type: ignore[misc]
    """The bundled encoder, one by name or folder, an encoder object, or what an earlier run ended with."""

    def __init__(self, given: Any, default: str, others: Sequence[str] = ()) -> None:
        """Start with ``given`` (a name, folder or encoder), or with the method's ``default``; offer ``others`` too."""
        self._given = None if given is None or isinstance(given, str) else given
        self._default = default
        self._names = list(dict.fromkeys([default, *others]))
        named = isinstance(given, str) and given not in self._names
        value = GIVEN if self._given is not None else ELSEWHERE if named else given or default
        self.choice = drop_down("encoder", "Which encoder to start from.", self._options(()), value)
        self.choice.add_class("clwork-encoder")
        about = "A folder that Encoder.save wrote, an encoder of the hub, or textcnn: and a file of word vectors."
        self.place = hidden_line("folder or hub name", about, "bert-base-uncased", given if named else "")
        self._offering = False
        self._acts: list[Callable[[], object]] = []
        self.controls = (self.choice, self.place)
        for control in self.controls:
            control.observe(lambda _: self._chosen(), names="value")
        super().__init__([*self.controls, note("What the run starts from; other defaults may suit another.")])
        reveal(self.place, named)

    def _options(self, runs: Any) -> list[tuple[str, str]]:
        given = [(f"given in the call ({getattr(self._given, 'name', '?')})", GIVEN)] if self._given is not None else []
        earlier = [(f"best of {run.name}", f"{RUN}{run.folder}") for run in runs]
        return [*given, *((name, name) for name in self._names), *earlier, ("a folder or hub name …", ELSEWHERE)]

    def offer(self, runs: Any) -> None:
        """List the runs whose best encoder can be the start; the choice stays."""
        options = self._options([run for run in runs if run.best])
        if list(self.choice.options) == options:
            return
        chosen = self.choice.value
        listed = chosen in [value for _, value in options]
        self._offering = True  # setting options selects the first one: do not report that
        try:
            self.choice.options = options
            self.choice.value = chosen if listed else self._default
        finally:
            self._offering = False
        if not listed:
            self._chosen()

    def on_choice(self, act: Callable[[], object]) -> None:
        """Call ``act()`` whenever another encoder was chosen, or its place typed."""
        self._acts.append(act)

    def _chosen(self) -> None:
        if not self._offering:
            reveal(self.place, self.choice.value == ELSEWHERE)
            for act in self._acts:
                act()

    def freeze(self, frozen: bool) -> None:
        """Disable all controls while a run is at work."""
        for control in self.controls:
            control.disabled = frozen

    @property
    def origin(self) -> Any:
        """The chosen encoder, its name or folder, for the presets of ``clwork.methods.config``; nothing is loaded."""
        chosen = self.choice.value
        if chosen == GIVEN:
            return self._given
        if chosen == ELSEWHERE:
            return self.place.value.strip() or UNNAMED
        return _origin_of(chosen[len(RUN) :]) if chosen.startswith(RUN) else chosen

    @property
    def text(self) -> str:
        """The choice in a line of settings."""
        chosen = str(self.choice.value)
        return self.place.value.strip() if chosen == ELSEWHERE else chosen

    def write(self, text: str) -> None:
        """Choose what :attr:`text` named; a folder or hub name is typed for the reader.

        Raises:
            ValueError: it is an object that was given in another call.
        """
        known = [value for _, value in self.choice.options if value != ELSEWHERE]
        if text == GIVEN and GIVEN not in known:
            raise ValueError("encoder=given was an encoder handed over in a call, which no text holds; name another")
        if text.startswith(RUN) and text not in known:
            raise ValueError(f"the run of encoder={text[len(RUN) :]} is not known to this kernel; name its folder")
        if text not in known:
            self.place.value = text
        self.choice.value = text if text in known else ELSEWHERE

    def read(self) -> Any:
        """The encoder for ``clwork.start(encoder=…)``.

        Raises:
            ValueError: nothing was typed, or the run is gone.
        """
        chosen = self.choice.value
        if chosen == GIVEN:
            return self._given
        if chosen == ELSEWHERE:
            if not self.place.value.strip():
                raise ValueError("no encoder is named: type a folder or hub name, or choose the bundled one")
            return self.place.value.strip()
        if chosen.startswith(RUN):
            return _best_of(chosen[len(RUN) :])
        return chosen


def _best_of(folder: str) -> Any:
    from ...training import runs

    for run in runs():
        if str(run.folder) == folder:
            return run.best_encoder()
    raise ValueError(f"the run of {folder} is no longer known to this kernel: choose another encoder")


def _origin_of(folder: str) -> str:
    """Return the folder of a run's encoder, else its start encoder; selects the presets."""
    from ...training import RunFolder, runs

    began = next((str(run.recipe.encoder) for run in runs() if str(run.folder) == folder), folder)
    return str(RunFolder(folder).encoders.latest() or began)
