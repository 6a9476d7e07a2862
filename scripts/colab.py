"""Pack what a lecturer takes to Colab: clwork as a wheel, the notebooks, and instructions.

``python scripts/colab.py`` (``make colab``) writes ``dist/clwork-colab.zip``, which needs no public
address, and with ``--wheel`` (``make wheel``) only ``dist/clwork-*.whl``. pip fetches hatchling
from its index where it is not installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# In the zip.
FOLDER = "clwork-colab"
INSTRUCTION = """\
1. On https://colab.research.google.com: File, Upload notebook, and choose one of this folder.
2. In it, once a session: the folder icon at the left, Upload, and choose {wheel}.
3. Runtime, Run all. Notebooks request a T4 GPU; if Colab has none, they run on its CPU.
"""


def build_wheel(into: Path) -> Path:
    """Build clwork's wheel in the folder ``into`` in the place of earlier ones; return its file."""
    for old in into.glob("clwork-*.whl"):
        old.unlink()
    options = ["--quiet", "--no-deps", "--wheel-dir", str(into)]
    if importlib.util.find_spec("hatchling"):
        # Then pip needs no index.
        options.append("--no-build-isolation")
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(ROOT)], check=True)
    (wheel,) = into.glob("clwork-*.whl")
    return wheel


def pack(wheel: Path, into: Path) -> Path:
    """Write the zip into the folder ``into``: wheel, notebooks without solutions, instructions."""
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
