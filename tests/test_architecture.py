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
}
LIBRARY |= {"reference_runs"}
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
        "recordings": {"run_folder", "methods"},
        "reference_runs": set(),
        "claims": LIBRARY - {"losses"},
        "views": {"metrics"},
        "lab": LIBRARY | {"views", "claims"},
    },
    "clwork.lab": {
        "page": set(),
        "panel": {"page"},
    },
}
FIGURES_AND_WIDGETS = {"plotly": {"views", "lab"}, "ipywidgets": {"lab"}, "anywidget": {"lab"}}


def inside(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def loaded_by_name(text: str) -> set[str]:
    """Modules of clwork that ``importlib.import_module("clwork...")`` loads by a literal name."""
    nodes = ast.walk(ast.parse(text)) if "import_module" in text else ()
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
    names = [
        call.args[0] for call in calls if ast.unparse(call.func).split(".")[-1] == "import_module"
    ]
    return {
        name
        for node in names
        if isinstance(node, ast.Constant) and (name := str(node.value)).startswith("clwork")
    }


def names_of(path: Path) -> set[str]:
    """Dotted names of all imports of a file, also in functions and for type checking."""
    text, package = path.read_text(encoding="utf-8"), path.relative_to(ROOT).parts[:-1]
    imported: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            imported |= {f"{module}.{alias.name}" for alias in node.names}
    return imported | loaded_by_name(text)


def module_of(name: str) -> Path | None:
    """The file that a dotted name is in."""
    parts = name.split(".")
    longest_first = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((FILES[prefix] for prefix in longest_first if prefix in FILES), None)


IMPORTED = {path: names_of(path) for path in FILES.values()}
GRAPH = {
    path: {file for name in names if (file := module_of(name))} - {path}
    for path, names in IMPORTED.items()
}


def test_dependencies_run_one_way() -> None:
    wrong = []
    for path, names in IMPORTED.items():
        folders = path.relative_to(ROOT).parts[:-1]
        if len(folders) > 1:
            plots = [
                name
                for name in names
                if folders[1] not in FIGURES_AND_WIDGETS.get(name.split(".")[0], folders)
            ]
            wrong += [f"{inside(path)} must not import {name}" for name in plots]
        for depth, part in list(enumerate(folders))[1:]:
            package = ".".join(folders[:depth])
            parts = MAY_IMPORT.get(package, {part: set()})
            if part not in parts:
                wrong.append(
                    f"write into tests/test_architecture.py what the new package {package}.{part} may import"
                )
                continue
            forbidden = {f"{package}.{other}" for other in parts.keys() - {part} - parts[part]}
            seen = [name for name in names if ".".join(name.split(".")[: depth + 1]) in forbidden]
            wrong += [f"{inside(path)} must not import {name}" for name in seen]
    assert not wrong, "\n".join(wrong)


def test_files_have_no_circular_imports() -> None:
    """Imports within functions and for type checking count."""
    try:
        list(TopologicalSorter(GRAPH).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(inside(path) for path in reversed(error.args[1])))


def test_names_of_finds_every_form_of_import() -> None:
    """A guard for the three tests above, on files with known imports."""
    assert any(
        name.startswith("clwork.losses") for name in IMPORTED[PACKAGE / "methods" / "simcse.py"]
    ), "relatively"
    assert {PACKAGE / "data" / name for name in ("corpus.py", "tables.py")} <= GRAPH[
        PACKAGE / "data" / "sources.py"
    ]
    assert PACKAGE / "run_folder" / "folder.py" in GRAPH[PACKAGE / "training" / "run.py"]
    text = "import importlib\ndef f(n):\n    importlib.import_module('clwork.lab'), importlib.import_module(n)"
    assert loaded_by_name(text) == {"clwork.lab"}


def test_no_file_has_the_name_of_a_function_it_defines() -> None:
    """``clwork.losses.simcse`` is the loss, so no file may have that name."""
    hidden = []
    for init in PACKAGE.rglob("__init__.py"):
        nodes = ast.walk(ast.parse(init.read_text(encoding="utf-8")))
        froms = [
            node for node in nodes if isinstance(node, ast.ImportFrom) and node.module is not None
        ]
        taken = {alias.asname or alias.name for node in froms for alias in node.names}
        hidden += [path for name in taken if (path := init.parent / f"{name}.py").exists()]
    assert not hidden, f"put an underscore before {hidden}"


def test_the_formatter_is_never_switched_off() -> None:
    code = [
        path
        for folder in (PACKAGE, ROOT / "scripts", ROOT / "benchmarks")
        for path in folder.rglob("*.py")
    ]
    assert not [str(path) for path in code if "# fmt: " in path.read_text(encoding="utf-8")]


def test_importing_is_fast() -> None:
    """``import clwork`` adds at most two seconds to ``import torch``, and brings in no figures and no widgets."""
    program = (
        "import time, sys, json; import torch, numpy; start = time.perf_counter(); import clwork; "
        "took = time.perf_counter() - start; heavy = ['plotly', 'ipywidgets', 'transformers', 'datasets', 'pandas', "
        "'sklearn', 'scipy', 'umap']; print(json.dumps([took, [name for name in heavy if name in sys.modules]]))"
    )
    for _ in range(2):  # the first call may compile byte code
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
        )
        took, heavy = json.loads(done.stdout)
        assert heavy == []
        if took <= 2.0:
            return
    pytest.fail(f"importing clwork took {took:.1f} s")
