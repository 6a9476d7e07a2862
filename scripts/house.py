"""Count what docs/architecture.md says of the house: ``python scripts/house.py [root ...]`` prints a column a root.

A root is a checkout of this repository: ``git worktree add ../then COMMIT`` makes one of an earlier commit to compare.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path

Imports = dict[str, set[str]]  # dotted name of a module -> those of the package's modules that it imports


def modules_of(root: Path) -> dict[str, Path]:
    """The package's modules by their dotted names."""
    dotted = {path: path.relative_to(root).with_suffix("").parts for path in sorted((root / "clwork").rglob("*.py"))}
    return {".".join(parts[:-1] if parts[-1] == "__init__" else parts): path for path, parts in dotted.items()}


def names_imported(path: Path, root: Path) -> set[str]:
    """Dotted names that a file of the package imports, wherever in it, relative ones written out."""
    package = path.relative_to(root).parts[:-1]
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            imported |= {f"{module}.{alias.name}" for alias in node.names}
    return imported


def imports_of(modules: dict[str, Path], root: Path) -> Imports:
    """Which module imports which, in functions and for type checking too."""
    imports: Imports = {}
    for importer, path in modules.items():
        names = [name.split(".") for name in names_imported(path, root)]
        prefixes = ((".".join(parts[:length]) for length in range(len(parts), 0, -1)) for parts in names)
        targets = {next((prefix for prefix in longest_first if prefix in modules), None) for longest_first in prefixes}
        imports[importer] = {target for target in targets if target is not None} - {importer}
    return imports


def docstring_lines(tree: ast.AST) -> int:
    """Lines of all docstrings in a file."""
    documented = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None
    ]
    return sum((node.body[0].end_lineno or 0) - node.body[0].lineno + 1 for node in documented)


def counts(root: Path) -> dict[str, int | str]:
    """The figures of one checkout, by what they count."""
    modules = modules_of(root)
    imports = imports_of(modules, root)
    texts = [path.read_text(encoding="utf-8") for path in modules.values()]
    trees = [ast.parse(text) for text in texts]
    plain = {name for name, path in modules.items() if path.name != "__init__.py"}
    importers = Counter(target for name in plain for target in imports[name])
    folder, fullest = Counter(str(path.parent.relative_to(root / "clwork")) for path in modules.values()).most_common(
        1
    )[0]
    arrows = [(name, target) for name in modules for target in imports[name]]

    def within(room: str) -> int:
        return sum(name.startswith(f"clwork.{room}") and target.startswith(f"clwork.{room}") for name, target in arrows)

    froms = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    own = [node for node in froms if node.level or (node.module or "").startswith("clwork")]
    names = [alias.name for node in own for alias in node.names]
    return {
        "Python files": len(modules),
        "their lines": sum(len(text.splitlines()) for text in texts),
        "of these docstrings": sum(map(docstring_lines, trees)),
        "files in the fullest folder": f"{fullest} ({folder})",
        "modules that one other imports": sum(importers[name] == 1 for name in plain),
        "imports from module to module": len(arrows),
        "within training": within("training"),
        "within lab": within("lab"),
        "private names imported": sum(name.startswith("_") and not name.startswith("__") for name in names),
        "uses of Any": sum(
            isinstance(node, ast.Name) and node.id == "Any" for tree in trees for node in ast.walk(tree)
        ),
    }


if __name__ == "__main__":
    columns = [counts(Path(root).resolve()) for root in sys.argv[1:] or [str(Path(__file__).parents[1])]]
    for what in columns[0]:
        print(f"{what:32}", *(f"{column[what]!s:>14}" for column in columns))
