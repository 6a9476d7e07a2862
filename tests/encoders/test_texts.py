"""Inputs that ``encode`` accepts and refuses; any text has a finite vector that does not depend on
the batch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clwork.encoders import Encoder, load_encoder

from .conftest import TEXTS
from .test_textcnn import few_words

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
QUICK = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def encoder(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="mean", device="cpu")


@pytest.fixture(scope="module")
def cnn() -> Encoder:
    return few_words(regions=(1, 2), filters=3)


REFUSED: list[tuple[Any, str]] = [
    ("a cat", "texts='a cat' is str; give a list"),
    ({"a", "b"}, "is set; give a list"),
    (pd.DataFrame({"text": ["a"]}), "is DataFrame; .*one of its columns"),
    (["a", None], "row 1: None is NoneType; every sentence must be a str"),
    (pd.Series(["a", np.nan]), "row 1: nan is float; every sentence"),
]


def test_unsupported_texts_are_refused(encoder: Encoder, cnn: Encoder) -> None:
    for texts, words in REFUSED:
        for each in (encoder, cnn):
            with pytest.raises(TypeError, match=words):
                each.encode(texts)


def test_every_ordered_kind_is_taken(encoder: Encoder, cnn: Encoder) -> None:
    for each in (encoder, cnn):
        want = each.encode(TEXTS).tobytes()
        kinds: list[Any] = [
            tuple(TEXTS),
            (text for text in TEXTS),
            np.array(TEXTS),
            np.array(TEXTS, dtype=object),
            pd.Series(TEXTS, index=[9, 8, 7, 6, 5]),
            dict(enumerate(TEXTS)).values(),
            map(np.str_, TEXTS),
        ]
        for texts in kinds:
            assert each.encode(texts).tobytes() == want
        empties: list[Any] = [[], iter([]), np.array([], dtype=str), pd.Series([], dtype=str)]
        for empty in empties:
            assert each.encode(empty).shape == (0, each.dim)


@QUICK
@given(st.lists(TEXT, max_size=5))
def test_any_texts_give_finite_vectors(encoder: Encoder, cnn: Encoder, texts: list[str]) -> None:
    for each in (encoder, cnn):
        vectors = each.encode(texts)
        assert vectors.shape == (len(texts), each.dim)
        assert vectors.dtype == np.float32
        assert np.isfinite(vectors).all()
