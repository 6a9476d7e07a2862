"""SG-BERT (Kim, Yoo, Lee, ACL 2021, arXiv:2106.07345): frozen layers are the positives."""

from __future__ import annotations

import math
from typing import Literal, get_args

import torch
from torch import Tensor, nn

from .. import _validation
from ..arithmetic import at_least_float32, may_read
from ..wording import plural
from .checks import Variant, check_same_shape, check_temperature, check_vectors
from .infonce import Scores, concatenated, cosine_scores, cosines

GuidedForm = Literal["base", "opt1", "opt2", "opt3"]
DistanceReduction = Literal["sum", "mean"]


def self_guided(
    c: Tensor,
    h: Tensor,
    *,
    form: GuidedForm = "opt3",
    temperature: float = 0.01,
    variant: Variant = "paper",
) -> Tensor:
    """InfoNCE between a sentence's vector and its layers in a frozen encoder.

    ``c_i`` is the trained encoder's vector of sentence i, ``h_i`` the pooled vector of one layer of
    the frozen encoder, ``h_ik`` that of layer k of L; all are outputs of the projection head.

    The loss has four forms (paper §3.1 and §3.2). Each is the mean over its anchors of
    ``-log(φ(anchor, positive) / denominator)`` with ``φ(u, v) = e^{cos(u, v)/τ}``. In the table,
    the last column counts the negatives of an anchor in a batch of B sentences::

        form   anchor    positive   denominator                                   negatives
        base   c_i, h_i  h_i, c_i   all 2B vectors except the anchor                2B - 2
        opt1   c_i       h_i        Σ_j φ(c_i, h_j) + Σ_{j≠i} φ(c_i, c_j)           2B - 2
        opt2   c_i       h_i        Σ_j φ(c_i, h_j)                                  B - 1
        opt3   c_i       each h_ik  φ(c_i, h_ik) + Σ_{j≠i} Σ_n φ(c_i, h_jn)       (B - 1) L

    - ``"base"`` is NT-Xent over both kinds of vectors: each c and each h is an anchor.
    - ``"opt1"`` has the anchors c alone, and so drops the pairs of h with h.
    - ``"opt2"`` drops the pairs of c with c too.
    - ``"opt3"`` (SG-OPT) uses every layer as a positive, one after the other; the *other* layers of
      the same sentence are not its negatives.

    ``variant`` selects between sources that disagree. Numbers such as G4 refer to
    docs/discrepancies.md.

    - ``"paper"``: the table above.
    - ``"literal"``: the formulas as printed, which are the same. (Only one summary of the paper
      differs: it marks the whole sum ``Σ_j φ(c_i, h_j)`` as positive by mistake, G7.)
    - ``"code"``: the released code, which differs in opt2 alone: it slices the scores one column
      late, so that each anchor lacks its first negative, h_0 (anchor 0 lacks h_1; G4). The released
      base form crashes, because it has twice as many rows as labels (G3); here it works.

    Shapes: ``c`` ``(B, D)``; ``h`` ``(B, D)`` for base, opt1 and opt2, ``(B, L, D)`` for opt3;
    result 0-dim. Only directions matter. ``temperature`` > 0. If all cosines are equal, the result
    is log(1 + negatives). Computes in at least float32, also under autocast.

    Raises:
        TypeError: an argument is not a floating-point tensor, or the temperature is not a number.
        ValueError: a wrong shape, an empty batch, NaN, infinity, or an option that is unknown or
        out of its range.

    >>> same = torch.ones(16, 8)
    >>> loss = self_guided(same, same[:, None].expand(16, 13, 8))
    >>> float(loss), math.log(1 + 195)  # 15 sentences with 13 layers each
    (5.278..., 5.278...)
    """
    check_temperature(temperature)
    _validation.choice("form", form, get_args(GuidedForm))
    _validation.choice("variant", variant, get_args(Variant))
    if form == "opt3":
        _validation.tensor("h", h, "(B, L, D)")
        if h.dim() != 3:
            raise ValueError(
                f"h has shape {tuple(h.shape)}; form 'opt3' needs all layers, (B, L, D): pass "
                "them, or another form"
            )
        check_vectors({"c": c, "h": h.flatten(0, 1)})
        if len(c) != len(h):
            raise ValueError(
                f"c has {plural(len(c), 'sentence')} and h {len(h)}; "
                "row i of both must belong to sentence i"
            )
    else:
        check_vectors({"c": c, "h": h})
        check_same_shape({"c": c, "h": h})
    return self_guided_scores(c, h, form, temperature, variant).loss()


