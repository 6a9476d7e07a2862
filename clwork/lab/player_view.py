"""The player: one or two runs over time, recorded or active; and the report of a run as an HTML file."""

from __future__ import annotations

import base64
import html
import statistics
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import methods
from .._validation import checked, flag, integer, printable
from ..disk import write_file
from ..recordings import recording
from ..run_folder.stored import RunSource as AnyRun
from ..run_folder.stored import Stored, group_by_recipe, stored_runs
from ..training import Run
from .page import standalone
from .page.labels import titles
from .page.markup import failure, table
from .page.notebook import has_anywidget, unsaved
from .panel.recorded import LONGEST, Recording, checked_recording, labels_of, umap_layouts
from .panel.run_sources import Part, RecordedSource, RunPage, RunSource, Source, curve_cells

HEIGHT, LEAST, MOST = 640, 480, 2000  # pixels
TOO_EARLY = "the run has no probe yet; try again after the first probe"


@unsaved()
def player(
    run: AnyRun,
    other: AnyRun | None = None,
    *,
    umap: bool = False,
    labels: Sequence[str | None] | None = None,
    height: int = HEIGHT,
) -> Player | LivePlayer:
    """Play one run, or two next to each other: sentences, curves and the alignment–uniformity plane over time.

    If a run is active, the page is updated during the training; otherwise, the page needs no kernel.

    Args:
        run: a run, the result of :func:`clwork.open_run` or :func:`clwork.recording`, a run's folder, or the name of a
            method for the recorded run that is part of clwork.
        other: a second run, shown next to the first at the same step.
        umap: whether to add a UMAP layout, aligned over time; this takes a minute and requires umap-learn.
        labels: a label for each of the first run's sentences, by which the dots are coloured.
        height: height in pixels, 480 to 2000.

    >>> player("simcse").data[0]["method"]
    'simcse'
    """
    height, umap = integer("height", height, LEAST, MOST), flag("umap", umap)
    runs = [run] if other is None else [run, other]
    if any(isinstance(one, Run) and one.alive for one in runs) and has_anywidget():
        return LivePlayer(runs, labels, height)
    recordings = [
        checked_recording(recording(one), None if place else labels)
        for place, one in enumerate(runs)
    ]
    if len(recordings) > 1:
        names = titles([_settings(one) for one in recordings])
        for one, name in zip(recordings, names, strict=True):
            one["differs"] = name[:LONGEST]
            one.pop("umap", None)  # separate layouts are not comparable
    if umap and not all(one.get("umap") for one in recordings):
        for one, layout in zip(recordings, umap_layouts(recordings), strict=True):
            one["umap"] = layout
    return Player(recordings, height)


class Player:
    """A page that plays one or two recordings; to display it, put it last in a cell."""

    def __init__(self, data: list[Recording], height: int = HEIGHT) -> None:
        self.data, self.height = data, height

    @property
    def html(self) -> str:
        """The HTML page with all data that a kernel would send, bytes as base64; it makes no requests."""
        title = " and ".join(one["title"] or one["method"] or "a run" for one in self.data)
        state = {
            "about": about(len(self.data)),
            "runs": [_part(one) for one in self.data],
            "page": True,
        }
        return standalone.page("panel", state, f"{title} through time")

    @checked()
    def save(self, path: str | Path) -> Path:
        """Write the page to a file; an existing file is replaced."""
        target = standalone.file_for(path, "player.html")
        write_file(target, self.html)
        return target

    def _repr_html_(self) -> str:
        return standalone.iframe(self.html, self.height, "A run through time")

    def __repr__(self) -> str:
        runs = [
            f"{one['name'] or one['method']}, {len(one['measurements'])} probes"
            for one in self.data
        ]
        return f"<Player of {' and '.join(runs)}>"


class LivePlayer(RunPage):
    """A player of runs, at least one of which is active; returned by :func:`clwork.lab.player`."""

    def __init__(
        self, runs: Sequence[Any], labels: Sequence[str | None] | None = None, height: int = 0
    ) -> None:
        self._runs, self._labels = list(runs), labels
        sources, settings = list[Source](), []
        for place, one in enumerate(runs):
            if isinstance(one, Run):
                sources.append(RunSource(one))
                own = {"method": one.method, "settings": vars(one.config), "seed": one.recipe.seed}
                settings.append(_settings(own | {"total_steps": one.total_steps}))
            else:
                recorded = checked_recording(recording(one))
                sources.append(RecordedSource(recorded, f"recording {place}"))
                settings.append(_settings(recorded))
        several = len(runs) > 1
        self._names = (
            [name[:LONGEST] for name in titles(settings)]
            if several
            else [methods.get(runs[0].method).title]
        )
        super().__init__(sources, about=about(len(runs)), height=height)

    @property
    def data(self) -> list[Recording]:
        """The present recordings; empty if one of the runs has no probe yet."""
        if any(isinstance(run, Run) and not run.positions.rows() for run in self._runs):
            return []
        return [checked_recording(recording(run)) for run in self._runs]

    @checked()
    def save(self, path: str | Path) -> Path:
        """Write the present recordings as a page that needs no kernel; an existing file is replaced."""
        if not (data := self.data):
            raise ValueError(TOO_EARLY)
        return Player(data).save(path)

    def _update(self, known: Mapping[str, Any]) -> Part:
        news = super()._update(known)
        for place, part in enumerate(news["runs"]):
            if (head := part.get("head")) and not head["texts"]:
                news["runs"][place] = {"id": part["id"], "status": part["status"]}  # no probe yet
            elif head:
                own = None if place else labels_of(self._labels, len(head["texts"]), "labels")
                head |= {"own": own, "differs": self._names[place]}
        return news

    def _active(self) -> bool:
        active = any(isinstance(run, Run) and run.alive for run in self._runs)
        return active or "working" in self._computed.get("umap", {})

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        return {"umap": self._compute_umap}

    def _compute_umap(self) -> None:
        if not (data := self.data):
            raise ValueError(TOO_EARLY)
        self._compute("umap", lambda: {"layouts": umap_layouts(data)})

    def _static(self) -> tuple[str, str]:
        names = " and ".join(str(getattr(run, "name", "a run")) for run in self._runs)
        text = f"This followed {names} during training; lab.player(folder) shows the result without a kernel."
        return text, f"<p>{text}</p>"


