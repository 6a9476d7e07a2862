"""Keep README.md and the notebooks in step with ``[project.urls]``, and the tables of docs/ with what was measured.

``python scripts/readme.py`` rewrites the row with the Colab badge in each notebook's title table (there is none while
the address is a placeholder), and in README.md the table of notebooks; in docs/measured.md, docs/collapse.md and the
notebooks the tables of ``benchmarks/results/*.json``. With ``--check`` it writes nothing and fails when something is
out of step.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.collapse_blocks import runs_table_of, trials_table_of
from scripts.evidence_blocks import augmentation_table_of, proxies_of, sts_table_of
from scripts.methods_block import methods_table_of
from scripts.step_block import panel_cost_of, step_time_of, touch_of

ROOT = Path(__file__).resolve().parents[1]
BRANCH = "main"
PLACEHOLDER = "OWNER"
BADGE_IMAGE = "https://colab.research.google.com/assets/colab-badge.svg"
COLAB_ROW = re.compile(r"\|\s*\**Colab\**\s*\|")  # of a title table
GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
ADDRESS = re.compile(r'^ADDRESS = "git\+[^"]*"$', re.MULTILINE)  # in a notebook's first code cell
TIME_ROW = re.compile(r"^\|\s*\**time[^|]*\|\s*(?P<time>[^|]+?)\s*\|", re.IGNORECASE | re.MULTILINE)


def repository(root: Path = ROOT) -> str:
    """``owner/name`` of the public repository, from ``[project.urls]`` of pyproject.toml, the one place that has it.

    Raises:
        ValueError: the address is not one of GitHub, where Colab could open a notebook.
    """
    url = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]
    found = GITHUB.fullmatch(url)
    if found is None:
        raise ValueError(f"[project.urls] Repository is {url!r}; Colab opens https://github.com/<owner>/<name> only")
    return found[1]


def is_public(root: Path = ROOT) -> bool:
    """Whether the repository has an address that a badge could open."""
    return not repository(root).startswith(f"{PLACEHOLDER}/")


def address(root: Path = ROOT) -> str:
    """Where a notebook on a fresh machine gets clwork from: the repository, never whatever bears its name."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"git+{project['urls']['Repository']}"


