"""Dependencies between packages run one way, and importing is fast."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "clwork"


def dotted(path: Path) -> str:
    """The name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {dotted(path): path for path in sorted(PACKAGE.rglob("*.py"))}

LIBRARY = {
    "recordings",
    "run_folder",
    "training",
    "methods",
    "losses",
    "augmenters",
    "encoders",
    "data",
    "metrics",
    "reference_runs",
}
# For each package its parts, and the other parts that each may import.
MAY_IMPORT: dict[str, dict[str, set[str]]] = {
    "clwork": {
        "data": set(),
        "losses": set(),
        "metrics": set(),
        "encoders": {"data"},
        "augmenters": {"data", "encoders"},
        "methods": {"losses", "augmenters", "encoders", "data"},
        "run_folder": {"methods", "encoders", "data", "metrics"},
        "training": {
            "run_folder",
            "methods",
            "losses",
            "augmenters",
            "encoders",
            "data",
            "metrics",
        },
        "recordings": {"training", "methods"},
        "reference_runs": {"recordings"},
        "claims": LIBRARY - {"losses"},
        "views": {"metrics"},
        "lab": LIBRARY | {"views", "claims"},
    },
    "clwork.lab": {
        "page": set(),
        "panel": {"page"},
    },
}
HEAVY = {
    "plotly",
    "ipywidgets",
    "transformers",
    "datasets",
    "pandas",
    "sklearn",
    "scipy",
    "umap",
}
TIMED = """
import json, sys, time
import numpy, torch
start = time.perf_counter()
import clwork
took = time.perf_counter() - start
print(json.dumps([took, list(sys.modules)]))
"""
FIGURES_AND_WIDGETS = {"plotly": {"views", "lab"}, "ipywidgets": {"lab"}, "anywidget": {"lab"}}


def inside(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def loaded_by_name(text: str) -> set[str]:
    """Modules of clwork that ``importlib.import_module("clwork...")`` loads by a literal name."""
    if "import_module" not in text:
        return set()
    names = set()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.args[0]
        if ast.unparse(node.func).endswith("import_module") and isinstance(name, ast.Constant):
            names.add(str(name.value))
    return {name for name in names if name.startswith("clwork")}


def names_of(path: Path) -> set[str]:
    """Dotted names of all imports of a file, also in functions and for type checking."""
    text = path.read_text(encoding="utf-8")
    package = path.relative_to(ROOT).parts[:-1]
    imported: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join(filter(None, [*base, node.module]))
            imported |= {f"{module}.{alias.name}" for alias in node.names}
    return imported | loaded_by_name(text)


def module_of(name: str) -> Path | None:
    """The file that a dotted name is in."""
    parts = name.split(".")
    longest_first = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((FILES[prefix] for prefix in longest_first if prefix in FILES), None)


IMPORTED = {path: names_of(path) for path in FILES.values()}
GRAPH: dict[Path, set[Path]] = {}
for importing, imported_names in IMPORTED.items():
    imported_files = {module_of(name) for name in imported_names}
    GRAPH[importing] = {path for path in imported_files if path and path != importing}


def forbidden_prefixes(folders: tuple[str, ...]) -> set[str]:
    """Packages that the modules of a folder must not import."""
    prefixes = set()
    if len(folders) > 1:
        for library, users in FIGURES_AND_WIDGETS.items():
            if folders[1] not in users:
                prefixes.add(library)
    for depth in range(1, len(folders)):
        package = ".".join(folders[:depth])
        part = folders[depth]
        parts = MAY_IMPORT.get(package, {part: set()})
        assert part in parts, f"write into MAY_IMPORT what the new {package}.{part} may import"
        for other in parts.keys() - {part} - parts[part]:
            prefixes.add(f"{package}.{other}")
    return prefixes


def test_dependencies_run_one_way() -> None:
    errors = []
    for path, names in IMPORTED.items():
        prefixes = forbidden_prefixes(path.relative_to(ROOT).parts[:-1])
        for name in names:
            if any(f"{name}.".startswith(f"{prefix}.") for prefix in prefixes):
                errors.append(f"{inside(path)} must not import {name}")
    assert not errors, "\n".join(errors)


def test_files_have_no_circular_imports() -> None:
    """Imports within functions and for type checking count."""
    try:
        list(TopologicalSorter(GRAPH).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(inside(path) for path in reversed(error.args[1])))


def test_names_of_finds_every_form_of_import() -> None:
    """A guard for the three tests above, on files with known imports."""
    relative = IMPORTED[PACKAGE / "methods" / "simcse.py"]
    assert any(name.startswith("clwork.losses") for name in relative)
    assert {PACKAGE / "data" / name for name in ("corpus.py", "tables.py")} <= GRAPH[
        PACKAGE / "data" / "sources.py"
    ]
    assert PACKAGE / "run_folder" / "folder.py" in GRAPH[PACKAGE / "training" / "run.py"]
    text = "def f(n):\n    importlib.import_module('clwork.lab')\n    importlib.import_module(n)"
    assert loaded_by_name(text) == {"clwork.lab"}


def test_no_file_has_the_name_of_a_function_it_defines() -> None:
    """``clwork.losses.simcse`` is the loss, so no file may have that name."""
    hidden = []
    for init in PACKAGE.rglob("__init__.py"):
        for node in ast.walk(ast.parse(init.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                files = [init.parent / f"{alias.asname or alias.name}.py" for alias in node.names]
                hidden += [path for path in files if path.exists()]
    assert not hidden, f"put an underscore before {hidden}"


@pytest.mark.parametrize("folder", ["clwork", "scripts", "benchmarks"])
def test_the_formatter_is_never_switched_off(folder: str) -> None:
    code = (ROOT / folder).rglob("*.py")
    assert not [str(path) for path in code if "# fmt: " in path.read_text(encoding="utf-8")]


def test_importing_is_fast() -> None:
    """``import clwork`` adds at most two seconds to ``import torch``, and no figures or widgets."""
    # The first call may compile byte code.
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", TIMED], cwd=ROOT, capture_output=True, text=True, check=True
        )
        took, loaded = json.loads(done.stdout)
        assert HEAVY.isdisjoint(loaded)
        assert "clwork" in loaded
        if took <= 2.0:
            return
    pytest.fail(f"importing clwork took {took:.1f} s")
