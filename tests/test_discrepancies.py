"""docs/discrepancies.md has every number that the code refers to, and its defaults and switches exist."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import re
from pathlib import Path
from typing import Any

from clwork import methods

ROOT = Path(__file__).resolve().parents[1]
METHOD_OF = {"S": "simcse", "D": "dclr", "G": "self_guided", "C": "gclsr", "M": "mocoutrl"}
CALL = re.compile(r"clwork((?:\.\w+)+)(?:\((.*)\))?")
# A reference begins a text, or follows a bracket, a mark or "and". Code, such as ``(B, D1)``, does not count.
REFERENCE = re.compile(r"(?:^|(?<=\()|(?<=[:;,#] )|(?<=and ))[SDGCM]\d{1,2}\b")
LINES = (ROOT / "docs" / "discrepancies.md").read_text(encoding="utf-8").splitlines()
# Number, disagreement, default and switch of every row.
ROWS = [
    [c.strip() for c in line.strip("|").split(" | ")]
    for line in LINES
    if re.match(r"\| [SDGCM]\d+ \|", line)
]


def references(text: str) -> set[str]:
    """Numbers of discrepancies that a prose text refers to."""
    return set(REFERENCE.findall(re.sub(r"``.*?``|`.*?`", "", " ".join(text.split()))))


def prose(path: Path) -> list[str]:
    """Comments and docstrings of a module, or the text cells of a notebook."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(source)["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    if not re.search(r"\b[SDGCM]\d{1,2}\b", source):
        return []
    loose = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)]
    strings = [
        str(node.value)
        for node in loose
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return [*re.findall(r"#.*$", source, re.MULTILINE), *strings]


def of_call(call: str) -> list[tuple[inspect.Parameter, Any]]:
    """Parameters that a call such as ``clwork.losses.function(a=1, b)`` names, with their values."""
    match = CALL.fullmatch(call)
    assert match, call
    thing: Any = functools.reduce(
        getattr, match[1][1:].split("."), importlib.import_module("clwork")
    )
    pairs = [part.partition("=")[::2] for part in match[2].split(",")] if match[2] else []
    known = inspect.signature(thing).parameters if pairs else {}
    return [
        (known[name.strip()], ast.literal_eval(value) if value else ...) for name, value in pairs
    ]


def test_rows_are_numbered_without_a_gap() -> None:
    last = zip("SDGCM", (10, 17, 12, 20, 17), strict=True)
    assert [row[0] for row in ROWS] == [
        f"{letter}{n}" for letter, count in last for n in range(1, count + 1)
    ]
    assert all(len(row) == 4 and row[3] for row in ROWS), (
        "a switch: say 'no switch', 'not implemented' or –"
    )


def test_every_number_referred_to_is_listed() -> None:
    text = "so (C4), §4.1, D2 and D4; # M1\n# D7, D9: why (M17 of"
    assert references(text) == {"C4", "D2", "D4", "M1", "D7", "D9", "M17"}
    assert not references("on an M2 chip, ``(B, D1)``, Table G1, F1, cosine D, [S3]")
    numbers = {row[0] for row in ROWS}
    for where in ("clwork/**/*.py", "tests/**/*.py", "notebooks/*.ipynb"):
        found = {
            number: path
            for path in ROOT.glob(where)
            for text in prose(path)
            for number in references(text)
        }
        assert len(found) >= 10, "the pattern finds nothing any more"
        assert not {number: str(path) for number, path in found.items() if number not in numbers}


def test_defaults_and_switches_exist() -> None:
    wrong = []
    for number, _, *cells in ROWS:
        config = methods.get(METHOD_OF[number[0]]).Config
        fields = {field.name: field for field in methods.fields(config)}
        for code, is_default in [
            (code, cell is cells[0]) for cell in cells for code in re.findall(r"`([^`]+)`", cell)
        ]:
            name, given, value = code.partition("=")
            if code.startswith("clwork."):
                if is_default and not all(
                    value in (..., known.default) for known, value in of_call(code)
                ):
                    wrong.append(f"{number}: {code} is not the default")
            elif name not in fields:
                wrong.append(f"{number}: {code} is no hyperparameter of {config.__name__}")
            elif given:
                fields[name].check(ast.literal_eval(value))
                if is_default and fields[name].default != ast.literal_eval(value):
                    wrong.append(f"{number}: {code} is not the default")
    assert not wrong, "\n".join(wrong)
