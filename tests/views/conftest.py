"""A synthetic history and cloud with known values, so that figures can be checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.fixture
def records() -> list[dict[str, Any]]:
    """Records of 1,200 steps: geometry every 10, proxies every 100, one spike in the loss, two events."""
    rows: list[dict[str, Any]] = [
        {"step": 0, "alignment": 0.2, "uniformity": -1.0, "topic_knn": 0.5}
    ]
    for step in range(1, 1201):
        row: dict[str, Any] = {
            "step": step,
            "loss": 4.0 * float(np.exp(-step / 100)) + 0.01,
            "probe_share": float("nan"),
        }
        if step % 10 == 0:
            row |= {"alignment": 0.2 + step / 1e4, "uniformity": -1.0 - step / 1e3}
        if step % 100 == 0:
            row |= {"topic_knn": 0.5 + step / 1e4}
        rows.append(row)
    rows[700]["loss"] = 9.0
    rows[300]["events"] = [{"moved": {"temperature": [0.05, 0.1]}}]
    rows[900]["event"] = "paused 3 s"  # as older runs have it
    return rows


@pytest.fixture
def cloud() -> tuple[np.ndarray[Any, Any], list[str]]:
    """120 vectors of width 16 around three centres, and their labels."""
    random = np.random.default_rng(0)
    labels = [("art", "law", "sea")[index % 3] for index in range(120)]
    centres = {"art": 3 * np.eye(16)[0], "law": 3 * np.eye(16)[1], "sea": 3 * np.eye(16)[2]}
    vectors = np.stack([centres[label] for label in labels]) + 0.3 * random.normal(size=(120, 16))
    return vectors.astype(np.float32), labels
