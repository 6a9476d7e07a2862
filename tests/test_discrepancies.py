"""docs/discrepancies.md has every number that the code refers to, and its switches exist."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import methods
from clwork.settings import Field

ROOT = Path(__file__).resolve().parents[1]
METHOD_OF = {"S": "simcse", "D": "dclr", "G": "self_guided", "C": "gclsr", "M": "mocoutrl"}
CALL = re.compile(r"clwork((?:\.\w+)+)(?:\((.*)\))?")
# A reference begins a text, or follows a bracket, a mark or "and". Code, such as ``(B, D1)``, does
# not count.
REFERENCE = re.compile(r"(?:^|(?<=\()|(?<=[:;,#] )|(?<=and ))[SDGCM]\d{1,2}\b")
LINES = (ROOT / "docs" / "discrepancies.md").read_text(encoding="utf-8").splitlines()
# Number, disagreement, default and switch of every row.
TABLE = [line.strip("|").split(" | ") for line in LINES if re.match(r"\| [SDGCM]\d+ \|", line)]
ROWS = [[cell.strip() for cell in cells] for cells in TABLE]


def references(text: str) -> set[str]:
    """Numbers of discrepancies that a prose text refers to."""
    return set(REFERENCE.findall(re.sub(r"``.*?``|`.*?`", "", " ".join(text.split()))))


def prose(path: Path) -> list[str]:
    """Comments and docstrings of a module."""
    source = path.read_text(encoding="utf-8")
    if not re.search(r"\b[SDGCM]\d{1,2}\b", source):
        return []
    comments = re.findall(r"#.*$", source, re.MULTILINE)
    for node in ast.walk(ast.parse(source)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            comments.append(value.value)
    return comments


def differs_from_default(call: str) -> bool:
    """Whether a call such as ``clwork.losses.function(a=1, b)`` names another value."""
    match = CALL.fullmatch(call)
    assert match, call
    path, arguments = match.groups()
    function: Any = functools.reduce(getattr, path[1:].split("."), clwork)
    if not arguments:
        return False
    parameters = inspect.signature(function).parameters
    for argument in arguments.split(","):
        name, _, value = argument.partition("=")
        parameter = parameters[name.strip()]
        if value and parameter.default != ast.literal_eval(value):
            return True
    return False


def error_of(code: str, fields: dict[str, Field], is_default: bool) -> str:
    """What is wrong with a switch such as ``phi=0.9``; empty if it exists."""
    if code.startswith("clwork."):
        differs = differs_from_default(code)
        return "is not the default" if differs and is_default else ""
    name, _, text = code.partition("=")
    if name not in fields:
        return "is no hyperparameter"
    if not text:
        return ""
    value = ast.literal_eval(text)
    fields[name].check(value)
    differs = fields[name].default != value
    return "is not the default" if differs and is_default else ""


def test_rows_are_numbered_without_a_gap() -> None:
    counts = {"S": 10, "D": 17, "G": 13, "C": 20, "M": 17}
    expected = []
    for letter, count in counts.items():
        expected += [f"{letter}{number}" for number in range(1, count + 1)]
    assert [row[0] for row in ROWS] == expected
    without_switch = [row for row in ROWS if len(row) != 4 or not row[3]]
    assert not without_switch, "a switch: say 'no switch', 'not implemented' or –"


def test_references_are_recognised() -> None:
    text = "so (C4), §4.1, D2 and D4; # M1\n# D7, D9: why (M17 of"
    assert references(text) == {"C4", "D2", "D4", "M1", "D7", "D9", "M17"}
    assert not references("on an M2 chip, ``(B, D1)``, Table G1, F1, cosine D, [S3]")


@pytest.mark.parametrize("pattern", ["clwork/**/*.py", "tests/**/*.py"])
def test_every_number_referred_to_is_listed(pattern: str) -> None:
    referred: set[str] = set()
    for path in ROOT.glob(pattern):
        for text in prose(path):
            referred |= references(text)
    assert len(referred) >= 5, "the pattern finds nothing any more"
    assert referred <= {row[0] for row in ROWS}


def test_defaults_and_switches_exist() -> None:
    errors = []
    for number, _, *cells in ROWS:
        config = methods.get(METHOD_OF[number[0]]).Config
        fields = {field.name: field for field in methods.fields(config)}
        for column, cell in enumerate(cells):
            for code in re.findall(r"`([^`]+)`", cell):
                error = error_of(code, fields, is_default=column == 0)
                if error:
                    errors.append(f"{number}: {code} {error}")
    assert not errors, "\n".join(errors)
