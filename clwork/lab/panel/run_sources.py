"""A page that draws one run, or two runs next to each other, and the kinds of runs that it can draw."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
import traitlets
from threadpoolctl import threadpool_limits

from ... import columns
from ...columns import History
from ...metrics.diagnosis import Diagnosis, in_angles
from ...run_folder.positions import Positions
from ...run_folder.stored import trend_of
from ...training import Run
from ...wording import explain
from ..page import standalone
from ..page.polling_page import PollingPage, Update
from .recorded import LONGEST, Recording

MOST_ROWS = 2000  # rows of a history in a message; rows with an event or a probe have priority
SIGNALS_SHOWN = 6
CURVES = tuple(column.name for column in columns.in_cell(*columns.CELLS))

Part = dict[str, Any]
NOTHING: Part = {
    "id": "",
    "probe": -1,
    "row": 0,
    "verdict": -1,
    "columns": [],
}  # a page that has received nothing


class RunSource:
    """A run of this kernel, or a run opened from its folder, as the source of a page's data."""

    def __init__(self, run: Run) -> None:
        self.run, self.id = run, str(run.folder)
        self._opened: Positions | None = None
        self._verdict: Part = {"step": -1}

    def status(self) -> str:
        return self.run.status

    @property
    def positions(self) -> Positions:
        """The run's positions; for a run that this process did not train, read from its folder only once."""
        if self.run.alive or self.run.training.loop is not None:
            return self.run.positions
        self._opened = self._opened or self.run.positions
        return self._opened

    def head(self) -> Part | None:
        """Return the constant data of the run, such as its sentences and axes; None until it has recorded something."""
        run, about = self.run, self.positions.about
        if about is None and not run.records(-1):
            return None
        about = about or {"texts": [], "labels": None, "axes": 0, "span": 1.0, "share": []}
        recipe = run.recipe
        return {
            **_head(
                self.id,
                {**about, "name": run.name, "total_steps": run.total_steps, "seed": recipe.seed},
            ),
            "credit": recipe.sentences.credit,
            "settings": f"seed {recipe.seed} · {recipe.sentences.label} · {recipe.encoder.removeprefix('./')}",
            "levels": columns.by_column(run.references),
        }

    def probes(self, after: int) -> list[Part]:
        fresh = [probe for probe in self.positions.rows() if probe["step"] > after]
        rows, probe = self.run.records() if fresh else [], self.run.probe
        if probe is not None and (
            not rows or rows[-1]["step"] < probe.vectors_step
        ):  # measured, but not yet written
            rows = [*rows, {"step": probe.vectors_step, **probe.latest}]
        return _probes(fresh, rows, self.run.total_steps, self.run.method)

    def rows(self, start: int, more: Sequence[str] = ()) -> Part:
        """Return the rows of the history from row ``start`` on; ``more`` names additional columns."""
        found = table(self.run.records(start), start, more)
        if (
            start == 0 and found["upto"]
        ):  # the head may be older than the score of the encoder as loaded
            found["levels"] = columns.by_column(self.run.references)
        return found

    def verdict(self, known: int) -> Part | None:
        """Return the diagnosis of the newest vectors, computed once for each probe; None if ``known`` is their step."""
        probe = self.run.probe
        if probe is None or probe.vectors is None or probe.vectors_step == known:
            return None
        if probe.vectors_step != self._verdict["step"]:
            step = probe.vectors_step
            torch.get_num_threads()  # the first call in a thread makes torch set the number of OpenMP threads
            with threadpool_limits(
                limits=1, user_api="openmp"
            ):  # more threads would slow down the training
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
    early = diagnosis.trend is not None and diagnosis.trend.course == "too early"
    return "bad" if diagnosis.warns else "early" if early else "good"


class RecordedSource:
    """A recording, validated by :func:`.checked_recording`; it never changes."""

    def __init__(self, recording: Recording, id_: str) -> None:
        self.recording, self.id = recording, id_

    def status(self) -> str:
        return str(self.recording["status"] or "recorded")

    def head(self) -> Part:
        return {
            **_head(self.id, self.recording),
            "title": self.recording["title"],
            "credit": "",
            "levels": {},
        }

    def probes(self, after: int) -> list[Part]:
        one = self.recording
        fresh = [probe for probe in one["measurements"] if probe["step"] > after]
        return _probes(fresh, one["rows"] if fresh else [], one["total_steps"], one["method"])

    def rows(self, start: int, more: Sequence[str] = ()) -> Part:
        return table(self.recording["rows"][start:], start, more)

    def verdict(self, known: int) -> Part | None:
        """Return None, because a recording has no vectors."""
        return None


Source = RunSource | RecordedSource  # each has a unique ``id``


def _head(id_: str, about: Mapping[str, Any]) -> Part:
    labels = about["labels"]
    return {
        "id": id_,
        "texts": [text[:LONGEST] for text in about["texts"]],
        "labels": labels and [None if label is None else label[:LONGEST] for label in labels],
        **{name: about[name] for name in ("name", "axes", "span", "total_steps", "seed")},
        "share": list(about["share"]),
    }


