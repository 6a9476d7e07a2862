"""Typed sentences are encoded at each probe or at once, and do not change the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import clwork
from clwork import data
from clwork.arithmetic import unit_rows
from clwork.lab.panel.panel import Panel
from clwork.lab.panel.typed_sentences import MOST_TYPED

from ..conftest import SHORT
from .client import PATIENCE, Client, until

Make = Callable[..., tuple[Panel, Client]]
OWN = "The violin is tuned before the concert."


def placed(page: Client, texts: list[str]) -> list[dict[str, Any]]:
    """Poll until exactly these sentences have positions."""
    found: list[dict[str, Any]] = []

    def there(news: dict[str, Any]) -> bool:
        found[:] = news.get("typed", {}).get("sentences", found)
        return [one["text"] for one in found if one["at"]] == texts

    page.until(there)
    return found


def test_a_sentence_typed_before_the_start_is_in_all_probes(make: Make) -> None:
    panel, page = make(probe_every=1)
    page.request("typed", texts=[f"  {OWN}  "])
    page.trained()
    assert panel.run.status == "finished", panel.run.error
    (own,) = placed(Client(panel, "fresh1"), [OWN])
    vector = panel.run.encoder.encode([OWN])
    assert np.allclose(panel.run.probe.own_vectors[OWN], vector[0], atol=1e-5)
    basis, span = panel.run.positions.basis, panel.run.positions.about["span"]
    at = np.frombuffer(own["at"], "<i2") * (span / 32767)
    assert np.allclose(at, ((unit_rows(vector) - basis[0]) @ basis[1:].T)[0], atol=2e-4), (
        "on the axes of the probes"
    )
    news = page.request("typed", texts=[])
    assert news["typed"]["sentences"] == []
    assert panel.run.probe.own == []
    page.request("typed", texts=["  a  river  ", "a river", "", "a war"])
    placed(page, ["a river", "a war"])  # after the end they are encoded at once
    page.request("typed", texts=[f"{OWN} {number}" for number in range(MOST_TYPED + 1)])
    placed(page, [f"{OWN} {number}" for number in range(1, MOST_TYPED + 1)])


def test_typed_sentences_do_not_change_the_run(corpus: data.Sentences) -> None:
    def losses(own: list[str]) -> tuple[list[float], list[float]]:
        run = clwork.start("simcse", sentences=corpus, **{**SHORT, "steps": 4, "probe_every": 1})
        until(lambda: run.probe is not None)
        assert run.probe is not None
        run.probe.own = own
        run.wait(PATIENCE)
        rows = run.records()
        return [row["loss"] for row in rows[1:]], [row["uniformity"] for row in rows]

    assert losses([OWN, "Another."]) == losses([])
