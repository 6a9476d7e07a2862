"""Figures: functions that return a plotly figure of given numbers. ``clwork.lab`` has widgets."""

from .comparison import common_axes, intervals, side_by_side
from .matrices import layer_grid
from .named_lines import lines, spectrum
from .run_curves import overlay, plane
from .style import styled

__all__ = [
    "common_axes",
    "intervals",
    "layer_grid",
    "lines",
    "overlay",
    "plane",
    "side_by_side",
    "spectrum",
    "styled",
]
