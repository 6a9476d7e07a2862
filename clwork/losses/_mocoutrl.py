"""MoCoUTRL (Connection Science 35:1, 2023, article 2221406): a sentence loss and a token loss."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, get_args

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import _validation
from .._validation import shown
from ..arithmetic import normalize
from .checks import (
    Variant,
    check_number,
    check_result,
    check_same_shape,
    check_temperature,
    check_vectors,
    check_weight,
)
from .infonce import Scores, cosine_scores

LongForm = Literal["ntxent", "antonym_only", "literal"]
TokenForm = Literal["sqdist", "mse_mean", "hinge", "code", "literal"]
VARIANTS: dict[Variant, tuple[LongForm, TokenForm]] = {
    "paper": ("ntxent", "sqdist"),
    "code": ("ntxent", "code"),
    "literal": ("literal", "literal"),
}
MARGIN = 1.0  # of the hinge; squared distances of unit vectors run from 0 to 4


def mocoutrl(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    token_label: Tensor | None = None,
    token_positive: Tensor | None = None,
    token_negative: Tensor | None = None,
    temperature: float = 0.07,
    lam: float = 0.5,
    variant: Variant = "paper",
) -> Tensor:
    """Return the weighted loss ``λ · L_long + (1 - λ) · L_token`` of sentences and words (eq. 11).

    ``variant`` selects the form of each loss; see :func:`long_span` and :func:`token_level`:

    ==========  ============  ===========  ==================================================
    variant     long-span     token-level  description
    ==========  ============  ===========  ==================================================
    "paper"     "ntxent"      "sqdist"     as intended: 3B - 2 negatives as in §4.2 (M2);
                                           token vectors normalised, their squared
                                           differences summed (M3, M4)
    "code"      "ntxent"      "code"       as released: a mean squared error that attracts
                                           ``-w_ant``
    "literal"   "literal"     "literal"    eq. (6) and (10) as printed; neither has a lower bound
    ==========  ============  ===========  ==================================================

    With ``lam=1`` the token tensors are ignored and may be omitted.

    Shapes: anchor, positive, negative all ``(B, D)``; the three token tensors all ``(N, E)``, where
    N may differ from B (in the paper, E is the width of the word embeddings); result 0-dim.
    ``temperature`` > 0, ``lam`` in [0, 1]. Computes in at least float32, also under autocast.

    Raises:
        TypeError: a tensor is not floating-point, or an option is not a number.
        ValueError: a wrong shape, NaN, infinity, an option out of its range, or missing tokens with
        ``lam`` below 1.

    >>> same = torch.ones(32, 8)  # all cosines equal: the log of one positive and 3B - 2 negatives
    >>> float(mocoutrl(same, same, same, lam=1.0)), math.log(3 * 32 - 1)
    (4.553..., 4.553...)
    """
    _validation.choice("variant", variant, get_args(Variant))
    check_number("lam", lam)
    if not 0 <= lam <= 1:
        raise ValueError(
            f"lam is {shown(lam)}; it must lie in [0, 1] "
            "(1: sentence loss only, 0: token loss only)"
        )
    long_form, token_form = VARIANTS[variant]
    check_temperature(temperature)
    _check({"anchor": anchor, "positive": positive, "negative": negative})
    long = sentence_loss(anchor, positive, negative, temperature, long_form)
    if lam == 1:
        return long
    if token_label is None or token_positive is None or token_negative is None:
        raise ValueError(
            f"lam={lam} needs token_label, token_positive and token_negative, but not all are "
            "given; pass all three, or lam=1.0 for the sentence loss alone"
        )
    _check(
        {
            "token_label": token_label,
            "token_positive": token_positive,
            "token_negative": token_negative,
        }
    )
    return lam * long + (1 - lam) * word_loss(
        token_label, token_positive, token_negative, token_form
    )


def long_span(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    temperature: float = 0.07,
    form: LongForm = "ntxent",
    antonym_weight: float = 1.0,
) -> Tensor:
    """Sentence loss: the synonym's sentence is the positive, the antonym's a negative (§3.5.1).

    ``ntxent``: 2B anchors, the originals and the sentences with a synonym. Each has its partner as
    positive and the other 3B - 2 sentences as negatives (94 at B = 32, as in §4.2 and in the
    released code; M2)::

                 a_0  a_1   p_0  p_1   n_0  n_1
        a_0    [  .    n     P    n     n    n  ]      P  the positive      n  a negative
        a_1    [  n    .     n    P     n    n  ]      .  the anchor itself, left out
        p_0    [  P    n     .    n     n    n  ]
        p_1    [  n    P     n    .     n    n  ]

    ``antonym_only``: as the text says, "negative samples only come from separately created negative
    samples": B anchors with B negatives each; the positive is in the denominator.

    ``literal`` (eq. 6 as printed): ``-log( e^{z_i·p_i/τ} / Σ_j e^{z_i·n_j/τ} )``, with dot products
    and without the positive in the denominator. It has no lower bound; on unit vectors its minimum
    is ``-2/τ + log B``. It and ``antonym_only`` are least if all anchors coincide, because they
    have no term that separates two sentences.

    ``antonym_weight`` α multiplies a sentence's *own* antonym in the denominators of original and
    synonym, like the weight of SimCSE's hard negatives. It is not in the paper, and the literal
    form does not use it.

    Shapes: all ``(B, D)``; result 0-dim; ``antonym_weight`` ≥ 0, and 1 for ``"literal"``; errors as
    :func:`mocoutrl`.

    >>> loss = long_span(torch.eye(3), torch.eye(3), -torch.eye(3), form="literal")
    >>> f"{loss:.3f}"  # log(2 + e^(-1/τ)) - 1/τ
    '-13.593'
    """
    _validation.choice("form", form, get_args(LongForm))
    check_temperature(temperature)
    check_weight("antonym_weight", antonym_weight)
    if form == "literal" and antonym_weight != 1:
        raise ValueError(
            f"antonym_weight={shown(antonym_weight)} has no effect with form='literal'; "
            "leave it out"
        )
    _check({"anchor": anchor, "positive": positive, "negative": negative})
    return sentence_loss(anchor, positive, negative, temperature, form, antonym_weight)


def sentence_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    temperature: float,
    form: LongForm,
    antonym_weight: float = 1.0,
) -> Tensor:
    """Return :func:`long_span` without checking the arguments."""
    if form != "literal":
        return long_span_scores(
            anchor, positive, negative, temperature, form, antonym_weight
        ).loss()
    anchor, positive, negative = _common_dtype(anchor, positive, negative)
    with torch.autocast(anchor.device.type, enabled=False):
        own, others = (anchor * positive).sum(dim=1), anchor @ negative.T  # (B,), (B, B)
        loss = ((others / temperature).logsumexp(dim=1) - own / temperature).mean()
    return check_result(loss, "the long-span loss 'literal'")


def long_span_scores(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    temperature: float,
    form: LongForm,
    antonym_weight: float,
) -> Scores:
    """Return the scores of :func:`long_span`, unchecked: ``(2B, 3B)``, or antonyms' ``(B, 2B)``."""
    anchor, positive, negative = _common_dtype(anchor, positive, negative)
    count = len(anchor)
    # α of a sentence's own antonym as a logarithm; a weight of 0 removes the antonym
    log_alpha = math.log(antonym_weight) if antonym_weight > 0 else -math.inf
    with torch.autocast(anchor.device.type, enabled=False):
        if form == "antonym_only":
            # Columns: all positives, then all negatives. Of the positives only the own one counts.
            hidden = torch.zeros(count, 2 * count, device=anchor.device)
            hidden[:, :count].fill_(-math.inf).fill_diagonal_(0.0)
            hidden.diagonal(offset=count).fill_(log_alpha)
            candidates = torch.cat([positive, negative])
            return cosine_scores(anchor, candidates, temperature=temperature, log_weights=hidden)
        # "ntxent", as drawn above: rows are originals and synonyms, columns also antonyms.
        points = torch.cat([anchor, positive, negative])  # (3B, D)
        anchors = points[: 2 * count]  # (2B, D)
        # The partner of row i is B columns further, and vice versa; the anchor itself is left out.
        partners = torch.arange(2 * count, device=anchor.device).roll(count)
        weights = torch.zeros(2 * count, 3 * count, device=anchor.device).fill_diagonal_(-math.inf)
        # A sentence's own antonym is in column 2B + i of the original and of the synonym.
        for rows in (weights[:count], weights[count:]):
            rows.diagonal(offset=2 * count).fill_(log_alpha)
        return cosine_scores(
            anchors, points, partners, temperature=temperature, log_weights=weights
        )


