"""The masked-language-model loop: resumable, with a schedule that follows the budget of tokens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from tqdm.auto import tqdm
from transformers import BertConfig, BertForMaskedLM

from clwork.run_folder.checkpoints import (
    optimizer_tensors,
    read_state,
    restore_optimizer,
    write_state,
)

from .corpus import Packed
from .late_masks import LateMasks
from .masking import masked_batch


@dataclass(frozen=True)
class PretrainConfig:
    """Settings of a pre-training run, stored with its checkpoint."""

    vocab_size: int = 8192
    dim: int = 256
    layers: int = 4
    heads: int = 4
    # Pieces per row.
    pack_length: int = 128
    # Pieces of running text taken together, [CLS] and [SEP] included.
    stretch: int = 64
    # Rows per step.
    rows: int = 16
    mask_rate: float = 0.3
    # The rate falls to it in a line; 0 keeps mask_rate.
    last_mask_rate: float = 0.0
    # Thrown away at the end; with them the encoder never sees [MASK] (late_masks.py).
    extra_layers: int = 0
    # Of the token embeddings; or "random", or the folder of an encoder that is trained further.
    start: str = "cooccurrence"
    learning_rate: float = 1.5e-3
    warmup_steps: int = 200
    # Share of the run, its last part, in which the learning rate falls to zero.
    decay: float = 1.0
    weight_decay: float = 0.01
    clip: float = 1.0
    embedding_std: float = 0.04
    # Budget.
    tokens: int = 10_000_000
    held_out_rows: int = 500
    save_every: int = 500
    seed: int = 0

    @property
    def longest(self) -> int:
        """Pieces of the longest input seen, which is the longest that the encoder will take."""
        return min(self.stretch, self.pack_length)


def build_model(config: PretrainConfig) -> BertForMaskedLM:
    """BERT of the given size with random weights; dropout 0.1 is stored, but not used here."""
    shape = BertConfig(
        vocab_size=config.vocab_size,
        hidden_size=config.dim,
        num_hidden_layers=config.layers,
        num_attention_heads=config.heads,
        intermediate_size=4 * config.dim,
        max_position_embeddings=config.longest,
        type_vocab_size=1,
    )
    torch.manual_seed(config.seed)
    if config.extra_layers:
        return LateMasks(shape, config.extra_layers)
    return BertForMaskedLM(shape)


def predict(
    model: BertForMaskedLM,
    packed: Packed,
    rows: torch.Tensor,
    rate: float,
    generator: torch.Generator,
    precision: torch.dtype,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Float32 logits ``(N, V)`` and labels ``(N,)`` of a share ``rate`` of the rows' pieces."""
    with torch.autocast(generator.device.type, precision, enabled=precision != torch.float32):
        if isinstance(model, LateMasks):
            logits, labels = model.late_logits(packed, rows, rate, generator)
            return logits.float(), labels
        batch = masked_batch(
            packed, rows, rate=rate, vocab_size=model.config.vocab_size, generator=generator
        )
        hidden = model.bert(
            input_ids=batch.ids, attention_mask=batch.attention, position_ids=batch.positions
        ).last_hidden_state  # (R, T, D)
        logits = model.cls(hidden.flatten(0, 1)[batch.where])  # (N, V)
    return logits.float(), batch.labels


def evaluate(
    model: BertForMaskedLM,
    packed: Packed,
    config: PretrainConfig,
    precision: torch.dtype,
    rate: float | None = None,
) -> dict[str, float]:
    """Masked-LM loss (nats per masked piece) and accuracy on held-out rows.

    The masks are the same at each call.
    """
    generator = torch.Generator(model.device).manual_seed(config.seed + 1)
    rate = rate or config.mask_rate
    loss = 0.0
    right = 0
    count = 0
    model.eval()  # type: ignore[no-untyped-call]
    with torch.no_grad():
        for rows in torch.arange(len(packed)).split(64):  # type: ignore[no-untyped-call]
            logits, labels = predict(model, packed, rows, rate, generator, precision)
            loss += torch.nn.functional.cross_entropy(logits, labels, reduction="sum").item()
            right += int((logits.argmax(-1) == labels).sum())
            count += len(labels)
    return {"loss": loss / count, "accuracy": right / count, "pieces": float(count)}


def _learning_rate(config: PretrainConfig, step: int, done: float) -> float:
    """Linear warm-up, a level, and a linear fall to zero; ``done`` goes from 0 to 1."""
    falling = max(0.0, 1.0 - done) / config.decay
    return config.learning_rate * min(1.0, (step + 1) / config.warmup_steps, falling)


def _mask_rate(config: PretrainConfig, done: float) -> float:
    """Share of masked pieces: constant, or falling in a line."""
    last = config.last_mask_rate or config.mask_rate
    return config.mask_rate + (last - config.mask_rate) * min(1.0, done)


