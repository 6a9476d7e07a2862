"""Clouds of the same sentences by several encoders, linked: what is touched in one picture is marked in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as widgets

from ... import metrics
from ...edges import at_least, checked
from ...projections import Vectors
from ...views import common_axes, side_by_side, still
from ...views.style import LIMIT
from ...wording import plural
from ..page.live_figure import state_of
from ..page.notebook import unsaved
from ..page.widgets import LINKED_SIDE


@checked(neighbours=at_least(1))
@unsaved()
def linked(
    clouds: Mapping[str, Vectors],
    texts: Sequence[str],
    labels: Sequence[str] | None = None,
    *,
    neighbours: int = 3,
    size: int = LINKED_SIDE,
) -> Any:
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
    try:
        from .linked_widget import LinkedLive
    except ImportError:  # no anywidget here
        return widgets.HTML(still(figure))
    near = [metrics.nearest(vectors, k=neighbours).rows.tolist() for vectors in clouds.values()]
    label = f"The same {plural(len(texts), 'sentence')} as points, by {', '.join(clouds)}"
    told = [str(one) for one in labels or ()]
    kinds = [[row for row, one in enumerate(told) if one == kind] for kind in sorted(set(told))]  # the legend's order
    return LinkedLive(*state_of(figure), label, list(texts), list(clouds), near, kinds)
