"""The explorer: the stored runs of a claim under sliders, at once, without training and without a kernel."""

from __future__ import annotations

from pathlib import Path

import plotly.graph_objects as go

from ..._validation import checked, choice
from ...claims import Reference
from ...claims.reference import reference
from ...views import Figure, against, projection, styled
from ...views.sentence_scatter import view_extent
from ..page.standalone import iframe, page
from ..page.widgets import WIDE
from .parts import state_of, words_of

CLOUD = (WIDE, 420)
CURVES, POINTS = "curves", "cloud"
HEAD, ROW, KNOBS, CHARTS, SENTENCES = 130, 30, 44, 222, 380  # pixels of the page's parts where there is room


@checked()
def explore(name: str | Reference, folder: str | Path | None = None) -> Explorer:
    """Show the stored runs of a claim under sliders: any setting of its grid at once, nothing is trained.

    Curves of every seed of the chosen setting with their mean and band, the bands of the others in grey, final scores
    with intervals, and the sentences of one run, at any look. Show the view by putting it last in a cell: it responds
    without a kernel, in a saved notebook too.

    Args:
        name: of a claim, such as ``"simcse/temperature"``, or what :func:`clwork.reference` gave.
        folder: of the reader's own runs, as :func:`clwork.reference` takes it.

    Raises:
        TypeError, ValueError: there is no such claim, or a folder beside a reference.
        FileNotFoundError: no run of it is stored; :func:`clwork.claims.test` makes them.
    """
    if isinstance(name, Reference):
        if folder is not None:
            raise ValueError("folder is for the name of a claim; a reference knows where its runs lie")
        return Explorer(name)
    return Explorer(reference(name, folder))


class Explorer:
    """See :func:`explore`, which makes it.

    Attributes:
        reference: the stored runs.
        arm: the setting that is shown first.
    """

    def __init__(self, stored: Reference) -> None:
        """Hold what the page draws."""
        self.reference = stored
        self._state = state_of(stored)
        trained = [one["name"] for one in self._state["arms"] if one["trained"]]
        self.arm: str = (trained or stored.arms)[0]

    @property
    def knobs(self) -> dict[str, list[str]]:
        """The parts of a setting in which the arms differ, and their values."""
        return {knob["name"]: list(knob["values"]) for knob in self._state["knobs"]}

    def choose(self, arm: str) -> Explorer:
        """Show a setting first, by the name of its arm.

        Raises:
            TypeError, ValueError: the reference has no stored run of that name.
        """
        self.arm = choice("arm", arm, self.reference.arms)
        return self

    def figure(self, name: str = CURVES) -> go.Figure:
        """A still picture of the first setting: ``"curves"``, or ``"cloud"`` at the last look."""
        drawn = {CURVES: self._curves, POINTS: self._points}
        return drawn[choice("name", name, list(drawn))]()

    def page(self) -> str:
        """The explorer as a document of its own; it makes no requests."""
        return page("explore", self._state | {"start": self.reference.arms.index(self.arm)}, self._state["name"])

    def _repr_html_(self) -> str:
        """The explorer in a frame."""
        state = self._state
        trained = any(one["trained"] for one in state["arms"])
        height = HEAD + ROW * len(state["arms"]) + KNOBS * -(-len(state["knobs"]) // 2)
        height += CHARTS * trained + SENTENCES * any(one["cloud"] for one in state["arms"])
        label = f"stored runs of {state['name']}: {words_of(self.reference, self.arm)}"
        return iframe(self.page(), height, label)

    def __repr__(self) -> str:
        """Claim and first setting."""
        return f"Explorer({self._state['name']!r}, {len(self._state['arms'])} settings, {self.arm!r} first)"

    def _curves(self) -> go.Figure:
        return against(self.reference, chosen=self.arm, width=WIDE)

    def _points(self) -> go.Figure:
        cloud, (wide, high) = self.reference.cloud(self.arm), CLOUD
        if cloud is None:
            return styled(Figure(), width=wide, height=high)
        title = f"{self.arm}, seed {cloud.seed}, step {cloud.steps[-1]}"
        span = view_extent(cloud.at[:, :, :2].reshape(-1, 2))
        points = cloud.at[-1, :, :2]
        return projection(points, cloud.labels, cloud.texts, title=title, span=span, width=wide, height=high)
