"""Several processes have the loss and gradient of one, for every method, with all its draws."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from clwork.methods.step import embedded

from ..encoders.conftest import small_encoder
from ..methods.settings_in_parts import SETTINGS, built, draws, gradients
from ..methods.test_parts import close
from .one_of_several import COUNT, micro_batches

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.nightly
@pytest.mark.parametrize("size", [2, 4])
def test_loss_gradient_and_buffers_are_those_of_one_process(size: int, tmp_path: Path) -> None:
    place = [str(size), str(tmp_path / "store"), small_encoder(), str(tmp_path / "found")]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.processes.one_of_several", str(rank), *place],
            cwd=ROOT,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for rank in range(size)
    ]
    said = [process.communicate(timeout=600)[0].decode() for process in started]
    assert [process.returncode for process in started] == [0] * size, said
    found = torch.load(tmp_path / "found", weights_only=True)
    assert found.keys() == set(itertools.product(SETTINGS, micro_batches(size)))
    for setting, micro in itertools.product(SETTINGS, micro_batches(size)):
        method, batch = built(setting, small_encoder(), COUNT, micro_batch=micro)
        terms = method.compare(embedded(method, batch, draws()))  # one process, one graph
        terms.loss.backward()  # type: ignore[no-untyped-call]
        loss, gradient, buffers = found[setting, micro]
        assert loss == pytest.approx(float(terms.loss.detach()), rel=1e-9), setting
        close(gradients(method), gradient)
        for name, own in method.named_buffers():
            if own.is_floating_point():
                torch.testing.assert_close(buffers[name], own, msg=f"{setting}: {name}")
