"""A batch in parts (GradCache) has the loss and the gradient of the undivided batch."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
import torch
from torch import Tensor

from clwork import methods
from clwork.methods import Draws, Method, Terms
from clwork.methods.base import Views
from clwork.methods.step import SavedBytes, differentiate, embedded

from ..encoders.conftest import small_encoder
from .settings_in_parts import SETTINGS, built, cases, draws, gradients, without_dropout

COUNT = 7
DRAWN = {
    "simcse, words deleted",
    "dclr, cut-off",
    "sg, base",
    *(name for name in SETTINGS if "mocoutrl" in name),
}


def close(one: dict[str, Tensor], other: dict[str, Tensor], within: float = 1e-6) -> None:
    assert one.keys() == other.keys()
    largest = max(float(tensor.abs().max()) for tensor in one.values())
    assert largest > 1e-4, "guard: there is a gradient"
    for name in one:
        torch.testing.assert_close(one[name], other[name], rtol=0, atol=within * largest, msg=name)


def differentiated(
    method: Method[Any], batch: list[Any], micro: int, graph_memory: int = 0
) -> tuple[Terms, dict[str, Tensor]]:
    method.zero_grad()
    method.config.micro_batch = micro
    _, terms = differentiate(method, batch, draws(), graph_memory=graph_memory)
    return terms, gradients(method)


@pytest.mark.parametrize("setting", cases(SETTINGS))
def test_parts_have_the_gradient_of_one_graph_with_all_randomness(setting: str) -> None:
    """The second pass repeats dropout and drawn words."""
    method, batch = built(setting, small_encoder(), COUNT, micro_batch=3)
    views = embedded(method, batch, draws())
    terms = method.compare(views)
    terms.loss.backward()  # type: ignore[no-untyped-call]
    want = gradients(method)
    found, gradient = differentiated(method, batch, 3)
    torch.testing.assert_close(found.loss, terms.loss, rtol=1e-9, atol=1e-9)
    assert found.parts.keys() == terms.parts.keys()
    close(want, gradient)
    close(
        gradient, differentiated(method, batch, 3, graph_memory=100)[1], within=0.0
    )  # the graphs are retained


@pytest.mark.parametrize("setting", cases(sorted(SETTINGS.keys() - DRAWN)))
def test_without_dropout_any_part_has_the_gradient_of_the_whole(setting: str) -> None:
    method, batch = built(setting, small_encoder(), COUNT, **without_dropout(setting))
    terms, want = differentiated(method, batch, 0)
    for micro in (1, 3, 4, COUNT, 50):
        found, gradient = differentiated(method, batch, micro)
        torch.testing.assert_close(found.loss, terms.loss, rtol=1e-6, atol=1e-6)
        close(want, gradient)


def test_dropout_masks_depend_on_the_part_and_repeat() -> None:
    """Guard: dropout is on; another part size draws other masks, an equal part size equal masks."""
    method, batch = built("simcse", small_encoder(), COUNT)
    losses = [float(differentiated(method, batch, micro)[0].loss) for micro in (0, 3, 3, 4)]
    assert losses[1] == losses[2]
    assert len(set(losses)) == 3


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_the_bytes_of_a_graph_are_those_of_its_distinct_tensors(device: str) -> None:
    inputs, weight = (
        torch.ones(5, 4, device=device),
        torch.nn.Parameter(torch.ones(4, 3, device=device)),
    )
    saved = SavedBytes([weight])
    with saved:
        z = (inputs @ weight).exp()  # saves inputs and result; a weight is not counted
        loss = (z[:2] * z[3:]).sum() + (z @ weight.T).sum()  # saves the result again
    assert saved.count() == 4 * (5 * 4 + 5 * 3)
    loss.backward()  # type: ignore[no-untyped-call]
    assert weight.grad is not None
    assert saved.count() == 0


@pytest.mark.parametrize("memory", [0, 2, 9])
def test_graphs_in_the_memory_are_retained_and_constants_made_once(
    memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = SavedBytes.count
    monkeypatch.setattr(
        SavedBytes, "count", lambda saved: 2**20 * (count(saved) > 0)
    )  # each graph has 1 MiB
    method, batch = built("dclr", small_encoder(), COUNT, micro_batch=2)
    seen: list[tuple[str, int, bool]] = []
    for name in ("fixed", "encode"):
        own = getattr(method, name)

        def recorded(part: Any, drawn: Any, name: str = name, own: Any = own) -> Any:
            seen.append((name, len(part), torch.is_grad_enabled()))
            return own(part, drawn)

        monkeypatch.setattr(method, name, recorded)
    differentiate(method, batch, draws(), graph_memory=memory)
    graphs = [True, memory > 0, memory > 1, memory > 2]  # the last part is the first of them
    first = [
        [("fixed", n, False), ("encode", n, graph)]
        for n, graph in zip((1, 2, 2, 2), graphs, strict=True)
    ]
    assert seen == [*chain(*first), *[("encode", 2, True)] * graphs.count(False)]


def test_a_method_that_embeds_in_one_piece_is_refused() -> None:
    method, batch = built("simcse", small_encoder(), COUNT, micro_batch=2)

    class OnePiece(methods.Method[methods.MethodConfig]):
        title = "One piece"

        def embed(self, batch: Any, draws: Draws) -> Views:
            return {}

    whole = OnePiece(method.encoder, methods.MethodConfig(micro_batch=2), torch.Generator())
    with pytest.raises(ValueError, match=r"One piece overrides embed.*define encode instead"):
        differentiate(whole, batch, draws())
