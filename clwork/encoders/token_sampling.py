"""Vectors of single tokens, in place of whole sentences: what MoCoUTRL's Figure 2 is drawn from."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from .. import checks
from ..edges import checked
from .encoder import ENCODER, Encoder, Vectors, evaluating


@checked(encoder=ENCODER, each=checks.whole)
def token_sample(encoder: Encoder, texts: Iterable[str], each: int = 5, *, generator: torch.Generator) -> Vectors:
    """Last-layer vectors of ``each`` random tokens of every text; all of them where a text has fewer.

    Special tokens do not count. The paper says five, its released code takes three (M14).

    Shapes: ``(N, hidden_dim)`` float32, N at most ``each`` times the number of texts. The generator is on the CPU.

    Raises:
        ValueError: ``each`` is below 1, or no text has a token.
    """
    if each < 1:
        raise ValueError(f"each={each} is too few; give 1 or more (the paper: 5)")
    found = []
    with evaluating(encoder):
        for tokens in encoder.tokenize(texts):
            places = torch.tensor([place for place, word in enumerate(tokens.words) if word >= 0], dtype=torch.long)
            states = encoder.hidden_states(encoder.collate([tokens.ids]))[-1][0]  # (T, D)
            chosen = places[torch.randperm(len(places), generator=generator)[:each]]
            found.append(states[chosen.to(states.device)].float().cpu().numpy())
    if not sum(map(len, found)):
        raise ValueError("no text has a token that is not special; give sentences with words")
    return np.concatenate(found)
