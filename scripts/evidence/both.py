"""Central comparisons on two encoders: what is the same on the older one, and what turns round.

``python -m scripts.evidence.both --data FOLDER --folder RUNS`` trains the variants of ``both.toml``
on both encoders with paired seeds and keeps the cosines of all rated pairs. Several processes with
the same folder share the work. What ``pairs.safetensors`` has from a machine of this kind is not
trained again. ``python -m scripts.evidence --pairs pack --folder RUNS`` adds the cosines to that
file, and ``--table`` writes the table of ``docs/measured.md`` from it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any

# Before torch is imported: several processes train at the same time, with one thread each.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from clwork import claims
from clwork.claims.ledger import Claim, Variant
from clwork.claims.pairs import Floats, Judge, difference_of, unlike
from clwork.claims.records import VariantRun, run_of
from clwork.claims.table import Answer, Comparison
from clwork.claims.testing import processor
from clwork.claims.verdicts import TASKS, SetResult, word
from clwork.disk import write_file
from clwork.methods import config
from clwork.precision import versions
from scripts.readme import replace_block

from .judging import SETS, packed_judge, with_families
from .pairs import PACKED, Job, describe, facts_in, keys_of, work

FILE = Path(__file__).with_name("both.toml")
PAGE = Path(__file__).parents[2] / "docs" / "measured.md"
# All runs are trained on one machine, at the precision that is fastest there.
PRECISION = "bfloat16"
SEEDS = 5
# The fewest from which an answer is given: all comparisons have them before any has more.
FIRST_SEEDS = 3
SPLITS = SETS["sts"]


@cache
def _read() -> dict[str, Any]:
    """Read the file of comparisons."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def sources() -> list[dict[str, str]]:
    """Return the comparisons of the file: what is expected, and the claim that asks the same."""
    return list(_read()["comparison"])


def text() -> str:
    """Return the name of the training text."""
    return str(_read()["text"])


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
            "data": text(),
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
    """List what to train and judge: each comparison with its first seeds, then with the others."""
    by_encoder = [comparisons_on(encoder) for encoder in encoders()]
    listed = list(chain(*zip(*by_encoder, strict=True)))
    first = product(listed, seeds[:FIRST_SEEDS])
    others = product(listed, seeds[FIRST_SEEDS:])
    return jobs_of(chain(first, others))


def jobs_of(wanted: Iterable[tuple[Claim, int]]) -> list[Job]:
    """List each run of these comparisons and seeds once, with all the views that it needs."""
    found: dict[str, Job] = {}
    for claim, seed in wanted:
        for variant in claim.variants.values():
            run = run_at(claim, variant, seed)
            views = found.get(run.name, Job(run, ())).views
            found[run.name] = Job(run, tuple(dict.fromkeys([*views, variant.view])), SPLITS)
    return list(found.values())


def without_packed(listed: Sequence[Job]) -> list[Job]:
    """Return the jobs whose cosines are not packed yet, in circumstances like those of here."""
    facts = facts_in(PACKED)
    here = {"machine": processor(), "versions": versions()}
    keys = set(keys_of(PACKED))

    def is_packed(job: Job) -> bool:
        wanted = {f"{job.name}/{view}/{split}" for view in job.views for split in job.splits}
        return wanted <= keys and not unlike(facts[job.name], here)

    return [job for job in listed if not is_packed(job)]


@dataclass(frozen=True)
class Row:
    """A comparison on both encoders by one test set: results of the younger, then of the older."""

    expects: str
    of: str
    results: tuple[SetResult, ...]
    words: tuple[str, ...]
    change: SetResult  # the difference on the older encoder minus that on the younger

    @property
    def together(self) -> str:
        """What both encoders say."""
        younger, older = self.words
        if {younger, older} == {"agrees here", "differs here"}:
            return "turns round"
        return "same on both" if younger == older != "open" else "open"


