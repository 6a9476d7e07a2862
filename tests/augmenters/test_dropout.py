from __future__ import annotations

import math
import threading
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from clwork.augmenters import Dropout
from clwork.augmenters.dropout import attend, drop

from . import seeded

KINDS = ["bert", "roberta", "distilbert"]
WAYS = ["sdpa", "eager"]


def tiny(kind: str, way: str, rate: float = 0.1) -> Any:
    """A model in training mode with dropout rates of ``rate``."""
    import transformers

    configs: dict[str, Any] = {
        "bert": transformers.BertConfig,
        "roberta": transformers.RobertaConfig,
        "distilbert": transformers.DistilBertConfig,
    }
    if kind == "distilbert":
        sizes = {
            "dim": 16,
            "n_layers": 2,
            "n_heads": 2,
            "hidden_dim": 32,
            "dropout": rate,
            "attention_dropout": rate,
        }
    else:
        sizes = {
            "hidden_size": 16,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "intermediate_size": 32,
        }
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


def run(
    model: Any, inputs: dict[str, Tensor], seed: int, hidden: float = 0.1, attention: float = 0.1
) -> Tensor:
    with Dropout(seeded(seed), hidden, attention):
        states: Tensor = model(**inputs).last_hidden_state
    return states


def test_masks_depend_on_the_seed_and_have_the_given_rates(subtests: pytest.Subtests) -> None:
    for kind, way, padded in product(KINDS, WAYS, (True, False)):
        with subtests.test(kind=kind, way=way, padded=padded):
            model, inputs, before = tiny(kind, way), batch(padded), torch.get_rng_state()
            for rates in ((0.1, 0.1), (0.3, 0.0), (0.0, 0.3)):
                one, same, other = (run(model, inputs, seed, *rates) for seed in (0, 0, 1))
                assert torch.equal(one, same)
                assert not torch.allclose(one, other)
            one, other = (run(tiny(kind, way, own), inputs, 0, 0.2, 0.2) for own in (0.0, 0.5))
            assert torch.equal(one, other), "whatever rate the model has"
            off = run(model, inputs, 0, 0.0, 0.0)
            assert torch.equal(off, model.eval()(**inputs).last_hidden_state), (
                "without dropout as in eval mode"
            )
            assert torch.equal(before, torch.get_rng_state())


def test_eager_and_sdpa_attention_agree(subtests: pytest.Subtests) -> None:
    """Both drop attention weights in the same order, so equal seeds give equal masks."""
    for kind in KINDS:
        with subtests.test(kind=kind):
            sdpa, eager = tiny(kind, "sdpa"), tiny(kind, "eager")
            eager.load_state_dict(sdpa.state_dict())
            for padded in (True, False):
                inputs = batch(padded)
                visible = inputs["attention_mask"].bool()
                torch.testing.assert_close(
                    run(sdpa, inputs, 0)[visible], run(eager, inputs, 0)[visible]
                )


def test_two_threads_at_once_reproduce_their_own_masks() -> None:
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


