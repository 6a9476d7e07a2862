"""The file of reference runs that ships beside the results: which runs are a claim's, and positions through time.

Results hold what a run measured, under a name that only the rooms that train can compute. This file has the names, by
claim, arm and seed, so that :func:`clwork.reference` needs no torch; the settings of each arm's first run; and where
its sentences lay at each look, for the claims of ``SHOWN``.

Positions are 16-bit numbers, each look as its change since the look before, high bytes before low ones: half the size
of what a recording holds.
"""

from __future__ import annotations

import base64
import gzip
import json
import platform
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..disk import to_json
from .ledger import Arm, Claim
from .results import Results, recording_in

SHIPPED = "references.json.gz"
AXES = 3  # of the eight that a recording holds
MOST_BYTES = 3_500_000  # of all clouds: with recordings and results the package has 6 MB for runs
SHIPS = re.compile(r"wikipedia-mini(, usable|, [\d.]+ %)?")  # corpora whose sentences may be in the package
SHOWN = (
    "simcse/temperature",
    "simcse/dropout-rates",
    "simcse/dropout-against-none",
    "simcse/dropout-against-fixed-mask",
    "simcse/word-deletion",
    "simcse/crop",
    "simcse/one-word-less",
    "simcse/head-in-training-only",
    "simcse/more-negatives",
    "dclr/against-simcse",
    "dclr/noise-matters",
    "dclr/weights-matter-more-than-noise",
    "dclr/as-much-noise-as-sentences",
    "self_guided/opt-against-base",
    "self_guided/against-raw-cls",
    "clwork/mocoutrl-falls",
    "clwork/gclsr-row-is-the-untrained-network",
    "gclsr/training-improves-the-network",
    "gclsr/changed-words-over-base",
    "gclsr/attention-over-changed-words",
    "gclsr/groups-over-attention",
    "gclsr/some-words-against-none",
    "gclsr/some-words-against-all",
    "mocoutrl/above-raw-mean",
    "mocoutrl/sentences-bring-the-gain",
    "clwork/verdict-spares-healthy-runs",
    "clwork/simcse-gains-at-cls",
)
"""Claims whose arms keep the positions of their first seed, most wanted first."""

Names = dict[str, dict[str, str]]  # of records, by arm and seed
NameOf = Callable[[Claim, Arm, int], str | None]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class ReferenceCloud:
    """Where a run's sentences lay at each look.

    Attributes:
        seed: of the run.
        texts: the sentences, N of them.
        labels: topic of each; None where they have none.
        steps: of the L looks.
        at: ``(L, N, 3)``: unit vectors less the first look's mean, on the principal axes of the first look.
        kept: share of each look's variance that lies on the recording's eight axes.
    """

    seed: int
    texts: Sequence[str]
    labels: Sequence[str | None] | None
    steps: Sequence[int]
    at: Floats
    kept: Sequence[float]


@cache
def shipped() -> Mapping[str, Any]:
    """The file that comes with clwork; without it, one of no runs."""
    place = files(__package__).joinpath(SHIPPED)
    if not place.is_file():
        return {"claims": {}, "settings": {}, "texts": [], "clouds": {}, "made": {}}
    content: Mapping[str, Any] = json.loads(gzip.decompress(place.read_bytes()))
    return content


def names_of(claim: Claim, results: Results, name_of: NameOf) -> Names:
    """The records of a claim's arms, by arm and seed; arms without one are left out.

    Args:
        claim: whose arms they are.
        results: which has them.
        name_of: the name that the record of an arm and a seed would have.
    """
    seeds = sorted({int(record["seed"]) for record in results.records.values() if "seed" in record})
    found: Names = {}
    for arm in claim.arms.values():
        names: dict[str, str] = {}
        for seed in seeds:
            name = name_of(claim, arm, seed)
            if name in results.records and name not in names.values():  # no seed changes an encoder without training
                names[str(seed)] = str(name)
        if names:
            found[arm.name] = names
    return found


