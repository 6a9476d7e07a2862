"""docs/discrepancies.md: it has every number that the code refers to, and its defaults and switches exist."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import io
import json
import re
import tokenize
from pathlib import Path
from typing import Any

import pytest

from clwork import methods

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "discrepancies.md").read_text(encoding="utf-8")
METHOD_OF = {"S": "simcse", "D": "dclr", "G": "self_guided", "C": "gclsr", "M": "mocoutrl"}
CALL = re.compile(r"clwork((?:\.\w+)+)(?:\((.*)\))?")
# A reference begins a text, or follows a bracket, a mark or "and". Code, such as ``(B, D1)``, does not count.
REFERENCE = re.compile(r"(?:^|(?<=\()|(?<=[:;,#] )|(?<=and ))[SDGCM]\d{1,2}\b")


def rows() -> list[list[str]]:
    """Number, disagreement, default and switch of every row."""
    lines = [line for line in TEXT.splitlines() if re.match(r"\| [SDGCM]\d+ \|", line)]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def references(text: str) -> set[str]:
    """Numbers of discrepancies that a prose text refers to."""
    return set(REFERENCE.findall(re.sub(r"``.*?``|`.*?`", "", " ".join(text.split()))))


def prose(path: Path) -> list[str]:
    """Comments and docstrings of a module, or the text cells of a notebook."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(source)["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    loose = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)]
    strings = [str(node.value) for node in loose if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [*comments, *strings]


def parsed(text: str) -> tuple[str, Any]:
    """``a=1`` to ("a", 1), ``a`` to ("a", ...)."""
    name, given, value = text.partition("=")
    return name.strip(), ast.literal_eval(value) if given else ...


def named(cell: str) -> list[str]:
    """What a cell says in backticks and means as a name: hyperparameters, and things of clwork."""
    return re.findall(r"`([^`]+)`", cell)


def argument_of(call: str) -> list[tuple[inspect.Parameter, Any]]:
    """Parameters that a call such as ``clwork.room.function(a=1, b)`` names, with their values."""
    match = CALL.fullmatch(call)
    assert match, call
    thing: Any = functools.reduce(getattr, match[1][1:].split("."), importlib.import_module("clwork"))
    if match[2] is None:
        return []
    known = inspect.signature(thing).parameters
    pairs = [parsed(part) for part in match[2].split(",")]
    assert {name for name, _ in pairs} <= known.keys(), call
    return [(known[name], value) for name, value in pairs]


def test_numbers_run_on_without_a_gap() -> None:
    numbers = [row[0] for row in rows()]
    assert numbers == [
        f"{letter}{n}" for letter, last in zip("SDGCM", (10, 17, 12, 20, 17), strict=True) for n in range(1, last + 1)
    ]
    assert {len(row) for row in rows()} == {4}


@pytest.mark.parametrize("where", ["clwork/**/*.py", "tests/**/*.py", "notebooks/**/*.ipynb"])
def test_every_number_referred_to_is_listed(where: str) -> None:
    found = {number: path for path in sorted(ROOT.glob(where)) for text in prose(path) for number in references(text)}
    assert len(found) >= 10, "the pattern finds nothing any more"
    assert not {number: str(path) for number, path in found.items() if number not in {row[0] for row in rows()}}


def test_what_counts_as_a_reference() -> None:
    assert references("so (C4), §4.1, D2 and D4; # M1\n# D7, D9: why (M17 of") == {
        "C4",
        "D2",
        "D4",
        "M1",
        "D7",
        "D9",
        "M17",
    }
    assert not references("on an M2 chip, ``(B, D1)``, Table G1, F1, cosine D, [S3]")


@pytest.mark.parametrize("row", rows(), ids=lambda row: str(row[0]))
def test_defaults_and_switches_exist(row: list[str]) -> None:
    number, _, default, switch = row
    config = methods.get(METHOD_OF[number[0]]).Config
    fields = {field.name: field for field in methods.fields(config)}
    for cell, is_default in ((default, True), (switch, False)):
        for code in named(cell):
            if code.startswith("clwork."):
                pairs = argument_of(code)
                assert not is_default or all(value in (..., known.default) for known, value in pairs), code
                continue
            name, value = parsed(code)
            assert name in fields, f"{code}: no hyperparameter of {config.__name__}"
            if value is not ...:
                fields[name].check(value)
                assert not is_default or fields[name].default == value, f"{code} is not the default"
    assert switch, "say 'no switch', 'not implemented' or –"


def test_the_pages_that_should_lead_here_do() -> None:
    for page in ("README.md", "docs/decisions.md"):
        assert "discrepancies.md)" in (ROOT / page).read_text(encoding="utf-8")
