"""What each way to compute a step brings: one row a way, with time, memory, and how far its gradient is from the last.

``python benchmarks/step_ladder.py`` takes SimCSE steps of the mini encoder on a CPU, way after way and round after
round in one process, and writes ``benchmarks/results/step_ladder.json`` and its block in docs/measured.md. Who has a
GPU calls ``--shape bert-base --batch-size 512 --device cuda`` (also 64 and 8,192, and roberta-large): the same ladder,
with sentence-transformers' trainer in the same rounds, and the share of what products of matrices reach there. Encoders
of these shapes have random weights, which take as long. ``--compile`` adds ``torch.compile``, its start-up counted
apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from benchmarks.larger import fresh_peak, peak
from benchmarks.peers import matmul_gflops, peer_steps, precisions
from benchmarks.step_time import shuffled, step_gflop
from clwork import load_encoder, methods
from clwork.encoders import Encoder
from clwork.encoders import encoder as encoder_module
from clwork.encoders.packed import ATTENTION
from clwork.encoders.tokens import PLACES_ON_CPU
from clwork.methods import Draws
from clwork.methods.step import differentiate, train_step
from clwork.precision import forward_pass
from scripts import readme
from scripts.blocks.speed import ladder_of

NAME, WARM, MANY = "step_ladder", 3, 1 << 40
SHAPES: dict[str, dict[str, Any]] = {
    "bert-base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "roberta-large": {
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "intermediate_size": 4096,
    },
}
# way: precision, attention function, whether rows go in groups of similar length, whether it is compiled
Way = tuple[str, str, bool, bool]
ON_CPU: dict[str, Way] = {
    "padded, float32": ("float32", "sdpa", False, False),
    "groups of similar length": ("float32", "sdpa", True, False),
    "rows end to end": ("float32", ATTENTION, True, False),
    "rows end to end, bfloat16": ("bfloat16", ATTENTION, True, False),
}
ON_GPU: dict[str, Way] = {
    "float32": ("float32", "sdpa", False, False),
    "bfloat16": ("bfloat16", "sdpa", False, False),
}
COMPILED: dict[str, Way] = {"compiled, bfloat16": ("bfloat16", "sdpa", False, True)}


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=["mini", *SHAPES], default="mini")
    parser.add_argument("--sentences", default="wikipedia-mini", help="what clwork.data.sentences takes")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--micro-batch", type=int, default=0)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--steps", type=int, default=10, help="timed steps of a way in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--compile", action="store_true", help="also by torch.compile, which takes a minute to begin")
    parser.add_argument("--no-peer", action="store_true", help="without sentence-transformers")
    parser.add_argument("--no-readme", action="store_true", help="leave docs/measured.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def save_shape(shape: str, folder: Path) -> None:
    """Save an encoder: the mini, or one of another shape with random weights and the mini's tokens."""
    encoder = load_encoder("mini", device="cpu").with_pooling("mean")
    if shape in SHAPES:
        from transformers import BertConfig, BertModel

        tokens: Any = encoder.backbone.config
        about = BertConfig(vocab_size=tokens.vocab_size, pad_token_id=tokens.pad_token_id, **SHAPES[shape])
        encoder = Encoder(BertModel(about, add_pooling_layer=False), encoder.tokenizer, name=shape, pooling="mean")
    encoder.save(folder)


