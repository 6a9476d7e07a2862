"""Figures: functions that return a plotly figure of given numbers. ``clwork.lab`` has widgets."""

from .alignment_plane import plane
from .circle import angles, on_circle, sphere
from .comparison import common_axes, intervals, side_by_side
from .diagrams import four_factors, method_diagram
from .matrices import layer_grid, similarity_matrix
from .named_lines import (
    augmented_vector,
    cosine_histogram,
    distance_histogram,
    lines,
    seed_dots,
    spectrum,
)
from .reference import against
from .run_curves import overlay
from .style import styled

__all__ = [
    "against",
    "angles",
    "augmented_vector",
    "common_axes",
    "cosine_histogram",
    "distance_histogram",
    "four_factors",
    "intervals",
    "layer_grid",
    "lines",
    "method_diagram",
    "on_circle",
    "overlay",
    "plane",
    "seed_dots",
    "side_by_side",
    "similarity_matrix",
    "spectrum",
    "sphere",
    "styled",
]
