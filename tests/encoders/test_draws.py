"""Drawing apart: no load touches the generators of the user, from whichever thread."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from clwork.encoders import load_encoder, textcnn
from clwork.encoders.backbones import IsolatedRng

from .test_textcnn import write_vectors


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


def main_thread_draws(loaded: list[int], rounds: int | None) -> tuple[bytes, bytes, int]:
    """Numbers that the user's thread gets, the state it ends with, and in how many rounds.

    Without a number of rounds it goes on until two more loads have ended meanwhile.
    """
    torch.manual_seed(17)
    digest, count, enough = hashlib.sha256(), 0, len(loaded) + 2
    while count < rounds if rounds is not None else len(loaded) < enough:
        digest.update(torch.randn(50).numpy().data)
        digest.update(torch.nn.Linear(4, 4).weight.detach().numpy().data)
        count += 1
    return digest.digest(), torch.get_rng_state().numpy().tobytes(), count


@pytest.mark.parametrize("kind", ["no pooler stored", "a pooler stored", "textcnn"])
def test_loads_in_another_thread_do_not_touch_the_users_generators(
    kind: str, mlm_folder: Path, bert_folder: Path, tmp_path: Path
) -> None:
    """Ten times: the same numbers and the same state as alone, however the two threads interleave."""
    vectors = str(write_vectors(tmp_path / "few.txt"))
    loads: dict[str, Callable[[], Any]] = {
        "no pooler stored": lambda: load_encoder(mlm_folder, pooling="mean", device="cpu"),
        "a pooler stored": lambda: load_encoder(bert_folder, pooling="cls", device="cpu"),
        "textcnn": lambda: textcnn(vectors, filters=3, device="cpu"),
    }
    stop, loaded, broken = threading.Event(), [0], []

    def work() -> None:
        try:
            while not stop.is_set():
                loads[kind]()
                loaded.append(1)
        except BaseException as error:
            broken.append(error)
            loaded.extend([1] * 1000)  # nobody waits for ever
            raise

    thread = threading.Thread(target=work)
    thread.start()
    try:
        got = [main_thread_draws(loaded, None) for _ in range(10)]
    finally:
        stop.set()
        thread.join()
    assert not broken
    assert got == [main_thread_draws([], count) for _, _, count in got]


def test_threads_that_load_at_once_get_the_same(mlm_folder: Path) -> None:
    want = load_encoder(mlm_folder, pooling="mean", device="cpu").fingerprint()
    found: list[str] = []

    def work() -> None:
        for _ in range(5):
            found.append(load_encoder(mlm_folder, pooling="mean", device="cpu").fingerprint())

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [want] * 15
