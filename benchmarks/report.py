"""What every result carries with it."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scipy.stats import t

from clwork.claims.testing import processor
from clwork.disk import to_json
from clwork.precision import LIMIT, abilities

INSTRUCTIONS = ("avx2", "avx512_f", "avx512_bf16", "amx_bf16", "arm_bf16")
RESULTS = Path(__file__).resolve().parent / "results"


def parser(description: str | None, *, runs: bool = False) -> ArgumentParser:
    """The options of every benchmark; with ``runs``, also those of one that trains."""
    made = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    made.add_argument(
        "--no-readme", action="store_true", help="leave the tables of docs/ as they are"
    )
    made.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FOLDER", help="where to write"
    )
    if runs:
        made.add_argument("--encoder", default="mini")
        made.add_argument(
            "--sentences", default="wikipedia-mini", help="what clwork.data.sentences takes"
        )
        made.add_argument(
            "--fresh",
            action="store_true",
            help="forget the runs that were made with other settings",
        )
    return made


def machine() -> dict[str, Any]:
    """What a number of seconds depends on."""
    import torch

    packages = ("torch", "transformers", "sentence_transformers", "numpy")
    return {
        "processor": processor(),
        "instructions": [name for name in INSTRUCTIONS if name in abilities()],
        "limit": os.environ.get(LIMIT),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "cuda": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in packages if find_spec(name)},
    }


def interval(mean: float, variance: float, seeds: int) -> list[float]:
    """A 95 % t interval around a mean over ``seeds`` with this variance of the mean.

    It has as few degrees of freedom as the seeds have, so that another source of variance, such as
    pairs, only widens it.
    """
    half = float(t.ppf(0.975, seeds - 1)) * variance**0.5
    return [round(mean - half, 3), round(mean + half, 3)]


def write(name: str, found: Any, folder: Path = RESULTS) -> Path:
    """Write a result as JSON, and return where."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(to_json(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def shared(options: Namespace, *names: str) -> dict[str, Any]:
    """What all runs of one table share: these options, the encoder's weights, how STS is scored."""
    from clwork import load_encoder

    settings = {name: getattr(options, name) for name in names}
    return settings | {
        "encoder": options.encoder,
        "encoder_fingerprint": load_encoder(options.encoder, device="cpu").fingerprint(),
        "split": "validation",
        "aggregation": "all",
    }


def fill(
    name: str,
    found: dict[str, Any],
    keys: Iterable[dict[str, Any]],
    one: Callable[..., dict[str, Any]],
    folder: Path,
) -> None:
    """Do each run of ``keys`` that ``found["runs"]`` lacks, and write all down when it ends."""
    for key in keys:
        title = ", ".join(f"{part} {value}" for part, value in key.items())
        if any({part: run[part] for part in key} == key for run in found["runs"]):
            print(f"{title}: there already", flush=True)
            continue
        found["runs"].append(key | one(**key))
        write(name, found, folder)
        print(f"{title}: {found['runs'][-1]}", flush=True)


def earlier(path: Path, settings: dict[str, Any], fresh: bool) -> Any:
    """The runs that an earlier call with equal settings left in ``path``.

    Those with other settings are forgotten with ``fresh``; without it the program ends.
    """
    if not path.exists():
        return []
    found = json.loads(path.read_text(encoding="utf-8"))
    before = found.get("settings", {})
    changes = [
        f"{name} {before.get(name)!r} instead of {value!r}"
        for name, value in settings.items()
        if before.get(name) != value
    ]
    if changes and not fresh:
        raise SystemExit(
            f"{path} holds runs with {', '.join(changes)}; add --fresh to forget them, or give "
            "another --results"
        )
    return [] if changes else found["runs"]
