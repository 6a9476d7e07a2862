"""The run desk: all runs of a folder in a table, and their curves."""

from __future__ import annotations

import hashlib
import html
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import columns
from .._validation import checked, is_finite, is_number
from ..columns import Floats, History
from ..disk import runs_folder, size
from ..events import event_text
from ..training import resume
from ..training.stored import (
    ACTIVE,
    FORKED_KEY,
    RunListing,
    Stored,
    by_family,
    changed_keys,
    delete_run,
    group_by_recipe,
    rename_run,
)
from ..views._curves import seed_band, values_of
from ..views.history import downsample
from ..wording import explain, plural
from .page import labels, standalone
from .page.notebook import executed, has_anywidget, unsaved
from .page.polling_page import PollingPage, Update
from .player_view import save_page

if TYPE_CHECKING:
    import pandas as pd

SHARED_CHARTS = 5  # up to this number of recipes, their curves share charts; else each recipe has its own chart
MOST_RECIPES = 24  # recipes that are drawn
DISPLAY_TIMEOUT = 2.0  # seconds that the display waits for the static table, which readers without widgets see
ALWAYS = [column.name for column in columns.in_cell("loss", "alignment", "uniformity")]
# State of the page's controls: filter, order of the table, drawn runs, style of the curves, open run.
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
NO_COLUMN = ("steps", FORKED_KEY)  # settings that have no column even if they differ
EXCEPTION = re.compile(r"^[A-Za-z.]+(Error|Exception): ")
POINTS = 160  # points of a line on the page
FULL_READ_EVERY = 10  # every tenth read is of the whole folder, the others only of the active runs
PERIOD, TRIES = 0.5, 5  # seconds between two reads; the thread ends after this number of failures in a row


