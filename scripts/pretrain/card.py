"""The model card that travels with pre-trained weights: only figures that this run measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import torch
from transformers import BertForMaskedLM, BertTokenizer

from .loop import PretrainConfig

PROBES = (
    "The [MASK] is the longest river in South America.",
    "She was born in 1975 in [MASK], France.",
    "He played [MASK] for the national football team.",
    "The album was released in [MASK] 2004.",
    "The city is the capital of the [MASK].",
    "The film was directed by [MASK] Smith.",
    "It is a species of [MASK] in the family Asteraceae.",
    "The school is located in [MASK], Ohio.",
    "The king and the [MASK] ruled the country together.",
    "He studied [MASK] at the University of Oxford.",
)


def fill_masks(
    model: BertForMaskedLM,
    tokenizer: BertTokenizer,
    sentences: tuple[str, ...] = PROBES,
    top: int = 3,
) -> list[tuple[str, list[tuple[str, float]]]]:
    """The ``top`` most probable pieces, with probabilities, for the ``[MASK]`` of each sentence."""
    model.eval()  # type: ignore[no-untyped-call]
    filled = []
    for sentence in sentences:
        tokens = tokenizer(sentence, return_tensors="pt", return_token_type_ids=False)
        batch = tokens.to(model.device)
        masked = int((batch["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0])
        with torch.no_grad():
            probability = model(**batch).logits[0, masked].float().softmax(-1)
        best = probability.topk(top)
        pieces = tokenizer.convert_ids_to_tokens(best.indices.tolist())
        filled.append((sentence, list(zip(pieces, best.values.tolist(), strict=True))))
    return filled


TEMPLATE = """---
language: en
license: {short_licence}
library_name: transformers
pipeline_tag: fill-mask
---

# The {name} encoder of clwork

A BERT of {layers} layers × {dim} ({heads} heads, {millions:.1f} M parameters), lower-case WordPiece
vocabulary of {vocab_size:,} pieces, at most {longest} pieces per input; what is longer is cut. It
was pre-trained as a masked language model only: no sentence ever served as another's positive or
negative.

## What it read

| text | sentences | licence |
|---|---|---|
{sources}

These weights are under {licence}.

- **Seen in training**: {tokens:,} tokens in {steps:,} steps of {rows} rows of {pack_length} pieces,
  {minutes:.0f} minutes on {hardware}.
- **Settings**: running text in stretches of at most {stretch} pieces, whole sentences of one
  document behind one `[CLS]`. Several stretches share a row and do not see each other.
  {masks} of the pieces masked (80 % `[MASK]`, 10 % random, 10 % unchanged). Token
  embeddings start from singular vectors of the corpus's word co-occurrences. AdamW, learning rate
  {learning_rate:g}, clip {clip:g}, falling to zero over the last {decay:.0%} of the run. No dropout
  while pre-training; the stored configuration has BERT's 0.1, which contrastive training uses.

## Measured on {held_out_pieces:,} held-out pieces

| masked | loss (nats per piece) | accuracy | pieces scored |
|---|---|---|---|
| {mask_rate:.0%} | {final[loss]:.3f} | {final[accuracy]:.1%} | {final[pieces]:,.0f} |
| 15% | {at_15[loss]:.3f} | {at_15[accuracy]:.1%} | {at_15[pieces]:,.0f} |

While it learned ({mask_rate:.0%} masked){raw_words}:

{curve}

## Ten masks filled

| sentence | its three best guesses |
|---|---|
{filled}

## What it is not

Not a sentence encoder: its raw vectors crowd into a narrow cone, which is what the notebooks are
about. Not a rival of published encoders: it has seen a small fraction of their text. It repeats
whatever bias that text has; its guesses are not facts.

Made by `python -m scripts.pretrain`; `pretrain.json` in this folder holds every setting and the
whole curve.
"""


def model_card(
    *,
    config: PretrainConfig,
    record: Mapping[str, Any],
    sources: list[dict[str, Any]],
    filled: list[tuple[str, list[tuple[str, float]]]],
    **facts: Any,
) -> str:
    """The card as Markdown, with the hub's YAML header; ``facts`` are the template's fields."""
    guesses = []
    for sentence, best in filled:
        pieces = ", ".join(f"{piece} ({probability:.0%})" for piece, probability in best)
        guesses.append(f"| {sentence} | {pieces} |")
    raw_words = ""
    if record["final_raw"]:
        raw_words = ", with Spearman × 100 of its raw vectors on validation sets"
    masks = f"{config.mask_rate:.0%}"
    if config.last_mask_rate:
        masks += f", falling to {config.last_mask_rate:.0%},"
    rows = [f"| {text['name']} | {text['sentences']:,} | {text['licence']} |" for text in sources]
    return TEMPLATE.format(
        **asdict(config) | {"tokens": record["tokens"], "minutes": record["seconds"] / 60},
        **facts,
        masks=masks,
        steps=record["steps"],
        final=record["final"],
        at_15=record["final_at_15"],
        short_licence=facts["licence"].lower().replace(" ", "-"),
        sources="\n".join(rows),
        longest=config.longest,
        raw_words=raw_words,
        filled="\n".join(guesses),
        curve=_curve(record),
    )


def _curve(record: Mapping[str, Any]) -> str:
    """About eight points of the curve and its end, as a table with every recorded column."""
    points = record["curve"][:: max(1, len(record["curve"]) // 8)]
    end = {"tokens": record["tokens"], **record["final"], **record["final_raw"]}
    raw = list(record["final_raw"])
    lines = [
        "| tokens seen | loss | accuracy |" + "".join(f" {name} |" for name in raw),
        "|---|---|---|" + "---|" * len(raw),
    ]
    for point in (*points, end):
        cells = [
            f"{point['tokens'] / 1e6:.1f} M",
            f"{point['loss']:.3f}",
            f"{point['accuracy']:.1%}",
        ]
        scores = "".join(f" {point[name]:.1f} |" if name in point else " |" for name in raw)
        lines.append(f"| {' | '.join(cells)} |{scores}")
    return "\n".join(lines)
