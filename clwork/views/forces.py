"""What a loss does to one sentence of a batch: pulls and pushes, its row of the score matrix, the loss's terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from .. import checks
from ..edges import at_least, by_name, checked, each, finite_numbers, like, two
from ..wording import plural
from .figure import Figure, subplots
from .matrices import PLAIN, SIGNED
from .style import FAINT, INK, PALETTE, shortened, styled, wrapped

PULL, PUSH = PALETTE[0], PALETTE[3]
SHOWN = 10  # bars
CELLS_UP_TO = 64  # sentences in a matrix; larger batches show the strongest
NAME_LENGTH = 46  # letters of a sentence beside its bar


class PairLike(Protocol):
    """An anchor's candidate, see :class:`clwork.training.Pair`."""

    @property
    def kind(self) -> str:
        """Role for the anchor, such as "positive"."""

    @property
    def name(self) -> str:
        """Name of the set of vectors."""

    @property
    def text(self) -> str:
        """Sentence that was encoded."""

    @property
    def score(self) -> float:
        """Similarity of the two."""

    @property
    def weight(self) -> float | None:
        """Share of the softmax."""

    @property
    def gradient(self) -> float:
        """Derivative of the loss by the score."""

    @property
    def pull(self) -> float:
        """Length of its part of the anchor's gradient, negative if it pushes."""


PAIR = like("what ScoreGradients.pairs gives", "kind", "name", "text", "score", "weight", "gradient", "pull")


