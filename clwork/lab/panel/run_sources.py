"""A page that draws one run, or two next to each other, and the kinds of runs that it can draw."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from threadpoolctl import threadpool_limits

from ... import columns
from ...columns import History
from ...metrics.diagnosis import Diagnosis, in_angles
from ...recordings import NO_POSITIONS
from ...run_folder.positions import Positions
from ...run_folder.stored import trend_of
from ...training import Run
from ...wording import explain
from ..page import standalone
from ..page.polling_page import PollingPage, Update
from .recorded import LONGEST, Recording

MOST_ROWS = 2000
"""Rows of a history in a message; rows with an event or a probe have priority."""
SIGNALS_SHOWN = 6
CURVES = tuple(column.name for column in columns.in_cell(*columns.CELLS))

Part = dict[str, Any]
NOTHING: Part = {"id": "", "probe": -1, "row": 0, "verdict": -1, "columns": []}
"""What a page knows of a run of which it has received nothing."""


class RunSource:
    """A run of this kernel, or a run opened from its folder, as the source of a page's data."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.id = str(run.folder)
        self._opened: Positions | None = None
        self._verdict: Part = {"step": -1}

    def status(self) -> str:
        return self.run.status

    @property
    def positions(self) -> Positions:
        """The run's positions; of a run that this process did not train, read only once."""
        if self.run.alive or self.run.training.loop is not None:
            return self.run.positions
        if self._opened is None:
            self._opened = self.run.positions
        return self._opened

    def head(self) -> Part | None:
        """Return the constant data of the run; None until it has recorded something."""
        run, about = self.run, self.positions.about
        if about is None:
            if not run.records(-1):
                return None
            about = dict(NO_POSITIONS)
        run_config = run.run_config
        encoder = run_config.encoder.removeprefix("./")
        own = {"name": run.name, "total_steps": run.total_steps, "seed": run_config.seed}
        return {
            **_head(self.id, {**about, **own}),
            "credit": run_config.sentences.credit,
            "settings": f"seed {run_config.seed} · {run_config.sentences.label} · {encoder}",
            "levels": columns.by_column(run.references),
        }

    def probes(self, after: int) -> list[Part]:
        """Return the probes later than a step."""
        fresh = [probe for probe in self.positions.rows() if probe["step"] > after]
        rows, probe = list(self.run.records()), self.run.probe
        if probe is not None and (not rows or rows[-1]["step"] < probe.vectors_step):
            # measured, but not yet in the history
            rows.append({"step": probe.vectors_step, **probe.latest})
        return _probes(fresh, rows, self.run.total_steps, self.run.method)

    def rows(self, start: int, more: Sequence[str] = ()) -> Part:
        """Return the history from row ``start`` on; ``more`` names additional columns."""
        part = table(self.run.records(start), start, more)
        if start == 0 and part["upto"]:
            # the head may be older than the score of the encoder as loaded
            part["levels"] = columns.by_column(self.run.references)
        return part

    def verdict(self, known: int) -> Part | None:
        """Return the diagnosis of the newest vectors; None if ``known`` is their step."""
        probe = self.run.probe
        if probe is None or probe.vectors is None or probe.vectors_step == known:
            return None
        if probe.vectors_step != self._verdict["step"]:
            step = probe.vectors_step
            # the first call in a thread makes torch set the number of OpenMP threads
            torch.get_num_threads()
            # more threads would slow down the training
            with threadpool_limits(limits=1, user_api="openmp"):
                diagnosis = self.run.diagnosis()
            signals = list(diagnosis.signals.items())[:SIGNALS_SHOWN]
            self._verdict = {
                "step": step,
                "sign": sign(diagnosis),
                "headline": diagnosis.headline,
                "text": diagnosis.text,
                "signals": [[columns.of(name).label, f"{value:.3g}"] for name, value in signals],
            }
        return self._verdict


def sign(diagnosis: Diagnosis) -> str:
    """Return whether a diagnosis is "good", "bad", or "early" (too early to decide)."""
    if diagnosis.warns:
        return "bad"
    is_early = diagnosis.trend is not None and diagnosis.trend.course == "too early"
    return "early" if is_early else "good"


class RecordedSource:
    """A recording, completed by :func:`.prepared_recording`; it never changes."""

    def __init__(self, recording: Recording, id_: str) -> None:
        self.recording = recording
        self.id = id_

    def status(self) -> str:
        return str(self.recording["status"] or "recorded")

    def head(self) -> Part:
        more = {"title": self.recording["title"], "credit": "", "levels": {}}
        return {**_head(self.id, self.recording), **more}

    def probes(self, after: int) -> list[Part]:
        """Return the probes later than a step."""
        fresh = [probe for probe in self.recording["measurements"] if probe["step"] > after]
        total, method = self.recording["total_steps"], self.recording["method"]
        return _probes(fresh, self.recording["rows"], total, method)

    def rows(self, start: int, more: Sequence[str] = ()) -> Part:
        """Return the history from row ``start`` on; ``more`` names additional columns."""
        return table(self.recording["rows"][start:], start, more)

    def verdict(self, known: int) -> Part | None:
        """Return None, because a recording has no vectors."""
        return None


Source = RunSource | RecordedSource


def _head(id_: str, about: Mapping[str, Any]) -> Part:
    labels = about["labels"]
    if labels:
        labels = [None if label is None else label[:LONGEST] for label in labels]
    return {
        "id": id_,
        "texts": [text[:LONGEST] for text in about["texts"]],
        "labels": labels,
        **{name: about[name] for name in ("name", "axes", "span", "total_steps", "seed")},
        "share": list(about["share"])[: about["axes"]],
    }


