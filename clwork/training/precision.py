"""Which arithmetic the encoder's forward pass gets: bfloat16 where it is faster here, else float32.

A processor that names bfloat16 among its abilities may still be slower with it, so on a CPU a short trial decides.
Loss, softmax, normalisation and metrics are float32 whatever is chosen here.
"""

from __future__ import annotations

import statistics
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch

FASTER = 1.3  # what bfloat16 must gain in the trial: in a step, it also has to pay for conversions
ROUNDS = 15
SHAPE = (1024, 256, 1024)  # rows, inputs, outputs: a feed-forward layer of the mini encoder, a quarter of a batch
ABILITIES = {"avx512_bf16", "amx_bf16", "arm_bf16", "bf16"}  # as PyTorch and Linux call them


class Precision(NamedTuple):
    """The name of a torch dtype, and a sentence that says why."""

    name: str
    why: str


def resolve(wish: str, device: str) -> Precision:
    """What ``precision=wish`` comes to on a device; ``"auto"`` is decided here, anything else is taken at its word.

    >>> resolve("float32", "cpu")
    Precision(name='float32', why='float32: as asked for')
    """
    if wish != "auto":
        return Precision(wish, f"{wish}: as asked for")
    kind = torch.device(device).type
    if kind == "cuda":
        if torch.cuda.is_bf16_supported(including_emulation=False):
            return Precision("bfloat16", "bfloat16: this GPU has it natively")
        return Precision("float32", "float32: this GPU has no bfloat16 of its own")
    if kind != "cpu":
        return Precision("float32", f"float32: on {kind!r} nothing else is chosen without being asked for")
    if not abilities() & ABILITIES:
        return Precision("float32", "float32: this processor has no bfloat16 of its own")
    ratio = trial()
    told = f"{ratio:.1f} times as fast as float32 in a trial of matrix products on this processor"
    if ratio >= FASTER:
        return Precision("bfloat16", f"bfloat16: {told}")
    return Precision("float32", f"float32: this processor has bfloat16, but it was only {told}")


def abilities() -> set[str]:
    """What the processor says it can do, by name; empty where neither PyTorch nor Linux tells."""
    query = getattr(torch.cpu, "get_capabilities", None)  # not in every PyTorch that clwork runs with
    if query is not None:
        return {name for name, has in query().items() if has is True}
    listed = Path("/proc/cpuinfo")
    return set(listed.read_text().split()) if listed.is_file() else set()


@cache
def trial() -> float:
    """How many times as fast bfloat16 is as float32, in matrix products taken in turns; once a process.

    The smaller of two answers, that of the best turns and that of the median turn: beside busy neighbours either may be
    luck.
    """
    rows, inputs, outputs = SHAPE
    pairs = [
        (torch.ones(rows, inputs, dtype=dtype), torch.ones(inputs, outputs, dtype=dtype))
        for dtype in (torch.float32, torch.bfloat16)
    ]
    turns = [[_seconds(left, right) for left, right in pairs] for _ in range(1 + ROUNDS)][1:]  # the first: to get ready
    exact, rounded = (min(times) for times in zip(*turns, strict=True))
    ratios = [one / other for one, other in turns]
    return float(min(exact / rounded, statistics.median(ratios)))


def _seconds(left: torch.Tensor, right: torch.Tensor) -> float:
    started = time.perf_counter()
    left @ right
    return time.perf_counter() - started
