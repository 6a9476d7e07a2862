"""A panel where no script runs, as in a page made of an executed notebook: a text."""

from __future__ import annotations

import html
from collections.abc import Sequence

from ..page.widgets import has_anywidget
from .sources import RecordedSource, Source

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
    """HTML of a panel without scripts: the method's ``title``, the state of its run, and the verdict.

    An element named after the recorded run marks where a page may put that run's player.
    """
    page = f"<p><b>{html.escape(title)}</b>: a live panel. {HOW_TO_RUN if has_anywidget() else WITHOUT_ANYWIDGET}</p>"
    page += f"<p>{html.escape(pulse)}</p>" if pulse else ""
    for source in sources[:1]:
        if verdict := source.verdict(-1):
            step, headline, text = (html.escape(str(verdict[part])) for part in ("step", "headline", "text"))
            page += f"<p><b>{headline}</b> at step {step}. {text}</p>"
        if isinstance(source, RecordedSource):
            page += f'<div data-clwork-recording="{html.escape(str(source.data["method"]))}"></div>'
    return page
