"""Figure of the stored runs of a claim, as bands for a new seed, with the reader's own runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from .._validation import nearest, shown
from ..columns import Floats, History, of
from ..wording import plural
from .history import as_history, groups_of, mean_curve
from .run_curves import add_curve, add_shade
from .style import FAINT, INK, cell, cells, colour, line_style, shortened, symbol, wrapped

CONFIDENCE = 0.95
# The name among the columns that stands for the claim's metric at the end of the runs.
SCORE = "score"
# Stored values are rounded to five digits, so a value may seem to be outside of a band by this
# share.
RELATIVE_ROUNDING = 1e-4


class Band(NamedTuple):
    """Mean of a column over seeds and the ends of a band for a new seed, by step."""

    steps: Floats
    mean: Floats
    low: Floats
    high: Floats
    seeds: int


def band_of(runs: Sequence[Any], column: str) -> Band:
    """Return the band of a column over stored runs.

    Its ends are ``mean ± t · s · sqrt(1 + 1/n)``, the prediction interval of a normal variable from
    n values with the standard deviation s. For a single seed they equal the mean.
    """
    scale = of(column).scale
    curves = [as_history(run).xy(column) for run in runs]
    measured = [(steps, scale * values) for steps, values in curves if len(steps)]
    seeds = len(measured)
    steps, mean, deviation = mean_curve(measured)
    # The deviation of a single seed is 0.
    margin = half_width(seeds) * deviation if seeds > 1 else deviation
    return Band(steps, mean, mean - margin, mean + margin, seeds)


def half_width(seeds: int) -> float:
    """Return half the width of a band of so many seeds, in sample standard deviations."""
    from scipy.special import stdtrit

    # Of Student's t distribution.
    quantile = stdtrit(seeds - 1, (1 + CONFIDENCE) / 2)
    return float(quantile * math.sqrt(1 + 1 / seeds))


@dataclass(frozen=True)
class Variant:
    """A variant of the claim that is drawn."""

    name: str
    # Selects colour and dash, which are the same in all figures of the claim.
    index: int
    # The stored runs, one for each seed; empty if none is stored.
    stored: Sequence[Any]
    # The reader's runs.
    yours: Sequence[History]

    @property
    def label(self) -> str:
        return shortened(self.name, 60)

    @property
    def steps(self) -> int:
        """The number of steps of the longest stored run."""
        return max((run.steps for run in self.stored), default=0)


def against(
    reference: Any,
    yours: Mapping[str, Any] | None = None,
    columns: Sequence[str] = ("loss", "uniformity", "alignment", SCORE),
    *,
    variants: Sequence[str] | None = None,
) -> go.Figure:
    """Draw stored runs of a claim as lines and bands, and your own runs as marks.

    A band contains 95 of 100 new seeds; the title counts the steps at which your runs leave it.

    Args:
        reference: the result of :func:`clwork.reference`.
        yours: your run, or a list of runs, by the name of the variant that it repeats.
        columns: columns of ``run.history``, and ``"score"`` for the claim's metric at the end.
        variants: the variants to draw; default: those of ``yours``, or all of them without it.

    Raises:
        ValueError: ``variants`` or ``yours`` names a variant that the claim does not have.

    >>> import clwork
    >>> figure = against(clwork.reference("simcse/dropout-against-none"), columns=["score"])
    >>> figure.layout.title.text.split(":")[0]
    'simcse/dropout-against-none'
    """
    drawn = _variants(reference, groups_of(yours or {}), variants)
    heading = []
    for sentence in _report(reference, drawn, columns):
        # As many characters as fit into the width of the figure.
        heading += wrapped(sentence, 119).split("<br>")

    figure = cells(
        [_title(column, reference.claim.metric) for column in columns],
        # A row for each variant, and one for the reader's marks.
        legend_rows=len(drawn) + bool(yours),
        heading=heading,
    )
    _add_legend(figure, drawn)
    for position, column in enumerate(columns):
        if column == SCORE:
            _add_scores(figure, position, drawn, reference.claim.metric.name)
        else:
            _add_curves(figure, position, drawn, column)
            figure.update_xaxes(title_text="step", **cell(position))
    return figure


def _variants(
    reference: Any, yours: Mapping[str, list[History]], chosen: Iterable[str] | None
) -> list[Variant]:
    """Return the chosen variants, else those of the reader's runs, else all that are stored.

    The variants of the reader's runs are always among them. ``yours`` are the runs by variant.
    """
    # ``absent`` are variants of the claim without stored runs.
    known = [*reference.variants, *reference.absent]
    names = dict.fromkeys([*(chosen or yours or reference.variants), *yours])
    for name in names:
        if name not in known:
            raise ValueError(
                f"there is no variant {shown(name)}{nearest(name, known)}; "
                f"choose one of {', '.join(known)}"
            )
    return [
        Variant(
            name,
            known.index(name),
            reference.runs(name) if name in reference.variants else (),
            yours.get(name, ()),
        )
        for name in names
    ]


def _title(column: str, metric: Any) -> str:
    """Return the title of a column's cell; ``metric`` is the claim's metric."""
    if column == SCORE:
        better = f" ({metric.better} is better)" if metric.better else ""
        return f"{metric.name} at the end{better}"
    # Unlike in other figures, curves are drawn as they were measured.
    return replace(of(column), smoothed=False).heading


def _add_legend(figure: go.Figure, variants: Sequence[Variant]) -> None:
    """Name each variant once, by a trace without points, since it may lack a column."""
    for variant in variants:
        figure.add_scatter(
            x=[None],
            y=[None],
            name=variant.label,
            mode="lines",
            line=line_style(variant.index, 3),
            legendgroup=str(variant.index),
        )
    if any(variant.yours for variant in variants):
        figure.add_scatter(
            x=[None],
            y=[None],
            name="marks: yours",
            mode="markers",
            marker_size=7,
            marker_color=FAINT,
            marker_line_width=1,
            marker_line_color=INK,
            legendgroup="yours",
        )


def _add_curves(figure: go.Figure, position: int, variants: Sequence[Variant], column: str) -> None:
    """Draw the bands, then the lines, then the reader's marks on top."""
    bands = [band_of(variant.stored, column) for variant in variants]
    for variant, (steps, _, low, high, seeds) in zip(variants, bands, strict=True):
        if seeds > 1:
            add_shade(figure, cell(position), variant.index, steps, low, high)
    for variant, band in zip(variants, bands, strict=True):
        add_curve(
            figure,
            cell(position),
            variant.label,
            band.steps,
            band.mean,
            line=line_style(variant.index),
            legendgroup=str(variant.index),
        )
    for variant in variants:
        for run in variant.yours:
            steps, values = run.xy(column)
            marks = _marks(variant, steps, of(column).scale * values)
            figure.add_trace(marks, **cell(position))