def pretrain(
    model: BertForMaskedLM,
    train: Packed,
    held_out: Packed,
    config: PretrainConfig,
    checkpoint: Path,
    *,
    device: torch.device,
    precision: torch.dtype,
    evaluator: Callable[[BertForMaskedLM], dict[str, float]] | None = None,
) -> dict[str, Any]:
    """Train ``model`` in place until the budget is spent, and return the record.

    An existing ``checkpoint`` is resumed.
    Row order and masks are drawn from generators seeded by epoch and step alone, so a resumed run
    sees what the uninterrupted one would have seen. ``evaluator`` is called at each save; its
    result is added to the curve.
    """
    model.to(device)  # type: ignore[arg-type]
    optimizer = torch.optim.AdamW(
        model.parameters(),
        lr=config.learning_rate,
        betas=(0.9, 0.98),
        weight_decay=config.weight_decay,
        fused=True,
    )
    record = _begin(model, optimizer, checkpoint)
    before = record["seconds"]
    started = time.perf_counter()
    bar = tqdm(
        total=config.tokens, initial=record["tokens"], unit="tok", unit_scale=True, smoothing=0.05
    )
    with bar:
        while True:
            record["seconds"] = before + time.perf_counter() - started
            done = record["tokens"] / config.tokens
            if done >= 1.0:
                break
            step = record["steps"]
            tokens = _step(model, optimizer, train, config, step, device, precision, done)
            record["steps"] += 1
            record["tokens"] += tokens
            bar.update(tokens)
            if record["steps"] % config.save_every == 0:
                held = evaluate(model, held_out, config, precision)
                bar.set_postfix_str(
                    f"held-out loss {held['loss']:.3f}, accuracy {held['accuracy']:.1%}, "
                    f"{done:.0%} done"
                )
                if evaluator:
                    held |= evaluator(model)
                point = {"step": record["steps"], "tokens": record["tokens"]}
                record["curve"].append(point | held)
                _save(model, optimizer, record, config, checkpoint)
                if done < 1 - config.decay:
                    # Copied over the checkpoint, a run with a larger budget continues from it.
                    level = checkpoint.with_name("level.safetensors")
                    _save(model, optimizer, record, config, level)
    record["final"] = evaluate(model, held_out, config, precision)
    record["final_at_15"] = evaluate(model, held_out, config, precision, rate=0.15)
    record["final_raw"] = evaluator(model) if evaluator else {}
    _save(model, optimizer, record, config, checkpoint)
    return record


def _begin(
    model: BertForMaskedLM, optimizer: torch.optim.Optimizer, checkpoint: Path
) -> dict[str, Any]:
    """Restore weights and optimizer from the checkpoint, if any, and return the record so far."""
    if not checkpoint.exists():
        return {"steps": 0, "tokens": 0, "seconds": 0.0, "curve": []}
    tensors, meta = read_state(checkpoint)
    weights = {
        name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")
    }
    # The tied output matrix is stored once.
    model.load_state_dict(weights, strict=False)
    model.tie_weights()
    restore_optimizer(optimizer, tensors)
    record: dict[str, Any] = meta["record"]
    print(f"continuing {checkpoint} at step {record['steps']}, {record['tokens']:,} tokens")
    return record


def _save(
    model: BertForMaskedLM,
    optimizer: torch.optim.Optimizer,
    record: dict[str, Any],
    config: PretrainConfig,
    checkpoint: Path,
) -> None:
    weights = {
        f"model.{name}": t for name, t in model.state_dict().items() if "decoder" not in name
    }
    meta = {"record": record, "config": asdict(config)}
    write_state(checkpoint, weights | optimizer_tensors(optimizer), meta)


@lru_cache(maxsize=1)
def _order(rows: int, seed: int) -> torch.Tensor:
    """Permutation of the rows in one epoch."""
    return torch.randperm(rows, generator=torch.Generator().manual_seed(seed))


def _step(
    model: BertForMaskedLM,
    optimizer: torch.optim.Optimizer,
    train: Packed,
    config: PretrainConfig,
    step: int,
    device: torch.device,
    precision: torch.dtype,
    done: float,
) -> int:
    """Do one update at the share ``done`` of the run; return the number of tokens."""
    for group in optimizer.param_groups:
        group["lr"] = _learning_rate(config, step, done)
    epoch, batch = divmod(step, len(train) // config.rows)
    order = _order(len(train), config.seed * 1_000 + epoch)
    rows = order[batch * config.rows : (batch + 1) * config.rows]
    generator = torch.Generator(device).manual_seed((config.seed + 1) * 1_000_000_000 + step)
    # Without dropout.
    model.eval()  # type: ignore[no-untyped-call]
    logits, labels = predict(model, train, rows, _mask_rate(config, done), generator, precision)
    loss = torch.nn.functional.cross_entropy(logits, labels)
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip)
    optimizer.step()
    return int((train.segments[rows.numpy()] > 0).sum())
