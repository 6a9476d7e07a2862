"""IPython runs this file when a tested notebook's kernel starts: its runs are short.

A run is scored on few silver pairs.

``panel.start(slowly=True)`` is for a reader who watches. Here nobody does, so the run is short, and
``panel.current_run()`` returns it when it has ended: the cells below find the same run each time.
"""

from typing import Any

from clwork.lab import Panel
from clwork.training import scores

scores.SILVER_PAIRS = 40
STEPS = 8
start = Panel.start
current_run = Panel.current_run


def start_short(self: Panel, slowly: bool = False) -> None:
    """Start a run; a slow one at full speed, with few steps."""
    if slowly:
        self.settings.set("steps", min(STEPS, self.settings.values["steps"]))
    start(self)


def ended_run(self: Panel) -> Any:
    """Return the run after its end."""
    run = current_run(self)
    run.wait()
    return run


Panel.start = start_short  # type: ignore[method-assign]
Panel.current_run = ended_run  # type: ignore[method-assign]