@checked(pairs=each(PAIR), shown=at_least(1))
def force_bars(
    pairs: Sequence[PairLike],
    *,
    measure: str = "cosine",
    shown: int = SHOWN,
    width: int = 838,
    height: int | None = None,
) -> go.Figure:
    """Draw who pulls an anchor (right) and who pushes it (left): bars as long as each pair's part of the gradient.

    Positives and the strongest others are shown; the title gives the sum of the rest.
    """
    order = sorted(range(len(pairs)), key=lambda at: (pairs[at].kind != "positive", -abs(pairs[at].pull)))
    drawn = [pairs[at] for at in order[:shown]]
    rest = sum(abs(pairs[at].pull) for at in order[shown:])
    several = len({pair.name for pair in pairs}) > 1
    names = [f"{place}. {_label(pair, several)}" for place, pair in enumerate(drawn, start=1)]
    figure = Figure()
    for name, ink, sign in (("pulls", PULL, 1), ("pushes", PUSH, -1)):
        own = [(label, pair) for label, pair in zip(names, drawn, strict=True) if (pair.pull >= 0) == (sign > 0)]
        figure.add_trace(
            go.Bar(
                x=[pair.pull for _, pair in own],
                y=[label for label, _ in own],
                orientation="h",
                name=name,
                marker={"color": ink},
                customdata=[_hover(pair, measure) for _, pair in own],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    title = "who pulls, who pushes"
    if len(order) > shown:
        title += f" (the other {len(order) - shown}: {rest:.2g} in all)"
    styled(figure, width=width, height=height or 127 + 33 * max(2, len(drawn)), title=title)
    _lay_out_bars(figure, names)
    return figure


def _lay_out_bars(figure: go.Figure, names: Sequence[str]) -> None:
    """Place title and legend above the bars, and write each name, in two lines, at the left of its bar."""
    figure.update_layout(barmode="relative", legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 1})
    figure.update_layout(legend_xanchor="right", margin={"l": 300, "r": 15, "t": 66, "b": 60})
    figure.update_layout(title={"xref": "container", "x": 0, "pad": {"l": 15}})  # wider than the bars
    figure.update_xaxes(title_text="length of its part<br>of the gradient (left: push)", exponentformat="power")
    labels = ["<br>(".join(name.rsplit(" (", 1)) for name in names]
    order = {"categoryorder": "array", "categoryarray": names, "autorange": "reversed"}
    figure.update_yaxes(type="category", showgrid=False, tickvals=names, ticktext=labels, **order)


def _label(pair: PairLike, several: bool) -> str:
    what = f"{pair.kind}, {pair.name}" if several and pair.name not in pair.kind else pair.kind
    return f"{shortened(pair.text, NAME_LENGTH)} ({shortened(what, 30)})"


def _hover(pair: PairLike, measure: str) -> str:
    numbers = [f"{measure} {pair.score:.4f}"]
    numbers += [] if pair.weight is None else [f"softmax weight {pair.weight:.3g}"]
    numbers += [f"∂loss/∂score {pair.gradient:+.3g}", f"gradient {abs(pair.pull):.3g}"]
    head = f"{wrapped(pair.kind)}: {wrapped(pair.name)}"
    return "<br>".join([f"<b>{head}</b>", wrapped(pair.text), *numbers])


@checked(row=at_least(0), matrix=finite_numbers, most=at_least(1))
def around(row: int, matrix: npt.NDArray[Any], most: int = CELLS_UP_TO) -> list[int]:
    """Indices of the sentences to show of a large batch, in its order: ``row`` and the largest entries of its row.

    ``matrix`` is ``(B, C)`` with a column for each sentence of the batch first.

    >>> around(0, np.array([[0.0, -3.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), most=2)
    [0, 1]
    """
    size = len(matrix) if matrix.ndim == 2 else 0
    if row >= size or matrix.shape[1] < size:
        raise ValueError(f"row={row} of a matrix of shape {matrix.shape}; give (B, C), C at least B, and a row below B")
    if size <= most:
        return list(range(size))
    strength = np.abs(matrix[row, :size])
    strength[row] = np.inf
    return sorted(np.argsort(-strength, kind="stable")[:most].tolist())


@checked(row=at_least(0))
def force_matrix(
    values: npt.NDArray[Any],
    texts: Sequence[str],
    row: int,
    *,
    name: str = "cosine",
    gradient: bool = False,
    columns: Sequence[str] | None = None,
    title: str | None = None,
    width: int = 500,
    height: int = 470,
) -> go.Figure:
    """Draw numbers of each anchor with each candidate, ``(rows, columns)``, the chosen sentence's row marked.

    ``texts`` name the rows; ``columns`` name the columns, by default the same. The colours span the values; those of
    a ``gradient`` by the scores are blue where it pulls and vermillion where it pushes, with the largest push at both
    ends, since a positive's pull is far longer than any push.

    Raises:
        ValueError: not as many texts as rows, or names as columns.
    """
    grid = values.astype(np.float32)
    across = list(texts) if columns is None else list(columns)
    if grid.ndim != 2 or grid.shape != (len(texts), len(across)):
        raise ValueError(
            f"values of shape {grid.shape} for {plural(len(texts), 'row')}, {plural(len(across), 'column')}: "
            "one name for each"
        )
    if row >= len(texts):
        raise ValueError(f"row={row} of {len(texts)} rows; give one below {len(texts)}")
    scale, low, high = _colours(grid, gradient)
    down = [f"{place + 1}. {wrapped(text, 50, 3)}" for place, text in enumerate(texts)]
    right = [f"{place + 1}. {wrapped(text, 50, 3)}" for place, text in enumerate(across)]
    bar, hover = {"thickness": 10, "exponentformat": "power"}, "%{y}<br>with<br>%{x}<br>" + name + " %{z:.4g}"
    drawn = {"colorscale": scale, "colorbar": bar, "hovertemplate": hover + "<extra></extra>"}
    heat = go.Heatmap(z=grid, x=right, y=down, zmin=low, zmax=high, **drawn)
    figure = styled(Figure(heat), width=width, height=height, title=title or f"{name} of each with each")
    figure.update_layout(margin={"l": 40, "r": 10, "t": 40, "b": 40}, hovermode="closest")
    figure.update_xaxes(type="category", showgrid=False, showticklabels=False, title_text="candidates")
    marked = {"tickvals": [down[row]], "ticktext": ["▶"]}
    figure.update_yaxes(type="category", showgrid=False, autorange="reversed", tickfont={"color": INK}, **marked)
    line = {"color": INK, "width": 1.5}
    figure.add_shape(type="rect", x0=-0.5, x1=len(across) - 0.5, y0=row - 0.5, y1=row + 0.5, line=line)
    return figure


def _colours(grid: npt.NDArray[Any], gradient: bool) -> tuple[str | Sequence[tuple[float, str]], float, float]:
    """Colour scale, and the values at its two ends."""
    finite = grid[np.isfinite(grid)]
    least, most = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if gradient:
        end = most if most > 0 else max(-least, 1e-30)
        return tuple((1 - place, ink) for place, ink in reversed(SIGNED)), -end, end
    return PLAIN, least, most if most > least else least + 1


@checked(terms=by_name(two(checks.number)))
def force_shares(
    terms: Mapping[str, tuple[float, float]], kinds: Mapping[str, float], *, width: int = 338, height: int = 470
) -> go.Figure:
    """Draw each term's share of the loss and of the gradient on the weights; below, what each kind does to a sentence.

    ``terms`` maps a name to its value and to the length of its gradient; shares are of the sums of absolute values,
    for terms may be below 0 and gradients may cancel. ``kinds`` maps a kind of candidate to the length of what all of
    it does to the chosen vector, below 0 where it pushes.
    """
    rows = 2 if kinds else 1
    titles = ["share of each term", "on this sentence, by kind"][:rows]
    high = [1 + len(terms), 1 + len(kinds)][:rows]
    figure = subplots(rows=rows, cols=1, subplot_titles=titles, vertical_spacing=0.2, row_heights=high)
    for index, (name, ink) in enumerate((("of the loss", FAINT), ("of the gradient", PALETTE[2]))):
        numbers = np.abs([pair[index] for pair in terms.values()])
        share = 100 * numbers / (numbers.sum() or 1.0)
        labels = [f"{wrapped(term)}<br>{name}: {pair[index]:.4g}" for term, pair in terms.items()]
        bars = _bars(name, ink, dict(zip(terms, share, strict=True)), "%{customdata} (%{x:.3g} %)<extra></extra>")
        figure.add_trace(bars.update(customdata=labels, offsetgroup=name), row=1, col=1)
    for name, ink, sign in (("pull", PULL, 1), ("push", PUSH, -1)) if kinds else ():
        own = {kind: value for kind, value in kinds.items() if (value >= 0) == (sign > 0)}
        bars = _bars(name, ink, own, "%{y}: %{x:.3g}<extra>" + name + "</extra>")
        figure.add_trace(bars.update(offsetgroup="kinds"), row=2, col=1)
    styled(figure, width=width, height=height, barmode="group", margin={"l": 130, "r": 12, "t": 104, "b": 40})
    legend = {"yref": "container", "y": 0.99, "yanchor": "top", "x": 1, "xanchor": "right"}  # of up to four lines
    figure.update_layout(legend={"orientation": "h", **legend})
    figure.update_annotations(font_size=12)
    figure.update_yaxes(type="category", showgrid=False, autorange="reversed")
    figure.update_xaxes(ticksuffix=" %", range=[0, 100], row=1, col=1)
    return figure


def _bars(name: str, ink: str, lengths: Mapping[str, float], hover: str) -> go.Bar:
    """Horizontal bars of one colour, each labelled by the start of its name."""
    labels = [shortened(key, 22) for key in lengths]
    mark = {"color": ink}
    return go.Bar(x=list(lengths.values()), y=labels, orientation="h", name=name, marker=mark, hovertemplate=hover)
