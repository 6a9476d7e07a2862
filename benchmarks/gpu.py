"""All that is measured on a GPU, in ten minutes: tests, and a ladder of encoders and batch sizes.

``make gpu`` runs the tests marked ``gpu``, measures the limit of matrix products, and then SimCSE
steps of clwork and of sentence-transformers for each encoder (random weights, nothing is
downloaded) and batch size. A batch is whole, or in parts of the largest size that fits (GradCache).
It writes ``benchmarks/results/gpu.json`` and prints the table. Each measurement may take an equal
share of the time that is left; one that would take longer, runs out of memory or fails is a row
with that result. ``--tiny --results FOLDER`` does all of it on a CPU, in about a minute.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch

from benchmarks import report
from benchmarks.memory import PeakMemory
from benchmarks.peers import Clock, Precision, matmul_gflops, peer_training, training
from benchmarks.step_time import THEM, US, shuffled, step_gflop
from clwork import load_encoder
from clwork.precision import resolve
from scripts.blocks.speed import machine_of
from scripts.summary import summary

Row = dict[str, Any]
Training = Callable[[Path, list[str], int, Clock, Precision, int], None]
TRAININGS: dict[str, Training] = {US: training, THEM: peer_training}
ROOT = Path(__file__).resolve().parents[1]
LARGE = {
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
}
MINI = {
    "hidden_size": 256,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "intermediate_size": 1024,
}
TINY = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 64,
}
# Of each encoder the model type, and what differs from the defaults, which are BERT-base's.
SHAPES: dict[str, tuple[str, Row]] = {
    "tiny": ("bert", {**TINY, "vocab_size": 8192}),
    "mini": ("bert", {**MINI, "vocab_size": 8192}),
    "BERT-base": ("bert", {}),
    "RoBERTa-large": ("roberta", {**LARGE, "vocab_size": 50265, "max_position_embeddings": 514}),
}
FAULT = "pytest ended with status"
# Sentences of the timed steps of a measurement, about.
SENTENCES = 20_000
# Sentences of a part.
SMALLEST = 16
LARGEST = 1024
# Columns of the table.
HEADS = (
    "encoder, batch",
    "trained by",
    "in parts of",
    "sentences/s",
    "of the limit",
    "MiB",
    "hours for a million",
    "ratio",
)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--minutes", type=float, default=10, help="after which no measurement begins"
    )
    parser.add_argument(
        "--tiny", action="store_true", help="a tiny encoder and small batches, for a CPU"
    )
    parser.add_argument(
        "--results", type=Path, metavar="FOLDER", help="where to write; needed without a GPU"
    )
    options = parser.parse_args(arguments)
    options.device = "cuda" if torch.cuda.is_available() else "cpu"
    if options.device == "cpu" and not (options.tiny and options.results):
        parser.error(
            "this machine has no CUDA device; --tiny --results FOLDER runs the program on the CPU"
        )
    options.shapes = ["tiny"] if options.tiny else [name for name in SHAPES if name != "tiny"]
    options.batches = [4, 16] if options.tiny else [64, 512, 8192]
    options.largest = 4 if options.tiny else LARGEST
    return options


def run_tests() -> str:
    """Run the tests marked ``gpu``, which need one; return how many passed."""
    test_files = sorted((ROOT / "tests").rglob("test_*.py"))
    marked = [str(path) for path in test_files if "pytest.mark.gpu" in path.read_text()]
    began = time.time()
    with tempfile.TemporaryDirectory() as folder:
        options = ["-q", "-n", "0", "-m", "gpu", f"--junitxml={folder}/gpu.xml"]
        command = [sys.executable, "-m", "pytest", *options, *marked]
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        line = summary(Path(folder), time.time() - began, "Tests marked gpu")
        return f"{line}; {FAULT} {status}" if status else line


def write_encoder(shape: str, folder: Path) -> None:
    """Write an encoder of this shape with random weights, and the tokenizer of the bundled one."""
    from transformers import AutoConfig, AutoModel

    kind, sizes = SHAPES[shape]
    tokenizer = load_encoder("mini", device="cpu").tokenizer
    torch.manual_seed(0)
    untyped: Any = AutoModel
    config = AutoConfig.for_model(kind, pad_token_id=tokenizer.pad_token_id, **sizes)
    untyped.from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def sizes(batch_size: int, largest: int) -> Iterator[int]:
    """Sentences of a part, to be tried one after the other; 0 is the whole batch."""
    if batch_size <= largest or largest == LARGEST:
        yield 0
    part = min(largest, batch_size // 2)
    while part >= min(SMALLEST, largest):
        yield part
        part //= 2


def fitting(batch_size: int, largest: int, measure: Callable[[int], Row]) -> Row:
    """Measure with the largest part that fits into memory."""
    for part in sizes(batch_size, largest):
        try:
            return {"part": part, **measure(part)}
        except torch.OutOfMemoryError:
            pass
        # One measurement of many: whatever the error is, the others are worth their time.
        except Exception as error:
            return {"part": part, "result": f"failed: {type(error).__name__}: {str(error)[:200]}"}
    return {"result": "out of memory"}


def rung(
    who: Training, folder: Path, texts: list[str], batch_size: int, options: argparse.Namespace
) -> Row:
    """Measure a batch size: seconds of a step and MiB, or why there are none."""
    steps = 3 if options.tiny else min(30, max(2, SENTENCES // batch_size))

    def measure(part: int) -> Row:
        gc.collect()
        # Without a GPU it does nothing.
        torch.cuda.empty_cache()
        with PeakMemory(options.device) as peak:
            clock = Clock(steps // 3, steps, options.limit, options.device)
            who(folder, texts, batch_size, clock, options.precision, part)
        return {"seconds": round(clock.seconds, 5), "mib": round(peak.mib)}

    return fitting(batch_size, options.largest, measure)


def climb(options: argparse.Namespace, found: Row) -> None:
    """Measure all encoders and batch sizes, and write each result when it is there."""
    texts = shuffled("wikipedia-mini")
    measurements_left = 2 * len(options.shapes) * len(options.batches)
    for shape in options.shapes:
        # Seconds of a sentence, at the batch size before.
        pace: dict[str, float] = {}
        with tempfile.TemporaryDirectory() as encoder_folder:
            folder = Path(encoder_folder)
            write_encoder(shape, folder)
            sentence_gflop = step_gflop(load_encoder(folder, device="cpu"), texts[:2000], 1)
            for batch_size, (name, who) in itertools.product(options.batches, TRAININGS.items()):
                row = {"shape": shape, "batch_size": batch_size, "by": name}
                seconds_left = max(0.0, options.deadline - time.monotonic())
                options.limit = seconds_left / measurements_left
                measurements_left -= 1
                needed = 2 * pace.get(name, 0.0) * batch_size
                if needed < options.limit:
                    row |= rung(who, folder, texts, batch_size, options)
                else:
                    result = f"left out: two steps need {needed:.0f} s of {options.limit:.0f}"
                    row["result"] = result
                if "seconds" in row:
                    pace[name] = row["seconds"] / batch_size
                    row["share"] = round(sentence_gflop / pace[name] / found["matmul"]["gflops"], 3)
                found["rows"].append(row)
                print(row, flush=True)
                report.write("gpu", found, options.results or report.RESULTS)


def table(found: Row) -> str:
    """The ladder as Markdown, with the hours of a million sentences and how it was measured."""
    lines = [f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|"]
    our_rate = math.nan
    for row in found["rows"]:
        rate = row["batch_size"] / row.get("seconds", math.nan)
        # The peer's row comes after ours.
        if row["by"] == US:
            our_rate = rate
            ratio = math.nan
        else:
            ratio = our_rate / rate
        cells = [
            f"{row['shape']}, {row['batch_size']:,}",
            row["by"],
            f"{row.get('part') or '–'}",
            row.get("result", f"{rate:,.0f}"),
            f"{100 * row.get('share', math.nan):.0f} %",
            f"{row.get('mib', math.nan):,}",
            f"{1e6 / rate / 3600:.2f}",
            f"{ratio:.2f}",
        ]
        known = ["" if cell in ("nan", "nan %") else cell for cell in cells]
        lines.append(f"| {' | '.join(known)} |")
    matmul = found["matmul"]
    text = (
        f"{machine_of(found['machine'])}. {found['precision']}. The limit is "
        f"{matmul['gflops'] / 1000:,.2f} TFLOP/s of square matrices of {matmul['size']} rows; "
        "a step counts at true lengths, without padding and the second pass of parts. The ratio is "
        f"clwork's speed divided by sentence-transformers'. {found['tests']}."
    )
    return "\n".join([*lines, "", text])


def main(arguments: list[str] | None = None) -> int:
    """Test, measure, write, show; returns 1 if a test or a measurement failed."""
    # The peer would take all GPUs.
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")
    options = parse(arguments)
    options.deadline = time.monotonic() + 60 * options.minutes
    # No TF32.
    torch.set_float32_matmul_precision("highest")
    options.precision, why = resolve("auto", options.device)
    size = 256 if options.tiny else 4096
    gflops = round(matmul_gflops(options.precision, size, options.device), 1)
    found: Row = {"machine": report.machine(), "precision": why, "tests": run_tests(), "rows": []}
    found["matmul"] = {"size": size, "gflops": gflops}
    climb(options, found)
    print(table(found))
    failed = [row for row in found["rows"] if row.get("result", "").startswith("failed")]
    return int(bool(failed) or FAULT in found["tests"])


if __name__ == "__main__":
    sys.exit(main())
