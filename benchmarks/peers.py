"""The same training and encoding by clwork and by sentence-transformers, timed.

Both start from one encoder folder and train on the same sentences with the same batch size, maximal
length 32, dropout 0.1 as the augmentation, [CLS] pooling without a head, temperature 0.05, AdamW
with linear decay. What is timed is the wall clock of a step with everything around it: batching,
tokenising, collating, checks and the loss's record.
"""

from __future__ import annotations

import math
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import torch

from clwork import load_encoder, methods
from clwork.data.sources import CorpusRef
from clwork.precision import BFLOAT16_INSTRUCTIONS, abilities
from clwork.run_folder.config import RunConfig
from clwork.run_folder.folder import RunFolder
from clwork.training.preparation import RunInputs, prepare

Precision = Literal["float32", "bfloat16", "float16"]
TEMPERATURE = 0.05
MAX_LENGTH = 32
LEARNING_RATE = 3e-5
# The encoder's own, which sentence-transformers trains with.
DROPOUT = 0.1


class Clock:
    """Time of training steps, of which the first ``warm`` do not count.

    It is over after ``steps`` steps, or ``limit`` seconds after the first one.
    """

    def __init__(self, warm: int, steps: int, limit: float = math.inf, device: str = "cpu") -> None:
        self.warm = warm
        self.steps = steps
        self.limit = limit
        self.device = device
        self.ends: list[float] = []

    def over(self) -> bool:
        """Record the end of a step; return whether it was the last one."""
        if torch.device(self.device).type == "cuda":
            torch.cuda.synchronize()
        self.ends.append(time.perf_counter())
        return len(self.ends) >= self.steps or self.ends[-1] - self.ends[0] > self.limit

    @property
    def seconds(self) -> float:
        """Mean time of a step."""
        warm = min(max(1, self.warm), len(self.ends) - 1)
        return (self.ends[-1] - self.ends[warm - 1]) / (len(self.ends) - warm)


def training(
    encoder: Path,
    texts: list[str],
    batch_size: int,
    clock: Clock,
    precision: Precision,
    part: int = 0,
) -> None:
    """Train by clwork as long as the clock runs; with ``part``, in parts (GradCache)."""
    config = methods.config(
        "simcse",
        batch_size=batch_size,
        micro_batch=part,
        learning_rate=LEARNING_RATE,
        temperature=TEMPERATURE,
        max_length=MAX_LENGTH,
        pooling="cls",
        head="none",
        dropout_hidden=DROPOUT,
        dropout_attention=DROPOUT,
    )
    run_config = RunConfig(
        name="benchmark",
        method="simcse",
        encoder=str(encoder),
        sentences=CorpusRef(),
        config=asdict(config),
        # One more than is timed, because measurements follow the last step.
        steps=clock.steps + 1,
        seed=0,
        sts=None,
        device=clock.device,
        precision=precision,
        probe_every=10 * clock.steps,
        eval_every=10 * clock.steps,
        checkpoint_every=10 * clock.steps,
    )
    with tempfile.TemporaryDirectory() as folder:
        model = load_encoder(encoder, pooling="cls_before_pooler", device=clock.device)
        loop, _ = prepare(run_config, RunFolder(folder), config, RunInputs(model, texts))
        loop.advance()
        while not clock.over():
            loop.advance()


def peer_training(
    encoder: Path,
    texts: list[str],
    batch_size: int,
    clock: Clock,
    precision: Precision,
    part: int = 0,
) -> None:
    """The same with ``SentenceTransformerTrainer``; with ``part``, by its loss for parts."""
    from datasets import Dataset
    from sentence_transformers import (
        SentenceTransformerTrainer,
        SentenceTransformerTrainingArguments,
    )
    from sentence_transformers.sentence_transformer import losses
    from transformers import TrainerCallback

    class Stopping(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            control.should_training_stop |= clock.over()

    texts = texts * math.ceil(batch_size * clock.steps / len(texts))
    model = peer(encoder, clock.device)
    model.max_seq_length = MAX_LENGTH
    scale = 1 / TEMPERATURE
    loss: Any = losses.MultipleNegativesRankingLoss(model, scale=scale)
    if part:
        loss = losses.CachedMultipleNegativesRankingLoss(model, scale=scale, mini_batch_size=part)
    with tempfile.TemporaryDirectory() as folder:
        settings = SentenceTransformerTrainingArguments(
            output_dir=folder,
            max_steps=clock.steps,
            per_device_train_batch_size=batch_size,
            learning_rate=LEARNING_RATE,
            save_strategy="no",
            logging_steps=1,
            report_to="none",
            disable_tqdm=True,
            use_cpu=clock.device == "cpu",
            bf16=precision == "bfloat16",
            fp16=precision == "float16",
        )
        trainer = SentenceTransformerTrainer(
            model=model,
            args=settings,
            train_dataset=Dataset.from_dict({"anchor": texts, "positive": texts}),
            loss=loss,
            callbacks=[Stopping()],
        )
        trainer.train()


def peer(encoder: Path, device: str = "cpu") -> Any:
    """The encoder as sentence-transformers loads it."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    model = SentenceTransformer(str(encoder), device=device, model_kwargs={"dtype": "float32"})
    model[1] = Pooling(model[1].embedding_dimension, "cls")
    return model


def encode_seconds(encoder: Path, texts: list[str], precision: str, who: str) -> float:
    """Seconds to encode the texts in default batches; float32 weights, autocast for bfloat16."""
    if who == "clwork":
        model: Any = load_encoder(encoder, pooling="cls_before_pooler", device="cpu")
    else:
        model = peer(encoder)
    with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
        # What is set up once does not count.
        model.encode(texts[:64])
        started = time.perf_counter()
        model.encode(texts)
        return time.perf_counter() - started


def precisions(device: str = "cpu") -> tuple[str, ...]:
    """Precisions to measure: bfloat16 only where it is not emulated, some 100 times slower."""
    if device != "cpu" or abilities() & BFLOAT16_INSTRUCTIONS:
        return "float32", "bfloat16"
    print("bfloat16 is left out: this processor has no instructions for it", flush=True)
    return ("float32",)


def matmul_gflops(precision: str, size: int = 2048, device: str = "cpu") -> float:
    """Billions of operations a second in a product of two square matrices, the best of three.

    This is the machine's limit.
    """
    # A GPU computes several products one after the other without a pause.
    many = 1 if device == "cpu" else 20
    left = torch.randn(size, size, device=device).to(getattr(torch, precision))
    (left @ left).sum().item()
    best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        for _ in range(many):
            product = left @ left
        # Reading a value waits for the product.
        product[0, 0].item()
        best = min(best, (time.perf_counter() - started) / many)
    return 2 * size**3 / best / 1e9


def row_flops(length: int, width: int, inner: int, layers: int) -> int:
    """Operations of one sentence's forward and backward pass through a BERT.

    Only matrix products count, and no padding.

    A token costs four square products of attention, two of the feed-forward part, and scores and
    sums over ``length`` others; in the last layer tokens other than [CLS] cost two products. The
    backward pass costs twice the forward's.
    """
    per_token = 2 * (4 * width**2 + 2 * width * inner) + 4 * length * width
    others = (length - 1) * 2 * 2 * width**2
    return 3 * ((layers - 1) * length * per_token + per_token + others)
