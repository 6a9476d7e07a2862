"""The figure that every view returns: plotly's, with an SVG picture beside it in a notebook's output."""

from __future__ import annotations

import contextlib
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .svg.picture import to_svg

# "Share chart…" would upload the figure, with the reader's sentences, to a company's server.
CONFIG = {"showSendToCloud": False, "displaylogo": False}


class Figure(go.Figure):  # type: ignore[misc]
    """plotly's figure with an SVG picture, for pages that run no scripts (GitHub, nbconvert)."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> dict[str, Any]:
        """Plotly's bundle and the SVG; without the SVG if a trace has a type that clwork does not draw."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(include, exclude, config=CONFIG, **kwargs)
        if bundle:
            with contextlib.suppress(ValueError):  # an added trace of another type
                bundle["image/svg+xml"] = to_svg(self)
        return bundle

    def _ipython_display_(self) -> None:
        """Display the bundle in the cell's output, or call plotly's renderer if it makes none (a browser window)."""
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        if bundle:
            display(bundle, raw=True)  # type: ignore[no-untyped-call]
        else:
            self.show()

    def show(self, *args: Any, **kwargs: Any) -> None:
        """Show with plotly's renderer, without the upload button."""
        super().show(*args, **{"config": CONFIG, **kwargs})


def subplots(*args: Any, **kwargs: Any) -> Figure:
    """Figure of several cells; arguments as for plotly's ``make_subplots``."""
    figure = Figure()
    make_subplots(*args, figure=figure, **kwargs)
    return figure