@checked()
@unsaved()
def desk(folder: str | Path | None = None) -> Desk:
    """Show all runs in ``folder``: a table of the settings in which they differ, and their curves.

    Runs that differ only in their seed are drawn as their mean with a band of one standard deviation. The default
    folder is the one for new runs: the environment variable ``CLWORK_RUNS``, or else ``clwork-runs``.
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
    """Returned by :func:`desk`; ``folder`` contains the runs."""

    _esm = standalone.module("desk")

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._view, self._view_version = dict(VIEW), 1
        self._order, self._hidden = list[str](), frozenset[str]()  # runs of the table as the page shows them
        self._reader = FolderReader(folder)
        self._outcome = ""
        self._seen_folder = self._folder_time()
        self._last_drawn: Drawn | None = None
        super().__init__()
        self._reader.start()

    @property
    def runs(self) -> list[Stored]:
        """All runs of the folder, oldest first; blocks until the first read is done."""
        self._reader.wait_until_read()
        return [item.run for item in self._reader.runs]

    @property
    def chosen(self) -> list[str]:
        """Folder names of the runs whose curves are drawn, in the order of the table."""
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
        if self._reader.active:
            self._reader.start()
        self._push_while_active()

    def frame(self) -> pd.DataFrame:
        """Return the displayed rows of the table as a DataFrame."""
        return frame(self._shown())

    def close(self) -> None:
        """Remove the desk from the page; nothing on disk changes."""
        self._reader.end()
        super().close()

    def _update(self, known: Mapping[str, Any]) -> Update:
        reader, now = self._reader, self._folder_time()
        if not reader.running and (now != self._seen_folder or reader.active):
            self._seen_folder = now
            reader.start()
        news: Update = {
            "status": {
                "sentence": self._outcome or self._count(),
                "reading": None if reader.ready else list(reader.progress),
                "work": reader.active,
                "trouble": bool(reader.error),
            }
        }
        if not reader.ready:
            return news
        if known.get("runs") != (version := reader.version):  # read before the runs, which are written first
            news["runs"] = page_rows(reader.runs, version, known.get("runs") or 0)
        drawn = self._drawn()
        if known.get("view") != drawn.key:
            options = [(columns.of(name).label, name) for name in drawn.others]
            news["view"] = {**self._view, "key": drawn.key, "extra": drawn.extra, "others": options}
        if known.get("curves") != drawn.order:
            news["curves"] = self._curves(drawn, known.get("curves") or [])
        return news

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        keys = {"runs": "version", "view": "key", "curves": "order"}
        return {**known, **{part: news[part][key] for part, key in keys.items() if part in news}}

    def _curves(self, drawn: Drawn, known: Sequence[str]) -> dict[str, Any]:
        band, groups = self._view["band"], []
        for key, (name, members) in zip(drawn.order, list(drawn.groups.items())[:MOST_RECIPES], strict=False):
            seeds = len(longest_by_seed(members))
            group = {"key": key, "title": name, "seeds": seeds, "runs": [item.id for item in members]}
            groups.append(group if key in known else {**group, "lines": lines_of(members, drawn.names, band)})
        return {
            "order": drawn.order,
            "names": [
                {
                    "name": name,
                    "label": (column := columns.of(name)).label,
                    "hint": column.heading.removeprefix(column.label).strip(" ()"),
                    "upper": column.upper,
                    "log": not column.cell,
                }
                for name in drawn.names
            ],
            "small": len(drawn.groups) > SHARED_CHARTS,
            "groups": groups,
            "more": len(drawn.groups) - len(groups),
        }

    def _drawn(self) -> Drawn:
        key = [self._view_version, self._reader.version]
        if self._last_drawn is None or self._last_drawn.key != key:
            shown = [item for item in self._reader.runs if item.id not in self._hidden]
            chosen = {item.run.folder: item for item in shown if item.id not in self._view["left_out"]}
            recipes = list(group_by_recipe([item.run for item in chosen.values()]).values())
            names = labels.titles([runs[0].settings for runs in recipes])
            groups = {name: [chosen[run.folder] for run in runs] for name, runs in zip(names, recipes, strict=True)}
            others = columns.choices(dict.fromkeys(name for item in shown for name in item.columns.names), ALWAYS)
            extra = self._view["extra"]
            if extra is None or (extra and extra not in others):
                extra = others[0] if others else ""
            names = [*ALWAYS, *([extra] if extra else [])] if len(groups) <= SHARED_CHARTS else [extra or "loss"]
            first = list(groups.items())[:MOST_RECIPES]
            band = self._view["band"]
            order = [curves_key(name, members, names, band) for name, members in first]
            self._last_drawn = Drawn(key, groups, others, extra, names, [*order, str(len(groups))])
        return self._last_drawn

    def _active(self) -> bool:
        return not self._reader.ready or self._reader.active > 0

    def _folder_time(self) -> int | None:
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return None

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {
            "refresh": self._read_again,
            "show": self._show,
            "resume": lambda run: self._act(run, lambda it: f"{resume(it.folder, background=True).name} resumes."),
            "rename": lambda run, new: self._act(
                run, lambda it: f"{it.name} is now called {rename_run(it.folder, new.strip()).name}."
            ),
            "report": lambda run: self._act(run, lambda it: f"Saved {save_page(it, f'{it.folder.name}.html')}."),
            "delete": self._delete,
        }

    def _read_again(self) -> None:
        self._outcome = ""
        self._reader.start()

    def _show(self, view: Mapping[str, Any], order: Sequence[str], hidden: Sequence[str]) -> None:
        self._view = {name: view.get(name, default) for name, default in VIEW.items()}
        self._order, self._hidden = list(map(str, order)), frozenset(map(str, hidden))
        self._view_version += 1

    def _act(self, name: str, act: Callable[[Stored], str]) -> None:
        run = next((item.run for item in self._reader.runs if item.id == name), None)
        if run is None:
            return
        try:
            outcome = act(run)
        except Exception as error:  # the page shows the error
            outcome = explain(error)
        self.refresh()
        self._outcome = outcome

    def _delete(self, names: Sequence[str]) -> None:
        """Delete the chosen runs permanently, except active ones; the page has requested confirmation."""
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
            except Exception as error:  # continue with the other runs
                failures.append(f"{item.id} was not deleted: {explain(error)}")
        self.refresh()
        self._outcome = ". ".join([f"{size(freed)} are free", *failures])

    def _shown(self) -> list[DeskRun]:
        self._reader.wait_until_read()
        by_folder = {item.run.folder: item for item in self._reader.runs}
        family = [by_folder[run.folder] for run in by_family([item.run for item in self._reader.runs])]
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
        count = f"No run in {self.folder} yet; train one."
        if reader.runs:
            disk = size(sum(item.bytes for item in reader.runs))
            count = f"{plural(len(reader.runs), 'run')} in {self.folder}, {disk}"
        return ". ".join([count, *reader.unreadable])

    def _static(self) -> tuple[str, str]:
        self._reader.wait_until_read(None if executed() or not has_anywidget() else DISPLAY_TIMEOUT)
        page = f"<p>{html.escape(self._outcome or self._count())}</p>"
        if self._reader.ready and self._reader.runs:
            table = self.frame().to_html(na_rep="", float_format="{:.4g}".format)
            page += f"<div style='overflow: auto; max-height: 480px'>{table}</div>"
        return f"Desk({str(self.folder)!r})", page


@dataclass(frozen=True)
class DeskRun:
    """A run, its columns, its size in bytes, and the version of the FolderReader at the run's last change."""

    run: Stored
    columns: History
    bytes: int
    version: int

    @staticmethod
    def of(run: Stored, version: int) -> DeskRun:
        _ = run.settings  # computed and cached in this thread
        return DeskRun(run, History(run.rows), run.files.size(), version)

    @property
    def id(self) -> str:
        """The name of the run's folder, which is unique in a desk."""
        return self.run.folder.name

    @property
    def label(self) -> str:
        """The run's name; if its folder has another name (a copy), followed by the folder's name."""
        return self.run.name if self.id == self.run.name else f"{self.run.name} in {self.id}"

    @property
    def active(self) -> bool:
        """Whether the run is being trained by this process or another."""
        return self.run.status in ACTIVE

    @property
    def fork(self) -> str:
        """A fork's parent, step and changed settings as text; empty for other runs."""
        parent = self.run.parent
        return "" if parent is None else event_text({"forked": parent.model_dump()}).removeprefix("forked ")


