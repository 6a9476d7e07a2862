"""Bad tensors and numbers for losses: every loss refuses the same things, in the same words."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from clwork import losses

from .table import Case, hold, refused, table, taken

NAN, INF = float("nan"), float("inf")
Z = torch.randn(4, 6, generator=torch.Generator().manual_seed(0))
SQUARE = Z @ Z.T / 100
L: Any = losses

# Every loss by how it is called with one tensor and one temperature: the tensor stands where a view stands.
LOSSES: dict[str, Callable[..., Tensor]] = {
    "info_nce": lambda z, **more: L.info_nce(z, Z, **more),
    "simcse": lambda z, **more: L.simcse(Z, z, **more),
    "simcse, hard negatives": lambda z, **more: L.simcse(Z, Z, z, **more),
    "dclr": lambda z, **more: L.dclr(z, Z, **more),
    "dclr, noise": lambda z, **more: L.dclr(Z, Z, noise=z, **more),
    "softmax_mass": lambda z, **more: L.softmax_mass(z, Z, **more).positive,
    "gradient_shares": lambda z, **more: L.gradient_shares(Z, z, **more).noise,
    "distillation": lambda z, **more: L.distillation(z, Z, SQUARE, **more),
    "self_guided, base": lambda z, **more: L.self_guided(Z, z, form="base", **more),
    "self_guided, opt1": lambda z, **more: L.self_guided(z, Z, form="opt1", **more),
    "self_guided, opt2": lambda z, **more: L.self_guided(Z, z, form="opt2", **more),
    "self_guided, opt3": lambda z, **more: L.self_guided(z, Z[:, None].expand(4, 3, 6), **more),
    "mocoutrl": lambda z, **more: L.mocoutrl(Z, Z, z, lam=1.0, **more),
    "long_span": lambda z, **more: L.long_span(z, Z, Z, form="antonym_only", **more),
    "token_level": lambda z: L.token_level(Z, z, Z),
    "gclsr": lambda z: L.gclsr(Z, z, Z, Z, group_dim=2),
}
WITHOUT_TEMPERATURE = ("token_level", "gclsr")


def with_entry(value: float) -> Tensor:
    bad = Z.clone()
    bad[1, 2] = value
    return bad


TENSORS: list[tuple[str, Any, type[Exception], str]] = [
    ("NaN", with_entry(NAN), ValueError, "has NaN or infinity in 1 of 4 rows; lower the learning rate"),
    ("infinity", with_entry(-INF), ValueError, "has NaN or infinity in 1 of 4 rows"),
    ("no rows", Z[:0], ValueError, r"is empty, shape \(0, 6\); a loss needs"),
    ("no columns", Z[:, :0], ValueError, "is empty|has shape"),
    ("one vector", Z[0], ValueError, r"has shape \(6,\); it must be"),
    ("four dimensions", Z[None, None], ValueError, r"has shape \(1, 1, 4, 6\)"),
    ("another width", Z[:, :5], ValueError, "widths differ|shapes differ"),
    (
        "whole numbers",
        Z.long(),
        TypeError,
        r"has dtype torch.int64; pass floating-point vectors, for instance \w+.float",
    ),
    ("bools", Z > 0, TypeError, "has dtype torch.bool"),
    ("complex numbers", Z.to(torch.complex64), TypeError, "has dtype torch.complex64"),
    ("eight bits", Z.to(torch.float8_e4m3fn), TypeError, "has dtype torch.float8"),
    ("sparse", Z.to_sparse(), TypeError, r"is a sparse or nested tensor; pass a plain one .*to_dense\(\)"),
    ("without numbers", Z.to("meta"), ValueError, "on the device 'meta' and holds no numbers"),
    ("an array", Z.numpy(), TypeError, "is a ndarray; pass a torch.Tensor"),
    ("a list", Z.tolist(), TypeError, "is a list; pass a torch.Tensor"),
    ("a word", "z", TypeError, "is a str; pass a torch.Tensor"),
]
TEMPERATURES: list[tuple[Any, type[Exception], str]] = [
    (0, ValueError, "temperature is 0; it must be finite and above 0"),
    (-0.05, ValueError, "temperature is -0.05; it must be"),
    (NAN, ValueError, "temperature is nan"),
    (INF, ValueError, "temperature is inf"),
    (1e-39, ValueError, "temperature is 1e-39"),
    (10**400, ValueError, "temperature is 1000.*…; it must be finite"),
    (10**5000, ValueError, "temperature is an int of 16610 bits; it must be finite"),
    ("0.05", TypeError, r"temperature is '0.05' \(str\); it must be a plain number"),
    (None, TypeError, "temperature is None .*plain number"),
    (True, TypeError, "temperature is True .*plain number"),
    (np.True_, TypeError, "temperature is np.True_ .*plain number"),
    (Fraction(1, 20), TypeError, "temperature is Fraction.*plain number"),
    (Decimal("0.05"), TypeError, "temperature is Decimal.*plain number"),
    (torch.tensor(0.05), TypeError, "temperature is tensor.*plain number"),
    (np.array([0.05]), TypeError, "temperature is array.*plain number"),
    ([0.05], TypeError, "temperature is .*list.*plain number"),
]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("name", "bad", "error", "match"), TENSORS, ids=[row[0] for row in TENSORS])
def test_tensors(loss: str, name: str, bad: Any, error: type[Exception], match: str) -> None:
    hold(refused(name, error, match, lambda _: LOSSES[loss](bad)), Path())


@pytest.mark.parametrize("loss", [name for name in LOSSES if name not in WITHOUT_TEMPERATURE])
@pytest.mark.parametrize(("value", "error", "match"), TEMPERATURES, ids=lambda value: str(type(value)))
def test_temperatures(loss: str, value: Any, error: type[Exception], match: str) -> None:
    hold(refused(loss, error, match, lambda _: LOSSES[loss](Z, temperature=value)), Path())


@pytest.mark.parametrize("loss", LOSSES)
def test_what_is_taken(loss: str) -> None:
    """Half precision, float64 beside float32, a gradient, rows of zeros, views: a finite number of at least float32."""
    zeros = Z.clone()
    zeros[2] = 0
    for good in (Z.half(), Z.bfloat16(), Z.double(), Z.clone().requires_grad_(), zeros, Z.flip(0), Z.T.clone().T):
        found = LOSSES[loss](good)
        assert found.isfinite() and found.dtype in (torch.float32, torch.float64) and found.dim() == 0


@pytest.mark.parametrize("loss", [name for name in LOSSES if name not in WITHOUT_TEMPERATURE])
@pytest.mark.parametrize("number", [np.float64(0.5), np.float32(0.5), np.float16(0.5), 1, np.int64(1), np.uint8(1)])
def test_numpy_numbers_are_numbers(loss: str, number: Any) -> None:
    view = Z.clone().requires_grad_()
    found = LOSSES[loss](view, temperature=number)
    assert torch.equal(found, LOSSES[loss](view, temperature=float(number)))


EYE = torch.eye(4)
LINEAR = nn.Linear(2, 2)

OTHERS = [
    refused(
        "targets in a list",
        TypeError,
        r"targets is a list; pass a torch.Tensor of shape \(4,\)",
        lambda _: L.info_nce(Z, Z, [0, 1, 2, 3]),
    ),
    refused(
        "targets that are true",
        ValueError,
        "targets has .* dtype torch.bool; it must be .* integers",
        lambda _: L.info_nce(Z, Z, EYE[0] > 0),
    ),
    refused(
        "targets beyond the columns",
        ValueError,
        "targets run from 0 to 9",
        lambda _: L.info_nce(Z, Z, torch.tensor([0, 1, 2, 9])),
    ),
    refused(
        "log weights in a list",
        TypeError,
        "log_weights is a list; pass a torch.Tensor",
        lambda _: L.info_nce(Z, Z, log_weights=[0.0] * 4),
    ),
    refused(
        "log weights that are a number",
        TypeError,
        "log_weights is a float",
        lambda _: L.info_nce(Z, Z, log_weights=0.5),
    ),
    refused(
        "log weights that are bools",
        TypeError,
        "log_weights has dtype torch.bool; pass logarithms",
        lambda _: L.info_nce(Z, Z, log_weights=EYE > 0),
    ),
    refused(
        "log weights that are complex",
        TypeError,
        "log_weights has dtype torch.complex64",
        lambda _: L.info_nce(Z, Z, log_weights=EYE.to(torch.complex64)),
    ),
    refused(
        "log weights of NaN", ValueError, "log_weights holds NaN", lambda _: L.info_nce(Z, Z, log_weights=EYE * NAN)
    ),
    refused(
        "weights in an array",
        TypeError,
        "weights is ndarray; pass a real torch.Tensor",
        lambda _: L.dclr(Z, Z, weights=np.ones((4, 4))),
    ),
    refused(
        "weights of NaN", ValueError, "weights holds NaN or numbers outside", lambda _: L.dclr(Z, Z, weights=EYE * NAN)
    ),
    refused(
        "weights above 1", ValueError, "weights holds NaN or numbers outside", lambda _: L.dclr(Z, Z, weights=EYE + 2)
    ),
    refused(
        "weights of another size",
        ValueError,
        r"weights has shape \(3, 3\)",
        lambda _: L.dclr(Z, Z, weights=torch.ones(3, 3)),
    ),
    refused("sparse weights", TypeError, "weights is a sparse", lambda _: L.dclr(Z, Z, weights=EYE.to_sparse())),
    refused(
        "noise of another batch",
        ValueError,
        "noise has shape .* for 4 sentences",
        lambda _: L.dclr(Z, Z, noise=torch.ones(3, 2, 6)),
    ),
    refused(
        "no variant",
        TypeError,
        "variant=None is NoneType; give one of 'paper', 'code', 'literal'",
        lambda _: L.dclr(Z, Z, variant=None),
    ),
    refused(
        "a variant in a list",
        TypeError,
        r"variant=\['paper'\] is list; give one of",
        lambda _: L.mocoutrl(Z, Z, Z, variant=["paper"]),
    ),
    refused(
        "variants in an array",
        TypeError,
        "variant=array.* is ndarray; give one of",
        lambda _: L.self_guided(Z, Z, variant=np.array(["paper", "code"])),
    ),
    refused(
        "a phi beyond cosines", ValueError, "phi is 1.5; it is a cosine", lambda _: L.instance_weights(SQUARE, phi=1.5)
    ),
    refused("a phi of NaN", ValueError, "phi is nan", lambda _: L.instance_weights(SQUARE, phi=NAN)),
    refused("a phi in words", TypeError, "phi is '0.9'", lambda _: L.instance_weights(SQUARE, phi="0.9")),
    refused(
        "a quantile of 1",
        ValueError,
        "quantile is 1; it must lie between 0 and 1",
        lambda _: L.instance_weights(SQUARE, quantile=1),
    ),
    refused(
        "strict in words",
        TypeError,
        "strict='no' is str; give True or False",
        lambda _: L.instance_weights(SQUARE, strict="no"),
    ),
    refused(
        "similarities that are no square",
        ValueError,
        "it must be .B, B.: each with each",
        lambda _: L.instance_weights(Z),
    ),
    refused(
        "a group of half a dimension",
        TypeError,
        "group_dim is 2.5 .float.; it must be an int",
        lambda _: L.gclsr(Z, Z, Z, Z, group_dim=2.5),
    ),
    refused(
        "a group that is true",
        TypeError,
        "group_dim is True .bool.; it must be an int",
        lambda _: L.gclsr(Z, Z, Z, Z, group_dim=True),
    ),
    refused(
        "a group that does not divide",
        ValueError,
        "group_dim is 4; it must divide",
        lambda _: L.gclsr(Z, Z, Z, Z, group_dim=4),
    ),
    refused(
        "a group of 5,000 digits",
        ValueError,
        "group_dim is an int of .* bits; it must divide",
        lambda _: L.gclsr(Z, Z, Z, Z, group_dim=10**5000),
    ),
    refused(
        "a stop-gradient in words",
        TypeError,
        "stop_gradient='no' is str",
        lambda _: L.gclsr(Z, Z, Z, Z, group_dim=2, stop_gradient="no"),
    ),
    refused(
        "a weight below 0",
        ValueError,
        "hard_negative_weight is -1; it must be finite and at least 0",
        lambda _: L.simcse(Z, Z, Z, hard_negative_weight=-1),
    ),
    refused(
        "a weight of 400 digits",
        ValueError,
        "hard_negative_weight is 100.*…; it must be finite",
        lambda _: L.simcse(Z, Z, Z, hard_negative_weight=10**400),
    ),
    refused("a lambda above 1", ValueError, "lam is 1.5; it must lie in", lambda _: L.mocoutrl(Z, Z, Z, lam=1.5)),
    refused("a lambda of NaN", ValueError, "lam is nan", lambda _: L.mocoutrl(Z, Z, Z, lam=NAN)),
    refused("a lambda of None", TypeError, "lam is None", lambda _: L.mocoutrl(Z, Z, Z, lam=None)),
    refused(
        "tokens missing",
        ValueError,
        "the token term counts, but not all of .* pass the three, or lam=1.0",
        lambda _: L.mocoutrl(Z, Z, Z),
    ),
    refused(
        "vectors too long for dot products",
        ValueError,
        "'literal' is .*overflow.*normalise them",
        lambda _: L.long_span(Z * 1e30, Z * 1e30, Z * 1e30, form="literal"),
    ),
    refused(
        "words too long for squares",
        ValueError,
        "'literal' is .*overflow.*normalise them",
        lambda _: L.token_level(Z * 1e30, -Z * 1e30, Z * 2e30, form="literal"),
    ),
    refused(
        "a label's length in words",
        TypeError,
        "unit_label='no' is str",
        lambda _: L.token_level(Z, Z, Z, unit_label="no"),
    ),
    refused("layers that are one", ValueError, "form 'opt3' takes all layers", lambda _: L.self_guided(Z, Z)),
    refused(
        "layers in a list",
        TypeError,
        "h is a list; pass a torch.Tensor of shape .B, L, D.",
        lambda _: L.self_guided(Z, [Z]),
    ),
    refused("a teacher of another size", ValueError, "teacher has shape", lambda _: L.distillation(Z, Z, Z)),
    refused(
        "a teacher that overflows",
        ValueError,
        "teacher has values up to 1e.37.*give cosines",
        lambda _: L.distillation(Z, Z, (2 * torch.eye(len(Z)).roll(1, 0) - 1) * 1e37),
    ),
    refused("a teacher in a list", TypeError, "teacher is a list", lambda _: L.distillation(Z, Z, [[1.0]])),
    refused(
        "no model",
        TypeError,
        "model is a NoneType; pass a torch.nn.Module",
        lambda _: L.parameter_distance(None, LINEAR),
    ),
    refused(
        "a state for a model",
        TypeError,
        "frozen is a OrderedDict",
        lambda _: L.parameter_distance(LINEAR, LINEAR.state_dict()),
    ),
    refused(
        "trained in words",
        TypeError,
        "trained='no' is str",
        lambda _: L.parameter_distance(LINEAR, LINEAR, trained="no"),
    ),
    taken(
        "numpy's group",
        lambda _: L.gclsr(Z, Z, Z, Z, group_dim=np.int64(2)),
        lambda found: abs(float(found) + 1) < 1e-6,
    ),
    taken(
        "numpy's lambda", lambda _: L.mocoutrl(Z, Z, Z, lam=np.float64(1.0)), lambda found: found.dtype == torch.float32
    ),
    taken(
        "numpy's phi",
        lambda _: L.instance_weights(SQUARE, phi=np.float32(0.5), strict=np.True_),
        lambda found: found.shape == (4, 4),
    ),
    taken(
        "numpy's weight",
        lambda _: L.simcse(Z, Z, Z, hard_negative_weight=np.int64(2)),
        lambda found: bool(found.isfinite()),
    ),
    taken("weights that are bools", lambda _: torch.equal(L.dclr(Z, Z, weights=EYE > 0), L.dclr(Z, Z, weights=EYE))),
]


@table(*OTHERS)
def test_it(case: Case, tmp_path: Any) -> None:
    hold(case, tmp_path)
