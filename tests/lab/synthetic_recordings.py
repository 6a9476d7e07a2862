"""Recordings in a run's format, of synthetic sentences that cluster by topic while the loss
falls."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from clwork.arithmetic import unit_rows
from clwork.run_folder import positions

TOPICS = [
    "Arts",
    "Biology",
    "Home",
    "Geography",
    "History",
    "Mathematics",
    "Philosophy",
    "Physics",
    "Society",
    "Technology",
    "Sport",
]
WORDS = [
    "river",
    "city",
    "album",
    "treaty",
    "cell",
    "engine",
    "theorem",
    "comet",
    "market",
    "league",
    "painting",
    "bridge",
    "army",
    "language",
    "forest",
]


def texts(count: int, seed: int = 0) -> list[str]:
    random = np.random.default_rng(seed)
    return [
        f"The {WORDS[random.integers(15)]} of <b>{TOPICS[n % 11]}</b> & the "
        f"{WORDS[random.integers(15)]}, sentence {n}."
        for n in range(count)
    ]


def clouds(count: int, width: int, probes: int, seed: int, pull: float) -> list[npt.NDArray[Any]]:
    """Unit vectors at each probe: from a cone to eleven groups."""
    # the start is one and the same
    random = np.random.default_rng(0)
    start = random.standard_normal((count, width)) * 0.6 + 1.1 * random.standard_normal(width)
    middles = random.standard_normal((11, width)) * pull
    noise = np.random.default_rng(seed + 1).standard_normal((count, width)) * 0.5
    goal = middles[np.arange(count) % 11] + noise
    shares = 1 - np.exp(-np.linspace(0, 3, probes))
    return [unit_rows((1 - share) * start + share * goal) for share in shares]


def recording(
    *,
    count: int = 120,
    width: int = 24,
    probes: int = 12,
    every: int = 10,
    seed: int = 0,
    pull: float = 1.3,
    **more: Any,
) -> dict[str, Any]:
    """The output of ``clwork.training.recording`` for a run with ``probes`` probes, one every
    ``every`` steps."""
    seen = clouds(count, width, probes, seed, pull)
    basis, shares = positions.fit_basis(seen[0])
    made = [
        {"step": index * every, **positions._encoded(points, basis)}
        for index, points in enumerate(seen)
    ]
    rows, random = [], np.random.default_rng(seed)
    for step in range((probes - 1) * every + 1):
        row: dict[str, Any] = {"step": step}
        if step:
            row["loss"] = (
                0.2
                + 1.6 * float(np.exp(-step / (2.5 * every)))
                + 0.08 * float(random.standard_normal())
            )
        if step % every == 0:
            gaps = ((seen[step // every][:, None] - seen[step // every][None]) ** 2).sum(-1)
            row["uniformity"] = float(np.log(np.exp(-2 * gaps)[np.triu_indices(count, 1)].mean()))
            row["alignment"] = float(np.mean([gaps[n, (n + 11) % count] for n in range(count)]))
        if step == 4 * every:
            row["events"] = [{"moved": {"temperature": [0.05, 0.1]}}]
        if step == 7 * every:
            row["events"] = [{"resumed": 69}]
        rows.append(row)
    return {
        "name": f"made-{seed}",
        "method": "simcse",
        "title": "SimCSE",
        "total_steps": (probes - 1) * every,
        "status": "finished",
        "texts": texts(count),
        "labels": [TOPICS[n % 11] for n in range(count)],
        "axes": len(basis) - 1,
        "span": positions.SPAN,
        "share": shares,
        "measurements": made,
        "rows": rows,
        "settings": {},
        "seed": seed,
    } | more
