"""The figure that every view returns: plotly's, without the button that uploads it."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

# "Share chart…" would upload the figure, with the reader's sentences, to a company's server.
CONFIG = {"showSendToCloud": False, "displaylogo": False}


class Figure(go.Figure):  # type: ignore[misc]
    """plotly's figure without the button that uploads it."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(include, exclude, config=CONFIG, **kwargs)
        return bundle

    def _ipython_display_(self) -> None:
        self.show()

    def show(self, *args: Any, **kwargs: Any) -> None:
        """Show with plotly's renderer."""
        super().show(*args, **{"config": CONFIG, **kwargs})


def subplots(*args: Any, **kwargs: Any) -> Figure:
    """Figure of several cells; arguments as for plotly's ``make_subplots``."""
    figure = Figure()
    make_subplots(*args, figure=figure, **kwargs)
    return figure
