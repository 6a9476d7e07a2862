"""What watching costs: a default run of SimCSE with the panel open in a Jupyter kernel, against the same run alone.

``python benchmarks/panel_cost.py`` trains both in turns, each in a kernel of its own with everything that a notebook
has but the browser, and writes ``benchmarks/results/panel_cost.json`` and README's sentence. The seconds are the
run's own, of its steps and looks: what drawing takes from them makes them longer. Alone means without a panel and
without looks between the first and the last.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from scripts import readme
from scripts.step_block import panel_cost_of

NAME = "panel_cost"
BEGIN = """
import json
from clwork import lab, start

def told(run):
    print(json.dumps({{"seconds": run.seconds, "looks": int(run.history["uniformity"].notna().sum())}}))
"""
ALONE = """
often = {{"probe_every": {steps}, "eval_every": {steps}}}
told(start("simcse", sentences="wikipedia-mini", steps={steps}, seed={seed}, **often).wait())
"""
WATCHED = """
panel = lab.panel("simcse", sentences="wikipedia-mini", steps={steps}, seed={seed})
display(panel)
panel.start()
told(panel.wait().run)
"""


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3, help="pairs of runs")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md as it is")
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


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Both, round by round, the first one in turns."""
    rounds: dict[str, list[dict[str, Any]]] = {"alone": [], "watched": []}
    codes = {"alone": ALONE, "watched": WATCHED}
    for number in range(options.rounds):
        for who in sorted(codes, reverse=number % 2 == 1):
            rounds[who].append(in_a_kernel(codes[who], steps=options.steps, seed=number))
            print(f"round {number + 1}: {who} {rounds[who][-1]}", flush=True)
    pairs = zip(rounds["watched"], rounds["alone"], strict=True)
    cost = [round(watched["seconds"] / alone["seconds"] - 1, 4) for watched, alone in pairs]
    return {"steps": options.steps, "rounds": rounds, "cost": cost, "machine": report.machine()}


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options)
    report.write(NAME, found, options.results)
    print(panel_cost_of(found))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