def pack(claims: Iterable[Claim], results: Results, folder: Path, name_of: NameOf) -> bytes:
    """The file, of the recordings in ``folder``; equal runs give equal bytes.

    What ``folder`` has no recording of, though its results have the run, is taken from the file that ships.
    """
    indexed = {claim.name: names_of(claim, results, name_of) for claim in claims}
    indexed = {name: arms for name, arms in indexed.items() if arms}
    firsts = dict.fromkeys(next(iter(seeds.values())) for arms in indexed.values() for seeds in arms.values())
    settings = {name: own for name in firsts if (own := settings_of(folder, name)) is not None}
    wanted = dict.fromkeys(next(iter(seeds.values())) for name in SHOWN for seeds in indexed.get(name, {}).values())
    texts, clouds = _clouds(wanted, results, folder)
    content = {
        "made": _made(results),
        "claims": indexed,
        "settings": settings,
        "texts": texts,
        "clouds": clouds,
    }
    return gzip.compress(to_json(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8"), mtime=0)


def settings_of(folder: Path, name: str) -> Mapping[str, Any] | None:
    """All settings of a run: of its recording, or as they ship."""
    own = recording_in(folder, name)
    found: Mapping[str, Any] | None = shipped()["settings"].get(name) if own is None else own["settings"]
    return found


def cloud_of(recording: Mapping[str, Any]) -> ReferenceCloud | None:
    """The positions in a recording, on its first axes; None where it has none."""
    looks = recording["looks"]
    if not looks:
        return None
    whole = _integers(recording)
    steps, kept = [look["step"] for look in looks], [look["kept"] for look in looks]
    at = _scaled(whole, recording["span"])
    return ReferenceCloud(recording["seed"], recording["texts"], recording["labels"], steps, at, kept)


def shipped_cloud(name: str) -> ReferenceCloud | None:
    """The positions that ship of a run; None where none do."""
    own = shipped()["clouds"].get(name)
    if own is None:
        return None
    group = shipped()["texts"][own["texts"]]
    shape = (len(own["steps"]), len(group["texts"]), own["axes"])
    at = _scaled(_joined(base64.b64decode(own["at"]), shape), own["span"])
    return ReferenceCloud(own["seed"], group["texts"], group["labels"], own["steps"], at, own["kept"])


def _clouds(wanted: Iterable[str], results: Results, folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Distinct lists of sentences, and the packed positions of each run, until ``MOST_BYTES`` are full.

    Sentences of other corpora than ``wikipedia-mini`` are not clwork's to distribute: their runs have no positions.
    """
    groups: list[dict[str, Any]] = []
    clouds: dict[str, Any] = {}
    left = MOST_BYTES
    for name in wanted:
        if not SHIPS.fullmatch(str(results.records[name].get("data", ""))):
            continue
        recording = recording_in(folder, name)
        if recording is None:
            own, group = _as_shipped(name)
        else:
            own, group = _packed(recording)
        if own is None or len(own["at"]) > left:
            continue
        left -= len(own["at"])
        if group not in groups:
            groups.append(group)
        clouds[name] = own | {"texts": groups.index(group)}
    return groups, clouds


def _as_shipped(name: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    own = shipped()["clouds"].get(name)
    return (None, {}) if own is None else (dict(own), dict(shipped()["texts"][own["texts"]]))


def _packed(recording: Mapping[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    looks = recording["looks"]
    group = {"texts": list(recording["texts"]), "labels": recording["labels"]}
    if not looks:
        return None, group
    whole = _integers(recording)
    own = {
        "seed": recording["seed"],
        "span": recording["span"],
        "axes": whole.shape[2],
        "steps": [look["step"] for look in looks],
        "kept": [round(look["kept"], 3) for look in looks],
        "at": base64.b64encode(_split(whole)).decode("ascii"),
    }
    return own, group


def _integers(recording: Mapping[str, Any]) -> npt.NDArray[np.int16]:
    """Positions ``(L, N, A)`` of a recording as it stores them."""
    count = len(recording["texts"])
    looks = [np.frombuffer(base64.b64decode(look["at"]), "<i2").reshape(count, -1) for look in recording["looks"]]
    return np.stack(looks)[:, :, :AXES]


def _split(whole: npt.NDArray[np.int16]) -> bytes:
    """Changes from look to look, modulo 2¹⁶: the high bytes of all, then the low bytes."""
    changes = np.diff(whole.astype(np.int32), axis=0, prepend=0).astype("<u2")
    pairs = np.ascontiguousarray(changes).view(np.uint8).reshape(-1, 2)
    return pairs[:, 1].tobytes() + pairs[:, 0].tobytes()


def _joined(content: bytes, shape: tuple[int, int, int]) -> npt.NDArray[np.int16]:
    """What :func:`_split` was given."""
    halves = np.frombuffer(content, np.uint8).reshape(2, -1)
    changes = np.ascontiguousarray(halves[::-1].T).view("<u2").reshape(shape)
    return np.cumsum(changes, axis=0, dtype=np.uint16).view(np.int16)


def _scaled(whole: npt.NDArray[np.int16], span: float) -> Floats:
    return (whole * (span / np.iinfo(np.int16).max)).astype(np.float32)


def _made(results: Results) -> dict[str, str]:
    """Where the file was packed, and the latest day of its runs."""
    dates = [str(record["date"]) for record in results.records.values() if "date" in record]
    return {"machine": machine(), "date": max(dates, default=""), "command": "python scripts/evidence.py"}


def machine() -> str:
    """This machine's processor in words."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()
