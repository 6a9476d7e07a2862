"""Recordings in a run's format, of synthetic sentences that cluster by topic while the loss falls."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import numpy.typing as npt

TOPICS = (
    "Arts",
    "Biology",
    "Everyday life",
    "Geography",
    "History",
    "Mathematics",
    "Philosophy",
    "Physics",
    "Society",
    "Technology",
    "Sport",
)
WORDS = "river city album treaty cell engine theorem comet market league painting bridge army language forest".split()
SPAN, STEPS, NEAREST = 2.0, 32767, 5


def unit(points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))


def packed(values: npt.NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.asarray(values).astype(kind).tobytes()).decode("ascii")


def texts(count: int, seed: int = 0) -> list[str]:
    random = np.random.default_rng(seed)
    return [
        f"The {WORDS[random.integers(15)]} of <b>{TOPICS[n % 11]}</b> & the {WORDS[random.integers(15)]}, sentence {n}."
        for n in range(count)
    ]


def clouds(count: int, width: int, probes: int, seed: int, pull: float) -> list[npt.NDArray[Any]]:
    """Unit vectors at each probe: from a cone to eleven groups."""
    random = np.random.default_rng(0)  # the start is one and the same
    start = random.standard_normal((count, width)) * 0.6 + 1.1 * random.standard_normal(width)
    middles = random.standard_normal((11, width)) * pull
    noise = np.random.default_rng(seed + 1).standard_normal((count, width)) * 0.5
    goal = middles[np.arange(count) % 11] + noise
    shares = 1 - np.exp(-np.linspace(0, 3, probes))
    return [unit((1 - share) * start + share * goal) for share in shares]


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
    """The output of ``clwork.training.recording`` for a run with ``probes`` probes, one every ``every`` steps."""
    seen = clouds(count, width, probes, seed, pull)
    mean = seen[0].mean(axis=0)
    _, strengths, axes = np.linalg.svd(seen[0] - mean, full_matrices=False)
    axes = axes[: min(8, len(axes))]
    shares = (strengths**2 / (strengths**2).sum())[: len(axes)]
    made, rows = [], []
    random = np.random.default_rng(seed)
    for index, points in enumerate(seen):
        at = np.rint((points - mean) @ axes.T / SPAN * STEPS)
        cosines = points @ points.T - 2 * np.eye(count)
        spread = points - points.mean(axis=0)
        made.append(
            {
                "step": index * every,
                "at": packed(at, "<i2"),
                "near": packed(np.argsort(-cosines, axis=1)[:, :NEAREST], "<u2"),
                "share": float(((spread @ axes.T) ** 2).sum() / (spread**2).sum()),
            }
        )
    for step in range((probes - 1) * every + 1):
        row: dict[str, Any] = {"step": step}
        if step:
            row["loss"] = 0.2 + 1.6 * float(np.exp(-step / (2.5 * every))) + 0.08 * float(random.standard_normal())
        if step % every == 0:
            gaps = ((seen[step // every][:, None] - seen[step // every][None]) ** 2).sum(-1)
            row["uniformity"] = float(np.log(np.exp(-2 * gaps)[np.triu_indices(count, 1)].mean()))
            row["alignment"] = float(np.mean([gaps[n, (n + 11) % count] for n in range(count)]))
        if step == 4 * every:
            row["events"] = [{"moved": {"temperature": [0.05, 0.1]}}]
        if step == 7 * every:
            row["events"] = [{"paused": 12.0}]
        rows.append(row)
    return {
        "name": f"made-{seed}",
        "method": "simcse",
        "title": "SimCSE",
        "total_steps": (probes - 1) * every,
        "status": "finished",
        "texts": texts(count),
        "labels": [TOPICS[n % 11] for n in range(count)],
        "axes": len(axes),
        "span": SPAN,
        "share": [float(share) for share in shares],
        "measurements": made,
        "rows": rows,
        "columns": {"loss": {"title": "loss", "scale": 1.0, "better": "", "cell": "loss"}},
        "settings": {},
        "seed": seed,
    } | more
