"""A run as one HTML file: its texts escaped, no requests, from this kernel, from its folder or from
a recording."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import clwork
from clwork import lab


def test_save_page(tmp_path: Path, trained: clwork.Run) -> None:
    page = lab.save_page(trained, tmp_path / "run.html")
    text = page.read_text(encoding="utf-8")
    assert page == tmp_path / "run.html"
    assert f"<h1>{trained.name}</h1>" in text
    assert "iframe" in text
    assert f"step {trained.step} of {trained.total_steps}" in text
    assert "temperature" in text
    assert not re.search(r"""(?:src|href)=["']https?:""", text), (
        "the page must not request anything"
    )
    for source in (clwork.open_run(trained.folder), trained.folder):
        assert f"<h1>{trained.name}</h1>" in lab.save_page(
            source, tmp_path / "stored.html"
        ).read_text("utf-8")
    evil = clwork.recording("simcse") | {"name": "<script>alert(1)</script>"}
    assert "<script>alert(1)" not in lab.save_page(evil, tmp_path / "recorded.html").read_text(
        "utf-8"
    )


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="neither a run's folder nor one"):
        lab.save_page("nothing", tmp_path / "x.html")
