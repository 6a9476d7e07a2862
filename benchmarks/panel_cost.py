"""What watching costs a default run of SimCSE: a panel is opened and closed in turns while one run goes on.

``python benchmarks/panel_cost.py`` trains in a kernel with everything that a notebook has but the browser, and writes
``benchmarks/results/panel_cost.json`` and its sentence in docs/measured.md. Blocks of steps with and without a panel
alternate within a run, so that a slow minute of the machine hits both; whole runs in turns differed by 20 % without any
panel. Looks at the geometry go on in both kinds of block: their part of the time is the run's own figure.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from benchmarks.busy import spinning
from scripts import readme
from scripts.blocks.speed import panel_cost_of

NAME = "panel_cost"
BLOCK, SETTLING = 12, 3  # steps of a block, and how many at its start do not count: a panel is being built or closed
BEGIN = """
import json, time
from clwork import lab, start
"""
RUN = """
def ask(panel):
    panel._take(None, {{"ask": 1, "page": "bench", "known": panel._known}}, [])
run = start("simcse", sentences="wikipedia-mini", steps={steps}, seed={seed})
while not run.step:
    time.sleep(0.02)
for block in range({steps} // {block}):
    panel = lab.panel(run=run) if block % 2 == {seed} % 2 else None
    if panel is not None:
        display(panel)
    asked = 0.0
    while run.alive and run.step < (block + 1) * {block}:
        time.sleep(0.02)
        if panel is not None and time.monotonic() - asked > 0.25:  # as often as a page asks
            asked = time.monotonic()
            ask(panel)
    if panel is not None:
        panel.close()
rows = run.wait().history
print(json.dumps({{
    "seconds": rows["seconds"].fillna(0).tolist(),
    "looked": rows["uniformity"].notna().tolist(),
    "looks": float(rows["probe_share"].dropna().iloc[-1]),
}}))
"""


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=2, help="runs; the second begins with the other kind of block")
    parser.add_argument("--spin", type=int, default=1, help="processes that keep a core busy each; 0 leaves that out")
    parser.add_argument("--no-readme", action="store_true", help="leave docs/measured.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def in_a_kernel(code: str, **values: int) -> dict[str, Any]:
    """Run the code as a notebook of two cells; what its last line printed."""
    import nbclient
    import nbformat

    v4: Any = nbformat.v4
    cells = [v4.new_code_cell(part.format(**values)) for part in (BEGIN, code)]
    with TemporaryDirectory() as folder:
        notebook = v4.new_notebook(cells=cells)
        nbclient.NotebookClient(notebook, timeout=3600, resources={"metadata": {"path": folder}}).execute()
    printed = [output.text for output in cells[1].outputs if output.output_type == "stream" and output.name == "stdout"]
    found: dict[str, Any] = json.loads("".join(printed).strip().splitlines()[-1])
    return found


def blocks(run: dict[str, Any], first_is_watched: bool) -> dict[str, list[float]]:
    """Seconds per step of each block with and without a panel; steps beside a look are left out."""
    seconds, looked = run["seconds"], run["looked"]
    found: dict[str, list[float]] = {"watched": [], "alone": []}
    for number in range((len(seconds) - 1) // BLOCK):
        steps = range(number * BLOCK + 1 + SETTLING, (number + 1) * BLOCK + 1)
        plain = [seconds[i] - seconds[i - 1] for i in steps if not (looked[i] or looked[i - 1])]
        kind = "watched" if (number % 2 == 0) == first_is_watched else "alone"
        found[kind].append(round(statistics.fmean(plain), 4))
    return found


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All runs, one after the other: alone, then beside busy cores."""
    found = measured(options)
    if options.spin:
        with spinning(options.spin):
            found["busy"] = {"spin": options.spin, **measured(options)}
    return {"steps": options.steps, **found, "machine": report.machine()}


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Some runs, and what watching costs a block beside its neighbour."""
    runs = []
    for seed in range(options.rounds):
        run = in_a_kernel(RUN, steps=options.steps, seed=seed, block=BLOCK)
        runs.append({**blocks(run, seed % 2 == 0), "looks": round(run["looks"], 4)})
        print(f"run {seed + 1}: {runs[-1]}", flush=True)
    pairs = [pair for run in runs for pair in zip(run["watched"], run["alone"], strict=False)]
    cost = [round(watched / alone - 1, 4) for watched, alone in pairs]
    return {"runs": runs, "cost": cost}


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options)
    report.write(NAME, found, options.results)
    print(panel_cost_of(found))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
