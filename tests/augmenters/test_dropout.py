from __future__ import annotations

import math
import threading
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from clwork.augmenters import Dropout, same_masks
from clwork.augmenters.dropout import attend, drop

KINDS = ["bert", "roberta", "distilbert"]
WAYS = ["sdpa", "eager"]


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def tiny(kind: str, way: str, rate: float = 0.1) -> Any:
    """A model in training mode whose own rates are ``rate``."""
    import transformers

    configs: dict[str, Any] = {
        "bert": transformers.BertConfig,
        "roberta": transformers.RobertaConfig,
        "distilbert": transformers.DistilBertConfig,
    }
    if kind == "distilbert":
        sizes = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32, "dropout": rate, "attention_dropout": rate}
    else:
        sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
        sizes |= {"hidden_dropout_prob": rate, "attention_probs_dropout_prob": rate}
    model: Any = transformers.AutoModel
    config = configs[kind](vocab_size=50, pad_token_id=0, **sizes)
    torch.manual_seed(0)
    return model.from_config(config, attn_implementation=way).train()


def batch(padded: bool) -> dict[str, Tensor]:
    ids = torch.randint(5, 50, (4, 9), generator=seeded(1))
    mask = torch.ones_like(ids)
    if padded:
        mask[1, 5:] = 0
        mask[3, 2:] = 0
    return {"input_ids": ids * mask, "attention_mask": mask}


def run(model: Any, inputs: dict[str, Tensor], seed: int, hidden: float = 0.1, attention: float = 0.1) -> Tensor:
    with Dropout(seeded(seed), hidden, attention):
        states: Tensor = model(**inputs).last_hidden_state
    return states


# --- on whole models ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
class TestModels:
    @pytest.mark.parametrize(("hidden", "attention"), [(0.1, 0.1), (0.3, 0.0), (0.0, 0.3)])
    def test_the_seed_decides(self, kind: str, way: str, padded: bool, hidden: float, attention: float) -> None:
        model, inputs = tiny(kind, way), batch(padded)
        before = torch.get_rng_state()
        one, same, other = (run(model, inputs, seed, hidden, attention) for seed in (0, 0, 1))
        assert torch.equal(one, same)
        assert not torch.allclose(one, other)
        assert torch.equal(before, torch.get_rng_state())

    def test_no_dropout_is_eval_mode(self, kind: str, way: str, padded: bool) -> None:
        model, inputs = tiny(kind, way, rate=0.5), batch(padded)
        got = run(model, inputs, 0, 0.0, 0.0)
        assert torch.equal(got, model.eval()(**inputs).last_hidden_state)

    def test_rates_are_those_given_whatever_the_model_says(self, kind: str, way: str, padded: bool) -> None:
        inputs = batch(padded)
        one, other = (run(tiny(kind, way, rate), inputs, 0, 0.2, 0.2) for rate in (0.0, 0.5))
        assert torch.equal(one, other)

    def test_gradients_are_repeated_too(self, kind: str, way: str, padded: bool) -> None:
        model, inputs = tiny(kind, way), batch(padded)

        def gradients(seed: int) -> Tensor:
            loss = run(model, inputs, seed).sin().sum()
            return torch.cat(
                [
                    g.flatten()
                    for g in torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)
                    if g is not None
                ]
            )

        one, same, other = gradients(0), gradients(0), gradients(1)
        assert torch.equal(one, same) and not torch.allclose(one, other) and torch.isfinite(one).all()


@pytest.mark.parametrize("kind", KINDS)
def test_eager_and_sdpa_agree(kind: str) -> None:
    """Both drop attention weights in the same order, so equal seeds give equal masks."""
    sdpa, eager = tiny(kind, "sdpa"), tiny(kind, "eager")
    eager.load_state_dict(sdpa.state_dict())
    for padded in (True, False):
        inputs = batch(padded)
        kept = inputs["attention_mask"].bool()
        torch.testing.assert_close(run(sdpa, inputs, 0)[kept], run(eager, inputs, 0)[kept])


