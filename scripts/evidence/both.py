"""Central comparisons on two encoders: what is the same on the older one, and what turns round.

``python -m scripts.evidence.both --data FOLDER --folder RUNS`` trains the variants of ``both.toml``
on both encoders with paired seeds and keeps the cosines of all rated pairs. Several processes with
the same folder share the work. ``python -m scripts.evidence --pairs pack --folder RUNS`` adds the
cosines to ``pairs.safetensors``, and ``--table`` writes the table of ``docs/measured.md`` from it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any

# Before torch is imported: several processes train at the same time, with one thread each.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from filelock import FileLock, Timeout

from clwork import claims
from clwork.claims.ledger import Claim, Variant
from clwork.claims.pairs import Judge, difference_of
from clwork.claims.records import VariantRun, run_of
from clwork.claims.table import Answer, Comparison
from clwork.claims.verdicts import SetResult
from clwork.disk import write_file
from clwork.methods import config

from .judging import SETS, packed_judge, with_families
from .pairs import Job

FILE = Path(__file__).with_name("both.toml")
PAGE = Path(__file__).parents[2] / "docs" / "measured.md"
BEGIN, END = (f"<!-- both encoders:{mark} -->" for mark in ("begin", "end"))
# All runs are trained on one machine, at the precision that is fastest there.
PRECISION = "bfloat16"
SEEDS = 5
SPLITS = SETS["sts"]
SIGNS = {"agrees here": 1, "differs here": -1}


@cache
def _read() -> dict[str, Any]:
    """Read the file of comparisons."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def sources() -> list[dict[str, str]]:
    """Return the comparisons of the file: what is expected, and the claim that asks the same."""
    return list(_read()["comparison"])


def encoders() -> dict[str, int]:
    """Return the number of training steps by encoder, the younger first."""
    return dict(_read()["steps"])


def comparisons_on(encoder: str) -> list[Claim]:
    """Return the comparisons on an encoder, a claim of one expectation for each."""
    variants = {
        name: {
            **row,
            "encoder": encoder,
            "config": _without_preset(encoder, row),
            "data": _read()["text"],
        }
        for name, row in _read()["variants"].items()
    }
    return [
        claims.ledger.read_claim(
            {
                "name": f"{encoder}/{row['expects']}",
                "metric": "sts",
                "expects": row["expects"],
                "steps": encoders()[encoder],
                "variants": variants,
            }
        )
        for row in sources()
    ]


