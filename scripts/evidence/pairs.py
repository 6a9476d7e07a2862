"""Cosines of all rated pairs: train the variants of claims again, and keep what judges them.

Scores alone cannot tell how much a result would change with other sentence pairs. So the cosine of
each pair of STS-B and SICK-R is kept for each run, also of the train splits, by which no setting
was chosen. All runs are trained at float32 on one machine, so both sides of a comparison share
their circumstances.

:mod:`clwork.claims.pairs` describes the files.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from filelock import FileLock, Timeout
from safetensors import safe_open
from safetensors.numpy import save_file

import clwork
from clwork import claims, data
from clwork.claims.measures import ON_TASK, Encoded, evaluators, represent, sentences_of
from clwork.claims.pairs import ALIKE, PAIRS, distances_between
from clwork.claims.records import TEXTCNN, VariantRun, read_record
from clwork.claims.testing import processor, runs_of
from clwork.data import StsPairs
from clwork.disk import write_file
from clwork.encoders import Encoder, load_encoder
from clwork.encoders.loading import BUNDLED
from clwork.metrics.post_processing import PostProcessing
from clwork.precision import versions

from .corpora import corpus

# The pairs of all runs, for the repository.
PACKED = Path(__file__).with_name(PAIRS)
FACTS = "facts"
ENCODER = "encoder"
PRECISION = "float32"  # of runs that name none
# Scores that can be computed from the cosines of rated pairs.
SCORES = ("sts", "stsb", "sickr")
SPLITS = ("stsb/validation", "stsb/train", "sickr/validation", "sickr/train")
# Representations of encoders without training, which are rivals in every claim.
CONTROLS = ("cls_before_pooler", "mean", "first_last", "first_last, whitened", "mean, whitened")
CONTROLS_OF_TEXTCNN = ("max", "word average")
# Seconds for a step on one core with the preset's batch, as measured, and for the judging.
SECONDS_PER_STEP = {
    "simcse": 0.8,
    "dclr": 2.5,
    "mocoutrl": 2.0,
    "self_guided": 0.5,
    "gclsr": 0.12,
    "untrained": 0,
}
SECONDS_TO_JUDGE = 30
PRESET_BATCH = 64
# The claims whose decision depends most on the pairs, the most important first.
FIRST = (
    "simcse/against-raw",
    "simcse/against-whitening",
    "clwork/training-wins-read-alike",
    "gclsr/training-improves-the-network",
    "gclsr/changed-words-over-base",
    "gclsr/full-against-bert",
    "simcse/crop",
    "self_guided/against-raw-mean",
    "mocoutrl/above-raw-mean",
    "dclr/against-simcse",
    "simcse/dropout-against-none",
    "self_guided/opt-against-base",
)
Distances = dict[str, npt.NDArray[np.float16]]
"""1 − cosine of each pair, by ``view/task/split``."""


@dataclass(frozen=True)
class Job:
    """A run to train at float32, or an encoder without training, with the views to keep."""

    run: VariantRun
    views: tuple[str, ...]
    splits: tuple[str, ...] = SPLITS

    @property
    def seconds(self) -> float:
        """Estimated seconds on one core."""
        batch: int = json.loads(self.run.config).get("batch_size", PRESET_BATCH)
        training = SECONDS_PER_STEP[self.run.method] * self.run.steps
        poolings = {view.partition(", ")[0] for view in self.views}
        return training * batch / PRESET_BATCH + SECONDS_TO_JUDGE * len(poolings)

    def missing(self, folder: Path) -> list[str]:
        """Return the views whose distances the folder lacks."""
        stored = {key.rpartition("/")[0].rpartition("/")[0] for key in keys_in(folder / self.name)}
        return [view for view in self.views if view not in stored]

    @property
    def name(self) -> str:
        """The name of the run's folder."""
        return self.run.name

    def do(self, folder: Path, data_folder: Path) -> None:
        """Train the run unless its encoder is kept, and keep the distances of missing views."""
        started = time.perf_counter()
        target = folder / self.name
        encoder = _encoder_of(self.run, target, data_folder)
        seconds = time.perf_counter() - started
        distances = {key: read(target / PAIRS, key) for key in keys_in(target)}
        rated = {name: rated_pairs(data_folder)[name] for name in self.splits}
        for view, of_view in distances_of(encoder, self.missing(folder), rated):
            distances |= {f"{view}/{split}": array for split, array in of_view.items()}
        facts = {
            **asdict(self.run),
            "clwork": clwork.__version__,
            "date": time.strftime("%Y-%m-%d"),
            "seconds": round(seconds, 1),
        }
        # An encoder without training may be compared with one of any circumstances.
        del facts["precision"]
        if self.run.steps:
            here = {
                "precision": _precision_of(self.run),
                "machine": processor(),
                "threads": torch.get_num_threads(),
                "versions": versions(),
            }
            # A folder of measured runs has the encoder already, and a record of its training.
            record = read_record(folder, self.name)
            facts |= {name: record.get(name, here[name]) for name in ALIKE}
        target.mkdir(parents=True, exist_ok=True)
        metadata = {FACTS: json.dumps(facts)}
        write_file(target / PAIRS, lambda path: save_file(distances, path, metadata))


