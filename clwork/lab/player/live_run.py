"""The player of a run at work: the instrument's page without its knobs, which asks for looks as they are taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..._validation import checked
from ...recordings import recording
from ...training import Run
from ..instrument.instrument import Instrument
from ..instrument.player_data import PlayerData, labels_of, player_data, umap_layouts
from ..instrument.sources import Part, Source
from .pages import about, save


class Followed:
    """A source whose head also has the reader's own labels, and in what the run differs from the one beside it."""

    def __init__(self, source: Source, own: Sequence[str | None] | None, differs: str) -> None:
        self._source, self._own, self._differs = source, own, differs
        self.id, self.status, self.looks = source.id, source.status, source.looks
        self.rows, self.verdict = source.rows, source.verdict

    def head(self) -> Part | None:
        """Sentences, axes and levels, once there is a look.

        Raises:
            ValueError: not as many labels as sentences.
        """
        head = self._source.head()
        if head is None or not head["texts"]:
            return None
        return {**head, "own": labels_of(self._own, len(head["texts"]), "labels"), "differs": self._differs}


class LivePlayer(Instrument):
    """See :func:`clwork.lab.player`, which makes it."""

    def __init__(
        self,
        runs: Sequence[object],
        sources: Sequence[Source],
        *,
        labels: Sequence[str | None] | None = None,
        differs: Sequence[str] = (),
        height: int = 0,
    ) -> None:
        """Show ``sources``, one for each of ``runs``, of which one is at work at least."""
        self._runs = list(runs)
        titles = [*differs, *[""] * len(runs)]
        followed: list[Source] = [
            Followed(source, None if place else labels, titles[place]) for place, source in enumerate(sources)
        ]
        super().__init__(followed, about=about(len(runs)), height=height)

    @property
    def data(self) -> list[PlayerData]:
        """What a page without a kernel would hold of the runs by now; empty as long as one has no look."""
        if any(isinstance(run, Run) and not run.positions.rows() for run in self._runs):
            return []
        return [player_data(recording(run)) for run in self._runs]  # type: ignore[arg-type]

    @checked()
    def save(self, path: str | Path) -> Path:
        """Write what there is by now as a page of its own; a file that is there is replaced.

        Raises:
            TypeError, ValueError: no path, or a folder's; or a run has no look yet.
            DiskError: the disk refuses.
        """
        if not (data := self.data):
            raise ValueError("there is no look at the sentences yet: wait for the first one")
        return save(data, path)

    def _lively(self) -> bool:
        return any(isinstance(run, Run) and run.alive for run in self._runs) or "working" in self._made.get("umap", {})

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {"umap": self._lay_out}

    def _lay_out(self) -> None:
        """Compute UMAP of all looks so far in a thread of its own."""
        if not (data := self.data):
            raise ValueError("there is no look yet: wait for the first one")
        self._make("umap", lambda: {"layouts": umap_layouts(data)})

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and for readers without widgets a sentence on how to see the run there."""
        bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        names = " and ".join(str(getattr(run, "name", "a run")) for run in self._runs)
        words = f"This followed {names} at work; lab.player(folder) shows what it has come to, without a kernel."
        return {**bundle, "text/html": f"<p>{words}</p>", "text/plain": words}, metadata
