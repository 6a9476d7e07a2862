"""The figure of stored runs with the reader's own over them: a line and a band for each arm, and marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from .._validation import checked, like
from ..columns import of
from ..wording import plural
from .figure import subplots
from .recorded_columns import RunColumns, downsample
from .reference_bands import CONFIDENCE, REMEDY, SCORE, ReferenceLike, arm_of, band_of, looks_at, own_runs, stored
from .style import FAINT, INK, colour, line_look, shortened, styled, symbol, wrapped

SHORT = 0.5  # share of the stored length up to which the first steps are drawn enlarged
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
Traces = list[dict[str, Any]]


@checked(reference=like(REMEDY, "claim", "arms", "runs"))
def against(
    reference: ReferenceLike,
    yours: Mapping[str, Any] | None = None,
    columns: Sequence[str] = ("loss", "uniformity", "alignment", SCORE),
    *,
    arms: Sequence[str] | None = None,
    chosen: str | None = None,
    width: int = 838,
) -> go.Figure:
    """Draw stored runs as a line and a band for each arm, and your own runs over them as marks.

    The band is where one more seed would lie in 95 cases of 100. Where your runs are short, the steps are on a log
    scale, so that the first ones have room. Above the pictures stands in words where yours leave the band.

    Args:
        reference: what :func:`clwork.reference` gives.
        yours: your run by the name of its arm, stored or not, or several in a list: runs, histories or records.
        columns: of the history, and ``"score"`` for the claim's metric at the end of each run.
        arms: which to draw; default: all, or with ``yours`` those that it names.
        chosen: the only arm with a band, and with full dots; default: every arm has its band.
        width: in pixels.

    Raises:
        ValueError: no columns, or ``yours``, ``arms`` or ``chosen`` name no arm of the reference.
    """
    if not columns:
        raise ValueError("there is no column to draw: name some of the history, such as 'loss', or 'score'")
    own = own_runs(reference, yours or {})
    asked = [arm_of(reference, arm) for arm in arms] if arms is not None else list(own) or reference.arms
    drawn = list(dict.fromkeys([*asked, *own]))
    marked = drawn if chosen is None else [arm_of(reference, chosen)]
    across, rows = min(2, len(columns)), -(-len(columns) // 2)
    names = [shortened(_heading(reference, column), 60) for column in columns]
    figure = subplots(
        rows=rows, cols=across, subplot_titles=names, horizontal_spacing=0.1, vertical_spacing=0.32 / rows
    )
    log = _short(reference, drawn, own)
    for place, column in enumerate(columns):
        cell = {"row": place // 2 + 1, "col": place % 2 + 1}
        if column == SCORE:
            traces = _scores(reference, drawn, own, marked if chosen else ())
            axis: dict[str, Any] = {"showticklabels": False, "ticks": "", "range": [-0.6, len(drawn) - 0.4]}
        else:
            traces = _curves(reference, drawn, own, column, log, marked)
            axis = _steps_axis(reference, drawn) if log else {"title_text": "step"}
        for trace in traces:
            named = trace.pop("named", False) and place == 0
            figure.add_trace(go.Scatter(trace, showlegend=named), **cell)
        figure.update_xaxes(**axis, **cell)
    return _laid_out(figure, _title(reference, own, columns), rows, width, len(drawn) + bool(own))


def _curves(
    reference: ReferenceLike,
    drawn: Sequence[str],
    own: Mapping[str, list[RunColumns]],
    column: str,
    log: bool,
    marked: Sequence[str],
) -> Traces:
    """Bands, then lines, then the reader's marks: nothing hides a mark. Arms of equal runs are drawn once."""
    looks = _looks(reference)
    bands: Traces = []
    lines: Traces = []
    marks: Traces = []
    seen: list[list[str]] = []
    for arm in drawn:
        runs = stored(reference, arm)
        label, index = shortened(arm, 60), looks[arm]
        band = band_of(runs, column)
        points = downsample(band.mean)
        x, low, high, mean = band.steps[points] + log, band.low[points], band.high[points], band.mean[points]
        here = [run.name for run in runs]
        group = {"legendgroup": str(index), "name": label}
        if here not in seen and len(x):
            seen.append(here)
            if band.seeds > 1 and arm in marked:
                shade = {"fill": "toself", "fillcolor": colour(index), "opacity": 0.16, "hoverinfo": "skip"}
                edge = {"mode": "lines", "line": {"width": 0, "color": colour(index)}}
                around = {"x": np.concatenate([x, x[::-1]]), "y": np.concatenate([high, low[::-1]])}
                bands.append(group | shade | edge | around)
            text = [f"{label}, step {step - log:.0f}: {value:.4g}" for step, value in zip(x, mean, strict=True)]
            look = {"mode": "lines", "line": line_look(index, 2 if arm in marked else 1)}
            lines.append(group | look | {"x": x, "y": mean, "text": text, "hovertemplate": "%{text}<extra></extra>"})
        lines.append(group | {"x": [None], "y": [None], "mode": "lines", "line": line_look(index, 3), "named": True})
        for run in own.get(arm, ()):
            steps, values = run.xy(column)
            chosen = downsample(values)
            marks.append(_mark(index, label) | {"x": steps[chosen] + log, "y": of(column).scale * values[chosen]})
    return [*bands, *lines, *marks, *_legend_of_marks(own)]


