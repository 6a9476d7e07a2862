"""Figures: pure functions from numbers to a plotly figure; no widgets live here."""

from ..projections import PcaBasis, aligned_umap, umap_coordinates
from .alignment_plane import plane
from .comparison import CommonAxes, common_axes, intervals, side_by_side, trails
from .figure import Figure, subplots
from .lessons.diagrams import method_diagram
from .lessons.histograms import cosine_histogram, distance_histogram, seed_dots
from .lessons.mechanisms import augmented_vector, four_factors, word_weights
from .lessons.named_lines import lines, share_above, softmax_shares, spectrum
from .lessons.points import angle_density, angles, circle, on_circle, pair_map, sphere
from .matrices import layer_grid, similarity_matrix, similarity_pair
from .overlaid_runs import overlay, small_multiples
from .recorded_columns import RunColumns
from .reference import against
from .run_curves import curves
from .sentence_scatter import projection
from .style import styled

__all__ = [
    "CommonAxes",
    "Figure",
    "PcaBasis",
    "RunColumns",
    "against",
    "aligned_umap",
    "angle_density",
    "angles",
    "augmented_vector",
    "circle",
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
    "pair_map",
    "plane",
    "projection",
    "seed_dots",
    "share_above",
    "side_by_side",
    "similarity_matrix",
    "similarity_pair",
    "small_multiples",
    "softmax_shares",
    "spectrum",
    "sphere",
    "styled",
    "subplots",
    "trails",
    "umap_coordinates",
    "word_weights",
]
