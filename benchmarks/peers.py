"""The same training and encoding by clwork and by sentence-transformers, timed; what ``step_time.py`` compares.

Both start from one encoder folder and train on the same sentences with the same batch size, maximal length 32, dropout
0.1 as the augmentation, mean pooling without a head, temperature 0.05, AdamW with linear decay. What is timed is the
wall clock of a step with everything around it: batching, tokenising, collating, logging.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import torch

from clwork import load_encoder, start
from clwork.precision import ABILITIES, abilities

TEMPERATURE, MAX_LENGTH, LEARNING_RATE = 0.05, 32, 3e-5
DROPOUT = 0.1  # the encoder's own, which sentence-transformers trains with


class Timed(NamedTuple):
    """Seconds of a step, and the mean loss of the timed steps."""

    seconds: float
    loss: float


def clwork_steps(
    encoder: Path, texts: list[str], options: argparse.Namespace, precision: str, probe_every: int | None = None
) -> Timed:
    """Steps of clwork, without measurements of the geometry unless requested."""
    total = options.warm + options.steps
    written: dict[int, float] = {}  # when each step's row was
    with tempfile.TemporaryDirectory() as folder:
        run = start(
            "simcse",
            encoder=encoder,
            sentences=texts,
            steps=total,
            folder=Path(folder) / "run",
            probe_every=probe_every or 10 * total,
            eval_every=10 * total,
            checkpoint_every=10 * total,
            device="cpu",
            batch_size=options.batch_size,
            learning_rate=LEARNING_RATE,
            temperature=TEMPERATURE,
            max_length=MAX_LENGTH,
            pooling="mean",
            head="none",
            dropout_hidden=DROPOUT,
            dropout_attention=DROPOUT,
            precision=precision,
            on_row=lambda row: written.setdefault(row["step"], time.perf_counter()),
        )
        run.wait()
        took = written[total - 1] - written[options.warm]  # the last step's row waits for its measurement
        return Timed(took / (options.steps - 1), float(run.history["loss"].iloc[-options.steps :].mean()))


def peer_steps(encoder: Path, texts: list[str], options: argparse.Namespace, precision: str) -> Timed:
    """The same with ``SentenceTransformerTrainer`` and ``MultipleNegativesRankingLoss``."""
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
    from transformers import TrainerCallback

    ends: list[float] = []

    class Clock(TrainerCallback):
        def on_step_end(self, *arguments: Any, **more: Any) -> None:
            ends.append(time.perf_counter())

    device = getattr(options, "device", "cpu")
    model = peer(encoder, device)
    model.max_seq_length = MAX_LENGTH
    with tempfile.TemporaryDirectory() as folder:
        settings = SentenceTransformerTrainingArguments(
            output_dir=folder,
            max_steps=options.warm + options.steps,
            per_device_train_batch_size=options.batch_size,
            learning_rate=LEARNING_RATE,
            save_strategy="no",
            logging_steps=1,
            report_to="none",
            disable_tqdm=True,
            use_cpu=device == "cpu",
            bf16=precision == "bfloat16",
        )
        trainer = SentenceTransformerTrainer(
            model=model,
            args=settings,
            train_dataset=Dataset.from_dict({"anchor": texts, "positive": texts}),
            loss=MultipleNegativesRankingLoss(model, scale=1 / TEMPERATURE),
            callbacks=[Clock()],
        )
        trainer.train()
    losses = [row["loss"] for row in trainer.state.log_history if "loss" in row]
    return Timed((ends[-2] - ends[options.warm - 1]) / (options.steps - 1), statistics.fmean(losses[-options.steps :]))


def peer(encoder: Path, device: str = "cpu") -> Any:
    """The encoder as sentence-transformers loads it."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(encoder), device=device, model_kwargs={"dtype": "float32"})


def encode_seconds(encoder: Path, texts: list[str], precision: str, who: str) -> float:
    """Seconds to encode the texts, by each one's own default batches; weights in float32, autocast for bfloat16."""
    model = load_encoder(encoder, device="cpu") if who == "clwork" else peer(encoder)
    with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
        model.encode(texts[:64])  # what is set up once does not count
        started = time.perf_counter()
        model.encode(texts)
        return time.perf_counter() - started


def precisions(device: str = "cpu") -> tuple[str, ...]:
    """Precisions to measure here: bfloat16 only where it is not emulated, which is some 100 times slower."""
    if device != "cpu" or abilities() & ABILITIES:
        return "float32", "bfloat16"
    print("bfloat16 is left out: this processor has no instructions for it", flush=True)
    return ("float32",)


def matmul_gflops(precision: str, size: int = 2048, device: str = "cpu") -> float:
    """The machine's limit: billions of operations a second in a product of two square matrices, the best of three."""
    many = 1 if device == "cpu" else 50  # a GPU is told of one before it has begun with another
    left = torch.ones(size, size, dtype=getattr(torch, precision), device=device)
    (left @ left).sum().item()
    best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        for _ in range(many):
            product = left @ left
        product[0, 0].item()  # waits for it
        best = min(best, (time.perf_counter() - started) / many)
    return 2 * size**3 / best / 1e9


def row_flops(length: int, width: int, inner: int, layers: int) -> int:
    """Operations of one sentence's forward and backward pass through a BERT: matrix products alone, no padding.

    A token costs four square products of attention, two of the feed-forward part, and scores and sums over ``length``
    others; the backward pass twice the forward's.
    """
    per_token = 2 * (4 * width**2 + 2 * width * inner) + 4 * length * width
    return 3 * layers * length * per_token
