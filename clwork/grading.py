"""The answers of students to the exercises: a file for each student, and a table of all."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from ._validation import shown
from .disk import runs_folder, to_json, write_file
from .wording import duration, explain, plural

if TYPE_CHECKING:
    import pandas as pd

ANSWERS = "answers.json"
# Seconds that a notebook waits for another one that stores an answer.
LOCK_TIMEOUT = 10.0
# A cell that has it makes an exercise.
EXERCISE = "exercise("
# The endings of files that are read, and what these files contain; the group is the answers, which
# a report of lesson 10 has in its page. Notebooks, which take long, come after all other files.
READ = {
    ".json": "(.*)",
    ".html": r'<script type="application/json">(.*?)</script>',
    ".ipynb": re.escape(EXERCISE),
}
# Checks a notebook's exercises whose ``solved`` is {}; sets no variable of the notebook.
CHECK = "\n__import__('clwork').lab.lesson_boxes.check_all({})"


def store_answer(answer: Mapping[str, Any]) -> None:
    """Add the answer to an exercise to the file ``answers.json``; replace an older one.

    The file is next to the folder of runs. It has the answers by name, which is the lesson and the
    exercise: ``"02 1.1: the loss of a batch"``. OSError, ValueError or TypeError if the
    answer cannot be stored; the file is then unchanged.
    """
    path = runs_folder().absolute().parent / ANSWERS
    path.parent.mkdir(parents=True, exist_ok=True)
    name = f"{answer['lesson']} {answer['exercise']}".strip()
    # Locked from reading to writing, since two notebooks may store an answer at once.
    with FileLock(path.with_name(f".{ANSWERS}.lock"), timeout=LOCK_TIMEOUT):
        answers = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        answers[name] = answer
        write_file(path, to_json(answers, indent=1, ensure_ascii=False))


def grade(folder: str | Path, *, long: bool = False, seconds: float = 600) -> pd.DataFrame:
    """Return the points of each student (rows, the index ``student``) in each exercise (columns).

    A solved exercise has as many points as its level, 1 to 3; one that was tried and not solved has
    0; one that was not tried has NA. ``grade(folder).to_csv("points.csv")`` writes a table that a
    learning-management system imports.

    A notebook with exercises is executed, **which runs the student's code on this machine**:
    docs/teaching.md shows how to do that safely. All its exercises are checked, each after its
    cell, and again at the end if it is not solved. Cells that fail do not stop the others. Of two
    results of one exercise the better one counts. A line is printed for each notebook.

    Args:
        folder: has for each student a file such as ``anna.json``, or a subfolder ``anna`` with such
            files: copies of the ``answers.json`` that :func:`clwork.lab.exercise` writes. Notebooks
            (``anna.ipynb``) and reports of lesson 10 (``anna.html``) are read too; notebooks
            without exercises and other pages are left out.
        long: whether to return a row for each student and exercise instead, with the columns
            ``student``, ``lesson``, ``exercise``, ``level``, ``points`` and ``result``, which is
            the text that a check shows.
        seconds: time limit of each notebook. A cell that takes half of the time that is left is
            interrupted.

    Raises:
        FileNotFoundError: there is no such file, notebook or report.
        ValueError: a file has other content.
        ImportError: there is a notebook with exercises, and nbclient is not installed.

    >>> clwork.grade("answers").mean()  # doctest: +SKIP
    """
    import pandas as pd

    students = set()
    rows = []
    for ending, pattern in READ.items():
        for path in sorted(Path(folder).glob(f"**/*{ending}")):
            names = path.relative_to(folder).with_suffix("").parts
            # JupyterLab and macOS make copies: .ipynb_checkpoints/anna.json, __MACOSX/._anna.json.
            if any(name.startswith(".") for name in names):
                continue
            try:
                # "-sig", since editors of Windows write a byte order mark.
                text = path.read_text(encoding="utf-8-sig")
                found = re.search(pattern, text, re.DOTALL)
                if not found:
                    continue
                is_notebook = ending == ".ipynb"
                answers = _executed(path, text, seconds) if is_notebook else json.loads(found[1])
                # The student is the name of the file, or of the subfolder that the file is in.
                student = names[0]
                students.add(student)
                for title, answer in answers.items():
                    points = answer["level"] * answer["solved"]
                    rows.append({**answer, "student": student, "exercise": title, "points": points})
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise ValueError(
                    f"{path} has no answers to exercises; correct it, or remove it from the folder"
                ) from error
    if not students:
        raise FileNotFoundError(
            f"{folder} has no .json file and no notebook with exercises; copy each student's "
            f"{ANSWERS} or notebook into it"
        )
    columns = ["student", "lesson", "exercise", "level", "points", "result"]
    table = pd.DataFrame(rows, columns=columns).sort_values(["student", "exercise", "points"])
    # Of several results, the best is the last.
    table = table.drop_duplicates(["student", "exercise"], keep="last", ignore_index=True)
    if long:
        return table
    table = table.pivot(index="student", columns="exercise", values="points").astype("Int64")
    # Also the students of whose exercises none was checked.
    return table.reindex(sorted(students))


def _executed(path: Path, text: str, seconds: float) -> Any:
    """Execute a notebook and check its exercises; print a line, and return the answers."""
    try:
        import nbformat
        from nbclient import NotebookClient
    except ImportError as error:
        raise ImportError(
            f"nbclient, which executes {path}, is missing; run `pip install nbclient ipykernel`"
        ) from error

    started = time.monotonic()
    failures = []
    with TemporaryDirectory(ignore_cleanup_errors=True) as away:
        folders = {"CLWORK_HOME": f"{away}/home", "CLWORK_RUNS": f"{away}/runs", "TMPDIR": away}
        stored = Path(away, ANSWERS)
        stored.write_text("{}")
        try:
            notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
            for cell in notebook.cells:
                if EXERCISE in cell.source:
                    cell.source += CHECK.format(None)
            last = nbformat.v4.new_code_cell(CHECK.format(False))  # type: ignore[no-untyped-call]
            notebook.cells.append(last)
            NotebookClient(
                notebook,
                kernel_name="python3",
                resources={"metadata": {"path": away}},
                allow_errors=True,
                on_cell_error=lambda execute_reply, **_: failures.append(execute_reply["content"]),
                # An endless loop leaves time for the other cells.
                timeout_func=lambda _: max(1, (started + seconds - time.monotonic()) // 2),
                interrupt_on_timeout=True,
                # Does not wait for the cell, which may catch the interrupt and continue.
                error_on_timeout={"evalue": "interrupted"},
            ).execute(env=os.environ | folders)
        except Exception as error:
            # A file of a student may be broken, and its code may end the kernel.
            failures.append({"evalue": explain(error)})
        answers = json.loads(stored.read_text(encoding="utf-8"))
    solved = sum(answer["solved"] for answer in answers.values())
    line = f"{path}: {solved} of {plural(len(answers), 'exercise')} solved"
    if failures:
        line += f", {plural(len(failures), 'cell')} failed, first {shown(failures[0]['evalue'])}"
    print(f"{line}, {duration(time.monotonic() - started)}", flush=True)
    return answers
