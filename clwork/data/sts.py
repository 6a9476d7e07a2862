"""Semantic textual similarity (STS): read sentence pairs with gold scores from 0 to 5 (same meaning)."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _validation
from .._validation import checked, is_finite, is_number, shown
from ..disk import home, write_file
from ..wording import plural
from . import tables

HUB = {
    "stsb": "mteb/stsbenchmark-sts",
    "sickr": "mteb/sickr-sts",
    **{f"sts{year}": f"mteb/sts{year}-sts" for year in range(12, 17)},
}
# Number of scored pairs by split, or by subset in the yearly tasks (STS13 without SMT, which is not freely licensed).
ROWS: dict[str, dict[str, int]] = {
    "stsb": {"train": 5749, "validation": 1500, "test": 1379},
    "sickr": {"train": 4500, "validation": 500, "test": 4927},
    "sts12": {"MSRpar": 750, "MSRvid": 750, "SMTeuroparl": 459, "OnWN": 750, "SMTnews": 399},
    "sts13": {"FNWN": 189, "headlines": 750, "OnWN": 561},
    "sts14": {
        "deft-forum": 450,
        "deft-news": 300,
        "headlines": 750,
        "images": 750,
        "OnWN": 750,
        "tweet-news": 750,
    },
    "sts15": {
        "answers-forums": 375,
        "answers-students": 750,
        "belief": 375,
        "headlines": 750,
        "images": 750,
    },
    "sts16": {
        "answer-answer": 254,
        "headlines": 249,
        "plagiarism": 230,
        "postediting": 244,
        "question-question": 209,
    },
}
MTEB = {
    "stsbenchmark": "stsb",
    "sick-r": "sickr",
    "sick": "sickr",
    "sts-b": "stsb",
}  # other names of these tasks
SPLIT_TASKS = ("stsb", "sickr")  # the other tasks are test sets with subsets
HIGHEST = 5.0
COLUMNS = ("sentence1", "sentence2", "score")
# Other names of columns, in lower case: SICK's, GLUE's, and those of translations of STS-B.
ALIASES = {"sentence_a": "sentence1", "sentence_b": "sentence2"}
ALIASES |= dict.fromkeys(("relatedness_score", "similarity_score", "label"), "score")
OF_STSB = (
    "genre",
    "file",
    "year",
    "id",
    "score",
    "sentence1",
    "sentence2",
)  # in sts-dev.csv, which has no header
INPUT, GOLD = "STS.input.", "STS.gs."  # SemEval's files of a subset: pairs, and their scores
# Files of a split; dev and trial are other names of validation.
SPLIT = re.compile(r"(?:(?:sts|sick)[\w-]*[-_.])?(train|validation|dev|trial|test)(?![a-z])")
REMEMBERED = "sts_folder.txt"  # file in the settings folder that stores the path
LAYOUT = "<task>/<split or subset>.jsonl (or .csv, .tsv, .parquet; or SentEval's files)"


@dataclass(frozen=True)
class StsPairs:
    """Pairs of sentences with gold scores; :func:`clwork.metrics.sts` checks them."""

    name: str  # the task's name, with missing subsets, such as "sts12 −MSRvid"
    sentences1: list[str]
    sentences2: list[str]
    scores: list[float]  # from 0 to 5 (or on any finite scale); None or NaN for an unscored pair
    subsets: list[str] | None = None  # one name per pair
    split: str = "validation"

    def __len__(self) -> int:
        return len(self.scores)

    def positives(self, threshold: float = 4.0, *, strict: bool = True) -> list[tuple[str, str]]:
        """Return the pairs with a score above ``threshold``, in order; SimCSE's footnote uses 4.

        DCLR's code includes scores of exactly 4 (``strict=False``, S5): 2,008 instead of 1,491 pairs of STS-B.
        """
        threshold, strict = (
            _validation.finite("threshold", threshold),
            _validation.flag("strict", strict),
        )
        rows = zip(self.sentences1, self.sentences2, self.scores, strict=True)
        return [
            (a, b)
            for a, b, score in rows
            if score is not None and (score > threshold or (score == threshold and not strict))
        ]


@checked()
def sts_pairs(
    task: str, split: str = "validation", source: str | os.PathLike[str] = "hub"
) -> StsPairs:
    """Read an STS task from the hub (``mteb/*-sts``) or from a folder.

    Args:
        task: ``stsb``, ``sickr``, ``sts12`` … ``sts16``; or the names of MTEB, its data sets and SentEval, such as
            ``STSBenchmark``, ``SICK-R``, ``STS12``, ``sts12-sts`` and ``STS12-en-test``.
        split: ``train``, ``validation`` or ``test`` of ``stsb`` and ``sickr``; the yearly tasks are test sets.
        source: ``"hub"``, or a folder of ``<task>/<split or subset>.jsonl`` (or ``.csv``, ``.tsv``, ``.parquet``) with
            the columns ``sentence1``, ``sentence2`` and ``score`` (or ``sentence_A``, ``sentence_B`` and
            ``relatedness_score`` or ``label``), or of SentEval's files. Pairs with a blank score are left out.

    Warns:
        UserWarning: rows are missing or too many, or the scale is not 0 to 5; ``name`` then lists missing subsets.

    Raises:
        FileNotFoundError, ConnectionError: no such folder or file, or the hub cannot be reached.
        ValueError: unknown task or split, scores outside 0…5, or a blank sentence.
    """
    task = _validation.choice("task", task_of(task), tuple(ROWS))
    _validation.choice("split", split, ("train", "validation", "test"))
    if task not in SPLIT_TASKS:
        if split == "train":
            raise ValueError(f"{task} is a test set without a train split; leave split out")
        split = "test"
    if str(source) != "hub":
        return _from_folder(task, split, _validation.path("source", source))
    if task == "sickr" and split != "test":
        # https://github.com/embeddings-benchmark/mteb/issues/83
        raise ValueError(
            f"{HUB[task]} has no split={split!r}, only 'test' with all of SICK; give source=, a folder with "
            "sickr/train.jsonl and sickr/validation.jsonl"
        )
    data = tables.load_from_hub(HUB[task], split, instead=f"source=, a folder with {LAYOUT}")
    return _pairs(task, split, [(number, row, None) for number, row in enumerate(data)], HUB[task])


def remember_sts(folder: str | os.PathLike[str] | None) -> None:
    """Store the path of a folder of ``<task>/<split or subset>.jsonl`` for later sessions; None deletes the path."""
    stored = home() / REMEMBERED
    if folder is None:
        stored.unlink(missing_ok=True)
        return
    root = _validation.path("folder", folder).resolve()
    _present(root)
    write_file(stored, str(root), parents=True)


def sts_folder() -> Path | None:
    """Return the folder of STS tasks: from the variable ``CLWORK_STS``, else the remembered one, else ``None``."""
    variable = os.environ.get("CLWORK_STS")
    named = variable or _remembered()
    if named is None:
        return None
    folder = Path(os.path.expanduser(named))
    if folder.is_dir():
        return folder
    origin = "CLWORK_STS names" if variable else "the remembered STS folder is"
    warnings.warn(
        f"{origin} {folder}, which is not a folder (any more); validation on STS is skipped. "
        "Set another with clwork.data.remember_sts(folder), or delete it with remember_sts(None)",
        stacklevel=2,
    )
    return None


def _remembered() -> str | None:
    """Return the path that :func:`remember_sts` stored; None if there is none, or no home folder."""
    try:
        stored = home() / REMEMBERED
    except FileNotFoundError:
        return None
    return stored.read_text(encoding="utf-8", errors="replace") if stored.is_file() else None


def _from_folder(task: str, split: str, root: Path) -> StsPairs:
    present = _present(root)
    if task not in present:
        raise FileNotFoundError(
            f"{root} holds {', '.join(present)}, but no {task}; it is read as {LAYOUT}"
        )
    folder = present[task]
    files = task_files(folder)
    if split in files:
        rows = [(number, row, None) for number, row in _rows(files[split])]
        return _pairs(task, split, rows, str(files[split]))
    subsets = {
        name: path for name, path in files.items() if name not in ("train", "validation", "test")
    }
    if task in SPLIT_TASKS or not subsets:
        inside = ", ".join(files) or "other files"
        raise FileNotFoundError(
            f"{folder} has no {split}, only {inside}; choose with split= (it is read as {LAYOUT})"
        )
    named = [(number, row, name) for name, path in subsets.items() for number, row in _rows(path)]
    return _pairs(task, split, named, str(folder))


def task_of(name: str) -> str:
    """Return the task of a name or folder, such as ``STSBenchmark``, ``sts12-sts`` or ``STS12-en-test``."""
    name = name.lower().removesuffix("-sts").removesuffix("-en-test")
    return MTEB.get(name, name)


def task_folders(root: Path) -> dict[str, Path]:
    """Find the folders of STS tasks, in the order of ``ROWS``, in ``root`` or (in SentEval) its folder ``STS``."""
    inner = (*sorted(root.glob("STS/*")), *sorted(root.glob("*")))
    found = {
        task_of(path.name): path
        for path in inner
        if task_of(path.name) in ROWS and any(path.rglob("*.*"))
    }
    return {task: found[task] for task in ROWS if task in found}


def _present(root: Path) -> dict[str, Path]:
    if not root.is_dir():
        raise FileNotFoundError(f"there is no folder {root}; give the folder that holds {LAYOUT}")
    if not (present := task_folders(root)):
        if task_of(root.name) in ROWS:
            raise ValueError(
                f"{root} is the folder of one STS task; give its parent {root.parent}, the folder of {LAYOUT}"
            )
        inside = ", ".join(sorted(path.name for path in root.iterdir())[:8]) or "nothing"
        raise ValueError(
            f"{root} holds {inside}, but no STS task ({', '.join(ROWS)}); give the folder of {LAYOUT}"
        )
    return present


def task_files(folder: Path) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")):  # clones of the hub have a folder data
        stem, ending = path.name.removesuffix(".gz").rpartition(".")[0], tables.extension(path)
        split = SPLIT.match(stem.lower())
        name = (
            stem.removeprefix(INPUT)
            if not split
            else "validation"
            if split[1] in ("dev", "trial")
            else split[1]
        )
        if ending not in tables.READABLE or (ending == ".txt" and name in (stem, "ALL")):
            continue  # such as a README, or SemEval's scores
        if name in files:
            raise ValueError(
                f"{folder} holds {files[name].name} and {path.name}, both for {name}; remove one"
            )
        files[name] = path
    return files


def _rows(path: Path) -> Iterable[tables.Row]:
    """Return the rows of a table, of SemEval's pair of files, or of an original file of STS-B or SICK."""
    ending = tables.extension(path)
    lines = (_cells(path) if ending in (".txt", ".csv") else []) or [[""]]
    names: Sequence[str] = lines[0]
    if path.name.startswith(INPUT):
        gold = _cells(path.with_name(path.name.replace(INPUT, GOLD)))
        if len(gold) != len(lines):
            raise ValueError(
                f"{path} has {len(lines)} lines, but its scores ({GOLD}…) {len(gold)}; copy both again"
            )
        names, lines = (
            OF_STSB[4:],
            [[*score, *pair[:2]] for score, pair in zip(gold, lines, strict=True)],
        )
    elif len(names) > 5 and not {"score", *ALIASES} & set(map(str.lower, names)):
        names = [name for name in OF_STSB if len(names) > 6 or name != "id"]
    elif ending != ".txt":
        return tables.rows(path)
    numbered = (
        (number, line) for number, line in enumerate(lines, 1) if any(line) and line != names
    )
    return ((number, dict(zip(names, line, strict=False))) for number, line in numbered)


def _cells(path: Path) -> list[list[str]]:
    tables.check_file(path)
    with tables.open_text(path) as text:
        return [line.rstrip("\n").split("\t") for line in text]


def _pairs(
    task: str, split: str, rows: Sequence[tuple[int, Mapping[str, Any], str | None]], where: str
) -> StsPairs:
    found: list[tuple[str, str, float, str | None]] = []
    for number, row, subset in rows:
        at = f"{where}, row {number}"
        row = {name.lower(): value for name, value in row.items()}
        row = {ALIASES.get(name, name): value for name, value in row.items()} | row
        missing = [name for name in COLUMNS if name not in row]
        if missing:
            raise ValueError(f"{at} lacks {', '.join(missing)}; its columns are {', '.join(row)}")
        score = row["score"]
        if isinstance(score, str):
            with suppress(ValueError):  # text that is no number is refused below
                score = float(score) if score.strip() else None
        if score is None or score != score:
            continue  # SemEval's files have unscored pairs
        if not is_number(score) or not is_finite(score) or not 0 <= score <= HIGHEST:
            raise ValueError(
                f"{at}: the score is {shown(score)}; give a number from 0 to {HIGHEST:g}, or rescale"
            )
        first, second = (tables.filled(row[name], name, at) for name in COLUMNS[:2])
        found.append((first, second, float(score), subset))
    if not found:
        raise ValueError(f"{where} holds no scored pair; check how it was written")
    firsts, seconds, scores, subsets = (list(column) for column in zip(*found, strict=True))
    if len(scores) >= 10 and max(scores) <= 1:
        warnings.warn(
            f"{where}: no score is above 1, but the scale is 0 to 5; multiply by 5", stacklevel=4
        )
    named = None if subsets[0] is None else subsets
    return StsPairs(
        _name(task, split, len(scores), named, where), firsts, seconds, scores, named, split
    )


def _name(task: str, split: str, count: int, subsets: list[str] | None, where: str) -> str:
    """Return the task's name with its missing subsets; warn if there are fewer or more rows than published."""
    expected = {split: ROWS[task][split]} if task in SPLIT_TASKS else ROWS[task]
    whole, present = sum(expected.values()), set(map(_bare, subsets or ()))
    if count == whole:
        return task
    missing = [name for name in expected if present and _bare(name) not in present]
    what = (
        f"without {', '.join(missing)}" if missing else "too many" if count > whole else "too few"
    )
    warnings.warn(
        f"{where}: {plural(count, 'scored pair')}, but {task} ({split}) has {whole:,} ({what}). "
        "Do not compare the result with published ones",
        stacklevel=5,
    )
    return " ".join([task, *(f"−{name}" for name in missing)])


def _bare(subset: str) -> str:
    """Normalise a subset's name: copies have `answers-forums` and `forums`, `answer-answer`, `surprise.OnWN`."""
    subset = subset.lower().removeprefix("surprise.")
    return subset.rsplit("-", 1)[-1] if subset.startswith(("answer", "question")) else subset