def _probes(
    fresh: Sequence[Part], rows: Sequence[Mapping[str, Any]], total: int, method: str
) -> list[Part]:
    """Return probes for the page: positions and neighbours as bytes, and the angles as text."""
    if not fresh:
        return []
    measured = [row for row in rows if "mean_cosine" in row]
    places = {row["step"]: place for place, row in enumerate(measured)}
    parts = []
    for probe in fresh:
        part = {
            "step": probe["step"],
            "at": base64.b64decode(probe["at"]),
            "near": base64.b64decode(probe["near"]),
            "share": probe["share"],
            "trend": "",
        }
        if (place := places.get(probe["step"])) is not None:
            trend = trend_of(measured[: place + 1], total, method)
            if trend is not None:
                part["trend"] = in_angles(trend, measured[place].get("alignment"))
        parts.append(part)
    return parts


def table(records: Sequence[Mapping[str, Any]], start: int, more: Iterable[str] = ()) -> Part:
    """Return the history from row ``start`` on as 32-bit floats (R, 1 + C), thinned if long."""
    candidates = dict.fromkeys((*CURVES, *more))
    names = [name for name in candidates if any(name in row for row in records)]
    measured = {row["step"] for row in records if "alignment" in row}
    history = History(records).thinned(MOST_ROWS, measured)
    return {
        "from": start,
        "upto": start + len(records),
        "columns": names,
        "values": history.as_bytes(names),
        "events": [[step, text[:LONGEST]] for step, text in history.events],
    }


def update_of(source: Source, known: Mapping[str, Any]) -> Part:
    """Return the data of a run that a page lacks; ``known`` has the keys of :data:`NOTHING`."""
    is_new = known.get("id") != source.id
    head = source.head() if is_new else None
    # read before the rows: once the status is that of the end, the rows are complete
    part: Part = {"id": source.id, "status": source.status()}
    if is_new and head is None:
        return part
    columns_wanted = known.get("columns") or []
    known = NOTHING if is_new else {**NOTHING, **known}
    if head is not None:
        part["head"] = head
    if fresh := source.probes(known["probe"]):
        part["probes"] = fresh
    rows = source.rows(known["row"], columns_wanted)
    if rows["upto"] > rows["from"] or head is not None:
        part["rows"] = rows
    if verdict := source.verdict(known["verdict"]):
        part["verdict"] = verdict
    if head is not None and isinstance(source, RecordedSource) and source.recording.get("umap"):
        part["umap"] = source.recording["umap"]
    return part


def known_after(known: Mapping[str, Any], part: Mapping[str, Any]) -> Part:
    """Return what a page knows of a run after it has received ``part``."""
    after = dict(known)
    if known.get("id") != part["id"]:
        if "head" not in part:
            return after
        after = {**NOTHING, "id": part["id"], "columns": known.get("columns") or []}
    if probes := part.get("probes"):
        after["probe"] = probes[-1]["step"]
    if rows := part.get("rows"):
        after["row"] = rows["upto"]
    if verdict := part.get("verdict"):
        after["verdict"] = verdict["step"]
    return after


class RunPage(PollingPage):
    """Base of :class:`.Panel`; draws ``sources``, the panel's run and the one next to it."""

    _esm = standalone.module("panel")

    def __init__(self, sources: Sequence[Source], **traits: Any) -> None:
        self.sources: list[Source] = list(sources)
        # parts of the reply that threads have computed, by name
        self._computed: dict[str, Part] = {}
        self._versions = 0
        super().__init__(**traits)

    def _update(self, known: Mapping[str, Any]) -> Update:
        have = _padded(known.get("runs"), len(self.sources))
        runs = [update_of(source, part) for source, part in zip(self.sources, have, strict=False)]
        computed = {
            name: part
            for name, part in self._computed.items()
            if known.get(name) != part["version"]
        }
        return {"runs": runs, **computed}

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        runs = news.get("runs", [])
        have = _padded(known.get("runs"), len(runs))
        after = [known_after(part, new) for part, new in zip(have, runs, strict=False)]
        return {**super()._known_after(known, news), "runs": after}

    def _compute(self, name: str, compute: Callable[[], Part]) -> None:
        """Compute a part of the reply in a thread; a later request with the name replaces it."""
        begun = self._put(name, {"working": True})

        def work() -> None:
            try:
                part = compute()
            except Exception as error:  # the page shows it
                part = {"refused": explain(error)}
            with self.lock:
                if self._computed.get(name, {}).get("version") == begun:
                    self._put(name, part)
            self._push_now()

        threading.Thread(target=work, name=f"clwork {name}", daemon=True).start()

    def _put(self, name: str, part: Part) -> int:
        with self.lock:
            self._versions += 1
            self._computed[name] = {**part, "version": self._versions}
            return self._versions


def _padded(known: list[Part] | None, count: int) -> list[Part]:
    return [*(known or []), *[NOTHING] * count]


def curve_cells() -> list[dict[str, Any]]:
    """Return the columns of each chart with title and direction of improvement."""
    return [{"cell": cell, "columns": _columns_of(cell)} for cell in columns.CELLS]


def _columns_of(cell: str) -> list[dict[str, Any]]:
    return [
        {
            "name": column.name,
            "title": column.label,
            "better": column.better,
            "smooth": column.smoothed,
        }
        for column in columns.in_cell(cell)
    ]
