"""Make the recorded runs that ship with clwork: a short default run of each method, seed 0.

``python scripts/recorded_runs.py`` (or ``make recorded``) writes
``clwork/recordings/METHOD.json.gz``, all of them together at most 1 MB. It takes some minutes on
two cores; ``--steps 4`` is enough to see it work, ``--methods`` makes single ones again. Each
brings its sentences laid out by UMAP; ``--umap`` lays out those there, without training.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clwork import methods, recording, train
from clwork.lab.panel.recorded import prepared_recording, umap_layout
from clwork.lab.player_view import as_text
from clwork.recordings import ENDING

PLACE = Path(__file__).resolve().parents[1] / "clwork" / "recordings"
STEPS = 80
MEASUREMENTS = 20
# Bytes of all together.
MOST = 1_000_000
# Of the numbers in the rows: more than a curve can show.
DIGITS = 6


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
        "--place", type=Path, default=PLACE, metavar="FOLDER", help="where to write"
    )
    return parser.parse_args(arguments)


def made(method: str, steps: int) -> dict[str, Any]:
    """Recording of a default run of the method."""
    with tempfile.TemporaryDirectory() as folder:
        run = train(
            method,
            steps=steps,
            seed=0,
            probe_every=max(1, steps // MEASUREMENTS),
            folder=Path(folder) / f"{method}-recorded",
        )
        return laid_out(rounded(recording(run)))


def laid_out(run: dict[str, Any]) -> dict[str, Any]:
    """A recording with its sentences laid out by UMAP, aligned through time."""
    plain = {name: value for name, value in run.items() if name != "umap"}
    return plain | {"umap": as_text(umap_layout(prepared_recording(plain)))}


def rounded(run: dict[str, Any]) -> dict[str, Any]:
    """A recording with the numbers of its rows rounded."""
    rows = []
    for row in run["rows"]:
        rows.append({name: rounded_value(value) for name, value in row.items()})
    return run | {"rows": rows}


def rounded_value(value: Any) -> Any:
    """A number with ``DIGITS`` significant digits; anything else as it is."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def main(arguments: list[str] | None = None) -> int:
    """Train, write and print the sizes."""
    options = parse(arguments)
    options.place.mkdir(parents=True, exist_ok=True)
    for method in options.methods:
        run = laid_out(recording(method)) if options.umap else made(method, options.steps)
        content = json.dumps(run, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        packed = gzip.compress(content.encode("utf-8"), mtime=0)
        (options.place / f"{method}{ENDING}").write_bytes(packed)
        print(f"{method}: {len(packed):,} bytes", flush=True)
    total = sum(path.stat().st_size for path in options.place.glob(f"*{ENDING}"))
    print(f"together: {total:,} bytes of {MOST:,}")
    return 0 if total <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
