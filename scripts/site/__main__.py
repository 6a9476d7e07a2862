"""``python -m scripts.site [NAMES]``: execute the notebooks and make the pages, without a network.

``dist/raw`` keeps notebooks as they came out of the kernel, ``dist/executed`` those for code hosts,
``dist/site`` the pages. With ``--executed`` no pages are made; with ``--keep`` the figure and the
table of each lesson that are tagged ``keep-output`` are also written into the tracked notebook.
NAMES, such as ``02 07``, take these lessons only.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

import nbformat

from scripts import first_output
from scripts.site.executing import execute
from scripts.site.outputs import for_hosts, with_kept_outputs
from scripts.site.pages import ROOT, lay_out
from scripts.site.start import write_front, write_start

DIST = ROOT / "dist"


def chosen(names: list[str]) -> list[Path]:
    """The notebooks that begin with one of ``names``; all, solutions included, without any."""
    books = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    books += sorted((ROOT / "solutions").glob("[0-9][0-9]_*.ipynb"))
    return [path for path in books if not names or path.name.startswith(tuple(names))]


def write_for_hosts(raw: Path, executed: Path) -> None:
    """The copies for code hosts of all notebooks in ``raw``."""
    shutil.rmtree(executed, ignore_errors=True)
    for path in sorted(raw.glob("*/*.ipynb")):
        target = executed / path.relative_to(raw)
        target.parent.mkdir(parents=True, exist_ok=True)
        notebook = for_hosts(json.loads(path.read_text(encoding="utf-8")))
        content = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False)
        target.write_text(content + "\n", encoding="utf-8")


def keep_outputs(path: Path, raw: Path) -> None:
    """Write the outputs of the tagged cells into a tracked notebook."""
    tracked = json.loads(path.read_text(encoding="utf-8"))
    executed = json.loads((raw / path.relative_to(ROOT)).read_text(encoding="utf-8"))
    kept = with_kept_outputs(tracked, executed)
    # nbformat's own order and indentation, so that saving the notebook changes nothing.
    notebook = nbformat.from_dict(kept)  # type: ignore[no-untyped-call]
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")  # type: ignore[no-untyped-call]


def build(source: Path, site: Path) -> int:
    """Run Sphinx; a warning is a failure."""
    from sphinx.cmd.build import build_main

    shutil.rmtree(site, ignore_errors=True)
    options = ["-q", "-W", "--keep-going", "-E", "-b", "html", "-d", str(source.parent / "trees")]
    return build_main([*options, str(source), str(site)])


def main(arguments: list[str] | None = None) -> int:
    """Execute, copy, build."""
    parser = argparse.ArgumentParser(prog="python -m scripts.site", description=__doc__)
    parser.add_argument("names", nargs="*", help="numbers of lessons, such as 02; all by default")
    parser.add_argument("--executed", action="store_true", help="no pages, only executed notebooks")
    parser.add_argument("--keep", action="store_true", help="write tagged outputs into the lessons")
    options = parser.parse_args(arguments)
    raw = DIST / "raw"
    paths = chosen(options.names)
    if options.keep:
        # Solutions keep no outputs.
        paths = [path for path in paths if path.parent.name == "notebooks"]
    for path in paths:
        execute(path, raw / path.relative_to(ROOT))
    if options.keep:
        for path in paths:
            keep_outputs(path, raw)
            if path == first_output.NOTEBOOK:
                first_output.write()
        return 0
    write_for_hosts(raw, DIST / "executed")
    if options.executed:
        return 0
    lay_out(raw, DIST / "site-source")
    write_start(DIST / "site-source")
    status = build(DIST / "site-source", DIST / "site")
    write_front(DIST / "site")
    print(f"the pages begin at {(DIST / 'site' / 'index.html').relative_to(ROOT)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