def _without_preset(encoder: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a variant's settings without those that the encoder's preset has anyway."""
    settings = dict(row.get("config", {}))
    if not settings:
        return settings
    preset = config(row["method"], encoder)
    return {name: value for name, value in settings.items() if getattr(preset, name) != value}


def run_at(claim: Claim, variant: Variant, seed: int) -> VariantRun:
    """Return the run of a variant at a seed, at the precision of all these runs."""
    run = run_of(claim, variant, seed)
    return replace(run, precision=PRECISION) if run.steps else run


def jobs(seeds: Sequence[int]) -> list[Job]:
    """List what to train and judge: comparison by comparison, each with all its seeds."""
    found: dict[str, Job] = {}
    by_encoder = [comparisons_on(encoder) for encoder in encoders()]
    for claim, seed in product(chain(*zip(*by_encoder, strict=True)), seeds):
        for variant in claim.variants.values():
            run = run_at(claim, variant, seed)
            views = found.get(run.name, Job(run, ())).views
            found[run.name] = Job(run, tuple(dict.fromkeys([*views, variant.view])), SPLITS)
    return list(found.values())


def work(listed: Sequence[Job], folder: Path, data: Path) -> int:
    """Do the missing jobs that no other process does; return how many failed."""
    torch.set_num_threads(1)
    os.nice(10)
    failed = 0
    for number, job in enumerate(listed, start=1):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(folder / f".{job.name}.lock", timeout=0):
                if not job.missing(folder):
                    continue
                job.do(folder, data)
        except Timeout:
            continue
        except Exception as error:
            # A variant that diverged must not end the others.
            failed += 1
            print(f"{job.name}: {type(error).__name__}: {error}", flush=True)
        print(f"{number} of {len(listed)}: {job.name}", flush=True)
    return failed


@dataclass(frozen=True)
class Row:
    """A comparison on both encoders; ``change`` is the older minus the younger, by test set."""

    expects: str
    of: str
    answers: tuple[Answer, ...]
    change: tuple[SetResult, ...]

    @property
    def word(self) -> str:
        """What both encoders say together."""
        younger, older = (answer.finding for answer in self.answers)
        if SIGNS.get(younger, 0) * SIGNS.get(older, 0) < 0:
            return "turns round"
        return "same on both" if younger == older != "open" else "open"


def rows(judge: Judge) -> Iterator[Row]:
    """Return the comparisons whose runs the judge knows on both encoders."""
    by_encoder = [_answers_on(encoder, judge) for encoder in encoders()]
    for source, *answers in zip(sources(), *by_encoder, strict=True):
        if all(answer.comparisons[0].sets for answer in answers):
            yield Row(source["expects"], source["of"], tuple(answers), _change(answers, judge))


def _answers_on(encoder: str, judge: Judge) -> list[Answer]:
    """Return the answers on an encoder, which are decided together."""
    undecided = {}
    for claim in comparisons_on(encoder):
        (expected,) = claim.expects
        sets = judge.compare(claim, expected, _runs_of(claim))
        comparison = Comparison(expected, claim.metric, sets=sets)
        undecided[claim.name] = Answer(claim, (comparison,), controls=(), encoder=encoder)
    return list(with_families(undecided).values())


def _runs_of(claim: Claim) -> dict[str, dict[int, VariantRun]]:
    """Return the runs of a claim's variants by seed."""
    return {
        name: {seed: run_at(claim, variant, seed) for seed in range(SEEDS)}
        for name, variant in claim.variants.items()
    }


def _change(answers: Sequence[Answer], judge: Judge) -> tuple[SetResult, ...]:
    """Return how much larger the difference is on the older encoder, on each test set."""
    results = []
    for place, result in enumerate(answers[0].comparisons[0].sets):
        seeds = range(min(answer.comparisons[0].sets[place].seeds for answer in answers))
        differences = []
        for answer in answers:
            (expected,) = answer.claim.expects
            left, right = (answer.claim.variants[name] for name in (expected.left, expected.right))
            scores = []
            for variant in (left, right):
                names = [run_at(answer.claim, variant, seed).name for seed in seeds]
                key = f"{variant.view}/{result.name}"
                scores.append(np.stack([judge.scores(name, key) for name in names]))
            differences.append(scores[0] - scores[1])
        younger, older = differences
        change = difference_of(older, younger)
        results.append(replace(result, seeds=len(seeds), difference=change))
    return tuple(results)


def table(found: Sequence[Row]) -> str:
    """Return the table of ``docs/measured.md``."""
    titles = [f"`{name}`, {steps} steps" for name, steps in encoders().items()]
    lines = [
        f"| Expected | {' | '.join(titles)} | Together | Older minus younger |",
        "|---|---|---|---|---|",
    ]
    for row in found:
        cells = [_cell(answer.comparisons[0].sets, answer.finding) for answer in row.answers]
        change = _cell(row.change)
        lines.append(
            f"| {row.expects} (`{row.of}`) | {' | '.join(cells)} | {row.word} | {change} |"
        )
    counts = Counter(row.word for row in found)
    counted = ", ".join(f"{count} {word}" for word, count in counts.most_common())
    return "\n".join([f"{len(found)} comparisons: {counted}.", "", *lines])


def _cell(sets: Sequence[SetResult], word: str = "") -> str:
    """Return the differences on STS-B and SICK-R as text, after a word."""
    differences = " / ".join(str(result.difference) for result in sets)
    seeds = min(result.seeds for result in sets)
    shown = f"{differences}" if seeds == SEEDS else f"{differences} ({seeds} seeds)"
    return f"{word}: {shown}" if word else shown


def main(arguments: list[str] | None = None) -> int:
    """Train and judge, or write the table; return 1 if a run failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", required=True, help="STS tasks")
    parser.add_argument("--folder", type=Path, default=Path("clwork-runs/both"), help="of runs")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--table", action="store_true", help="write the table, train nothing")
    parser.add_argument("--list", action="store_true", help="print what is missing")
    options = parser.parse_args(arguments)
    if options.table:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        written = table(list(rows(packed_judge(options.data))))
        text = f"{before}{BEGIN}\n{written}\n{END}{after}"
        write_file(PAGE, text)
        return 0
    listed = jobs(range(options.seeds))
    if options.list:
        missing = [job for job in listed if job.missing(options.folder)]
        print(*(f"{job.name} {job.run.encoder} {job.run.config}" for job in missing), sep="\n")
        return 0
    return 1 if work(listed, options.folder, options.data) else 0


if __name__ == "__main__":
    sys.exit(main())
