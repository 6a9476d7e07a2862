"""Choosing what a run starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..._validation import shown
from ...training import RunFolder, runs
from .changes import Changes
from .corpus_choice import ELSEWHERE, GIVEN, check_texts

RUN = "run:"
UNNAMED = "no encoder is named yet"  # selects the general presets until something is typed
NOTE = "What the run starts from; other defaults may suit another."
INPUTS = {
    "place": {
        "title": "folder or hub name",
        "help": "A folder that Encoder.save wrote, an encoder of the hub, or textcnn: and a file of word vectors.",
        "placeholder": "bert-base-uncased",
    }
}


class EncoderChoice:
    """The bundled encoder, one by name or folder, an encoder object, or what an earlier run ended with.

    Attributes:
        choice: the value of one of ``options``.
        place: a folder or hub name.
    """

    def __init__(
        self,
        given: Any,
        default: str,
        others: Sequence[str] = (),
        changes: Changes | None = None,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        """Start with ``given`` (a name, folder or encoder), or with the method's ``default``; offer ``others`` too.

        ``changed()`` is called under the lock after each choice.
        """
        self._given = None if given is None or isinstance(given, str) else given
        self._default = default
        self._names = list(dict.fromkeys([default, *others]))
        named = isinstance(given, str) and given not in self._names
        self.choice = GIVEN if self._given is not None else ELSEWHERE if named else given or default
        self.place: str = given if named else ""
        self._earlier: list[tuple[str, str]] = []
        self._changes, self._changed = changes or Changes(), changed

    @property
    def options(self) -> list[dict[str, str]]:
        """What can be chosen: value, label and a line about it."""
        given = [(GIVEN, f"given in the call ({getattr(self._given, 'name', '?')})")] if self._given is not None else []
        named = [(name, name) for name in self._names]
        options = [*given, *named, *self._earlier, (ELSEWHERE, "a folder or hub name …")]
        return [{"value": value, "label": label, "note": NOTE} for value, label in options]

    @property
    def shown(self) -> list[str]:
        """The inputs that the choice asks for."""
        return ["place"] if self.choice == ELSEWHERE else []

    def offer(self, runs: Any) -> None:
        """List the runs whose best encoder can be the start; the choice stays, as long as its run is listed."""
        earlier = [(f"{RUN}{run.folder}", f"best of {run.name}") for run in runs if run.best]
        with self._changes:
            if earlier == self._earlier:
                return
            self._earlier = earlier
            self._changes.note()
            if self.choice not in self._values():
                self.choose(self._default)

    def choose(self, choice: str | None = None, *, place: str | None = None) -> None:
        """Choose an encoder, or fill in its place; None leaves a part as it is.

        Raises:
            TypeError: the place is no text.
            ValueError: there is no such choice.
        """
        check_texts(place=place)
        if choice is not None and choice not in self._values():
            raise ValueError(f"there is no encoder {shown(choice)} to choose; known: {', '.join(self._values())}")
        with self._changes:
            self.choice = self.choice if choice is None else choice
            self.place = self.place if place is None else place
            self._changes.note()
            self._changed()

    def state(self) -> dict[str, Any]:
        """What the page shows: choice, options, inputs, and a line about it."""
        return {
            "choice": self.choice,
            "options": self.options,
            "shown": self.shown,
            "place": self.place,
            "note": NOTE,
        }

    def _values(self) -> list[str]:
        return [option["value"] for option in self.options]

    @property
    def origin(self) -> Any:
        """The chosen encoder, its name or folder, for the presets of ``clwork.methods.config``; nothing is loaded."""
        return self.origin_of(self.choice, self.place)

    def origin_of(self, choice: str, place: str | None) -> Any:
        """The same of another choice."""
        if choice == GIVEN:
            return self._given
        if choice == ELSEWHERE:
            return (place or "").strip() or UNNAMED
        return _origin_of(choice[len(RUN) :]) if choice.startswith(RUN) else choice

    @property
    def text(self) -> str:
        """The choice in a line of settings."""
        return self.place.strip() if self.choice == ELSEWHERE else self.choice

    def meaning(self, text: str) -> tuple[str, str | None]:
        """The choice and place that :attr:`text` named; a place of None stays as it is.

        Raises:
            ValueError: it is an object that was given in another call, or a run that is unknown here.
        """
        known = [value for value in self._values() if value != ELSEWHERE]
        if text == GIVEN and GIVEN not in known:
            raise ValueError("encoder=given was an encoder handed over in a call, which no text holds; name another")
        if text.startswith(RUN) and text not in known:
            raise ValueError(f"the run of encoder={text[len(RUN) :]} is not known to this kernel; name its folder")
        return (text, None) if text in known else (ELSEWHERE, text)

    def write(self, text: str) -> None:
        """Choose what :attr:`text` named; a folder or hub name is filled in.

        Raises:
            ValueError: it is an object that was given in another call, or a run that is unknown here.
        """
        choice, place = self.meaning(text)
        self.choose(choice, place=place)

    def read(self) -> Any:
        """The encoder for ``clwork.start(encoder=…)``.

        Raises:
            ValueError: nothing was typed, or the run is gone.
        """
        if self.choice == GIVEN:
            return self._given
        if self.choice == ELSEWHERE:
            if not self.place.strip():
                raise ValueError("no encoder is named: type a folder or hub name, or choose the bundled one")
            return self.place.strip()
        return _best_of(self.choice[len(RUN) :]) if self.choice.startswith(RUN) else self.choice


def _best_of(folder: str) -> Any:
    for run in runs():
        if str(run.folder) == folder:
            return run.best_encoder()
    raise ValueError(f"the run of {folder} is no longer known to this kernel: choose another encoder")


def _origin_of(folder: str) -> str:
    """Return the folder of a run's encoder, else its start encoder; selects the presets."""
    began = next((str(run.recipe.encoder) for run in runs() if str(run.folder) == folder), folder)
    return str(RunFolder(folder).encoders.latest() or began)
