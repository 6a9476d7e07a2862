"""The shape of the code: arrows between rooms run one way, modules and functions stay small, importing is light."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from scripts import house

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "clwork"
MODULES = sorted(PACKAGE.rglob("*.py"))
FILES = house.modules_of(ROOT)
NAMES = {path: name for name, path in FILES.items()}
IMPORTS = house.imports_of(FILES, ROOT)
CODE = [*MODULES, *sorted((ROOT / "scripts").rglob("*.py")), *sorted((ROOT / "benchmarks").rglob("*.py"))]
MAX_MODULE_LINES, MAX_FUNCTION_LINES = 400, 40

BOARDS = ("forces", "explore", "evidence", "playground", "sphere", "linked", "cloud", "lesson", "encoder")

MAY_IMPORT = {
    "data": set(),
    "claims": {"recordings", "training", "methods", "augmenters", "encoders", "data", "metrics"},
    "recordings": {"training"},
    "encoders": {"data"},
    "augmenters": {"data", "encoders"},
    "losses": set(),
    "metrics": set(),
    "methods": {"losses", "augmenters", "encoders", "data"},
    "training": {"methods", "losses", "augmenters", "encoders", "data", "metrics"},
    "views": {"metrics"},
    "lab": {
        *("views", "claims", "recordings", "training", "methods", "losses", "augmenters", "encoders", "data", "metrics")
    },
}
# The rooms within a room, and which of their sisters each may import.
SUB_ROOMS = {
    "training": {
        "disk": set(),
        "loop": {"disk"},
        "run": {"disk", "loop"},
        "stored": {"disk", "loop", "run"},
        "forces": {"disk", "loop", "run", "stored"},
    },
    "lab": {
        "page": set(),
        **{board: {"page"} for board in BOARDS},
        "desk": {"page", "report"},
        "settings": {"page"},
        "instrument": {"page", "settings"},
        "player": {"page", "instrument"},
        "report": {"page", "instrument", "player", "forces"},
    },
}
FIGURES_AND_WIDGETS = {"plotly": {"views", "lab"}, "ipywidgets": {"lab"}, "anywidget": {"lab"}}


def names_imported(path: Path) -> set[str]:
    """Dotted names of all modules that a file imports, relative ones written out."""
    return house.names_imported(path, ROOT)


def room(path: Path) -> str | None:
    """The room a module is in; None for ``clwork/__init__.py`` and its like."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else None


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_arrows_run_one_way(path: Path) -> None:
    here = room(path)
    if here is None:
        return
    assert here in MAY_IMPORT, f"say in tests/test_house.py what the new room {here!r} may import"
    for name in names_imported(path):
        parts = name.split(".")
        if parts[0] == "clwork" and len(parts) > 1 and parts[1] in MAY_IMPORT and parts[1] != here:
            assert parts[1] in MAY_IMPORT[here], f"{here} must not import {parts[1]}"
        assert here in FIGURES_AND_WIDGETS.get(parts[0], {here}), f"{here} must not import {parts[0]}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_arrows_between_sub_rooms_run_one_way(path: Path) -> None:
    here = path.relative_to(PACKAGE).parts
    if here[0] not in SUB_ROOMS or len(here) < 2 or here[1].endswith(".py"):
        return
    sisters = SUB_ROOMS[here[0]]
    assert here[1] in sisters, f"say in tests/test_house.py what the new room {here[0]}/{here[1]} may import"
    for name in names_imported(path):
        parts = name.split(".")
        if parts[:2] == ["clwork", here[0]] and len(parts) > 2 and parts[2] in sisters and parts[2] != here[1]:
            assert parts[2] in sisters[here[1]], f"{here[0]}/{here[1]} must not import {name}"


def test_the_arrow_test_sees_relative_imports() -> None:
    """A guard: on a file known to import other rooms relatively, the finder finds them."""
    assert any(name.startswith("clwork.losses") for name in names_imported(PACKAGE / "methods" / "simcse.py"))


def modules_imported(path: Path) -> set[str]:
    """The files that a file imports, wherever in it: in a function and for type checking alone, too."""
    return {str(FILES[name].relative_to(ROOT)) for name in IMPORTS[NAMES[path]]}


def test_no_circle_of_files() -> None:
    """Any file can be read, and tried, after those that it imports; what stands in a function is no way around it."""
    graph = {str(path.relative_to(ROOT)): modules_imported(path) for path in MODULES}
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"these files import each other in a circle: {' -> '.join(reversed(error.args[1]))}")


def test_the_circle_test_sees_imports_in_functions_and_of_modules_by_name() -> None:
    """A guard, on files known to do so."""
    assert "clwork/data/sources.py" in modules_imported(PACKAGE / "data" / "reading.py")
    assert "clwork/data/files.py" in modules_imported(PACKAGE / "data" / "reading.py")
    assert "clwork/training/disk/folder.py" in modules_imported(PACKAGE / "training" / "run" / "run.py")


@pytest.mark.parametrize("init", sorted(PACKAGE.rglob("__init__.py")), ids=lambda path: str(path.parent.name))
def test_no_file_is_hidden_by_what_it_defines(init: Path) -> None:
    """``clwork.losses.simcse`` is one thing, the loss; ``clwork.lab.panel`` is a function, and its room a folder."""
    taken = set()
    for node in ast.walk(ast.parse(init.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            taken |= {alias.asname or alias.name for alias in node.names}
    only_run = {"train"} if init.parent == PACKAGE else set()  # python -m clwork.train; never imported
    hidden = taken & {path.stem for path in init.parent.glob("*.py")} - only_run
    assert not hidden, f"put an underscore before the files {sorted(hidden)} of {init.parent.name}"


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function, its docstring aside: explaining more is no fault."""
    assert node.end_lineno is not None
    length = node.end_lineno - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node) is not None and first.end_lineno is not None:
        length -= first.end_lineno - first.lineno + 1
    return length


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_are_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_MODULE_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = function_lines(node)
            assert length <= MAX_FUNCTION_LINES, f"{node.name}: {length} lines"


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_formatter_lays_out_every_line(path: Path) -> None:
    """No statement is kept by hand: what looks too long when formatted is split into parts with names."""
    text = path.read_text(encoding="utf-8")
    assert "# fmt: " not in text, "format it like the rest; shorten it by a name for a part of it"


def test_importing_is_light() -> None:
    """``import clwork`` adds at most two seconds to ``import torch``, and brings in no figures and no widgets."""
    program = (
        "import time, sys, json; import torch, numpy; start = time.perf_counter(); import clwork; "
        "took = time.perf_counter() - start; heavy = ['plotly', 'ipywidgets', 'transformers', 'datasets', 'pandas', "
        "'sklearn', 'scipy', 'umap']; print(json.dumps([took, [name for name in heavy if name in sys.modules]]))"
    )
    outcomes = []
    for _ in range(2):  # the first call may have to write byte code
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
        outcomes.append(json.loads(done.stdout))
    assert outcomes[0][1] == []
    assert min(took for took, _ in outcomes) <= 2.0
