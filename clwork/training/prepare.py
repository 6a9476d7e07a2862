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
LOOKED_AT = 1000  # examples that tell how many can be used: a third of a second, where all take many


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
    batches, known, note = make_batches(method, examples, config.batch_size, recipe.seed)
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
        note=note,
    )


def make_batches(
    method: Method, examples: Sequence[Any] | Iterable[Any], size: int, seed: int
) -> tuple[Batches, Sequence[str], str]:
    """Batches; sentences to look at: the corpus itself, premises of triplets, the head of a stream; what to tell."""
    usable = method.usable()
    if isinstance(examples, Sequence):
        method.check_examples(examples)
        known = examples if isinstance(examples[0], str) else [example[0] for example in examples]
        note = _usable_share(method, examples[:: max(1, len(examples) // LOOKED_AT)][:LOOKED_AT])
        return IndexedBatches(examples, size, seed, method.tokenize, usable), known, note
    head = list(islice(examples, HEAD))
    if not head:
        raise ValueError("the streamed source gave no example; check its name, split and column")
    method.check_examples(head)
    note = _usable_share(method, head[:LOOKED_AT])
    return StreamedBatches(examples, size, seed, method.tokenize, usable=usable), head, note


def _usable_share(method: Method, sample: Sequence[Any]) -> str:
    """How many of the examples the method can use, in words; empty where it takes all."""
    usable = method.usable()
    if usable is None:
        return ""
    found = [usable(tokens) for tokens in method.tokenize(list(sample))]
    return f"{100 * sum(found) / len(found):.0f} % of sentences usable"
