"""How long OpenMP's threads should spin before they sleep: a step and encoding, idle and beside a busy process.

``python -m benchmarks.waiting_threads`` takes settings of ``OMP_WAIT_POLICY`` and ``GOMP_SPINCOUNT`` in turns, each in
a process of its own whose main thread has used torch, as a notebook's has: GNU's OpenMP then counts more threads than
cores, and without ``ACTIVE`` lets all of them spin for 100 rounds only. First on the machine as it is, then beside a
process that keeps a core busy. It prints the median seconds of each.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys

from benchmarks.busy import spinning

SETTINGS = ("", " 2000", "PASSIVE", "ACTIVE 1000", "ACTIVE 2000", "ACTIVE")  # policy and count, as far as they are set
WORK = """
import torch, argparse, json
torch.rand(2048, 2048) @ torch.rand(2048, 2048)
from pathlib import Path
from benchmarks.peers import clwork_steps, encode_seconds
from clwork import data, encoders
mini = Path(encoders.__file__).parent / "mini"
texts = list(data.sentences("wikipedia-mini")[:2000])
step = clwork_steps(mini, texts, argparse.Namespace(steps=8, warm=3, batch_size=64), "bfloat16").seconds
print(json.dumps([step, encode_seconds(mini, texts[:400], "bfloat16", "clwork")]))
"""


def seconds(setting: str) -> list[float]:
    """Seconds of a step and of encoding 400 sentences; torch comes first there, so that clwork changes nothing."""
    names = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    environment |= {name: value for name, value in zip(names, setting.split(" "), strict=False) if value}
    done = subprocess.run([sys.executable, "-c", WORK], env=environment, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for spinners, where in enumerate(("idle", "beside a busy process")):
        found: dict[str, list[list[float]]] = {setting: [] for setting in SETTINGS}
        with spinning(spinners):
            for _ in range(options.rounds):
                for setting in SETTINGS:
                    found[setting].append(seconds(setting))
        for setting, rounds in found.items():
            step, encoding = (statistics.median(column) for column in zip(*rounds, strict=True))
            print(f"{where:22} {setting or 'as it is':12} step {step:.3f} s, encoding {encoding:.3f} s", flush=True)


if __name__ == "__main__":
    main()
