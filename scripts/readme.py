"""Keep README.md, the notebooks' set-up and the tables of docs/ in step with their sources.

``python scripts/readme.py`` rewrites in each notebook the lines that set up a fresh machine; in
README.md and on the site the table of lessons; the pages on the claims of the papers from
``clwork/claims/answers.jsonl``; in docs/measured.md and docs/collapse.md the tables of
``benchmarks/results/*.json``. With ``--check`` it writes nothing and fails when something is out
of step.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
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
# The start of each notebook: it takes a wheel in its folder, else what the field names.
SET_UP = """\
#@title Set-up: a fresh machine (Colab) gets clwork here; torch and numpy stay as they are
ADDRESS = ""  #@param {type:"string"}
import importlib.util
import os
from pathlib import Path

if importlib.util.find_spec("clwork") is None:
    # solutions have the wheel one folder up
    wheels = [*Path().glob("clwork-*.whl"), *Path("..").glob("clwork-*.whl")]
    address = max(wheels, key=os.path.getmtime).resolve().as_uri() if wheels else ADDRESS
    if not address:
        remedy = "upload one (on Colab: the folder icon, Upload), or fill in the field ADDRESS"
        raise FileNotFoundError(f"no clwork-*.whl is in this notebook's folder: {remedy}")
    %pip install -q "clwork[colab,offline] @ {address}"
"""
SET_UP_LINES = re.compile(
    r"\A#@title Set-up.*?^    %pip install [^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL
)
# A row of lesson 00's table: the lesson's file, and the question that it answers.
QUESTION_ROW = re.compile(r"^\| \[[^\]]+\]\((?P<file>\S+\.ipynb)\) \| (?P<question>[^|]+) \|", re.M)
LEARN_ROW = re.compile(r"^\| \*\*You will learn\*\* \| (?P<learn>[^|]+) \|", re.MULTILINE)
TIME_ROW = re.compile(r"^\|\s*\**time[^|]*\|\s*(?P<time>[^|]+?)\s*\|", re.IGNORECASE | re.MULTILINE)


def notebooks(root: Path = ROOT) -> list[Path]:
    """The numbered notebooks in reading order, without solutions."""
    return sorted((root / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def solutions(root: Path = ROOT) -> list[Path]:
    """The notebooks with solutions, without the copies in ``.ipynb_checkpoints``."""
    return sorted((root / "solutions").glob("[0-9][0-9]_*.ipynb"))


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


def questions(root: Path = ROOT) -> dict[str, str]:
    """What each lesson answers, by file name; from lesson 00, and its own is what it teaches."""
    first = notebooks(root)[0]
    cells = json.loads(first.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    found = {row["file"]: row["question"] for row in QUESTION_ROW.finditer(text)}
    learn = LEARN_ROW.search(text)
    return found | {first.name: learn["learn"] if learn else ""}


def lessons(root: Path = ROOT) -> list[tuple[Path, str, str, str]]:
    """File, title, question and minutes of each lesson."""
    found = []
    question = questions(root)
    for path in notebooks(root):
        title, time = described(path)
        minutes = re.match(r"(\d+) min", time)
        if minutes is None or path.name not in question:
            raise ValueError(
                f"{path.name}: its time must begin as '60 min', and the table at the end of lesson "
                "00 needs a row for it"
            )
        found.append((path, title, question[path.name].strip(), minutes[1]))
    return found


def notebook_table(root: Path = ROOT) -> str:
    """README's table of notebooks."""
    rows = ["| Notebook | What it answers | Minutes |", "|---|---|---|"]
    for path, title, question, minutes in lessons(root):
        link = f"[{title}]({path.relative_to(root).as_posix()})"
        rows.append(f"| {link} | {question} | {minutes} |")
    return "\n".join(rows)


def page_table(root: Path = ROOT) -> str:
    """The site's table of lessons; HTML, because its pages do not exist before they are built."""
    rows = ["<table>", "<tr><th>Lesson</th><th>What it answers</th><th>Minutes</th></tr>"]
    for path, title, question, minutes in lessons(root):
        link = f'<a href="notebooks/{path.stem}.html">{title}</a>'
        rows.append(f"<tr><td>{link}</td><td>{question}</td><td>{minutes}</td></tr>")
    return "\n".join([*rows, "</table>"])


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
    "docs/site/contents.md": {"lessons": page_table},
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
    """Replace what stands between ``<!-- name:begin -->`` and ``<!-- name:end -->``."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"the page needs the lines {begin} and {end}, once each and in this order")
    return text[: text.index(begin) + len(begin)] + f"\n{block.strip()}\n" + text[text.index(end) :]


def in_step(path: Path) -> str:
    """The notebook's file text with the right set-up, all else as it was."""
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    old = "".join(code[0]["source"]) if code else ""
    if SET_UP_LINES.match(old) is None:
        raise ValueError(f"{path.name}: its first code cell needs to begin with\n{SET_UP}")
    new = SET_UP_LINES.sub(lambda _: SET_UP, old).rstrip("\n")
    if new == old:
        return text
    code[0]["source"] = new.splitlines(keepends=True)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def wanted(root: Path = ROOT) -> dict[Path, str]:
    """What each page of BLOCKS and each notebook should hold."""
    found = {path: in_step(path) for path in [*notebooks(root), *solutions(root)]}
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
        outcome = "out of step; run python scripts/readme.py" if check else "rewritten"
        print(f"{path.relative_to(ROOT)}: {outcome}")
        if not check:
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
