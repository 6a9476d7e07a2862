"""The rules for notebooks, each a function from a notebook to a list of errors."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

MAX_BYTES = 200 * 1024
MAX_LINES = 25
MOST_WORDS, BEFORE_A_KNOB, BETWEEN = (
    2000,
    280,
    480,
)  # words of a lesson, before its first control, between two controls
KNOB = re.compile(r"\blab\.(dial|panel|sphere|explore|evidence)\(")
TOUCHED = re.compile(r"\blab\.\w+\(|\bpanel\.start\(")
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:" + "work|home|root|Users|tmp" + r")/\w|[A-Z]:\\\\Users")

Notebook = dict[str, Any]
Rule = Callable[[str, Notebook], list[str]]


def source(cell: dict[str, Any]) -> str:
    """A cell's text."""
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def of_kind(notebook: Notebook, kind: str) -> list[str]:
    """The texts of all cells of a kind that are not empty."""
    return [
        source(cell)
        for cell in notebook["cells"]
        if cell["cell_type"] == kind and source(cell).strip()
    ]


def code_lines(text: str) -> int:
    """The lines of a code cell that are not empty."""
    return sum(1 for line in text.splitlines() if line.strip())


def words(text: str) -> int:
    """The number of words of a text, separated by blanks."""
    return len(text.split())


def kernelspec(name: str, notebook: Notebook) -> list[str]:
    """Without a kernelspec JupyterLab stops at a dialog."""
    found = notebook["metadata"].get("kernelspec", {}).get("name")
    return (
        [] if found == "python3" else [f"metadata.kernelspec.name must be 'python3', is {found!r}"]
    )


def requests_a_gpu(name: str, notebook: Notebook) -> list[str]:
    """Colab starts a notebook on a CPU unless its metadata name an accelerator."""
    requested = (
        notebook["metadata"].get("accelerator"),
        notebook["metadata"].get("colab", {}).get("gpuType"),
    )
    return (
        []
        if requested == ("GPU", "T4")
        else [f"metadata ask Colab for {requested}, not for a GPU and there a T4"]
    )


def format_4_5(name: str, notebook: Notebook) -> list[str]:
    """Cell ids, from format 4.5 on, keep diffs small."""
    fits = (notebook["nbformat"], notebook["nbformat_minor"]) >= (4, 5) and all(
        "id" in c for c in notebook["cells"]
    )
    return [] if fits else ["needs nbformat 4.5 with an id in every cell"]


def no_widget_state(name: str, notebook: Notebook) -> list[str]:
    """One FigureWidget's state is about 5 MB."""
    found = ["metadata.widgets must not be saved"] if "widgets" in notebook["metadata"] else []
    for number, cell in enumerate(notebook["cells"]):
        for output in cell.get("outputs", []):
            if any("widget" in kind for kind in output.get("data", {})):
                found.append(f"cell {number}: a widget is saved as output; clear it")
    return found


def no_errors_saved(name: str, notebook: Notebook) -> list[str]:
    """A notebook is committed without tracebacks."""
    return [
        f"cell {number}: saved with an error"
        for number, cell in enumerate(notebook["cells"])
        if any(output["output_type"] == "error" for output in cell.get("outputs", []))
    ]


def no_machine_paths(name: str, notebook: Notebook) -> list[str]:
    """Neither text nor outputs may name a folder of the machine it ran on."""
    found = []
    for number, cell in enumerate(notebook["cells"]):
        match = MACHINE_PATH.search(source(cell) + str(cell.get("outputs", "")))
        if match:
            found.append(f"cell {number}: machine path {match[0]!r}")
    return found


def short_cells(name: str, notebook: Notebook) -> list[str]:
    """One idea per cell."""
    lengths = [code_lines(text) for text in of_kind(notebook, "code")]
    return [
        f"a code cell has {length} lines, at most {MAX_LINES}"
        for length in lengths
        if length > MAX_LINES
    ]


def has_checks(name: str, notebook: Notebook) -> list[str]:
    """Under ``--nbval-lax`` only an assert can fail on a wrong value."""
    return (
        []
        if any(re.search(r"^\s*assert ", t, re.MULTILINE) for t in of_kind(notebook, "code"))
        else ["no assert"]
    )


def unfolded(cell: dict[str, Any]) -> int:
    """Words of a cell's prose outside folds."""
    return words(FOLD.sub("", source(cell))) if cell["cell_type"] == "markdown" else 0


def limited_prose(name: str, notebook: Notebook) -> list[str]:
    """Limit the prose of a lesson, folds included."""
    count = sum(map(words, of_kind(notebook, "markdown")))
    return [] if count <= MOST_WORDS else [f"{count} words, at most {MOST_WORDS}"]