@pytest.mark.parametrize("way", WAYS)
def test_rows_of_one_batch_have_masks_of_their_own(way: str) -> None:
    """SimCSE in one line: the same sentence twice in one forward pass gives two vectors."""
    model, inputs = tiny("bert", way), batch(False)
    twice = {name: tensor[:1].expand(2, -1) for name, tensor in inputs.items()}
    for rates in ((0.1, 0.0), (0.0, 0.1)):
        one, two = run(model, twice, 0, *rates)
        assert not torch.allclose(one, two)
    one, two = run(model, twice, 0, 0.0, 0.0)
    torch.testing.assert_close(one, two)


def test_eval_mode_modules_are_left_alone_by_hidden_dropout() -> None:
    x = torch.ones(1000)
    with Dropout(seeded(0), 0.5):
        assert torch.equal(nn.Dropout(0.1).eval()(x), x)
        assert torch.equal(torch.dropout(x, 0.1, False), x)
        assert torch.equal(torch.dropout(x, p=0.1, train=False), x)
        assert not torch.equal(torch.dropout(x, 0.1, True), x)
        assert not torch.equal(F.dropout(x, 0.1), x)


def test_outside_torch_is_as_it_was() -> None:
    x = torch.ones(1000)
    torch.manual_seed(5)
    want = F.dropout(x, 0.3)
    torch.manual_seed(5)
    with Dropout(seeded(0), 0.5):
        F.dropout(x)
    assert torch.equal(F.dropout(x, 0.3), want)


def test_another_thread_is_unaffected() -> None:
    """A thread that drops out by torch's own state, while this one is inside, gets what it gets alone."""
    x = torch.ones(1000)
    torch.manual_seed(5)
    want = F.dropout(x, 0.3)
    seen: list[Tensor] = []
    torch.manual_seed(5)
    with Dropout(seeded(0), 0.9, 0.9):
        thread = threading.Thread(target=lambda: seen.append(F.dropout(x, 0.3)))
        thread.start()
        thread.join()
        inside = F.dropout(x, 0.3)
    assert torch.equal(seen[0], want) and not torch.equal(inside, want)


def test_two_threads_at_once_each_repeat_their_own_stream() -> None:
    model, inputs = tiny("bert", "sdpa"), batch(True)
    want = {seed: run(model, inputs, seed) for seed in range(3)}
    wrong: list[int] = []

    def work(seed: int) -> None:
        for _ in range(15):
            if not torch.equal(run(model, inputs, seed), want[seed]):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in want]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# --- computed again in the backward pass ------------------------------------------------------------------------------


def gradients(model: Any, inputs: dict[str, Tensor], inside: bool, again: int = 0) -> Tensor:
    """Of all parameters; backward inside or after the dropout, perhaps a second time over the same graph."""
    with Dropout(seeded(0), 0.2, 0.2):
        loss = model(**inputs).last_hidden_state.sin().sum()
        if inside:
            loss.backward(retain_graph=again > 0)
    if not inside:
        loss.backward(retain_graph=again > 0)
    for _ in range(again):
        model.zero_grad()
        loss.backward(retain_graph=True)
    return torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_layers_computed_again_have_the_same_masks(kind: str, way: str, inside: bool) -> None:
    plain, inputs = tiny(kind, way), batch(True)
    want = gradients(plain, inputs, inside)
    for again in (0, 1):
        model = tiny(kind, way)
        model.activation_checkpointing_enable({"use_reentrant": False, "context_fn": same_masks})
        counted: list[int] = []
        attention = next(part for name, part in model.named_modules() if name.endswith("attention"))
        attention.register_forward_pre_hook(lambda *_, counted=counted: counted.append(1))
        before = torch.get_rng_state()
        assert torch.equal(gradients(model, inputs, inside, again), want)
        assert len(counted) == 2 + again, "not vacuous: once forwards, once in each backward pass"
        assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("reentrant", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_other_masks_in_the_second_computation_are_refused(way: str, reentrant: bool) -> None:
    model = tiny("bert", way)
    model.activation_checkpointing_enable({"use_reentrant": reentrant})
    with pytest.raises(ValueError, match=r"under other masks; enable it with .*clwork\.augmenters\.same_masks"):
        gradients(model, batch(True), inside=False)
    with Dropout(seeded(0), 0.0, 0.0):
        pass


def test_same_masks_outside_of_dropout_change_nothing() -> None:
    plain, checkpointed, inputs = tiny("bert", "sdpa", 0.0), tiny("bert", "sdpa", 0.0), batch(True)
    checkpointed.activation_checkpointing_enable({"use_reentrant": False, "context_fn": same_masks})
    for model in (plain, checkpointed):
        model(**inputs).last_hidden_state.sin().sum().backward()
    for one, other in zip(plain.parameters(), checkpointed.parameters(), strict=True):
        assert (one.grad is None) == (other.grad is None) and (one.grad is None or torch.equal(one.grad, other.grad))


# --- counting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "rates", "calls"),
    [
        ("sdpa", (0.1, 0.1), 7),
        ("eager", (0.1, 0.1), 7),
        ("sdpa", (0.1, 0.0), 5),
        ("eager", (0.0, 0.1), 2),
    ],
)
def test_counts_what_was_dropped(way: str, rates: tuple[float, float], calls: int) -> None:
    """One after the embeddings, two a layer, and one in each attention."""
    model, inputs = tiny("bert", way), batch(True)
    with Dropout(seeded(0), *rates) as dropout:
        model(**inputs)
        assert dropout.calls == calls
    with dropout:
        model(**inputs)
    assert dropout.calls == calls, "counted anew"


