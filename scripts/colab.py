"""Pack what a lecturer takes to Colab: clwork as a wheel, the notebooks, and three lines on what to do with them.

``python scripts/colab.py`` (``make colab``) writes ``dist/clwork-colab.zip``, which needs no public address, and with
``--wheel`` (``make wheel``) only ``dist/clwork-*.whl``. pip fetches hatchling from its index where it is not installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = "clwork-colab"  # in the zip
INSTRUCTION = """\
1. On https://colab.research.google.com: File, Upload notebook, and choose a notebook of this folder.
2. In it, once a session: the folder icon at the left, Upload, and choose {wheel}.
3. Runtime, Run all. Notebooks request a T4 GPU; if Colab has none, they run on its CPU.
"""


def build_wheel(into: Path) -> Path:
    """Build clwork's wheel in the folder ``into``, instead of those that lie there, and return its file."""
    for old in into.glob("clwork-*.whl"):
        old.unlink()
    offline = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        *offline,
        "--wheel-dir",
        str(into),
    ]
    subprocess.run([*command, str(ROOT)], check=True)
    (wheel,) = into.glob("clwork-*.whl")
    return wheel


def pack(wheel: Path, into: Path) -> Path:
    """Write the zip into the folder ``into``: the wheel, the notebooks without solutions, and the instruction."""
    notebooks = ROOT / "notebooks"
    packed = into / f"{FOLDER}.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"{FOLDER}/README.txt", INSTRUCTION.format(wheel=wheel.name))
        file.write(wheel, f"{FOLDER}/{wheel.name}")
        for path in sorted(notebooks.glob("*.ipynb")):
            file.write(path, f"{FOLDER}/{path.name}")
    return packed


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, build, and print what was written."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wheel", action="store_true", help="only the wheel")
    parser.add_argument(
        "--into", type=Path, default=ROOT / "dist", help="folder to write to; default: dist"
    )
    options = parser.parse_args(arguments)
    options.into.mkdir(parents=True, exist_ok=True)
    wheel = build_wheel(options.into)
    print(wheel if options.wheel else pack(wheel, options.into))
    return 0


if __name__ == "__main__":
    sys.exit(main())
