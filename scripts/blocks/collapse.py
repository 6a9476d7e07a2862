"""The tables of docs/collapse.md, and a trend's thresholds, from what benchmarks/collapse_calibration.py measured."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from clwork import methods, metrics
from clwork.metrics.diagnosis import EARLY, Measurement
from clwork.recordings import recorded_methods, recording

Row = dict[str, Any]
KINDS = ("healthy", "sick", "spoilt")
MISSING = "Not measured yet."


def diagnosis(run: Row, upto: float = 1.0) -> metrics.Diagnosis:
    """Diagnosis that a panel shows at the last measurement within this share of the run."""
    total = run["measurements"][-1]["step"]
    points = [point for point in run["measurements"] if point["step"] <= upto * total]
    trend = metrics.trend(points, total, pushes=methods.get(run["method"]).negatives)
    return metrics.Diagnosis(points[-1].get("shape", "cone"), points[-1], "").of_run(trend, {})


def width(point: Row) -> float:
    """log(1 - mean cosine), as a trend compares it."""
    return Measurement(point["step"], point["mean_cosine"]).width


def change(run: Row) -> float:
    """Change of the width of the cloud over the whole run."""
    return width(run["measurements"][-1]) - width(run["measurements"][0])


def changes(runs: Sequence[Row]) -> list[float]:
    """Change of the width since the first measurement, at each measurement after a tenth of the run."""
    return [width(point) - width(run["measurements"][0]) for run in runs for point in _late(run)]


def retreats(runs: Sequence[Row]) -> list[float]:
    """Change of the width since the widest measurement so far, 0 or less, at each one after a tenth of the run."""
    return [
        width(point)
        - max(width(other) for other in run["measurements"] if other["step"] <= point["step"])
        for run in runs
        for point in _late(run)
    ]


def thresholds(measured: Row) -> dict[str, float]:
    """Compute OPENED, CLOSED and LOST of a trend from the runs of the choosing seeds and the shipped recordings.

    OPENED is half of the least that a healthy run of a method that pushes had opened at any measurement. CLOSED and
    LOST are three times the most that any healthy run had closed since its start and since its widest measurement.
    """
    runs = [run for run in plain(measured) if chooses(measured, run) and run["kind"] == "healthy"]
    healthy = runs + recordings()
    return {
        "OPENED": min(changes([run for run in healthy if methods.get(run["method"]).negatives]))
        / 2,
        "CLOSED": 3 * min(changes(healthy)),
        "LOST": 3 * min(retreats(healthy)),
    }


def recordings() -> list[Row]:
    """Recordings that ship with clwork, as healthy runs."""
    healthy = []
    for name in recorded_methods():
        points = [row for row in recording(name)["rows"] if "mean_cosine" in row]
        healthy.append({"method": name, "kind": "healthy", "measurements": points})
    return healthy


def plain(measured: Row) -> list[Row]:
    """Runs without a remedy."""
    return [run for run in measured["runs"] if not run["remedy"]]


def chooses(measured: Row, run: Row) -> bool:
    """Whether the thresholds were chosen on this run's seed."""
    return run["seed"] in measured["choosing"][run["method"]]


def _late(run: Row) -> list[Row]:
    return [
        point
        for point in run["measurements"]
        if point["step"] >= EARLY * run["measurements"][-1]["step"]
    ]


def _counted(runs: Sequence[Row], upto: float = 1.0) -> str:
    return f"{sum(diagnosis(run, upto).warns for run in runs)} of {len(runs)}" if runs else "–"


def _span(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:.3f}" if round(low, 3) == round(high, 3) else f"{low:.3f} to {high:.3f}"