def test_a_model_without_dropout_is_refused() -> None:
    plain = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    with pytest.raises(ValueError, match=r"nothing was dropped inside Dropout.*the model has no dropout"):
        with Dropout(seeded(0)):
            plain(torch.ones(2, 4))
    with Dropout(seeded(0), 0.0, 0.0):  # meant so
        plain(torch.ones(2, 4))
    with pytest.raises(ZeroDivisionError):  # an error of its own goes first
        with Dropout(seeded(0)):
            1 / 0  # noqa: B018


def test_attention_that_cannot_be_reached_is_refused() -> None:
    x, attention = torch.ones(2, 3, 4), nn.MultiheadAttention(4, 2, dropout=0.5, batch_first=True)
    with pytest.raises(ValueError, match=r"nn\.MultiheadAttention"):
        with Dropout(seeded(0)):
            attention(x, x, x)
    with pytest.raises(ValueError, match="nothing was dropped"):  # hidden dropout alone, of a model in eval mode
        with Dropout(seeded(0), 0.3, 0.0):
            tiny("bert", "sdpa").eval()(**batch(True))


# --- the masks ------------------------------------------------------------------------------------------------------


def within(share: float, rate: float, count: int) -> bool:
    """Five standard deviations of a binomial share, and the rates' resolution."""
    return abs(share - rate) < 5 * math.sqrt(rate * (1 - rate) / count) + 1 / (1 << 17)


@pytest.mark.parametrize("rate", [0.001, 0.01, 0.1, 0.5, 0.9])
def test_rate_and_scale(rate: float) -> None:
    x = torch.ones(1_000_003)  # no multiple of four: the last draw is used in part
    y = drop(x, rate, seeded(0))
    zeros = (y == 0).float().mean().item()
    assert within(zeros, rate, x.numel())
    kept = y[y != 0]
    assert (kept == kept[0]).all() and kept[0].item() == pytest.approx(1 / (1 - rate), rel=1e-4)
    assert abs(y.mean().item() - 1) < 5 * math.sqrt(rate / (1 - rate) / x.numel())


def test_attention_weights_are_dropped_at_their_own_rate() -> None:
    """Seen through an identity as values: the output is the attention weights after dropout."""
    weights = 16
    q = torch.zeros(64, 8, weights, 4)
    eye = torch.eye(weights).expand(64, 8, weights, weights)
    with Dropout(seeded(0), hidden=0.5, attention=0.1):
        out = F.scaled_dot_product_attention(q, q, eye, dropout_p=0.0)
    assert within((out == 0).float().mean().item(), 0.1, out.numel())
    torch.testing.assert_close(out[out != 0], torch.full_like(out[out != 0], 1 / weights / 0.9), rtol=1e-4, atol=0)


