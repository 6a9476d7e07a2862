"""The command from corpus to loadable encoder, interrupted and resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import BertForMaskedLM

import clwork
from clwork.run_folder.checkpoints import read_state
from scripts.pretrain.__main__ import main
from scripts.pretrain.corpus import pack
from scripts.pretrain.late_masks import LateMasks
from scripts.pretrain.loop import PretrainConfig, build_model
from scripts.pretrain.masking import MaskedBatch, masked_batch

pytestmark = pytest.mark.nightly
TINY = (
    "--vocab-size=300",
    "--dim=16",
    "--heads=2",
    "--layers=1",
    "--pack-length=32",
    "--rows=8",
    "--save-every=5",
    "--held-out-rows=8",
    "--precision=float32",
    "--device=cpu",
)
TEXT = "the river runs through a small town where people build boats and sell fish on market days"
WORDS = TEXT.split()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    generator = torch.Generator().manual_seed(0)
    lines = []
    for _ in range(400):
        picked = torch.randint(len(WORDS), (9,), generator=generator).sort().values.tolist()
        lines.append(" ".join(WORDS[i] for i in picked))
    path = tmp_path_factory.mktemp("corpus") / "lines.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def call(corpus: Path, out: Path, tokens: int, *more: str) -> None:
    main([str(corpus), f"--out={out}", f"--tokens={tokens}", *TINY, *more])


def test_from_corpus_to_encoder_with_card_and_record(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "tiny"
    call(corpus, out, 12_000, "--licence", "CC0-1.0")
    record = json.loads((out / "pretrain.json").read_text())["record"]
    assert record["tokens"] >= 12_000
    assert record["curve"][-1]["loss"] < record["curve"][0]["loss"]
    card = (out / "README.md").read_text()
    assert card.count("[MASK]") >= 10
    assert f"{record['final']['loss']:.3f}" in card
    assert "CC0-1.0" in card
    assert clwork.load_encoder(str(out)).encode(["the river"]).shape == (1, 16)
    assert BertForMaskedLM.from_pretrained(out).config.hidden_dropout_prob == 0.1


def test_an_interrupted_run_ends_like_an_uninterrupted_one(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    cut = tmp_path / "cut"
    call(corpus, whole, 6_000, "--warmup-steps=3")
    calls = []

    def interrupted(*args: Any, **kwargs: Any) -> MaskedBatch:
        calls.append(1)
        if len(calls) == 9:
            raise KeyboardInterrupt
        return masked_batch(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr("scripts.pretrain.loop.masked_batch", interrupted)
        with pytest.raises(KeyboardInterrupt):
            call(corpus, cut, 6_000, "--warmup-steps=3")
    assert not cut.exists()
    stored, meta = read_state(tmp_path / "cut.work" / "checkpoint.safetensors")
    assert meta["record"]["steps"] == 5
    assert any(name.startswith("optimizer.") for name in stored)
    call(corpus, cut, 6_000, "--warmup-steps=3")
    resumed = BertForMaskedLM.from_pretrained(cut).state_dict()
    expected = BertForMaskedLM.from_pretrained(whole).state_dict()
    assert all(torch.equal(resumed[name], expected[name]) for name in expected)


def test_the_shipped_encoder_matches_its_card() -> None:
    folder = Path(clwork.encoders.__file__).parent / "mini"
    written = json.loads((folder / "pretrain.json").read_text())
    card = (folder / "README.md").read_text()
    assert [written["config"][name] for name in ("layers", "dim", "vocab_size")] == [4, 256, 8192]
    assert f"{written['record']['final']['accuracy']:.1%}" in card
    assert f"{written['record']['tokens']:,}" in card
    assert (folder / "model.safetensors").stat().st_size <= 12e6
    assert not list(folder.glob("*.bin"))


@pytest.mark.parametrize(
    "options", [["--extra-layers=1"], ["--start=random", "--last-mask-rate=0.15"]]
)
def test_an_encoder_that_never_sees_a_mask_and_other_starts(
    corpus: Path, tmp_path: Path, options: list[str]
) -> None:
    out = tmp_path / "tiny"
    call(corpus, out, 12_000, *options)
    record = json.loads((out / "pretrain.json").read_text())["record"]
    assert record["curve"][-1]["loss"] < record["curve"][0]["loss"]
    stored = BertForMaskedLM.from_pretrained(out)
    assert stored.config.num_hidden_layers == 1
    assert not [name for name in stored.state_dict() if "extra" in name]


def test_late_masks_hide_the_masked_pieces_from_the_encoder() -> None:
    """Another piece under a mask changes no logit, since the encoder has not seen it."""
    config = PretrainConfig(
        vocab_size=50, dim=16, heads=2, layers=1, pack_length=8, stretch=8, extra_layers=1
    )
    model = build_model(config)
    assert isinstance(model, LateMasks)
    model.eval()  # type: ignore[no-untyped-call]
    packed = pack([[2, *range(10, 16), 3]], 8)
    rows = torch.tensor([0])
    logits, labels = model.late_logits(packed, rows, 0.25, torch.Generator().manual_seed(0))
    assert len(labels) == 2
    packed.ids[0, packed.ids[0] == labels[0].item()] = 40
    again, changed = model.late_logits(packed, rows, 0.25, torch.Generator().manual_seed(0))
    assert torch.equal(logits, again)
    assert changed[0] == 40