def about(runs: int) -> Part:
    return {"mode": "player", "runs": runs, "curves": curve_cells()}


def _part(one: Recording) -> Any:
    source = RecordedSource(one, one["name"] or one["method"] or "recording")
    head = source.head() | {name: one[name] for name in ("own", "differs", "method")}
    part = {"id": source.id, "status": source.status(), "head": head, "probes": source.probes(-1)}
    return as_text(
        part | {"rows": source.rows(0)} | ({"umap": one["umap"]} if one.get("umap") else {})
    )


def as_text(value: Any) -> Any:
    """Replace bytes anywhere in ``value`` by base64 text."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {name: as_text(part) for name, part in value.items()}
    return [as_text(part) for part in value] if isinstance(value, list | tuple) else value


def _settings(one: Mapping[str, Any]) -> dict[str, Any]:
    given = one.get("settings")
    own = given.items() if isinstance(given, Mapping) else ()
    settings = {name: value for name, value in own if isinstance(value, Hashable)}
    return {
        "method": str(one.get("method") or ""),
        **settings,
        **{name: one.get(name) for name in ("seed", "total_steps")},
    }


ENDS = ("loss", "alignment", "uniformity", "stsb", "sickr", "silver")
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color-scheme: light dark; max-width: 1000px;
  margin: 0 auto; padding: 16px }
h1 { margin: 0 } h2 { margin: 28px 0 8px; font-size: 19px } table { display: block; overflow-x: auto }
th, td { text-align: left; padding: 2px 14px 2px 0; vertical-align: top; font-weight: 400 }
"""


@checked()
def save_page(run: AnyRun, path: str | Path) -> Path:
    """Write an HTML report of a run and of finished runs that differ only in their seed; return the file's path.

    The file works without Python and network; an existing file is replaced. ``run`` is any argument of
    :func:`clwork.recording`.
    """
    target = standalone.file_for(path, "run.html")
    recorded = recording(run)
    name = printable(str(recorded["name"]))
    last = recorded["rows"][-1]["step"] if recorded["rows"] else 0
    state = f"{recorded['method']}, seed {recorded['seed']}, {recorded['status']}, step {last} of "
    state += str(recorded["total_steps"])
    frame = standalone.iframe(player(recorded).html, HEIGHT, "A run through time")
    folder = (
        run.folder
        if isinstance(run, Run | Stored)
        else Path(run)
        if isinstance(run, str | Path)
        else None
    )
    body = f"<h1>{html.escape(name)}</h1><p>{failure(state)}</p>{_numbers(recorded)}{frame}"
    body += "" if folder is None or not folder.exists() else _seeds(folder)
    settings = [(str(key), str(value)) for key, value in recorded["settings"].items()]
    body += f"<h2>Settings</h2>{table('', ['setting', 'value'], settings)}"
    document = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(name)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{standalone.POLICY}">'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>{body}</body></html>'
    )
    write_file(target, printable(document))
    return target


def _ends(rows: list[Mapping[str, Any]]) -> dict[str, tuple[float, float]]:
    values = {name: [float(row[name]) for row in rows if name in row] for name in ENDS}
    return {name: (measured[0], measured[-1]) for name, measured in values.items() if measured}


def _numbers(recorded: Mapping[str, Any]) -> str:
    rows = [
        (name, f"{first:.4g}", f"{last:.4g}")
        for name, (first, last) in _ends(recorded["rows"]).items()
    ]
    return table("", ["", "first", "last"], rows) if rows else ""


def _seeds(folder: Path) -> str:
    groups = group_by_recipe(stored_runs(folder.parent)[0]).values()
    same = next(
        (group for group in groups if any(run.folder == folder.resolve() for run in group)), []
    )
    runs = list({run.recipe.seed: run for run in same if run.status == "finished"}.values())
    if len(runs) < 2:
        return ""
    ends = [{name: last for name, (_, last) in _ends(list(run.records())).items()} for run in runs]
    names = [name for name in ENDS if all(name in end for end in ends)]
    rows = [
        [f"{run.name}, seed {run.recipe.seed}", *(f"{end[name]:.4g}" for name in names)]
        for run, end in zip(runs, ends, strict=True)
    ]
    columns = [[end[name] for end in ends] for name in names]
    rows.append(
        ["mean ± sd", *(f"{statistics.mean(c):.4g} ± {statistics.stdev(c):.2g}" for c in columns)]
    )
    return f"<h2>The same settings with other seeds</h2>{table('', ['run', *names], rows)}"
