"""The desk's runs as a DataFrame and as rows for its page, and the curves of its recipes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ... import columns
from ..._validation import is_finite, is_number
from ...disk import size
from ...training.stored import FORKED_KEY, Stored, changed_keys
from ...views._curves import seed_band, values_of
from ...views.history import Floats, downsample
from ..page.labels import signs
from .reader import DeskRun

if TYPE_CHECKING:
    import pandas as pd

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
NO_COLUMN = ("steps", FORKED_KEY)  # settings without their own column, though they may differ
POINTS = 160  # of a line on the page


def frame(runs: Sequence[DeskRun]) -> pd.DataFrame:
    """A row for each run: the settings in which the runs differ, then its method, state and last measurements."""
    import pandas as pd

    settings = [{**item.run.settings(), "seed": item.run.recipe.seed} for item in runs]
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
    """The newest value of each column of the table that the run has measured."""
    last = {name: item.columns.last(name) for name in columns.shown("desk")}
    return {name: value for name, value in last.items() if value is not None}


def markdown(table: pd.DataFrame) -> str:
    """Format the table as Markdown, numbers with four digits."""
    texts = table.reset_index().map(lambda value: f"{value:.4g}" if isinstance(value, float) else str(value))
    rows = [[str(name) for name in texts.columns], *texts.replace("nan", "").values.tolist()]
    lines = [[" ".join(text.replace("|", r"\|").split()) for text in row] for row in rows]
    lines.insert(1, ["---"] * len(texts.columns))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


FORMS: dict[str, Callable[[Any], str]] = {"Markdown": markdown, "CSV": lambda table: str(table.to_csv())}


def state(run: Stored) -> str:
    """Status with a sign; of a failed run also its cause."""
    why = " ".join((run.error or "").split())
    return f"{SIGNS.get(run.status, '?')} {run.status}" + (f": {why[:60]}" if run.status == "failed" and why else "")


# ---- rows for the page -----------------------------------------------------------------------------------------------


def page_rows(runs: Sequence[DeskRun], version: int, known: int) -> dict[str, Any]:
    """The rows that a page with the rows of version ``known`` lacks, and the names of their settings and columns."""
    changed = [item for item in runs if item.version > known]
    settings: dict[str, dict[str, Any]] = {}
    for item in changed:
        own = signs(item.run.method)
        for name in (*item.run.settings(), "seed"):
            about = {"label": columns.of(name).label, "sign": own.get(name, name.replace("_", " "))}
            settings.setdefault(name, about | {"column": name not in NO_COLUMN})
    rows = [_row(item) for item in changed]
    measured = dict.fromkeys(name for row in rows for name in row["last"])
    return {
        "version": version,
        "order": [item.id for item in runs],
        "rows": rows,
        "names": settings,
        "columns": {name: _column(name) for name in measured},
    }


def _row(item: DeskRun) -> dict[str, Any]:
    run = item.run
    settings = {**run.settings(), "seed": run.recipe.seed}
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
        "settings": {name: _value(value) for name, value in settings.items()},
        "last": last_values(item),
    }


def _value(value: object) -> Any:
    """A number and its text, or a text alone; None for None."""
    if value is None:
        return None
    numeric = is_number(value) and is_finite(value) and not isinstance(value, bool)
    return [value, str(value)] if numeric else str(value)


def _column(name: str) -> dict[str, Any]:
    about = columns.of(name)
    return {"label": about.label, "scale": about.scale, "better": about.better, "score": about.cell == "validation"}


# ---- curves for the page ---------------------------------------------------------------------------------------------


def longest_by_seed(members: Sequence[DeskRun]) -> list[DeskRun]:
    """One run for each seed: the one with most steps."""
    return list({item.run.recipe.seed: item for item in sorted(members, key=lambda item: item.run.step)}.values())


def curves_key(title: str, members: Sequence[DeskRun], names: Sequence[str], band: bool) -> str:
    """A digest of what a recipe's curves depend on; a page that has it needs no new numbers."""
    parts = [title, *(f"{item.id}@{item.version}" for item in members), *names, str(band)]
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=9).hexdigest()


def lines_of(members: Sequence[DeskRun], names: Sequence[str], band: bool) -> dict[str, list[dict[str, Any]]]:
    """A recipe's curves by column: the mean over seeds with its spread, or without ``band`` a line for each seed."""
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
