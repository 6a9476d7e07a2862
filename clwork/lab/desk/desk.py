"""The run desk: all runs of a folder in a table, and their curves over each other."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets
import plotly.graph_objects as go

from ... import columns
from ...checks import choice
from ...disk import size
from ...edges import checked
from ...training import Stored, TreeRow, group_by_recipe, stored_runs
from ...training.disk.recipe import runs_folder
from ...training.stored.stored import AT_WORK
from ...views import RunColumns, overlay, small_multiples, to_svg_image
from ...views.overlaid_runs import MOST
from ...wording import explain, plural
from ..page.drawing_thread import DrawingThread
from ..page.labels import titles
from ..page.live_figure import LiveFigure
from ..page.notebook import unsaved
from ..page.widgets import DESK_CURVES, LABEL, Board, button, has_anywidget
from .run_actions import RunActions
from .table import FAMILY, FORMS, DeskRows, TableTools, arranged, frame, matching, page, state_of

if TYPE_CHECKING:
    import pandas as pd
    from tqdm.auto import tqdm

TOGETHER = 5  # recipes whose curves over each other can be told apart
TABLE_WIDTH, CURVES_WIDTH = 310, 410  # pixels that each needs to stand beside the other
TABLE_HEIGHT = 480  # pixels; of more runs the table scrolls
BEAT = 0.25  # seconds between updates of the bar that `wait` shows

ALWAYS = [column.name for column in columns.in_cell("loss", "alignment", "uniformity")]


@checked()
@unsaved()
def desk(folder: str | Path | None = None) -> Desk:
    """Lay out all runs below ``folder``; show the desk by putting it last in a cell.

    A table names the settings in which the runs differ and says how each ended. Beside it, the curves of the chosen
    runs lie over each other, called by what differs; runs that differ in nothing but their seed are drawn as their
    mean, with a band of one standard deviation (on straight lines between the steps at which each was measured). More
    than five recipes are drawn one beside the other. Runs whose method this kernel does not know are shown like all
    others.

    Forks are indented under their parent. The table can be sorted, filtered and copied; a run that
    is not being trained can be resumed, renamed, or deleted.

    Args:
        folder: default: where runs are kept, ``clwork-runs`` or what the environment's ``CLWORK_RUNS`` says.
    """
    return Desk(runs_folder() if folder is None else Path(folder))


class Desk(Board):
    """See :func:`desk`, which makes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs: list[Stored] = []
        self.shown: list[TreeRow] = []  # the filtered runs, in the order of the table
        self._drawing: DrawingThread | None = None
        self._reading = False
        self.table, self.state = widgets.HTML(), widgets.HTML()
        self.again = button("Refresh", "Read the folder again.", "refresh", self.refresh)
        self.tools = TableTools()
        self.actions = RunActions(self._announce, self.refresh)
        self.chosen, self.extra_column, self.band = self._choices()
        empty = overlay({}, ALWAYS, height=DESK_CURVES[1])
        self.drawn = LiveFigure(empty, "Curves of several runs over each other", stretches=True)
        self.rows = DeskRows(self._on_click) if has_anywidget() else None
        head = widgets.HBox([self.again, self.state])
        self._lay_out("desk", [head, self.tools, self._beside(), self.tools.copied, self.actions, self.chosen])
        self.refresh()
        self.tools.on_change(self._arrange, self.copy)
        for control in (self.chosen, self.extra_column, self.band):
            control.observe(lambda _: self.draw(), names="value")
        self.actions.one.observe(lambda _: self._show_rows(), names="value")

    def _choices(self) -> tuple[widgets.SelectMultiple, widgets.Dropdown, widgets.Checkbox]:
        wide = widgets.Layout(width="560px")
        narrow = widgets.Layout(width="270px")
        about = "Runs to draw. Arrow keys move, Shift or Ctrl choose several."
        chosen = widgets.SelectMultiple(description="draw", tooltip=about, rows=6, layout=wide, style=LABEL)
        chosen.add_class("clwork-chosen")
        extra = widgets.Dropdown(description="fourth curve", options=["–"], layout=narrow, style=LABEL)
        extra.tooltip = (
            f"Beside loss, alignment and uniformity; of more than {TOGETHER} recipes, the one that is drawn."
        )
        extra.add_class("clwork-extra-column")
        band = widgets.Checkbox(True, indent=False, description="mean ± sd over seeds")
        band.tooltip = "Else each run has its own line."
        band.add_class("clwork-band")
        return chosen, extra, band

    def _beside(self) -> widgets.HBox:
        """Place the table, which scrolls, and the curves beside it, or below it on a narrow page."""
        table = self.table if self.rows is None else self.rows
        table.layout = widgets.Layout(flex=f"1 1 {TABLE_WIDTH}px", min_width="0", max_height=f"{TABLE_HEIGHT}px")
        table.layout.overflow = "auto"
        table.add_class("clwork-runs")
        look = widgets.HBox([self.extra_column, self.band], layout=widgets.Layout(flex_flow="row wrap"))
        self.drawn.box.layout.flex = "0 0 auto"  # it stands in a column
        room = widgets.Layout(flex=f"2 1 {CURVES_WIDTH}px", min_width="0")
        curves = widgets.VBox([look, self.drawn.box], layout=room)
        return widgets.HBox([table, curves], layout=widgets.Layout(flex_flow="row wrap", grid_gap="12px"))

    def refresh(self) -> None:
        """Read the folder again; keep refreshing while one of its runs trains in this kernel."""
        self._read()
        if self._alive() and (self._drawing is None or not self._drawing.going):
            self._drawing = DrawingThread(
                self._follow, lambda error: self._announce(f"Reading failed: {explain(error)}")
            )
            self._drawing.start()

    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame, for further use: the rows that are shown, in their order."""
        return frame([member.run for member in self.shown])

    def copy(self, form: str = "Markdown") -> str:
        """The table as text, ``"Markdown"``, ``"LaTeX"`` or ``"CSV"``: the rows that are shown, in their order.

        Raises:
            ValueError: another form.
        """
        return FORMS[choice("form", form, list(FORMS))](self.frame())

    def groups(self) -> dict[str, list[Stored]]:
        """The chosen runs by recipe, called by what differs; a group's runs differ in nothing but their seed."""
        recipes = list(group_by_recipe([run for run in self.runs if run.folder.name in self.chosen.value]).values())
        return dict(zip(titles([runs[0].settings() for runs in recipes]), recipes, strict=True))

    def figure(self) -> go.Figure:
        """The curves as a static figure: over each other, or of more than five recipes one beside the other."""
        named = {}
        for name, runs in self.groups().items():
            longest = {run.recipe.seed: run for run in sorted(runs, key=lambda run: run.step)}  # one for each seed
            seeds = f" ({len(longest)} seeds)" if len(longest) > 1 else ""
            named[name + seeds] = [RunColumns(run.records()) for run in longest.values()]
        extra = [] if self.extra_column.value == "–" else [self.extra_column.value]
        if len(named) > TOGETHER:
            few = dict(list(named.items())[:MOST])
            return small_multiples(few, (extra or ["loss"])[0], band=self.band.value, width=DESK_CURVES[0])
        return overlay(named, [*ALWAYS, *extra], band=self.band.value, width=DESK_CURVES[0], height=DESK_CURVES[1])

    def draw(self) -> None:
        """Draw the chosen runs."""
        if not self._reading:
            figure = self.figure()
            self.drawn.replace(figure)
            self.drawn.box.layout.height = f"{figure.layout.height}px"
            self.actions.offer([member.run for member in self.shown], self.chosen.value)
            self._show_rows()

    @checked()
    def wait(self, timeout: float | None = None) -> Desk:
        """Block until no run of the folder is at work, or for ``timeout`` seconds, with a progress bar.

        Paused runs and those of other processes count as well. An interrupt ends the waiting, not the runs.
        """
        from tqdm.auto import tqdm

        self.refresh()
        drawing, end = self._drawing, None if timeout is None else time.monotonic() + timeout
        if drawing is None or not drawing.going:
            return self
        followed: set[Path] = set()
        with tqdm(unit="step", mininterval=BEAT) as bar:
            while drawing.going and (end is None or time.monotonic() < end):
                self._show_progress(bar, followed)
                drawing.wait(BEAT if end is None else min(BEAT, max(0.0, end - time.monotonic())))
            self._show_progress(bar, followed)
        return self

    def _show_progress(self, bar: tqdm[Any], followed: set[Path]) -> None:
        """Update ``bar`` to the steps of all runs that are or were at work, which ``followed`` collects."""
        followed |= {run.folder for run in self.runs if run.status in AT_WORK}
        runs = [run for run in self.runs if run.folder in followed]
        bar.total = sum(run.total_steps for run in runs)
        bar.set_description_str(plural(len(runs), "run"), refresh=False)
        bar.update(sum(run.step for run in runs) - bar.n)

    def close(self) -> None:
        """Take the desk off the page; nothing on disk changes."""
        if self._drawing is not None:
            self._drawing.end()
        super().close()

    def _show_rows(self) -> None:
        if self.rows is not None:
            order, down = self.tools.order.value, self.tools.down.value
            self.rows.feed.state = state_of(self.shown, self.chosen.value, self.actions.one.value, order, down)

    def _on_click(self, wish: dict[str, Any]) -> None:
        """Sort by a column (a second time: the other way), choose a run, or draw one."""
        if "sort" in wish and wish["sort"] == self.tools.order.value:
            self.tools.down.value = not self.tools.down.value
        elif "sort" in wish:
            self.tools.order.value = wish["sort"]
        elif "one" in wish:
            self.actions.one.value = wish["one"]
        elif "draw" in wish:
            names = {name for name in self.chosen.value if name != wish["draw"]} | (
                {wish["draw"]} if wish["on"] else set()
            )
            self.chosen.value = [name for name in self.chosen.options if name in names]

    def _alive(self) -> bool:
        return any(run.status in AT_WORK for run in self.runs)

    def _follow(self) -> bool:
        self._read()
        return self._alive()

    def _read(self) -> None:
        self.runs, trouble = stored_runs(self.folder)
        count = f"No run in {self.folder} yet: train one."
        if self.runs:
            disk = size(sum(run.files.size() for run in self.runs))
            count = f"{plural(len(self.runs), 'run')} in {self.folder}, {disk}"
        self._announce(". ".join([count, *trouble]))
        self._arrange()

    def _arrange(self) -> None:
        """Filter and sort the table, and draw the chosen runs."""
        before = set(self.chosen.options)
        filtered = matching(self.runs, self.tools.text.value)
        self.shown = arranged(filtered, self.tools.order.value, self.tools.down.value)
        self.tools.offer([FAMILY, "run", *map(str, self.frame().columns)])
        names = [member.run.folder.name for member in self.shown]  # a copy shares the name of its run, not the folder
        chosen = [name for name in names if name not in before or name in self.chosen.value]
        recorded = dict.fromkeys(name for run in filtered for name in RunColumns(run.records()).names)
        others = columns.choices(recorded, ALWAYS)
        extra = self.extra_column.value if self.extra_column.value in others else [*others, "–"][0]
        self._reading = True  # no drawing for each of these changes
        if list(self.chosen.options) != names:
            self.chosen.value = ()  # the page takes the options before the choice, and fails on one that is not there
            self.chosen.options = names
        self.chosen.value = chosen
        if list(self.extra_column.options) != (options := columns.labelled(["–", *others])):
            self.extra_column.options = options
        self.extra_column.value = extra
        self._reading = False
        self.table.value = f'<div style="overflow-x: auto; max-width: 100%">{page(self.shown)}</div>'
        self.tools.left.value = f"{len(names)} of {len(self.runs)}" if len(names) < len(self.runs) else ""
        self.draw()

    def _page(self) -> str:
        return f"{self.table.value}{to_svg_image(self.figure(), 'The curves of the chosen runs')}"
