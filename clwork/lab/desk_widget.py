"""The run desk: all runs of a folder in a table, and their curves over each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets
import plotly.graph_objects as go

from .. import columns
from ..training import Stored, alike, changed_keys, stored_runs
from ..training.recipe import runs_folder
from ..views import Tracks, overlay, still_image
from . import messages
from .drawing_thread import DrawingThread
from .layout import DESK_CURVES, WIDE
from .redrawn_figure import RedrawnFigure
from .setting_controls import LABEL
from .unsaved import unsaved

if TYPE_CHECKING:
    import pandas as pd

ALWAYS = [column.name for column in columns.in_cell("loss", "alignment", "uniformity")]
STYLE = "<style>.clwork-table th, .clwork-table td {padding: 1px 8px; text-align: left; vertical-align: top}</style>"


@unsaved()
def desk(folder: str | Path | None = None) -> Desk:
    """Lay out all runs below ``folder``; show the desk by putting it last in a cell.

    A table says how each run ended and names the settings in which the runs differ. Below, the curves of the chosen
    runs lie over each other; runs that differ in nothing but their seed are drawn as their mean, with a band of one
    standard deviation (on straight lines between the steps at which each was measured). Runs whose method this kernel
    does not know are shown like all others.

    Args:
        folder: default: where runs are kept, ``clwork-runs`` or what the environment's ``CLWORK_RUNS`` says.
    """
    return Desk(runs_folder() if folder is None else Path(folder))


def frame(found: list[Stored]) -> pd.DataFrame:
    """A row for each run: what it is, where its curves ended, and the settings in which the runs differ."""
    import pandas as pd

    settings = [run.settings() for run in found]
    told = [name for name in changed_keys(settings) if name not in ("method", "steps")]
    rows = []
    for run, own in zip(found, settings, strict=True):
        tracks = Tracks(run.records())
        row: dict[str, Any] = {"method": run.method, "seed": run.recipe.seed, "status": run.status}
        row["step"] = f"{run.step} of {run.total_steps}"
        row["size"] = f"{run.files.size() / 1e6:.3g} MB"
        for name in columns.shown("desk"):
            if (last := tracks.last(name)) is not None:
                row[name] = last
        rows.append(row | {name: own[name] for name in told if name in own})
    return pd.DataFrame(rows, index=pd.Index([run.name for run in found], name="run"))


class Desk(widgets.VBox):  # type: ignore[misc]
    """See :func:`desk`, which makes it."""

    def __init__(self, folder: Path) -> None:
        """Read the folder and draw."""
        self.folder = folder
        self.found: list[Stored] = []
        self._drawing: DrawingThread | None = None
        self._reading = False
        wide = widgets.Layout(width="560px")
        self.again = widgets.Button(description="Refresh", tooltip="Read the folder again.")
        self.again.add_class("clwork-refresh")
        about = "Runs to draw. Arrow keys move, Shift or Ctrl choose several."
        self.chosen = widgets.SelectMultiple(description="runs", tooltip=about, rows=6, layout=wide, style=LABEL)
        self.chosen.add_class("clwork-chosen")
        self.also = widgets.Dropdown(description="fourth curve", options=["–"], layout=wide, style=LABEL)
        self.also.add_class("clwork-also")
        self.band = widgets.Checkbox(
            value=True, indent=False, description="mean ± sd over seeds", tooltip="Else each run has its own line."
        )
        self.band.add_class("clwork-band")
        self.table, self.state = widgets.HTML(), widgets.HTML()
        self.drawn = RedrawnFigure(overlay({}, ALWAYS, height=DESK_CURVES[1]), "Curves of several runs over each other")
        super().__init__(
            [widgets.HBox([self.again, self.state]), self.table, self.chosen, self.also, self.band, self.drawn.box],
            layout=widgets.Layout(width=f"{WIDE}px"),
        )
        self.add_class("clwork-desk")
        self.refresh()
        self.again.on_click(lambda _: self.refresh())
        for control in (self.chosen, self.also, self.band):
            control.observe(lambda _: self.draw(), names="value")

    def refresh(self) -> None:
        """Read the folder again; goes on reading by itself while one of its runs is training in this kernel."""
        self._read()
        if self._alive() and (self._drawing is None or not self._drawing.going):
            self._drawing = DrawingThread(self._follow, lambda error: self._say(f"Reading failed: {error}"))
            self._drawing.start()

    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame, for further use."""
        return frame(self.found)

    def groups(self) -> dict[str, list[Stored]]:
        """The chosen runs by recipe; a group's runs differ in nothing but their seed."""
        return alike([run for run in self.found if run.name in self.chosen.value])

    def figure(self) -> go.Figure:
        """The curves as a static figure."""
        drawn = [*ALWAYS, *([self.also.value] if self.also.value != "–" else [])]
        named = {}
        for name, runs in self.groups().items():
            longest = {run.recipe.seed: run for run in sorted(runs, key=lambda run: run.step)}  # one for each seed
            seeds = f" ({len(longest)} seeds)" if len(longest) > 1 else ""
            named[name + seeds] = [Tracks(run.records()) for run in longest.values()]
        return overlay(named, drawn, band=self.band.value, width=DESK_CURVES[0], height=DESK_CURVES[1])

    def draw(self) -> None:
        """Draw the chosen runs."""
        if not self._reading:
            self.drawn.replace(self.figure())

    def close(self) -> None:
        """Take the desk away; nothing on disk changes."""
        if self._drawing is not None:
            self._drawing.end()
        super().close()

    def _alive(self) -> bool:
        return any(run.status in ("waiting", "running", "paused") for run in self.found)

    def _follow(self) -> bool:
        self._read()
        return self._alive()

    def _read(self) -> None:
        known = {run.name for run in self.found}
        self.found, trouble = stored_runs(self.folder)
        names = [run.name for run in self.found]
        chosen = [name for name in names if name not in known or name in self.chosen.value]
        recorded = dict.fromkeys(name for run in self.found for name in Tracks(run.records()).names)
        options = ["–", *columns.choices(recorded, ALWAYS)]
        also = self.also.value if self.also.value in options[1:] else options[min(1, len(options) - 1)]
        self._reading = True  # no drawing for each of these changes
        if list(self.chosen.options) != names:
            self.chosen.options = names
        self.chosen.value = chosen
        if list(self.also.options) != options:
            self.also.options = options
        self.also.value = also
        self._reading = False
        self.table.value = f'{STYLE}<div style="overflow-x: auto; max-width: {WIDE - 2}px">{self._rows()}</div>'
        count = f"{len(names)} runs in {self.folder}" if names else f"No run in {self.folder} yet: train one."
        self._say(". ".join([count, *trouble]))
        self.draw()

    def _rows(self) -> str:
        if not self.found:
            return ""
        table = frame(self.found)
        about = [columns.of(str(name)) for name in table.columns]
        texts = [
            [str(name), *(_cell(value, column.scale) for value, column in zip(row, about, strict=True))]
            for name, row in zip(table.index, table.values, strict=True)
        ]
        head = ["run", *(column.label for column in about)]
        return messages.table("How each run ended, and the settings in which they differ", head, texts)

    def _say(self, sentence: str) -> None:
        self.state.value = f"<div role='status'>{messages.failure(sentence)}</div>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget, and beside it the table and a still picture for readers that run no widgets."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        bundle["text/html"] = f"{self.table.value}{still_image(self.figure(), 'The curves of the chosen runs')}"
        return bundle


def _cell(value: Any, scale: float) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{scale * value:.4g}"
    return "" if value is None else str(value)
