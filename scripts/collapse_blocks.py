"""The tables of docs/collapse.md, and a trend's thresholds, from what benchmarks/collapse_calibration.py measured."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from clwork import methods, metrics
from clwork.metrics.collapse_trend import EARLY, Look

Row = dict[str, Any]
KINDS = ("healthy", "sick", "spoilt")
MISSING = "Not measured yet."
LOSS_ALLOWED = 3  # times the largest that a healthy run had


def warned(run: Row, total: int, upto: float = 1.0) -> bool:
    """Whether a panel warns of the run at its last look within this part of it."""
    looks = [look for look in run["looks"] if look["step"] <= upto * total]
    trend = metrics.trend(looks, total, pushes=methods.get(run["method"]).negatives)
    return metrics.Diagnosis(looks[-1]["shape"], looks[-1], "").of_run(trend, {}).warns


def width(look: Row) -> float:
    """log(1 - mean cosine), which a trend compares."""
    return Look(look["step"], look["mean_cosine"]).width


def changes(runs: Sequence[Row], total: int) -> list[float]:
    """How the width of the cloud changed since the first look, at each look that is judged."""
    return [width(look) - width(run["looks"][0]) for run in runs for look in _judged(run, total)]


def retreats(runs: Sequence[Row], total: int) -> list[float]:
    """The same since the widest look so far: 0 or less."""
    return [
        width(look) - max(width(other) for other in run["looks"] if other["step"] <= look["step"])
        for run in runs
        for look in _judged(run, total)
    ]


def parting(low: Sequence[float], high: Sequence[float]) -> float:
    """The threshold that tells low from high values best (balanced accuracy), in the middle of the widest such gap.

    >>> parting([0.0, 1.0], [2.0, 4.0])
    1.5
    """

    def right(limit: float) -> float:
        return sum(v < limit for v in low) / len(low) + sum(v >= limit for v in high) / len(high)

    gaps = [((a + b) / 2, b - a) for a, b in pairwise(sorted({*low, *high}))]
    return max(gaps, key=lambda gap: (round(right(gap[0]), 9), gap[1]))[0]


def thresholds(found: Row) -> dict[str, float]:
    """OPENED, CLOSED and LOST of a trend, as the runs of the choosing seeds have them."""
    total = found["settings"]["steps"]

    def of(kind: str, pushes: bool) -> list[Row]:
        return [
            run
            for run in plain(found)
            if run["seed"] in found["choosing"]
            and run["kind"] == kind
            and methods.get(run["method"]).negatives == pushes
        ]

    healthy = [of("healthy", pushes) for pushes in (True, False)]
    return {
        "OPENED": parting(changes(of("sick", True), total), changes(healthy[0], total)),
        "CLOSED": parting(changes(of("sick", False), total), changes(healthy[1], total)),
        "LOST": LOSS_ALLOWED * min(retreats([*healthy[0], *healthy[1]], total)),
    }


def plain(found: Row) -> list[Row]:
    """The runs without a remedy."""
    return [run for run in found["runs"] if not run["remedy"]]


def _judged(run: Row, total: int) -> list[Row]:
    return [look for look in run["looks"] if look["step"] >= EARLY * total]


def _counted(runs: Sequence[Row], total: int, upto: float = 1.0) -> str:
    return f"{sum(warned(run, total, upto) for run in runs)} of {len(runs)}" if runs else "–"


def _span(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:.3f}" if round(low, 3) == round(high, 3) else f"{low:.3f} to {high:.3f}"


def runs_table_of(found: Row | None) -> str:
    """One line for each arm: how its clouds moved, what the encoders are worth, and how many are warned of."""
    if found is None or not found["runs"]:
        return MISSING
    total = found["settings"]["steps"]
    head = ("Method", "Run", "Kind", "mean cosine at the end", "change of log width", "same-article AUC", "warned of")
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    groups: dict[tuple[str, str], list[Row]] = {}
    for run in plain(found):
        groups.setdefault((run["method"], run["arm"]), []).append(run)
    order = {name: place for place, name in enumerate(methods.names())}
    for (method, arm), runs in sorted(groups.items(), key=lambda one: order[one[0][0]]):
        ends = [run["looks"][-1]["mean_cosine"] for run in runs]
        moved = statistics.fmean(width(run["looks"][-1]) - width(run["looks"][0]) for run in runs)
        scores = [run["same_article_auc"] for run in runs if run["same_article_auc"] is not None]
        start = runs[0]["looks"][0]["mean_cosine"]
        cells = [methods.get(method).title, arm, runs[0]["kind"], f"{start:.3f} → {_span(ends)}", f"{moved:+.2f}"]
        cells += [f"{statistics.fmean(scores):.2f}" if scores else "–", _counted(runs, total)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join([*rows, "", _rates(found)])


def _rates(found: Row) -> str:
    """How many sick runs are found and how many healthy ones are left alone, on both groups of seeds."""
    total, lines = found["settings"]["steps"], []
    for name, choosing in (("that chose the thresholds", True), ("held out", False)):
        runs = [run for run in plain(found) if (run["seed"] in found["choosing"]) == choosing]
        parts = []
        for upto, when in ((EARLY, "at a tenth of the run"), (0.5, "at half"), (1.0, "at the end")):
            counts = {kind: _counted([run for run in runs if run["kind"] == kind], total, upto) for kind in KINDS}
            parts.append(f"{when} {counts['sick']} sick, {counts['spoilt']} spoilt and {counts['healthy']} healthy")
        seeds = sorted({run["seed"] for run in runs})
        lines.append(f"Warned of on seeds {name} ({', '.join(map(str, seeds))}): {'; '.join(parts)}.")
    settings = found["settings"]
    lines.append(
        f"{settings['steps']} steps of {settings['batch_size']} sentences of {settings['sentences']!r}, "
        f"{settings['precision']}; all else as by default, but that the model which judges DCLR's negatives is trained "
        "for 10 steps."
    )
    return " ".join(lines)


def trials_table_of(found: Row | None) -> str:
    """One line for each sick arm and remedy: how often the cloud ended wider than without it, on the same seed."""
    tried = [] if found is None else [run for run in found["runs"] if run["remedy"]]
    if found is None or not tried:
        return MISSING
    total = found["settings"]["steps"]
    before = {(run["method"], run["arm"], run["seed"]): run for run in plain(found)}
    head = ("Remedy", "Method", "Sick run", "change of log width: without", "with", "wider on", "still warned of")
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for run in tried:
        if (run["method"], run["arm"], run["seed"]) in before:
            groups.setdefault((run["remedy"], run["method"], run["arm"]), []).append(run)
    for (remedy, method, arm), runs in sorted(groups.items()):
        pairs = [(before[method, arm, run["seed"]], run) for run in runs]
        moved = [[width(run["looks"][-1]) - width(run["looks"][0]) for run in pair] for pair in pairs]
        without, treated = ([pair[side] for pair in moved] for side in (0, 1))
        wider = f"{sum(helped(*pair) for pair in pairs)} of {len(pairs)}"
        cells = [remedy, methods.get(method).title, arm, f"{statistics.fmean(without):+.2f}"]
        rows.append(f"| {' | '.join([*cells, f'{statistics.fmean(treated):+.2f}', wider, _counted(runs, total)])} |")
    return "\n".join(rows)


def helped(without: Row, treated: Row) -> bool:
    """Whether the cloud ended at least a tenth wider than without the remedy."""
    return width(treated["looks"][-1]) - width(without["looks"][-1]) > 0.1
