"""A step as on a GPU equals the CPU's, and never waits for the device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

from clwork import arithmetic
from clwork.augmenters.noise import gaussian_noise
from clwork.encoders import packed
from clwork.methods import Draws, dclr
from clwork.methods.step import differentiate, train_step
from clwork.training.loop import ForwardPass

from ..encoders.conftest import small_encoder
from .settings_in_parts import ONE_OF_EACH, built, gradients, without_dropout

STEPS = [pytest.param(name, part, id=f"{name}, parts of {part}") for name in ONE_OF_EACH for part in (0, 3)]


def noise_of_the_cpu(shape: Any, *, sigma: float, generator: torch.Generator) -> Tensor:
    """Equal noise on every device."""
    return gaussian_noise(shape, sigma=sigma, generator=torch.Generator().manual_seed(0)).to(generator.device)


def differentiated(setting: str, part: int, device: str) -> tuple[Tensor, dict[str, Tensor]]:
    method, batch = built(setting, small_encoder(), 7, micro_batch=part, **without_dropout(setting))
    method.float().to(device)
    _, terms = differentiate(method, batch, Draws.of(0, 0, torch.device(device)))
    return terms.loss.detach().cpu(), {name: gradient.cpu() for name, gradient in gradients(method).items()}


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize(("setting", "part"), STEPS)
def test_a_padded_step_equals_the_packed_one_of_the_cpu(
    setting: str, part: int, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the CPU the second step is padded and reads no value, as on a GPU."""
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", False)
    assert not torch.backends.cuda.matmul.allow_tf32
    monkeypatch.setattr(dclr, "gaussian_noise", noise_of_the_cpu)
    want_loss, want = differentiated(setting, part, "cpu")
    monkeypatch.setattr(arithmetic, "HOST_DEVICES", frozenset())
    monkeypatch.setattr(packed, "packs", lambda backbone: False)
    loss, got = differentiated(setting, part, device)
    torch.testing.assert_close(loss, want_loss, rtol=1e-5, atol=1e-5)
    largest = max(float(gradient.abs().max()) for gradient in want.values())
    assert largest > 1e-4, "guard: there is a gradient"
    for name, gradient in want.items():
        torch.testing.assert_close(got[name], gradient, rtol=0, atol=1e-4 * largest, msg=name)


@pytest.fixture
def no_waiting() -> Iterator[Any]:
    yield lambda: torch.cuda.set_sync_debug_mode("error")
    torch.cuda.set_sync_debug_mode("default")


@pytest.mark.gpu
@pytest.mark.parametrize(("setting", "part"), STEPS)
def test_a_step_never_waits_for_the_gpu(setting: str, part: int, no_waiting: Any) -> None:
    method, batch = built(setting, small_encoder(), 7, micro_batch=part)
    method.float().to("cuda")
    optimizer, forward = method.optimizer(), ForwardPass(method.encoder, "float32")
    for step in range(2):  # the first one also prepares the libraries
        draws = Draws.of(0, step, torch.device("cuda"))
        train_step(method, optimizer, batch, draws, step, 2, around=forward)
        method.after_step()
        no_waiting()
    with pytest.raises(RuntimeError, match="synchroniz"):
        torch.ones((), device="cuda").item()
