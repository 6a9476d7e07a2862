"""The desk's table of runs: its rows, their order, the table as HTML and as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ... import columns
from ...disk import size
from ...training import Stored, TreeRow, changed_keys, fork_tree
from ...training.stored.stored import FORKED_KEY
from ..page import messages
from .facts import Facts

if TYPE_CHECKING:
    import pandas as pd


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
STYLE = """<style>
.clwork-table th, .clwork-table td {padding: 1px 8px; text-align: left; vertical-align: top}
.clwork-rows {border-collapse: collapse; font-size: 12px; line-height: 1.5}
.clwork-rows caption {text-align: left}
.clwork-rows th {background: var(--jp-layout-color0, Canvas); white-space: nowrap}
.clwork-rows thead th {position: sticky; top: 0; z-index: 1}
.clwork-rows tbody th {position: sticky; left: 0; max-width: 150px; overflow: hidden; text-overflow: ellipsis}
</style>"""
SHORT = 16  # characters of a cell that is not broken into lines
DEEPEST = 6  # forks of forks are indented so far


class Row(NamedTuple):
    """A run in the table, and its place in the tree of forks."""

    facts: Facts
    line: TreeRow


def frame(facts: Sequence[Facts]) -> pd.DataFrame:
    """A row for each run: the settings in which the runs differ, then its method, state and last measurements."""
    import pandas as pd

    settings = [{**item.run.settings(), "seed": item.run.recipe.seed} for item in facts]
    differing = [name for name in changed_keys(settings) if name not in ("steps", FORKED_KEY)]
    forks = any(item.run.parent is not None for item in facts)
    rows = []
    for item, own in zip(facts, settings, strict=True):
        run = item.run
        row: dict[str, Any] = {name: own[name] for name in differing if name in own}
        row |= {"method": run.method, "seed": run.recipe.seed, "status": run.status}
        row["step"] = f"{run.step} of {run.total_steps}"
        row["size"] = size(item.bytes)
        if forks:
            row["fork"] = item.fork
        for name in columns.shown("desk"):
            if (last := item.tracks.last(name)) is not None:
                row[name] = last
        rows.append(row)
    names = dict.fromkeys([*differing, *(name for row in rows for name in row)])
    return pd.DataFrame(rows, index=pd.Index([item.called for item in facts], name="run"), columns=list(names))


def arranged(facts: Sequence[Facts], by: str = FAMILY, descending: bool = False) -> list[Row]:
    """The runs in the order of a column of :func:`frame`, those without a value last; or as a tree of forks."""
    if by == FAMILY:
        known = {item.run.folder: item for item in facts}
        return [Row(known[line.run.folder], line) for line in fork_tree([item.run for item in facts])]
    keys = _keys(facts, by)
    there = [(key, item) for key, item in zip(keys, facts, strict=True) if not _missing(key)]
    words = any(isinstance(key, str) for key, _ in there)
    there.sort(key=lambda pair: str(pair[0]) if words else pair[0], reverse=descending)
    rest = [item for key, item in zip(keys, facts, strict=True) if _missing(key)]
    return [Row(item, TreeRow(item.run, 0, None)) for item in [*(item for _, item in there), *rest]]


def _keys(facts: Sequence[Facts], by: str) -> list[Any]:
    """What each run is sorted by: not the text, where a cell has one; None for those without a value."""
    own: dict[str, Callable[[Facts], Any]] = {
        "run": lambda item: item.called,
        "step": lambda item: item.run.step,
        "size": lambda item: item.bytes,
    }
    if by in own:
        return [own[by](item) for item in facts]
    table = frame(facts)
    return list(table[by].tolist()) if by in table else [None] * len(facts)


def _missing(value: object) -> bool:
    return value is None or value != value


def page(rows: Sequence[Row]) -> str:
    """The table as HTML, forks indented under their parents."""
    if not rows:
        return ""
    table = frame([row.facts for row in rows])
    names = [str(name) for name in table.columns]
    lines = []
    for row, values in zip(rows, table.values, strict=True):
        cells = [cell(value, columns.of(name).scale) for value, name in zip(values, names, strict=True)]
        cells[names.index("status")] = state(row.facts.run)
        short = [text.replace(" ", "\N{NO-BREAK SPACE}") if len(text) <= SHORT else text for text in cells]
        lines.append([indented(row), *short])
    return STYLE + messages.table(CAPTION, ["run", *(columns.of(name).label for name in names)], lines)


def indented(row: Row) -> str:
    """A run's name, indented below its parent's."""
    depth = min(row.line.depth, DEEPEST)
    sign = "↳\N{NO-BREAK SPACE}" if depth else ""
    return "\N{NO-BREAK SPACE}" * 3 * (depth - 1) + sign + row.facts.called


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
