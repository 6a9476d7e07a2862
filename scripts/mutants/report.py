"""The page on a mutation run, in Markdown: counts by module, and every survivor with its reason."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

HEAD = """# Mutants

Written by `make mutants`; do not edit. [cosmic-ray](https://cosmic-ray.readthedocs.io) changes one sign, number,
condition, exception, loop or decorator at a time in `clwork/losses`, `clwork/metrics` and `clwork/training`; then the
tests of that module run, and one of them must fail. A mutant that survives shows a line that no test holds, or is
equivalent: it changes nothing that could be seen. Not counted are mutants that ask the tests nothing: signs within
annotations, arithmetic made into bit operations (floats have none), and `==` made into `is`. The reasons below are
kept in `scripts/mutants/explained.json`.

Where a survivor shows that a test is missing, the test is written and the mutant tried again: figures are those after
that, and a sample of another seed (`--seed`) is the harder question.
"""


@dataclass(frozen=True)
class Mutant:
    """One mutant that was tried: ``outcome`` is killed, survived or incompetent (the text is no Python any more)."""

    module: str
    line: int
    operator: str
    before: str
    after: str
    outcome: str
    timed_out: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """Identity across edits: line numbers move, lines seldom change."""
        return self.module, self.before, self.after


@dataclass(frozen=True)
class Reason:
    """Reason for a survivor; ``equivalent`` if no test could kill it."""

    module: str
    before: str
    after: str
    equivalent: bool
    why: str


Reasons = dict[tuple[str, str, str], Reason]


def changed_lines(diff: str) -> tuple[str, str]:
    """Removed and added lines of a unified diff, without indentation."""
    lines = [line for line in diff.split("\n") if not line.startswith(("---", "+++"))]
    before, after = (" ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    return before, after


def read_reasons(path: Path) -> Reasons:
    """Read the written reasons."""
    entries = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return {(entry["module"], entry["before"], entry["after"]): Reason(**entry) for entry in entries}


def without_reason(mutants: list[Mutant], reasons: Reasons) -> list[dict[str, object]]:
    """Survivors without a reason, as entries to fill in."""
    open_ones = [mutant for mutant in mutants if mutant.outcome == "survived" and mutant.key not in reasons]
    return [asdict(Reason(*mutant.key, equivalent=False, why="")) for mutant in open_ones]


def report(mutants: list[Mutant], counts: dict[str, int], reasons: Reasons, command: str) -> str:
    """Write the page; ``counts`` is the number of mutants of each module, tried or not."""
    rooms = list(dict.fromkeys(module.split("/")[0] for module in counts))
    rows = [_row(f"**{room}**", *_of(room, mutants, counts), reasons) for room in rooms]
    rows += [_row(f"`{module}`", *_of(module, mutants, counts), reasons) for module in counts]
    survivors = sorted((mutant for mutant in mutants if mutant.outcome == "survived"), key=lambda m: (m.module, m.line))
    return "\n".join(
        [
            HEAD,
            f"`{command}`; {sum(mutant.timed_out for mutant in mutants)} of the killed ran out of time.",
            "",
            "| | mutants | tried | no Python | killed | survived | of these equivalent | killed of the rest |",
            "|---|---:|---:|---:|---:|---:|---:|---:|",
            _row("**all**", mutants, sum(counts.values()), reasons),
            *rows,
            "",
            "## Survivors",
            "",
            *(_survivor(mutant, reasons.get(mutant.key)) for mutant in survivors),
        ]
    )


def _of(name: str, mutants: list[Mutant], counts: dict[str, int]) -> tuple[list[Mutant], int]:
    """Tried mutants of a room or module, and the number of all of them."""
    chosen = [mutant for mutant in mutants if name in (mutant.module, mutant.module.split("/")[0])]
    return chosen, sum(count for module, count in counts.items() if name in (module, module.split("/")[0]))


def _row(name: str, mutants: list[Mutant], count: int, reasons: Reasons) -> str:
    killed, survived, broken = (
        sum(mutant.outcome == outcome for mutant in mutants) for outcome in ("killed", "survived", "incompetent")
    )
    same = sum(m.outcome == "survived" and m.key in reasons and reasons[m.key].equivalent for m in mutants)
    asked = killed + survived - same
    share = f"{killed / asked:.1%}" if asked else "–"
    return f"| {name} | {count} | {len(mutants)} | {broken} | {killed} | {survived} | {same} | {share} |"


def _survivor(mutant: Mutant, reason: Reason | None) -> str:
    """Place, change and reason of a survivor."""
    why = "**not explained**" if reason is None else ("equivalent: " if reason.equivalent else "left: ") + reason.why
    where = f"- `clwork/{mutant.module}.py:{mutant.line}`, {mutant.operator.removeprefix('core/')}; {why}"
    return f"{where}\n\n  ```diff\n  - {mutant.before}\n  + {mutant.after}\n  ```\n"
