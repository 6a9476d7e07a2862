"""The numbers that the tests of the training page compare with are those of clwork."""

from __future__ import annotations

import json

import pytest

from scripts import page_reference


def test_the_reference_of_the_training_page_is_what_clwork_computes() -> None:
    """If this fails, run python scripts/page_reference.py."""
    saved = json.loads(page_reference.REFERENCE.read_text(encoding="utf-8"))
    computed = json.loads(json.dumps(page_reference.computed()))
    for name in ("seed", "odd_texts", "ids"):
        assert saved[name] == computed[name], name

    # Other processors round in another order; 40 steps amplify that.
    for old_row, new_row in zip(saved["steps"], computed["steps"], strict=True):
        assert old_row == pytest.approx(new_row, rel=2e-3)
    for old, new in zip(saved["gradients"], computed["gradients"], strict=True):
        assert old["texts"] == new["texts"]
        assert old["loss"] == pytest.approx(new["loss"], rel=1e-5)
        assert old["gradients"].keys() == new["gradients"].keys()
        for parameter, gradient in new["gradients"].items():
            size = max(gradient["norm"], 1e-3)
            expected = pytest.approx(gradient["projections"], abs=1e-4 * size)
            assert old["gradients"][parameter]["projections"] == expected, parameter
