"""Change the code of ``losses``, ``metrics`` and ``training`` in small ways, and see whether a test fails each time.

``python -m scripts.mutants --sample 150 --seed 0 losses`` tries 150 mutants of a room, ``losses/dclr`` all those of a
module, and no name at all everything, which takes many hours. Mutants come from cosmic-ray and are made in a copy of
the tree under ``build/mutants``. What was tried is kept there: the same command goes on where it was stopped, and
``--again`` tries those that survived once more. The end is ``docs/mutants.md``, a page on the results.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import shlex
import shutil
import signal
import sqlite3
import sys
from pathlib import Path

import parso
from cosmic_ray.commands import init
from cosmic_ray.mutating import use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkItem, WorkResult

from scripts.mutants.fork import LATE, WORK, enter_copy, patience, run_tests
from scripts.mutants.report import Mutant, changed_lines, read_reasons, report, without_reason
from scripts.mutants.table import ROOT, asks_nothing, modules, tests_of

SESSIONS = WORK / "sessions"
REASONS, PAGE = ROOT / "scripts" / "mutants" / "explained.json", ROOT / "docs" / "mutants.md"
SKIPPED = WorkResult(worker_outcome=WorkerOutcome.SKIPPED)


def make_session(module: str, database: WorkDB) -> None:
    """Create all mutants of a module, without those that no test could kill."""
    path = Path("clwork", f"{module}.py")
    init([path], database, {})
    tree = parso.parse(path.read_text(encoding="utf-8"))  # type: ignore[no-untyped-call]
    idle = [
        item.job_id
        for item in database.work_items
        for spec in item.mutations
        if asks_nothing(spec.operator_name, tree.get_leaf_for_position(spec.start_pos, include_prefixes=True))
    ]
    database.set_multiple_results(idle, SKIPPED)


def sessions(names: list[str]) -> dict[str, Path]:
    """Database of mutants for each module, made anew if the module has changed."""
    SESSIONS.mkdir(parents=True, exist_ok=True)
    paths = {}
    for module in names:
        paths[module] = SESSIONS / f"{module.replace('/', '-')}.sqlite"
        former, now = paths[module].with_suffix(".txt"), Path("clwork", f"{module}.py")
        if not former.is_file() or former.read_bytes() != now.read_bytes():
            former.unlink(missing_ok=True)
            with use_db(paths[module]) as database:
                make_session(module, database)
            shutil.copyfile(now, former)  # last: a session without it was never finished
    return paths


def forget_survivors(path: Path) -> None:
    """Delete the results of survivors, so that they are tried again."""
    with sqlite3.connect(path) as database:
        database.execute("delete from work_results where test_outcome = ?", (TestOutcome.SURVIVED.name,))


def sample(paths: dict[str, Path], count: int | None, seed: int) -> list[tuple[str, WorkItem]]:
    """Draw ``count`` mutants of each room, in order; a larger sample begins with the smaller one."""
    drawn: dict[str, list[tuple[bytes, str, WorkItem]]] = {}
    for module, path in paths.items():
        with use_db(path) as database:
            skipped = {job for job, result in database.results if result.worker_outcome == WorkerOutcome.SKIPPED}
            items = [item for item in database.work_items if item.job_id not in skipped]
        for item in items:
            name = f"{seed} {module} {item.mutations[0].operator_name} {item.mutations[0].occurrence}"
            lot = hashlib.sha256(name.encode()).digest()  # cosmic-ray's own names differ from session to session
            drawn.setdefault(module.split("/")[0], []).append((lot, module, item))
    for lots in drawn.values():
        lots.sort(key=lambda lot: lot[0])
    return [(module, item) for lots in drawn.values() for _, module, item in lots[:count]]


def try_mutant(item: WorkItem, tests: list[str], seconds: float) -> WorkResult:
    """Make a mutant, run the tests and restore the file."""
    spec = item.mutations[0]
    operator = get_operator(spec.operator_name)(**spec.operator_args)
    with use_mutation(spec.module_path, operator, spec.occurrence) as (before, after):
        if after is None:
            return WorkResult(worker_outcome=WorkerOutcome.NO_TEST)
        diff = "\n".join(difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm=""))
        try:
            compile(after, str(spec.module_path), "exec")
        except SyntaxError:
            return WorkResult(WorkerOutcome.NORMAL, "", TestOutcome.INCOMPETENT, diff)
        status, _, output = run_tests(tests, seconds)
    outcome = TestOutcome.KILLED if status else TestOutcome.SURVIVED
    return WorkResult(WorkerOutcome.NORMAL, "timeout" if status == LATE else output, outcome, diff)


def try_all(chosen: list[tuple[str, WorkItem]], paths: dict[str, Path], quick: bool, limit: float | None) -> None:
    """Try mutants without a result, and store each result at once."""
    for number, (module, item) in enumerate(chosen, start=1):
        with use_db(paths[module]) as database:
            if any(job == item.job_id for job, _ in database.results):
                continue
            tests = tests_of(module, quick=quick)
            result = try_mutant(item, tests, limit or patience(tuple(tests)))
            database.set_result(item.job_id, result)
        outcome = "-" if result.test_outcome is None else result.test_outcome.value
        print(f"{number}/{len(chosen)} {module}.py:{item.mutations[0].start_pos[0]} {outcome}", flush=True)


def tried(paths: dict[str, Path], chosen: list[tuple[str, WorkItem]]) -> tuple[list[Mutant], dict[str, int]]:
    """Outcomes of the chosen mutants, and the number of all mutants of each module."""
    wanted = {item.job_id for _, item in chosen}
    mutants, counts = [], {}
    for module, path in paths.items():
        with use_db(path) as database:
            done = [(item, result) for item, result in database.completed_work_items]
            total = database.num_work_items
        counts[module] = total - sum(result.worker_outcome == WorkerOutcome.SKIPPED for _, result in done)
        for item, result in done:
            if item.job_id in wanted and result.test_outcome is not None:
                spec, lines = item.mutations[0], changed_lines(result.diff)
                late, outcome = result.output == "timeout", result.test_outcome.value
                mutants.append(Mutant(module, spec.start_pos[0], spec.operator_name, *lines, outcome, late))
    return mutants, counts


def main() -> None:
    """Copy the tree, make and try mutants, write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="rooms or modules, as losses or losses/dclr")
    parser.add_argument("--sample", type=int, metavar="N", help="try N mutants of each room, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (0)")
    parser.add_argument("--again", action="store_true", help="try once more what survived")
    parser.add_argument("--quick", action="store_true", help="run fewer of the tests: more mutants survive")
    parser.add_argument("--limit", type=float, metavar="S", help="processor seconds for a mutant; else it is measured")
    options = parser.parse_args()
    names = modules(options.names)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stopped is stopped, however
    enter_copy()
    paths = sessions(names)
    if options.again:
        for path in paths.values():
            forget_survivors(path)
    chosen = sample(paths, options.sample, options.seed)
    print(f"{len(chosen)} mutants; stop and go on as you like", flush=True)
    try:
        try_all(chosen, paths, options.quick, options.limit)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")
    mutants, counts = tried(paths, chosen)
    reasons = read_reasons(REASONS)
    command = shlex.join(["python", "-m", "scripts.mutants", *sys.argv[1:]]).replace(" --again", "")
    PAGE.write_text(report(mutants, counts, reasons, command), encoding="utf-8")
    print(json.dumps(without_reason(mutants, reasons), indent=1, ensure_ascii=False))
    print(f"written: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
