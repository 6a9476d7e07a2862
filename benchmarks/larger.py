"""Large batches and several processes: time and memory of a step in parts, of a long stream, and what processes gain.

``python benchmarks/larger.py`` measures on this machine, each kind in a process of its own, in turns, and writes
``benchmarks/results/larger.json`` and its block in docs/scaling.md. ``--model`` prints what follows for many GPUs.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report

ROOT = Path(__file__).resolve().parents[1]
QUIET: dict[str, Any] = {"probe_every": 10_000, "eval_every": 10_000, "checkpoint_every": 10_000, "device": "cpu"}
WARM = 2


class Kind(NamedTuple):
    """A batch (``micro`` 0: whole), its steps after WARM, processes, threads of all of them together, and more."""

    batch: int
    micro: int
    steps: int
    processes: int
    threads: int
    shape: str = ""


KINDS = {
    "512 whole": Kind(512, 0, 3, 1, 2),
    "512 in parts of 64": Kind(512, 64, 3, 1, 2),
    "4096 in parts of 64": Kind(4096, 64, 1, 1, 2),
    "256 in parts of 32, one process, one thread": Kind(256, 32, 5, 1, 1),
    "256 in parts of 32, one process, two threads": Kind(256, 32, 5, 1, 2),
    "256 in parts of 32, two processes": Kind(256, 32, 5, 2, 2),
    "16 in parts of 8, BERT-base, two processes": Kind(16, 8, 3, 2, 2, "bert-base"),
}
LINES = {"stream of 100,000 lines": 100_000, "stream of 10,000,000 lines": 10_000_000}
# A GPU as the model takes it: useful operations a second in bfloat16 and float32, bytes a second within and between
# machines of eight. Assumed, not measured.
GPU: dict[str, float] = {"bfloat16": 3e14, "float32": 4e13, "near": 3e11, "far": 2.5e10}
BERT_BASE: dict[str, float] = {"body": 85e6, "all": 109e6, "width": 768, "pieces": 32, "views": 2}


def peak() -> float:
    """The most memory that this process has held, in MiB, since :func:`fresh_peak`."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def fresh_peak() -> None:
    """Begin to count anew."""
    Path("/proc/self/clear_refs").write_text("5")


def one(kind: str, encoder: str) -> dict[str, float]:
    """Seconds of a step and MiB of the process, of one kind."""
    batch, micro, steps, processes, threads, shape = KINDS[kind]
    os.environ["OMP_NUM_THREADS"] = str(threads)
    from benchmarks.step_ladder import save_shape  # which imports this file
    from clwork.training.distributed import local_processes
    from clwork.training.run.launching import begin

    written: dict[int, tuple[float, float]] = {}  # by step: when, and the most memory until then
    with tempfile.TemporaryDirectory() as folder:
        if shape:
            save_shape(shape, Path(folder) / "encoder")
            encoder = str(Path(folder) / "encoder")
        about = {"encoder": encoder, "steps": WARM + steps + 1, "folder": Path(folder) / "run", **QUIET}
        sent, held = _timed_gradients(), _held_tensors(WARM + steps)
        run = begin(
            local_processes(processes),
            "simcse",
            batch_size=batch,
            micro_batch=micro,
            on_row=lambda row: written.setdefault(row["step"], (time.perf_counter(), peak())),
            **about,
        )
        while WARM not in written:
            time.sleep(0.01)
        fresh_peak()
        run.wait()
    (begun, _), (ended, mib) = written[WARM], written[WARM + steps]
    return {
        "seconds": (ended - begun) / steps,
        "mib": mib,
        "gradients": statistics.median(sent) if sent else 0.0,
        **held,
    }


def _timed_gradients() -> list[float]:
    """Seconds of each sum of gradients over processes, waiting included, as they happen."""
    from clwork.training.distributed import JoinedProcesses

    taken: list[float] = []
    add = JoinedProcesses.add_gradients

    def timed(self: JoinedProcesses, parameters: Any) -> None:
        started = time.perf_counter()
        add(self, parameters)
        taken.append(time.perf_counter() - started)

    JoinedProcesses.add_gradients = timed  # type: ignore[method-assign]
    return taken


