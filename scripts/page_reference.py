"""Reference numbers of PyTorch for the training page: losses, gradients and token ids.

``python scripts/page_reference.py`` writes ``js/test/page_training/reference.json``, with which the
tests of ``js/`` compare the page. Both sides draw the same dropout masks and the same head.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from clwork import data  # noqa: E402
from clwork.augmenters import Dropout  # noqa: E402
from clwork.encoders import load_encoder, packed  # noqa: E402
from clwork.encoders.tokens import Tokens  # noqa: E402
from clwork.methods.base import Draws, Views  # noqa: E402
from clwork.methods.simcse import SimCSE, SimCSEConfig  # noqa: E402
from clwork.methods.step import train_step  # noqa: E402

REFERENCE = ROOT / "js" / "test" / "page_training" / "reference.json"
SEED = 3
STEPS = 40
BATCH = 8
# of each gradient: number of sentences, and of the first words of each, so that shapes differ
SHAPES = ((8, 100), (5, 8))
PROJECTIONS = 8
GOLDEN = 0x9E3779B9
ODD_TEXTS = (
    "",
    "   ",
    "Crème brûlée, façade & naïveté!",
    "ΑΣ ΟΔΟΣ, ПРИВЕТ",
    "人工知能 and 日本",
    "emoji 🙂 here",
    "a\tb\nc\u00a0d\u200be\ufffdf",
    "don't stop—ever… (really?)",
    "[MASK] is [CLS] [ SEP ]",
    "x" * 101,
    "unbelievable antidisestablishmentarianism",
    "3.14 + 2,000 = $5 #1 @home",
    "İstanbul straße",
    "very long " * 60,
)


def mix(values: npt.ArrayLike) -> npt.NDArray[np.uint32]:
    """The last step of MurmurHash3, as in ``js/src/page_training/random.js``."""
    bits = np.asarray(values, dtype=np.uint32)
    bits = (bits ^ (bits >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    bits = (bits ^ (bits >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return bits ^ (bits >> np.uint32(16))


def stream_of(*integers: int) -> int:
    """Number of a stream of random numbers."""
    stream = 0
    for integer in integers:
        stream = int(mix([stream ^ int(mix([(integer + GOLDEN) & 0xFFFFFFFF])[0])])[0])
    return stream


def draw(stream: int, count: int) -> npt.NDArray[np.uint32]:
    """The first numbers of a stream."""
    with np.errstate(over="ignore"):
        return mix(np.uint32(stream) + np.arange(count, dtype=np.uint32) * np.uint32(GOLDEN))


def normal(count: int, deviation: float, stream: int) -> npt.NDArray[np.float64]:
    """Numbers from N(0, deviation²), by the formula of Box and Muller."""
    drawn = draw(stream, 2 * count).astype(np.float64)
    radius = np.sqrt(-2 * np.log((drawn[::2] + 1) / 2**32))
    angle = 2 * math.pi * drawn[1::2] / 2**32
    return np.asarray(deviation * radius * np.cos(angle))


def dropout_mask(shape: torch.Size, rate: float, stream: int) -> Tensor:
    """Zero with the probability ``rate``, else 1 / (1 - rate)."""
    count = math.prod(shape)
    dropped = min(round(rate * 65536), 65535)
    numbers = draw(stream, (count + 1) // 2).astype("<u4").view("<u2")[:count]
    kept = (numbers >= dropped) * (65536 / (65536 - dropped))
    return torch.from_numpy(kept.astype(np.float32)).view(shape)


class PageDropout(Dropout):
    """Dropout with the masks of the page."""

    def __init__(self, draws: Draws, hidden: float, attention: float) -> None:
        super().__init__(draws.dropout, hidden, attention)
        self.draws = draws

    def _drop(self, input: Tensor, rate: float) -> Tensor:
        self.calls += 1
        stream = stream_of(self.draws.seed, self.draws.step, 4, self.calls)
        return input * dropout_mask(input.shape, rate, stream)


class PageSimCSE(SimCSE):
    """SimCSE with the page's masks, head and padding; all else is clwork's."""

    def dropout(self, draws: Draws) -> Dropout:
        return PageDropout(draws, self.config.dropout_hidden, self.config.dropout_attention)

    def encode(self, batch: Sequence[Tokens], draws: Draws) -> Views:
        rows = [row for view in self.rows(batch, draws) for row in view]
        width = max(16, 8 * math.ceil(max(map(len, rows)) / 8))
        ids = torch.zeros(len(rows), width, dtype=torch.int64)
        mask = torch.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = torch.tensor(row)
            mask[number, : len(row)] = 1
        assert self.head is not None
        with self.dropout(draws), patch.object(packed, "layout_of", lambda mask: None):
            z = self.head(self.encoder({"input_ids": ids, "attention_mask": mask}))
        first, second = z.chunk(2)
        return {"z1": first, "z2": second}


def make_method() -> PageSimCSE:
    """The method at the page's settings, with the page's head."""
    config = SimCSEConfig(
        batch_size=BATCH,
        learning_rate=7e-5,
        dropout_hidden=0.1,
        dropout_attention=0.4,
        pooling="cls",
        precision="float32",
    )
    method = PageSimCSE(load_encoder("mini", device="cpu"), config, torch.Generator())
    assert method.head is not None
    weight = method.head.dense.weight
    drawn = normal(weight.numel(), 0.02, stream_of(SEED, 0, 3)).astype(np.float32)
    weight.data.copy_(torch.from_numpy(drawn).view_as(weight))
    return method


def sentences() -> list[str]:
    """The sentences of the hand-written paraphrases, in the order of the file."""
    file = Path(data.__file__).parent / "handwritten" / "paraphrases.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    return [text for line in lines for text in json.loads(line).values()]


def batch_of(step: int) -> list[str]:
    """The sentences of a step."""
    texts = sentences()
    start = step * BATCH % len(texts)
    return texts[start : start + BATCH]


def projections(gradient: npt.NDArray[np.float32]) -> list[float]:
    """Sums of a gradient with random signs, whose differences show an error of any element."""
    flat = gradient.ravel().astype(np.float64)
    bits = draw(stream_of(9), len(flat))
    signed = (
        flat * (1.0 - 2.0 * ((bits >> np.uint32(k)) & np.uint32(1))) for k in range(PROJECTIONS)
    )
    return [float(numbers.sum()) for numbers in signed]


def losses() -> list[tuple[float, float]]:
    """Train for all steps; return loss and gradient norm of each."""
    method = make_method()
    optimizer = method.optimizer()
    rows = []
    for step in range(STEPS):
        batch = method.tokenize(batch_of(step))
        draws = Draws.of(SEED, step, torch.device("cpu"))
        _, terms, norm = train_step(method, optimizer, batch, draws, step, STEPS)
        rows.append((float(terms.loss.detach()), float(norm)))
    return rows


def loss_and_gradients(texts: Sequence[str]) -> tuple[float, dict[str, Tensor]]:
    """Loss and the gradient of each parameter, by its name in the file, before any update."""
    method = make_method()
    draws = Draws.of(SEED, 0, torch.device("cpu"))
    method.train()
    terms = method.compare(method.embed(method.tokenize(texts), draws))
    terms.loss.backward()  # type: ignore[no-untyped-call]
    assert method.head is not None
    parts = {"bert": method.encoder.backbone, "head": method.head}
    gradients = {}
    for part, module in parts.items():
        for name, weights in module.named_parameters():
            assert weights.grad is not None
            gradients[f"{part}.{name}"] = weights.grad
    return float(terms.loss.detach()), gradients


def gradient_batches() -> list[list[str]]:
    """The sentences of the batches whose gradients are compared."""
    texts = sentences()
    return [
        [" ".join(text.split()[:words]) for text in texts[: 2 * count : 2]]
        for count, words in SHAPES
    ]


def gradient_of(texts: Sequence[str]) -> dict[str, Any]:
    """Loss, and each gradient's norm and projections."""
    loss, gradients = loss_and_gradients(texts)
    sums = {
        name: {"norm": float(slope.double().norm()), "projections": projections(slope.numpy())}
        for name, slope in gradients.items()
    }
    return {"texts": list(texts), "loss": loss, "gradients": sums}


def computed() -> dict[str, Any]:
    """All reference numbers."""
    texts = sentences()
    encoder = load_encoder("mini", device="cpu")
    tokenized = [*texts, *ODD_TEXTS]
    return {
        "seed": SEED,
        "gradients": [gradient_of(batch) for batch in gradient_batches()],
        "steps": losses(),
        "odd_texts": list(ODD_TEXTS),
        "ids": [tokens.ids for tokens in encoder.tokenize(tokenized)],
    }


if __name__ == "__main__":
    REFERENCE.write_text(json.dumps(computed(), separators=(",", ":")) + "\n", encoding="utf-8")
