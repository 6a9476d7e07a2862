"""Semantic textual similarity (STS): pairs of sentences with gold scores from 0 to 5."""

from __future__ import annotations

import gzip
import json
import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _validation
from .._validation import shown
from ..disk import home, write_file
from ..wording import plural
from . import tables

if TYPE_CHECKING:
    import pandas as pd

# Data sets of the hub.
HUB = {
    "stsb": "mteb/stsbenchmark-sts",
    "sickr": "mteb/sickr-sts",
    **{f"sts{year}": f"mteb/sts{year}-sts" for year in range(12, 17)},
}
# Number of scored pairs by split; the yearly tasks have a test split alone. STS13 is without SMT,
# whose licence is not free.
ROWS: dict[str, dict[str, int]] = {
    "stsb": {"train": 5749, "validation": 1500, "test": 1379},
    "sickr": {"train": 4500, "validation": 500, "test": 4927},
    "sts12": {"test": 3108},
    "sts13": {"test": 1500},
    "sts14": {"test": 3750},
    "sts15": {"test": 3000},
    "sts16": {"test": 1186},
}
# Other names of these tasks.
ALIASES_OF_TASKS = {"stsbenchmark": "stsb", "sts-b": "stsb", "sick-r": "sickr", "sick": "sickr"}
# Tasks with splits; the other ones are test sets with subsets.
SPLIT_TASKS = ("stsb", "sickr")
HIGHEST_SCORE = 5.0
POSITIVE_SCORE = 4.0  # pairs with a higher score count as having the same meaning
COLUMNS = ("sentence1", "sentence2", "score")
# Other names of columns, in lower case: SICK's, GLUE's, and those of translations of STS-B.
ALIASES = {
    "sentence_a": "sentence1",
    "sentence_b": "sentence2",
    "relatedness_score": "score",
    "similarity_score": "score",
    "label": "score",
}
# Columns of the original sts-dev.csv, which has no header; some copies lack the id.
COLUMNS_OF_STSB = ("genre", "file", "year", "id", "score", "sentence1", "sentence2")
# SemEval's files of a subset: the pairs, and their scores.
SEMEVAL_PAIRS = "STS.input."
SEMEVAL_SCORES = "STS.gs."
# Names of a split's file, such as "sts-dev" and "SICK_test"; dev and trial mean validation.
SPLIT = re.compile(r"(?:(?:sts|sick)[\w-]*[-_.])?(train|validation|dev|trial|test)(?![a-z])")
# The file in the settings folder that stores the path of the reader's STS folder.
REMEMBERED = "sts_folder.txt"
# Columns of the silver pairs, and under "provenance" the encoder that scored them, with versions.
SILVER = "silver.json.gz"
# A folder of STS tasks, as error messages describe it.
LAYOUT = "<task>/<split or subset>.jsonl (or .csv, .tsv, .parquet; or SentEval's files)"


@dataclass(frozen=True)
class StsPairs:
    """Pairs of sentences with gold scores; :func:`clwork.metrics.sts` compares an encoder with it.

    >>> StsPairs("two", ["a", "b"], ["A", "c"], [5.0, 1.0]).positives()
    [('a', 'A')]
    """

    # The task's name, such as "sts12".
    name: str
    # Pair i is (sentences1[i], sentences2[i]), with the score scores[i].
    sentences1: list[str]
    sentences2: list[str]
    # From 0 to 5 (or on any finite scale); None or NaN for an unscored pair.
    scores: list[float]
    # The name of each pair's subset, in the yearly tasks.
    subsets: list[str] | None = None
    split: str = "validation"

    def __len__(self) -> int:
        return len(self.scores)

    def positives(self) -> list[tuple[str, str]]:
        """Return the pairs with a score above 4, in order, as SimCSE's footnote has it (S5)."""
        rows = zip(self.sentences1, self.sentences2, self.scores, strict=True)
        return [
            (first, second)
            for first, second, score in rows
            if score is not None and score > POSITIVE_SCORE
        ]