def _mark(index: int, label: str) -> dict[str, Any]:
    marker = {"size": 7, "color": colour(index), "symbol": symbol(index), "line": {"width": 1, "color": INK}}
    hover = {"hovertemplate": f"yours, {label}: %{{y:.4g}}<extra></extra>"}
    return {"mode": "markers", "marker": marker, "name": "yours", "legendgroup": "yours", **hover}


def _legend_of_marks(own: Mapping[str, Any]) -> Traces:
    marker = {"size": 7, "color": FAINT, "line": {"width": 1, "color": INK}}
    look = {"x": [None], "y": [None], "mode": "markers", "marker": marker, "legendgroup": "yours", "named": True}
    return [look | {"name": "marks: yours"}] if own else []


def _scores(
    reference: ReferenceLike, drawn: Sequence[str], own: Mapping[str, list[RunColumns]], full: Sequence[str]
) -> Traces:
    """A column of dots for each arm, one a seed, a tick at their mean, and the reader's where they went to the end."""
    looks, traces, metric = _looks(reference), [], reference.claim.metric.name
    for place, arm in enumerate(drawn):
        runs, index = stored(reference, arm), looks[arm]
        scores = [run.score for run in runs if run.score is not None]
        if not scores:
            continue
        label = shortened(arm, 60)
        hover = {"hovertemplate": f"{label}: %{{y:.4g}}<extra></extra>", "legendgroup": str(index), "name": label}
        marker = {"size": 8, "symbol": "circle"} if arm in full else {"size": 6, "symbol": "circle-open"}
        dots: dict[str, Any] = {"mode": "markers", "marker": marker | {"color": colour(index)}}
        traces.append({"x": [place] * len(scores), "y": scores, **dots, **hover})
        mean: dict[str, Any] = {"x": [place - 0.25, place + 0.25], "y": [float(np.mean(scores))] * 2, "mode": "lines"}
        traces.append({**mean, "line": line_look(index, 2) | {"dash": "solid"}, **hover})
        length = max(run.steps for run in runs)
        ends = [run.last(metric) for run in own.get(arm, ()) if run.last_step == length]
        ours = [of(metric).scale * value for value in ends if value is not None]
        if ours:
            traces.append(_mark(index, label) | {"x": [place] * len(ours), "y": ours})
    return traces


def _looks(reference: ReferenceLike) -> dict[str, int]:
    """An arm keeps its colour, whichever others are drawn."""
    return {arm: place for place, arm in enumerate([*reference.arms, *reference.absent])}


def _short(reference: ReferenceLike, drawn: Sequence[str], own: Mapping[str, list[RunColumns]]) -> bool:
    longest = max((run.last_step for runs in own.values() for run in runs), default=0)
    return 0 < longest <= SHORT * _length(reference, drawn)


def _length(reference: ReferenceLike, drawn: Sequence[str]) -> int:
    return max((run.steps for arm in drawn for run in stored(reference, arm)), default=0)


def _steps_axis(reference: ReferenceLike, drawn: Sequence[str]) -> dict[str, Any]:
    """A log scale of steps + 1, so that the look before the first step has a place, labelled with the steps."""
    end = _length(reference, drawn)
    ticks = [step for step in TICKS if 2 * step <= end] + [end]
    named = {"tickvals": [step + 1 for step in ticks], "ticktext": [str(step) for step in ticks]}
    return {"type": "log", "range": [-0.03, float(np.log10(end + 1)) + 0.03], "title_text": "step, log scale", **named}


def _heading(reference: ReferenceLike, column: str) -> str:
    if column != SCORE:
        return of(column).heading.replace(", running mean", "").replace(" (running mean)", "")
    metric = reference.claim.metric
    return f"{metric.name} at the end" + (f" ({metric.better} is better)" if metric.better else "")


def _title(reference: ReferenceLike, own: Mapping[str, list[RunColumns]], columns: Sequence[str]) -> list[str]:
    """Claim and band, then where the reader's runs are outside, or that they are not."""
    most = max((len(stored(reference, arm)) for arm in reference.arms), default=0)
    lines = [f"{reference.claim.name}: up to {plural(most, 'seed')} an arm; band: {CONFIDENCE:.0%} of further seeds"]
    looks = looks_at(reference, own, [column for column in columns if column != SCORE])
    apart = [str(look) for look in looks if look.above or look.below]
    if looks and not apart:
        count = sum(len(look.steps) for look in looks)
        lines.append(f"Yours: inside the band at all {plural(count, 'value')} looked at.")
    alone = [arm for arm in own if arm not in reference.arms]
    lines += [f"No run of {arm} is stored yet: yours stands alone." for arm in alone]
    return [*lines, *apart]


def _laid_out(figure: go.Figure, title: Sequence[str], rows: int, width: int, entries: int) -> go.Figure:
    lines = [line for text in title for line in wrapped(text, width // 7).split("<br>")]
    top, below = 30 + 17 * len(lines) + 10, 55 + 20 * entries
    high = top + 215 * rows + below
    styled(figure, width=width, height=high, margin={"l": 50, "r": 15, "t": top, "b": below}, hovermode="closest")
    title_look = {"text": "<br>".join(lines), "font": {"size": 12}, "y": 1 - 14 / high, "yanchor": "top"}
    figure.update_annotations(font_size=12)
    legend = {"orientation": "h", "x": 0, "y": -48 / (high - top - below), "yanchor": "top", "tracegroupgap": 0}
    return figure.update_layout(title=title_look, legend=legend | {"entrywidthmode": "fraction", "entrywidth": 1})