def _precision_of(run: VariantRun) -> str:
    return PRECISION if run.precision == "auto" else run.precision


def _encoder_of(run: VariantRun, target: Path, data_folder: Path) -> Encoder:
    """Return the encoder of a run: trained, or loaded if it was trained before."""
    if not run.steps:
        return load_encoder(run.encoder, seed=run.seed)
    if not (target / ENCODER).is_dir():
        training = target.with_name(f"{target.name}.training")
        # Left by an interrupted training; runs are resumed as a whole.
        shutil.rmtree(training, ignore_errors=True)
        trained = clwork.start(
            run.method,
            encoder=load_encoder(run.encoder, seed=run.seed),
            sentences=corpus(run.data, data_folder),
            steps=run.steps,
            seed=run.seed,
            folder=training,
            # Measurements during the run would only cost time.
            probe_every=run.steps,
            eval_every=run.steps,
            checkpoint_every=run.steps,
            **{**json.loads(run.config), "precision": _precision_of(run)},
        )
        trained.wait()
        if trained.status != "finished":
            raise RuntimeError(f"{run.name} is {trained.status}")
        # Renamed when it is complete: a folder of this name has a whole encoder.
        unfinished = target / f"{ENCODER}.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        trained.encoder.save(unfinished)
        unfinished.rename(target / ENCODER)
        shutil.rmtree(training)
    return load_encoder(target / ENCODER)


@cache
def rated_pairs(folder: Path) -> dict[str, StsPairs]:
    """Read the rated pairs by ``task/split``."""
    pairs = {}
    for name in SPLITS:
        task, _, split = name.partition("/")
        pairs[name] = data.sts_pairs(task, split, folder)
    return pairs


def distances_of(
    encoder: Encoder, views: Sequence[str], rated: Mapping[str, StsPairs]
) -> Iterator[tuple[str, Distances]]:
    """Return each view with the distances of all pairs by ``task/split``."""
    # Whitening is fitted on the corpus.
    is_fitted = any(", " in view for view in views)
    corpus_sentences = list(evaluators(None).sentences) if is_fitted else []
    sentences = [text for pairs in rated.values() for text in sentences_of(pairs)]
    texts = list(dict.fromkeys([*sentences, *corpus_sentences]))
    encoded_by_pooling = {}
    for view in views:
        pooling, _, post = view.partition(", ")
        if pooling not in encoded_by_pooling:
            vectors = represent(encoder, pooling, texts)
            encoded_by_pooling[pooling] = Encoded(texts, vectors)
        encoded = encoded_by_pooling[pooling]
        distances = {}
        for split, pairs in rated.items():
            transformed = encoded
            if post:
                fitted_on = sentences_of(pairs) if post == ON_TASK else corpus_sentences
                kind: Any = "whitened" if post == ON_TASK else post
                transform = PostProcessing(kind, encoded.encode(fitted_on))
                transformed = Encoded(texts, transform(encoded.vectors))
            exact = distances_between(
                transformed.encode(pairs.sentences1), transformed.encode(pairs.sentences2)
            )
            distances[split] = exact.astype(np.float16)
        yield view, distances


def keys_in(target: Path) -> list[str]:
    """Return the keys of a run's file; empty if there is none."""
    return keys_of(target / PAIRS) if (target / PAIRS).is_file() else []


def keys_of(path: Path) -> list[str]:
    """Return the names of the tensors in a file."""
    with safe_open(path, framework="numpy") as file:
        return list(file.keys())


def read(path: Path, key: str) -> npt.NDArray[np.float16]:
    """Read one tensor of a file of pairs."""
    with safe_open(path, framework="numpy") as file:
        return np.asarray(file.get_tensor(key))


