"""Time of a SimCSE step and of encoding, against sentence-transformers and the machine's limit.

``python benchmarks/step_time.py`` takes all of them in turns, round after round in one process, so
that a slow minute of the machine hits each; ratios are taken within a round. It writes
``benchmarks/results/step_time.json`` and its block in docs/measured.md. What is compared is
described in ``benchmarks/peers.py``.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from benchmarks.peers import (
    MAX_LENGTH,
    Clock,
    encode_seconds,
    matmul_gflops,
    peer_training,
    precisions,
    row_flops,
    training,
)
from clwork import data, load_encoder
from clwork.encoders import Encoder
from clwork.precision import resolve
from scripts import readme
from scripts.blocks.speed import step_time_of

US, THEM = "clwork", "sentence_transformers"
Rounds = dict[str, list[float]]


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = report.parser(__doc__)
    parser.add_argument("--encoder", default="mini")
    parser.add_argument(
        "--sentences", default="wikipedia-mini", help="what clwork.data.sentences takes"
    )
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=20, help="timed steps of one training")
    parser.add_argument("--warm", type=int, default=5, help="steps before the clock starts")
    parser.add_argument("--encode", type=int, default=1000, help="sentences to encode")
    parser.add_argument(
        "--rounds", type=int, default=5, help="measurements of each kind, taken in turns"
    )
    return parser.parse_args(arguments)


def shuffled(corpus: str) -> list[str]:
    """Sentences from all over the corpus, because its first ones are of a few articles only."""
    texts = list(data.sentences(corpus))
    random.Random(0).shuffle(texts)
    return texts


def one_round(
    encoder: Path, texts: list[str], options: argparse.Namespace, reverse: bool
) -> dict[str, float]:
    """Every kind of measurement once, by name."""
    steps = options.warm + options.steps
    to_train = texts[: steps * options.batch_size]
    to_encode = texts[-options.encode :]
    trainings = {US: training, THEM: peer_training}
    found: dict[str, float] = {}
    for precision in options.precisions:
        found[f"matmul {precision}"] = matmul_gflops(precision)
        for who in (THEM, US) if reverse else (US, THEM):
            clock = Clock(options.warm, steps)
            trainings[who](encoder, to_train, options.batch_size, clock, precision)
            found[f"step {precision} {who}"] = clock.seconds
            found[f"encode {precision} {who}"] = encode_seconds(encoder, to_encode, precision, who)
    return found


def step_gflop(encoder: Encoder, texts: list[str], batch_size: int) -> float:
    """Billions of operations in a step at true lengths: what padding adds is no work."""
    shape: Any = encoder.backbone.config
    sizes = (shape.hidden_size, shape.intermediate_size, shape.num_hidden_layers)
    lengths = [min(len(tokens.ids), MAX_LENGTH) for tokens in encoder.tokenize(texts)]
    flops = statistics.fmean(row_flops(length, *sizes) for length in lengths)
    return 2 * batch_size * flops / 1e9


def compare(values: Rounds, default: str, gflop: float) -> dict[str, list[float]]:
    """Round by round: how many times as fast clwork is, and its step's share of the limit."""
    found: dict[str, list[float]] = {}

    def ratio(name: str, theirs: str, ours: str) -> None:
        pairs = zip(values[theirs], values[ours], strict=True)
        found[name] = [round(slow / fast, 3) for slow, fast in pairs]

    # By default sentence-transformers takes float32.
    ratio("default", f"step float32 {THEM}", f"step {default} {US}")
    for precision in ("float32", "bfloat16"):
        if f"matmul {precision}" not in values:
            # It was left out.
            continue
        ratio(f"step {precision}", f"step {precision} {THEM}", f"step {precision} {US}")
        ratio(f"encode {precision}", f"encode {precision} {THEM}", f"encode {precision} {US}")
        pairs = zip(values[f"step {precision} {US}"], values[f"matmul {precision}"], strict=True)
        found[f"share {precision}"] = [
            round(gflop / seconds / limit, 3) for seconds, limit in pairs
        ]
    return found


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All rounds, and what they come to."""
    texts = shuffled(options.sentences)
    chosen = resolve("auto", "cpu")
    options.precisions = precisions()
    # Seconds of a step or of encoding; billions of operations a second of matrix products.
    values: Rounds = {}
    with tempfile.TemporaryDirectory() as folder:
        encoder_folder = Path(folder) / "encoder"
        encoder = load_encoder(options.encoder, device="cpu").with_pooling("cls_before_pooler")
        encoder.save(encoder_folder)
        gflop = step_gflop(encoder, texts[:2000], options.batch_size)
        for number in range(options.rounds):
            measured = one_round(encoder_folder, texts, options, reverse=number % 2 == 1)
            for name, value in measured.items():
                values.setdefault(name, []).append(round(value, 4))
                print(f"round {number + 1}: {name} {value:.3f}", flush=True)
    settings = ("encoder", "sentences", "batch_size", "steps", "rounds", "encode")
    return {
        **{name: getattr(options, name) for name in settings},
        "max_length": MAX_LENGTH,
        "default": {"precision": chosen.name, "why": chosen.why},
        "gflop_per_step_at_true_lengths": round(gflop, 2),
        "values": values,
        "ratios": compare(values, chosen.name, gflop),
        "machine": report.machine(),
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options)
    report.write("step_time", found, options.results)
    print(step_time_of(found))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
