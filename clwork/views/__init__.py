"""Figures: pure functions from numbers to a plotly figure; no widgets live here."""

from .angles import angle_density, angles, on_circle
from .comparison import CommonAxes, common_axes, intervals, side_by_side, trails
from .curves import curves
from .distances import distance_histogram
from .factors import four_factors
from .figure import Figure, subplots
from .histogram import cosine_histogram
from .lines import lines
from .matrices import layer_grid, similarity_matrix, similarity_pair
from .neighbours import umap_coordinates
from .overlay import overlay
from .pair_map import pair_map
from .plane import plane
from .projection import PcaBasis, projection
from .seeds import seed_dots
from .shares import share_above, softmax_shares
from .signals import augmented_vector, word_weights
from .spectrum import spectrum
from .sphere import circle, sphere
from .still import still, still_image
from .tracks import Tracks

__all__ = [
    "CommonAxes",
    "Figure",
    "PcaBasis",
    "Tracks",
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
    "softmax_shares",
    "spectrum",
    "sphere",
    "still",
    "still_image",
    "subplots",
    "trails",
    "umap_coordinates",
    "word_weights",
]