class FolderReader:
    """Reads a folder's runs in a thread, then repeatedly the active runs; every change increases ``version``."""

    def __init__(self, folder: Path) -> None:
        self.listing, self.error = RunListing(folder), ""
        self.runs: tuple[DeskRun, ...] = ()
        self.unreadable: list[str] = []
        self.version, self.progress = 0, (0, 0)
        self._lock = threading.RLock()
        self._first_read, self._closed = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def ready(self) -> bool:
        return self._first_read.is_set()

    @property
    def active(self) -> int:
        """The number of runs that are being trained."""
        return sum(item.active for item in self.runs)

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        with self._lock:
            if not self.running:
                self._thread = threading.Thread(target=self._follow, name="clwork desk", daemon=True)
                self._thread.start()

    def wait_until_read(self, timeout: float | None = None) -> None:
        self._first_read.wait(timeout)

    def end(self) -> None:
        self._closed.set()

    def _follow(self) -> None:
        reads = failures = 0
        while failures < TRIES:
            try:
                self.read(all_runs=reads % FULL_READ_EVERY == 0)
                failures = 0
            except Exception as error:
                self.error = f"Reading failed: {explain(error)}"
                failures += 1
            self._first_read.set()  # also after an error, so that nothing blocks forever
            reads += 1
            if not self.active or self._closed.wait(PERIOD):
                return

    def read(self, all_runs: bool = True) -> None:
        """Read all runs of the folder, or only the active ones, in the calling thread."""
        with self._lock:
            found, unreadable = self.listing.read(
                lambda done, total: setattr(self, "progress", (done, total)), only_active=not all_runs
            )
            former = {item.run.folder: item for item in self.runs}
            runs = tuple(_updated(run, former.get(run.folder), self.version + 1) for run in found)
            changed = runs != self.runs or unreadable != self.unreadable
            self.runs, self.unreadable, self.error = runs, unreadable, ""
            self.version += changed  # after the runs: a page that has received a version has its runs
            self._first_read.set()


def _updated(run: Stored, before: DeskRun | None, version: int) -> DeskRun:
    """Return ``before`` if the run is as it was, else a new row of ``version``."""
    if before is not None:
        then = before.run
        same = then.recipe is run.recipe and len(then.rows) == len(run.rows) and then.status == run.status
        if then is run or same:
            return before
    return DeskRun.of(run, version)


def frame(runs: Sequence[DeskRun]) -> pd.DataFrame:
    """Return a row for each run: the settings in which the runs differ, then method, status and last measurements."""
    import pandas as pd

    settings = [settings_of(item.run) for item in runs]
    differing = [name for name in changed_keys(settings) if name not in NO_COLUMN]
    forks = any(item.run.parent is not None for item in runs)
    rows = []
    for item, own in zip(runs, settings, strict=True):
        run = item.run
        row: dict[str, Any] = {name: own[name] for name in differing if name in own}
        row |= {"method": run.method, "seed": run.recipe.seed, "status": run.status}
        row |= {"step": f"{run.step} of {run.total_steps}", "size": size(item.bytes)}
        rows.append(row | ({"fork": item.fork} if forks else {}) | last_values(item))
    names = dict.fromkeys([*differing, *(name for row in rows for name in row)])
    return pd.DataFrame(rows, index=pd.Index([item.label for item in runs], name="run"), columns=list(names))


