"""The panel asks nothing of a method that the registry does not tell: each opens, starts, is moved and stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clwork import columns, methods
from clwork.lab import Panel

from .client import PATIENCE, Client, all_of, values

Make = Callable[..., tuple[Panel, Client]]
# DCLR trains another model first.
SMALL: dict[str, dict[str, Any]] = {"dclr": {"complementary_steps": 1}}
KNOWN = {"mean_cosine", "effective_rank", "std_sqrt_d", "learning_rate", "tokens_per_second", "gradient_norm"}


def moved(name: str, value: Any, field: methods._fields.Field) -> Any:
    """Another value that a hot field allows."""
    if field.kind == "bool":
        return not value
    if field.choices is not None:
        return next(choice for choice in field.choices if choice != value)
    assert field.low is not None and field.high is not None, f"{name} is hot and has no range"
    return type(value)((value + field.high) / 2) if value < field.high else field.low


QUICK = ("dclr", "gclsr")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.nightly) for name in methods.names()]
)
def test_a_panel_opens_starts_is_moved_stops_and_shows_what_the_method_records(name: str, make: Make) -> None:
    about = methods.get(name)
    panel, page = make(method=name, steps=5000, encoder=None, **SMALL.get(name, {}))
    expected: Any = methods.config(name, None, batch_size=8, **SMALL.get(name, {}))
    assert (panel.method, panel.method_class) == (name, about) and panel.config() == vars(expected)
    page.ask("start")
    page.until(lambda news: news["state"]["step"] >= 2 or not news["state"]["alive"], PATIENCE)
    assert panel.run.error is None
    own = {field.name for field in methods.fields(methods.MethodConfig)}
    field = next(f for f in methods.fields(about.Config) if f.hot and f.name not in own)
    value = panel.config()[field.name]
    new = moved(field.name, value, field)
    typed = "yes" if new is True else "no" if new is False else str(new)
    assert page.refused("set", setting=field.name, value=typed) == ""
    words = f"{field.name.replace('_', ' ')} "

    def told() -> list[str]:
        return [text for _, text in all_of(panel)[1]["rows"]["events"] if words in text]

    page.until(lambda news: told() or not news["state"]["alive"], PATIENCE)
    assert panel.run.error is None and told()
    page.ask("stop")
    panel.wait(PATIENCE)
    assert panel.run.status == "stopped", panel.run.error
    assert panel.config()[field.name] == getattr(panel.run.config, field.name) != value
    part = all_of(panel)[1]
    assert (values(part["rows"])["uniformity"] < 0).sum() >= 1 and part["verdict"]["headline"]

    titles = dict(Client(panel, "fresh1").ask()["measurements"]["columns"])
    assert titles["mean_cosine"] == "mean cosine" and not any("_" in title for title in titles.values())
    parts = set(titles) - KNOWN
    assert parts, "a method records at least one part of its own"
    asking = Client(panel, "fresh2")
    asking.known = {"runs": [{"id": "", "probe": -1, "row": 0, "verdict": -1, "columns": sorted(parts)}]}
    rows = values(asking.ask()["runs"][0]["rows"])
    for one in parts:
        last, factor = panel.run.records()[-1][one], columns.of(one).scale
        assert rows[one][-1] == pytest.approx(factor * last, rel=1e-5), one
