"""The stored runs of the claims that are part of clwork: history, scores and positions.

``results.jsonl.gz`` has a line of JSON for each run, its record. ``references.json.gz`` lists which
runs belong to which claim, and has the settings and positions of some runs. ``make evidence``
writes both files. Reading them needs neither torch nor the ledger of claims.
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

from ..recordings import Floats, in_span

if TYPE_CHECKING:
    import pandas as pd

RECORDS = "results.jsonl.gz"
INDEX = "references.json.gz"
# Axes that are stored, of the eight axes of a recording.
AXES = 3
Record = Mapping[str, Any]
"""Settings, losses and history of a run; ``views`` has the final measurements."""
Records = Mapping[str, Record]
"""Records by name of the run."""
Names = Mapping[str, Mapping[str, str]]
"""Names of a claim's records by variant and seed."""


@dataclass(frozen=True)
class ReferenceRun:
    """A stored run of a claim, or an encoder without training, which only has scores.

    Attributes:
        name: name of the run's record.
        seed: the seed of the run.
        record: all that is stored of the run.
        score: value of the claim's metric; None if it is not computed.
    """

    name: str
    seed: int
    record: Record
    score: float | None = None

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
        """The final measurements: by how vectors are read and post-processed, then by measure."""
        views: Mapping[str, Mapping[str, float]] = self.record.get("views", {})
        return views

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each step, as :meth:`clwork.Run.records`: loss and geometry.

        A row of a step without a measurement of the geometry has only ``step`` and ``loss``.
        """
        # Columns of one length, such as {"step": [0, 40], "alignment": [0.5, None]}, which have a
        # value for each step with a measurement; None if this column was not measured then.
        columns = self.record.get("history", {})
        by_step: dict[int, dict[str, Any]] = {}
        for index, step in enumerate(columns.get("step", ())):
            row = {name: values[index] for name, values in columns.items()}
            by_step[step] = {name: value for name, value in row.items() if value is not None}
        # The record has the losses in a list of their own, since every step has one.
        for step, loss in enumerate(self.losses, start=1):
            by_step[step] = {"step": step, **by_step.get(step, {}), "loss": loss}
        return [by_step[step] for step in sorted(by_step)]

    @property
    def history(self) -> pd.DataFrame:
        """The records as a DataFrame with a row for each step; NaN means not measured."""
        import pandas as pd

        return pd.DataFrame(self.records())


@dataclass(frozen=True)
class ReferenceCloud:
    """Positions of the N sentences of a run's probe at L measurements.

    Attributes:
        seed: the seed of the run.
        texts: the N sentences.
        labels: the topic of each sentence, if there are topics.
        steps: the steps of the L measurements.
        at: coordinates ``(L, N, 3)`` on the principal axes of the first measurement, relative to
            its mean.
        share: the share of each measurement's variance on the eight axes of the recording.
    """

    seed: int
    texts: Sequence[str]
    labels: Sequence[str | None] | None
    steps: Sequence[int]
    at: Floats
    share: Sequence[float]


@cache
def stored_records() -> Records:
    """Read the records that are part of clwork, by name."""
    records = [json.loads(line) for line in _unpacked(RECORDS).splitlines()]
    return {record.pop("name"): record for record in records}


@cache
def stored_index() -> Mapping[str, Any]:
    """Read the index of the stored runs, which has these keys.

    - ``claims``: names of records by claim, variant and seed;
    - ``settings``: all settings of a run, by name of its record;
    - ``clouds``: packed positions of a run, by name of its record;
    - ``texts``: sentences and labels; a cloud refers to them by index.
    """
    content: Mapping[str, Any] = json.loads(_unpacked(INDEX))
    return content


def _unpacked(file: str) -> bytes:
    return gzip.decompress(Path(__file__).with_name(file).read_bytes())


def stored_names(claim: str) -> dict[str, dict[str, str]]:
    """Return the names of a claim's records by variant and seed; empty if none is stored."""
    names: dict[str, dict[str, str]] = stored_index()["claims"].get(claim, {})
    return names


def stored_cloud(name: str) -> ReferenceCloud | None:
    """Return the positions of the run with the record ``name``; None if they are not stored."""
    cloud = stored_index()["clouds"].get(name)
    if cloud is None:
        return None
    # Runs with the same probe share its sentences.
    probe = stored_index()["texts"][cloud["texts"]]
    shape = len(cloud["steps"]), len(probe["texts"]), cloud["axes"]
    return ReferenceCloud(
        seed=cloud["seed"],
        texts=probe["texts"],
        labels=probe["labels"],
        steps=cloud["steps"],
        at=in_span(_unpacked_integers(cloud["at"], shape), cloud["span"]),
        share=cloud["share"],
    )


def _unpacked_integers(text: str, shape: tuple[int, int, int]) -> npt.NDArray[np.int16]:
    """Decode positions ``(L, N, A)`` that are packed so that they compress well.

    They are the changes from one measurement to the next, modulo 2¹⁶, in base64: first the high
    bytes of all 16-bit numbers, which are nearly all 0 or 255, then the low bytes.
    """
    high_and_low = np.frombuffer(base64.b64decode(text), np.uint8).reshape(2, -1)
    low_before_high = np.ascontiguousarray(high_and_low[::-1].T)
    changes = low_before_high.view("<u2").reshape(shape)
    return np.cumsum(changes, axis=0, dtype=np.uint16).view(np.int16)
