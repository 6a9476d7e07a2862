"""Strategies of property tests: any text, and any finite tensor.

Tensors may have rows of zeros and norms of 1e±30.
"""

from __future__ import annotations

from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import torch
from hypothesis import settings
from hypothesis import strategies as st

HOLD = settings(max_examples=25, deadline=None, derandomize=True)
"""The same examples on every machine: what fails, fails for everybody."""

words = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30
)
"""Any text without zero characters and halves of surrogate pairs."""

texts = words.filter(lambda text: bool(text.strip()))
"""The same, not blank."""


@st.composite
def clouds(
    draw: st.DrawFn,
    *,
    least: int = 1,
    most: int = 8,
    widths: tuple[int, ...] = (4,),
    far: float = 1e30,
) -> Any:
    """A finite float32 matrix: entries up to ``far``, or rows of very different length."""
    rows = draw(st.integers(least, most))
    width = draw(st.sampled_from(widths))
    if draw(st.booleans()):
        most_float = float(np.float32(far))
        entries = st.floats(-most_float, most_float, width=32, allow_subnormal=False)
        return torch.from_numpy(draw(hnp.arrays(np.float32, (rows, width), elements=entries)))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32 - 1)))
    cloud = torch.randn(rows, width, generator=generator)
    length = st.sampled_from([0.0, 1 / far, 1e-6, 1.0, 1e6, far / 10])
    lengths = draw(st.lists(length, min_size=rows, max_size=rows))
    return cloud * torch.tensor(lengths)[:, None]


@st.composite
def plain(draw: st.DrawFn, *shape: int, dtype: torch.dtype = torch.float64) -> Any:
    """Ordinary vectors of this shape, none of them zero."""
    seed = draw(st.integers(0, 2**32 - 1))
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


@st.composite
def rotations(draw: st.DrawFn, width: int) -> Any:
    """An orthogonal matrix, float64."""
    return torch.linalg.qr(draw(plain(width, width)))[0]
