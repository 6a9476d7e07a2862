"""What runs of arms measured, kept as data: in a reader's folder, or as it ships; reading it needs no torch."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..disk import to_json, write_whole
from .course import Record, along, at, seen
from .ledger import Arm, Claim

FOLDER = "claims"  # in the folder of runs, where clwork.claims.test keeps its own
RUN, MEASURED, RECORDING = "run.json", "measured.json", "recording.json.gz"
SHIPPED = "results.jsonl.gz"


@dataclass(frozen=True)
class Results:
    """Records of runs by name, see :attr:`.ArmRun.name`: settings, losses, history and measures of each."""

    records: Mapping[str, Record]
    origin: str

    @staticmethod
    def shipped() -> Results:
        """The results that come with clwork."""
        return _shipped()

    @staticmethod
    def read(folder: str | Path) -> Results:
        """Read the results of a folder that :func:`clwork.claims.test` or ``make evidence`` has filled.

        Raises:
            FileNotFoundError: there is no such folder, or no measured run in it.
        """
        place = Path(folder)
        records = {path.parent.name: _record(path.parent) for path in sorted(place.glob(f"*/{MEASURED}"))}
        if not records:
            raise FileNotFoundError(
                f"{place} holds no measured run; clwork.claims.test(..., folder={str(place)!r}) does"
            )
        return Results(records, str(place))

    def pack(self) -> bytes:
        """All records as the file that ships: a line of JSON each, compressed; equal records give equal bytes."""
        lines = (to_json({"name": name, **record}, sort_keys=True) for name, record in sorted(self.records.items()))
        return gzip.compress("".join(f"{line}\n" for line in lines).encode("utf-8"), mtime=0)

    def unpack(self, folder: Path) -> None:
        """Write the records into a folder that lacks them, so that they are not measured again there."""
        for name, record in self.records.items():
            own = folder / name
            if (own / MEASURED).exists():
                continue
            own.mkdir(parents=True, exist_ok=True)
            measured = {key: record[key] for key in ("views", "encoder", "seed") if key in record}
            write_whole(own / RUN, to_json(dict(record), indent=1))
            write_whole(own / MEASURED, to_json(measured, indent=1))

    def value(self, name: str, arm: Arm, metric: str) -> float | None:
        """What an arm measured in a run: at its end, or at the steps it names; None where that is not measured."""
        record = self.records.get(name)
        if record is None:
            return None
        asked = arm.judged or metric
        if arm.at is not None:
            return at(record, asked, [arm.at] if isinstance(arm.at, int) else list(arm.at))
        view = ", ".join(filter(None, (arm.represent or "own", arm.post)))
        found: float | None = record["views"].get(view, {}).get(asked)
        if found is None and arm.represent is None and arm.post is None:
            return along(record, asked)
        return found

    def views(self, name: str) -> Mapping[str, Mapping[str, float]]:
        """All that was measured at the end of a run, by representation and control; empty where it was not."""
        found: Mapping[str, Mapping[str, float]] = self.records.get(name, {}).get("views", {})
        return found


def recording_in(folder: Path, name: str) -> dict[str, Any] | None:
    """The recording of a run in a folder of runs; None where there is none."""
    place = folder / name / RECORDING
    if not place.is_file():
        return None
    content: dict[str, Any] = json.loads(gzip.decompress(place.read_bytes()))
    return content


def _record(folder: Path) -> Record:
    own = json.loads((folder / RUN).read_text(encoding="utf-8")) if (folder / RUN).is_file() else {}
    if "first" not in own and (recording := recording_in(folder.parent, folder.name)) is not None:
        own = {**seen(recording), **own}  # older runs have it in their recording alone
    return {**own, **json.loads((folder / MEASURED).read_text(encoding="utf-8"))}


@cache
def _shipped() -> Results:
    place = files(__package__).joinpath(SHIPPED)
    if not place.is_file():
        return Results({}, "clwork")
    return Results(dict(_named(gzip.decompress(place.read_bytes()).decode("utf-8").splitlines())), "clwork")


def _named(lines: Iterable[str]) -> Iterator[tuple[str, Record]]:
    for line in lines:
        record = json.loads(line)
        yield record.pop("name"), record


def computed(arm: Arm) -> float | None:
    """The number that an arm is, where nothing is measured: ``of = "1"``; None where ``of`` is in words."""
    try:
        return float(arm.of) if arm.of is not None else None
    except ValueError:
        return None


def missing(claim: Claim, arm: Arm) -> str:
    """Why an arm has no value."""
    if arm.switch:
        return f"clwork cannot train {arm.name!r}: it lacks {', '.join(arm.switch)}"
    if arm.method in ("computed", "quoted"):
        return f"{arm.name!r} is not measured by training: {arm.of or arm.method}"
    return f"{arm.name!r} has no {arm.judged or claim.metric.name} here"
