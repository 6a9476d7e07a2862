"""A page that draws one run, or two next to each other, and the kinds of runs that it can draw.

Each request of the page contains what it already knows of a run. A *source* returns what the page
lacks: the *head* (constant data such as the sentences), *probes* (positions of the sentences),
*rows* (the history) and the *verdict* (the diagnosis of the newest vectors).
"""

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
from ...recordings import NO_POSITIONS, recording
from ...training import Run
from ...training.stored import trend_of
from ...wording import explain
from ..page import standalone
from ..page.polling_page import PollingPage, Update
from .recorded import LONGEST, Recording, prepared_recording

MOST_ROWS = 2000
"""Rows of a history in a message; rows with an event or a probe have priority."""
SIGNALS_SHOWN = 6
CURVES = tuple(column.name for column in columns.in_cell(*columns.CELLS))

Part = dict[str, Any]
"""A part of a message to the page: JSON, and bytes for arrays."""
NOTHING: Part = {"id": "", "probe": -1, "row": 0, "verdict": -1, "columns": []}
"""What a page knows of a run of which it has received nothing.

``id`` is the run's; ``probe`` and ``verdict`` are the steps of the newest ones that it has, -1 if
it has none; ``row`` is the number of rows that it has; ``columns`` are the additional columns that
the reader has chosen.
"""


class RunSource:
    """A run of this kernel, or a run opened from its folder, as the source of a page's data.

    Attributes:
        run: the run.
        id: its folder, which identifies it on the page.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.id = str(run.folder)
        # The verdict computed last; its step is -1 before the first one.
        self._verdict: Part = {"step": -1}

    @property
    def recording(self) -> Recording:
        """The run's recording, as it is now."""
        return prepared_recording(recording(self.run))

    def status(self) -> str:
        """Return the run's status, such as "running"."""
        return self.run.status

    def head(self) -> Part | None:
        """Return the constant data of the run; None until it has recorded something.

        A run without a probe has no positions, but its curves can be drawn.
        """
        run = self.run
        positions = run.positions.about
        # Row -1 is the last one, so its list is empty only if there are no rows.
        if positions is None and not run.records(since=-1):
            return None
        about = {
            **(positions or NO_POSITIONS),
            "name": run.name,
            "total_steps": run.total_steps,
            "seed": run.run_config.seed,
        }
        return {**_head(self.id, about), "levels": columns.by_column(run.references)}

    def probes(self, after: int) -> list[Part]:
        """Return the probes later than step ``after``; -1 for all."""
        fresh = [probe for probe in self.run.positions.rows() if probe["step"] > after]
        rows = list(self.run.records())
        newest = self.run.probe
        if newest is not None and (not rows or rows[-1]["step"] < newest.vectors_step):
            # The newest probe is measured, but its row is not yet in the history.
            rows.append({"step": newest.vectors_step, **newest.latest})
        return _probes(fresh, rows, self.run.total_steps, self.run.method)

    def rows(self, start: int, more: Sequence[str] = ()) -> Part:
        """Return the history from row ``start`` on; ``more`` names additional columns."""
        part = table(self.run.records(start), start, more)
        if start == 0 and part["upto"]:
            # Once more, since the head may have been sent before the encoder as loaded was scored.
            part["levels"] = columns.by_column(self.run.references)
        return part

    def verdict(self, known_step: int) -> Part | None:
        """Return the diagnosis of the newest vectors; None if they are of ``known_step``."""
        probe = self.run.probe
        if probe is None or probe.vectors is None or probe.vectors_step == known_step:
            return None
        if probe.vectors_step != self._verdict["step"]:
            # Read before the diagnosis: if the next probe comes meanwhile, the verdict counts as
            # that of the earlier step, and is computed again.
            step = probe.vectors_step
            self._verdict = {"step": step, **self._diagnosis()}
        return self._verdict

    def _diagnosis(self) -> Part:
        """Diagnose the newest vectors, on one thread."""
        # A thread's first call of torch sets the number of OpenMP threads, so it must come before
        # the limit.
        torch.get_num_threads()
        # More threads would slow down the training.
        with threadpool_limits(limits=1, user_api="openmp"):
            diagnosis = self.run.diagnosis()
        signals = list(diagnosis.signals.items())[:SIGNALS_SHOWN]
        return {
            "sign": sign(diagnosis),
            "headline": diagnosis.headline,
            "text": diagnosis.text,
            "signals": [[columns.of(name).label, f"{value:.3g}"] for name, value in signals],
        }