def last_values(item: DeskRun) -> dict[str, float]:
    last = {name: item.columns.last(name) for name in columns.shown("desk")}
    return {name: value for name, value in last.items() if value is not None}


def state(run: Stored) -> str:
    """Return the status with its symbol; for a failed run, also the message of its error."""
    why = EXCEPTION.sub("", " ".join((run.error or "").split()))
    return f"{SIGNS.get(run.status, '?')} {run.status}" + (f": {why}" if run.status == "failed" and why else "")


def settings_of(run: Stored) -> dict[str, Any]:
    """Return the settings of the table, with the seed, and with names of encoder and corpus without their digests."""
    settings = {name: labels.without_digest(value) for name, value in run.settings.items()}
    return {**settings, "seed": run.recipe.seed}


def page_rows(runs: Sequence[DeskRun], version: int, known: int) -> dict[str, Any]:
    """Return the rows changed since version ``known``, and the labels of their settings and columns."""
    changed = [item for item in runs if item.version > known]
    settings: dict[str, dict[str, Any]] = {}
    for item in changed:
        signs = labels.signs(item.run.method)
        for name in (*item.run.settings, "seed"):
            sign = signs[name] if len(signs.get(name, "")) == 1 else ""
            label = f"{columns.of(name).label} {sign}".strip()
            settings.setdefault(name, {"label": label, "column": name not in NO_COLUMN})
    rows = [_row(item) for item in changed]
    measured = dict.fromkeys(name for row in rows for name in row["last"])
    return {
        "version": version,
        "order": [item.id for item in runs],
        "rows": rows,
        "names": settings,
        "columns": {
            name: {"label": one.label, "scale": one.scale, "score": one.cell == "validation"}
            for name, one in zip(measured, map(columns.of, measured), strict=True)
        },
    }


def _row(item: DeskRun) -> dict[str, Any]:
    run = item.run
    return {
        "id": item.id,
        "name": run.name,
        "label": item.label,
        "folder": str(run.folder),
        "method": run.method,
        "seed": run.recipe.seed,
        "status": run.status,
        "state": state(run),
        "active": item.active,
        "step": run.step,
        "total": run.total_steps,
        "bytes": item.bytes,
        "size": size(item.bytes),
        "fork": item.fork,
        "parent": None if run.parent is None else [run.parent.run, run.parent.step],
        "settings": {
            name: [value, str(value)]
            if is_number(value) and is_finite(value)
            else None
            if value is None
            else str(value)
            for name, value in settings_of(run).items()
        },
        "last": last_values(item),
    }


def longest_by_seed(members: Sequence[DeskRun]) -> list[DeskRun]:
    """Return one run for each seed: the one with the most steps."""
    return list({item.run.recipe.seed: item for item in sorted(members, key=lambda item: item.run.step)}.values())


def curves_key(title: str, members: Sequence[DeskRun], names: Sequence[str], band: bool) -> str:
    """Return a digest of all that a recipe's curves depend on; a page that has the digest has the curves already."""
    parts = [title, *(f"{item.id}@{item.version}" for item in members), *names, str(band)]
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=9).hexdigest()


def lines_of(members: Sequence[DeskRun], names: Sequence[str], band: bool) -> dict[str, list[dict[str, Any]]]:
    """Return the curves of a recipe by column: mean and spread over seeds if ``band``, else a line for each seed."""
    runs = [item.columns for item in longest_by_seed(members)]
    found: dict[str, list[dict[str, Any]]] = {}
    for name in names:
        if band:
            steps, mean, spread = seed_band(runs, name)
            found[name] = [_line(steps, mean, spread if len(runs) > 1 else None)] if len(steps) else []
        else:
            found[name] = [_line(*values, None) for values in (values_of(run, name) for run in runs) if len(values[0])]
    return found


def _line(steps: Floats, values: Floats, spread: Floats | None) -> dict[str, Any]:
    points = downsample(values, POINTS)
    parts = {"steps": steps, "values": values} | ({} if spread is None else {"spread": spread})
    return {name: part[points].astype("<f4").tobytes() for name, part in parts.items()}
