"""The run desk: all runs of a folder in a table, and their curves over each other."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import plotly.graph_objects as go
import traitlets

from ... import columns
from ..._validation import checked, choice
from ...disk import size
from ...training import Stored, TreeRow, group_by_recipe
from ...training.disk.recipe import runs_folder
from ...views import overlay, small_multiples, to_svg_image
from ...views.overlaid_runs import MOST
from ...wording import plural
from ..page import messages, standalone
from ..page.asking_page import AskingPage, News
from ..page.labels import titles
from ..page.notebook import executed, unsaved
from ..page.widgets import DESK_CURVES, has_anywidget
from .curves import key_of, lines_of, longest_by_seed
from .facts import Facts, FolderReader
from .page_rows import PageRows
from .run_actions import RunActions
from .table import FORMS, Row, frame, page
from .view import View

if TYPE_CHECKING:
    import pandas as pd
    from tqdm.auto import tqdm

TOGETHER = 5  # recipes whose curves over each other can be told apart
BEAT = 0.25  # seconds between updates of the bar that `wait` shows
PATIENCE = 2.0  # seconds that showing a desk waits for its table, for readers without widgets

ALWAYS = [column.name for column in columns.in_cell("loss", "alignment", "uniformity")]


@checked()
@unsaved()
def desk(folder: str | Path | None = None) -> Desk:
    """Lay out all runs below ``folder``; show the desk by putting it last in a cell.

    A table names the settings in which the runs differ and says how each ended. Beside it, the curves of the chosen
    runs lie over each other, called by what differs; runs that differ in nothing but their seed are drawn as their
    mean, with a band of one standard deviation (on straight lines between the steps at which each was measured). More
    than five recipes are drawn one beside the other; where two settings vary, a grid shows the score of each pair of
    values. Runs whose method this kernel does not know are shown like all others.

    Forks are indented under their parent. The table can be sorted, filtered and copied; a run that
    is not being trained can be resumed, renamed, or deleted. The folder is read in the background.

    Args:
        folder: default: where runs are kept, ``clwork-runs`` or what the environment's ``CLWORK_RUNS`` says.
    """
    return Desk(runs_folder() if folder is None else Path(folder))


class Drawn(NamedTuple):
    """What a desk draws: its groups of runs by title, and the columns of their curves.

    ``key`` says which state of desk and folder this is, ``order`` has a digest of each group's curves, and at its end
    how many groups there are; ``others`` are the columns that ``extra`` may be.
    """

    key: list[int]
    groups: dict[str, list[Facts]]
    others: list[str]
    extra: str
    names: list[str]
    order: list[str]


def _by_recipe(chosen: Sequence[Facts]) -> dict[str, list[Facts]]:
    """Group runs that differ in nothing but their seed, called by what differs, in the order they were begun."""
    known = {item.run.folder: item for item in chosen}
    recipes = list(group_by_recipe([item.run for item in chosen]).values())
    names = titles([runs[0].settings() for runs in recipes])
    return {name: [known[run.folder] for run in runs] for name, runs in zip(names, recipes, strict=True)}


def _titled(column: columns.Column) -> dict[str, Any]:
    hint = column.heading.removeprefix(column.label).strip(" ()")
    return {"name": column.name, "label": column.label, "hint": hint, "upper": column.upper}


class Desk(AskingPage):
    """See :func:`desk`, which makes it.

    Attributes:
        folder: whose runs it shows.
    """

    _esm: Any = standalone.MODULES / "desk.js"

    about = traitlets.Dict().tag(sync=True)

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.view = View()
        self._reader = FolderReader.of(folder, self)
        self._actions = RunActions(lambda: self._reader.facts, self._announce, self.refresh)
        self._rows = PageRows()
        self._outcome = ""
        self._copied: dict[str, Any] = {"version": 0, "text": ""}
        self._seen_folder = self._folder_time()
        self._last_drawn: Drawn | None = None
        super().__init__(about={"folder": str(folder), "forms": list(FORMS), "together": TOGETHER, "most": MOST})
        self._reader.start()

    # --- for Python ---------------------------------------------------------------------------------------------------

    @property
    def runs(self) -> list[Stored]:
        """All runs of the folder, oldest first; waits until it was read once."""
        return [item.run for item in self._facts()]

    @property
    def shown(self) -> list[TreeRow]:
        """The runs that the filter leaves, in the order of the table."""
        return [row.line for row in self._shown()]

    @property
    def chosen(self) -> list[str]:
        """The folders' names of the runs whose curves are drawn, in the order of the table."""
        return [row.facts.id for row in self._shown() if row.facts.id not in self.view.left_out]

    @property
    def sentence(self) -> str:
        """What the desk has to say: the runs that there are, or what came of the last action."""
        self._reader.wait_until_read()
        return self._outcome or self._count()

    def refresh(self) -> None:
        """Read the folder again; keep refreshing while one of its runs trains."""
        self._outcome, self._seen_folder = "", self._folder_time()
        self._reader.read()
        self._keep_pushing()

    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame, for further use: the rows that are shown, in their order."""
        return frame([row.facts for row in self._shown()])

    def copy(self, form: str = "Markdown") -> str:
        """The table as text, ``"Markdown"``, ``"LaTeX"`` or ``"CSV"``: the rows that are shown, in their order.

        Raises:
            ValueError: another form.
        """
        return FORMS[choice("form", form, list(FORMS))](self.frame())

    def groups(self) -> dict[str, list[Stored]]:
        """The chosen runs by recipe, called by what differs; a group's runs differ in nothing but their seed."""
        self._reader.wait_until_read()
        return {name: [item.run for item in members] for name, members in self._drawn().groups.items()}

    def figure(self) -> go.Figure:
        """The curves as a static figure: over each other, or of more than five recipes one beside the other."""
        self._reader.wait_until_read()
        drawn, band, named = self._drawn(), self.view.band, {}
        for name, members in drawn.groups.items():
            runs = longest_by_seed(members)
            named[name + (f" ({len(runs)} seeds)" if len(runs) > 1 else "")] = [item.tracks for item in runs]
        if len(named) > TOGETHER:
            few = dict(list(named.items())[:MOST])
            return small_multiples(few, drawn.names[0], band=band, width=DESK_CURVES[0])
        return overlay(named, drawn.names, band=band, width=DESK_CURVES[0], height=DESK_CURVES[1])

    def draw(self) -> None:
        """Send the page what is new."""
        self._hurry()

    @checked()
    def wait(self, timeout: float | None = None) -> Desk:
        """Block until no run of the folder is at work, or for ``timeout`` seconds, with a progress bar.

        Paused runs and those of other processes count as well. An interrupt ends the waiting, not the runs.
        """
        from tqdm.auto import tqdm

        self.refresh()
        reader, end = self._reader, None if timeout is None else time.monotonic() + timeout
        if not reader.at_work:
            return self
        followed: set[str] = set()
        with tqdm(unit="step", mininterval=BEAT) as bar:
            while reader.going and (end is None or time.monotonic() < end):
                self._show_progress(bar, followed)
                reader.wait(BEAT if end is None else min(BEAT, max(0.0, end - time.monotonic())))
            self._show_progress(bar, followed)
        return self

    def _show_progress(self, bar: tqdm[Any], followed: set[str]) -> None:
        """Update ``bar`` to the steps of all runs that are or were at work, which ``followed`` collects."""
        followed |= {item.id for item in self._reader.facts if item.at_work}
        runs = [item.run for item in self._reader.facts if item.id in followed]
        bar.total = sum(run.total_steps for run in runs)
        bar.set_description_str(plural(len(runs), "run"), refresh=False)
        bar.update(sum(run.step for run in runs) - bar.n)

    def close(self) -> None:
        """Take the desk off the page; nothing on disk changes."""
        self._reader.leave(self)
        super().close()

    # --- what the page is sent ----------------------------------------------------------------------------------------

    def _news(self, known: Mapping[str, Any]) -> News:
        self._look_again()
        news: News = {"pulse": self._pulse()}
        if not self._reader.ready:
            return news
        facts, version = self._reader.facts, self._reader.version
        rows = known.get("runs") or {}
        if rows.get("version") != version:
            news["runs"] = self._rows.since(facts, version, rows)
        drawn = self._drawn()
        if known.get("view") != drawn.key:
            options = columns.labelled(drawn.others)
            news["view"] = {**self.view.state(), "key": drawn.key, "extra": drawn.extra, "others": options}
        if known.get("curves") != drawn.order:
            news["curves"] = self._curves(drawn, known.get("curves") or [])
        if known.get("question", 0) != self._actions.asked:
            news["question"] = {"version": self._actions.asked, "text": self._actions.question}
        if known.get("copied", 0) != self._copied["version"]:
            news["copied"] = self._copied
        return news

    def _known_after(self, known: Mapping[str, Any], news: News) -> dict[str, Any]:
        after = dict(known)
        if runs := news.get("runs"):
            names, values = (runs[part]["from"] + len(runs[part]["more"]) for part in ("names", "values"))
            after["runs"] = {"version": runs["version"], "names": names, "values": values}
        for part, key in (("view", "key"), ("curves", "order"), ("question", "version"), ("copied", "version")):
            if part in news:
                after[part] = news[part][key]
        return after

    def _pulse(self) -> dict[str, Any]:
        reader = self._reader
        reading = list(reader.progress) if not reader.ready else None
        return {
            "sentence": self._outcome or self._count(),
            "reading": reading,
            "work": reader.at_work,
            "trouble": bool(reader.error),
        }

    def _curves(self, drawn: Drawn, known: Sequence[str]) -> dict[str, Any]:
        """The groups that are drawn, and the curves of those that a page lacks."""
        had = set(known)
        groups = [
            {
                "key": key,
                "title": name,
                "seeds": len(longest_by_seed(members)),
                "runs": [item.id for item in members],
                **({} if key in had else {"lines": lines_of(members, drawn.names, self.view.band)}),
            }
            for key, (name, members) in zip(drawn.order, list(drawn.groups.items())[:MOST], strict=False)
        ]
        about = [columns.of(name) for name in drawn.names]
        return {
            "order": drawn.order,
            "names": [_titled(column) for column in about],
            "small": len(drawn.groups) > TOGETHER,
            "groups": groups,
            "more": len(drawn.groups) - len(groups),
        }

    def _drawn(self) -> Drawn:
        """What is drawn, computed anew only after a change."""
        key = [self.view.version, self._reader.version]
        if self._last_drawn is None or self._last_drawn.key != key:
            matching = self.view.matching(self._reader.facts)
            groups = _by_recipe([item for item in matching if item.id not in self.view.left_out])
            others = columns.choices(dict.fromkeys(name for item in matching for name in item.tracks.names), ALWAYS)
            extra = self.view.extra
            if extra is None or (extra and extra not in others):
                extra = others[0] if others else ""
            names = [*ALWAYS, *([extra] if extra else [])] if len(groups) <= TOGETHER else [extra or "loss"]
            few = list(groups.values())[:MOST]
            order = [key_of(name, few[place], names, self.view.band) for place, name in enumerate(list(groups)[:MOST])]
            self._last_drawn = Drawn(key, groups, others, extra, names, [*order, str(len(groups))])
        return self._last_drawn

    def _lively(self) -> bool:
        return not self._reader.ready or self._reader.at_work > 0

    def _look_again(self) -> None:
        """Read the folder where it has got or lost one, or where its runs at work are not followed."""
        now = self._folder_time()
        if not self._reader.going and (now != self._seen_folder or self._reader.at_work):
            self._seen_folder = now
            self._reader.start()

    def _folder_time(self) -> int | None:
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return None

    # --- what the page asks for ---------------------------------------------------------------------------------------

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        act = self._actions
        return {
            "refresh": self._refresh_later,
            "arrange": self.view.arrange,
            "leave_out": self.view.leave_out,
            "look": partial(self.view.look, self._drawn().others),
            "open": self._open,
            "resume": act.resume,
            "rename": act.rename,
            "report": act.report,
            "ask_delete": act.ask,
            "keep": act.keep,
            "delete": act.delete,
            "copy": self._copy,
        }

    def _refresh_later(self) -> None:
        self._outcome = ""
        self._reader.start()

    def _open(self, one: str | None) -> None:
        """Open a run's sheet; a question about another one is withdrawn."""
        self._actions.keep()
        self.view.open(one)

    def _copy(self, form: str) -> None:
        self._copied = {"version": self._copied["version"] + 1, "text": self.copy(form), "form": form}

    # --- parts --------------------------------------------------------------------------------------------------------

    def _facts(self) -> tuple[Facts, ...]:
        self._reader.wait_until_read()
        return self._reader.facts

    def _shown(self) -> list[Row]:
        return self.view.arranged(self._facts())

    def _count(self) -> str:
        reader = self._reader
        if reader.error:
            return reader.error
        if not reader.ready:
            return f"Reading {self.folder} …"
        count = f"No run in {self.folder} yet: train one."
        if reader.facts:
            disk = size(sum(item.bytes for item in reader.facts))
            count = f"{plural(len(reader.facts), 'run')} in {self.folder}, {disk}"
        return ". ".join([count, *reader.trouble])

    def _announce(self, sentence: str) -> None:
        self._outcome = sentence

    def _page(self) -> str:
        """The desk as HTML without scripts: its sentence, the table, and a picture of the curves."""
        picture = to_svg_image(self.figure(), "The curves of the chosen runs")
        return (
            f"<p>{messages.failure(self.sentence)}</p>"
            f'<div style="overflow: auto; max-width: 100%; max-height: 480px">{page(self._shown())}</div>{picture}'
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The page, and a table with a picture for readers without widgets."""
        self._reader.wait_until_read(None if executed() or not has_anywidget() else PATIENCE)
        data, metadata = dict[str, Any](), dict[str, Any]()
        if has_anywidget():
            data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        html = self._page() if self._reader.ready else f"<p>{messages.failure(self._count())}</p>"
        return {**data, "text/plain": f"Desk({str(self.folder)!r})", "text/html": html}, metadata
