"""Make the silver pairs that ship with clwork: sentences, scored by a strong encoder.

``python scripts/silver_pairs.py`` writes ``clwork/data/silver/silver.json.gz``: 2,000 pairs of
wikipedia-mini, as many in each of forty equal steps of the cosine from 0 to .9, and no sentence
twice. Pairs drawn blindly would nearly all be unrelated. The scores are a model's opinion, not
people's. It takes some minutes on two cores, most of them for the vectors.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.metadata
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clwork import data, load_encoder
from clwork.data.sts import SILVER
from clwork.encoders.loading import REPOSITORY, STRONG, strong_folder
from clwork.encoders.saving import WEIGHTS

CLWORK = Path(__file__).resolve().parents[1] / "clwork"
CORPUS = "wikipedia-mini"
PAIRS = 2000
# Equal steps of the cosine, from 0 to the highest.
STEPS = 40
HIGHEST = 0.9
# Longer sentences make several statements.
MOST_WORDS = 25
# Sentences compared with all others at a time.
BLOCK = 512
# Of a step, from each block.
CANDIDATES = 60
DIGITS = 4

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int64]


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"a multiple of {STEPS}")
    parser.add_argument(
        "--sentences", type=int, metavar="N", help="take the first N alone, to see it work"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--place", type=Path, metavar="FILE", help="where to write")
    options = parser.parse_args(arguments)
    if options.place is None:
        options.place = CLWORK / "data" / "silver" / SILVER
    return options


def strong_hash() -> str:
    """SHA-256 of the strong encoder's weights, as its package holds them."""
    folder = strong_folder()
    assert folder is not None, "install the extra `strong`"
    return hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()


def versions() -> dict[str, Any]:
    """Today's date, and the versions of the packages that determine the vectors."""
    packages = ("torch", "transformers", "numpy", "sentencex")
    found = {name: importlib.metadata.version(name) for name in packages}
    return {"date": datetime.now(UTC).date().isoformat(), "versions": found}


def candidates(vectors: Floats, generator: np.random.Generator) -> list[Whole]:
    """For each step of the cosine, pairs of rows in random order: arrays ``(2, P)``."""
    found: list[list[Whole]] = [[] for _ in range(STEPS)]
    for start in range(0, len(vectors), BLOCK):
        block = vectors[start : start + BLOCK]
        step = np.floor((block @ vectors.T) * (STEPS / HIGHEST)).astype(np.int16)  # (B, N)
        # A sentence with itself is no pair.
        step[np.arange(len(block)), np.arange(start, start + len(block))] = -1
        flat = step.ravel()
        for number, pairs in enumerate(found):
            in_step = np.flatnonzero(flat == number)
            chosen = generator.choice(in_step, min(CANDIDATES, len(in_step)), replace=False)
            pairs.append(np.stack([start + chosen // len(vectors), chosen % len(vectors)]))
    together = (np.concatenate(pairs, axis=1) for pairs in found)
    return [generator.permutation(pairs, axis=1) for pairs in together]


def choose(found: list[Whole], each: int) -> list[tuple[int, int]]:
    """``each`` pairs of every step, no row twice; steps with few candidates choose first."""
    used: set[int] = set()
    chosen: list[tuple[int, int]] = []
    for number in sorted(range(len(found)), key=lambda step: found[step].shape[1]):
        before = len(chosen)
        for first, second in found[number].T.tolist():
            if len(chosen) - before < each and not {first, second} & used:
                used |= {first, second}
                chosen.append((first, second))
        if len(chosen) - before < each:
            low = number * HIGHEST / STEPS
            raise ValueError(
                f"{len(chosen) - before} of {each} pairs at cosines from {low:.3f}; "
                "give more sentences"
            )
    return chosen


def made(texts: list[str], pairs: int, seed: int) -> dict[str, Any]:
    """The pairs with their cosines, and where they come from."""
    generator = np.random.default_rng(seed)
    vectors = load_encoder(STRONG).encode(texts)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs_of_rows = choose(candidates(vectors, generator), pairs // STEPS)
    chosen = generator.permutation(np.array(pairs_of_rows))  # (P, 2)
    first, second = chosen.T
    cosines = (vectors[first].astype(np.float64) * vectors[second]).sum(axis=1)
    provenance = {
        "evaluator": f"cosines of {REPOSITORY}: a model's opinion, not people's",
        "sha256": strong_hash(),
        "corpus": CORPUS,
        "licence": "CC BY-SA 4.0, by the authors of Wikipedia",
        "range": [0.0, HIGHEST],
        "most_words": MOST_WORDS,
        "seed": seed,
        **versions(),
    }
    return {
        "provenance": provenance,
        "sentences1": [texts[row] for row in first],
        "sentences2": [texts[row] for row in second],
        "scores": [round(float(cosine), DIGITS) for cosine in cosines],
    }


def main(arguments: list[str] | None = None) -> int:
    """Encode, choose, write and print."""
    options = parse(arguments)
    corpus = data.sentences(CORPUS)
    assert isinstance(corpus, data.Sentences)
    texts = [text for text in corpus if text.count(" ") < MOST_WORDS][: options.sentences]
    pairs = made(texts, options.pairs, options.seed)
    content = json.dumps(pairs, ensure_ascii=False, separators=(",", ":"))
    options.place.parent.mkdir(parents=True, exist_ok=True)
    options.place.write_bytes(gzip.compress(content.encode("utf-8"), mtime=0))
    print(f"{options.place}: {options.pairs:,} pairs, {options.place.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