def runs_table_of(measured: Row | None) -> str:
    """Table with a row per arm: change of the clouds, scores, and how many runs are warned of."""
    if measured is None or not measured["runs"]:
        return MISSING
    head = (
        "Method",
        "Run",
        "Kind",
        "mean cosine",
        "change of log width",
        "same-article AUC",
        "diagnosis",
        "warned of",
    )
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    groups: dict[tuple[str, str], list[Row]] = {}
    for run in plain(measured):
        groups.setdefault((run["method"], run["arm"]), []).append(run)
    order = {name: place for place, name in enumerate(methods.names())}
    for (method, arm), runs in sorted(groups.items(), key=lambda item: order[item[0][0]]):
        ends = [run["measurements"][-1]["mean_cosine"] for run in runs]
        moved = statistics.fmean(change(run) for run in runs)
        headlines = sorted({diagnosis(run).headline for run in runs})
        scores = [run["same_article_auc"] for run in runs if run["same_article_auc"] is not None]
        start = runs[0]["measurements"][0]["mean_cosine"]
        cells = [
            methods.get(method).title,
            arm,
            runs[0]["kind"],
            f"{start:.3f} → {_span(ends)}",
            f"{moved:+.2f}",
        ]
        cells += [
            f"{statistics.fmean(scores):.2f}" if scores else "–",
            "; ".join(headlines),
            _counted(runs),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join([*rows, "", _rates(measured)])


def _rates(measured: Row) -> str:
    """Text on how many sick and healthy runs are warned of, on both groups of seeds."""
    values = ", ".join(f"{name} {value:+.3f}" for name, value in thresholds(measured).items())
    lines = [
        f"Thresholds that the healthy runs of the choosing seeds and the shipped recordings give: {values}."
    ]
    for name, choosing in (("that chose the thresholds", True), ("held out", False)):
        runs = [run for run in plain(measured) if chooses(measured, run) == choosing]
        parts = []
        for upto, when in ((EARLY, "at a tenth of the run"), (0.5, "at half"), (1.0, "at the end")):
            counts = {
                kind: _counted([run for run in runs if run["kind"] == kind], upto) for kind in KINDS
            }
            parts.append(
                f"{when} {counts['sick']} sick, {counts['spoilt']} spoilt and {counts['healthy']} healthy"
            )
        lines.append(f"Warned of on seeds {name}: {'; '.join(parts)}.")
    settings = measured["settings"]
    lines.append(
        f"{settings['steps']} steps of {settings['batch_size']} sentences of {settings['sentences']!r}, "
        f"{settings['precision']}; the other settings are the defaults, except that "
        "DCLR's complementary model is trained for 10 steps."
    )
    return " ".join(lines)


def trials_table_of(measured: Row | None) -> str:
    """Table with a row per sick arm and remedy: how often the cloud ended wider than without, on the same seed."""
    if measured is None or not trials(measured):
        return MISSING
    head = "| Remedy | Method | Sick run | diagnosis | change of log width | with the remedy | wider on | warned of |"
    rows = [head, "|---" * 8 + "|"]
    groups: dict[tuple[str, str, str], list[tuple[Row, Row]]] = {}
    for without, treated in trials(measured):
        groups.setdefault((treated["remedy"], treated["method"], treated["arm"]), []).append(
            (without, treated)
        )
    for (remedy, method, arm), pairs in sorted(groups.items()):
        before, after = (statistics.fmean(change(pair[side]) for pair in pairs) for side in (0, 1))
        headlines = sorted({diagnosis(without).headline for without, _ in pairs})
        cells = [
            remedy,
            methods.get(method).title,
            arm,
            "; ".join(headlines),
            f"{before:+.2f}",
            f"{after:+.2f}",
        ]
        cells += [
            f"{sum(helped(*pair) for pair in pairs)} of {len(pairs)}",
            _counted([pair[1] for pair in pairs]),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def trials(measured: Row) -> list[tuple[Row, Row]]:
    """Pairs of the same run without and with a remedy."""
    before = {(run["method"], run["arm"], run["seed"]): run for run in plain(measured)}
    tried = [run for run in measured["runs"] if run["remedy"]]
    return [
        (before[key], run)
        for run in tried
        if (key := (run["method"], run["arm"], run["seed"])) in before
    ]


def helped(without: Row, treated: Row) -> bool:
    """Whether the cloud ended wider than without the remedy, by more than a fiftieth."""
    return width(treated["measurements"][-1]) - width(without["measurements"][-1]) > 0.02
