"""The desk's table of runs: its rows, their order, the filter, the widget, and the table as text."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets
import traitlets

from ... import columns
from ...columns import labelled
from ...disk import size
from ...events import worded
from ...training import Stored, TreeRow, changed_keys, fork_tree
from ...training.stored.stored import FORKED_KEY
from ...views import RunColumns
from ..page import messages
from ..page.widgets import LABEL, FeedWidget, button

if TYPE_CHECKING:
    import pandas as pd


class TableTools(widgets.HBox):  # type: ignore[misc]
    """Controls in one line; ``copied``, placed elsewhere, shows the table as text on request."""

    def __init__(self) -> None:
        """Show all runs, forks under their parents."""
        narrow = widgets.Layout(width="230px")
        about = "Words that must all occur in a run's name, method, state or settings, such as temperature=0.1."
        self.text = widgets.Text(placeholder="filter: simcse seed=1", tooltip=about, layout=narrow)
        self.text.add_class("clwork-filter")
        self.left = widgets.HTML()
        self.order = widgets.Dropdown(
            description="sort by",
            options=[(FAMILY, FAMILY)],
            layout=widgets.Layout(width="220px"),
            style={**LABEL, "description_width": "52px"},
        )
        self.order.add_class("clwork-sort")
        self.down = widgets.Checkbox(
            False, indent=False, description="largest first", layout=widgets.Layout(width="110px")
        )
        self.down.add_class("clwork-down")
        self.form = widgets.Dropdown(options=list(FORMS), tooltip="How to write the table.")
        self.form.layout.width = "100px"
        self.form.add_class("clwork-form")
        self.copied = widgets.Textarea(rows=6, tooltip="The table as text: choose all of it and copy.")
        self.copied.layout = widgets.Layout(width="812px", display="none")
        self.copied.add_class("clwork-copied")
        self._offering = False
        self._copy: Callable[[str], str] = lambda form: ""
        self.write = button("As text", "Show the table as text to copy; again hides it.", "copy", self._show)
        super().__init__([self.text, self.left, self.order, self.down, self.form, self.write])

    def on_change(self, arrange: Callable[[], None], copy: Callable[[str], str]) -> None:
        """Call ``arrange`` when filter or order change; ``copy`` writes the table in a form."""
        self._copy = copy
        for control in (self.text, self.order, self.down):
            control.observe(lambda _: None if self._offering else arrange(), names="value")

    def offer(self, names: Sequence[str]) -> None:
        """List the columns to sort by; the choice stays."""
        options = labelled(names)
        if list(self.order.options) != options:
            chosen, self._offering = self.order.value, True  # new options lose the choice for a moment
            self.order.options = options
            if chosen in names:
                self.order.value = chosen
            self._offering = False

    def _show(self) -> None:
        """Show the text; a second press hides it."""
        text = self._copy(self.form.value)
        if self.copied.layout.display != "none" and text == self.copied.value:
            self.copied.layout.display = "none"
        else:
            self.copied.value, self.copied.layout.display = text, "flex"


class RowsFeed(widgets.Widget):  # type: ignore[misc]
    """What the table shows, and what the reader asked for by a click."""

    state: Any = traitlets.Dict().tag(sync=True)
    asked: Any = traitlets.Dict().tag(sync=True)


class DeskRows(FeedWidget):
    """The table as a widget: headings sort, a name chooses a run, a tick draws it; shows a :func:`state_of`."""

    _esm: Any = Path(__file__).with_name("rows.js")

    def __init__(self, act: Callable[[dict[str, Any]], None]) -> None:
        """Create it; ``act`` receives ``{"sort": column}``, ``{"one": folder}`` or ``{"draw": name, "on": bool}``."""
        super().__init__(feed=RowsFeed())
        self.feed.observe(lambda change: act(dict(change["new"])), names="asked")


FAMILY = "family"  # the order in which runs were begun, each followed by its forks
SIGNS = {
    "waiting": "◌",
    "running": "▶",
    "paused": "‖",
    "finished": "✓",
    "stopped": "■",
    "failed": "✕",
    "killed": "†",
    "unfinished": "?",
}
CAPTION = "The settings in which the runs differ, and how each ended"
STYLE_RULES = """
.clwork-table th, .clwork-table td {padding: 1px 8px; text-align: left; vertical-align: top}
.clwork-rows {border-collapse: collapse; font-size: 12px; line-height: 1.5}
.clwork-rows caption {text-align: left}
.clwork-rows th {background: var(--jp-layout-color0, Canvas); white-space: nowrap}
.clwork-rows thead th {position: sticky; top: 0; z-index: 1}
.clwork-rows tbody th {position: sticky; left: 0; max-width: 150px; overflow: hidden; text-overflow: ellipsis}
.clwork-rows [aria-selected=true] {box-shadow: inset 3px 0 #0072B2}
.clwork-plain {all: unset; cursor: pointer; font-weight: bold}
.clwork-plain:hover {text-decoration: underline}
.clwork-plain:focus-visible {outline: 2px solid #0072B2}
"""
STYLE = f"<style>{STYLE_RULES}</style>"
SHORT = 16  # characters of a cell that is not broken into lines
DEEPEST = 6  # forks of forks are indented so far


def frame(runs: Sequence[Stored]) -> pd.DataFrame:
    """A row for each run: the settings in which the runs differ, then its method, state and last measurements."""
    import pandas as pd

    settings = [{**run.settings(), "seed": run.recipe.seed} for run in runs]
    differing = [name for name in changed_keys(settings) if name not in ("steps", FORKED_KEY)]
    forks = any(run.parent is not None for run in runs)
    rows = []
    for run, own in zip(runs, settings, strict=True):
        tracks = RunColumns(run.records())
        row: dict[str, Any] = {name: own[name] for name in differing if name in own}
        row |= {"method": run.method, "seed": run.recipe.seed, "status": run.status}
        row["step"] = f"{run.step} of {run.total_steps}"
        row["size"] = size(run.files.size())
        if forks:
            row["fork"] = _fork(run)
        for name in columns.shown("desk"):
            if (last := tracks.last(name)) is not None:
                row[name] = last
        rows.append(row)
    names = dict.fromkeys([*differing, *(name for row in rows for name in row)])
    return pd.DataFrame(rows, index=pd.Index([called(run) for run in runs], name="run"), columns=list(names))


def called(run: Stored) -> str:
    """Return a run's name, followed by its folder's name if that differs, as for copies."""
    return run.name if run.folder.name == run.name else f"{run.name} in {run.folder.name}"


def _fork(run: Stored) -> str:
    """Where a fork left its parent, and what was changed there; empty for others."""
    return "" if run.parent is None else worded({"forked": run.parent.model_dump()}).removeprefix("forked ")


def matching(runs: Sequence[Stored], text: str) -> list[Stored]:
    """The runs whose name, method, state and settings (``name=value``) contain all words of the text."""
    words = text.lower().split()
    matches = []
    for run in runs:
        facts = [called(run), run.method, run.status, f"seed={run.recipe.seed}", _fork(run)]
        facts += [f"{name}={value}" for name, value in run.settings().items()]
        whole = "\n".join(map(str, facts)).lower()
        if all(word in whole for word in words):
            matches.append(run)
    return matches


def arranged(runs: Sequence[Stored], by: str = FAMILY, descending: bool = False) -> list[TreeRow]:
    """The runs in the order of a column of :func:`frame`, those without a value last; or as a tree of forks."""
    if by == FAMILY:
        return fork_tree(runs)
    keys = [_key(run, by) for run in runs]
    if by in (table := frame(runs)):
        keys = [key if key is not None else value for key, value in zip(keys, table[by].tolist(), strict=True)]
    known = [(key, run) for key, run in zip(keys, runs, strict=True) if not _missing(key)]
    words = any(isinstance(key, str) for key, _ in known)
    known.sort(key=lambda item: str(item[0]) if words else item[0], reverse=descending)
    rest = [run for key, run in zip(keys, runs, strict=True) if _missing(key)]
    return [TreeRow(run, 0, None) for run in [*(run for _, run in known), *rest]]


def _key(run: Stored, by: str) -> Any:
    """Sort key of columns whose cells are formatted text; None for others."""
    own: dict[str, Callable[[], Any]] = {"run": lambda: called(run), "step": lambda: run.step, "size": run.files.size}
    return own[by]() if by in own else None


def _missing(value: object) -> bool:
    return value is None or value != value


def _cells(members: Sequence[TreeRow]) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and for each run the cells beside its name, as text."""
    table = frame([member.run for member in members])
    names = [str(name) for name in table.columns]
    rows = []
    for member, values in zip(members, table.values, strict=True):
        cells = [cell(value, columns.of(name).scale) for value, name in zip(values, names, strict=True)]
        cells[names.index("status")] = state(member.run)
        rows.append([text.replace(" ", "\N{NO-BREAK SPACE}") if len(text) <= SHORT else text for text in cells])
    return names, rows


def page(members: Sequence[TreeRow]) -> str:
    """The table as HTML, forks indented under their parents."""
    if not members:
        return ""
    names, rows = _cells(members)
    head = ["run", *(columns.of(name).label for name in names)]
    return STYLE + messages.table(CAPTION, head, [[indented(m), *row] for m, row in zip(members, rows, strict=True)])


def state_of(members: Sequence[TreeRow], drawn: Container[str], one: str | None, by: str, down: bool) -> dict[str, Any]:
    """The table for :class:`.DeskRows`, with the run ``one`` that is acted on and the order.

    ``drawn`` holds names of folders, for copies of a run share its name.
    """
    if not members:
        return {"caption": "", "head": [], "runs": [], "one": None, "style": STYLE_RULES}
    names, rows = _cells(members)
    sorted_now = "descending" if down else "ascending"
    head = [
        {"name": name, "label": columns.of(name).label, "sorted": sorted_now if name == by else "none"}
        for name in ("run", *names)
    ]
    runs = [
        {
            "name": member.run.folder.name,
            "folder": str(member.run.folder),
            "label": indented(member),
            "cells": row,
            "drawn": member.run.folder.name in drawn,
        }
        for member, row in zip(members, rows, strict=True)
    ]
    return {"caption": CAPTION, "head": head, "runs": runs, "one": one, "style": STYLE_RULES}


def indented(member: TreeRow) -> str:
    """A run's name, indented below its parent's."""
    depth = min(member.depth, DEEPEST)
    return "\N{NO-BREAK SPACE}" * 3 * (depth - 1) + ("↳\N{NO-BREAK SPACE}" if depth else "") + called(member.run)


def state(run: Stored) -> str:
    """Status string with a distinguishing sign; of a failed run with its cause."""
    why = " ".join((run.error or "").split())
    return f"{SIGNS.get(run.status, '?')} {run.status}" + (f": {why[:60]}" if run.status == "failed" and why else "")


def cell(value: object, scale: float = 1.0) -> str:
    """Format a cell."""
    if isinstance(value, float):
        return "" if value != value else f"{scale * value:.4g}"
    return "" if value is None else str(value)


def markdown(table: pd.DataFrame) -> str:
    """Format the table as Markdown."""
    head, rows = _texts(table)
    lines = [[" ".join(text.replace("|", r"\|").split()) for text in line] for line in [head, *rows]]
    lines.insert(1, ["---"] * len(head))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "→": r"$\rightarrow$",
    "×": r"$\times$",
}


def latex(table: pd.DataFrame) -> str:
    r"""Format the table for a paper, with the package ``booktabs``."""
    head, rows = _texts(table)
    safe = [["".join(SPECIAL.get(letter, letter) for letter in text) for text in line] for line in [head, *rows]]
    top, *lines = [" & ".join(line) + r" \\" for line in safe]
    begin = rf"\begin{{tabular}}{{{'l' * len(head)}}}"
    return "\n".join([begin, r"\toprule", top, r"\midrule", *lines, r"\bottomrule", r"\end{tabular}"])


def _texts(table: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    about = [columns.of(str(name)) for name in table.columns]
    rows = [
        [str(name), *(cell(value, column.scale) for value, column in zip(values, about, strict=True))]
        for name, values in zip(table.index, table.values, strict=True)
    ]
    return ["run", *(column.label for column in about)], rows


def csv(table: pd.DataFrame) -> str:
    """Format the table as CSV: values neither rounded nor scaled."""
    return str(table.to_csv())


FORMS: dict[str, Callable[[Any], str]] = {"Markdown": markdown, "LaTeX": latex, "CSV": csv}
