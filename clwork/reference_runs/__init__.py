"""The stored runs of the claims that are part of clwork: history, scores and positions.

Reading them needs neither torch nor the ledger of claims. ``make evidence`` writes both files.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..wording import plural

if TYPE_CHECKING:
    import pandas as pd

RECORDS, INDEX = "results.jsonl.gz", "references.json.gz"
# Axes that are stored, of the eight axes of a recording.
AXES = 3
Floats = npt.NDArray[np.float32]
Record = Mapping[str, Any]
"""Settings, losses and history of a run; in ``views`` the final measures by representation."""
Records = Mapping[str, Record]
"""Records by name of the run."""
Names = Mapping[str, Mapping[str, str]]
"""Names of a claim's records by variant and seed."""


@dataclass(frozen=True)
class ReferenceRun:
    """A stored run of a claim, or an encoder without training, which only has scores."""

    name: str
    seed: int
    record: Record
    score: float | None = None  # value of the claim's metric

    @property
    def steps(self) -> int:
        """Number of training steps; 0 for an untrained encoder."""
        return int(self.record.get("steps", 0))

    @property
    def losses(self) -> list[float]:
        """The loss of each step."""
        return list(self.record.get("losses", ()))

    @property
    def scores(self) -> Mapping[str, Mapping[str, float]]:
        """The final measurements by representation and post-processing, then by measure."""
        views: Mapping[str, Mapping[str, float]] = self.record.get("views", {})
        return views

    @property
    def seconds(self) -> float:
        """Training time in seconds."""
        return float(self.record.get("seconds", 0.0))

    @property
    def about(self) -> str:
        """Date, machine, threads, precision and versions, as text."""
        record = self.record
        facts = [record.get("date"), record.get("machine")]
        if "threads" in record:
            facts.append(plural(record["threads"], "thread"))
        versions = [f"{name} {version}" for name, version in record.get("versions", {}).items()]
        facts += [record.get("precision"), ", ".join(versions)]
        return "; ".join(fact for fact in facts if fact)

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each step, as :meth:`clwork.Run.records`: loss and geometry."""
        history = self.record.get("history", {})
        rows: dict[int, dict[str, Any]] = {}
        for values in zip(*history.values(), strict=True):
            row = dict(zip(history, values, strict=True))
            known = {column: value for column, value in row.items() if value is not None}
            rows[int(row["step"])] = known
        for step, loss in enumerate(self.losses, start=1):
            rows[step] = {"step": step, **rows.get(step, {}), "loss": loss}
        return [rows[step] for step in sorted(rows)]

    @property
    def history(self) -> pd.DataFrame:
        """The records as a DataFrame with a row for each step; NaN means not measured."""
        import pandas as pd

        return pd.DataFrame(self.records())


@dataclass(frozen=True)
class ReferenceCloud:
    """Positions of the N sentences of a run at its L probe steps."""

    seed: int
    texts: Sequence[str]
    labels: Sequence[str | None] | None
    steps: Sequence[int]
    at: Floats  # (L, N, 3), on the principal axes of the first step, relative to its mean
    share: Sequence[float]  # share of each step's variance on the eight axes of the recording


@cache
def stored_records() -> Records:
    """Read the records that are part of clwork."""
    records = [json.loads(line) for line in _unpacked(RECORDS).splitlines()]
    return {record.pop("name"): record for record in records}


@cache
def stored_index() -> Mapping[str, Any]:
    """Read the names of each claim's records, and the settings and positions of the runs."""
    content: Mapping[str, Any] = json.loads(_unpacked(INDEX))
    return content


def _unpacked(file: str) -> bytes:
    return gzip.decompress(Path(__file__).with_name(file).read_bytes())


def stored_names(claim: str) -> dict[str, dict[str, str]]:
    """Return the names of a claim's records by variant and seed."""
    records = stored_records()
    known = {}
    for variant, seeds in stored_index()["claims"].get(claim, {}).items():
        names = {seed: name for seed, name in seeds.items() if name in records}
        if names:
            known[variant] = names
    return known


def stored_runs(claim: str) -> dict[str, list[ReferenceRun]]:
    """Return the runs of a claim by variant, one for each seed; empty if none is stored."""
    records = stored_records()
    return {
        variant: [ReferenceRun(name, int(seed), records[name]) for seed, name in names.items()]
        for variant, names in stored_names(claim).items()
    }


def stored_cloud(name: str) -> ReferenceCloud | None:
    """Return the positions of a run; None if they are not stored."""
    cloud = stored_index()["clouds"].get(name)
    if cloud is None:
        return None
    group = stored_index()["texts"][cloud["texts"]]
    # All high bytes come first, then all low bytes, of the changes from step to step modulo 2¹⁶.
    halves = np.frombuffer(base64.b64decode(cloud["at"]), np.uint8).reshape(2, -1)
    shape = len(cloud["steps"]), len(group["texts"]), cloud["axes"]
    changes = np.ascontiguousarray(halves[::-1].T).view("<u2").reshape(shape)
    positions = np.cumsum(changes, axis=0, dtype=np.uint16).view(np.int16)
    return ReferenceCloud(
        cloud["seed"],
        group["texts"],
        group["labels"],
        cloud["steps"],
        _scaled(positions, cloud["span"]),
        cloud["share"],
    )


def cloud_of(recording: Mapping[str, Any]) -> ReferenceCloud | None:
    """Return the positions in a recording on its first axes; None if it has no positions."""
    measured = recording["measurements"]
    if not measured:
        return None
    return ReferenceCloud(
        recording["seed"],
        recording["texts"],
        recording["labels"],
        [each["step"] for each in measured],
        _scaled(positions_of(recording), recording["span"]),
        [each["share"] for each in measured],
    )


def positions_of(recording: Mapping[str, Any]) -> npt.NDArray[np.int16]:
    """Return the positions ``(L, N, AXES)`` of a recording as stored integers."""
    count = len(recording["texts"])
    clouds = []
    for each in recording["measurements"]:
        numbers = np.frombuffer(base64.b64decode(each["at"]), "<i2")
        clouds.append(numbers.reshape(count, -1)[:, :AXES])
    return np.stack(clouds)


def _scaled(positions: npt.NDArray[np.int16], span: float) -> Floats:
    return (positions * (span / np.iinfo(np.int16).max)).astype(np.float32)
