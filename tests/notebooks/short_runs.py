"""IPython runs this file when a tested notebook's kernel starts: its panels train few steps.

``panel.start(slowly=True)`` is for a reader who watches. Here nobody does, so the run is short, and
``panel.current_run()`` returns it when it has ended: the cells below find the same run each time.
Encoders are scored on few silver pairs.
"""


def _shorten_runs(steps: int = 8, silver_pairs: int = 40) -> None:
    # All names are local: those of this file are the notebook's.
    from clwork.lab.panel.panel import Panel
    from clwork.training import Run, scores

    start, current_run = Panel.start, Panel.current_run

    def start_short(self: Panel, slowly: bool = False) -> None:
        """Start a run; a slow one at full speed, with few steps."""
        if slowly:
            self.settings.set("steps", min(steps, self.settings.values["steps"]))
        start(self)

    def ended_run(self: Panel) -> Run:
        """Return the run after its end."""
        return current_run(self).wait()

    Panel.start = start_short  # type: ignore[method-assign]
    Panel.current_run = ended_run  # type: ignore[method-assign]
    scores.SILVER_PAIRS = silver_pairs


# IPython defines this name; pytest, which imports the file to look for doctests, does not.
if "get_ipython" in globals():
    _shorten_runs()
del _shorten_runs