def _marks(variant: Variant, x: Any, y: Any) -> go.Scatter:
    """Return values of the reader's runs of a variant as dots with a dark border."""
    return go.Scatter(
        x=x,
        y=y,
        name="yours",
        mode="markers",
        marker_size=7,
        marker_color=colour(variant.index),
        marker_symbol=symbol(variant.index),
        marker_line_width=1,
        marker_line_color=INK,
        hovertemplate=f"yours, {variant.label}: %{{y:.4g}}<extra></extra>",
        legendgroup="yours",
        showlegend=False,
    )


def _add_scores(figure: go.Figure, position: int, variants: Sequence[Variant], metric: str) -> None:
    """Draw for each variant a dot for each seed, a line at their mean, and the reader's runs.

    ``metric`` is the column of a history that holds the claim's metric.
    """
    # x is the place of a variant on the axis.
    for x, variant in enumerate(variants):
        scores = [run.score for run in variant.stored if run.score is not None]
        if not scores:
            continue
        labels = {
            "name": variant.label,
            "hovertemplate": f"{variant.label}: %{{y:.4g}}<extra></extra>",
            "legendgroup": str(variant.index),
            "showlegend": False,
        }
        figure.add_scatter(
            x=[x] * len(scores),
            y=scores,
            mode="markers",
            marker_size=6,
            marker_symbol="circle-open",
            marker_color=colour(variant.index),
            **labels,
            **cell(position),
        )
        mean = float(np.mean(scores))
        figure.add_scatter(
            x=[x - 0.25, x + 0.25],
            y=[mean, mean],
            mode="lines",
            line_color=colour(variant.index),
            line_width=2,
            **labels,
            **cell(position),
        )
        # A score counts only at the length of the stored runs.
        complete = [run for run in variant.yours if run.last_step == variant.steps]
        yours = [run.last(metric) for run in complete if run.last(metric) is not None]
        if yours:
            figure.add_trace(_marks(variant, [x] * len(yours), yours), **cell(position))
    figure.update_xaxes(
        showticklabels=False, ticks="", range=[-0.6, len(variants) - 0.4], **cell(position)
    )


def _report(reference: Any, variants: Sequence[Variant], columns: Sequence[str]) -> list[str]:
    """Return sentences on the number of seeds and on the reader's runs."""
    counts = [len(variant.stored) for variant in variants if variant.stored] or [0]
    seeds = plural(max(counts), "seed")
    if min(counts) < max(counts):
        seeds = f"{min(counts)} to {seeds}"
    sentences = [
        f"{reference.claim.name}: means over {seeds}; "
        f"a band would contain {CONFIDENCE:.0%} of new seeds"
    ]
    compared, departures = _compare_with_bands(variants, columns)
    if compared and not departures:
        sentences.append(f"Yours: inside the band at all {plural(compared, 'measured value')}.")
    return sentences + departures


def _compare_with_bands(
    variants: Sequence[Variant], columns: Sequence[str]
) -> tuple[int, list[str]]:
    """Compare the reader's runs with the bands of their variants.

    Returns the number of compared values, and a sentence for each run and column outside a band.
    """
    compared = 0
    departures = []
    for variant in variants:
        for column in columns:
            band = band_of(variant.stored, column)
            # A single seed has no band.
            if band.seeds < 2:
                continue
            for run in variant.yours:
                measured, outside = _compare(run, column, band)
                compared += measured
                if outside:
                    departures.append(
                        f"{variant.name}: {of(column).label} is outside the band of {band.seeds} "
                        f"seeds at {outside} of {plural(measured, 'measured step')}; "
                        f"chance alone gives about {(1 - CONFIDENCE) * measured:.1f}."
                    )
    return compared, departures


def _compare(run: History, column: str, band: Band) -> tuple[int, int]:
    """Return at how many steps of a band a run was measured, and at how many it is outside."""
    steps, values = run.xy(column)
    # The indices of the shared steps in the run and in the band.
    shared, in_run, in_band = np.intersect1d(steps, band.steps, return_indices=True)
    values = of(column).scale * values[in_run]
    tolerance = RELATIVE_ROUNDING * np.maximum(1, np.abs(band.mean[in_band]))
    is_above = values > band.high[in_band] + tolerance
    is_below = values < band.low[in_band] - tolerance
    return len(shared), int((is_above | is_below).sum())
