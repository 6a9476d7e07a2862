"""A look at the geometry: cheap beside the steps it interrupts, and measured without rounding."""

from __future__ import annotations

import numpy as np
import torch

import clwork
from clwork import data, metrics
from clwork.training.probe import CLOUD, MANY_PAIRS, PAIRS, make_probe

from .conftest import SHORT


def test_a_look_measures_what_encode_gives(corpus: clwork.data.Sentences) -> None:
    encoder = clwork.load_encoder(SHORT["encoder"], device="cpu")
    probe = make_probe(corpus, None)
    found = probe.measure(encoder, 7)
    assert (len(probe.texts), len(probe.pairs), probe.vectors_step) == (len(corpus), PAIRS, 7)
    assert probe.vectors is not None and np.allclose(probe.vectors, encoder.encode(probe.texts), atol=1e-5)
    assert found["uniformity"] == metrics.uniformity(probe.vectors)


def test_a_probe_says_on_how_many_it_measures(corpus: clwork.data.Sentences) -> None:
    assert make_probe(corpus, None).about == (
        "alignment of 20 pairs (paraphrases written for clwork), uniformity of 64 sentences"
    )
    few = make_probe(corpus[:30], None)
    assert "30 sentences" in few.about and few.more_texts == []
    numbers = [str(n) for n in range(400)]
    sts = data.StsPairs("stsb", numbers, numbers, [5.0] * 300 + [4.0] * 100)
    gold = make_probe(corpus, sts)
    assert len(gold.pairs) + len(gold.more_pairs) == MANY_PAIRS and "score above 4" in gold.about


def test_bfloat16_is_for_encoding_not_for_the_measures(corpus: clwork.data.Sentences) -> None:
    encoder = clwork.load_encoder(SHORT["encoder"], device="cpu")
    probe, exact = make_probe(corpus, None), make_probe(corpus, None)
    found = probe.measure(encoder, 0, torch.autocast("cpu", torch.bfloat16))
    expected = exact.measure(encoder, 0)
    assert probe.vectors is not None and exact.vectors is not None
    assert probe.vectors.dtype == np.float32 and not np.array_equal(probe.vectors, exact.vectors)
    assert found["uniformity"] == metrics.uniformity(probe.vectors)
    assert all(abs(found[name] - expected[name]) < 0.05 * max(1.0, abs(expected[name])) for name in found)


def test_a_run_looks_at_the_precision_it_trains_at(corpus: clwork.data.Sentences) -> None:
    run = clwork.train("simcse", sentences=corpus, steps=1, precision="bfloat16", **SHORT)
    assert run.probe is not None and run.probe.vectors is not None
    calm = run.encoder.encode(run.probe.texts)
    assert not np.array_equal(run.probe.vectors, calm) and np.allclose(run.probe.vectors, calm, atol=0.1)


def test_sentences_of_the_cloud_are_spread_and_readable() -> None:
    """Of each stretch of the corpus one, and a short one where the next few have any."""
    long, short = "many words " * 20, "A few words, number "
    corpus = [f"{short}{n}." if n % 4 == 3 else f"{long}{n}" for n in range(10 * CLOUD)]
    probe = make_probe(corpus, None)
    numbers = [int(text.removeprefix(short).rstrip(".")) for text in probe.texts]
    assert len(numbers) == CLOUD and numbers == sorted(set(numbers))
    assert all(10 * place <= number < 10 * place + 5 for place, number in enumerate(numbers))
    assert not set(probe.texts) & set(probe.more_texts)
    dense = [f"{long}{n}" for n in range(400)]
    assert len(set(make_probe(dense, None).texts)) == CLOUD, "where stretches are of one sentence, each is taken"
