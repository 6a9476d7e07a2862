"""A panel where no script runs, as in a page made of an executed notebook: a text and a still picture (SVG)."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from ...recordings import recording
from ...views import svg_image
from ...wording import plural
from ..page.widgets import has_anywidget
from .player_data import player_data
from .poster import poster_of
from .sources import RecordedSource, RunSource, Source

HOW_TO_RUN = (
    "Open the notebook in JupyterLab and run it to train. Where a notebook may not load widgets, as on Kaggle or in "
    "VS Code without a network, its controls are missing: <code>panel.start()</code> and <code>panel.wait()</code> "
    "train without them, and <code>panel.figure()</code> draws the curves."
)
WITHOUT_ANYWIDGET = (
    "Its controls need anywidget, which is not installed: <code>pip install anywidget</code>, then restart the kernel. "
    "<code>panel.start()</code> and <code>panel.wait()</code> train without them."
)


def still_page(title: str, pulse: str, sources: Sequence[Source]) -> str:
    """HTML of a panel: the method's ``title``, how its run stands, the verdict, and a poster of the first source.

    The poster of a recorded run that ships is marked with its method, so that pages can put its player there.
    """
    name = html.escape(title)
    page = f"<p><b>{name}</b>: a live panel. {HOW_TO_RUN if has_anywidget() else WITHOUT_ANYWIDGET}</p>"
    page += f"<p>{html.escape(pulse)}</p>" if pulse else ""
    shown: Any = None
    mark = ""
    for source in sources[:1]:
        if verdict := source.verdict(-1):
            step, headline, text = (html.escape(str(verdict[part])) for part in ("step", "headline", "text"))
            page += f"<p><b>{headline}</b> at step {step}. {text}</p>"
        if isinstance(source, RecordedSource):
            shown = source.data
            mark = f' data-clwork-recording="{html.escape(str(shown["method"]))}"'
            page += f"<p>Shown: a recorded run of {plural(shown['total_steps'], 'step')} that comes with clwork.</p>"
        elif isinstance(source, RunSource) and source.positions.rows():
            shown = player_data(recording(source.run))
    poster = svg_image(poster_of([shown]), f"{name}: sentences, curves and plane") if shown else ""
    return f"{page}<div{mark}>{poster}</div>"
