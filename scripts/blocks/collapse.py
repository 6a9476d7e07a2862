"""The tables of docs/collapse.md, and a trend's thresholds.

Both come from what benchmarks/collapse_calibration.py measured.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from clwork import methods
from clwork.metrics.diagnosis import EARLY, Diagnosis, Measurement
from clwork.metrics.diagnosis import trend as trend_of
from clwork.recordings import recorded_methods, recording

Row = dict[str, Any]
KINDS = ("healthy", "sick", "spoilt")
MISSING = "Not measured yet."
RUN_HEADS = (
    "Method",
    "Run",
    "Kind",
    "mean cosine",
    "change of log width",
    "same-article AUC",
    "diagnosis",
    "warned of",
)
TRIAL_HEADS = (
    "Remedy",
    "Method",
    "Sick run",
    "diagnosis",
    "change of log width",
    "with the remedy",
    "wider on",
    "warned of",
)
MOMENTS = {"at a tenth of the run": EARLY, "at half": 0.5, "at the end": 1.0}


def diagnosis(run: Row, upto: float = 1.0) -> Diagnosis:
    """Diagnosis that a panel shows at the last measurement within this share of the run."""
    total = run["measurements"][-1]["step"]
    points = [point for point in run["measurements"] if point["step"] <= upto * total]
    trend = trend_of(points, total, pushes=methods.get(run["method"]).negatives)
    return Diagnosis(points[-1].get("shape", "cone"), points[-1], "").of_run(trend, {})


def width(point: Row) -> float:
    """log(1 - mean cosine), as a trend compares it."""
    return Measurement(point["step"], point["mean_cosine"]).width


def change(run: Row) -> float:
    """Change of the width of the cloud over the whole run."""
    return width(run["measurements"][-1]) - width(run["measurements"][0])


def changes(runs: Sequence[Row]) -> list[float]:
    """Change of the width since the first measurement, at each one after a tenth of the run."""
    return [width(point) - width(run["measurements"][0]) for run in runs for point in _late(run)]


def retreats(runs: Sequence[Row]) -> list[float]:
    """Change of the width since the widest measurement so far, 0 or less.

    There is one for each measurement after a tenth of the run.
    """
    found = []
    for run in runs:
        for point in _late(run):
            so_far = [other for other in run["measurements"] if other["step"] <= point["step"]]
            found.append(width(point) - max(width(other) for other in so_far))
    return found


def thresholds(measured: Row) -> dict[str, float]:
    """OPENED, CLOSED and LOST of a trend, from the choosing seeds and the shipped recordings.

    OPENED is half of the least that a healthy run of a method that pushes had opened at any
    measurement. CLOSED and LOST are three times the most that any healthy run had closed since its
    start and since its widest measurement.
    """
    runs = [run for run in plain(measured) if chooses(measured, run) and run["kind"] == "healthy"]
    healthy = runs + recordings()
    pushing = [run for run in healthy if methods.get(run["method"]).negatives]
    return {
        "OPENED": min(changes(pushing)) / 2,
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
    points = run["measurements"]
    first_step = EARLY * points[-1]["step"]
    return [point for point in points if point["step"] >= first_step]


def _counted(runs: Sequence[Row], upto: float = 1.0) -> str:
    if not runs:
        return "–"
    return f"{sum(diagnosis(run, upto).warns for run in runs)} of {len(runs)}"


def _span(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:.3f}" if round(low, 3) == round(high, 3) else f"{low:.3f} to {high:.3f}"


def runs_table_of(measured: Row | None) -> str:
    """Table with a row per variant: change of the clouds, scores, how many runs are warned of."""
    if measured is None or not measured["runs"]:
        return MISSING
    rows = [f"| {' | '.join(RUN_HEADS)} |", "|---" * len(RUN_HEADS) + "|"]
    groups: dict[tuple[str, str], list[Row]] = {}
    for run in plain(measured):
        groups.setdefault((run["method"], run["variant"]), []).append(run)
    names = methods.names()
    for method, variant in sorted(groups, key=lambda group: names.index(group[0])):
        runs = groups[method, variant]
        start = runs[0]["measurements"][0]["mean_cosine"]
        ends = [run["measurements"][-1]["mean_cosine"] for run in runs]
        moved = statistics.fmean(change(run) for run in runs)
        scores = [run["same_article_auc"] for run in runs if run["same_article_auc"] is not None]
        headlines = sorted({diagnosis(run).headline for run in runs})
        cells = [
            methods.get(method).title,
            variant,
            runs[0]["kind"],
            f"{start:.3f} → {_span(ends)}",
            f"{moved:+.2f}",
            f"{statistics.fmean(scores):.2f}" if scores else "–",
            "; ".join(headlines),
            _counted(runs),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join([*rows, "", _rates(measured)])


def _rates(measured: Row) -> str:
    """Text on how many sick and healthy runs are warned of, on both groups of seeds."""
    values = ", ".join(f"{name} {value:+.3f}" for name, value in thresholds(measured).items())
    sentences = [
        "Thresholds that the healthy runs of the choosing seeds and the shipped recordings give: "
        f"{values}."
    ]
    for name, choosing in (("that chose the thresholds", True), ("held out", False)):
        runs = [run for run in plain(measured) if chooses(measured, run) == choosing]
        by_kind = {kind: [run for run in runs if run["kind"] == kind] for kind in KINDS}
        parts = []
        for moment, upto in MOMENTS.items():
            counts = {kind: _counted(of_kind, upto) for kind, of_kind in by_kind.items()}
            parts.append(
                f"{moment} {counts['sick']} sick, {counts['spoilt']} spoilt "
                f"and {counts['healthy']} healthy"
            )
        sentences.append(f"Warned of on seeds {name}: {'; '.join(parts)}.")
    settings = measured["settings"]
    sentences.append(
        f"{settings['steps']} steps of {settings['batch_size']} sentences of "
        f"{settings['sentences']!r}, {settings['precision']}; the other settings are the defaults, "
        "except that DCLR's complementary model is trained for 10 steps."
    )
    return " ".join(sentences)


def trials_table_of(measured: Row | None) -> str:
    """Table with a row per sick variant and remedy.

    It has how often the cloud ended wider with the remedy than without, on the same seed.
    """
    if measured is None or not trials(measured):
        return MISSING
    rows = [f"| {' | '.join(TRIAL_HEADS)} |", "|---" * len(TRIAL_HEADS) + "|"]
    groups: dict[tuple[str, str, str], list[tuple[Row, Row]]] = {}
    for without, treated in trials(measured):
        group = (treated["remedy"], treated["method"], treated["variant"])
        groups.setdefault(group, []).append((without, treated))
    for (remedy, method, variant), pairs in sorted(groups.items()):
        before = statistics.fmean(change(without) for without, _ in pairs)
        after = statistics.fmean(change(treated) for _, treated in pairs)
        headlines = sorted({diagnosis(without).headline for without, _ in pairs})
        cells = [
            remedy,
            methods.get(method).title,
            variant,
            "; ".join(headlines),
            f"{before:+.2f}",
            f"{after:+.2f}",
            f"{sum(helped(*pair) for pair in pairs)} of {len(pairs)}",
            _counted([treated for _, treated in pairs]),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def trials(measured: Row) -> list[tuple[Row, Row]]:
    """Pairs of the same run without and with a remedy."""
    untreated = {(run["method"], run["variant"], run["seed"]): run for run in plain(measured)}
    pairs = []
    for run in measured["runs"]:
        without = untreated.get((run["method"], run["variant"], run["seed"]))
        if run["remedy"] and without is not None:
            pairs.append((without, run))
    return pairs


def helped(without: Row, treated: Row) -> bool:
    """Whether the cloud ended wider than without the remedy, by more than a fiftieth."""
    return width(treated["measurements"][-1]) - width(without["measurements"][-1]) > 0.02
