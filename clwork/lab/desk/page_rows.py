"""The desk's runs as its page gets them: a row for each run that is new or has changed, values by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import columns
from ..._validation import is_finite, is_number
from ...disk import size
from ...training.stored.stored import FORKED_KEY
from ..page.labels import short, signs
from .facts import Facts
from .table import state

Part = dict[str, Any]
NO_COLUMN = ("steps", FORKED_KEY)  # settings that get no column of their own, though they may differ


class PageRows:
    """Writes rows; settings and their values are numbered, for most of them are shared by many runs.

    Attributes:
        names: the settings, in the order of their columns.
        values: each value once: as it sorts, as text, and in short.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.values: list[list[Any]] = []
        self._name_numbers: dict[str, int] = {}
        self._value_numbers: dict[tuple[type, object], int] = {}
        self._signs: dict[str, str] = {}
        self._rows: dict[str, tuple[int, Part]] = {}

    def since(self, facts: Sequence[Facts], version: int, known: Mapping[str, Any]) -> Part:
        """What a page lacks that has the rows of ``known``: ``version``, and how many ``names`` and ``values``."""
        had = _count(known.get("version"))
        rows = [self._row(item) for item in facts if item.version > had]
        measured = dict.fromkeys(name for row in rows for name in row["last"])
        names, values = _count(known.get("names")), _count(known.get("values"))
        return {
            "version": version,
            "order": [item.id for item in facts],
            "rows": rows,
            "names": {"from": names, "more": [self._about(name) for name in self.names[names:]]},
            "values": {"from": values, "more": self.values[values:]},
            "columns": {name: _column(name) for name in measured},
        }

    def _row(self, item: Facts) -> Part:
        version, row = self._rows.get(item.id, (-1, {}))
        if version != item.version:
            row = self._written(item)
            self._rows[item.id] = item.version, row
        return row

    def _written(self, item: Facts) -> Part:
        run = item.run
        settings = {**run.settings(), "seed": run.recipe.seed}
        numbers = {self._name(name, run.method): self._value(value) for name, value in settings.items()}
        last = {name: item.tracks.last(name) for name in columns.shown("desk")}
        return {
            "id": item.id,
            "name": run.name,
            "called": item.called,
            "folder": str(run.folder),
            "method": run.method,
            "seed": run.recipe.seed,
            "status": run.status,
            "state": state(run),
            "work": item.at_work,
            "step": run.step,
            "total": run.total_steps,
            "bytes": item.bytes,
            "size": size(item.bytes),
            "fork": item.fork,
            "parent": None if run.parent is None else [run.parent.run, run.parent.step],
            "settings": [numbers.get(place, -1) for place in range(len(self.names))],
            "last": {name: value for name, value in last.items() if value is not None},
        }

    def _name(self, name: str, method: str) -> int:
        if name not in self._name_numbers:
            self._name_numbers[name] = len(self.names)
            self.names.append(name)
            self._signs[name] = signs(method).get(name, name.replace("_", " "))
        return self._name_numbers[name]

    def _value(self, value: object) -> int:
        key = (type(value), value)
        if key not in self._value_numbers:
            self._value_numbers[key] = len(self.values)
            plain = value if isinstance(value, bool) or (is_number(value) and is_finite(value)) else str(value)
            self.values.append([None if value is None else plain, str(value), short(value)])
        return self._value_numbers[key]

    def _about(self, name: str) -> Part:
        return {
            "name": name,
            "label": columns.of(name).label,
            "sign": self._signs[name],
            "column": name not in NO_COLUMN,
        }


def _column(name: str) -> Part:
    about = columns.of(name)
    return {"label": about.label, "scale": about.scale, "better": about.better, "score": about.cell == "validation"}


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
