"""README, notebooks and pyproject.toml have one public address, and links of documents lead somewhere."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from scripts import readme

ROOT = Path(__file__).resolve().parents[1]
BOOKS = [*readme.notebooks(), *readme.solutions()]


def code_of(path: Path) -> str:
    """The first code cell of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def test_everything_is_in_step() -> None:
    stale = [path.name for path, text in readme.wanted().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"run python scripts/readme.py: {stale}"


def test_a_fresh_machine_installs_from_the_repository_and_nothing_leads_to_the_placeholder() -> None:
    for path in [*BOOKS, ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text = path.read_text(encoding="utf-8")
        assert f"github.com/{readme.PLACEHOLDER}/" not in text and ("colab-badge" in text) <= readme.is_public(), path
    for path in BOOKS:
        cell = code_of(path)
        assert re.findall(r"pip install .*", cell) == ['pip install -q "clwork[colab,offline] @ {address}"'], path.name
        at_scale = path.parent.name == "notebooks" and not path.name.startswith(("10_", "11_"))  # both are small
        assert cell.count("lab.at_full_scale(FULL") == at_scale, path.name


def test_a_real_address_reaches_readme_and_notebooks_and_goes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(readme.BLOCKS["docs/claims.md"], "claims", lambda root: "the same for every address, and slow")
    for folder in ("notebooks", "docs", "benchmarks/results"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "README.md", tmp_path)
    project = tmp_path / "pyproject.toml"
    project.write_text('[project.urls]\nRepository = "https://github.com/OWNER/clwork"\n', encoding="utf-8")
    before = readme.wanted(tmp_path)
    project.write_text('[project.urls]\nRepository = "https://github.com/someone/else"\n', encoding="utf-8")
    for path, text in readme.wanted(tmp_path).items():
        path.write_text(text, encoding="utf-8")
    for path in readme.notebooks(tmp_path):
        target = f"https://colab.research.google.com/github/someone/else/blob/main/notebooks/{path.name}"
        badge = f"[![Open in Colab]({readme.BADGE_IMAGE})]({target}) |"
        assert badge in (tmp_path / "README.md").read_text(encoding="utf-8")
        assert f"| **Colab** | {badge}" in path.read_text(encoding="utf-8")
        assert 'ADDRESS = "git+https://github.com/someone/else"  #@param {type:"string"}\n' in code_of(path)
    assert all(path.read_text(encoding="utf-8") == text for path, text in readme.wanted(tmp_path).items()), "once does"
    project.write_text('[project.urls]\nRepository = "https://github.com/OWNER/clwork"\n', encoding="utf-8")
    assert readme.wanted(tmp_path) == before


def test_every_file_that_a_page_links_to_is_there() -> None:
    missing, seen = [], 0
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "benchmarks" / "trials.md"]:
        targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
        here = [target for target in targets if "://" not in target]
        missing += [(page.name, t) for t in here if not (page.parent / t.partition("#")[0]).exists()]
        seen += len(here)
    assert seen > 25 and not missing