def rows(judge: Judge) -> Iterator[Row]:
    """Return the comparisons whose runs the judge knows on both encoders, by test set."""
    by_encoder = [_answers_on(encoder, judge) for encoder in encoders()]
    for source, younger, older in zip(sources(), *by_encoder, strict=True):
        comparisons = younger.comparisons[0], older.comparisons[0]
        for place, results in enumerate(zip(*(each.sets for each in comparisons), strict=False)):
            words = tuple(
                word(
                    result.difference,
                    answer.claim.expects[0].sign,
                    answer.metric.margin,
                    answer.family,
                )
                for result, answer in zip(results, (younger, older), strict=True)
            )
            change = _change((younger, older), place, judge)
            yield Row(source["expects"], source["of"], results, words, change)


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


def _change(answers: Sequence[Answer], place: int, judge: Judge) -> SetResult:
    """Return how much larger the difference is on the older encoder, on one test set."""
    results = [answer.comparisons[0].sets[place] for answer in answers]
    seeds = min(result.seeds for result in results)
    differences = []
    for answer in answers:
        (expected,) = answer.claim.expects
        left, right = (
            _scores(answer.claim, answer.claim.variants[side], seeds, results[0].name, judge)
            for side in (expected.left, expected.right)
        )
        differences.append(left - right)
    younger, older = differences
    return replace(results[0], seeds=seeds, difference=difference_of(older, younger))


def _scores(claim: Claim, variant: Variant, seeds: int, test_set: str, judge: Judge) -> Floats:
    """Return the scores of a variant on all pairs and on each resample, ``(seeds, 1 + R)``."""
    key = f"{variant.view}/{test_set}"
    runs = _runs_of(claim)[variant.name]
    return np.stack([judge.scores(runs[seed].name, key) for seed in range(seeds)])


def table(found: Sequence[Row]) -> str:
    """Return the table of ``docs/measured.md``, a line for each comparison and test set."""
    titles = [f"`{name}`, {steps} steps" for name, steps in encoders().items()]
    counts = Counter(row.together for row in found)
    counted = ", ".join(f"{count} {together}" for together, count in counts.most_common())
    compared = f"{len({row.expects for row in found})} of {len(sources())} comparisons are measured"
    lines = [
        f"{compared}, each on two test sets: {counted}.",
        "",
        f"| Expected | On | {' | '.join(titles)} | Together | Older minus younger |",
        "|---|---|---|---|---|---|",
    ]
    for row in found:
        task = row.change.name.partition("/")[0]
        cells = [
            TASKS[task],
            *map("{}: {}".format, row.words, map(_cell, row.results)),
            row.together,
            _cell(row.change),
        ]
        expected = f"{row.expects} (`{row.of}`)" if task == "stsb" else ""
        lines.append(f"| {expected} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(result: SetResult) -> str:
    """Return a difference as text, with the number of seeds if some are missing."""
    missing = "" if result.seeds == SEEDS else f" ({result.seeds} seeds)"
    return f"{result.difference}{missing}"


def main(arguments: list[str] | None = None) -> int:
    """Train and judge, or write the table; return 1 if a run failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", required=True, help="STS tasks")
    parser.add_argument("--folder", type=Path, default=Path("clwork-runs/both"), help="of runs")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--table", action="store_true", help="write the table, train nothing")
    parser.add_argument("--list", action="store_true", help="print what is done and missing")
    options = parser.parse_args(arguments)
    if options.table:
        found = table(list(rows(packed_judge(options.data))))
        page = PAGE.read_text(encoding="utf-8")
        write_file(PAGE, replace_block(page, "both encoders", found))
        return 0
    listed = without_packed(jobs(range(options.seeds)))
    if options.list:
        print(*describe(listed, options.folder), sep="\n")
        return 0
    return 1 if work(listed, options.folder, options.data) else 0


if __name__ == "__main__":
    sys.exit(main())
