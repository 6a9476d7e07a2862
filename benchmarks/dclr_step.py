"""Time of a step of DCLR and of its comparison alone, of another tree of clwork against this one.

``python benchmarks/dclr_step.py BEFORE`` takes a folder that holds another version of clwork, such as one made by
``git worktree add BEFORE COMMIT``. One process for each version measures when it is asked to, round after round in
turns, so that a slow minute of the machine hits both; ratios are taken within a round. Nothing is written.

A comparison is ``DCLR.compare`` of fixed vectors with noise and masks, its backward pass included; a step is
``train_step`` of the bundled encoder.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
WORK = ("comparison", "step")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="folder of the other version, the parent of its clwork/")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--comparisons", type=int, default=50, help="timed comparisons of a round")
    parser.add_argument("--steps", type=int, default=2, help="timed steps of a round")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


def measure(batch_size: int, comparisons: int, steps: int) -> None:
    """Serve one version: a line of standard input asks for a round, which is answered with seconds of each work."""
    import torch

    from clwork import data, load_encoder, methods
    from clwork.methods.step import train_step

    config = methods.config("dclr", batch_size=batch_size, precision="float32")
    method: Any = methods.get("dclr")(load_encoder("mini", device="cpu"), config, torch.Generator().manual_seed(0))
    optimizer = method.optimizer()
    batch = method.tokenize(list(data.sentences("wikipedia-mini"))[:batch_size])
    draws = [methods.Draws.of(0, step, torch.device("cpu")) for step in range(steps)]
    with torch.no_grad():
        fixed = method.train().embed(batch, draws[0])

    def compare() -> None:
        views = {name: view.detach().requires_grad_(name in ("z1", "z2")) for name, view in fixed.items()}
        method.compare(views).loss.backward()

    def step(number: int) -> None:
        train_step(method, optimizer, batch, draws[number], 0, 1000)

    compare()
    step(0)
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        for _ in range(comparisons):
            compare()
        middle = time.perf_counter()
        for number in range(steps):
            step(number)
        print((middle - start) / comparisons, (time.perf_counter() - middle) / steps, flush=True)


def worker(tree: Path, options: argparse.Namespace) -> subprocess.Popen[str]:
    """A process that measures the clwork of a folder."""
    values = (options.batch_size, options.comparisons, options.steps)
    script = (
        f"import sys; sys.path[:0] = [{str(tree)!r}]; import runpy; "
        f"runpy.run_path({str(Path(__file__).resolve())!r})['measure'](*{values})"
    )
    environment = os.environ | {"PYTHONPATH": str(tree), "OMP_NUM_THREADS": str(options.threads)}
    return subprocess.Popen(
        [sys.executable, "-c", script], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def ask(process: subprocess.Popen[str]) -> list[float]:
    """One round of a version: seconds of a comparison and of a step."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return [float(value) for value in process.stdout.readline().split()]


def main(arguments: list[str] | None = None) -> int:
    """Measure both in turns, and print medians and the ratio with its range over rounds."""
    options = parse(arguments)
    processes = [worker(tree.resolve(), options) for tree in (options.before, HERE)]
    try:
        for process in processes:
            assert process.stdout is not None and process.stdout.readline() == "ready\n", "a version did not start"
        rounds = []
        for number in range(options.rounds):
            turns = processes if number % 2 else processes[::-1]
            answers = {process.pid: ask(process) for process in turns}
            rounds.append([answers[process.pid] for process in processes])
    finally:
        for process in processes:
            process.terminate()
    for place, work in enumerate(WORK):
        before, after = ([1000 * each[version][place] for each in rounds] for version in (0, 1))
        ratios = [new / old for old, new in zip(before, after, strict=True)]
        print(
            f"{work}: {statistics.median(before):.2f} ms before, {statistics.median(after):.2f} ms now, "
            f"ratio {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}, {len(ratios)} rounds)"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
