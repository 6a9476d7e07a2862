"""``python -m scripts.site [NAMES]``: execute the notebooks and make the pages, without a network.

``dist/raw`` keeps notebooks as they came out of the kernel, ``dist/executed`` those for code hosts,
``dist/site`` the pages. With ``--executed`` no pages are made. NAMES, such as ``02 07``, take these
lessons only.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from scripts.site.executing import execute
from scripts.site.outputs import for_hosts
from scripts.site.pages import ROOT, lay_out
from scripts.site.start import write_start

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
    options = parser.parse_args(arguments)
    raw = DIST / "raw"
    for path in chosen(options.names):
        execute(path, raw / path.relative_to(ROOT))
    write_for_hosts(raw, DIST / "executed")
    if options.executed:
        return 0
    lay_out(raw, DIST / "site-source")
    write_start(DIST / "site-source")
    status = build(DIST / "site-source", DIST / "site")
    print(f"the pages begin at {(DIST / 'site' / 'index.html').relative_to(ROOT)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
