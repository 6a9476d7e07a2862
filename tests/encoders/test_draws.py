"""Drawing apart: no load touches the generators of the user, from whichever thread."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import torch

from clwork.encoders import load_encoder
from clwork.encoders.backbones import IsolatedRng


def everything() -> list[torch.Tensor]:
    """Draws of all kinds, in place and not, of modules and functions."""
    drawn = [torch.rand(3), torch.randn(2, 2), torch.randint(5, (4,)), torch.randint(2, 5, (4,)), torch.randperm(4)]
    drawn += [torch.rand_like(drawn[0]), torch.randn_like(drawn[1]), torch.normal(torch.zeros(3), torch.ones(3))]
    drawn += [torch.nn.Linear(3, 3).weight.detach(), torch.nn.Embedding(3, 3).weight.detach(), torch.empty(4).normal_()]
    drawn += [
        torch.bernoulli(torch.full((4,), 0.5)),
        torch.nn.functional.dropout(torch.ones(9)),
        torch.empty(9).exponential_(),
    ]
    drawn += [torch.nn.init.trunc_normal_(torch.empty(5)), torch.nn.init.orthogonal_(torch.empty(3, 3))]
    return [*drawn, torch.multinomial(torch.ones(5), 2), torch.empty(3).uniform_(generator=torch.Generator())]


def test_gives_the_numbers_of_the_seed_and_leaves_the_global_state() -> None:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        want = everything()
    before = torch.get_rng_state()
    with IsolatedRng(3):
        found = everything()
    assert torch.equal(before, torch.get_rng_state())
    assert all(torch.equal(a, b) for a, b in zip(found, want, strict=True))


def test_counts_operations() -> None:
    with pytest.raises(ValueError, match="far more parts than its weights have"), IsolatedRng(most_operations=10):
        for _ in range(11):
            torch.zeros(1)


@pytest.mark.nightly
def test_loads_in_another_thread_do_not_touch_the_users_generator(mlm_folder: Path) -> None:
    """The same numbers as alone, however the two threads interleave."""
    torch.manual_seed(17)
    alone = [torch.randn(50) for _ in range(2000)]
    stop, loaded = threading.Event(), [0]

    def load() -> None:
        while not stop.is_set():
            load_encoder(mlm_folder, pooling="mean", device="cpu")
            loaded[0] += 1

    thread = threading.Thread(target=load)
    thread.start()
    try:
        while loaded[0] < 3 and thread.is_alive():
            torch.manual_seed(17)
            assert all(torch.equal(torch.randn(50), want) for want in alone)
    finally:
        stop.set()
        thread.join()
    assert loaded[0] >= 3, "the guard: encoders were loaded meanwhile"
