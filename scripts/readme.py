"""Keep README.md and the notebooks in step with ``[project.urls]``, and the tables of docs/ with what was measured.

``python scripts/readme.py`` rewrites in each notebook the lines that set up a fresh machine, and in each title table
the row with the Colab badge (there is none while the address is a placeholder); in README.md the table of notebooks;
the pages on the claims of the papers from ``clwork/claims/answers.jsonl``; in docs/measured.md and docs/collapse.md
the tables of ``benchmarks/results/*.json``. With ``--check`` it writes nothing and fails when something
is out of step.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.blocks.claims import claims_page, papers_answered
from scripts.blocks.collapse import runs_table_of, trials_table_of
from scripts.blocks.scores import methods_table_of, sts_table_of
from scripts.blocks.speed import sentence_of, step_time_of, touch_of

ROOT = Path(__file__).resolve().parents[1]
Block = Callable[..., str]  # of the repository's root
BRANCH = "main"
PLACEHOLDER = "OWNER"
BADGE_IMAGE = "https://colab.research.google.com/assets/colab-badge.svg"
COLAB_ROW = re.compile(r"\|\s*\**Colab\**\s*\|")  # of a title table
GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
# How each notebook's first code cell begins. The field's default is the address of [project.urls], once there is one.
SET_UP = """\
#@title Set-up: on Colab or another fresh machine this installs clwork, once; torch and numpy there stay as they are
ADDRESS = ""  #@param {type:"string"}
import importlib.util
import os
from pathlib import Path

if importlib.util.find_spec("clwork") is None:
    wheels = [*Path().glob("clwork-*.whl"), *Path("..").glob("clwork-*.whl")]  # solutions have it one folder up
    address = max(wheels, key=os.path.getmtime).resolve().as_uri() if wheels else ADDRESS
    if not address:
        remedy = "upload one (on Colab: the folder icon at the left, Upload), or fill in the field ADDRESS"
        raise FileNotFoundError(f"no clwork-*.whl is in this notebook's folder: {remedy}")
    %pip install -q "clwork[colab,offline] @ {address}"
"""
SET_UP_LINES = re.compile(
    r"\A#@title Set-up.*?^    %pip install [^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL
)
TIME_ROW = re.compile(r"^\|\s*\**time[^|]*\|\s*(?P<time>[^|]+?)\s*\|", re.IGNORECASE | re.MULTILINE)


def repository(root: Path = ROOT) -> str:
    """``owner/name`` of the public repository, from ``[project.urls]`` of pyproject.toml, the one place that has it."""
    url = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"][
        "Repository"
    ]
    match = GITHUB.fullmatch(url)
    if match is None:
        raise ValueError(
            f"[project.urls] Repository is {url!r}; Colab opens https://github.com/<owner>/<name> only"
        )
    return match[1]


def is_public(root: Path = ROOT) -> bool:
    """Whether the address of the repository is no placeholder."""
    return not repository(root).startswith(f"{PLACEHOLDER}/")


def address(root: Path = ROOT) -> str:
    """The repository's address as pip wants it, and "" while it is a placeholder, which is a stranger's account."""
    url = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"][
        "Repository"
    ]
    return "" if f"/{PLACEHOLDER}/" in url else f"git+{url}"


def set_up(root: Path = ROOT) -> str:
    """First lines of each notebook's first code cell: a wheel in its folder, else an address, never a name."""
    return SET_UP.replace('ADDRESS = ""', f'ADDRESS = "{address(root)}"')