def sts_pairs(
    task: str, split: str = "validation", source: str | os.PathLike[str] = "hub"
) -> StsPairs:
    """Read an STS task from the hub (``mteb/*-sts``) or from a folder.

    Args:
        task: ``stsb``, ``sickr``, ``sts12`` … ``sts16``; or the names of MTEB, its data sets and
            SentEval, such as ``STSBenchmark``, ``SICK-R``, ``sts12-sts`` and ``STS12-en-test``.
        split: ``train``, ``validation`` or ``test`` of ``stsb`` and ``sickr``; the yearly tasks
            are test sets.
        source: ``"hub"``, or a folder of ``<task>/<split or subset>.jsonl`` (or ``.csv``,
            ``.tsv``, ``.parquet``) with the columns ``sentence1``, ``sentence2`` and ``score`` (or
            ``sentence_A``, ``sentence_B`` and ``relatedness_score`` or ``label``), or of SentEval's
            files. Pairs with a blank score are left out.

    Warns:
        UserWarning: rows are missing or too many.

    Raises:
        FileNotFoundError: there is no such folder or file.
        ConnectionError: the hub cannot be reached.
        ValueError: unknown task or split (of SICK, the hub has ``test`` alone, with all pairs),
            scores outside 0…5, or a blank sentence.

    >>> pairs = sts_pairs("stsb", source="path/to/folder")  # doctest: +SKIP
    >>> clwork.metrics.sts(encoder, {"stsb": pairs})  # doctest: +SKIP
    """
    task = _validation.choice("task", task_of(task), tuple(ROWS))
    _validation.choice("split", split, ("train", "validation", "test"))
    if task not in SPLIT_TASKS:
        split = "test"
    if str(source) != "hub":
        return _from_folder(task, split, _validation.path("source", source))
    data = tables.load_from_hub(HUB[task], split, instead=f"source=, a folder with {LAYOUT}")
    return _pairs(task, split, [tables.table_of(data)], HUB[task])


def silver_pairs() -> StsPairs:
    """Return 2,000 pairs of ``wikipedia-mini``, scored by the cosine of all-MiniLM-L6-v2.

    The scores are not human ratings, and the pairs are no benchmark: docs/measured.md compares
    rankings of encoders by these scores with rankings by human ratings. Scores are evenly
    distributed from 0 to 0.9. The text is under CC BY-SA 4.0, by the authors of Wikipedia.

    >>> len(silver_pairs())
    2000
    """
    packed = Path(__file__).with_name("silver").joinpath(SILVER).read_bytes()
    stored = json.loads(gzip.decompress(packed))
    # The pairs have no splits.
    return StsPairs(
        "silver", stored["sentences1"], stored["sentences2"], stored["scores"], split=""
    )


def remember_sts(folder: str | os.PathLike[str] | None) -> None:
    """Store the path of a folder of STS tasks for later sessions; None deletes the path.

    The folder holds ``<task>/<split or subset>.jsonl``, as for :func:`sts_pairs`.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: the folder holds no STS task.

    >>> remember_sts("~/data/sts")  # doctest: +SKIP
    """
    file = home() / REMEMBERED
    if folder is None:
        file.unlink(missing_ok=True)
        return
    root = _validation.path("folder", folder).resolve()
    _check_folder(root)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, str(root))


def sts_folder() -> Path | None:
    """Return the folder of STS tasks, or None.

    It is named by the variable ``CLWORK_STS``, else by :func:`remember_sts`.

    Warns:
        UserWarning: the folder does not exist any more.
    """
    try:
        named = os.environ.get("CLWORK_STS") or (home() / REMEMBERED).read_text("utf-8")
    except FileNotFoundError:
        return None
    folder = Path(named).expanduser()
    if folder.is_dir():
        return folder
    warnings.warn(
        f"the STS folder {folder} does not exist; validation on STS is skipped. "
        "Set another with clwork.data.remember_sts(folder), or delete it with remember_sts(None)",
        stacklevel=2,
    )
    return None


def task_of(name: str) -> str:
    """Return the task of a name or folder, such as ``STSBenchmark`` or ``STS12-en-test``."""
    name = name.lower().removesuffix("-sts").removesuffix("-en-test")
    return ALIASES_OF_TASKS.get(name, name)


