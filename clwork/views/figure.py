"""The figure that every view returns: plotly's, which takes a still picture along wherever a notebook shows it."""

from __future__ import annotations

import contextlib
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .svg.picture import to_svg

# Share chart... would upload the figure, and with it what a reader typed, to a company's server.
CONFIG = {"showSendToCloud": False, "displaylogo": False}


class Figure(go.Figure):  # type: ignore[misc]
    """A figure of plotly's that is also an SVG picture, for readers whose page runs no script (GitHub, nbconvert)."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> dict[str, Any]:
        """What plotly shows here, and beside it the picture; one too strange to be drawn goes without."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(include, exclude, config=CONFIG, **kwargs)
        if bundle:
            with contextlib.suppress(ValueError):  # somebody added a trace of a kind that clwork never draws
                bundle["image/svg+xml"] = to_svg(self)
        return bundle

    def _ipython_display_(self) -> None:
        """Show it in the output of a cell, or by whatever else plotly's renderer does (a window of the browser)."""
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        if bundle:
            display(bundle, raw=True)  # type: ignore[no-untyped-call]
        else:
            self.show()

    def show(self, *args: Any, **kwargs: Any) -> None:
        """Show it by plotly's renderer, without the button that uploads it."""
        super().show(*args, **{"config": CONFIG, **kwargs})


def subplots(*args: Any, **kwargs: Any) -> Figure:
    """A figure of several cells; arguments as of plotly's ``make_subplots``."""
    figure = Figure()
    make_subplots(*args, figure=figure, **kwargs)
    return figure
