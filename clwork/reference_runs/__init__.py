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
from importlib.resources import files
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
"""Settings, losses and history of a run, and in ``views`` the final measures of each representation."""
Records = Mapping[str, Record]
"""Records by name of the run."""


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
        own = self.record
        threads = plural(own["threads"], "thread") if "threads" in own else ""
        versions = own.get("versions", {})
        packages = ", ".join(f"{name} {version}" for name, version in versions.items())
        parts = [own.get("date"), own.get("machine"), threads, own.get("precision"), packages]
        return "; ".join(str(part) for part in parts if part)

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each step, as :meth:`clwork.Run.records` does: loss, and geometry where measured."""
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
    lines = gzip.decompress(files(__name__).joinpath(RECORDS).read_bytes()).splitlines()
    records = [json.loads(line) for line in lines]
    return {record.pop("name"): record for record in records}


@cache
def stored_index() -> Mapping[str, Any]:
    """Read the names of each claim's records, and the settings and positions of the runs."""
    content: Mapping[str, Any] = json.loads(
        gzip.decompress(files(__name__).joinpath(INDEX).read_bytes())
    )
    return content


def stored_names(claim: str) -> dict[str, dict[str, str]]:
    """Return the names of a claim's records by arm and seed."""
    records = stored_records()
    found = {}
    for arm, seeds in stored_index()["claims"].get(claim, {}).items():
        names = {seed: name for seed, name in seeds.items() if name in records}
        if names:
            found[arm] = names
    return found


def stored_runs(claim: str) -> dict[str, list[ReferenceRun]]:
    """Return the runs of a claim by arm, one for each seed; empty if none is stored."""
    records = stored_records()
    return {
        arm: [ReferenceRun(name, int(seed), records[name]) for seed, name in names.items()]
        for arm, names in stored_names(claim).items()
    }


def stored_cloud(name: str) -> ReferenceCloud | None:
    """Return the positions of a run; None if they are not stored."""
    own = stored_index()["clouds"].get(name)
    if own is None:
        return None
    group = stored_index()["texts"][own["texts"]]
    # All high bytes come first, then all low bytes, of the changes from step to step modulo 2¹⁶.
    halves = np.frombuffer(base64.b64decode(own["at"]), np.uint8).reshape(2, -1)
    shape = len(own["steps"]), len(group["texts"]), own["axes"]
    changes = np.ascontiguousarray(halves[::-1].T).view("<u2").reshape(shape)
    at = _scaled(np.cumsum(changes, axis=0, dtype=np.uint16).view(np.int16), own["span"])
    return ReferenceCloud(
        own["seed"], group["texts"], group["labels"], own["steps"], at, own["share"]
    )


def cloud_of(recording: Mapping[str, Any]) -> ReferenceCloud | None:
    """Return the positions in a recording on its first axes; None if it has no positions."""
    probes = recording["measurements"]
    if not probes:
        return None
    steps = [probe["step"] for probe in probes]
    share = [probe["share"] for probe in probes]
    at = _scaled(positions_of(recording), recording["span"])
    return ReferenceCloud(
        recording["seed"], recording["texts"], recording["labels"], steps, at, share
    )


def positions_of(recording: Mapping[str, Any]) -> npt.NDArray[np.int16]:
    """Return the positions ``(L, N, AXES)`` of a recording as stored integers."""
    count = len(recording["texts"])
    stored = [base64.b64decode(probe["at"]) for probe in recording["measurements"]]
    return np.stack([np.frombuffer(at, "<i2").reshape(count, -1) for at in stored])[:, :, :AXES]


def _scaled(positions: npt.NDArray[np.int16], span: float) -> Floats:
    return (positions * (span / np.iinfo(np.int16).max)).astype(np.float32)
