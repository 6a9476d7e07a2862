"""Inputs that ``encode`` accepts and refuses; any text has a finite vector that does not depend on
the batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clwork.encoders import Encoder, load_encoder, textcnn

from ..refusals import not_refused
from .conftest import TEXTS
from .test_textcnn import write_vectors

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
QUICK = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def encoder(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="mean", device="cpu")


@pytest.fixture(scope="module")
def cnn(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    vectors = write_vectors(tmp_path_factory.mktemp("vectors") / "few.txt")
    return textcnn(str(vectors), regions=(1, 2), filters=3, device="cpu")


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "a number": (5, TypeError, "texts=5 is int; give a list"),
    "one text": ("a cat", TypeError, "texts='a cat' is str; give a list"),
    "bytes": (b"a cat", TypeError, "texts=b'a cat' is bytes"),
    "a set": ({"a", "b"}, TypeError, "is set; give a list"),
    "a dict": ({"a": "b"}, TypeError, "is dict; give a list"),
    "a table": (pd.DataFrame({"text": ["a"]}), TypeError, "is DataFrame; .*one of its columns"),
    "None inside": (
        ["a", None],
        TypeError,
        "row 1: None is NoneType; every sentence must be a str",
    ),
    "NaN inside": (pd.Series(["a", np.nan]), TypeError, "row 1: nan is float; every sentence"),
    "numbers": (range(3), TypeError, "row 0: 0 is int"),
    "a number of 5,000 digits": ([10**5000], TypeError, "row 0: an int of 16610 bits"),
}


def test_unsupported_texts_are_refused(encoder: Encoder, cnn: Encoder) -> None:
    cases = [
        (f"{name}, {each.name}", partial(each.encode, texts), error, words)
        for name, (texts, error, words) in REFUSED.items()
        for each in (encoder, cnn)
    ]
    assert not_refused(cases) == []


def test_every_ordered_kind_is_taken(encoder: Encoder, cnn: Encoder) -> None:
    def generator() -> Iterator[str]:
        yield from TEXTS

    for each in (encoder, cnn):
        want = each.encode(TEXTS).tobytes()
        kinds: list[Any] = [
            tuple(TEXTS),
            generator(),
            iter(TEXTS),
            np.array(TEXTS),
            np.array(TEXTS, dtype=object),
        ]
        kinds += [
            pd.Series(TEXTS, index=[9, 8, 7, 6, 5]),
            pd.Index(TEXTS),
            dict(enumerate(TEXTS)).values(),
        ]
        kinds += [map(np.str_, TEXTS)]
        for texts in kinds:
            assert each.encode(texts).tobytes() == want
        empties: list[Any] = [[], (), iter([]), np.array([], dtype=str), pd.Series([], dtype=str)]
        for empty in empties:
            assert each.encode(empty).shape == (0, each.dim)


@QUICK
@given(st.lists(TEXT, max_size=5))
def test_any_texts_give_finite_vectors(encoder: Encoder, cnn: Encoder, texts: list[str]) -> None:
    for each in (encoder, cnn):
        vectors = each.encode(texts)
        assert vectors.shape == (len(texts), each.dim) and vectors.dtype == np.float32
        assert np.isfinite(vectors).all()