def token_level(
    label: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    form: TokenForm = "sqdist",
    unit_label: bool = True,
) -> Tensor:
    """Token loss: moves synonyms towards the word's dictionary entry, antonyms away (§3.5.2).

    ``ê, p̂, n̂`` are label, positive and negative, normalised:

    ``sqdist``: ``mean_i( ‖ê_i - p̂_i‖² - ‖ê_i - n̂_i‖² )``, in [-4, 4]. ``mse_mean``: the same
    divided by the width, as ``MSELoss`` does; about a thousandth of the sentence loss (M4).
    ``hinge``: ``mean_i max(0, 1 + ‖ê_i - p̂_i‖² - ‖ê_i - n̂_i‖²)``, with no gradient once the
    antonym is far enough.

    ``unit_label=False`` leaves the label of these three forms unnormalised; use it for a label that
    was normalised and then perturbed (eq. 21). The difference is then ``2 e·(n̂ - p̂)``, linear in
    the label, so a radial perturbation to length ``1 - r`` only scales it by ``1 - r`` (M9).

    ``literal`` (eq. 10 as printed): the difference of two mean squared errors, without
    normalisation. It has no lower bound (M3). With a normalised and perturbed label it combines eq.
    10 and 21 as the paper does. ``code``: the mean squared error between
    ``[anchor; positive; -negative]`` and their dictionary entries, without normalisation; it pulls
    ``-negative`` *towards* an entry. Here the original word's output is left out, and the entries
    of synonym and antonym are ``label``.

    Shapes: all ``(N, E)``; result 0-dim. Errors as for :func:`mocoutrl`.

    >>> e = torch.eye(2)
    >>> float(token_level(e, e, -e)), float(token_level(e, e, -e, form="mse_mean"))
    (-4.0, -2.0)
    """
    _validation.choice("form", form, get_args(TokenForm))
    _validation.flag("unit_label", unit_label)
    _check({"label": label, "positive": positive, "negative": negative})
    return word_loss(label, positive, negative, form, unit_label)


