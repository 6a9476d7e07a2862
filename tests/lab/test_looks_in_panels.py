from __future__ import annotations

from collections.abc import Callable

from clwork.lab import Panel


def test_a_short_run_in_a_panel_is_looked_at_as_often_as_asked(make_panel: Callable[..., Panel]) -> None:
    panel = make_panel(steps=20, probe_every=1)
    panel.start()
    panel.wait(400)
    assert panel.run.status == "finished", panel.run.error
    assert panel.run.history["uniformity"].notna().sum() == 21
