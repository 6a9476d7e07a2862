"""The rules for notebooks, each a function from a notebook to a list of errors."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

from clwork.views.style import DARK

MAX_BYTES = 300 * 1000
COLUMNS = 100
# Words of a lesson's prose, and those before its first control.
MOST_WORDS = 2200
BEFORE_A_CONTROL = 280
CONTROL = re.compile(r"\blab\.(anatomy|dial|panel|player|sphere|explore|evidence|game)\(")
FOLDED = re.compile(r"\blab\.(predict|act)\(")
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:" + "work|home|root|Users|tmp" + r")/\w|[A-Z]:\\\\Users")
COLOUR = re.compile(r"\"(#[0-9A-Fa-f]{6})\"")
# The ground of figures in dark themes.
GROUND = DARK["#FFFFFE"]

Notebook = dict[str, Any]
Rule = Callable[[Notebook], list[str]]


def source(cell: dict[str, Any]) -> str:
    """A cell's text."""
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def of_kind(notebook: Notebook, kind: str) -> list[str]:
    """The texts of all cells of a kind that are not empty."""
    texts = [source(cell) for cell in notebook["cells"] if cell["cell_type"] == kind]
    return [text for text in texts if text.strip()]


def kernelspec(notebook: Notebook) -> list[str]:
    """Without a kernelspec JupyterLab stops at a dialog."""
    name = notebook["metadata"].get("kernelspec", {}).get("name")
    if name == "python3":
        return []
    return [f"metadata.kernelspec.name must be 'python3', is {name!r}"]


def requests_a_gpu(notebook: Notebook) -> list[str]:
    """Colab starts a notebook on a CPU unless its metadata name an accelerator."""
    metadata = notebook["metadata"]
    requested = (metadata.get("accelerator"), metadata.get("colab", {}).get("gpuType"))
    if requested == ("GPU", "T4"):
        return []
    return [f"metadata request {requested} of Colab, not a GPU and there a T4"]


def format_4_5(notebook: Notebook) -> list[str]:
    """Cell ids, from format 4.5 on, keep diffs small."""
    version = (notebook["nbformat"], notebook["nbformat_minor"])
    if version >= (4, 5) and all("id" in cell for cell in notebook["cells"]):
        return []
    return ["needs nbformat 4.5 with an id in every cell"]


def no_widget_state(notebook: Notebook) -> list[str]:
    """One FigureWidget's state is about 5 MB."""
    errors = ["metadata.widgets must not be saved"] if "widgets" in notebook["metadata"] else []
    for number, cell in enumerate(notebook["cells"]):
        for output in cell.get("outputs", []):
            if any("widget" in kind for kind in output.get("data", {})):
                errors.append(f"cell {number}: a widget is saved as output; clear it")
    return errors


def only_tagged_outputs(notebook: Notebook) -> list[str]:
    """A code host shows a figure and a table of a lesson; the other cells are empty."""
    errors = []
    for number, cell in enumerate(notebook["cells"]):
        # The first output of notebook 00 is made by scripts/first_output.py.
        kept = "keep-output" in cell["metadata"].get("tags", ()) or cell["id"] == "sphere-lab"
        if cell.get("outputs") and not kept:
            errors.append(f"cell {number}: has an output and no tag 'keep-output'")
    return errors


def no_errors_saved(notebook: Notebook) -> list[str]:
    """A notebook is committed without tracebacks."""
    errors = []
    for number, cell in enumerate(notebook["cells"]):
        if any(output["output_type"] == "error" for output in cell.get("outputs", [])):
            errors.append(f"cell {number}: saved with an error")
    return errors


def no_machine_paths(notebook: Notebook) -> list[str]:
    """Neither text nor outputs may name a folder of the machine it ran on."""
    errors = []
    for number, cell in enumerate(notebook["cells"]):
        match = MACHINE_PATH.search(source(cell) + str(cell.get("outputs", "")))
        if match:
            errors.append(f"cell {number}: machine path {match[0]!r}")
    return errors


def has_checks(notebook: Notebook) -> list[str]:
    """Under ``--nbval-lax`` only an assert can fail on a wrong value."""
    code = "\n".join(of_kind(notebook, "code"))
    return [] if re.search(r"^\s*assert ", code, re.MULTILINE) else ["no assert"]


def fits_the_page(notebook: Notebook) -> list[str]:
    """Code is as wide as everywhere in the project."""
    lines = [line for text in of_kind(notebook, "code") for line in text.splitlines()]
    return [f"more than {COLUMNS} columns: {line}" for line in lines if len(line) > COLUMNS]


