"""The table of all methods of docs/measured.md, from what ``benchmarks/methods_table.py`` measured."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

COLUMNS = ("STS-B: raw", "trained", "SICK-R: raw", "trained", "alignment", "uniformity", "effective rank", "s", "MiB")


def mean_and_spread(values: Sequence[float | None], digits: int = 1) -> str:
    """``mean ± sample standard deviation``; a dash where a value is missing, for half a mean would mislead."""
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return "–"
    mean = f"{statistics.fmean(known):.{digits}f}"
    return f"{mean} ± {statistics.stdev(known):.{digits}f}" if len(known) > 1 else mean


def row(runs: list[dict[str, Any]], paper: dict[str, Any] | None) -> str:
    """One method's line."""

    def cell(when: str, name: str, digits: int = 1) -> str:
        return mean_and_spread([run[when].get(name) for run in runs], digits)

    cells = [runs[0]["title"], cell("raw", "stsb"), f"**{cell('trained', 'stsb')}**"]
    cells += [cell("raw", "sickr"), f"**{cell('trained', 'sickr')}**"]
    cells += [cell("trained", name, digits) for name, digits in (("alignment", 2), ("uniformity", 2))]
    cells += [cell("trained", "effective_rank")]
    cells += [f"{statistics.fmean(run['seconds'] for run in runs):.0f}"]
    memory = [run["mib"] for run in runs]
    cells += ["–" if None in memory else f"{statistics.fmean(memory):.0f}"]
    told = "–" if paper is None else f"{paper['stsb']} / {paper['sickr']} ({paper['backbone']})"
    return f"| {' | '.join([*cells, told])} |"


def felt(runs: list[dict[str, Any]]) -> str:
    """What DCLR's two ideas amounted to, in one sentence; empty where it was not measured."""
    parts = [run["parts"] for run in runs if run.get("parts", {}).get("noise_gradient") is not None]
    if not parts:
        return ""
    noise, pull, masked, change = (
        f"{100 * statistics.fmean(part[name] for part in parts):.1f} %"
        for name in ("noise_mass", "noise_gradient", "masked_share", "masking_gradient")
    )
    return (
        f" What {runs[0]['title']} adds to SimCSE, over its last steps: noise has {noise} of the softmax, and its part "
        f"of the gradient is {pull} as long as the whole; {masked} of the in-batch negatives are masked, which changes "
        f"the gradient by {change}."
    )


def methods_table_of(found: dict[str, Any] | None) -> str:
    """The table and what has to be said about it."""
    if found is None or not found["runs"]:
        return "Not measured yet."
    by_method: dict[str, list[dict[str, Any]]] = {}
    for run in found["runs"]:
        by_method.setdefault(run["method"], []).append(run)
    head = ["Method", *COLUMNS, "in the paper: STS-B / SICK-R, test"]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    rows += [row(runs, found["published"].get(method)) for method, runs in by_method.items()]
    settings, threads = found["settings"], found["settings"]["threads"]
    counts = sorted({len(runs) for runs in by_method.values()})
    own = sorted(
        {f"{run['title']} ({run['encoder']})" for run in found["runs"] if run["encoder"] != settings["encoder"]}
    )
    started = f"All start from {settings['encoder']!r}" + (f", except {', '.join(own)}" if own else "")
    rows += [
        "",
        "Spearman × 100 on the validation sets, all pairs of a set in one ranking; alignment over some pairs of STS-B "
        f"with a gold score above 4. Mean ± standard deviation over {' to '.join(map(str, counts))} seeds; "
        f"{settings['steps']} steps of "
        f"{settings['batch_size']} sentences of {settings['sentences']!r} for every method, "
        f"{settings['precision']}, {threads} CPU thread{'s' * (threads > 1)}. {started}. *Raw* is each method's "
        "own representation before the first step, *trained* that of the last step: no labelled pair chose it. "
        "*s* are seconds of training, *MiB* the peak of memory above what the process held before."
        + "".join(felt(runs) for runs in by_method.values()),
    ]
    return "\n".join(rows)
