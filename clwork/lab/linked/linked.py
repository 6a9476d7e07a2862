"""Clouds of the same sentences by several encoders, linked: what is touched in one picture is marked in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import traitlets

from ... import metrics
from ..._validation import Positive, checked
from ...projections import Vectors
from ...views import common_axes, side_by_side, to_svg, to_svg_image
from ...views.style import LIMIT
from ...wording import plural
from ..page.live_figure import Axes, PlotlyWidget, Traces, figure_module, state_of, static_figure
from ..page.notebook import unsaved
from ..page.widgets import LINKED_SIDE, has_anywidget

HINT = (
    "Point at a sentence to see where the others put it; click it to read its nearest neighbours in each; draw a box "
    "or click a name below the pictures to select sentences everywhere; double-click or press Escape to let go."
)


@checked()
@unsaved()
def linked(
    clouds: Mapping[str, Vectors],
    texts: Sequence[str],
    labels: Sequence[str] | None = None,
    *,
    neighbours: Positive = 3,
    size: int = LINKED_SIDE,
) -> LinkedWidget | widgets.HTML:
    """A widget: the clouds side by side on common axes, with linked hover and selection, and neighbours on a click.

    ``clouds`` maps a name to the vectors of ``texts`` by one encoder; their widths may differ (see
    :func:`clwork.views.common_axes`). The widget's ``chosen`` lists the rows that are selected. Without anywidget a
    still picture takes its place.

    Shapes: each ``(N, D)``, N at most 500.

    Raises:
        ValueError: not as many texts, labels and vectors, more than 500, or clouds that cannot be shown.
    """
    counts = {"texts": len(texts)} | {name: len(vectors) for name, vectors in clouds.items()}
    if len(set(counts.values())) != 1 or len(texts) > LIMIT:
        raise ValueError(f"rows: {counts}; there must be as many vectors as texts, and at most {LIMIT}")
    figure = side_by_side(common_axes(clouds), labels, texts, size=size)
    if not has_anywidget():
        return widgets.HTML(to_svg(figure))
    near = [metrics.nearest(vectors, k=neighbours).rows.tolist() for vectors in clouds.values()]
    label = f"The same {plural(len(texts), 'sentence')} as points, by {', '.join(clouds)}"
    topics = [str(topic) for topic in labels or ()]
    kinds = [[row for row, topic in enumerate(topics) if topic == kind] for kind in sorted(set(topics))]
    return LinkedWidget(*state_of(figure), label, list(texts), list(clouds), near, kinds)


class LinkedWidget(PlotlyWidget):
    """Shows a figure of :func:`clwork.views.side_by_side`; ``chosen`` lists the rows that the reader selected.

    ``near`` holds, for each picture and row, the rows of its nearest neighbours; ``kinds`` the rows of each entry of
    the legend, in its order.
    """

    _esm: Any = Path(__file__).with_name("linked.js")

    figure = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)
    texts: Any = traitlets.List().tag(sync=True)
    names: Any = traitlets.List().tag(sync=True)
    near: Any = traitlets.List().tag(sync=True)
    kinds: Any = traitlets.List().tag(sync=True)
    hint = traitlets.Unicode(HINT).tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)

    def __init__(
        self,
        data: Traces,
        axes: Axes,
        label: str,
        texts: list[str],
        names: list[str],
        near: list[list[list[int]]],
        kinds: list[list[int]],
    ) -> None:
        traits = {"figure": figure_module(), "texts": texts, "names": names, "near": near, "kinds": kinds}
        super().__init__(data, axes, label, **traits)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, and a still picture for readers without widgets."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        picture = to_svg_image(static_figure(self.data, self.axes), self.label)
        return {**data, "text/html": picture}, metadata
