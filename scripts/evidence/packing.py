"""The files in clwork: records, names and positions of runs, and answers."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clwork import claims, reference_runs
from clwork.claims.records import recording_in
from clwork.claims.table import ANSWERS, read_answers, write_answers
from clwork.claims.testing import processor
from clwork.disk import to_json
from clwork.recordings import stored_integers
from clwork.reference_runs import AXES, INDEX, RECORDS, Records, stored_index

from . import judging
from .answering import REPEATED, Sets, every_answer
from .measurements import record_name

RUNS, CLAIMS = (Path(str(package.__file__)).parent for package in (reference_runs, claims))
MOST_BYTES = 3_500_000  # of all positions
# Corpora whose sentences may be in the package.
DISTRIBUTABLE = ("wikipedia-mini", "wikipedia-mini, usable")
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


def write_all(records: Records, folder: Path, data: Path | None) -> None:
    """Write all files that ship, from records and the recordings in a folder of runs.

    ``data`` has the human ratings, as for :func:`write_tables`.
    """
    index = packed_references(records, folder)
    (RUNS / RECORDS).write_bytes(packed_records(records))
    (RUNS / INDEX).write_bytes(index)
    write_tables(records, json.loads(gzip.decompress(index))["claims"], data)
    for path in (RUNS / RECORDS, RUNS / INDEX, CLAIMS / ANSWERS):
        print(f"{path}: {path.stat().st_size:,} bytes")


def write_tables(
    records: Records, index: Mapping[str, Names], data: Path | None, folder: Path = CLAIMS
) -> None:
    """Write the table of answers.

    Without a folder ``data`` with the human ratings, comparisons over pairs are copied from the
    table that ships.
    """
    sets = shipped_sets() if data is None else judging.TrainSplits(judging.packed_judge(data))
    write_answers(folder / ANSWERS, list(every_answer(records, index, sets)))


def shipped_sets() -> Sets:
    """Return a function that reads comparisons over pairs from the table that ships."""
    stored = {}
    for answer in read_answers(CLAIMS / ANSWERS):
        for each in answer.comparisons:
            over_pairs = tuple(result for result in each.sets if result.pairs)
            stored[answer.claim.name, each.expected, answer.stage] = over_pairs
    return lambda claim, expected, stage: stored.get((claim.name, expected, stage), ())


def names_of(claim: claims.Claim, records: Records) -> Names:
    """Return the names of a claim's records by variant and seed, without variants that have none.

    If runs of unequal precision were repeated, so that all have one, the names are those of the
    repetitions; else an variant has the runs with the precision of its first one.
    """
    names = _names_as_planned(claim, records)
    repeated = _names_repeated(names, records)
    if len(precisions(names, records)) > 1 == len(precisions(repeated, records)):
        return repeated
    uniform: Names = {}
    for variant, name_by_seed in names.items():
        first = next(iter(name_by_seed.values()))
        precision = records[first].get("precision")
        uniform[variant] = {
            seed: name
            for seed, name in name_by_seed.items()
            if records[name].get("precision") == precision
        }
    return uniform


def _names_as_planned(claim: claims.Claim, records: Records) -> Names:
    """Return the names of the records by variant and seed, at the precision of the first runs."""
    seeds = sorted({int(record["seed"]) for record in records.values() if "seed" in record})
    names: Names = {}
    for variant in claim.variants.values():
        name_by_seed: dict[str, str] = {}
        for seed in seeds:
            name = record_name(claim, variant, seed)
            # Untrained encoders have one record for all seeds.
            if name in records and name not in name_by_seed.values():
                name_by_seed[str(seed)] = str(name)
        if name_by_seed:
            names[variant.name] = name_by_seed
    return names


def _names_repeated(names: Names, records: Records) -> Names:
    """Return the names with those of the repetitions in their place, where there are any."""
    repeated: Names = {}
    for variant, name_by_seed in names.items():
        repeated[variant] = {}
        for seed, name in name_by_seed.items():
            repetition = f"{name}-{REPEATED}"
            repeated[variant][seed] = repetition if repetition in records else name
    return repeated


def precisions(names: Names, records: Records) -> set[Any]:
    """Return the precisions of all these records; an untrained encoder has none."""
    every = [name for name_by_seed in names.values() for name in name_by_seed.values()]
    return {records[name].get("precision") for name in every} - {None}


def settings_of(folder: Path, name: str) -> Mapping[str, Any] | None:
    """Return all settings of a run, from its recording in a folder or from the file that ships."""
    recording = recording_in(folder, name)
    if recording is None:
        stored: Mapping[str, Any] | None = stored_index()["settings"].get(name)
        return stored
    return dict(recording["settings"])


def packed_records(records: Records) -> bytes:
    """Pack records as a line of JSON each; equal records give equal bytes."""
    lines = [
        to_json({"name": name, **record}, sort_keys=True)
        for name, record in sorted(records.items())
    ]
    text = "".join(f"{line}\n" for line in lines)
    return gzip.compress(text.encode("utf-8"), mtime=0)


def packed_references(records: Records, folder: Path) -> bytes:
    """Pack names, settings and positions as :func:`clwork.reference_runs.stored_index` reads them.

    Settings and positions of runs that have no recording in ``folder`` are copied from the file
    that ships.
    """
    every = {name: names_of(claims.get(name), records) for name in claims.names()}
    indexed = {name: variants for name, variants in every.items() if variants}
    settings = {}
    for name in _first_seeds(indexed, indexed):
        of_run = settings_of(folder, name)
        if of_run is not None:
            settings[name] = of_run
    texts, clouds = _clouds(_first_seeds(indexed, SHOWN), records, folder)
    dates = [str(record["date"]) for record in records.values() if "date" in record]
    content = {
        "made": {
            "machine": processor(),
            "date": max(dates, default=""),
            "command": "python -m scripts.evidence",
        },
        "claims": indexed,
        "settings": settings,
        "texts": texts,
        "clouds": clouds,
    }
    text = to_json(content, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode("utf-8"), mtime=0)


def _first_seeds(indexed: Mapping[str, Names], chosen: Iterable[str]) -> list[str]:
    """Return the record of the first seed of each variant of the chosen claims, each once."""
    firsts = [
        next(iter(name_by_seed.values()))
        for claim in chosen
        for name_by_seed in indexed.get(claim, {}).values()
    ]
    return list(dict.fromkeys(firsts))


def _clouds(
    names: Iterable[str], records: Records, folder: Path
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the texts, and the packed positions by run, as far as ``MOST_BYTES`` allow.

    Runs of the same sentences share their texts; ``texts`` of a run is their index.
    """
    texts: list[dict[str, Any]] = []
    clouds: dict[str, Any] = {}
    bytes_left = MOST_BYTES
    for name in names:
        if records[name].get("data") not in DISTRIBUTABLE:
            continue
        recording = recording_in(folder, name)
        cloud = stored_index()["clouds"].get(name)
        if recording is not None and recording["measurements"]:
            cloud = packed_positions(recording)
            group = {"texts": list(recording["texts"]), "labels": recording["labels"]}
        elif cloud is not None:
            group = dict(stored_index()["texts"][cloud["texts"]])
        if cloud is None or len(cloud["at"]) > bytes_left:
            continue
        bytes_left -= len(cloud["at"])
        if group not in texts:
            texts.append(group)
        clouds[name] = cloud | {"texts": texts.index(group)}
    return texts, clouds


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
