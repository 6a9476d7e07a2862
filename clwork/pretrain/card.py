"""The model card that travels with pre-trained weights: only figures that this run measured."""

from __future__ import annotations

from collections.abc import Mapping
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
    model: BertForMaskedLM, tokenizer: BertTokenizer, sentences: tuple[str, ...] = PROBES, top: int = 3
) -> list[tuple[str, list[tuple[str, float]]]]:
    """The ``top`` most probable pieces, with their probabilities, for the one ``[MASK]`` of each sentence."""
    model.eval()  # type: ignore[no-untyped-call]
    filled = []
    for sentence in sentences:
        batch = tokenizer(sentence, return_tensors="pt", return_token_type_ids=False).to(model.device)
        place = int((batch["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0])
        with torch.no_grad():
            probability = model(**batch).logits[0, place].float().softmax(-1)
        best = probability.topk(top)
        pieces = tokenizer.convert_ids_to_tokens(best.indices.tolist())
        filled.append((sentence, list(zip(pieces, best.values.tolist(), strict=True))))
    return filled


def model_card(
    *,
    config: PretrainConfig,
    record: Mapping[str, Any],
    filled: list[tuple[str, list[tuple[str, float]]]],
    parameters: int,
    corpus: str,
    sentences: int,
    held_out_sentences: int,
    licence: str,
    hardware: str,
) -> str:
    """The card as Markdown, with the hub's YAML header."""
    rows = "\n".join(
        f"| {text} | " + ", ".join(f"{piece} ({p:.0%})" for piece, p in best) + " |" for text, best in filled
    )
    curve = "\n".join(
        f"| {point['tokens'] / 1e6:.1f} M | {point['loss']:.3f} | {point['accuracy']:.1%} |"
        for point in record["curve"][:: max(1, len(record["curve"]) // 8)]
    )
    final, easy = record["final"], record["final_at_15"]
    return f"""---
language: en
license: {licence.split()[0].lower()}
library_name: transformers
pipeline_tag: fill-mask
---

# The mini encoder of clwork

A BERT of {config.layers} layers × {config.dim} ({config.heads} heads, {parameters / 1e6:.1f} M parameters), lower-case
WordPiece vocabulary of {config.vocab_size:,} pieces, at most {config.pack_length} pieces per input. It was pre-trained
as a masked language model only: no sentence ever served as another's positive or negative.

- **Corpus**: {corpus}; {sentences:,} sentences to train on, {held_out_sentences:,} held out. Licence of the text, and
  so of these weights: {licence}.
- **Seen in training**: {record["tokens"]:,} tokens in {record["steps"]:,} steps of {config.rows} rows of
  {config.pack_length} pieces, {record["seconds"] / 60:.0f} minutes on {hardware}.
- **Recipe**: {config.mask_rate:.0%} of the pieces masked (80 % `[MASK]`, 10 % random, 10 % kept), each sentence attends
  only to itself; token embeddings start from singular vectors of the corpus's word co-occurrences; AdamW, peak learning
  rate {config.learning_rate:g}, clip {config.clip:g}, linear decay, no dropout while pre-training (the stored
  configuration has BERT's 0.1, which contrastive training uses).

## Measured on the held-out sentences

| masked | loss (nats per piece) | accuracy | pieces scored |
|---|---|---|---|
| {config.mask_rate:.0%} | {final["loss"]:.3f} | {final["accuracy"]:.1%} | {final["pieces"]:,.0f} |
| 15% | {easy["loss"]:.3f} | {easy["accuracy"]:.1%} | {easy["pieces"]:,.0f} |

While it learned ({config.mask_rate:.0%} masked):

| tokens seen | loss | accuracy |
|---|---|---|
{curve}

## Ten masks filled

| sentence | its three best guesses |
|---|---|
{rows}

## What it is not

Not a sentence encoder: its raw vectors crowd into a narrow cone, which is what the notebooks are about. Not a rival of
published encoders: it has seen about a thousandth of their text. It knows encyclopaedic English prose and little
else; it repeats whatever bias that text has; its guesses are not facts.

Made by `python -m clwork.pretrain`; `pretrain.json` beside this card holds every setting and the whole curve.
"""
