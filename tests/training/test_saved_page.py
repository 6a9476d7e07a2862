"""A run writes itself as a page, from this kernel or read back from its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

import clwork


def test_a_run_saves_its_own_page(tmp_path: Path, trained: clwork.Run) -> None:
    run = trained
    page = run.save_page(tmp_path / "run.html")
    assert page == tmp_path / "run.html" and run.name in page.read_text(encoding="utf-8")
    stored = clwork.open_run(run.folder).save_page(str(tmp_path / "stored.html"))
    assert run.name in stored.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="is a folder; name a file in it"):
        run.save_page(tmp_path)
    with pytest.raises(TypeError, match="path="):
        run.save_page(3)  # type: ignore[arg-type]
