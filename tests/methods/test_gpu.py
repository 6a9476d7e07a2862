"""Steps as on a GPU have the CPU's loss and gradient, and never wait for the device."""

from __future__ import annotations

from functools import partial

import pytest
import torch

from clwork import arithmetic, losses
from clwork.encoders import packed
from clwork.methods import Draws, dclr
from clwork.methods.step import differentiate, train_step
from clwork.precision import forward_pass

from ..encoders.conftest import small_encoder
from .settings_in_parts import ONE_OF_EACH, built, gradients, without_dropout
from .test_parts import close

NOISE = torch.randn(7, 32, generator=torch.Generator().manual_seed(0))
each_step = pytest.mark.parametrize(
    ("setting", "part"), [(name, part) for name in ONE_OF_EACH for part in (0, 3)]
)


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
@each_step
def test_a_padded_step_equals_the_packed_one_of_the_cpu(
    setting: str, part: int, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the CPU the second step is padded and its checks read no value, as on a GPU."""
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", False)
    monkeypatch.setattr(dclr, "gaussian_noise", lambda shape, generator: NOISE.to(generator.device))
    found = []
    for place in ("cpu", device):
        method, batch = built(
            setting, small_encoder(), 7, micro_batch=part, **without_dropout(setting)
        )
        method.float().to(place)
        _, terms = differentiate(method, batch, Draws.of(0, 0, torch.device(place)))
        found.append(
            (
                terms.loss.detach().cpu(),
                {name: tensor.cpu() for name, tensor in gradients(method).items()},
            )
        )
        monkeypatch.setattr(arithmetic, "HOST_DEVICES", frozenset())
        monkeypatch.setattr(packed, "can_pack", lambda backbone: False)
    torch.testing.assert_close(found[1][0], found[0][0], rtol=1e-5, atol=1e-5)
    close(found[0][1], found[1][1], within=1e-4)


@pytest.mark.gpu
@each_step
def test_a_step_never_waits_for_the_gpu(setting: str, part: int) -> None:
    method, batch = built(setting, small_encoder(), 7, micro_batch=part)
    method.float().to("cuda")
    optimizer = method.optimizer()
    forward = partial(forward_pass, torch.device("cuda"), "float32")
    try:
        for step in range(2):  # the first one also prepares the libraries
            train_step(
                method,
                optimizer,
                batch,
                Draws.of(0, step, torch.device("cuda")),
                step,
                2,
                around=forward,
            )
            method.after_step()
            torch.cuda.set_sync_debug_mode("error")
        with pytest.raises(RuntimeError, match="synchroniz"):
            torch.ones((), device="cuda").item()
    finally:
        torch.cuda.set_sync_debug_mode("default")


def test_outside_a_step_every_device_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = torch.tensor([[1.0, float("nan")], [0.0, 1.0]])
    monkeypatch.setattr(arithmetic, "HOST_DEVICES", frozenset())
    with pytest.raises(ValueError, match="NaN"):
        losses.simcse(bad, bad)
    with arithmetic.without_waiting():
        with arithmetic.without_waiting():
            assert not arithmetic.may_read(bad)
        assert not arithmetic.may_read(bad)
        assert losses.simcse(bad, bad).isnan()
    assert arithmetic.may_read(bad)
