"""The explorer: the stored runs of a claim under sliders, at once and without training."""

from __future__ import annotations

import html
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import plotly.graph_objects as go

from ...checks import choice, is_number
from ...claims import Reference, ReferenceCloud
from ...claims.reference import reference
from ...edges import checked
from ...views import Figure, against, projection, styled, to_svg_image
from ...views.sentence_scatter import view_extent
from ...wording import plural
from ..page.live_figure import LiveFigure
from ..page.notebook import unsaved
from ..page.widgets import LABEL, WIDE, Board

CLOUD = (WIDE, 420)
KNOBS = 4  # at most; the list of settings has all
ABSENT = "—"  # of an arm that lacks a hyperparameter
CURVES, POINTS = "curves", "cloud"


@checked(name=lambda _, value: value)
@unsaved()
def explore(name: str | Reference, folder: str | Path | None = None) -> Explorer:
    """Show the stored runs of a claim under sliders: any setting of its grid at once, nothing is trained.

    Curves of all settings with the chosen one's band, final scores of every seed, and the sentences of one run of the
    chosen setting, at any look. Show the view by putting it last in a cell.

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


class Explorer(Board):
    """See :func:`explore`, which makes it.

    Attributes:
        reference: the stored runs.
        arm: the list of settings; its value is the chosen one.
        knobs: a control for each hyperparameter, or other part of a setting, in which the arms differ.
        step: the look at the sentences; its value is the step.
    """

    def __init__(self, stored: Reference) -> None:
        self.reference = stored
        self._settings = stored.settings
        self._moving = False
        self._cloud: ReferenceCloud | None = None
        self.state, self.note = widgets.HTML(), widgets.HTML()
        self._make_controls()
        self._figures = {CURVES: self._curves(), POINTS: self._empty()}
        labels = {CURVES: "Loss, geometry and scores of all settings", POINTS: "Sentences of one run"}
        self.drawn = {name: LiveFigure(figure, labels[name], stretches=True) for name, figure in self._figures.items()}
        boxes = [self.drawn[name].box for name in (CURVES, POINTS)]
        row = widgets.HBox(
            [self.arm, *self.knobs.values()], layout=widgets.Layout(flex_flow="row wrap", grid_gap="6px")
        )
        self._lay_out("explore", [self.state, row, boxes[0], self.note, self.step, boxes[1]])
        self._show()
        self.arm.observe(lambda _: self._show(), names="value")
        self.step.observe(lambda _: self._show_cloud(), names="value")
        for key, knob in self.knobs.items():
            knob.observe(lambda change, key=key: self._turn(key, change["new"]), names="value")

    def choose(self, arm: str) -> Explorer:
        """Choose a setting by the name of its arm.

        Raises:
            TypeError, ValueError: the reference has no stored run of that name.
        """
        self.arm.value = choice("arm", arm, self.reference.arms)
        return self

    def figure(self, name: str = CURVES) -> go.Figure:
        """A picture as a static figure: ``"curves"`` or ``"cloud"``."""
        return self._figures[choice("name", name, list(self._figures))]

    def _make_controls(self) -> None:
        def wide(pixels: int) -> dict[str, Any]:
            return {"layout": widgets.Layout(width=f"{pixels}px", max_width="100%"), "style": LABEL}

        trained = [name for name in self.reference.arms if self.reference.runs(name)[0].losses]
        first = (trained or self.reference.arms)[0]
        about = "The settings that were run."
        self.arm = widgets.Dropdown(
            options=self.reference.arms, value=first, description="setting", tooltip=about, **wide(420)
        )
        self.knobs: dict[str, Any] = {}
        for key, values in knobs_of(self._settings).items():
            make = widgets.SelectionSlider if all(map(is_number, values)) else widgets.Dropdown
            options = [(f"{value:g}" if is_number(value) else str(value), value) for value in values]
            value = self._settings[first].get(key, ABSENT)
            about = f"Goes to a setting with this {key}."
            self.knobs[key] = make(options=options, value=value, description=key, tooltip=about, **wide(420))
        about = "The look at which the sentences are drawn; arrow keys move."
        self.step = widgets.SelectionSlider(
            options=[("0", 0)], value=0, description="step", tooltip=about, continuous_update=True, **wide(WIDE)
        )
        self.arm.add_class("clwork-setting")
        self.step.add_class("clwork-step")
        for key, knob in self.knobs.items():
            knob.add_class(f"clwork-knob-{key.replace('_', '-').replace(' ', '-')}")

    def _turn(self, key: str, value: Hashable) -> None:
        """Go to the setting with this value that is nearest to the chosen one."""
        if self._moving:
            return
        now = self._settings[self.arm.value]
        fits = [arm for arm, own in self._settings.items() if own.get(key, ABSENT) == value]
        others = [other for other in self.knobs if other != key]
        self.arm.value = max(fits, key=lambda arm: sum(self._settings[arm].get(k) == now.get(k) for k in others))

    def _show(self) -> None:
        """Draw the chosen setting; knobs and steps follow it."""
        arm = self.arm.value
        self._moving = True
        try:
            for key, knob in self.knobs.items():
                knob.value = self._settings[arm].get(key, ABSENT)
        finally:
            self._moving = False
        self._figures[CURVES] = self._curves()
        self.drawn[CURVES].replace(self._figures[CURVES])
        self._cloud = self.reference.cloud(arm)
        steps = [0] if self._cloud is None else list(self._cloud.steps)
        now = self.step.value if len(self.step.options) > 1 else None
        self.step.options = [(str(step), step) for step in steps]
        self.step.value = now if now in steps else steps[-1]
        self.step.layout.display = "flex" if len(steps) > 1 else "none"
        self._show_cloud()
        self._announce(self._words(arm))

    def _show_cloud(self) -> None:
        self._figures[POINTS] = self._points()
        self.drawn[POINTS].replace(self._figures[POINTS])

    def _curves(self) -> go.Figure:
        return against(self.reference, chosen=self.arm.value, width=WIDE)

    def _points(self) -> go.Figure:
        cloud, arm = self._cloud, self.arm.value
        if cloud is None:
            self.note.value = f"<p>Of {html.escape(arm)} no positions of sentences are stored.</p>"
            return self._empty()
        place = list(cloud.steps).index(self.step.value)
        self.note.value = (
            f"<p>{plural(len(cloud.texts), 'sentence')} of the run with seed {cloud.seed} on the principal axes of its "
            f"first look; eight of these hold {cloud.kept[place]:.0%} of the variance at this step, two of them are "
            "drawn.</p>"
        )
        title = f"{arm}, seed {cloud.seed}, step {cloud.steps[place]}"
        span = view_extent(cloud.at[:, :, :2].reshape(-1, 2))
        wide, high = CLOUD
        points = cloud.at[place, :, :2]
        return projection(points, cloud.labels, cloud.texts, title=title, span=span, width=wide, height=high)

    def _empty(self) -> go.Figure:
        wide, high = CLOUD
        return styled(Figure(), width=wide, height=high)

    def _words(self, arm: str) -> str:
        """The chosen setting's score in words, and the claim."""
        claim, runs, scores = self.reference.claim, self.reference.runs(arm), self.reference.scores(arm)
        metric, seeds = claim.metric.name, plural(len(runs), "seed")
        mean = (
            f"{metric} {sum(scores) / len(scores):.4g}, from {min(scores):.4g} to {max(scores):.4g}" if scores else ""
        )
        absent = self.reference.absent
        missing = f" Not run yet: {', '.join(absent)}." if absent else ""
        steps = plural(runs[0].steps, "step") if runs[0].steps else "untrained"
        return f"{claim.claim} {arm}: {mean}; {seeds}, {steps}.{missing}"

    def _page(self) -> str:
        svg = "".join(to_svg_image(figure, name) for name, figure in self._shown().items())
        return f"{self.state.value}{svg}{self.note.value}"

    def _shown(self) -> Mapping[str, go.Figure]:
        return {name: figure for name, figure in self._figures.items() if name == CURVES or self._cloud is not None}


def knobs_of(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Sequence[Any]]:
    """What can be turned: parts of the settings with their values, without those that another one decides.

    >>> knobs_of({"a": {"method": "x", "rate": 1}, "b": {"method": "y"}})
    {'method': ['x', 'y']}
    >>> knobs_of({"a": {"rate": 0.5}, "b": {"rate": 0.1}})
    {'rate': [0.1, 0.5]}
    """
    keys = dict.fromkeys(key for own in settings.values() for key in own)
    knobs: dict[str, Sequence[Any]] = {}
    seen: list[list[int]] = []
    for key in keys:
        column = [own.get(key, ABSENT) for own in settings.values()]
        values = list(dict.fromkeys(column))
        division = [values.index(value) for value in column]
        if division in seen or len(knobs) == KNOBS:
            continue
        seen.append(division)
        knobs[key] = sorted(values) if all(map(is_number, values)) else values
    return knobs