class Ladder:
    """One encoder, its batches, and the ways to compute their steps."""

    def __init__(self, folder: Path, texts: list[str], options: argparse.Namespace) -> None:
        self.encoder = load_encoder(folder, device=options.device)
        self.device, self.batch = torch.device(options.device), options.batch_size
        config = methods.config(
            "simcse",
            batch_size=options.batch_size,
            micro_batch=options.micro_batch,
            pooling="mean",
            head="none",
            dropout_hidden=0.1,
            dropout_attention=0.1,
        )
        self.method = methods.get("simcse")(self.encoder, config, torch.Generator().manual_seed(0))
        self.method.train()
        self.optimizer = self.method.optimizer()
        self.examples = self.method.tokenize(texts)
        self._eager = self.encoder.backbone.forward
        self._compiled = torch.compile(self.encoder.backbone.forward, dynamic=True)

    @contextmanager
    def going(self, way: Way) -> Iterator[Callable[[], Any]]:
        """Context in which steps go this way; yields what makes the context of a forward pass."""
        precision, attention, grouped, compiled = way
        backbone: Any = self.encoder.backbone
        before = backbone.config._attn_implementation
        backbone.set_attn_implementation(attention)
        places = PLACES_ON_CPU if grouped else MANY
        try:
            with (
                patch.object(encoder_module, "PLACES_ON_CPU", places),
                patch.object(backbone, "forward", self._compiled if compiled else self._eager),
            ):
                yield partial(forward_pass, self.device, precision)
        finally:
            backbone.set_attn_implementation(before)

    def batch_of(self, number: int) -> list[Any]:
        """Examples of a batch; they begin anew where they end."""
        count = len(self.examples)
        return [self.examples[(number * self.batch + k) % count] for k in range(self.batch)]

    def seconds(self, way: Way, steps: int) -> float:
        """Seconds of a step, mean of ``steps``."""
        with self.going(way) as around:
            self._synchronize()
            started = time.perf_counter()
            for number in range(steps):
                draws = Draws.of(0, number, self.device)
                train_step(self.method, self.optimizer, self.batch_of(number), draws, number, 10 * steps, around=around)
            self._synchronize()
            return (time.perf_counter() - started) / steps

    def _synchronize(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def without_dropout(self, way: Way) -> tuple[float, torch.Tensor]:
        """Loss and gradient of one batch at the weights of now, nothing dropped: equal but for rounding."""
        config: Any = self.method.config
        rates = config.dropout_hidden, config.dropout_attention
        config.dropout_hidden = config.dropout_attention = 0.0
        try:
            with self.going(way) as around:
                self.optimizer.zero_grad()
                _, terms = differentiate(self.method, self.batch_of(0), Draws.of(0, 0, self.device), around=around)
            gradient = torch.cat([p.grad.flatten() for p in self.method.parameters() if p.grad is not None])
            return float(terms.loss), gradient.double()
        finally:
            config.dropout_hidden, config.dropout_attention = rates
            self.optimizer.zero_grad()

    def memory(self, way: Way) -> float:
        """MiB at most during a step: of the process, or of the GPU."""
        if self.device.type == "cuda":
            torch.cuda.reset_peak_memory_stats()
            self.seconds(way, 1)
            return torch.cuda.max_memory_allocated() / 2**20
        fresh_peak()
        self.seconds(way, 1)
        return peak()


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All ways in turns, and how they compare."""
    ways = (ON_GPU if options.device == "cuda" else ON_CPU) | (COMPILED if options.compile else {})
    texts, measured = shuffled(options), precisions(options.device)
    ways = {name: way for name, way in ways.items() if way[0] in measured}
    peer = f"sentence-transformers, {measured[-1]}"
    options.warm = WARM
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "encoder"
        save_shape(options.shape, folder)
        ladder = Ladder(folder, texts, options)
        begun = {name: WARM * ladder.seconds(way, WARM) for name, way in ways.items()}
        exact = {name: ladder.without_dropout(way) for name, way in ways.items()}
        values: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(options.rounds):
            for name, way in ways.items():
                values[name].append(ladder.seconds(way, options.steps))
                print(f"round {number + 1}: {name} {values[name][-1]:.4f} s a step", flush=True)
            if not options.no_peer:
                values.setdefault(peer, []).append(peer_steps(folder, texts, options, measured[-1]).seconds)
                print(f"round {number + 1}: {peer} {values[peer][-1]:.4f} s a step", flush=True)
        memory = {name: ladder.memory(way) for name, way in ways.items()}
        gflop = step_gflop(ladder.encoder, texts[:2000], options.batch_size)
    limits = {precision: matmul_gflops(precision, device=options.device) for precision in measured}
    rows = [
        {
            "way": name,
            "seconds": seconds,
            "began": begun.get(name),
            "mib": memory.get(name),
            "limit": limits[ways[name][0] if name in ways else measured[-1]],
            **differences(exact, list(ways), name),
        }
        for name, seconds in values.items()
    ]
    said = {
        name: getattr(options, name) for name in ("shape", "batch_size", "micro_batch", "device", "rounds", "steps")
    }
    return said | {"gflop": gflop, "rows": rows, "machine": report.machine()}


def differences(exact: Mapping[str, tuple[float, torch.Tensor]], order: list[str], name: str) -> dict[str, float]:
    """How far loss and gradient are from the row before: absolute, and relative to the largest of the gradient."""
    place = order.index(name) if name in order else 0
    if not place:
        return {}
    (loss, gradient), (before, reference) = exact[name], exact[order[place - 1]]
    apart = (gradient - reference).abs().max() / reference.abs().max()
    return {"loss_apart": abs(loss - before), "gradient_apart": float(apart)}


def main(arguments: list[str] | None = None) -> int:
    """Measure, write beside what other shapes and devices have, show."""
    options = parse(arguments)
    found = measure(options)
    path = options.results / f"{NAME}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    kept = [ladder for ladder in before if key(ladder) != key(found)]
    ladders = sorted([*kept, found], key=key)
    report.write(NAME, ladders, options.results)
    print(ladder_of([found]))
    return 0 if options.no_readme else readme.main([])


def key(ladder: Mapping[str, Any]) -> tuple[str, str, int]:
    """What tells one ladder from another."""
    return ladder["device"], ladder["shape"], ladder["batch_size"]


if __name__ == "__main__":
    sys.exit(main())
