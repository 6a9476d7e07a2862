"""The panel asks nothing of a method that the registry does not tell: each opens, starts, is moved and stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
import pytest

from clwork import methods
from clwork.lab import Panel

from .test_panel import PATIENCE, until

SMALL: dict[str, dict[str, Any]] = {"dclr": {"complementary_steps": 1}}  # it trains another model first


def moved(name: str, value: Any, field: methods.Field) -> Any:
    """Another value that a hot field allows."""
    if field.kind == "bool":
        return not value
    if field.choices is not None:
        return next(choice for choice in field.choices if choice != value)
    assert field.low is not None and field.high is not None, f"{name} is hot and has no range"
    return type(value)((value + field.high) / 2) if value < field.high else field.low


@pytest.mark.parametrize("name", methods.names())
def test_a_panel_opens_starts_is_moved_and_stops(name: str, make_panel: Callable[..., Panel]) -> None:
    about = methods.get(name)
    panel = make_panel(method=name, steps=5000, encoder=None, **SMALL.get(name, {}))
    assert (panel.method, panel.method_class) == (name, about) and panel.config() == vars(panel_config(panel))
    panel.frame.start.click()
    until(lambda: panel.run is not None and (panel.run.step >= 2 or not panel.run.alive))
    assert panel.run.error is None
    own = {field.name for field in methods.fields(methods.MethodConfig)}
    field = next(f for f in methods.fields(about.Config) if f.hot and f.name not in own)
    knob, value = panel.settings.widgets[field.name], panel.config()[field.name]
    assert not knob.disabled and isinstance(knob, widgets.Widget)
    knob.value = moved(field.name, value, field)

    def told() -> list[str]:
        return [text for _, text in panel.pictures.tracks.events if f"{field.name.replace('_', ' ')} " in text]

    until(lambda: told() or not panel.run.alive)
    assert panel.run.error is None and told()
    panel.frame.stop.click()
    panel.wait(PATIENCE)
    assert panel.run.status == "stopped", panel.run.error
    assert panel.config()[field.name] == getattr(panel.run.config, field.name) != value
    assert len(panel.pictures.tracks.xy("uniformity")[0]) >= 1 and panel.frame.verdict.value


def panel_config(panel: Panel) -> Any:
    return methods.config(panel.method, None, batch_size=8, **SMALL.get(panel.method, {}))


@pytest.mark.parametrize("name", methods.names())
def test_parts_that_a_method_records_can_be_shown(name: str, make_panel: Callable[..., Panel]) -> None:
    panel = make_panel(method=name, steps=2, encoder=None, **SMALL.get(name, {}))
    also = panel.pictures.column
    assert also.choice.options == (("–", "–"),) and also.drawn.box.layout.display == "none"
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished", panel.run.error
    known = {"mean_cosine", "effective_rank", "std_sqrt_d", "learning_rate", "tokens_per_second", "gradient_norm"}
    labels = {name: label for label, name in also.choice.options}
    assert labels["mean_cosine"] == "mean cosine" and not any("_" in label for label in labels.values())
    parts = set(labels) - known - {"–"}
    assert parts, "a method records at least one part of its own"
    for part in parts:
        also.choice.value = part
        assert also.drawn.box.layout.display == "flex"
        assert also.drawn.figure().data[0].y[-1] == pytest.approx(panel.run.records()[-1][part], rel=1e-5)
    also.choice.value = "–"
    assert also.drawn.box.layout.display == "none"