def test_masks_are_independent_between_rows_elements_and_lanes() -> None:
    """Agreement of two masks is p² + (1-p)² for independent ones, whatever the distance between them."""
    p, n = 0.3, 4096
    keep = drop(torch.ones(256, n), p, seeded(0)) != 0
    rows = (keep[:-1] == keep[1:]).float().mean().item()
    agree = p**2 + (1 - p) ** 2
    assert within(rows, agree, 255 * n)
    for distance in (1, 2, 3, 4, 7, 64):  # four elements are cut from each 64-bit draw
        columns = (keep[:, distance:] == keep[:, :-distance]).float().mean().item()
        assert within(columns, agree, 256 * (n - distance)), distance
    per_lane = keep.view(-1, 4).float().mean(0)
    assert all(within(1 - share, p, 64 * n) for share in per_lane.tolist())


def test_agrees_with_torch_in_mean_and_variance() -> None:
    x = torch.randn(200, 500, generator=seeded(3))
    torch.manual_seed(0)
    theirs, ours = F.dropout(x, 0.2), drop(x, 0.2, seeded(0))
    assert abs(theirs.mean() - ours.mean()) < 0.02 and abs(theirs.var() - ours.var()) < 0.03


def test_gradient_is_the_mask() -> None:
    x = torch.randn(50, generator=seeded(3), requires_grad=True)
    y = drop(x, 0.4, seeded(0))
    (grad,) = torch.autograd.grad(y.sum(), x)
    torch.testing.assert_close(grad * x, y)


# --- attention by hand ----------------------------------------------------------------------------------------------

Q, K, V = (torch.randn(3, 2, 5, 4, generator=seeded(s)) for s in (1, 2, 3))
SEEN = torch.tensor([5, 3, 1]).view(3, 1, 1, 1) > torch.arange(5)
MASKS = {
    "none": None,
    "bool": SEEN,
    "bool_full": SEEN.expand(3, 1, 5, 5),
    "float": torch.zeros(3, 1, 5, 5).masked_fill(~SEEN, torch.finfo(torch.float32).min),
    "bool_blind": SEEN.expand(3, 1, 5, 5) & (torch.arange(5) != 2)[:, None],  # query 2 may see no key
    "float_blind": torch.zeros(3, 1, 5, 5).masked_fill(torch.arange(5)[:, None] == 2, -torch.inf),
}