def _probes(
    fresh: Sequence[Part], rows: Sequence[Mapping[str, Any]], total: int, method: str
) -> list[Part]:
    """Return probes for the page: step, positions and neighbours as bytes, and the angles at this step as text."""
    steps, trends = {probe["step"] for probe in fresh}, {}
    measured = [row for row in rows if isinstance(row.get("mean_cosine"), int | float)]
    for place, row in enumerate(measured):
        if (
            row["step"] in steps
            and (trend := trend_of(measured[: place + 1], total, method)) is not None
        ):
            trends[row["step"]] = in_angles(trend, row.get("alignment"))
    return [
        {
            "step": probe["step"],
            **{part: base64.b64decode(probe[part]) for part in ("at", "near")},
            "share": probe["share"],
            "trend": trends.get(probe["step"], ""),
        }
        for probe in fresh
    ]


def table(
    records: Sequence[Mapping[str, Any]],
    start: int,
    more: Iterable[str] = (),
    most: int = MOST_ROWS,
) -> Part:
    """Return ``records``, the history from row ``start`` on, as 32-bit floats (R, 1 + C), thinned to ``most`` rows."""
    names = [
        name for name in dict.fromkeys((*CURVES, *more)) if any(name in row for row in records)
    ]
    history = History(records).thinned(most, {row["step"] for row in records if "alignment" in row})
    return {
        "from": start,
        "upto": start + len(records),
        "columns": names,
        "values": history.as_bytes(names),
        "events": [[step, text[:LONGEST]] for step, text in history.events],
    }


def update_of(source: Source, known: Mapping[str, Any]) -> Part:
    """Return the data of a run that a page lacks; ``known`` has the keys of :data:`NOTHING`."""
    new = known.get("id") != source.id
    head = source.head() if new else None
    status = source.status()  # read before the rows: once it reports the end, the rows are complete
    if new and head is None:
        return {"id": source.id, "status": status}
    known = {**NOTHING, "columns": known.get("columns") or []} if new else {**NOTHING, **known}
    part: Part = {"id": source.id, "status": status}
    if head is not None:
        part["head"] = head
    if fresh := source.probes(known["probe"]):
        part["probes"] = fresh
    rows = source.rows(known["row"], known["columns"] or [])
    if rows["upto"] > rows["from"] or head is not None:
        part["rows"] = rows
    if verdict := source.verdict(known["verdict"]):
        part["verdict"] = verdict
    if head is not None and isinstance(source, RecordedSource) and source.recording.get("umap"):
        part["umap"] = source.recording["umap"]
    return part


def known_after(known: Mapping[str, Any], part: Mapping[str, Any]) -> Part:
    """Return the new value of ``known``, the data that a page has of a run, after the page receives ``part``."""
    if known.get("id") != part["id"]:
        if "head" not in part:
            return dict(known)
        known = {**NOTHING, "id": part["id"], "columns": known.get("columns") or []}
    after = dict(known)
    if probes := part.get("probes"):
        after["probe"] = probes[-1]["step"]
    if rows := part.get("rows"):
        after["row"] = rows["upto"]
    if verdict := part.get("verdict"):
        after["verdict"] = verdict["step"]
    return after


class RunPage(PollingPage):
    """Base of :class:`.Panel` and of the player of an active run; a second source is the compared run."""

    _esm = standalone.module("panel")

    height = traitlets.Int(0).tag(sync=True)

    def __init__(self, sources: Sequence[Source], **traits: Any) -> None:
        self.sources: list[Source] = list(sources)
        self._computed: dict[
            str, Part
        ] = {}  # parts of the reply that threads have computed, by name
        self._versions = 0
        super().__init__(**traits)

    def _update(self, known: Mapping[str, Any]) -> Update:
        have = known.get("runs")
        have = [*(have if isinstance(have, list) else []), *[NOTHING] * len(self.sources)]
        runs = [update_of(source, part) for source, part in zip(self.sources, have, strict=False)]
        computed = {
            name: part
            for name, part in self._computed.items()
            if known.get(name) != part["version"]
        }
        return {"runs": runs, **computed}

    def _known_after(self, known: Mapping[str, Any], news: Update) -> dict[str, Any]:
        runs = news.get("runs", [])
        have = [*(known.get("runs") or []), *[NOTHING] * len(runs)]
        after = [known_after(part, new) for part, new in zip(have, runs, strict=False)]
        return {**super()._known_after(known, news), "runs": after}

    def _compute(self, name: str, compute: Callable[[], Part]) -> None:
        """Compute a part of the reply in a thread; a later request with the same name replaces it."""
        begun = self._put(name, {"working": True})

        def work() -> None:
            try:
                part = compute()
            except Exception as error:
                part = {"refused": explain(error)}
            with self.lock:
                if (
                    self._computed.get(name, {}).get("version") == begun
                ):  # there was no later request
                    self._put(name, part)
            self._push_now()

        threading.Thread(target=work, name=f"clwork {name}", daemon=True).start()

    def _put(self, name: str, part: Part) -> int:
        with self.lock:
            self._versions += 1
            self._computed[name] = {**part, "version": self._versions}
            return self._versions


def curve_cells() -> list[dict[str, Any]]:
    """Return the columns of each chart with title and direction of improvement."""
    return [
        {
            "cell": cell,
            "columns": [
                {
                    "name": column.name,
                    "title": column.label,
                    "better": column.better,
                    "smooth": column.smoothed,
                }
                for column in columns.in_cell(cell)
            ],
        }
        for cell in columns.CELLS
    ]
