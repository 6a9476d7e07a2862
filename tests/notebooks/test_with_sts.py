"""Every lesson that reads STS data is run with it, up to the last cell that depends on it."""

from __future__ import annotations

import pytest

from tests.notebooks import with_sts
from tests.notebooks.test_lint import LESSONS, read

# Lessons with stored scores only.
STORED = (
    "02_simcse",
    "03_dclr",
    "05_gclsr",
    "06_mocoutrl",
    "07_side_by_side",
    "08_read_like_a_referee",
    "09_the_evidence",
    "11_larger",
)


def test_each_lesson_that_reads_sts_is_run_with_it() -> None:
    reading = {path.stem for path in LESSONS if with_sts.reading_cells(read(path))}
    assert len(reading) > 5, "the guard: they are recognised"
    assert reading - set(STORED) == set(with_sts.UPTO)


@pytest.mark.parametrize(("name", "upto"), with_sts.UPTO.items())
def test_the_last_cell_comes_after_all_that_reads_scores(name: str, upto: str) -> None:
    notebook = read(with_sts.NOTEBOOKS / f"{name}.ipynb")
    copied = with_sts.cut(notebook, upto)["cells"]
    assert copied == notebook["cells"][: len(copied)]
    assert max(with_sts.reading_cells(notebook)) < len(copied)
    assert "assert" in "".join(copied[-1]["source"]), "it ends with a check"
