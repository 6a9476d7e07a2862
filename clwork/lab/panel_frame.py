"""The panel's buttons, bar and lines of text: how they look, and what they show of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from .. import columns
from ..training import Run
from ..views import Tracks
from . import messages
from .buttons import button
from .layout import SETTINGS_WIDE, Place
from .setting_controls import LABEL, WIDE

# smaller labels and readouts leave the sliders room; notes that wrap need lines closer than a widget's 28 px
STYLE = """<style>
.clwork-panel .widget-label {font-size: 12px; line-height: 1.15; white-space: normal; align-content: center}
.clwork-panel .widget-readout {min-width: 64px; width: 64px}
.clwork-panel .widget-html-content {line-height: 1.4}
</style>"""
RESTING = ("stopped", "finished", "failed")


def busy(run: Run | None) -> bool:
    """Whether a run holds the panel: it has begun and has not come to its end."""
    return run is not None and run.status not in RESTING


class PanelFrame:
    """Widgets that hold no settings of a method; ``acts`` maps a button's name to what it does."""

    def __init__(self, acts: Mapping[str, Callable[[], object]], steps: int, seed: int) -> None:
        """Make them, at rest."""
        about = "Hold after the step in progress; press again to go on."
        self.start = button("Start", "Train with these settings.", "start", acts["start"], "success")
        self.pause = button("Pause", about, "pause", acts["pause"])
        self.stop = button("Stop", "End after the step in progress. All settings stay.", "stop", acts["stop"])
        self.steps = self._number(steps, 1, 10**7, "steps", "Optimizer steps of a run.")
        self.seed = self._number(seed, 0, 2**31 - 1, "seed", "Of everything random: equal seeds, equal runs on a CPU.")
        self.bar = widgets.IntProgress(0, min=0, max=1, layout=widgets.Layout(width="180px"))
        self.state, self.left, self.numbers, self.verdict = (
            self._line(name) for name in ("state", "left", "numbers", "verdict")
        )
        self.show(None)

    @staticmethod
    def _number(value: int, low: int, high: int, name: str, about: str) -> widgets.BoundedIntText:
        layout = widgets.Layout(width=WIDE)
        made = widgets.BoundedIntText(
            value, min=low, max=high, description=name, tooltip=about, style=LABEL, layout=layout
        )
        made.add_class(f"clwork-{name}")
        return made

    @staticmethod
    def _line(name: str) -> widgets.HTML:
        made = widgets.HTML()
        made.add_class(f"clwork-{name}")
        return made

    def rows(self, settings: list[widgets.Widget], boxes: Callable[[Place], list[widgets.Widget]]) -> Any:
        """Everything in its place: buttons on top, settings left, and the pictures' boxes as ``layout.py`` has them."""
        bar = widgets.HBox([self.start, self.pause, self.stop, self.bar, self.left, widgets.HTML(STYLE)])
        bar.layout.align_items = "center"
        left = widgets.VBox([*settings[:2], self.steps, self.seed, *settings[2:]])
        left.layout = widgets.Layout(width=f"{SETTINGS_WIDE}px", flex="0 0 auto", overflow="hidden")
        above, below = widgets.HBox([left, widgets.VBox(boxes("right"))]), widgets.HBox(boxes("below"))
        return [bar, self.state, above, self.numbers, self.verdict, below, *boxes("foot")]

    def say(self, sentence: str) -> None:
        """Put one sentence under the buttons; screen readers speak it."""
        text = f"<div role='status'>{sentence}</div>"
        if self.state.value != text:
            self.state.value = text

    def show(self, run: Run | None) -> None:
        """Buttons, bar and sentence as the run's state wants them."""
        going = busy(run)
        self.start.disabled = self.steps.disabled = self.seed.disabled = going
        self.pause.disabled = self.stop.disabled = not going
        self.pause.description = "Resume" if run is not None and run.status == "paused" else "Pause"
        self.say(messages.state(run))
        if run is not None:
            self.bar.max, self.bar.value = run.total_steps, run.step
            self.bar.bar_style = {"finished": "success", "failed": "danger"}.get(run.status, "")

    def tell(self, run: Run, tracks: Tracks) -> None:
        """The figures in words: how far, how long still, the latest measurements."""
        self.left.value = messages.time_left(run, tracks.last("seconds"))
        share = tracks.last("probe_share")
        text = messages.numbers({name: tracks.last(name) for name in columns.shown("numbers")})
        text += f" · watching takes {100 * share:.1f} % of the time" if share is not None else ""
        self.numbers.value = f"{text}{messages.measured_on(run.probe, tracks)} · {messages.arithmetic(run)}"