def self_guided_scores(
    c: Tensor, h: Tensor, form: GuidedForm, temperature: float, variant: Variant
) -> Scores:
    """Return the scores of :func:`self_guided`, without its checks.

    Rows and columns of the scores, by form: opt3 c with all layers of all sentences, ``(B, B·L)``;
    base all c, then all h, with the same, ``(2B, 2B)``; opt1 c with all h, then all c, ``(B, 2B)``;
    opt2 c with all h, ``(B, B)``.
    """
    size = len(c)
    if form == "opt3":
        # The columns have sentence after sentence, each with its L layers, which are the positives
        # of the sentence's row.
        targets = torch.arange(size * h.shape[1], device=c.device).view(size, -1)
        return Scores(cosines(c, h.flatten(0, 1)), targets, temperature, reduction="each_positive")
    if form == "base":
        points = concatenated(c, h)  # (2B, D)
        # The anchor itself, which is on the diagonal, has the weight 0, whose logarithm is -inf.
        itself = torch.zeros(2 * size, 2 * size, device=c.device).fill_diagonal_(-math.inf)
        # The positive of c_i is h_i, B columns further, and vice versa.
        partner = torch.arange(2 * size, device=c.device).roll(size)
        return cosine_scores(points, points, partner, temperature=temperature, log_weights=itself)
    if form == "opt1":
        # c_i itself, which is in column B + i, has the weight 0, whose logarithm is -inf.
        itself = torch.zeros(size, 2 * size, device=c.device)
        itself.diagonal(offset=size).fill_(-math.inf)
        return cosine_scores(c, concatenated(h, c), temperature=temperature, log_weights=itself)
    if variant != "code":
        return cosine_scores(c, h, temperature=temperature)
    # In the released opt2, each row lacks the first of its negatives (G4): column 0, or column 1 in
    # row 0, whose column 0 is the positive.
    first = torch.zeros(size, size, device=c.device)
    first[1:, 0] = -math.inf
    first[:1, 1:2] = -math.inf
    return cosine_scores(c, h, temperature=temperature, log_weights=first)


def parameter_distance(
    model: nn.Module,
    frozen: nn.Module,
    *,
    reduction: DistanceReduction = "sum",
    trained: bool = False,
) -> Tensor:
    """Return ``Σ ‖θ_frozen - θ_model‖²``, a model's distance from its frozen copy (paper §3.1).

    SG-BERT adds λ times this distance to its loss. The *sum* has about 10⁸ terms for BERT-base, so
    the same λ restrains a larger model more. ``reduction="mean"`` divides by the number P of
    parameters and needs ``λ·P`` for the same effect (G9). With ``trained=True`` the sum and P
    include only parameters of ``model`` that require a gradient.

    Only parameters of ``model`` get a gradient. Result 0-dim, at least 0. Computes in at least
    float32.

    Raises:
        TypeError: an argument is not a module.
        ValueError: an unknown reduction, no parameters, parameters that differ in names or shapes,
        NaN or infinity.

    >>> model, frozen = nn.Linear(2, 1), nn.Linear(2, 1)
    >>> _ = frozen.load_state_dict({name: p + 2 for name, p in model.state_dict().items()})
    >>> f"{parameter_distance(model, frozen):.3f}"  # three parameters, each 2 apart
    '12.000'
    """
    _validation.choice("reduction", reduction, get_args(DistanceReduction))
    _validation.flag("trained", trained)
    pairs = _paired(model, frozen, trained)
    device = pairs[0][1].device
    with torch.autocast(device.type, enabled=False):
        # The squares by parameter, each on its own device.
        squares = {}
        for name, parameter, copied in pairs:
            fixed = at_least_float32(copied.detach().to(parameter.device))
            squares[name] = (at_least_float32(parameter) - fixed).square().sum()
        total = torch.stack([square.to(device) for square in squares.values()]).sum()
    if may_read(total) and not torch.isfinite(total):
        # The first parameter whose distance is not finite. If there is none, the sum overflows.
        bad = next((name for name in squares if not squares[name].isfinite()), "the sum")
        raise ValueError(
            f"{bad} has NaN or infinity, or its square overflows float32; lower the learning rate"
        )
    if reduction == "sum":
        return total
    return total / sum(parameter.numel() for _, parameter, _ in pairs)


def _paired(
    model: nn.Module, frozen: nn.Module, trained: bool
) -> list[tuple[str, nn.Parameter, nn.Parameter]]:
    """Return (name, model's parameter, frozen parameter) for each parameter of the distance.

    These are all parameters or, with ``trained``, those of the model that require a gradient.
    """
    for which, module in (("model", model), ("frozen", frozen)):
        if not isinstance(module, nn.Module):
            raise TypeError(f"{which} is a {type(module).__name__}; pass a torch.nn.Module")
    ours = dict(model.named_parameters())
    theirs = dict(frozen.named_parameters())
    if not ours:
        raise ValueError("model has no parameters, so there is no distance to measure")
    # The names that only one of the two has.
    differing = ours.keys() ^ theirs.keys()
    if not differing:
        differing = {name for name in ours if ours[name].shape != theirs[name].shape}
    if differing:
        raise ValueError(
            f"model and frozen differ in name or shape of {len(differing)} parameters, such as "
            f"{min(differing)!r}; frozen must be a copy of model"
        )
    pairs = [
        (name, parameter, theirs[name])
        for name, parameter in ours.items()
        if parameter.requires_grad or not trained
    ]
    if not pairs:
        raise ValueError(
            "no parameter of model requires a gradient, so there is no distance; pass trained=False"
        )
    return pairs