def sign(diagnosis: Diagnosis) -> str:
    """Return "good", "bad", or "early" (too early to decide), by which the page sets a colour."""
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
        """Return the status that the run had when it was recorded."""
        return str(self.recording["status"] or "recorded")

    def head(self) -> Part:
        """Return the constant data of the run."""
        return {**_head(self.id, self.recording), "title": self.recording["title"]}

    def probes(self, after: int) -> list[Part]:
        """Return the probes later than step ``after``; -1 for all."""
        recording = self.recording
        fresh = [probe for probe in recording["measurements"] if probe["step"] > after]
        return _probes(fresh, recording["rows"], recording["total_steps"], recording["method"])

    def rows(self, start: int, more: Sequence[str] = ()) -> Part:
        """Return the history from row ``start`` on; ``more`` names additional columns."""
        return table(self.recording["rows"][start:], start, more)

    def verdict(self, known_step: int) -> Part | None:
        """Return None, because a recording has no vectors."""
        return None


Source = RunSource | RecordedSource


def _head(id_: str, about: Mapping[str, Any]) -> Part:
    """Return the constant data that all sources have, with texts cut to ``LONGEST`` letters.

    Args:
        id_: identifies the run on the page.
        about: by these keys: ``texts``, the N sentences; ``labels``, their N topics, or None;
            ``axes``, the number of axes of the positions; ``span``, the coordinate that is stored
            as 32767; ``name``, ``total_steps`` and ``seed`` of the run.
    """
    labels = about["labels"]
    if labels:
        labels = [None if label is None else label[:LONGEST] for label in labels]
    return {
        "id": id_,
        "texts": [text[:LONGEST] for text in about["texts"]],
        "labels": labels,
        # These are sent as they are.
        **{name: about[name] for name in ("name", "axes", "span", "total_steps", "seed")},
    }


def _probes(
    fresh: Sequence[Part], rows: Sequence[Mapping[str, Any]], total_steps: int, method: str
) -> list[Part]:
    """Return probes for the page: positions and neighbours as bytes, and the trend as text.

    The trend is of the probes up to this one, so all ``rows`` of the history are needed.
    """
    if not fresh:
        return []
    # Only the row of a probe has a mean cosine.
    measured = [row for row in rows if "mean_cosine" in row]
    # The index among the measured rows, by step.
    number_of_step = {row["step"]: number for number, row in enumerate(measured)}
    parts: list[Part] = []
    for probe in fresh:
        number = number_of_step.get(probe["step"])
        until_then = [] if number is None else measured[: number + 1]
        parts.append(
            {
                "step": probe["step"],
                "at": base64.b64decode(probe["at"]),
                "near": base64.b64decode(probe["near"]),
                "trend": _trend_text(until_then, total_steps, method),
            }
        )
    return parts


def _trend_text(measured: Sequence[Mapping[str, Any]], total_steps: int, method: str) -> str:
    """Describe the trend of some measurements in angles; empty if they are too few for one."""
    trend = trend_of(measured, total_steps, method) if measured else None
    return "" if trend is None else in_angles(trend, measured[-1].get("alignment"))


def table(records: Sequence[Mapping[str, Any]], start: int, more: Iterable[str] = ()) -> Part:
    """Return a part of a history as 32-bit floats (R, 1 + C): the step, then C columns.

    A long history is thinned to ``MOST_ROWS`` rows.

    Args:
        records: the rows from row number ``start`` on.
        start: their first row's number, for the page.
        more: columns besides those of the charts.
    """
    candidates = dict.fromkeys((*CURVES, *more))
    names = [name for name in candidates if any(name in row for row in records)]
    probe_steps = {row["step"] for row in records if "alignment" in row}
    history = History(records).thinned(MOST_ROWS, keep=probe_steps)
    return {
        "from": start,
        "upto": start + len(records),
        "columns": names,
        "values": history.as_bytes(names),
        "events": [[step, text[:LONGEST]] for step, text in history.events],
    }


