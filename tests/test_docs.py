"""The Python blocks of README.md and of the pages in docs/ run as they stand."""

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
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def run_page(path: Path, shorter: dict[str, str] | None = None) -> dict[str, Any]:
    """Run all blocks of a page in one namespace, and give it back; ``shorter`` replaces what would take minutes."""
    names: dict[str, Any] = {"__name__": path.stem}
    for number, block in enumerate(BLOCK.findall(path.read_text(encoding="utf-8"))):
        for long, short in (shorter or {}).items():
            block = block.replace(long, short)
        exec(compile(block, f"{path.name}, block {number}", "exec"), names)
    return names


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_page_with_python_is_run_here() -> None:
    assert {path.name for path in PAGES if BLOCK.search(path.read_text(encoding="utf-8"))} == {
        "README.md",
        "losses.md",
        "scaling.md",
        "using.md",
    }


def test_every_file_that_the_map_names_is_there() -> None:
    text, folder = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"), ROOT
    table, drawn = re.sub(r"```.*?```", "", text, flags=re.DOTALL), "".join(re.findall(r"```.*?```", text, re.DOTALL))
    named = re.findall(r"`([\w./-]+(?:\.(?:py|js|css|md|jsonl?)|/))`", table)
    assert len(named) > 60
    for name in named:  # a bare name is of the folder that was named before it
        path = ROOT / name if "/" in name else folder / name
        assert path.exists() or (ROOT / "clwork" / name).exists(), name
        folder = path.parent if path.suffix else path
    files = {path.relative_to(ROOT / "clwork").as_posix() for path in (ROOT / "clwork").rglob("*.py")}
    pictured = re.findall(r"[\w/]+\.py", drawn)
    assert len(pictured) > 10
    for name in pictured:
        assert any(f"/{file}".endswith(f"/{name}") for file in files), name


def test_what_the_page_for_contributors_names_is_there() -> None:
    text, tests = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), ROOT
    named = re.findall(r"`([\w./]+/[\w./]*|[\w./]+\.py)?(?:::(\w+))?`", text)
    assert sum(1 for _, test in named if test) > 30 and sum(1 for path, _ in named if path) > 60
    for path, test in named:  # a test without a file is of the one that was named before it
        assert (ROOT / path).exists(), path
        tests = ROOT / path if path.endswith(".py") else tests
        assert not test or f"def {test}(" in tests.read_text(encoding="utf-8"), f"{tests.name}::{test}"


def anchor(heading: str) -> str:
    """The name by which a page's address leads to one of its headings."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_records_of_decisions_are_short_numbered_dated_and_in_the_index() -> None:
    text = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    records = re.findall(r"^### (\d+)\. (.+)\n\n((?:.+\n)+)", text, re.MULTILINE)
    assert sorted(int(number) for number, _, _ in records) == list(range(1, text.count("\n### ") + 1))
    for number, title, body in records:
        assert re.match(r"\*20\d\d-\d\d-\d\d\.\* ", body), f"{number} needs its date"
        assert len(f"{title} {body}".split()) <= 80, f"{number} has more than 80 words"
    index = text[: text.index("\n## ")]
    assert re.findall(r"\(#([^)]+)\)", index) == [anchor(f"{number}. {title}") for number, title, _ in records]


def test_files_that_the_decisions_name_are_there() -> None:
    for page in ("docs/decisions.md", "docs/history.md", "benchmarks/trials.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for name in re.findall(r"`((?:clwork|js|tests|benchmarks|scripts|docs)/[\w./-]+)`", text):
            assert (ROOT / name).exists(), f"{page}: {name}"


def test_trials_that_a_record_refers_to_are_there() -> None:
    trials = (ROOT / "benchmarks" / "trials.md").read_text(encoding="utf-8")
    headings = {anchor(heading) for heading in re.findall(r"^## (.+)$", trials, re.MULTILINE)}
    referred = re.findall(r"trials\.md#([\w-]+)", (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8"))
    assert len(referred) > 5 and set(referred) <= headings, set(referred) - headings


def test_readme() -> None:
    names = run_page(ROOT / "README.md", {"steps=300": "steps=2", '("wikipedia-mini")': '("wikipedia-mini")[:64]'})
    assert names["run"].status == "finished" and names["run"].step == 2
    assert set(names["run"].history) >= {"step", "loss", "alignment", "uniformity"}
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 75, "README is one screen"


def test_the_losses_alone() -> None:
    """In a plain loop and in the trainer of sentence-transformers: something is learnt, and clwork reads it."""
    names = run_page(ROOT / "docs" / "losses.md")
    start, trained, sentences = names["encoder"], names["trained"], names["sentences"]
    assert torch.isfinite(names["loss"]) and names["loss"] > 0
    assert trained.pooling == start.pooling == "cls_before_pooler"
    np.testing.assert_allclose(trained.encode(sentences), names["model"].encode(sentences), atol=1e-5)
    assert np.abs(trained.encode(sentences) - start.encode(sentences)).max() > 1e-3, "the trainer moved no weight"
    assert float(names["pulled"]) > 0


def test_the_page_on_large_batches_runs() -> None:
    names = run_page(ROOT / "docs" / "scaling.md")
    assert (names["config"].micro_batch, names["config"].batch_size) == (32, 256)


def test_a_million_sentences_with_a_few(tmp_path: Path) -> None:
    texts = [text for pair in clwork.data.paraphrases()[:20] for text in pair]
    (tmp_path / "sentences.txt").write_text("\n".join([*texts, "The cat is asleep."]), encoding="utf-8")
    names = run_page(ROOT / "docs" / "using.md")
    assert names["vectors"].shape == (len(texts) + 1, 256) and names["vectors"].dtype == np.float16
    assert names["found"].rows[0, 0] == len(texts) and names["found"].cosines[0, 0] > 0.999
    assert -4 < names["spread"] < 0 and names["places"].shape == (len(texts) + 1, 2)
