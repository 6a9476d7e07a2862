"""Stored runs of a claim as prediction bands for a new seed, mean ± t · s · √(1 + 1/n), with the reader's runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from .._validation import checked, like, nearest, shown
from ..columns import Floats, History, of
from ..wording import plural
from .history import as_history, downsample, seeds_of
from .style import FAINT, INK, colour, line_style, shortened, styled, subplots, symbol, wrapped

CONFIDENCE = 0.95
SCORE = "score"  # draws the claim's metric at the end instead of a column of the history
COLUMNS = ("loss", "uniformity", "alignment")
ROUNDING = 1e-4  # relative tolerance, because stored values have five digits
MOST_RANGES = 4
LOG_UP_TO = 0.5  # the step axis is logarithmic if the reader's runs have at most this share of the stored steps
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
REMEDY = "the result of clwork.reference"
WIDTH = 838  # pixels
Runs = Mapping[str, Sequence[History]]  # the reader's runs by arm


class Band(NamedTuple):
    """Mean and band over the seeds of an arm, at the steps that all seeds have."""

    steps: Floats
    mean: Floats
    low: Floats
    high: Floats
    seeds: int


def band_of(runs: Sequence[Any], column: str) -> Band:
    """Return the band of a column over stored runs; for one seed, its line without a band."""
    curves = [{row["step"]: row[column] for row in run.records() if column in row} for run in runs]
    curves = [curve for curve in curves if curve]
    common = sorted(set.intersection(*map(set, curves))) if curves else []
    if not common:
        return Band(*(np.array([]),) * 4, len(curves))
    values = of(column).scale * np.array(
        [[curve[step] for step in common] for curve in curves]
    )  # (seeds, steps)
    mean, half = values.mean(axis=0), np.zeros(len(common))
    if len(curves) > 1:
        half = half_width(len(curves)) * values.std(axis=0, ddof=1)
    return Band(np.array(common), mean, mean - half, mean + half, len(curves))


def half_width(seeds: int) -> float:
    """Return half the width of the band in sample standard deviations."""
    from scipy.special import stdtrit

    return float(stdtrit(seeds - 1, (1 + CONFIDENCE) / 2) * math.sqrt(1 + 1 / seeds))


def ranges(steps: Sequence[int]) -> str:
    """Return the first ranges of steps as text, such as ``1 to 3, 7``."""
    parts: list[list[int]] = []
    for step in steps:
        if parts and step == parts[-1][-1] + 1:
            parts[-1].append(step)
        else:
            parts.append([step])
    texts = [str(part[0]) if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts]
    return ", ".join(texts[:MOST_RANGES]) + (" …" if len(texts) > MOST_RANGES else "")


def _outside(arm: str, column: str, band: Band, run: History) -> tuple[int, str]:
    """Return the number of steps that a run and a band share, and a sentence if the run leaves the band."""
    steps, values = run.xy(column)
    common, mine, theirs = np.intersect1d(
        steps.astype(int), band.steps.astype(int), return_indices=True
    )
    value, tolerance = (
        of(column).scale * values[mine],
        ROUNDING * np.maximum(1.0, np.abs(band.mean[theirs])),
    )
    above, below = value > band.high[theirs] + tolerance, value < band.low[theirs] - tolerance
    out = common[above | below].tolist()
    if not out:
        return len(common), ""
    where = "above" if not below.any() else "below" if not above.any() else "on both sides"
    return len(common), (
        f"{arm}: {of(column).label} is outside the band of {band.seeds} seeds at {len(out)} of "
        f"{plural(len(common), 'measured step')} ({ranges(out)}), {where}; chance alone gives about "
        f"{(1 - CONFIDENCE) * len(common):.1f}."
    )


def _arm(name: str, arms: Sequence[str]) -> str:
    if name not in arms:
        raise ValueError(
            f"there is no arm {shown(name)}{nearest(name, arms)}; choose one of {', '.join(arms)}"
        )
    return name


def _stored(reference: Any, arm: str) -> Sequence[Any]:
    return reference.runs(arm) if arm in reference.variants else ()


def _own(reference: Any, yours: Mapping[str, Any]) -> dict[str, list[History]]:
    """Convert the reader's runs of each arm, a run or a list of runs, to histories."""
    own = {}
    for arm, given in yours.items():
        own[_arm(arm, [*reference.variants, *reference.absent])] = [
            as_history(run) for run in seeds_of(given)
        ]
    return own


