"""A small folder of STS tasks made of clwork's bundled sentences.

``python -m tests.sts FOLDER`` writes it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import clwork
from clwork.data.sts import ROWS, SPLIT_TASKS

TASKS = tuple(ROWS)
# Of a yearly task.
SUBSETS = 2


def rows(pairs: int) -> list[dict[str, object]]:
    """In turn a paraphrase, a premise with its entailment, and an unrelated pair.

    Their gold scores are 5, 3.5, and 0 or 1.
    """
    paraphrases = clwork.data.paraphrases()
    found = []
    for number, (premise, entailed, _) in enumerate(clwork.data.triplets()[:pairs]):
        sentence, same = paraphrases[number]
        unrelated, _ = paraphrases[number + 1]
        found.append((sentence, same, 5.0))
        found.append((premise, entailed, 3.5))
        found.append((sentence, unrelated, float(number % 2)))
    return [{"sentence1": one, "sentence2": two, "score": score} for one, two, score in found]


def write(folder: Path, tasks: tuple[str, ...] = TASKS, pairs: int = 50) -> Path:
    """Write every task with ``pairs`` pairs of each kind, and return the folder."""
    all_rows = rows(pairs)
    for task in tasks:
        if task in SPLIT_TASKS:
            files = {split: all_rows for split in ("train", "validation", "test")}
        else:
            subsets = list(ROWS[task])[:SUBSETS]
            files = {name: all_rows[number::SUBSETS] for number, name in enumerate(subsets)}
        (folder / task).mkdir(parents=True)
        for name, part in files.items():
            lines = "".join(json.dumps(row) + "\n" for row in part)
            (folder / task / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return folder


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