@pytest.mark.parametrize("reentrant", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_gradient_checkpointing_is_refused(way: str, reentrant: bool) -> None:
    model = tiny("bert", way)
    model.activation_checkpointing_enable({"use_reentrant": reentrant})
    with pytest.raises(ValueError, match=r"with other masks; turn it off.*micro_batch="):
        run(model, batch(True), 0)
    model.activation_checkpointing_disable()
    assert run(model, batch(True), 0).isfinite().all(), "the remedy works"


def test_a_model_without_dropout_is_refused() -> None:
    plain = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    with pytest.raises(
        ValueError, match=r"nothing was dropped inside Dropout.*the model has no dropout"
    ):
        with Dropout(seeded(0)):
            plain(torch.ones(2, 4))
    with Dropout(seeded(0), 0.0, 0.0):  # two rates of 0 are allowed
        plain(torch.ones(2, 4))
    with pytest.raises(ZeroDivisionError):  # an error of the block takes precedence
        with Dropout(seeded(0)):
            1 / 0  # noqa: B018


def test_unsupported_attention_is_refused() -> None:
    x, attention = torch.ones(2, 3, 4), nn.MultiheadAttention(4, 2, dropout=0.5, batch_first=True)
    with pytest.raises(ValueError, match=r"nn\.MultiheadAttention"):
        with Dropout(seeded(0)):
            attention(x, x, x)
    with pytest.raises(
        ValueError, match="nothing was dropped"
    ):  # hidden dropout alone, of a model in eval mode
        with Dropout(seeded(0), 0.3, 0.0):
            tiny("bert", "sdpa").eval()(**batch(True))


def within(share: float, rate: float, count: int) -> bool:
    """A tolerance: five standard deviations of a binomial share, and the rates' resolution."""
    return abs(share - rate) < 5 * math.sqrt(rate * (1 - rate) / count) + 1 / (1 << 17)


def test_dropped_share_and_scale_match_the_rate(subtests: pytest.Subtests) -> None:
    cases: list[float] = [0.001, 0.01, 0.1, 0.5, 0.9]
    for rate in cases:
        with subtests.test(rate=rate):
            x = torch.ones(1_000_003)  # no multiple of four: the last draw is used in part
            y = drop(x, rate, seeded(0))
            zeros = (y == 0).float().mean().item()
            assert within(zeros, rate, x.numel())
            visible = y[y != 0]
            assert (visible == visible[0]).all()
            assert visible[0].item() == pytest.approx(1 / (1 - rate), rel=1e-4)
            assert abs(y.mean().item() - 1) < 5 * math.sqrt(rate / (1 - rate) / x.numel())


def test_masks_are_independent_between_rows_elements_and_lanes() -> None:
    """Agreement of two masks is p² + (1-p)² for independent ones, whatever the distance between
    them.
    """
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


Q, K, V = (torch.randn(3, 2, 5, 4, generator=seeded(s)) for s in (1, 2, 3))
SEEN = torch.tensor([5, 3, 1]).view(3, 1, 1, 1) > torch.arange(5)
MASKS = {
    "none": None,
    "bool": SEEN,
    "bool_full": SEEN.expand(3, 1, 5, 5),
    "float": torch.zeros(3, 1, 5, 5).masked_fill(~SEEN, torch.finfo(torch.float32).min),
    "bool_blind": SEEN.expand(3, 1, 5, 5)
    & (torch.arange(5) != 2)[:, None],  # query 2 may see no key
    "float_blind": torch.zeros(3, 1, 5, 5).masked_fill(torch.arange(5)[:, None] == 2, -torch.inf),
}


def test_attention_without_dropout_equals_that_of_torch(subtests: pytest.Subtests) -> None:
    scales: list[float | None] = [None, 0.7]
    for scale, mask in product(scales, list(MASKS)):
        with subtests.test(scale=scale, mask=mask):
            leaves = q, k, v = [part.clone().requires_grad_() for part in (Q, K, V)]
            got = attend(q, k, v, MASKS[mask], scale=scale, drop_weights=lambda w: w)
            want = F.scaled_dot_product_attention(q, k, v, MASKS[mask], scale=scale)
            torch.testing.assert_close(got, want)
            ours, theirs = (torch.autograd.grad(out.square().sum(), leaves) for out in (got, want))
            torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("length", [8, 100, 200, 300, 512])
def test_windows_shorter_than_the_padding_give_finite_gradients(length: int) -> None:
    """In ModernBERT's local layers a padded query outside every window attends to no key."""
    from transformers import ModernBertConfig, ModernBertModel

    torch.manual_seed(0)
    special: dict[str, Any] = {
        f"{name}_token_id": 0 for name in ("pad", "cls", "sep", "bos", "eos")
    }
    sizes: dict[str, Any] = {
        "vocab_size": 50,
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_attention_heads": 2,
    }
    model = ModernBertModel(
        ModernBertConfig(**sizes, **special, num_hidden_layers=3, attention_dropout=0.1)
    ).train()
    ids = torch.randint(1, 50, (2, length))
    mask = torch.arange(length) < torch.tensor([[length], [min(length, 10)]])

    def loss_and_gradients(attention: float) -> tuple[float, list[torch.Tensor]]:
        model.zero_grad()
        with Dropout(seeded(0), 0.0, attention):
            loss = model(ids, attention_mask=mask.long()).last_hidden_state[:, 0].square().sum()
        loss.backward()
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
    with Dropout(seeded(0), 0.1, 1e-5):  # a rate of 1 / 65536 drops almost none of 300 weights
        got = F.scaled_dot_product_attention(q, K, V, enable_gqa=True)
    torch.testing.assert_close(
        got, F.scaled_dot_product_attention(q, K, V, enable_gqa=True), rtol=1e-4, atol=1e-4
    )


def test_under_autocast_the_softmax_is_in_float32_and_the_output_equals_torchs() -> None:
    seen: list[torch.dtype] = []

    def spy(weights: Tensor) -> Tensor:
        seen.append(weights.dtype)
        return weights

    with torch.autocast("cpu", torch.bfloat16):
        got = attend(Q, K, V, SEEN, drop_weights=spy)
        want = F.scaled_dot_product_attention(Q, K, V, SEEN)
    assert seen == [torch.float32]
    assert got.dtype == want.dtype == torch.bfloat16
    torch.testing.assert_close(got, want, rtol=0.05, atol=0.05)


@pytest.mark.gpu
@pytest.mark.parametrize("way", WAYS)
def test_dropout_on_a_gpu(way: str) -> None:
    model = tiny("bert", way).cuda()
    inputs = {name: tensor.cuda() for name, tensor in batch(True).items()}

    def go(seed: int, device: str) -> Tensor:
        with Dropout(torch.Generator(device).manual_seed(seed)):
            states: Tensor = model(**inputs).last_hidden_state
        return states

    before = torch.cuda.get_rng_state()
    assert torch.equal(go(0, "cuda"), go(0, "cuda"))
    assert not torch.allclose(go(0, "cuda"), go(1, "cuda"))
    assert torch.equal(before, torch.cuda.get_rng_state())
    y = drop(torch.ones(1_000_003, device="cuda"), 0.1, torch.Generator("cuda").manual_seed(0))
    assert within((y == 0).float().mean().item(), 0.1, y.numel())
    with pytest.raises(ValueError, match=r"torch.Generator\('cuda'\)"):
        go(0, "cpu")