def limited_prose(notebook: Notebook) -> list[str]:
    """Limit the prose of a lesson, folds included."""
    words = sum(len(text.split()) for text in of_kind(notebook, "markdown"))
    return [] if words <= MOST_WORDS else [f"{words} words, at most {MOST_WORDS}"]


def early_control(notebook: Notebook) -> list[str]:
    """The first thing to operate comes early; folds do not count."""
    words = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            words += len(FOLD.sub("", source(cell)).split())
        elif CONTROL.search(source(cell)):
            break
    if words <= BEFORE_A_CONTROL:
        return []
    return [f"{words} words before the first control, at most {BEFORE_A_CONTROL}"]


def clwork_first(notebook: Notebook) -> list[str]:
    """Clwork configures how torch's threads wait, so it is imported first."""
    imports = re.compile(r"^(?:import|from) (clwork|torch|transformers)\b", re.MULTILINE)
    first = imports.search("\n".join(sources(notebook)))
    if first is None or first[1] == "clwork":
        return []
    return [f"{first[1]} is imported before clwork"]


def no_blocking_cells(notebook: Notebook) -> list[str]:
    """A cell that waits for a run blocks the kernel and the controls."""
    return [
        f"cell {number} waits for a run: use clwork.train"
        for number, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code" and ".wait(" in source(cell)
    ]


def hides_outcomes(notebook: Notebook) -> list[str]:
    """Code that holds an outcome or the text of a sentence that acts is folded on all hosts."""
    errors = []
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code" and FOLDED.search(source(cell)):
            metadata = cell["metadata"]
            folded = (
                source(cell).startswith("#@title "),
                metadata.get("cellView") == "form",
                metadata.get("jupyter", {}).get("source_hidden"),
                "hide-input" in metadata.get("tags", ()),
            )
            if not all(folded):
                errors.append(
                    f"cell {number}: fold the code of a prediction or an act, with a #@title"
                )
    return errors


def seen_in_the_dark(notebook: Notebook) -> list[str]:
    """A figure's colour has a partner for dark themes, or is light enough for both."""
    colours = dict.fromkeys(COLOUR.findall("\n".join(of_kind(notebook, "code"))))
    return [
        f"{colour} is too dark in a dark theme: use one of clwork/views/dark.json, as written there"
        for colour in colours
        if colour not in DARK and (luminance(colour) + 0.05) / (luminance(GROUND) + 0.05) < 2
    ]


def luminance(colour: str) -> float:
    """Relative luminance of a colour such as ``#0072B2`` (WCAG 2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def public_names_only(notebook: Notebook) -> list[str]:
    """A lesson uses names of ``clwork.__all__`` and of its packages' ``__all__``."""
    # The packages of clwork, by the name that the notebook uses.
    packages = {"clwork": "clwork"}
    nodes = [node for text in sources(notebook) for node in ast.walk(ast.parse(text))]
    used = []
    for node in nodes:
        if isinstance(node, ast.Import):
            used += [alias.name for alias in node.names if alias.name.startswith("clwork.")]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "clwork":
            for alias in node.names:
                used.append(f"{node.module}.{alias.name}")
                if node.module == "clwork":
                    packages[alias.asname or alias.name] = f"clwork.{alias.name}"
    for node in nodes:
        path = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
        first, _, rest = path.partition(".")
        if first in packages and re.fullmatch(r"[\w.]+", rest):
            used.append(f"{packages[first]}.{rest}")
    return [f"{path} is not public" for path in dict.fromkeys(used) if not is_public(path)]


def sources(notebook: Notebook) -> list[str]:
    """The Python of a notebook without magics: its cells, and each ``%%writefile`` file."""
    files: dict[str, str] = {}
    for number, text in enumerate(of_kind(notebook, "code")):
        name = f"cell {number}"
        if text.startswith("%%"):
            first, _, text = text.partition("\n")
            if first.startswith("%%writefile"):
                name = first.split()[-1]
        files[name] = files.get(name, "") + text + "\n"
    return [re.sub(r"(?m)^([ ]*)[%!].*", r"\1pass", text) for text in files.values()]


def is_public(path: str) -> bool:
    """Whether each part of a dotted name below clwork is in its parent's ``__all__``, if any."""
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
    only_tagged_outputs,
    no_errors_saved,
    no_machine_paths,
    has_checks,
    fits_the_page,
    public_names_only,
)
FOR_LESSONS: tuple[Rule, ...] = (
    clwork_first,
    hides_outcomes,
    seen_in_the_dark,
    limited_prose,
    early_control,
    no_blocking_cells,
)