def early_control(name: str, notebook: Notebook) -> list[str]:
    """A control comes early, and no long section has none."""
    found, stretch, before, knob = [], 0, 0, False
    for number, cell in enumerate(notebook["cells"]):
        stretch, before = stretch + unfolded(cell), before + unfolded(cell) * (not knob)
        text = source(cell) if cell["cell_type"] == "code" else ""
        knob = knob or bool(KNOB.search(text))
        if stretch > BETWEEN:
            found.append(
                f"cell {number}: {stretch} words without anything to touch, at most {BETWEEN}"
            )
            stretch = 0
        stretch *= not TOUCHED.search(text)
    if before > BEFORE_A_KNOB or not knob:
        found.append(f"{before} words before the first knob, at most {BEFORE_A_KNOB}")
    return found


def clwork_first(name: str, notebook: Notebook) -> list[str]:
    """clwork configures how torch's threads wait, so it is imported first."""
    first = re.search(
        r"^(?:import|from) (clwork|torch|transformers)\b",
        "\n".join(sources(notebook)),
        re.MULTILINE,
    )
    return [f"{first[1]} is imported before clwork"] if first and first[1] != "clwork" else []


def no_blocking_cells(name: str, notebook: Notebook) -> list[str]:
    """A cell that waits for a run blocks the kernel and the controls: train, or use the run in its current state."""
    return [
        f"cell {number} waits for a run: clwork.train, or panel.current_run()"
        for number, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code" and ".wait(" in source(cell)
    ]


def hides_outcomes(name: str, notebook: Notebook) -> list[str]:
    """The code of a prediction holds its outcome, so it is folded on Colab, in JupyterLab and on pages."""
    found = []
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code" and "lab.predict(" in source(cell):
            data = cell["metadata"]
            folded = (
                data.get("cellView"),
                data.get("jupyter", {}).get("source_hidden"),
                "hide-input" in data.get("tags", ()),
            )
            if folded != ("form", True, True) or not source(cell).startswith("#@title "):
                found.append(
                    f"cell {number}: a prediction's code must be folded for all hosts, with a #@title"
                )
    return found


def public_names_only(name: str, notebook: Notebook) -> list[str]:
    """A lesson uses names of ``clwork.__all__`` and of its packages' ``__all__``, no internal names."""
    nodes = [node for text in sources(notebook) for node in ast.walk(ast.parse(text))]
    packages = {"clwork": "clwork"}  # by the name that the notebook uses
    used = []
    for node in nodes:
        if isinstance(node, ast.Import):
            used += [alias.name for alias in node.names if alias.name.startswith("clwork.")]
        elif (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.split(".")[0] == "clwork"
        ):
            used += [f"{node.module}.{alias.name}" for alias in node.names]
            if node.module == "clwork":
                packages |= {
                    alias.asname or alias.name: f"clwork.{alias.name}" for alias in node.names
                }
    for node in nodes:
        path = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
        if re.fullmatch(r"[\w.]+", path) and (package := packages.get(path.split(".")[0])):
            used.append(f"{package}.{path.partition('.')[2]}")
    return [f"{path} is not public" for path in dict.fromkeys(used) if not is_public(path)]


def sources(notebook: Notebook) -> list[str]:
    """The Python of a notebook without magics: its cells, and each file written by a ``%%writefile`` cell."""
    files: dict[str, str] = {}
    for number, text in enumerate(of_kind(notebook, "code")):
        first, _, rest = text.partition("\n")
        name = first.split()[-1] if first.startswith("%%writefile") else f"cell {number}"
        files[name] = files.get(name, "") + (rest if first.startswith("%%") else text) + "\n"
    return [re.sub(r"(?m)^([ ]*)[%!].*", r"\1pass", text) for text in files.values()]


def is_public(path: str) -> bool:
    """Whether each part of a dotted name below clwork is in the ``__all__`` of its parent, if the parent has one."""
    module = importlib.import_module("clwork")
    for part in path.split(".")[1:]:
        if not hasattr(module, "__all__"):
            return not isinstance(getattr(module, part, None), ModuleType)
        if part not in module.__all__:
            return part.startswith("__")
        module = getattr(module, part)
    return True


FOR_ALL: tuple[Rule, ...] = (
    kernelspec,
    requests_a_gpu,
    format_4_5,
    no_widget_state,
    no_errors_saved,
    no_machine_paths,
    short_cells,
    has_checks,
    public_names_only,
)
FOR_LESSONS: tuple[Rule, ...] = (clwork_first, hides_outcomes)
FOR_THE_HAND: tuple[Rule, ...] = (limited_prose, early_control, no_blocking_cells)
