from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from clwork.projections import aligned_umap


def clouds(count: int, moments: int) -> list[npt.NDArray[np.float32]]:
    """Two groups of points that separate step by step."""
    random = np.random.default_rng(0)
    points = random.standard_normal((count, 6)).astype(np.float32)
    apart = np.where(np.arange(count) % 2, 1.0, -1.0)[:, None].astype(np.float32) * np.eye(1, 6, dtype=np.float32)
    return [points + 1.5 * moment * apart for moment in range(moments)]


@pytest.mark.nightly
def test_points_move_little_between_probes_and_groups_separate() -> None:
    laid = aligned_umap(clouds(60, 5), neighbours=10)
    assert [cloud.shape for cloud in laid] == [(60, 2)] * 5 and all(np.isfinite(cloud).all() for cloud in laid)
    moves = [float(np.linalg.norm(after - before, axis=1).mean()) for before, after in pairwise(laid)]
    last = laid[-1]
    apart = float(np.linalg.norm(last[::2].mean(axis=0) - last[1::2].mean(axis=0)))
    inside = float(
        np.mean([np.linalg.norm(group - group.mean(axis=0), axis=1).mean() for group in (last[::2], last[1::2])])
    )
    assert apart > 2 * inside, "what is apart in the space is apart in the picture"
    shuffled = float(np.linalg.norm(last - np.random.default_rng(1).permutation(last), axis=1).mean())
    assert max(moves) < 0.5 * shuffled, "from cloud to cloud the picture is the same one"
    again = aligned_umap(clouds(60, 5), neighbours=10)
    assert all(np.array_equal(one, two) for one, two in zip(laid, again, strict=True))
