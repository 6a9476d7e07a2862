"""A method of the reader's own, defined outside of clwork: trained, resumed, and missed in a kernel without it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.methods import base

from ..runs import stop_at, weights
from .conftest import SHORT

SOURCE = '''
from dataclasses import dataclass

from clwork.augmenters import Dropout
from clwork.losses import info_nce
from clwork.methods import Method, MethodConfig, Terms, hyper, register


@dataclass(kw_only=True)
class OwnConfig(MethodConfig):
    temperature: float = hyper(0.1, "Divides the cosines.", low=1e-3, high=10.0, hot=True, log=True)


@register
class Own(Method[OwnConfig]):
    """Both directions of InfoNCE."""

    name, title, paper, notebook = "own", "Own", "none yet", "99_own"
    Config = OwnConfig

    def encode(self, batch, draws):
        rows = [tokens.ids for tokens in batch] * 2
        with Dropout(draws.dropout, hidden=0.1, attention=0.1):
            z1, z2 = self.encoder(self.encoder.collate(rows, self.config.max_length)).chunk(2)
        return {"z1": z1, "z2": z2}

    def compare(self, views):
        there = info_nce(views["z1"], views["z2"], temperature=self.config.temperature)
        back = info_nce(views["z2"], views["z1"], temperature=self.config.temperature)
        return Terms((there + back) / 2, {"asymmetry": (there - back).detach()})
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the method's one file, imported, and forgotten afterwards."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "own_method.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(folder)
    __import__("own_method")
    yield folder
    base.REGISTERED.pop("own")
    sys.modules.pop("own_method")


def test_it_trains_records_its_parts_and_resumes(own: Path, corpus: Any) -> None:
    assert clwork.methods.names()[-1] == "own"
    whole = clwork.train("own", sentences=corpus, steps=6, **SHORT)
    assert whole.history["asymmetry"].notna().sum() == 6
    cut = stop_at(clwork.start("own", sentences=corpus, steps=6, **SHORT), 3)
    assert (cut.status, cut.step) == ("stopped", 3), "the guard: half of the run is still to come"
    resumed = clwork.resume(cut.folder)
    assert (resumed.status, resumed.step) == ("finished", 6)
    for column in ("loss", "asymmetry"):
        assert resumed.history[column].equals(whole.history[column])
    there = weights(resumed)
    assert all(torch.equal(tensor, there[name]) for name, tensor in weights(whole).items())
