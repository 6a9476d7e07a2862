"""Time of a SimCSE step: clwork against the trainer of sentence-transformers, in one run.

Both start from one encoder folder and train on the same sentences with the same batch size, maximal length 32,
float32, dropout 0.1 as the augmentation, mean pooling without a head, temperature 0.05, AdamW with linear decay.
What is timed is the wall clock of a step with everything around it: batching, tokenising, collating, logging.
``python benchmarks/step_time.py`` prints the ratio and writes ``benchmarks/results/step_time.json``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, load_encoder, start
from scripts import readme

TEMPERATURE, MAX_LENGTH, LEARNING_RATE = 0.05, 32, 3e-5


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--sentences", default="wikipedia-mini", help="what clwork.data.sentences takes")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=60, help="timed steps of one training")
    parser.add_argument("--warm", type=int, default=10, help="steps before the clock starts")
    parser.add_argument("--rounds", type=int, default=3, help="trainings of each kind, taken in turns")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def time_clwork(encoder: Path, texts: list[str], options: argparse.Namespace, probe_every: int) -> tuple[float, float]:
    """Seconds of a step, and the mean loss of the timed steps."""
    total = options.warm + options.steps
    with tempfile.TemporaryDirectory() as folder:
        run = start(
            "simcse",
            encoder=encoder,
            sentences=texts,
            steps=total,
            folder=Path(folder) / "run",
            probe_every=probe_every,
            eval_every=10 * total,
            checkpoint_every=10 * total,
            batch_size=options.batch_size,
            learning_rate=LEARNING_RATE,
            temperature=TEMPERATURE,
            max_length=MAX_LENGTH,
            pooling="mean",
            head="none",
        )
        began = 0.0
        while run.alive and len(run.records()) < total:  # step 0 has a row too: the last step's own look is left out
            if not began and len(run.records()) > options.warm:
                began = time.perf_counter()
            time.sleep(0.002)
        took = time.perf_counter() - began
        run.wait()
        return took / (options.steps - 1), run.history["loss"].iloc[-options.steps :].mean()


def time_peer(encoder: Path, texts: list[str], options: argparse.Namespace) -> tuple[float, float]:
    """The same with ``SentenceTransformerTrainer`` and ``MultipleNegativesRankingLoss``."""
    from datasets import Dataset
    from sentence_transformers import (
        SentenceTransformer,
        SentenceTransformerTrainer,
        SentenceTransformerTrainingArguments,
    )
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
    from transformers import TrainerCallback

    ends: list[float] = []

    class Clock(TrainerCallback):
        def on_step_end(self, *arguments: Any, **more: Any) -> None:
            ends.append(time.perf_counter())

    model = SentenceTransformer(str(encoder), device="cpu", model_kwargs={"dtype": "float32"})
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
            use_cpu=True,
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
    return (ends[-2] - ends[options.warm - 1]) / (options.steps - 1), statistics.fmean(losses[-options.steps :])


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Rounds of both in turns, so that a slow minute of the machine hits both; medians count."""
    needed = (options.warm + options.steps) * options.batch_size
    texts = list(data.sentences(options.sentences))[:needed]
    outcomes: dict[str, list[tuple[float, float]]] = {"clwork": [], "clwork_looking": [], "sentence_transformers": []}
    with tempfile.TemporaryDirectory() as folder:
        encoder = Path(folder) / "encoder"
        load_encoder(options.encoder, device="cpu").with_pooling("mean").save(encoder)
        for _ in range(options.rounds):
            outcomes["clwork"].append(time_clwork(encoder, texts, options, probe_every=10 * needed))
            outcomes["sentence_transformers"].append(time_peer(encoder, texts, options))
            outcomes["clwork_looking"].append(time_clwork(encoder, texts, options, probe_every=10))
    seconds = {name: statistics.median(took for took, _ in rounds) for name, rounds in outcomes.items()}
    return {
        "batch_size": options.batch_size,
        "max_length": MAX_LENGTH,
        "steps": options.steps,
        "rounds": options.rounds,
        "milliseconds": {name: round(1000 * took, 1) for name, took in seconds.items()},
        "ratio": round(seconds["clwork"] / seconds["sentence_transformers"], 3),
        "loss": {name: round(statistics.fmean(loss for _, loss in rounds), 4) for name, rounds in outcomes.items()},
        "machine": report.machine(),
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options)
    report.write("step_time", found, options.results)
    for name, took in found["milliseconds"].items():
        print(f"{name:22} {took:7.1f} ms a step, mean loss {found['loss'][name]:.4f}")
    print(f"ratio clwork / sentence-transformers: {found['ratio']:.3f}")
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
