"""Figures: pure functions from numbers to a plotly figure; no widgets live here."""

from .curves import curves
from .histogram import cosine_histogram
from .matrices import layer_grid, similarity_matrix, similarity_pair
from .neighbours import umap_coordinates
from .overlay import overlay
from .plane import plane
from .projection import PcaBasis, projection
from .spectrum import spectrum
from .sphere import circle, sphere
from .still import still
from .tracks import Tracks

__all__ = [
    "PcaBasis",
    "Tracks",
    "circle",
    "cosine_histogram",
    "curves",
    "layer_grid",
    "overlay",
    "plane",
    "projection",
    "similarity_matrix",
    "similarity_pair",
    "spectrum",
    "sphere",
    "still",
    "umap_coordinates",
]
