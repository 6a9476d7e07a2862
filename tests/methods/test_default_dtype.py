"""Every method trains in float32, whatever PyTorch's default dtype is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.methods import names

from ..encoders.conftest import small_encoder


@pytest.fixture
def double() -> Iterator[None]:
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("method", names())
def test_a_run_is_the_same_at_default_float64(method: str, double: None, tmp_path: Path) -> None:
    about: dict[str, Any] = {
        "batch_size": 8,
        "steps": 2,
        "device": "cpu",
        "probe_every": 2,
        "eval_every": 100,
    }
    about |= {"complementary_steps": 1} if method == "dclr" else {}
    about |= {"encoder": "textcnn:mini" if method == "gclsr" else small_encoder()}
    sentences = list(clwork.data.sentences("wikipedia-mini")[:64])
    runs = []
    for dtype in (torch.float32, torch.float64):
        torch.set_default_dtype(dtype)
        runs.append(clwork.start(method, sentences=sentences, **about).wait())
    usual, other = (run.history["loss"].dropna().tolist() for run in runs)
    assert len(usual) == 2 and other == pytest.approx(usual, rel=1e-4)
    assert runs[1].training.loop is not None
    floating = {
        t.dtype for t in runs[1].training.loop.method.state_dict().values() if t.is_floating_point()
    }
    assert floating == {torch.float32}
