"""What to do about a collapse, in words, as far as there is a knob for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

Verdict = Literal["healthy", "cone", "rank", "clusters", "point", "zero", "too few"]


class Advice(NamedTuple):
    """What is seen, and what helps.

    Attributes:
        seen: sentences on the shape, with signals in braces, and what can always be tried.
        lead: what joins the remedies to it.
        remedies: each with the hyperparameter that it turns; they are joined by "or".
    """

    seen: str
    lead: str = ""
    remedies: tuple[tuple[str, str], ...] = ()


ADVICE: dict[Verdict, Advice] = {
    "healthy": Advice(
        "Directions are spread over many dimensions, with no sign of collapse. Whether near means similar is another "
        "question: look at STS, where people judged"
    ),
    "cone": Advice(
        "All vectors lean the same way (mean cosine {mean_cosine:.2f}), as in encoders fresh from pre-training. "
        "Training opens the cone: train longer",
        ", and if it stays shut ",
        (("lower the temperature", "temperature"), ("raise the learning rate", "learning_rate")),
    ),
    "rank": Advice(
        "The vectors fill few of their dimensions (effective rank {centred_rank:.1f} around the mean, of "
        "{possible_rank:.0f} possible). Look for a bottleneck in the head or a loss that only pulls together",
        "; try ",
        (
            ("more or harder negatives, which spread the dimensions", "negatives"),
            ("smaller groups of dimensions", "group_dim"),
        ),
    ),
    "clusters": Advice(
        "The vectors sit in {clump_count:.0f} tight clumps with nothing between. Look for duplicate or templated "
        "sentences",
        "; to push neighbours apart, try ",
        (("a lower temperature", "temperature"), ("negatives from within a clump", "negatives")),
    ),
    "point": Advice(
        "Practically all vectors are the same (mean cosine {mean_cosine:.4f}): a complete collapse. Go back to an "
        "earlier checkpoint and lower the learning rate",
        "; make sure that vectors are kept apart by ",
        (("negatives", "negatives"), ("a stop-gradient", "stop_gradient")),
    ),
    "zero": Advice(
        "{zero_share:.0%} of the vectors are zero and have no direction. Look for empty sentences, an attention mask "
        "that hides all tokens, dead activations in the head, or weights that have vanished"
    ),
    "too few": Advice(
        "Too few vectors with a direction ({rows:.0f} rows, {zero_share:.0%} of them zero): at least 16 are needed to "
        "tell a shape from chance. Encode more sentences, best several hundred"
    ),
}


def advice(verdict: Verdict, signals: Mapping[str, float], knobs: Collection[str] | None = None) -> str:
    """The advice on a verdict; of its remedies only those that there are ``knobs`` for, all where none are named.

    >>> advice("cone", {"mean_cosine": 0.9}, ("learning_rate",)).rpartition(", ")[2]
    'and if it stays shut raise the learning rate.'
    """
    told = ADVICE[verdict]
    usable = [text for text, knob in told.remedies if knobs is None or knob in knobs]
    return told.seen.format(**signals) + (told.lead + " or ".join(usable) if usable else "") + "."
