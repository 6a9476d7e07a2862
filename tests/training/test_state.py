"""A training state on disk: read as it was written, and an optimizer that goes on where it was."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from clwork.training.disk.recipe import fingerprint
from clwork.training.disk.tensors import optimizer_tensors, read_meta, read_state, restore_optimizer, write_state


def weights() -> list[nn.Parameter]:
    return [nn.Parameter(torch.arange(3.0)), nn.Parameter(torch.ones(2, 2))]


def step(optimizer: torch.optim.Optimizer, parameters: list[nn.Parameter]) -> None:
    for parameter in parameters:
        parameter.grad = torch.full_like(parameter, 0.5) + parameter.detach()
    optimizer.step()


def test_an_optimizer_goes_on_where_it_was_at_its_own_rate() -> None:
    here, there = weights(), weights()
    first, second = torch.optim.AdamW(here, lr=0.1), torch.optim.AdamW(there, lr=0.3)
    for _ in range(3):
        step(first, here)
    kept = {name: tensor.clone() for name, tensor in optimizer_tensors(first).items()}
    assert set(kept) == {f"optimizer.{index}.{key}" for index in (0, 1) for key in ("step", "exp_avg", "exp_avg_sq")}
    restore_optimizer(second, kept | {"method.weight": torch.ones(1)})
    assert second.param_groups[0]["lr"] == 0.3
    with torch.no_grad():
        for one, other in zip(here, there, strict=True):
            other.copy_(one)
    first.param_groups[0]["lr"] = 0.3
    step(first, here)
    step(second, there)
    assert all(torch.equal(one, other) for one, other in zip(here, there, strict=True))


def test_a_state_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "state.safetensors"
    tensors = {"a": torch.arange(6.0).view(2, 3).T, "b": torch.tensor(3), "same": torch.ones(2, requires_grad=True)}
    write_state(path, tensors | {"again": tensors["same"]}, {"step": 3, "text": "τ"})
    found, meta = read_state(path)
    assert set(found) == {"a", "b", "same", "again"} and all(torch.equal(found[k], v) for k, v in tensors.items())
    assert meta == read_meta(path) == {"step": 3, "text": "τ"}
    with pytest.raises(ValueError, match="JSON"):
        write_state(path, tensors, {"score": float("nan")})
    assert read_meta(path)["step"] == 3


def test_a_state_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.safetensors"
    wrong: list[tuple[dict[str, str] | None, str]] = [
        (None, "was not written by clwork"),
        ({"format": "pt"}, "was not written by clwork"),
        ({"clwork": "{"}, "what stands beside its tensors is no JSON"),
        ({"clwork": "[" * 100_000}, "what stands beside its tensors is no JSON"),
        ({"clwork": "[1]"}, "what stands beside its tensors is a list"),
    ]
    for told, words in wrong:
        save_file({"a": torch.ones(1)}, path, metadata=told)
        for read in (read_state, read_meta):
            with pytest.raises(ValueError, match=words):
                read(path)
    path.write_bytes(b"no safetensors")
    with pytest.raises(ValueError, match="cannot be read as safetensors"):
        read_meta(path)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="no saved state"):
        read_meta(path)


def test_fingerprints_tell_contents_apart() -> None:
    from clwork.data import Sentences

    texts = ["One.", "Two."]
    assert fingerprint(texts) == fingerprint(Sentences(texts)) == fingerprint(tuple(texts))
    triplets = [("a", "b", "c"), ("d", "e", "f")]
    found = [fingerprint(texts), fingerprint(texts[::-1]), fingerprint(triplets), fingerprint(triplets[:1])]
    assert len(set(found)) == 4 and len(fingerprint(triplets)) == 32
    assert fingerprint(text for text in texts) == "", "nothing can be said of a stream"
    assert fingerprint([("\ud800", "b", "c")]), "a lone half of a pair is a text, too"