def facts_in(path: Path) -> dict[str, Any]:
    """Read the facts of a file of pairs: of a run's file, its circumstances."""
    with safe_open(path, framework="numpy") as file:
        facts: dict[str, Any] = json.loads(file.metadata()[FACTS])
        return facts


def jobs(names: Iterable[str], seeds: Sequence[int]) -> list[Job]:
    """List what to train and judge for those of the claims that are about scores.

    Encoders without training come first, as they take a minute. Then comes one claim after the
    other, those in ``FIRST`` before the others, each with all its seeds: the errors over pairs are
    the same for three seeds and for five, but a decision by three may use only a tenth of the
    allowed error.
    """
    found: dict[str, Job] = {}
    for name in sorted(names, key=lambda name: (*FIRST, name).index(name)):
        for job in jobs_of(claims.get(name), seeds):
            earlier = found.get(job.name, Job(job.run, ()))
            views = tuple(dict.fromkeys([*earlier.views, *job.views]))
            found[job.name] = replace(earlier, views=views)
    return sorted(found.values(), key=lambda job: job.run.steps > 0)


def jobs_of(claim: claims.Claim, seeds: Iterable[int]) -> Iterator[Job]:
    """Return the jobs of a claim's compared variants, and of the encoders that they start from."""
    compared = {side for each in claim.expects for side in (each.left, each.right)}
    for variant, run in runs_of(claim, seeds):
        metric = variant.metric or claim.metric.name
        is_judged = variant.name in compared and variant.at is None and metric in SCORES
        is_textcnn = run.encoder.startswith(TEXTCNN)
        # Encoders that were pre-trained for one claim are no part of clwork, but may be folders.
        is_here = is_textcnn or run.encoder in BUNDLED or Path(run.encoder).is_dir()
        if is_judged and is_here:
            yield Job(run, (variant.view,))
            start = VariantRun("untrained", run.encoder, run.seed)
            yield Job(start, CONTROLS_OF_TEXTCNN if is_textcnn else CONTROLS)


def work(listed: Iterable[Job], folder: Path, data_folder: Path) -> int:
    """Do the missing jobs that no other process does, one by one; return how many failed."""
    torch.set_num_threads(1)
    # Other programs of this machine go first.
    os.nice(10)
    folder.mkdir(parents=True, exist_ok=True)
    missing = [job for job in listed if job.missing(folder)]
    failed = 0
    for number, job in enumerate(missing, start=1):
        started = time.perf_counter()
        outcome = ""
        try:
            with FileLock(folder / f".{job.name}.lock", timeout=0):
                # Another process may have done it in the meantime.
                if job.missing(folder):
                    job.do(folder, data_folder)
        except Timeout:
            outcome = " is done by another process"
        except Exception as error:
            # A variant that diverged must not end the others.
            failed += 1
            outcome = f" FAILED {type(error).__name__}: {error}"
        took = time.perf_counter() - started
        left = sum(other.seconds for other in missing[number:]) / 3600
        progress = f"{number} of {len(missing)}"
        print(f"{progress}: {job.name} {took:.0f} s{outcome}; about {left:.1f} h left", flush=True)
    return failed


def pack(folder: Path, path: Path = PACKED) -> None:
    """Write the pairs of all runs in a folder into one file, which keeps those of other runs."""
    distances = {key: read(path, key) for key in keys_of(path)}
    facts = facts_in(path)
    for file in sorted(folder.glob(f"*/{PAIRS}")):
        name = file.parent.name
        facts[name] = facts_in(file)
        for key in sorted(keys_in(file.parent)):
            distances[f"{name}/{key}"] = read(file, key)
    metadata = {FACTS: json.dumps(facts, sort_keys=True)}
    write_file(path, lambda target: save_file(distances, target, metadata))


def describe(listed: Iterable[Job], folder: Path) -> Iterator[str]:
    """Return a line for each job: whether it is done, name, estimated seconds, and views."""
    settings = _labels()
    for job in listed:
        state = "missing" if job.missing(folder) else "done"
        setting = settings.get(job.run.name.rpartition("-s")[0], job.run.encoder)
        yield f"{state:7} {job.seconds:5.0f} s  {job.name}  {setting}; {', '.join(job.views)}"


def _labels() -> dict[str, str]:
    """Return the name of a variant for each setting, by the name of its runs without the seed."""
    labels: dict[str, str] = {}
    for name in claims.names():
        for variant, run in runs_of(claims.get(name), [0]):
            labels.setdefault(run.name.rpartition("-s")[0], variant.name)
    return labels