@pytest.mark.parametrize("mask", list(MASKS))
@pytest.mark.parametrize("scale", [None, 0.7])
def test_attention_without_dropout_is_torchs(mask: str, scale: float | None) -> None:
    leaves = [part.clone().requires_grad_() for part in (Q, K, V)]
    got = attend(*leaves, MASKS[mask], scale=scale, drop_weights=lambda w: w)
    want = F.scaled_dot_product_attention(*leaves, MASKS[mask], scale=scale)
    torch.testing.assert_close(got, want)
    ours, theirs = (torch.autograd.grad(out.square().sum(), leaves) for out in (got, want))
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("length", [8, 100, 200, 300, 512])
def test_windows_shorter_than_the_padding_give_finite_gradients(length: int) -> None:
    """ModernBERT's local layers: a padded query outside every window sees no key at all."""
    from transformers import ModernBertConfig, ModernBertModel

    torch.manual_seed(0)
    special = {f"{name}_token_id": 0 for name in ("pad", "cls", "sep", "bos", "eos")}
    sizes = {"vocab_size": 50, "hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2}
    model = ModernBertModel(ModernBertConfig(**sizes, **special, num_hidden_layers=3, attention_dropout=0.1)).train()
    ids = torch.randint(1, 50, (2, length))
    mask = torch.arange(length) < torch.tensor([[length], [min(length, 10)]])

    def loss_and_gradients(attention: float) -> tuple[float, list[torch.Tensor]]:
        model.zero_grad()
        with Dropout(seeded(0), 0.0, attention):
            loss = model(ids, attention_mask=mask.long()).last_hidden_state[:, 0].square().sum()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.item(), [p.grad.clone() for p in model.parameters() if p.grad is not None]

    exact, gradients = loss_and_gradients(0.0)  # PyTorch's attention
    close, ours = loss_and_gradients(1e-12)  # ours; no weight is dropped at that rate
    assert close == pytest.approx(exact, rel=1e-4)
    assert len(ours) == len(gradients) > 10
    torch.testing.assert_close(ours, gradients, rtol=1e-3, atol=1e-4)
    assert all(gradient.isfinite().all() for gradient in loss_and_gradients(0.1)[1])


def test_causal_and_grouped_attention() -> None:
    got = attend(Q, K, V, is_causal=True, drop_weights=lambda w: w)
    torch.testing.assert_close(got, F.scaled_dot_product_attention(Q, K, V, is_causal=True))
    q = Q.repeat(1, 2, 1, 1)  # four heads of queries, two of keys
    with Dropout(seeded(0), 0.1, 1e-5):  # one 65536th: in 300 weights as good as none
        got = F.scaled_dot_product_attention(q, K, V, enable_gqa=True)
    torch.testing.assert_close(got, F.scaled_dot_product_attention(q, K, V, enable_gqa=True), rtol=1e-4, atol=1e-4)


def test_expected_attention_is_attention_without_dropout() -> None:
    want = F.scaled_dot_product_attention(Q, K, V, SEEN)
    generator, total, times = seeded(0), torch.zeros_like(want), 4000
    with Dropout(generator, 0.1, 0.2):
        for _ in range(times):
            total += F.scaled_dot_product_attention(Q, K, V, SEEN)
    assert (total / times - want).abs().max() < 0.06  # five standard errors at most


def test_under_autocast_the_softmax_is_in_float32_and_the_output_as_torchs() -> None:
    seen: list[torch.dtype] = []

    def spy(weights: Tensor) -> Tensor:
        seen.append(weights.dtype)
        return weights

    with torch.autocast("cpu", torch.bfloat16):
        got = attend(Q, K, V, SEEN, drop_weights=spy)
        want = F.scaled_dot_product_attention(Q, K, V, SEEN)
    assert seen == [torch.float32] and got.dtype == want.dtype == torch.bfloat16
    torch.testing.assert_close(got, want, rtol=0.05, atol=0.05)


def test_a_whole_model_under_autocast() -> None:
    model, inputs = tiny("bert", "sdpa"), batch(True)
    with torch.autocast("cpu", torch.bfloat16):
        one, same, other = (run(model, inputs, seed) for seed in (0, 0, 1))
    assert torch.equal(one, same) and not torch.allclose(one, other) and torch.isfinite(one).all()
    torch.testing.assert_close(one.float(), run(model, inputs, 0), rtol=0.1, atol=0.1)


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rates", [(-0.1, 0.1), (1.0, 0.1), (0.1, 1.0), (0.1, math.nan)])
def test_refuses_rates_out_of_range(rates: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="from 0 to below 1"):
        Dropout(seeded(0), *rates)


def test_refuses_a_generator_of_another_device() -> None:
    with pytest.raises(ValueError, match=r"make it with torch.Generator\('meta'\)"):
        drop(torch.empty(4, device="meta"), 0.1, seeded(0))


@pytest.mark.gpu
@pytest.mark.parametrize("way", WAYS)
def test_on_a_gpu(way: str) -> None:
    model = tiny("bert", way).cuda()
    inputs = {name: tensor.cuda() for name, tensor in batch(True).items()}

    def go(seed: int, device: str) -> Tensor:
        with Dropout(torch.Generator(device).manual_seed(seed)):
            states: Tensor = model(**inputs).last_hidden_state
        return states

    before = torch.cuda.get_rng_state()
    assert torch.equal(go(0, "cuda"), go(0, "cuda")) and not torch.allclose(go(0, "cuda"), go(1, "cuda"))
    assert torch.equal(before, torch.cuda.get_rng_state())
    y = drop(torch.ones(1_000_003, device="cuda"), 0.1, torch.Generator("cuda").manual_seed(0))
    assert within((y == 0).float().mean().item(), 0.1, y.numel())
    with pytest.raises(ValueError, match=r"torch.Generator\('cuda'\)"):
        go(0, "cpu")