def update_of(source: Source, known: Mapping[str, Any]) -> Part:
    """Return the data of a run that a page lacks.

    Only parts with something new are sent: a page asks several times a second. A page that has
    another run, or none, also gets the head.

    Args:
        source: the run.
        known: what the page has, with the keys of :data:`NOTHING`.
    """
    is_new = known.get("id") != source.id
    head = source.head() if is_new else None
    # Read before the rows: if the status is that of an ended run, the rows read later are complete.
    part: Part = {"id": source.id, "status": source.status()}
    if is_new and head is None:
        # Nothing is recorded yet.
        return part
    # If the page knows another run, only the columns that the reader has chosen are retained.
    columns_wanted = known.get("columns") or []
    known = NOTHING if is_new else {**NOTHING, **known}
    if head is not None:
        part["head"] = head
    if fresh := source.probes(known["probe"]):
        part["probes"] = fresh
    rows = source.rows(known["row"], columns_wanted)
    # A table without new rows is sent with the head only, since the page needs its columns.
    if rows["upto"] > rows["from"] or head is not None:
        part["rows"] = rows
    if verdict := source.verdict(known["verdict"]):
        part["verdict"] = verdict
    # A recording's positions by UMAP never change, so they are sent with the head.
    if head is not None and isinstance(source, RecordedSource) and source.recording.get("umap"):
        part["umap"] = source.recording["umap"]
    return part


def known_after(known: Mapping[str, Any], part: Mapping[str, Any]) -> Part:
    """Return what a page knows of a run after it has received ``part``."""
    after = dict(known)
    if known.get("id") != part["id"]:
        # This is another run. Its data begin with the head, once it has recorded something.
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
    """Base of :class:`.Panel`.

    Attributes:
        sources: the runs that are drawn: the panel's run, and the one next to it if there is one.
    """

    _esm = standalone.module("panel")

    def __init__(self, sources: Sequence[Source], **traits: Any) -> None:
        self.sources: list[Source] = list(sources)
        # The parts of the reply that threads have computed, by name.
        self._computed: dict[str, Part] = {}
        # The newest version of any part; each new part has the next number.
        self._version = 0
        super().__init__(**traits)

    def _update(self, known: Mapping[str, Any]) -> Update:
        """Return the parts that the page lacks; ``known["runs"]`` is what it knows of each run."""
        runs = [
            update_of(source, known_of_run)
            for source, known_of_run in _with_known(self.sources, known)
        ]
        computed = {
            name: part
            for name, part in self._computed.items()
            if known.get(name) != part["version"]
        }
        return {"runs": runs, **computed}

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        """Return what the page knows after it has received ``news``."""
        after = [
            known_after(known_of_run, part)
            for part, known_of_run in _with_known(news.get("runs", []), known)
        ]
        return {**super()._known_after(known, news), "runs": after}

    def _compute(self, name: str, compute: Callable[[], Part]) -> None:
        """Compute a part of the reply in a thread; a later request with the name replaces it.

        Until then the part is ``{"working": True}``; after an error, ``{"refused": text}``.
        """
        version_of_request = self._put(name, {"working": True})

        def work() -> None:
            try:
                part = compute()
            except Exception as error:
                # The page shows the error.
                part = {"refused": explain(error)}
            with self.lock:
                is_latest = self._computed.get(name, {}).get("version") == version_of_request
                if is_latest:
                    self._put(name, part)
            self._push_now()

        threading.Thread(target=work, name=f"clwork {name}", daemon=True).start()

    def _put(self, name: str, part: Part) -> int:
        """Store a part with a new version, which is returned."""
        with self.lock:
            self._version += 1
            self._computed[name] = {**part, "version": self._version}
            return self._version


def _with_known(runs: Sequence[Any], known: Mapping[str, Any]) -> Iterable[tuple[Any, Part]]:
    """Return each of ``runs``, a source or a part, with what the page knows of the run.

    The page may know of fewer runs than are drawn, or of more.
    """
    known_of_runs = [*(known.get("runs") or []), *[NOTHING] * len(runs)]
    return zip(runs, known_of_runs, strict=False)


def curve_cells() -> list[dict[str, Any]]:
    """Return the charts ("cells") of a page in order, each with its columns."""
    cells = []
    for cell in columns.CELLS:
        shown = [
            {
                "name": column.name,
                "title": column.label,
                "better": column.better,
                "smooth": column.smoothed,
            }
            for column in columns.in_cell(cell)
        ]
        cells.append({"cell": cell, "columns": shown})
    return cells
