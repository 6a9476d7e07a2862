"""The project stays small: a limit on lines, files, exported names, hyperparameters and words."""

from __future__ import annotations

import dataclasses
import importlib
import re
from pathlib import Path

import pytest

from clwork import methods

ROOT = Path(__file__).resolve().parents[1]


def lines(folder: str, *suffixes: str) -> dict[Path, int]:
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and path.is_file()]
    return {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}


def packages() -> list[str]:
    return ["clwork", *sorted(f"clwork.{path.parent.name}" for path in (ROOT / "clwork").glob("*/__init__.py"))]


def hyperparameters() -> set[str]:
    """Those of all methods; one that several methods share counts once."""
    configs = [type(methods.config(name)) for name in methods.names()]
    return {field.name for config in configs for field in dataclasses.fields(config)}


def words() -> int:
    pages = [path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")] if path.name != "claims.md"]
    return sum(len(path.read_text(encoding="utf-8").split()) for path in pages)


def private_words() -> int:
    """Uses of words that the project's English replaces by standard terms, in the code."""
    python = re.compile(
        r"(math|np)\.floor|in words\b(?=[\])}:]| if )|\bshall\b(?= should)"
    )  # code, a list of stop words
    pattern = re.compile(
        r"\b(looks?|looked|tells?|told|says?|asks?|asked|beside|kept|goes on|at work|of its own|in words|rooms?|house|"
        r"arrows?|floor|board|film|ghost|haunt|pulse|edge of|mend(?:ed)?|hand(?:ed)? over|anew|shall|planted|slack|"
        r"judges?|said aloud|miniature|mourned|obituary)\b"
    )
    texts = [python.sub("", path.read_text(encoding="utf-8")) for path in (ROOT / "clwork").rglob("*.py")]
    return sum(len(pattern.findall(text)) for text in texts)


def test_the_project_is_within_its_budget(capsys: pytest.CaptureFixture[str]) -> None:
    """Python and JavaScript lines, files, names, hyperparameters, tests, tools, words: today's and the limit."""
    library, tools = lines("clwork", ".py"), lines("scripts", ".py") | lines("benchmarks", ".py")
    budget: list[tuple[str, int, int]] = [
        ("Python lines in clwork/", sum(library.values()), 27_100),
        ("Python files in clwork/", len(library), 150),
        ("JavaScript lines in js/src/", sum(lines("js/src", ".js").values()), 8_500),
        ("exported names", sum(len(getattr(importlib.import_module(name), "__all__", [])) for name in packages()), 190),
        ("hyperparameters", len(hyperparameters()), 85),
        ("lines of tests", sum(lines("tests", ".py").values()), 20_150),
        ("lines of scripts and benchmarks", sum(tools.values()), 4_500),
        ("words of documents", words(), 22_000),
        ("private words in clwork/", private_words(), 20),
    ]
    with capsys.disabled():
        print()
        for name, today, limit in budget:
            print(f"  {name:34} {today:7,} of {limit:7,}")
    assert not [name for name, today, limit in budget if today > limit]
