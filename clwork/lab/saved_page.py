"""A run as one HTML file: its player with curves, its settings, and the runs that differ in their seed alone."""

from __future__ import annotations

import html
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .._validation import checked, printable
from ..disk import write_whole
from ..recordings import recording
from ..training import Run, stored_runs
from ..training.stored import RunSource, Stored, group_by_recipe
from .page import standalone
from .page.markup import failure, table
from .player_view import HEIGHT, player

ENDS = ("loss", "alignment", "uniformity", "stsb", "sickr", "silver")
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color-scheme: light dark; max-width: 1000px;
  margin: 0 auto; padding: 16px }
h1 { margin: 0 } h2 { margin: 28px 0 8px; font-size: 19px } table { display: block; overflow-x: auto }
th, td { text-align: left; padding: 2px 14px 2px 0; vertical-align: top; font-weight: 400 }
"""


@checked()
def save_page(run: RunSource, path: str | Path) -> Path:
    """Write a run as one HTML file that any browser shows without Python and without a network; return its path.

    It holds the state, the player (sentences and curves), the settings, and the finished runs of the same folder that
    differ in their seed alone. A file that is there is replaced. ``run`` is whatever :func:`clwork.recording` takes.

    >>> lab.save_page("simcse", "simcse.html")  # doctest: +SKIP
    """
    target = standalone.file_for(path, "run.html")
    recorded = recording(run)
    name = printable(str(recorded["name"]))
    last = recorded["rows"][-1]["step"] if recorded["rows"] else 0
    state = f"{recorded['method']}, seed {recorded['seed']}, {recorded['status']}, step {last} of "
    state += str(recorded["total_steps"])
    frame = standalone.iframe(player(recorded).html, HEIGHT, "A run through time")
    folder = run.folder if isinstance(run, Run | Stored) else Path(run) if isinstance(run, str | Path) else None
    body = f"<h1>{html.escape(name)}</h1><p>{failure(state)}</p>{_numbers(recorded)}{frame}"
    body += "" if folder is None or not folder.exists() else _seeds(folder)
    settings = [(str(key), str(value)) for key, value in recorded["settings"].items()]
    body += f"<h2>Settings</h2>{table('', ['setting', 'value'], settings)}"
    document = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(name)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{standalone.POLICY}">'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>{body}</body></html>'
    )
    write_whole(target, printable(document))
    return target


def _ends(rows: list[Mapping[str, Any]]) -> dict[str, tuple[float, float]]:
    values = {name: [float(row[name]) for row in rows if name in row] for name in ENDS}
    return {name: (measured[0], measured[-1]) for name, measured in values.items() if measured}


def _numbers(recorded: Mapping[str, Any]) -> str:
    rows = [(name, f"{first:.4g}", f"{last:.4g}") for name, (first, last) in _ends(recorded["rows"]).items()]
    return table("", ["", "first", "last"], rows) if rows else ""


def _seeds(folder: Path) -> str:
    """The finished runs that differ in nothing but their seed, and their mean and standard deviation."""
    groups = group_by_recipe(stored_runs(folder.parent)[0]).values()
    same = next((group for group in groups if any(run.folder == folder.resolve() for run in group)), [])
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
    rows.append(["mean ± sd", *(f"{statistics.mean(c):.4g} ± {statistics.stdev(c):.2g}" for c in columns)])
    return f"<h2>The same settings with other seeds</h2>{table('', ['run', *names], rows)}"
