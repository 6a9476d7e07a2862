"""Make the recorded runs that ship with clwork: a short default run of each method, seed 0.

``python scripts/recorded_runs.py`` (or ``make recorded``) writes
``clwork/recordings/METHOD.json.gz``, all of them together at most 1 MB, and the forces of each step
to ``METHOD.forces.json``, for the timeline of ``lab.anatomy``; of SimCSE's run also the angles of
three sentences, for the page in which SimCSE trains. It takes some minutes on two cores;
``--steps 4`` is enough to see it work, ``--methods`` makes single ones again. Each brings its
sentences laid out by UMAP; ``--umap`` lays out those there, without training. ``--forces`` trains,
but writes only these and the angles: two minutes for each method. ``--seeds`` trains SimCSE, DCLR
and SG-BERT with other seeds, and SimCSE with two other groups of settings, and writes the nearest
of each sentence to ``seeds.json``, for lesson 07.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clwork import Run, methods, recording, train
from clwork.arithmetic import unit_rows
from clwork.lab.anatomy_view import force_by_kind
from clwork.lab.page.standalone import as_text
from clwork.lab.panel.recorded import prepared_recording, umap_layouts
from clwork.methods import Method, Terms
from clwork.methods.base import Views
from clwork.recordings import ENDING, EXAMPLES, FORCES
from clwork.training.forces import ScoreGradients
from clwork.training.frozen_step import freeze_step

PLACE = Path(__file__).resolve().parents[1] / "clwork" / "recordings"
# Two related sentences and an unrelated one.
SENTENCES = (
    "A dog runs across the field.",
    "A puppy is racing over the meadow.",
    "The central bank raised its interest rate.",
)
STEPS = 80
MEASUREMENTS = 20
# Bytes of all together.
MOST = 1_000_000
# Of the numbers in the rows: more than a curve can show.
DIGITS = 6
# Which runs ``--seeds`` makes, by the part of the name before the comma and these settings.
OTHER_SEEDS = {
    "simcse": range(1, 7),
    "dclr": range(1, 4),
    "self_guided": range(1, 4),
    "simcse, temperature 0.1": range(4),
    "simcse, trained as self_guided": range(4),
}
SETTINGS = {
    "temperature 0.1": {"temperature": 0.1},
    # The steps of SG-BERT's preset, with SimCSE's loss.
    "trained as self_guided": {
        "batch_size": 16,
        "learning_rate": 3e-4,
        "warmup": 0.1,
        "weight_decay": 0.01,
        "dropout_attention": 0.1,
    },
}
SEEDS = "seeds.json"


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--methods", nargs="+", choices=methods.names(), default=methods.names(), metavar="NAME"
    )
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument(
        "--umap", action="store_true", help="lay out the recordings that are there; train nothing"
    )
    parser.add_argument(
        "--forces", action="store_true", help="train, but write only forces and angles"
    )
    parser.add_argument("--seeds", action="store_true", help="train with other seeds only")
    parser.add_argument(
        "--place", type=Path, default=PLACE, metavar="FOLDER", help="where to write"
    )
    return parser.parse_args(arguments)


def made(method: str, steps: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    """Recording of a default run of the method, its forces, and SimCSE's angles of sentences."""
    every = max(1, steps // MEASUREMENTS)
    is_examined = method == "simcse"
    settings: dict[str, Any] = {"probe_every": every, "keep_every": every if is_examined else None}
    with forces_of_steps(method) as by_step, trained(method, steps, **settings) as run:
        forces = {"batch_size": run.run_config.config["batch_size"], "steps": by_step}
        return rounded(recording(run)), forces, angles_of(run) if is_examined else None


@contextmanager
def trained(method: str, steps: int, seed: int = 0, **settings: Any) -> Iterator[Run]:
    """A finished run; its folder is there until the end of the block."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"{method}-recorded"
        yield train(method, steps=steps, seed=seed, folder=place, **settings)


def angles_of(run: Run) -> dict[str, Any]:
    """The angles of the second and third of ``SENTENCES`` from the first, at each measurement."""
    steps = [row["step"] for row in recording(run)["measurements"]]
    angles = []
    for step in steps:
        vectors = unit_rows(freeze_step(run, step).method.encoder.encode(list(SENTENCES)))
        cosines = np.clip(vectors[1:] @ vectors[0], -1, 1)
        angles.append(np.degrees(np.arccos(cosines)).round(1).tolist())
    return {"texts": SENTENCES, "steps": steps, "angles": angles}


def nearest_by_seed(name: str, seeds: Iterable[int], steps: int) -> dict[str, str]:
    """Nearest sentences at the end of a run with each of the seeds, as in a recording.

    The name is a method's, with one of ``SETTINGS`` after it if these are not the defaults.
    """
    method, _, changed = name.partition(", ")
    settings = SETTINGS.get(changed, {})
    found = {}
    for seed in seeds:
        with trained(method, steps, seed, probe_every=steps, **settings) as run:
            found[str(seed)] = recording(run)["measurements"][-1]["near"]
    return found


@contextmanager
def forces_of_steps(method: str) -> Iterator[list[dict[str, float]]]:
    """Collect the mean force of each kind of candidate in every step that the method trains."""
    kind = methods.get(method)
    compare = kind.compare
    by_step: list[dict[str, float]] = []

    def compare_and_look(self: Method[Any], views: Views) -> Terms:
        forces = self.forces(views)
        assert forces is not None
        table = forces.tables[0]
        if table.weights is None:
            # Without a softmax the weight of each pull is the same at every step.
            return compare(self, views)
        loss = torch.stack(list(forces.terms.values())).sum()
        gradients = ScoreGradients(table.detached(), table.gradient(loss), ())
        by_step.append(force_by_kind(gradients))
        return compare(self, views)

    with patch.object(kind, "compare", compare_and_look):
        yield by_step


def laid_out(run: dict[str, Any]) -> dict[str, Any]:
    """A recording with its sentences laid out by UMAP, aligned through time."""
    plain = {name: value for name, value in run.items() if name != "umap"}
    (layout,) = umap_layouts([prepared_recording(plain)])["layouts"]
    return plain | {"umap": layout}


def rounded(run: dict[str, Any]) -> dict[str, Any]:
    """A recording with the numbers of its rows rounded."""
    rows = []
    for row in run["rows"]:
        rows.append({name: rounded_value(value) for name, value in row.items()})
    return run | {"rows": rows}


def rounded_value(value: Any) -> Any:
    """A number with ``DIGITS`` significant digits; anything else as it is."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def as_json(data: dict[str, Any]) -> bytes:
    """Data as compact JSON; bytes become text."""
    text = json.dumps(
        data, default=as_text, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text.encode("utf-8")


def write(path: Path, content: bytes) -> None:
    """Write a file and print its size."""
    path.write_bytes(content)
    print(f"{path.name}: {len(content):,} bytes", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Train, write and print the sizes."""
    options = parse(arguments)
    options.place.mkdir(parents=True, exist_ok=True)
    if options.seeds:
        near = {
            name: nearest_by_seed(name, seeds, options.steps) for name, seeds in OTHER_SEEDS.items()
        }
        write(options.place / SEEDS, as_json(near))
        return 0
    for method in options.methods:
        if options.umap:
            run = recording(method)
        else:
            run, forces, examples = made(method, options.steps)
            if forces["steps"]:
                write(options.place / f"{method}{FORCES}", as_json(forces))
            if examples:
                write(options.place / EXAMPLES, as_json(examples))
        if not options.forces:
            packed = gzip.compress(as_json(laid_out(run)), mtime=0)
            write(options.place / f"{method}{ENDING}", packed)
    total = sum(path.stat().st_size for path in options.place.glob(f"*{ENDING}"))
    print(f"together: {total:,} bytes of {MOST:,}")
    return 0 if total <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
