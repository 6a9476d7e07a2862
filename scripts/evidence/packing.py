"""The files in clwork: records, names and positions of runs, answers, and the lessons' table."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clwork import claims, reference_runs
from clwork.claims.lesson_table import TABLE
from clwork.claims.records import recording_in
from clwork.claims.table import ANSWERS, write_answers
from clwork.claims.testing import processor
from clwork.claims.verdicts import LAST
from clwork.disk import to_json
from clwork.recordings import stored_integers
from clwork.reference_runs import AXES, INDEX, RECORDS, Records, stored_index

from .answering import REPEATED, answers, every_answer
from .lessons import lesson_table
from .measurements import record_name

RUNS, CLAIMS = (Path(str(package.__file__)).parent for package in (reference_runs, claims))
MOST_BYTES = 3_500_000  # of all positions
DISTRIBUTABLE = re.compile(
    r"wikipedia-mini(, usable)?"
)  # corpora whose sentences may be in the package
SHOWN = (
    "simcse/temperature",
    "simcse/dropout-rates",
    "simcse/dropout-against-none",
    "simcse/dropout-against-fixed-mask",
    "simcse/word-deletion",
    "simcse/crop",
    "simcse/one-word-less",
    "simcse/head-in-training-only",
    "clwork/more-negatives",
    "dclr/against-simcse",
    "dclr/noise-matters",
    "self_guided/opt-against-base",
    "self_guided/against-raw-cls",
    "clwork/mocoutrl-falls",
    "clwork/gclsr-row-is-the-untrained-network",
    "gclsr/training-improves-the-network",
    "gclsr/changed-words-over-base",
    "gclsr/groups-over-attention",
    "gclsr/some-words-against-none",
    "gclsr/some-words-against-all",
    "mocoutrl/above-raw-mean",
    "clwork/verdict-spares-healthy-runs",
)
"""Claims whose variants ship with the positions of their first seed, the most important first."""
Names = dict[str, dict[str, str]]
"""Names of records by variant and seed."""


def write_all(records: Records, folder: Path) -> None:
    """Write all files that ship, from records and the recordings in a folder of runs."""
    index = packed_references(records, folder)
    (RUNS / RECORDS).write_bytes(packed_records(records))
    (RUNS / INDEX).write_bytes(index)
    write_tables(records, json.loads(gzip.decompress(index))["claims"])
    for path in (RUNS / RECORDS, RUNS / INDEX, CLAIMS / ANSWERS, CLAIMS / TABLE):
        print(f"{path}: {path.stat().st_size:,} bytes")


def write_tables(records: Records, index: Mapping[str, Names], folder: Path = CLAIMS) -> None:
    """Write the table of answers and the table of the lessons."""
    write_answers(folder / ANSWERS, list(every_answer(records, index)))
    lesson_table(records, answers(records, range(LAST))).to_csv(folder / TABLE)


def names_of(claim: claims.Claim, records: Records) -> Names:
    """Return the names of a claim's records by variant and seed, without variants that have none.

    If runs of unequal precision were repeated, so that all have one, the names are those of the
    repetitions; else an variant has the runs with the precision of its first one.
    """
    seeds = sorted({int(record["seed"]) for record in records.values() if "seed" in record})
    found: Names = {}
    for variant in claim.variants.values():
        names: dict[str, str] = {}
        for seed in seeds:
            name = record_name(claim, variant, seed)
            if (
                name in records and name not in names.values()
            ):  # untrained encoders have one record for all seeds
                names[str(seed)] = str(name)
        if names:
            found[variant.name] = names
    again = {
        variant: {s: f"{n}-{REPEATED}" for s, n in names.items()}
        for variant, names in found.items()
    }
    again = {
        variant: {s: n if n in records else found[variant][s] for s, n in names.items()}
        for variant, names in again.items()
    }
    if len(precisions(found, records)) > 1 == len(precisions(again, records)):
        return again
    first = {
        variant: records[next(iter(names.values()))].get("precision")
        for variant, names in found.items()
    }
    return {
        variant: {
            seed: name
            for seed, name in names.items()
            if records[name].get("precision") == first[variant]
        }
        for variant, names in found.items()
    }


def precisions(names: Names, records: Records) -> set[Any]:
    """Return the precisions of all these records."""
    return {records[name].get("precision") for own in names.values() for name in own.values()} - {
        None
    }


def settings_of(folder: Path, name: str) -> Mapping[str, Any] | None:
    """Return all settings of a run, from its recording in a folder or from the file that ships."""
    own = recording_in(folder, name)
    found: Mapping[str, Any] | None = (
        stored_index()["settings"].get(name) if own is None else own["settings"]
    )
    return found


def packed_records(records: Records) -> bytes:
    """Pack records as a line of JSON each; equal records give equal bytes."""
    lines = (
        to_json({"name": name, **record}, sort_keys=True)
        for name, record in sorted(records.items())
    )
    return gzip.compress("".join(f"{line}\n" for line in lines).encode("utf-8"), mtime=0)


def packed_references(records: Records, folder: Path) -> bytes:
    """Pack names, settings and positions as :func:`clwork.reference_runs.stored_index` reads them.

    Settings and positions of runs that have no recording in ``folder`` are copied from the file
    that ships.
    """
    indexed = {name: names_of(claims.get(name), records) for name in claims.names()}
    indexed = {name: variants for name, variants in indexed.items() if variants}
    firsts = dict.fromkeys(
        next(iter(seeds.values())) for variants in indexed.values() for seeds in variants.values()
    )
    settings = {name: own for name in firsts if (own := settings_of(folder, name)) is not None}
    wanted = dict.fromkeys(
        next(iter(seeds.values())) for name in SHOWN for seeds in indexed.get(name, {}).values()
    )
    texts: list[dict[str, Any]] = []
    clouds: dict[str, Any] = {}
    left = MOST_BYTES
    for name in wanted:
        if not DISTRIBUTABLE.fullmatch(str(records[name].get("data", ""))):
            continue
        recording, own = recording_in(folder, name), stored_index()["clouds"].get(name)
        if recording is not None and recording["measurements"]:
            own, group = (
                packed_positions(recording),
                {"texts": list(recording["texts"]), "labels": recording["labels"]},
            )
        elif own is not None:
            group = dict(stored_index()["texts"][own["texts"]])
        if own is None or len(own["at"]) > left:
            continue
        left -= len(own["at"])
        if group not in texts:
            texts.append(group)
        clouds[name] = own | {"texts": texts.index(group)}
    dates = [str(record["date"]) for record in records.values() if "date" in record]
    made = {
        "machine": processor(),
        "date": max(dates, default=""),
        "command": "python -m scripts.evidence",
    }
    content = {
        "made": made,
        "claims": indexed,
        "settings": settings,
        "texts": texts,
        "clouds": clouds,
    }
    return gzip.compress(
        to_json(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8"), mtime=0
    )


def packed_positions(recording: Mapping[str, Any]) -> dict[str, Any]:
    """Pack positions: changes between steps modulo 2¹⁶, all high bytes, then all low bytes."""
    positions = stored_integers(recording)[:, :, :AXES]
    changes = np.diff(positions.astype(np.int32), axis=0, prepend=0).astype("<u2")
    pairs = np.ascontiguousarray(changes).view(np.uint8).reshape(-1, 2)
    return {
        "seed": recording["seed"],
        "span": recording["span"],
        "axes": positions.shape[2],
        "steps": [probe["step"] for probe in recording["measurements"]],
        "share": [round(probe["share"], 3) for probe in recording["measurements"]],
        "at": base64.b64encode(pairs[:, 1].tobytes() + pairs[:, 0].tobytes()).decode("ascii"),
    }
