"""From a recipe to a loop that is ready to step: encoder, examples, method, probe and validation."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from ..encoders import Encoder
from ..methods import Method, get
from .batches import Batches, IndexedBatches, StreamedBatches
from .loop import Loop
from .probe import make_probe
from .recipe import Recipe, read_encoder, read_sentences
from .validation import make_validation, read_sts

HEAD = 2000  # sentences of a stream that serve as its sample


def prepare(recipe: Recipe, folder: Path, config: Any, encoder: str | Encoder, examples: Any) -> Loop:
    """Read what the recipe names; ``examples`` None means those that the recipe describes.

    Raises:
        TypeError: the method does not train on such examples.
        ValueError: too few of them, or they cannot be had again.
    """
    fresh = read_encoder(encoder, folder, recipe.device, recipe.seed)
    if examples is None:
        examples = read_sentences(recipe.sentences, folder)
    method = get(recipe.method)(fresh, config, torch.Generator().manual_seed(recipe.seed)).to(fresh.device)
    batches, known = make_batches(method, examples, config.batch_size, recipe.seed)
    started = time.perf_counter()
    method.begin(batches.batch, folder)
    took = time.perf_counter() - started
    sts = read_sts(recipe.sts)
    return Loop(
        method,
        batches,
        make_probe(known, sts.get("stsb")),
        make_validation(known, sts),
        precision=recipe.precision,
        total=recipe.steps,
        seed=recipe.seed,
        probe_every=recipe.probe_every,
        eval_every=recipe.eval_every,
        folder=folder,
        begin_seconds=took,
    )


def make_batches(
    method: Method, examples: Sequence[Any] | Iterable[Any], size: int, seed: int
) -> tuple[Batches, Sequence[str]]:
    """Batches, and sentences to look at: the corpus itself, the premises of triplets, or the head of a stream."""
    if isinstance(examples, Sequence):
        method.check_examples(examples)
        known = examples if isinstance(examples[0], str) else [example[0] for example in examples]
        return IndexedBatches(examples, size, seed, method.tokenize), known
    head = list(islice(examples, HEAD))
    if not head:
        raise ValueError("the streamed source gave no example; check its name, split and column")
    method.check_examples(head)
    return StreamedBatches(examples, size, seed, method.tokenize), head