@checked(reference=like(REMEDY, "claim", "variants", "runs"))
def against(
    reference: Any,
    yours: Mapping[str, Any] | None = None,
    columns: Sequence[str] = (*COLUMNS, SCORE),
    *,
    arms: Sequence[str] | None = None,
) -> go.Figure:
    """Draw stored runs as a line and a band for each arm, and your own runs as marks.

    A band contains 95 of 100 new seeds; the title lists the steps at which your runs leave the band.

    Args:
        reference: the result of :func:`clwork.reference`.
        yours: your runs, histories or records by the name of the arm; one, or several in a list.
        columns: columns of the history, and ``"score"`` for the claim's metric at the end of each run.
        arms: arms to draw; default: the arms of ``yours``, or all arms without it.
    """
    if not columns:
        raise ValueError(
            "columns is empty; give names of columns of the history, such as 'loss', or 'score'"
        )
    own = _own(reference, yours or {})
    named = (
        [_arm(arm, reference.variants) for arm in arms]
        if arms is not None
        else list(own) or reference.variants
    )
    drawn = list(dict.fromkeys([*named, *own]))
    colours = {
        arm: place for place, arm in enumerate([*reference.variants, *reference.absent])
    }  # the same in all figures
    length = max((run.steps for arm in drawn for run in _stored(reference, arm)), default=0)
    log = (
        0
        < max((run.last_step for runs in own.values() for run in runs), default=0)
        <= LOG_UP_TO * length
    )
    rows, metric = -(-len(columns) // 2), reference.claim.metric
    better = f" ({metric.better} is better)" if metric.better else ""
    titles = [
        f"{metric.name} at the end{better}"
        if column == SCORE
        else of(column).heading.replace(", running mean", "")
        for column in columns
    ]
    titles = [shortened(title.replace(" (running mean)", ""), 60) for title in titles]
    gaps = {"horizontal_spacing": 0.1, "vertical_spacing": 0.32 / rows}
    figure = subplots(rows=rows, cols=min(2, len(columns)), subplot_titles=titles, **gaps)
    for place, column in enumerate(columns):
        cell = {"row": place // 2 + 1, "col": place % 2 + 1}
        if column == SCORE:
            traces = _scores(reference, colours, drawn, own)
            axis: dict[str, Any] = {
                "showticklabels": False,
                "ticks": "",
                "range": [-0.6, len(drawn) - 0.4],
            }
        else:
            traces = _curves(reference, colours, drawn, own, column, log)
            axis = {"title_text": "step"}
            if log:  # the axis shows steps + 1, so that it includes step 0
                ticks = [step for step in TICKS if 2 * step <= length] + [length]
                axis = {
                    "type": "log",
                    "range": [-0.03, math.log10(length + 1) + 0.03],
                    "title_text": "step, log scale",
                }
                axis |= {
                    "tickvals": [step + 1 for step in ticks],
                    "ticktext": [str(step) for step in ticks],
                }
        for trace in traces:
            first = trace.pop("named", False) and place == 0
            figure.add_trace(go.Scatter(trace, showlegend=first), **cell)
        figure.update_xaxes(**axis, **cell)
    return _laid_out(figure, _title(reference, drawn, own, columns), rows, len(drawn) + bool(own))


def _curves(
    reference: Any,
    colours: Mapping[str, int],
    drawn: Sequence[str],
    own: Runs,
    column: str,
    log: bool,
) -> list[dict[str, Any]]:
    """Return the traces: bands, then lines, then the reader's marks; arms that share their runs are drawn once."""
    bands, lines, marks = (list[dict[str, Any]]() for _ in range(3))
    seen = list[list[str]]()
    for arm in drawn:
        runs, index, label = _stored(reference, arm), colours[arm], shortened(arm, 60)
        band = band_of(runs, column)
        points = downsample(band.mean)
        x, low, high, mean = (
            band.steps[points] + log,
            band.low[points],
            band.high[points],
            band.mean[points],
        )
        group = {"legendgroup": str(index), "name": label, "mode": "lines"}
        if (names := [run.name for run in runs]) not in seen and len(x):
            seen.append(names)
            if band.seeds > 1:
                shade = {
                    "fill": "toself",
                    "fillcolor": colour(index),
                    "opacity": 0.16,
                    "hoverinfo": "skip",
                }
                around = {"x": np.concatenate([x, x[::-1]]), "y": np.concatenate([high, low[::-1]])}
                bands.append(
                    group | shade | around | {"line": {"width": 0, "color": colour(index)}}
                )
            text = [
                f"{label}, step {step - log:.0f}: {value:.4g}"
                for step, value in zip(x, mean, strict=True)
            ]
            line = {"x": x, "y": mean, "line": line_style(index, 2), "text": text}
            lines.append(group | line | {"hovertemplate": "%{text}<extra></extra>"})
        lines.append(
            group | {"x": [None], "y": [None], "line": line_style(index, 3), "named": True}
        )
        for run in own.get(arm, ()):
            steps, values = run.xy(column)
            points = downsample(values)
            marks.append(
                _mark(index, label)
                | {"x": steps[points] + log, "y": of(column).scale * values[points]}
            )
    if own:
        marker = {"size": 7, "color": FAINT, "line": {"width": 1, "color": INK}}
        legend = {
            "x": [None],
            "y": [None],
            "mode": "markers",
            "marker": marker,
            "legendgroup": "yours",
            "named": True,
        }
        marks.append(legend | {"name": "marks: yours"})
    return [*bands, *lines, *marks]


def _mark(index: int, label: str) -> dict[str, Any]:
    marker = {
        "size": 7,
        "color": colour(index),
        "symbol": symbol(index),
        "line": {"width": 1, "color": INK},
    }
    hover = {"hovertemplate": f"yours, {label}: %{{y:.4g}}<extra></extra>"}
    return {"mode": "markers", "marker": marker, "name": "yours", "legendgroup": "yours", **hover}


def _scores(
    reference: Any, colours: Mapping[str, int], drawn: Sequence[str], own: Runs
) -> list[dict[str, Any]]:
    """Return the traces: a dot for each seed, a line at their mean, and the reader's runs of the same length."""
    traces: list[dict[str, Any]] = []
    for place, arm in enumerate(drawn):
        runs, index, label = _stored(reference, arm), colours[arm], shortened(arm, 60)
        scores = [run.score for run in runs if run.score is not None]
        if not scores:
            continue
        hover = {
            "hovertemplate": f"{label}: %{{y:.4g}}<extra></extra>",
            "legendgroup": str(index),
            "name": label,
        }
        dots = {
            "mode": "markers",
            "marker": {"size": 6, "symbol": "circle-open", "color": colour(index)},
        }
        traces.append({"x": [place] * len(scores), "y": scores, **dots, **hover})
        mean = {
            "x": [place - 0.25, place + 0.25],
            "y": [float(np.mean(scores))] * 2,
            "mode": "lines",
        }
        traces.append({**mean, "line": line_style(index, 2) | {"dash": "solid"}, **hover})
        length = max(run.steps for run in runs)
        ends = [
            run.last(reference.claim.metric.name)
            for run in own.get(arm, ())
            if run.last_step == length
        ]
        if ours := [end for end in ends if end is not None]:
            traces.append(_mark(index, label) | {"x": [place] * len(ours), "y": ours})
    return traces


def _title(reference: Any, drawn: Sequence[str], own: Runs, columns: Sequence[str]) -> list[str]:
    counts = [len(reference.runs(arm)) for arm in drawn if arm in reference.variants] or [0]
    seeds = f"{min(counts)} to " * (min(counts) < max(counts)) + plural(max(counts), "seed")
    lines = [
        f"{reference.claim.name}: means over {seeds}; a band would contain {CONFIDENCE:.0%} of new seeds"
    ]
    found = [
        _outside(arm, column, band, run)
        for arm, runs in own.items()
        for column in columns
        if column != SCORE and (band := band_of(_stored(reference, arm), column)).seeds > 1
        for run in runs
    ]
    apart = [text for _, text in found if text]
    if (steps := sum(count for count, _ in found)) and not apart:
        lines.append(f"Yours: inside the band at all {plural(steps, 'measured value')}.")
    lines += [
        f"No run of {arm} is stored yet: only yours is drawn."
        for arm in own
        if arm not in reference.variants
    ]
    return [*lines, *apart]


def _laid_out(figure: go.Figure, title: Sequence[str], rows: int, entries: int) -> go.Figure:
    lines = [line for text in title for line in wrapped(text, WIDTH // 7).split("<br>")]
    top, below = 30 + 17 * len(lines) + 10, 55 + 20 * entries
    high = top + 215 * rows + below
    styled(
        figure,
        width=WIDTH,
        height=high,
        margin={"l": 50, "r": 15, "t": top, "b": below},
        hovermode="closest",
    )
    figure.update_annotations(font_size=12)
    legend = {
        "orientation": "h",
        "x": 0,
        "y": -48 / (high - top - below),
        "yanchor": "top",
        "tracegroupgap": 0,
    }
    return figure.update_layout(
        title={
            "text": "<br>".join(lines),
            "font": {"size": 12},
            "y": 1 - 14 / high,
            "yanchor": "top",
        },
        legend=legend | {"entrywidthmode": "fraction", "entrywidth": 1},
    )
