"""The player: one or two recorded runs over time; and a run's report as an HTML file."""

from __future__ import annotations

import base64
import html
import statistics
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .._validation import printable
from ..disk import write_file
from ..recordings import recording
from ..run_folder.stored import RunSource as AnyRun
from ..run_folder.stored import Stored, with_other_seeds
from ..training import Run
from .page import standalone
from .page.labels import titles
from .page.markup import failure, table
from .panel.recorded import LONGEST, Recording, prepared_recording
from .panel.run_sources import Part, RecordedSource, curve_cells

HEIGHT = 640
"""Height of a player in pixels."""


def player(run: AnyRun, other: AnyRun | None = None) -> Player:
    """Play one run, or two next to each other: sentences, curves and the plane over time.

    The page needs no kernel. Of an active run it has what was recorded so far;
    ``lab.panel(run=run)`` follows the run.

    Args:
        run: a run, the result of :func:`clwork.open_run` or :func:`clwork.recording`, a run's
            folder, or the name of a method for the recorded run that is part of clwork.
        other: a second run, shown next to the first at the same step.

    Raises:
        ValueError: a run has no recorded positions.

    >>> player("simcse").data[0]["method"]
    'simcse'
    """
    runs = [run] if other is None else [run, other]
    recordings = [prepared_recording(recording(one)) for one in runs]
    if other is not None:
        names = titles([_settings(one) for one in recordings])
        for one, name in zip(recordings, names, strict=True):
            one["differs"] = name[:LONGEST]
            # layouts that were made for one run each cannot be compared
            one.pop("umap", None)
    return Player(recordings)


class Player:
    """A page that plays one or two recordings; to display it, put it last in a cell."""

    def __init__(self, data: list[Recording]) -> None:
        self.data = data

    @property
    def html(self) -> str:
        """The HTML page with all data that a kernel would send; it makes no requests."""
        title = " and ".join(one["title"] or one["method"] or "a run" for one in self.data)
        runs = [_part(one) for one in self.data]
        state = {"about": about(len(runs)), "runs": runs, "page": True}
        return standalone.page("panel", state, f"{title} through time")

    def save(self, path: str | Path) -> Path:
        """Write the page to a file; an existing file is replaced."""
        target = standalone.file_for(path, "player.html")
        write_file(target, self.html)
        return target

    def _repr_html_(self) -> str:
        return standalone.iframe(self.html, HEIGHT, "A run through time")

    def __repr__(self) -> str:
        runs = [f"{one['name']}, {len(one['measurements'])} probes" for one in self.data]
        return f"<Player of {' and '.join(runs)}>"


def about(runs: int) -> Part:
    """Return the constant data of a player of one or two runs."""
    return {"mode": "player", "runs": runs, "curves": curve_cells()}


def _part(one: Recording) -> Any:
    """Return the data of a run that a kernel would send, as JSON."""
    source = RecordedSource(one, one["name"] or one["method"] or "recording")
    part = {
        "id": source.id,
        "status": source.status(),
        "head": {**source.head(), "differs": one["differs"], "method": one["method"]},
        "probes": source.probes(-1),
        "rows": source.rows(0),
    }
    if one.get("umap"):
        part["umap"] = one["umap"]
    return as_text(part)


def as_text(value: Any) -> Any:
    """Replace bytes anywhere in ``value`` by base64 text."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {name: as_text(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_text(part) for part in value]
    return value


def _settings(one: Recording) -> dict[str, Any]:
    """Return the settings of a recorded run, for its title."""
    settings = {
        name: value for name, value in one["settings"].items() if isinstance(value, Hashable)
    }
    own = {name: one.get(name) for name in ("seed", "total_steps")}
    return {"method": one["method"], **settings, **own}


ENDS = ("loss", "alignment", "uniformity", "stsb", "sickr", "silver")
"""Columns whose first and last value a report shows."""
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color-scheme: light dark; max-width: 1000px;
  margin: 0 auto; padding: 16px }
h1 { margin: 0 } h2 { margin: 28px 0 8px; font-size: 19px }
table { display: block; overflow-x: auto }
th, td { text-align: left; padding: 2px 14px 2px 0; vertical-align: top; font-weight: 400 }
"""
DOCUMENT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width"><style>{style}</style></head>
<body><h1>{title}</h1>{body}</body></html>
"""


def save_page(run: AnyRun, path: str | Path) -> Path:
    """Write an HTML report of a run and of finished runs that differ only in their seed.

    The file works without Python and network; an existing file is replaced. ``run`` is any
    argument of :func:`clwork.recording`. Returns the file's path.
    """
    target = standalone.file_for(path, "run.html")
    recorded = recording(run)
    last = recorded["rows"][-1]["step"] if recorded["rows"] else 0
    about_run = (
        f"{recorded['method']}, seed {recorded['seed']}, {recorded['status']}, "
        f"step {last} of {recorded['total_steps']}"
    )
    settings = [(str(name), str(value)) for name, value in recorded["settings"].items()]
    parts = [
        f"<p>{failure(about_run)}</p>",
        _first_and_last(recorded["rows"]),
        standalone.iframe(player(recorded).html, HEIGHT, "A run through time"),
        _other_seeds(run),
        f"<h2>Settings</h2>{table('', ['setting', 'value'], settings)}",
    ]
    title = html.escape(printable(str(recorded["name"])))
    document = DOCUMENT.format(
        title=title, policy=standalone.POLICY, style=STYLE, body="".join(parts)
    )
    write_file(target, printable(document))
    return target


def _ends(rows: Sequence[Mapping[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return the first and the last value of each column of a report."""
    values = {name: [float(row[name]) for row in rows if name in row] for name in ENDS}
    return {name: (measured[0], measured[-1]) for name, measured in values.items() if measured}


def _first_and_last(rows: Sequence[Mapping[str, Any]]) -> str:
    ends = _ends(rows)
    cells = [(name, f"{first:.4g}", f"{last:.4g}") for name, (first, last) in ends.items()]
    return table("", ["", "first", "last"], cells) if cells else ""


def _other_seeds(run: AnyRun) -> str:
    """Return a table of the finished runs next to ``run`` that differ only in their seed."""
    folder = run.folder if isinstance(run, Run | Stored) else run
    if not isinstance(folder, str | Path) or not Path(folder).exists():
        return ""
    same = with_other_seeds(Path(folder).resolve())
    by_seed = {one.run_config.seed: one for one in same if one.status == "finished"}
    if len(by_seed) < 2:
        return ""
    ends = {seed: _ends(one.records()) for seed, one in by_seed.items()}
    names = [name for name in ENDS if all(name in end for end in ends.values())]
    rows = []
    for seed, one in by_seed.items():
        rows.append([f"{one.name}, seed {seed}", *(f"{ends[seed][name][1]:.4g}" for name in names)])
    summary = ["mean ± sd"]
    for name in names:
        last = [end[name][1] for end in ends.values()]
        summary.append(f"{statistics.mean(last):.4g} ± {statistics.stdev(last):.2g}")
    rows.append(summary)
    return f"<h2>The same settings with other seeds</h2>{table('', ['run', *names], rows)}"
