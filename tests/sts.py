"""A small folder of STS tasks made of clwork's bundled sentences: ``python -m tests.sts FOLDER`` writes it."""

from __future__ import annotations

import json
import sys
from itertools import chain
from pathlib import Path

import clwork
from clwork.data.sts import ROWS, SPLIT_TASKS

TASKS = tuple(ROWS)
SUBSETS = 2  # of a yearly task


def rows(pairs: int) -> list[dict[str, object]]:
    """In turn a paraphrase (a gold score of 5), a premise and its entailment (3.5), and an unrelated pair (0 or 1)."""
    same, premises = clwork.data.paraphrases()[: pairs + 1], clwork.data.triplets()[:pairs]
    kinds = (
        [(a, b, 5.0) for a, b in same[:pairs]],
        [(premise, entailed, 3.5) for premise, entailed, _ in premises],
        [(a, same[k + 1][0], float(k % 2)) for k, (a, _) in enumerate(same[:pairs])],
    )
    return [
        {"sentence1": one, "sentence2": other, "score": score}
        for one, other, score in chain.from_iterable(zip(*kinds, strict=True))
    ]


def write(folder: Path, tasks: tuple[str, ...] = TASKS, pairs: int = 50) -> Path:
    """Write every task, in all its splits or in some subsets, with ``pairs`` pairs of each kind; returns the folder."""
    made = rows(pairs)
    for task in tasks:
        files = (
            ("train", "validation", "test") if task in SPLIT_TASKS else list(ROWS[task])[:SUBSETS]
        )
        (folder / task).mkdir(parents=True)
        for number, name in enumerate(files):
            part = made if task in SPLIT_TASKS else made[number::SUBSETS]
            lines = "".join(json.dumps(row) + "\n" for row in part)
            (folder / task / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return folder


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