def _held_tensors(step: int) -> dict[str, float]:
    """MiB of all tensors that this process holds after a step: weights, gradients, moments; filled as it happens."""
    import torch  # not before the number of threads is set

    from clwork.training.loop import Loop

    found: dict[str, float] = {}
    advance = Loop.advance

    def weighed(self: Loop) -> Any:
        row = advance(self)
        if self.step == step:
            gc.collect()
            tensors = (one for one in gc.get_objects() if type(one) in (torch.Tensor, torch.nn.Parameter))
            memory = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in tensors}
            found["held"] = sum(memory.values()) / 2**20
        return row

    Loop.advance = weighed  # type: ignore[method-assign]
    return found


def stream(lines: int) -> dict[str, float]:
    """Seconds of a step and MiB of the process on a made file of so many lines, read as a stream."""
    import clwork

    words = "the a river town music of in band was house year old new song".split()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.txt"
        with open(file, "w", encoding="utf-8") as out:
            for number in range(lines):
                out.write(f"{words[number % 14]} {words[number // 14 % 14]} {words[number // 196 % 14]} {number}\n")
        examples = clwork.data.sentences(str(file), streaming=True)
        started = time.perf_counter()
        run = clwork.train("simcse", sentences=examples, steps=4, batch_size=16, folder=Path(folder) / "run", **QUIET)
        assert run.status == "finished"
        return {"seconds": (time.perf_counter() - started) / 4, "mib": peak()}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Every kind once a round, in turns."""
    found: dict[str, list[dict[str, float]]] = {}
    for number in range(options.rounds):
        for kind in options.kinds:
            if number and (kind in LINES or kind.startswith("4096")):
                continue  # once: minutes each, and memory does not vary
            command = [sys.executable, __file__, "--one", kind, "--encoder", options.encoder]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise SystemExit(f"{kind}: {done.stderr[-2000:]}")
            found.setdefault(kind, []).append(json.loads(done.stdout.splitlines()[-1]))
            print(kind, found[kind][-1], flush=True)
    return {"encoder": options.encoder, "rounds": options.rounds, "values": found, "machine": report.machine()}


def modelled(gpus: int, batch: int, cached: bool = True) -> dict[str, float]:
    """Seconds of a step of SimCSE with BERT-base on so many GPUs, part by part, by the model.

    The forward pass is done twice where a batch is in parts (``cached``). Every GPU computes the whole batch's loss.
    """
    near = GPU["near"] if gpus <= 8 else GPU["far"]
    body, width = BERT_BASE["body"], BERT_BASE["width"]
    rows = BERT_BASE["views"] * batch
    passes = 4 if cached and gpus > 1 else 3
    return {
        "compute": 2 * passes * body * BERT_BASE["pieces"] * rows / gpus / GPU["bfloat16"],
        "loss": 3 * 2 * batch**2 * width / GPU["float32"],
        "gather": (gpus > 1) * 4 * width * rows / near,
        "gradients": 2 * (gpus - 1) / gpus * 4 * BERT_BASE["all"] / near,
    }


def model() -> str:
    """Table of the model: how much of a GPU's time is its own work, and what a step of a large batch takes."""
    lines = ["| GPUs | batch | compute | loss | gather | gradients | a step | of it compute |", "|---" * 8 + "|"]
    for gpus in (1, 8, 64, 512):
        for batch in sorted({512, 64 * gpus, 512 * gpus}):
            if batch < gpus:
                continue
            parts = modelled(gpus, batch)
            whole = sum(parts.values())
            cells = " | ".join(f"{1000 * seconds:.3g} ms" for seconds in parts.values())
            lines.append(
                f"| {gpus} | {batch:,} | {cells} | {1000 * whole:.3g} ms | {100 * parts['compute'] / whole:.0f} % |"
            )
    return "\n".join(lines)


def main() -> None:
    """Measure, or print the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", choices=[*KINDS, *LINES], default=[*KINDS, *LINES], metavar="KIND")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--model", action="store_true", help="print the model's table alone")
    parser.add_argument("--no-readme", action="store_true", help="leave docs/scaling.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    options = parser.parse_args()
    if options.model:
        print(model())
    elif options.one:
        found = stream(LINES[options.one]) if options.one in LINES else one(options.one, options.encoder)
        print(json.dumps(found))
    else:
        report.write("larger", measure(options), options.results)
        if not options.no_readme:
            from scripts import readme

            readme.main([])


if __name__ == "__main__":
    main()
