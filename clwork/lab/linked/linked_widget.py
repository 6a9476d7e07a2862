"""The widget behind :func:`clwork.lab.linked`: a live figure whose pictures answer to each other."""

from __future__ import annotations

import pathlib
from typing import Any

import ipywidgets as widgets
import traitlets

from ...views import Figure, still_image
from ..page.live_figure import unpacked
from ..page.plotly_widget import Live, figure_module

HINT = (
    "Point at a sentence to see where the others put it; click it to read its nearest neighbours in each; draw a box "
    "or click a name below the pictures to select sentences everywhere; double-click or press Escape to let go."
)


class LinkedLive(Live):
    """Shows a figure of :func:`clwork.views.side_by_side`; ``chosen`` lists the rows that the reader selected.

    ``near`` holds, for each picture and row, the rows of its nearest neighbours; ``kinds`` the rows of each entry of
    the legend.
    """

    _esm: Any = pathlib.Path(__file__).parent / "linked.js"

    figure = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)
    texts: Any = traitlets.List().tag(sync=True)
    names: Any = traitlets.List().tag(sync=True)
    near: Any = traitlets.List().tag(sync=True)
    kinds: Any = traitlets.List().tag(sync=True)
    hint = traitlets.Unicode(HINT).tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)

    def __init__(
        self,
        data: list[dict[str, Any]],
        axes: dict[str, Any],
        label: str,
        texts: list[str],
        names: list[str],
        near: list[list[list[int]]],
        kinds: list[list[int]],
    ) -> None:
        """Make it from a figure's traces and layout."""
        more = {"figure": figure_module(), "texts": texts, "names": names, "near": near, "kinds": kinds}
        super().__init__(data, axes, label, **more)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, and beside it a still picture for readers that run no widgets."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        picture = still_image(Figure(unpacked({"data": self.data, "layout": self.axes})), self.label)
        return {**data, "text/html": picture}, metadata
