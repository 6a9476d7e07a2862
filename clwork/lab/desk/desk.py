"""The run desk: all runs of a folder in a table, and their curves."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import traitlets

from ... import columns
from ..._validation import checked, choice
from ...disk import runs_folder, size
from ...training import delete_run, rename_run, resume
from ...training.stored import Stored, fork_tree, group_by_recipe
from ...wording import explain, plural
from ..page import standalone
from ..page.labels import titles
from ..page.notebook import executed, unsaved
from ..page.polling_page import PollingPage, Update
from ..page.widgets import has_anywidget
from ..saved_page import save_page
from .reader import DeskRun, FolderReader
from .table import FORMS, curves_key, frame, lines_of, longest_by_seed, page_rows

if TYPE_CHECKING:
    import pandas as pd

TOGETHER = 5  # recipes whose curves are drawn in the same charts; more have a chart each
MOST_RECIPES = 24  # that are drawn
PATIENCE = 2.0  # seconds that displaying a desk waits for its table, for readers without widgets
ALWAYS = [column.name for column in columns.in_cell("loss", "alignment", "uniformity")]
# What a reader sets on the page: the filter, the order of the table, which runs are drawn and how, the open run.
VIEW: dict[str, Any] = {
    "text": "",
    "method": "",
    "status": "",
    "only": None,
    "order": "family",
    "descending": False,
    "left_out": [],
    "extra": None,
    "band": True,
    "one": None,
}


@checked()
@unsaved()
def desk(folder: str | Path | None = None) -> Desk:
    """Show all runs below ``folder``: a table of the settings in which they differ, and their curves.

    Runs that differ only in their seed are drawn as their mean with a band of one standard deviation. The table can be
    sorted, filtered and copied; a run that is not being trained can be resumed, renamed, saved as a page, or deleted.

    Args:
        folder: default: where runs are saved, ``clwork-runs`` or the value of the environment's ``CLWORK_RUNS``.
    """
    return Desk(runs_folder() if folder is None else Path(folder))


class Drawn(NamedTuple):
    """The recipes that are drawn, by title, and the columns of their curves."""

    key: list[int]
    groups: dict[str, list[DeskRun]]
    others: list[str]
    extra: str
    names: list[str]
    order: list[str]


class Desk(PollingPage):
    """See :func:`desk`, which makes it.

    Attributes:
        folder: whose runs it shows.
    """

    _esm: Any = standalone.MODULES / "desk.js"

    about = traitlets.Dict().tag(sync=True)

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._view, self._view_version = dict(VIEW), 1
        self._order, self._hidden = list[str](), frozenset[str]()  # runs of the table as the page shows them
        self._reader = FolderReader(folder)
        self._outcome = ""
        self._copied: dict[str, Any] = {"version": 0, "text": ""}
        self._seen_folder = self._folder_time()
        self._last_drawn: Drawn | None = None
        super().__init__(about={"folder": str(folder), "forms": list(FORMS), "together": TOGETHER})
        self._reader.start()

    # --- for Python ---------------------------------------------------------------------------------------------------

    @property
    def runs(self) -> list[Stored]:
        """All runs of the folder, oldest first; waits until it was read once."""
        self._reader.wait_until_read()
        return [item.run for item in self._reader.runs]

    @property
    def chosen(self) -> list[str]:
        """The folders' names of the runs whose curves are drawn, in the order of the table."""
        return [item.id for item in self._shown() if item.id not in self._view["left_out"]]

    @property
    def sentence(self) -> str:
        """The number of runs, or the result of the last action."""
        self._reader.wait_until_read()
        return self._outcome or self._count()

    def refresh(self) -> None:
        """Read the folder again."""
        self._outcome, self._seen_folder = "", self._folder_time()
        self._reader.read()
        self._push_while_active()

    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame: the rows that are shown, in their order."""
        return frame(self._shown())

    def groups(self) -> dict[str, list[Stored]]:
        """The chosen runs by recipe, titled by what differs; the runs of a recipe differ only in their seed."""
        self._reader.wait_until_read()
        return {name: [item.run for item in members] for name, members in self._drawn().groups.items()}

    def close(self) -> None:
        """Remove the desk from the page; nothing on disk changes."""
        self._reader.end()
        super().close()

    # --- for the page -------------------------------------------------------------------------------------------------

    def _update(self, known: Mapping[str, Any]) -> Update:
        self._follow_folder()
        reader = self._reader
        news: Update = {
            "pulse": {
                "sentence": self._outcome or self._count(),
                "reading": None if reader.ready else list(reader.progress),
                "work": reader.active,
                "trouble": bool(reader.error),
            }
        }
        if not reader.ready:
            return news
        if known.get("runs") != reader.version:
            news["runs"] = page_rows(reader.runs, reader.version, known.get("runs") or 0)
        drawn = self._drawn()
        if known.get("view") != drawn.key:
            options = [(columns.of(name).label, name) for name in drawn.others]
            news["view"] = {**self._view, "key": drawn.key, "extra": drawn.extra, "others": options}
        if known.get("curves") != drawn.order:
            news["curves"] = self._curves(drawn, known.get("curves") or [])
        if known.get("copied", 0) != self._copied["version"]:
            news["copied"] = self._copied
        return news

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        keys = {"runs": "version", "view": "key", "curves": "order", "copied": "version"}
        return {**known, **{part: news[part][key] for part, key in keys.items() if part in news}}

    def _curves(self, drawn: Drawn, known: Sequence[str]) -> dict[str, Any]:
        """The recipes that are drawn, and the curves of those that a page lacks."""
        band, groups = self._view["band"], []
        for key, (name, members) in zip(drawn.order, list(drawn.groups.items())[:MOST_RECIPES], strict=False):
            seeds = len(longest_by_seed(members))
            group = {"key": key, "title": name, "seeds": seeds, "runs": [item.id for item in members]}
            groups.append(group if key in known else {**group, "lines": lines_of(members, drawn.names, band)})
        return {
            "order": drawn.order,
            "names": [_titled(columns.of(name)) for name in drawn.names],
            "small": len(drawn.groups) > TOGETHER,
            "groups": groups,
            "more": len(drawn.groups) - len(groups),
        }

    def _drawn(self) -> Drawn:
        """What is drawn, computed again only after a change."""
        key = [self._view_version, self._reader.version]
        if self._last_drawn is None or self._last_drawn.key != key:
            shown = [item for item in self._reader.runs if item.id not in self._hidden]
            groups = _by_recipe([item for item in shown if item.id not in self._view["left_out"]])
            others = columns.choices(dict.fromkeys(name for item in shown for name in item.columns.names), ALWAYS)
            extra = self._view["extra"]
            if extra is None or (extra and extra not in others):
                extra = others[0] if others else ""
            names = [*ALWAYS, *([extra] if extra else [])] if len(groups) <= TOGETHER else [extra or "loss"]
            first = list(groups.items())[:MOST_RECIPES]
            order = [curves_key(name, members, names, self._view["band"]) for name, members in first]
            self._last_drawn = Drawn(key, groups, others, extra, names, [*order, str(len(groups))])
        return self._last_drawn

    def _active(self) -> bool:
        return not self._reader.ready or self._reader.active > 0

    def _follow_folder(self) -> None:
        """Read the folder if a run was added or removed, or if its training runs are not followed."""
        now = self._folder_time()
        if not self._reader.running and (now != self._seen_folder or self._reader.active):
            self._seen_folder = now
            self._reader.start()

    def _folder_time(self) -> int | None:
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return None

    # --- the page's commands ------------------------------------------------------------------------------------------

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {
            "refresh": self._refresh_later,
            "show": self._show,
            "resume": lambda run: self._act(
                run, lambda it: f"{resume(it.folder, background=True).name} resumes from its last checkpoint."
            ),
            "rename": lambda run, new: self._act(
                run, lambda it: f"{it.name} is called {rename_run(it.folder, new.strip()).name} now."
            ),
            "report": lambda run: self._act(
                run, lambda it: f"{save_page(it, f'{it.folder.name}.html')} is written: open it in a browser."
            ),
            "delete": self._delete,
            "copy": self._copy,
        }

    def _refresh_later(self) -> None:
        self._outcome = ""
        self._reader.start()

    def _show(self, view: Mapping[str, Any], order: Sequence[str], hidden: Sequence[str]) -> None:
        """Take what the reader set, the runs of the table in their order, and those that the filter hides."""
        self._view = {name: view.get(name, default) for name, default in VIEW.items()}
        self._order, self._hidden = list(map(str, order)), frozenset(map(str, hidden))
        self._view_version += 1

    def _copy(self, form: str) -> None:
        text = FORMS[choice("form", form, list(FORMS))](self.frame())
        self._copied = {"version": self._copied["version"] + 1, "text": text, "form": form}

    def _act(self, name: str, act: Callable[[Stored], str]) -> None:
        run = next((item.run for item in self._reader.runs if item.id == name), None)
        if run is None:
            return
        try:
            outcome = act(run)
        except Exception as error:  # of any kind, as text: a desk has no traceback
            outcome = explain(error)
        self.refresh()
        self._outcome = outcome

    def _delete(self, names: Sequence[str]) -> None:
        """Delete runs, for good; the page has asked before. Runs that are being trained stay."""
        chosen = [item for item in self._reader.runs if item.id in set(names)]
        free = [item for item in chosen if not item.active]
        if not free:
            why = "all of these are being trained" if chosen else "no run is chosen"
            raise ValueError(f"Nothing to delete: {why}")
        failures, freed = list[str](), 0
        for item in free:
            try:
                delete_run(item.run.folder)
                freed += item.bytes
            except Exception as error:  # of any kind: the others are still to be deleted
                failures.append(f"{item.id} stays: {explain(error)}")
        self.refresh()
        self._outcome = ". ".join([f"{size(freed)} are free", *failures])

    # --- parts --------------------------------------------------------------------------------------------------------

    def _shown(self) -> list[DeskRun]:
        """The rows of the table, in its order; runs that the page has not seen yet come last."""
        self._reader.wait_until_read()
        by_folder = {item.run.folder: item for item in self._reader.runs}
        family = [by_folder[line.run.folder] for line in fork_tree([item.run for item in self._reader.runs])]
        known = {item.id: item for item in family}
        names = [name for name in self._order if name in known]
        names += [name for name in known if name not in self._hidden and name not in set(names)]
        return [known[name] for name in names]

    def _count(self) -> str:
        reader = self._reader
        if reader.error:
            return reader.error
        if not reader.ready:
            return f"Reading {self.folder} …"
        count = f"No run in {self.folder} yet: train one."
        if reader.runs:
            disk = size(sum(item.bytes for item in reader.runs))
            count = f"{plural(len(reader.runs), 'run')} in {self.folder}, {disk}"
        return ". ".join([count, *reader.unreadable])

    def _page(self) -> str:
        """The desk as HTML without scripts: its sentence and the table."""
        table = self.frame().to_html(na_rep="", float_format="{:.4g}".format) if self._reader.runs else ""
        return f"<p>{html.escape(self.sentence)}</p><div style='overflow: auto; max-height: 480px'>{table}</div>"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The page, and a table for readers without widgets."""
        self._reader.wait_until_read(None if executed() or not has_anywidget() else PATIENCE)
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        text = self._page() if self._reader.ready else f"<p>{html.escape(self._count())}</p>"
        return {**data, "text/plain": f"Desk({str(self.folder)!r})", "text/html": text}, metadata


def _by_recipe(chosen: Sequence[DeskRun]) -> dict[str, list[DeskRun]]:
    """Group runs that differ only in their seed, titled by what differs, oldest first."""
    known = {item.run.folder: item for item in chosen}
    recipes = list(group_by_recipe([item.run for item in chosen]).values())
    names = titles([runs[0].settings() for runs in recipes])
    return {name: [known[run.folder] for run in runs] for name, runs in zip(names, recipes, strict=True)}


def _titled(column: columns.Column) -> dict[str, Any]:
    hint = column.heading.removeprefix(column.label).strip(" ()")
    return {"name": column.name, "label": column.label, "hint": hint, "upper": column.upper}
