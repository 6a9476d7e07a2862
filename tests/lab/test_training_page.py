"""The page in which SimCSE trains: what it holds, and that it equals what Python measures."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import numpy as np
import pytest

from clwork import lab
from clwork.lab import training_page
from clwork.lab.page import standalone
from clwork.recordings import coordinates, recording

from . import state_in


@pytest.fixture(scope="module")
def page() -> str:
    return training_page.training_page("mini/")


def test_the_page_is_small_and_requests_its_own_files_only(page: str) -> None:
    assert len(page.encode()) < 1_000_000
    assert len(standalone.module("front").encode()) < 400_000
    assert "connect-src 'self'" in page
    assert not re.search(r"""\b(?:src|href)=["']https?:""", page)
    assert '<meta name="description"' in page
    assert state_in(page)["mini"] == "mini/"


def test_its_first_cloud_is_that_of_the_recorded_run_on_the_same_axes(page: str) -> None:
    start = state_in(page)["kernel"]["start"]
    texts = state_in(page)["kernel"]["texts"]
    mean, *axes = (
        np.frombuffer(base64.b64decode(text), "<f4") for text in (start["mean"], *start["axes"])
    )
    vectors = training_page._unit_vectors(texts)
    places = (vectors - mean) @ np.array(axes).T
    # the recorded run measured in bfloat16
    assert np.abs(places - coordinates(recording("simcse"))[0]).max() < 0.004
    cosines = vectors @ vectors.T
    count = len(texts)
    mean_cosine = (cosines.sum() - count) / (count * (count - 1))
    assert start["values"]["mean_cosine"] == pytest.approx(mean_cosine, abs=1e-3)


def test_its_controls_are_those_that_the_trainer_in_the_page_has(page: str) -> None:
    kernel = state_in(page)["kernel"]
    names = {field["name"] for field in kernel["about"]["fields"]}
    assert names == set(training_page.FIELDS)
    assert kernel["defaults"].keys() == {"steps", "seed", *names}
    source = Path(__file__).parents[2] / "js" / "src" / "page_training" / "trainer.js"
    block = re.search(r"SETTINGS = \{(.*?)\}", source.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    assert kernel["defaults"].keys() <= set(re.findall(r"(\w+):", block[1]))


def test_one_file_holds_all_that_it_reads(tmp_path: Path) -> None:
    text = lab.save_training_page(tmp_path / "page.html").read_text(encoding="utf-8")
    for name, content in training_page.mini_files().items():
        held = re.search(rf'<script type="text/plain" id="clwork-{re.escape(name)}">(.*?)<', text)
        assert held is not None, name
        assert base64.b64decode(held[1]) == content
    sentences = training_page.mini_files()["sentences.txt"].decode().splitlines()
    assert len(set(sentences)) > 5000
    assert max(map(len, sentences)) <= training_page.LONGEST_SENTENCE