def notebooks(root: Path = ROOT) -> list[Path]:
    """The numbered notebooks in reading order, without solutions."""
    return sorted((root / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def solutions(root: Path = ROOT) -> list[Path]:
    """The notebooks with solutions; copies that JupyterLab keeps in ``.ipynb_checkpoints`` are not among them."""
    return sorted((root / "solutions").glob("[0-9][0-9]_*.ipynb"))


def badge(path: Path, root: Path = ROOT) -> str:
    """Colab badge, in Markdown, of the notebook at ``path``."""
    where = f"{repository(root)}/blob/{BRANCH}/{path.relative_to(root).as_posix()}"
    return f"[![Open in Colab]({BADGE_IMAGE})](https://colab.research.google.com/github/{where})"


def title_cell(notebook: dict[str, Any]) -> str:
    """The text of a notebook's first cell."""
    source = notebook["cells"][0]["source"]
    return source if isinstance(source, str) else "".join(source)


def described(path: Path) -> tuple[str, str]:
    """Title and time of a notebook, as its title cell gives them."""
    text = title_cell(json.loads(path.read_text(encoding="utf-8")))
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    time = TIME_ROW.search(text)
    if title is None or time is None:
        raise ValueError(
            f"{path.name}: its first cell needs a line '# title' and a table row '| Time | ... |'"
        )
    return title[1].strip(), time["time"]


def notebook_table(root: Path = ROOT) -> str:
    """README's table of notebooks."""
    public = is_public(root)
    rows = (
        ["| Notebook | Time | Colab |", "|---|---|---|"]
        if public
        else ["| Notebook | Time |", "|---|---|"]
    )
    for path in notebooks(root):
        title, time = described(path)
        rows.append(
            f"| [{title}]({path.relative_to(root).as_posix()}) | {time} |{f' {badge(path, root)} |' * public}"
        )
    return "\n".join(rows)


def results(name: str, root: Path) -> Any:
    """Results of a benchmark, or None before it has run."""
    path = root / "benchmarks" / "results" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def measured(make: Callable[[Any], str], name: str) -> Block:
    """Block that ``make`` writes from the results of a benchmark."""
    return lambda root=ROOT: make(results(name, root))


BLOCKS: dict[str, dict[str, Block]] = {
    "README.md": {
        "notebooks": notebook_table,
        "speed": lambda root=ROOT: (
            f"{measured(sentence_of, 'step_time')(root)} {papers_answered()}"
        ),
    },
    "docs/claims.md": {"claims": claims_page},
    "docs/measured.md": {
        "methods": measured(methods_table_of, "methods"),
        "sts": measured(sts_table_of, "simcse_sts"),
        "steptime": measured(step_time_of, "step_time"),
        "touch": measured(touch_of, "touch"),
    },
    "docs/collapse.md": {
        "collapse": measured(runs_table_of, "collapse_calibration"),
        "remedies": measured(trials_table_of, "collapse_calibration"),
    },
}  # of each page, all of which it must have


def replace_block(text: str, name: str, block: str) -> str:
    """``text`` with what stands between ``<!-- name:begin -->`` and ``<!-- name:end -->`` replaced by ``block``."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"the page needs the lines {begin} and {end}, once each and in this order")
    return text[: text.index(begin) + len(begin)] + f"\n{block.strip()}\n" + text[text.index(end) :]


def with_badge(title: str, path: Path, root: Path = ROOT) -> str:
    """A title cell's text with the Colab badge in its table's last row, or without it while nothing is public."""
    lines = [line for line in title.splitlines() if not COLAB_ROW.match(line)]
    ends = [
        k + 1
        for k, line in enumerate(lines)
        if line.startswith("|") and not [*lines, ""][k + 1].startswith("|")
    ]
    if not ends:
        raise ValueError(f"{path.name}: its first cell needs a table, each row between | and |")
    lines[ends[0] : ends[0]] = [f"| **Colab** | {badge(path, root)} |"] * is_public(root)
    return "\n".join(lines)


def in_step(path: Path, root: Path = ROOT) -> str:
    """The notebook's file text with the right badge and set-up, all else as it was."""
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    cells = ["".join(cell["source"]) for cell in notebook["cells"]]
    changed = [
        with_badge(cells[0], path, root) if path in notebooks(root) else cells[0],
        *cells[1:],
    ]
    first = next((k for k, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"), 0)
    if SET_UP_LINES.match(changed[first]) is None:
        raise ValueError(f"{path.name}: its first code cell needs to begin with\n{set_up(root)}")
    changed[first] = SET_UP_LINES.sub(lambda _: set_up(root), changed[first]).rstrip("\n")
    if changed == cells:
        return text
    for cell, source in zip(notebook["cells"], changed, strict=True):
        cell["source"] = source.splitlines(keepends=True)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def wanted(root: Path = ROOT) -> dict[Path, str]:
    """What each page of BLOCKS and each notebook should hold."""
    found = {path: in_step(path, root) for path in [*notebooks(root), *solutions(root)]}
    for page, blocks in BLOCKS.items():
        text = (root / page).read_text(encoding="utf-8")
        for name, block in blocks.items():
            text = replace_block(text, name, block(root))
        found[root / page] = text
    return found


def main(arguments: list[str] | None = None) -> int:
    """Rewrite, or with ``--check`` only compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail when a file is out of step"
    )
    check = parser.parse_args(arguments).check
    stale = {
        path: text for path, text in wanted().items() if path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        print(
            f"{path.relative_to(ROOT)}: {'out of step; run python scripts/readme.py' if check else 'rewritten'}"
        )
        if not check:
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
