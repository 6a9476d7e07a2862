"""The figure that every view returns: plotly's, with an SVG picture beside it in a notebook's output."""

from __future__ import annotations

import contextlib
import json
import re
import uuid
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .svg.picture import svg_image, to_svg

# "Share chart…" would upload the figure, with the reader's sentences, to a company's server.
CONFIG = {"showSendToCloud": False, "displaylogo": False}
HTML, SVG = "text/html", "image/svg+xml"
LIBRARY = re.compile(r'<script[^>]*\bsrc="(https://cdn\.plot\.ly/plotly-[^"]+)"(?:[^>]*\bintegrity="([^"]+)")?[^>]*>')
BEHIND = 'class="clwork-still" style="position:absolute;top:0;left:0;max-width:100%"'
# Loads plotly.js once for all figures of a page, and draws over the still picture; without a network that stays.
DRAW = """<script>
(() => {{
  const load = () => new Promise((done, failed) => {{
    if (globalThis.Plotly) return done(globalThis.Plotly);
    const script = Object.assign(document.createElement("script"), {{ src: "{address}", crossOrigin: "anonymous" }});
    if ("{integrity}") script.integrity = "{integrity}";
    script.onload = () => done(globalThis.Plotly);
    script.onerror = () => {{ delete globalThis.__clwork_library; failed(new Error("no network: a still picture")); }};
    document.head.append(script);
  }});
  globalThis.__clwork_library ??= load();
  globalThis.__clwork_library.then((Plotly) => {{
    const place = document.getElementById("{place}"), figure = {figure};
    if (place) Plotly.newPlot(place, figure.data, figure.layout, {config});
  }}, (error) => console.info(String(error)));
}})();
</script>"""


class Figure(go.Figure):  # type: ignore[misc]
    """plotly's figure with an SVG picture, for pages that run no scripts (GitHub, nbconvert)."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> dict[str, Any]:
        """Plotly's bundle and the SVG; without the SVG if a trace has a type that clwork does not draw."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(include, exclude, config=CONFIG, **kwargs)
        if bundle:
            with contextlib.suppress(ValueError):  # an added trace of another type
                bundle[SVG] = to_svg(self)
            library = LIBRARY.search(bundle.get(HTML, ""))
            if library is not None and SVG in bundle:
                bundle[HTML] = self._over_still(bundle[SVG], library[1], library[2] or "")
        return bundle

    def _over_still(self, picture: str, address: str, integrity: str) -> str:
        """HTML for pages that load plotly.js from ``address``, as Colab's and Kaggle's: once, over the picture."""
        place, size = f"clwork-{uuid.uuid4()}", f"width:{self.layout.width}px;height:{self.layout.height}px"
        figure = self.to_json().replace("<", "\\u003c")
        script = DRAW.format(
            address=address, integrity=integrity, place=place, figure=figure, config=json.dumps(CONFIG)
        )
        still = svg_image(picture, "figure", BEHIND)
        return f'<div style="position:relative;{size}">{still}<div id="{place}"></div></div>{script}'

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
