"""README.md, docs/ and notebooks: their Python runs, their links and files exist."""

from __future__ import annotations

import json
import pkgutil
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import clwork
from scripts import readme

ROOT = Path(__file__).resolve().parents[1]
BOOKS = [*readme.notebooks(), *readme.solutions()]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def run_page(name: str, shorter: dict[str, str] | None = None) -> dict[str, Any]:
    """Run all blocks of a page in one namespace; ``shorter`` replaces code that takes minutes."""
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


QUOTED = re.compile(r"`(clwork|lab|views|metrics|losses|augmenters|data)((?:\.[a-z_]\w*)+)")


def prose(path: Path) -> str:
    """The text of a page, or of a notebook's Markdown cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_names_quoted_in_prose_exist() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    found = [
        (path.name, *match.groups())
        for path in [*pages, *BOOKS]
        for match in QUOTED.finditer(prose(path))
    ]
    assert len(found) > 40
    for page, package, rest in found:
        name = f"{package}{rest}" if package == "clwork" else f"clwork.{package}{rest}"
        if name != "clwork.package.function":  # stands for any
            assert pkgutil.resolve_name(name) is not None, page


def code_of(path: Path) -> str:
    """The first code cell of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def test_generated_texts_are_up_to_date() -> None:
    stale = [
        path.name
        for path, text in readme.wanted().items()
        if path.read_text(encoding="utf-8") != text
    ]
    assert not stale, f"run python scripts/readme.py: {stale}"


def test_a_fresh_machine_installs_a_wheel_or_what_the_field_names() -> None:
    command = 'pip install -q "clwork[colab,offline] @ {address}"'
    for path in BOOKS:
        cell = code_of(path)
        assert re.findall(r"pip install .*", cell) == [command], path.name
        is_small = path.name.startswith(("08_", "11_"))
        at_scale = path.parent.name == "notebooks" and not is_small
        assert cell.count("lab.at_full_scale(FULL") == at_scale, path.name


# A file or folder in backticks, other code, or the target of a link; addresses have a colon.
FILE = re.compile(
    r"`((?:clwork|js|tests|benchmarks|scripts|docs)/[\w./-]+(?:/|\.\w+))`|`[^`\n]+`"
    r"|\]\(([^)\s#:]+)[)#]"
)


def test_every_file_that_a_page_names_or_links_to_exists() -> None:
    missing = []
    seen = 0
    trials = ROOT / "benchmarks" / "trials.md"
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), trials]:
        for name, target in FILE.findall(page.read_text(encoding="utf-8")):
            if not (name or target):
                continue
            seen += 1
            if not ((ROOT / name) if name else (page.parent / target)).exists():
                missing.append((page.name, name or target))
    assert seen > 60
    assert not missing


@pytest.mark.nightly
class TestPagesRun:
    @pytest.fixture(autouse=True)
    def _elsewhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_readme(self) -> None:
        names = run_page(
            "README.md", {"steps=300": "steps=2", '("wikipedia-mini")': '("wikipedia-mini")[:64]'}
        )
        assert names["run"].status == "finished"
        assert names["run"].step == 2
        assert set(names["run"].history) >= {"step", "loss", "alignment", "uniformity"}

    def test_the_guide(self, tmp_path: Path) -> None:
        """The loop and the trainer of sentence-transformers train encoders that clwork can load."""
        texts = [text for pair in clwork.data.paraphrases()[:20] for text in pair]
        (tmp_path / "sentences.txt").write_text(
            "\n".join([*texts, "The cat is asleep."]), encoding="utf-8"
        )
        names = run_page("docs/guide.md")
        assert names["vectors"].shape == (len(texts) + 1, 256)
        assert names["vectors"].dtype == np.float32
        assert names["found"].rows[0, 0] == len(texts)
        assert names["found"].cosines[0, 0] > 0.999
        start, trained, sentences = names["encoder"], names["trained"], names["sentences"]
        assert torch.isfinite(names["loss"])
        assert names["loss"] > 0
        assert trained.pooling == start.pooling == "cls_before_pooler"
        np.testing.assert_allclose(
            trained.encode(sentences), names["model"].encode(sentences), atol=1e-5
        )
        assert np.abs(trained.encode(sentences) - start.encode(sentences)).max() > 1e-3, (
            "the trainer moved no weight"
        )
        assert (names["config"].micro_batch, names["config"].batch_size) == (32, 256)
