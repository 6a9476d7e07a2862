"""The odd one out, against loops over pairs."""

from __future__ import annotations

import numpy as np
import pytest

from clwork import metrics


def test_it_is_what_loops_over_pairs_find() -> None:
    x = np.random.default_rng(3).standard_normal((7, 5)) + 0.5
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    means = [np.mean([unit[i] @ unit[j] for j in range(7) if j != i]) for i in range(7)]
    odd = metrics.odd_one_out(x)
    assert odd.row == int(np.argmin(means))
    assert odd.cosine == pytest.approx(min(means))
    left = [k for k in range(7) if k != odd.row]
    assert odd.others == pytest.approx(np.mean([unit[i] @ unit[j] for i in left for j in left if i != j]))
    assert odd.others > odd.cosine


def test_lengths_do_not_matter_and_equals_give_the_first() -> None:
    x = np.random.default_rng(4).standard_normal((5, 3))
    assert metrics.odd_one_out(x * [[1], [9], [2], [0.1], [5]]).row == metrics.odd_one_out(x).row
    assert list(metrics.odd_one_out(np.ones((4, 2)))) == pytest.approx([0, 1, 1])


def test_two_have_no_odd_one() -> None:
    with pytest.raises(ValueError, match="at least 3 rows"):
        metrics.odd_one_out(np.eye(2))