def task_folders(root: Path) -> dict[str, Path]:
    """Return the folders of STS tasks in ``root``, by task, in the order of :data:`ROWS`.

    SentEval has the yearly tasks in ``STS``, but ``root`` itself comes first.
    """
    # A later folder replaces an earlier one of the same task.
    folders = [*sorted(root.glob("STS/*")), *sorted(root.glob("*"))]
    by_task = {task_of(path.name): path for path in folders if any(path.rglob("*.*"))}
    return {task: by_task[task] for task in ROWS if task in by_task}


def task_files(folder: Path) -> dict[str, Path]:
    """Return the files of a task by the names of their splits or subsets."""
    files: dict[str, Path] = {}
    # Also in folders below, because clones of the hub have a folder "data".
    for path in sorted(folder.rglob("*")):
        name = _split_or_subset(path)
        if name is None:
            continue
        if name in files:
            raise ValueError(
                f"{folder} holds {files[name].name} and {path.name}, both for {name}; remove one"
            )
        files[name] = path
    return files


def _split_or_subset(path: Path) -> str | None:
    """Return the split or subset that a file holds, such as ``validation`` for ``sts-dev.csv``.

    None for other files: a README, or SemEval's scores and its file of all subsets.
    """
    ending = tables.extension(path)
    if ending not in tables.READABLE:
        return None
    stem = path.name.removesuffix(".gz").rpartition(".")[0]
    split = SPLIT.match(stem.lower())
    if split:
        return "validation" if split[1] in ("dev", "trial") else split[1]
    if ending != ".txt":
        return stem
    # The only text files of subsets are SemEval's; their scores are read with the pairs.
    subset = stem.removeprefix(SEMEVAL_PAIRS)
    return None if subset in (stem, "ALL") else subset


def _from_folder(task: str, split: str, root: Path) -> StsPairs:
    """Read a task from the file of its split, or from the files of its subsets."""
    _check_folder(root)
    folders = task_folders(root)
    if task not in folders:
        raise FileNotFoundError(
            f"{root} holds {', '.join(folders)}, but no {task}; it is read as {LAYOUT}"
        )
    folder = folders[task]
    files = task_files(folder)
    if split in files:
        return _pairs(task, split, [_read_file(files[split])], str(files[split]))
    subsets = [name for name in files if name not in ("train", "validation", "test")]
    if task in SPLIT_TASKS or not subsets:
        present = ", ".join(files) or "other files"
        raise FileNotFoundError(
            f"{folder} has no {split}, only {present}; choose with split= (it is read as {LAYOUT})"
        )
    frames = [_read_file(files[name]).assign(subset=name) for name in subsets]
    return _pairs(task, split, frames, str(folder))


def _check_folder(root: Path) -> None:
    """Check that a folder holds STS tasks."""
    if not root.is_dir():
        raise FileNotFoundError(f"there is no folder {root}; give the folder that holds {LAYOUT}")
    if not task_folders(root):
        raise ValueError(
            f"{root} holds no STS task ({', '.join(ROWS)}); give the folder of {LAYOUT}"
        )


def _read_file(path: Path) -> pd.DataFrame:
    """Read a table, SemEval's pair of files, or an original file of STS-B or SICK."""
    ending = tables.extension(path)
    if path.name.startswith(SEMEVAL_PAIRS):
        return _read_semeval(path)
    if ending not in (".txt", ".csv"):
        return tables.read_table(path)

    # Original files are separated by tabs, also those that end in .csv.
    rows = _tab_separated(path)
    first_row = rows.iloc[0].dropna().str.lower().tolist()
    is_header = not {"score", *ALIASES}.isdisjoint(first_row)
    # An original file of STS-B: no header, 6 columns or more.
    if len(first_row) > 5 and not is_header:
        names = [name for name in COLUMNS_OF_STSB if len(first_row) > 6 or name != "id"]
        return rows.iloc[:, : len(names)].set_axis(names, axis=1)
    # An original file of SICK: a header, and tabs.
    if ending == ".txt":
        return rows.iloc[1:].set_axis(first_row, axis=1)
    return tables.read_table(path)


