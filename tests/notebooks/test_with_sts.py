"""Every lesson that reads STS data is run with it, up to the last cell that depends on it."""

from __future__ import annotations

from tests.notebooks import with_sts
from tests.notebooks.test_lint import LESSONS, read

STORED = ("06_mocoutrl.ipynb", "09_the_evidence.ipynb")  # have stored scores only
READING = [
    path for path in LESSONS if path.name not in STORED and with_sts.reading_cells(read(path))
]


def test_some_notebooks_read_sts_and_each_is_run_with_it() -> None:
    assert len(READING) > 5, "the guard: they are recognised"
    assert {
        path.relative_to(with_sts.NOTEBOOKS).with_suffix("").as_posix() for path in READING
    } == set(with_sts.UPTO)


def test_the_last_cell_comes_after_all_that_reads_scores() -> None:
    for name, upto in with_sts.UPTO.items():
        notebook = read(with_sts.NOTEBOOKS / f"{name}.ipynb")
        copied = with_sts.cut(notebook, upto)["cells"]
        assert copied == notebook["cells"][: len(copied)] and max(
            with_sts.reading_cells(notebook)
        ) < len(copied), name
        assert "assert" in "".join(copied[-1]["source"]), f"{name} ends with a check"
