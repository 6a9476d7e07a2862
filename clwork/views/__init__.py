"""Figures: functions that return a plotly figure of given numbers. For widgets, see ``clwork.lab``."""

from ._curves import curves, overlay, plane
from .comparison import common_axes, intervals, side_by_side
from .lessons.circle import angles, on_circle, sphere
from .lessons.diagrams import augmented_vector, four_factors, method_diagram
from .lessons.lines import cosine_histogram, distance_histogram, lines, seed_dots, spectrum
from .matrices import layer_grid, similarity_matrix
from .reference import against
from .style import styled

__all__ = [
    "against",
    "angles",
    "augmented_vector",
    "common_axes",
    "cosine_histogram",
    "curves",
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