def _read_semeval(path: Path) -> pd.DataFrame:
    """Read a subset's pairs ``STS.input.<subset>.txt`` and its scores ``STS.gs.<subset>.txt``."""
    pairs = _tab_separated(path)
    scores = _tab_separated(path.with_name(path.name.replace(SEMEVAL_PAIRS, SEMEVAL_SCORES)))
    if len(scores) != len(pairs):
        raise ValueError(
            f"{path} has {len(pairs)} lines, but its scores ({SEMEVAL_SCORES}…) {len(scores)}; "
            "copy both again"
        )
    # Some files have a third column with the origin. A file with one column lacks `sentence2`,
    # and the check of the columns reports this.
    pairs = pairs.iloc[:, :2]
    pairs = pairs.set_axis(COLUMNS[: pairs.shape[1]], axis=1)
    return pairs.assign(score=scores[0])


def _tab_separated(path: Path) -> pd.DataFrame:
    """Return the cells of a text file as a DataFrame; its columns are numbered from 0.

    Lines may have different numbers of cells, which pandas does not read; missing cells are None.
    """
    import pandas as pd

    tables.check_file(path)
    with tables.file_errors(path), tables.open_text(path) as text:
        lines = [line.rstrip("\n").split("\t") for line in text]
    # The first cells of all lines, then their second cells, and so on: lines become columns, as
    # many as the longest line has cells, where None fills the shorter lines.
    columns = zip_longest(*lines)
    return pd.DataFrame(dict(enumerate(columns)))


def _pairs(task: str, split: str, frames: Sequence[pd.DataFrame], where: str) -> StsPairs:
    """Check the rows of a task, and leave out those without a score.

    ``frames`` are the tables of the split or of the subsets; ``where`` names them in messages.
    """
    import pandas as pd

    frame = pd.concat([_named_columns(frame, where) for frame in frames])
    is_blank = frame["score"].isna() | (frame["score"].astype(str).str.strip() == "")
    frame = frame[~is_blank]
    if frame.empty:
        raise ValueError(f"{where} holds no scored pair; check how it was written")

    scores = pd.to_numeric(frame["score"], errors="coerce")
    # Text that is no number has become NaN, which is not between these bounds either.
    is_wrong = ~scores.between(0, HIGHEST_SCORE)
    if is_wrong.any():
        row = frame[is_wrong].iloc[0]
        raise ValueError(
            f"{where}, row {row.name + 1}: the score is {shown(row['score'])}; "
            f"give a number from 0 to {HIGHEST_SCORE:g}, or rescale"
        )
    first = _sentences_of(frame, "sentence1", where)
    second = _sentences_of(frame, "sentence2", where)
    subsets = frame["subset"].tolist() if "subset" in frame else None
    expected = ROWS[task][split]
    if len(scores) != expected:
        # The warning names the line that calls sts_pairs for a folder, three calls above.
        warnings.warn(
            f"{where}: {plural(len(scores), 'scored pair')}, but {task} ({split}) has "
            f"{expected:,}. Do not compare the result with published ones",
            stacklevel=4,
        )
    return StsPairs(task, first, second, scores.astype(float).tolist(), subsets, split)


def _named_columns(frame: pd.DataFrame, where: str) -> pd.DataFrame:
    """Rename the columns to those of :data:`COLUMNS`; raise if one of these is missing."""
    frame = frame.rename(columns=str.lower)
    # Not if the name is taken, as in a table with `score` and `label`.
    new_names = {alias: name for alias, name in ALIASES.items() if name not in frame.columns}
    frame = frame.rename(columns=new_names)
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        raise ValueError(
            f"{where} lacks {', '.join(missing)}; its columns are {', '.join(frame.columns)}"
        )
    return frame


def _sentences_of(frame: pd.DataFrame, column: str, where: str) -> list[str]:
    """Return the sentences of a column, of which none may be blank."""
    texts = tables.texts_of(frame[column], column, where)
    if "" in texts:
        row: Any = frame.index[texts.index("")]
        raise ValueError(
            f"{where}, row {row + 1}: {column!r} is blank; fill it, or leave the row out"
        )
    return texts
