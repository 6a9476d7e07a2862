"""The Python blocks of README.md and of the pages in docs/ run as they stand, and the files that they name exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import clwork

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def run_page(name: str, shorter: dict[str, str] | None = None) -> dict[str, Any]:
    """Run all blocks of a page in one namespace, and return it; ``shorter`` replaces what would take minutes."""
    names: dict[str, Any] = {"__name__": name}
    for number, block in enumerate(BLOCK.findall(read(name))):
        for long, short in (shorter or {}).items():
            block = block.replace(long, short)
        exec(compile(block, f"{name}, block {number}", "exec"), names)
    return names


def test_every_page_with_python_is_run_here() -> None:
    pages = [f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")]
    assert {page for page in pages if BLOCK.search(read(page))} == {"docs/guide.md"}
    assert len(read("README.md").splitlines()) <= 75, "README is one screen"
    for page in ["README.md", *pages]:
        for number, block in enumerate(BLOCK.findall(read(page))):
            compile(block, f"{page}, block {number}", "exec")


def test_files_that_pages_name_are_there() -> None:
    seen = 0
    for page in ("CONTRIBUTING.md", "docs/architecture.md", "docs/decisions.md", "benchmarks/trials.md"):
        for name in re.findall(r"`((?:clwork|js|tests|benchmarks|scripts|docs)/[\w./-]+)`", read(page)):
            seen += 1
            assert (ROOT / name).exists(), f"{page}: {name}"
    assert seen > 30


@pytest.mark.nightly
class TestPagesRun:
    @pytest.fixture(autouse=True)
    def _elsewhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_readme(self) -> None:
        names = run_page("README.md", {"steps=300": "steps=2", '("wikipedia-mini")': '("wikipedia-mini")[:64]'})
        assert names["run"].status == "finished" and names["run"].step == 2
        assert set(names["run"].history) >= {"step", "loss", "alignment", "uniformity"}

    def test_the_guide(self, tmp_path: Path) -> None:
        """A small corpus; the loop and the trainer of sentence-transformers learn something that clwork reads."""
        texts = [text for pair in clwork.data.paraphrases()[:20] for text in pair]
        (tmp_path / "sentences.txt").write_text("\n".join([*texts, "The cat is asleep."]), encoding="utf-8")
        names = run_page("docs/guide.md")
        assert names["vectors"].shape == (len(texts) + 1, 256) and names["vectors"].dtype == np.float16
        assert names["found"].rows[0, 0] == len(texts) and names["found"].cosines[0, 0] > 0.999
        assert -4 < names["spread"] < 0 and names["places"].shape == (len(texts) + 1, 2)
        start, trained, sentences = names["encoder"], names["trained"], names["sentences"]
        assert torch.isfinite(names["loss"]) and names["loss"] > 0
        assert trained.pooling == start.pooling == "cls_before_pooler"
        np.testing.assert_allclose(trained.encode(sentences), names["model"].encode(sentences), atol=1e-5)
        assert np.abs(trained.encode(sentences) - start.encode(sentences)).max() > 1e-3, "the trainer moved no weight"
        assert (names["config"].micro_batch, names["config"].batch_size) == (32, 256)
