"""The files of the page of two encoders: weights in few bits from which the page recovers both encoders."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import clwork
from scripts.site.page_encoder import packed, rounded, tensors

from .small import moved

pytestmark = pytest.mark.nightly


def test_weights_are_few_bytes_and_both_encoders_can_be_recovered() -> None:
    raw = clwork.load_encoder("mini")
    trained = moved(raw)
    order, content = packed(raw, trained)
    assert len(content) < 8e6
    data = gzip.decompress(content)
    at = 0
    for listed, (name, first, matrix), (_, second, _) in zip(order, tensors(raw), tensors(trained), strict=True):
        rows, columns = listed["rows"], listed["columns"]
        assert (listed["name"], listed["matrix"]) == (name, matrix)
        if not matrix:
            found = np.frombuffer(data, "<f4", 2 * columns, at).reshape(2, columns)
            assert np.array_equal(found, np.stack([first.ravel(), second.ravel()]))
            at += 8 * columns
            continue
        scales = np.frombuffer(data, "<f4", rows, at)[:, None]
        levels = np.frombuffer(data, np.int8, rows * columns, at + 4 * rows).reshape(rows, columns)
        at += rows * (4 + columns)
        steps = np.frombuffer(data, "<f4", rows, at)[:, None]
        pairs = np.frombuffer(data, np.uint8, rows * columns // 2, at + 4 * rows).reshape(rows, -1)
        at += rows * (4 + columns // 2)
        differences = np.stack([pairs & 15, pairs >> 4], axis=2).reshape(rows, columns).astype(int) - 8
        assert (np.abs(levels * scales - first) <= 0.501 * scales + 1e-7).all()
        assert (np.abs(levels * scales + differences * steps - second) <= 0.501 * steps + 1e-7).all()
    assert at == len(data)
    assert rounded(np.zeros((1, 3), dtype=np.float32), 127)[1].tolist() == [0], "a row of zeros has no scale"