def notebooks(root: Path = ROOT) -> list[Path]:
    """The numbered notebooks in reading order; not their solutions."""
    return sorted((root / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def badge(path: Path, root: Path = ROOT) -> str:
    """The Colab badge, in Markdown, of the notebook at ``path``."""
    where = f"{repository(root)}/blob/{BRANCH}/{path.relative_to(root).as_posix()}"
    return f"[![Open in Colab]({BADGE_IMAGE})](https://colab.research.google.com/github/{where})"


def title_cell(notebook: dict[str, Any]) -> str:
    """The text of a notebook's first cell."""
    source = notebook["cells"][0]["source"]
    return source if isinstance(source, str) else "".join(source)


def described(path: Path) -> tuple[str, str]:
    """Title and time of a notebook, as its title cell gives them.

    Raises:
        ValueError: the title cell has no ``# title``, or its table no row ``| Time | ... |``.
    """
    text = title_cell(json.loads(path.read_text(encoding="utf-8")))
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    time = TIME_ROW.search(text)
    if title is None or time is None:
        raise ValueError(f"{path.name}: its first cell needs a line '# title' and a table row '| Time | ... |'")
    return title[1].strip(), time["time"]


def notebook_table(root: Path = ROOT) -> str:
    """README's table of notebooks."""
    public = is_public(root)
    rows = ["| Notebook | Time | Colab |", "|---|---|---|"] if public else ["| Notebook | Time |", "|---|---|"]
    for path in notebooks(root):
        title, time = described(path)
        rows.append(f"| [{title}]({path.relative_to(root).as_posix()}) | {time} |{f' {badge(path, root)} |' * public}")
    return "\n".join(rows)


def results(name: str, root: Path) -> dict[str, Any] | None:
    """What a benchmark wrote, or None before it has run."""
    path = root / "benchmarks" / "results" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def methods_table(root: Path = ROOT) -> str:
    """The table of all methods."""
    return methods_table_of(results("methods", root))


def sts_table(root: Path = ROOT) -> str:
    """The table of STS scores."""
    return sts_table_of(results("simcse_sts", root))


def augmentation_table(root: Path = ROOT) -> str:
    """The table of augmentations."""
    return augmentation_table_of(results("augmentation_order", root))


def step_time_text(root: Path = ROOT) -> str:
    """The block on speed."""
    return step_time_of(results("step_time", root))


def panel_cost_text(root: Path = ROOT) -> str:
    """The sentence on what watching costs."""
    return panel_cost_of(results("panel_cost", root))


def touch_text(root: Path = ROOT) -> str:
    """The sentences on the wait for an answer."""
    return touch_of(results("touch", root))


def proxies_text(root: Path = ROOT) -> str:
    """The sentence on how far the proxies follow STS."""
    return proxies_of(results("proxy_agreement", root))


def collapse_table(root: Path = ROOT) -> str:
    """The table of healthy and sick runs, in docs/collapse.md."""
    return runs_table_of(results("collapse_calibration", root))


def remedies_table(root: Path = ROOT) -> str:
    """The table of what helped them, in docs/collapse.md."""
    return trials_table_of(results("collapse_calibration", root))


MEASURED = {
    "methods": methods_table,
    "sts": sts_table,
    "augmentation": augmentation_table,
    "steptime": step_time_text,
    "panelcost": panel_cost_text,
    "touch": touch_text,
    "proxies": proxies_text,
}  # filled in docs/measured.md, and in notebooks where the markers stand
BLOCKS = {
    "README.md": {"notebooks": notebook_table},
    "docs/measured.md": MEASURED,
    "docs/collapse.md": {"collapse": collapse_table, "remedies": remedies_table},
}  # of each page, all of which must stand there


def replace_block(text: str, name: str, block: str) -> str:
    """``text`` with what stands between ``<!-- name:begin -->`` and ``<!-- name:end -->`` replaced by ``block``.

    Raises:
        ValueError: the markers are not there exactly once.
    """
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"the page needs the lines {begin} and {end}, once each and in this order")
    return text[: text.index(begin) + len(begin)] + f"\n{block.strip()}\n" + text[text.index(end) :]


def with_badge(title: str, path: Path, root: Path = ROOT) -> str:
    """A title cell's text with the Colab badge in its table's last row, and without that row while nothing is public.

    Raises:
        ValueError: there is no table.
    """
    lines = [line for line in title.splitlines() if not COLAB_ROW.match(line)]
    ends = [k + 1 for k, line in enumerate(lines) if line.startswith("|") and not [*lines, ""][k + 1].startswith("|")]
    if not ends:
        raise ValueError(f"{path.name}: its first cell needs a table, each row between | and |")
    lines[ends[0] : ends[0]] = [f"| **Colab** | {badge(path, root)} |"] * is_public(root)
    return "\n".join(lines)


def in_step(path: Path, root: Path = ROOT) -> str:
    """The notebook's file text with the right badge, address to install from and measured blocks, all else as it was.

    Raises:
        ValueError: the title cell has no table, or no cell has the one line ``ADDRESS = ...``.
    """
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    cells = ["".join(cell["source"]) for cell in notebook["cells"]]
    changed = [with_badge(cells[0], path, root), *cells[1:]]
    if sum(len(ADDRESS.findall(cell)) for cell in changed) != 1:
        raise ValueError(f"{path.name}: needs a line 'ADDRESS = \"{address(root)}\"' in its first code cell, once")
    changed = [ADDRESS.sub(f'ADDRESS = "{address(root)}"', cell) for cell in changed]
    for name, block in MEASURED.items():
        changed = [replace_block(c, name, block(root)) if f"<!-- {name}:begin -->" in c else c for c in changed]
    if changed == cells:
        return text
    for cell, source in zip(notebook["cells"], changed, strict=True):
        cell["source"] = source.splitlines(keepends=True)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def wanted(root: Path = ROOT) -> dict[Path, str]:
    """What each page of BLOCKS and each notebook should hold."""
    found = {path: in_step(path, root) for path in notebooks(root)}
    for page, blocks in BLOCKS.items():
        text = (root / page).read_text(encoding="utf-8")
        for name, block in blocks.items():
            text = replace_block(text, name, block(root))
        found[root / page] = text
    return found


def main(arguments: list[str] | None = None) -> int:
    """Rewrite, or with ``--check`` only compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is out of step")
    check = parser.parse_args(arguments).check
    stale = {path: text for path, text in wanted().items() if path.read_text(encoding="utf-8") != text}
    for path, text in stale.items():
        print(f"{path.relative_to(ROOT)}: {'out of step; run python scripts/readme.py' if check else 'rewritten'}")
        if not check:
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
