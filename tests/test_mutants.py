"""The mutation run's own parts: which tests hold which module, what is no mutant, and what the page says."""

from __future__ import annotations

import json
from pathlib import Path

import parso
import pytest

from scripts.mutants import report as pages
from scripts.mutants import table

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).resolve().parents[1]
SUM, MANY, LESS = (
    f"core/{name}" for name in ("ReplaceBinaryOperator_BitOr_BitAnd", "ReplaceBinaryOperator_Mul_Add", "NumberReplacer")
)


def test_every_module_has_tests_that_are_there() -> None:
    names = table.modules([])
    assert {"losses/dclr_loss", "metrics/sts_scores", "training/loop/loop"} <= set(names)
    for name in names:
        *tests, doctests = table.tests_of(name)
        assert doctests == f"clwork/{name}.py" and tests, f"say in scripts/mutants/table.py what tests {name}"
        assert all((ROOT / path).is_file() for path in [doctests, *tests])
        *fewer, last = table.tests_of(name, quick=True)
        assert last == doctests and fewer and set(fewer) <= set(tests)
    assert set(table.ALSO) <= set(names)


def test_names_choose_rooms_and_modules() -> None:
    assert table.modules(["losses/dclr_loss", "metrics"])[0] == "losses/dclr_loss"
    assert {name.split("/")[0] for name in table.modules(["metrics"])} == {"metrics"}
    with pytest.raises(ValueError, match="no module or room is called 'losses/dlcr'"):
        table.modules(["losses/dlcr"])


@pytest.mark.parametrize(
    ("operator", "text", "idle"),
    [
        (SUM, "def f(x: int | None) -> int: ...", True),
        (SUM, "def f(x: int) -> int | None: ...", True),
        (SUM, "x: int | None = a", True),
        (SUM, "x: dict[str, int | None] = a", True),
        (SUM, "x: int = a | b", False),
        (SUM, "def f(x: int = a | b) -> int: ...", False),
        (SUM, "x = isinstance(a, int | float)", False),
        (MANY, "def f(x, *, y): ...", True),
        (MANY, "x = {1: a * b}", False),
        (MANY, "x = f(a * b)", False),
        (LESS, "x: int = 1 | a", False),
        ("core/ReplaceBinaryOperator_Mul_BitOr", "x = a * b", True),
        ("core/ReplaceComparisonOperator_Eq_Is", "x = a | b", True),
        ("core/ReplaceComparisonOperator_Eq_LtE", "x = a | b", False),
    ],
)
def test_mutants_that_ask_nothing(operator: str, text: str, idle: bool) -> None:
    sign = text.index("|" if "|" in text else "*")
    leaf = parso.parse(text).get_leaf_for_position((1, sign))  # type: ignore[no-untyped-call]
    assert table.asks_nothing(operator, leaf) is idle


def test_the_page_counts_and_explains(tmp_path: Path) -> None:
    def mutant(module: str, line: int, outcome: str) -> pages.Mutant:
        return pages.Mutant(module, line, "core/NumberReplacer", f"x = {line}", f"x = {line + 1}", outcome)

    found = [mutant("losses/dclr_loss", line, "killed") for line in range(6)]
    found += [mutant("losses/dclr_loss", line, "survived") for line in (7, 8, 9)]
    found += [mutant("metrics/sts_scores", 1, "incompetent")]
    entry = {
        "module": "losses/dclr_loss",
        "before": "x = 7",
        "after": "x = 8",
        "equivalent": True,
        "why": "nobody reads x.",
    }
    file = tmp_path / "reasons.json"
    file.write_text(json.dumps([entry, entry | {"before": "x = 8", "after": "x = 9", "equivalent": False}]))
    reasons = pages.read_reasons(file)
    page = pages.report(found, {"losses/dclr_loss": 20, "metrics/sts_scores": 5}, reasons, "make mutants")
    assert "| **all** | 25 | 10 | 1 | 6 | 3 | 1 | 75.0% |" in page
    assert "| `losses/dclr_loss` | 20 | 9 | 0 | 6 | 3 | 1 | 75.0% |" in page
    assert "| `metrics/sts_scores` | 5 | 1 | 1 | 0 | 0 | 0 | – |" in page
    for line, why in ((7, "equivalent: nobody reads x."), (8, "left: nobody reads x."), (9, "**not explained**")):
        assert f"- `clwork/losses/dclr_loss.py:{line}`, NumberReplacer; {why}" in page
    assert [left["before"] for left in pages.without_reason(found, reasons)] == ["x = 9"]


def test_a_diff_is_two_lines() -> None:
    assert pages.changed_lines("--- \n+++ \n@@ -3 +3 @@\n-    return a - b\n+    return a + b") == (
        "return a - b",
        "return a + b",
    )
    assert pages.changed_lines("--- \n+++ \n@@ -3 +2,0 @@\n-@final") == ("@final", "")
