"""Every claim of speed, as a ratio measured now on this machine: one table in at most 15 minutes on two cores.

``make bench`` (or ``python benchmarks/bench.py``) calls the benchmarks that measure each, with few rounds: a step and
encoding against sentence-transformers, batches in parts and by two processes, what watching costs, and exact
uniformity of a large cloud. It prints the table, and writes it to ``benchmarks/results/bench.json`` with machine,
versions and date, to docs/measured.md, and as a sentence to README.md. Leave the machine alone meanwhile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from scripts import readme
from scripts.blocks.bench import bench_of, rows_of

NAME = "bench"
HERE = Path(__file__).resolve().parent
IN_PARTS = ["512 whole", "512 in parts of 64", "4096 in parts of 64"]
BY_TWO = ["256 in parts of 32, one process, one thread", "256 in parts of 32, two processes"]
# benchmark: its result's name, and arguments that keep it short
PARTS: dict[str, tuple[str, list[str]]] = {
    "step_time.py": ("step_time", ["--rounds", "3"]),
    "larger.py": ("larger", ["--rounds", "3", "--kinds", *IN_PARTS, *BY_TWO]),
    "panel_cost.py": ("panel_cost", ["--rounds", "1", "--spin", "0"]),
    "large_clouds.py": ("large_clouds", ["--parts", "uniformity"]),
}
WRITERS = {"step_time.py", "larger.py", "panel_cost.py"}  # of pages, unless they are told not to


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS), metavar="SCRIPT")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md and docs/measured.md as they are")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def measured(script: str, folder: Path) -> Any:
    """The result of one benchmark, which writes what it does to the error stream.

    Raises:
        SystemExit: it failed.
    """
    name, arguments = PARTS[script]
    quiet = ["--no-readme"] if script in WRITERS else []
    command = [sys.executable, str(HERE / script), *arguments, *quiet, "--results", str(folder)]
    print(f"{script} ...", file=sys.stderr, flush=True)
    if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
        raise SystemExit(f"{' '.join(command[1:])} failed")
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def main(arguments: list[str] | None = None) -> int:
    """Measure all parts, write, show."""
    options = parse(arguments)
    started, found = time.perf_counter(), {}
    with tempfile.TemporaryDirectory(prefix="clwork-bench-") as folder:
        for script in options.parts:
            found[PARTS[script][0]] = measured(script, Path(folder))
    result = {
        "rows": rows_of(found),
        "minutes": round((time.perf_counter() - started) / 60, 1),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": report.machine(),
    }
    report.write(NAME, result, options.results)
    print(bench_of(result))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