def word_loss(
    label: Tensor,
    positive: Tensor,
    negative: Tensor,
    form: TokenForm,
    unit_label: bool = True,
    anchor: Tensor | None = None,
    positive_label: Tensor | None = None,
    negative_label: Tensor | None = None,
) -> Tensor:
    """Return :func:`token_level` without checking the arguments.

    The last three arguments are of ``form="code"`` only: the output for the original word, which
    None leaves out, and the entries of synonym and antonym, for which None is ``label``.
    """
    label, positive, negative = _common_dtype(label, positive, negative)
    with torch.autocast(label.device.type, enabled=False):
        if form == "code":
            # outputs, each with the dictionary's entry that it is compared with (None: the label)
            pairs = [(positive, positive_label), (-negative, negative_label), (anchor, label)]
            losses = []
            for output, entry in pairs:
                if output is not None:
                    moved, target = _common_dtype(output, label if entry is None else entry)
                    losses.append(F.mse_loss(moved, target))
            return check_result(torch.stack(losses).mean(), "the token loss 'code'")
        if form == "literal":
            loss = F.mse_loss(label, positive) - F.mse_loss(label, negative)
            return check_result(loss, "the token loss 'literal'")
        # the forms of normalised vectors: squared distances from the label, (N,) each
        if unit_label:
            label = normalize(label)
        near = (label - normalize(positive)).square().sum(dim=1)
        far = (label - normalize(negative)).square().sum(dim=1)
        width = label.shape[1] if form == "mse_mean" else 1
        return word_losses(near, far, form).mean() / width


def word_losses(near: Tensor, far: Tensor, form: TokenForm) -> Tensor:
    """Return each word's loss from its squared distances, not divided by the width."""
    return (MARGIN + near - far).clamp_min(0) if form == "hinge" else near - far


def _check(tensors: Mapping[str, Tensor]) -> None:
    """Check that tensors are finite vectors of one shape ``(B, D)``."""
    check_vectors(tensors)
    check_same_shape(tensors)


def _common_dtype(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Convert all tensors to their common dtype, at least float32."""
    dtype = (
        torch.float64 if any(tensor.dtype == torch.float64 for tensor in tensors) else torch.float32
    )
    return tuple(tensor.to(dtype) for tensor in tensors)
