"""Block of docs/scaling.md: large batches and several processes, as measured."""

from __future__ import annotations

import statistics
from typing import Any

EXTRA, MEMORY = 0.25, 4096  # targets: extra time of a batch in parts, and MiB of a batch of 4,096


def larger_of(measured: dict[str, Any] | None) -> str:
    """Table of seconds and memory, and what follows from it."""
    if measured is None:
        return "Not measured yet."
    values = measured["values"]
    seconds = {kind: statistics.median(one["seconds"] for one in rounds) for kind, rounds in values.items()}
    memory = {kind: max(one["mib"] for one in rounds) for kind, rounds in values.items()}
    lines = ["| SimCSE, batch | s a step | MiB of the process |", "|---|---|---|"]
    lines += [f"| {kind} | {seconds[kind]:.2f} | {memory[kind]:,.0f} |" for kind in values]
    pairs = zip(values["512 in parts of 64"], values["512 whole"], strict=True)
    ratios = [parts["seconds"] / whole["seconds"] - 1 for parts, whole in pairs]
    extra, most = statistics.median(ratios), memory["4096 in parts of 64"]
    one, two = (f"256 in parts of 32, {which}" for which in ("one process, one thread", "two processes"))
    gains = [a["seconds"] / b["seconds"] for a, b in zip(values[one], values[two], strict=True)]
    sent = statistics.median(each["gradients"] for each in values[two])
    machine = measured["machine"]
    held = {kind: statistics.median(one.get("held", 0.0) for one in rounds) for kind, rounds in values.items()}
    base = "16 in parts of 8, BERT-base, two processes"
    lines += [
        "",
        f"Encoder {measured['encoder']!r}, {machine['cores']} cores, torch {machine['torch']}; the median of "
        f"{measured['rounds']} rounds in turns (4,096 and streams once), each in a process of its own. A batch in "
        f"parts takes {100 * extra:+.0f} % more time ({100 * min(ratios):+.0f} to {100 * max(ratios):+.0f} %; at most "
        f"{100 * EXTRA:.0f} %: {met(extra <= EXTRA)}). A batch of 4,096 takes {most:,.0f} MiB (at most {MEMORY:,}: "
        f"{met(most <= MEMORY)}). Two processes of a thread each take a step {statistics.median(gains):.2f} times as "
        f"fast ({min(gains):.2f} to {max(gains):.2f}) as one process of one thread, of 2 that are possible; adding up "
        f"gradients, and waiting for the other process, takes {1000 * sent:.0f} ms of it.",
        "",
        f"Of an encoder of BERT-base's shape a process holds {held[base]:,.0f} MiB of weights, gradients and moments.",
    ]
    return "\n".join(lines)


def met(reached: bool) -> str:
    """The word for a target."""
    return "met" if reached else "**missed**"
