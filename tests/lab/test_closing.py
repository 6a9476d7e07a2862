"""A widget that is closed frees its memory: ipywidgets stores every open widget until the kernel
ends."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ipywidgets.widgets.widget import _instances

import clwork
from clwork import data, lab

STUB: Any = SimpleNamespace(known_actions=lambda: ["x"])
MAKERS: dict[str, Callable[[clwork.Run, data.Sentences], Any]] = {
    "panel": lambda run, _: lab.panel(run=run),
    "forces": lambda run, _: lab.forces(run, step=12),
    "evidence": lambda *_: lab.evidence(),
    "exercise": lambda *_: lab.exercise("Set x to 4.", lambda: True),
    "act": lambda *_: lab.act(STUB, "[Act]", x=1),
}


def megabytes() -> float:
    """Memory of this process: its resident pages of 4096 bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


@pytest.mark.parametrize("cycles", [2, pytest.param(50, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", MAKERS)
def test_a_closed_widget_frees_its_memory(
    name: str, cycles: int, trained: clwork.Run, corpus: data.Sentences
) -> None:
    before = set(_instances)
    refs: list[weakref.ref[Any]] = []
    for cycle in range(cycles):
        # the caches are filled
        if cycle == max(1, cycles // 10):
            start = megabytes()
        widget = MAKERS[name](trained, corpus)
        widget.close()
        refs.append(weakref.ref(widget))
        del widget
        for thread in threading.enumerate():
            if thread.name.startswith("clwork "):
                thread.join(60)
        gc.collect()
    assert not [ref for ref in refs[:-1] if ref()]
    assert set(_instances) <= before
    assert megabytes() - start < 20
