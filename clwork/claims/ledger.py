"""The ledger of claims, read from ``ledger/*.toml``: one file for each paper, and ``metrics.toml``.

A claim compares *arms*: variants of a training run that differ in one setting, or encoders without training. A file
begins with the table ``[arms]``, which its claims share; then follows a ``[[claim]]`` with the fields of :class:`Claim`
for each claim. ``arms`` of a claim are used by that claim alone.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from .. import _validation

PAPERS: Mapping[str, str] = {
    "simcse": "SimCSE",
    "dclr": "DCLR",
    "self_guided": "SG-BERT, SG-OPT",
    "gclsr": "GCLSR",
    "mocoutrl": "MoCoUTRL",
    "clwork": "clwork itself",
}
"""Titles of the papers, and of this software, by the first part of their claims' names."""
Kind = Literal["scores", "course"]
Sign = Literal[">", "<", "="]


@dataclass(frozen=True)
class Metric:
    """What the arms of a claim are measured by."""

    name: str
    about: str  # with its unit
    better: str  # "higher", "lower", or empty where neither is
    margin: float = 0.0  # smaller differences do not matter


@dataclass(frozen=True)
class Arm:
    """One side of a comparison."""

    name: str
    method: str  # of clwork; "untrained", or "computed" where no encoder is needed
    config: Mapping[str, Any] = field(default_factory=dict)  # in place of the preset's hyperparameters
    data: str | None = None  # see measures.corpus
    encoder: str | None = None  # None: the method's default
    represent: str | None = None  # pooling at test time; None: the method's own
    post: str | None = None  # post-processing of the vectors, such as "whitened"
    steps: int | None = None  # where they differ from the claim's
    at: int | list[int] | None = None  # step of the run at which it is measured, or two for a change; None: its end
    metric: str | None = None  # where it differs from the claim's
    of: str | None = None  # of "computed": a number, or the measures whose agreement with the score is computed

    @property
    def trained(self) -> bool:
        """Whether the arm needs a training run."""
        return self.method not in ("untrained", "computed")


@dataclass(frozen=True)
class Reported:
    """A number that the paper prints; never a measurement of clwork."""

    arm: str
    value: float
    of: str
    backbone: str


@dataclass(frozen=True)
class Expectation:
    """What a claim expects of two arms: the number of ``left`` is larger (>), smaller (<) or equal (=)."""

    left: str
    sign: Sign
    right: str

    @classmethod
    def parse(cls, text: str) -> Expectation:
        """Read ``"dropout .1 > no dropout"``."""
        parts = re.split(rf" ([{''.join(get_args(Sign))}]) ", text)
        if len(parts) != 3:
            raise ValueError(f"{text!r} must be two names of arms with one of >, < and = between them, and spaces")
        left, sign, right = parts
        return cls(left, sign, right)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, or of the reader."""

    name: str  # paper/what
    claim: str  # one sentence
    metric: Metric  # by which the arms are measured
    expects: tuple[Expectation, ...]  # all must hold for the claim to be supported
    arms: Mapping[str, Arm]  # that expects and reported name
    kind: Kind = "scores"  # encoders compared by a score; "course": how a measure changes during training
    place: str = ""  # table, figure or section of the paper
    teaches: str = ""  # notebook and section; empty where no lesson teaches it
    steps: int | None = None  # training length for the small bundled encoder; None where nothing is trained
    reported: tuple[Reported, ...] = ()  # the numbers of the paper

    @property
    def paper(self) -> str:
        """First part of the name."""
        return self.name.split("/")[0]


@_validation.checked()
def names(paper: str | None = None) -> list[str]:
    """List the names of the claims, of one paper or of all, in the order of the papers' texts.

    >>> names("simcse")[0]
    'simcse/dropout-against-none'
    """
    if paper is not None:
        _validation.choice("paper", paper, list(PAPERS))
    return [name for name, claim in _ledger().items() if paper in (None, claim.paper)]


@_validation.checked()
def get(name: str) -> Claim:
    """Return the claim of that name.

    >>> print(get("simcse/dropout-against-none").expects[0])
    SimCSE > no dropout
    """
    ledger = _ledger()
    if name not in ledger:
        raise ValueError(
            f"name={_validation.shown(name)} is no claim{_validation.nearest(name, ledger)}; clwork.claims.names() "
            "lists all, clwork.claims.names('simcse') those of a paper"
        )
    return ledger[name]


def read_claim(given: Any) -> Claim:
    """Return a claim by its name, or read one of the reader's own from a dict or TOML text."""
    if isinstance(given, Claim):
        return given
    if isinstance(given, str):
        if "=" not in given:
            return get(given)
        try:
            given = tomllib.loads(given)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"the claim is no TOML: {error}; {EXAMPLE}") from error
    if not isinstance(given, Mapping):
        raise TypeError(f"claim={_validation.shown(given)} must be a name, a dict or TOML text; {EXAMPLE}")
    try:
        return _claim({"name": "yours/claim", "claim": "", **given}, {}, _shared_arms())
    except (KeyError, TypeError) as error:
        raise ValueError(f"the claim is incomplete or has an unknown field: {error}; {EXAMPLE}") from error


EXAMPLE = (
    "a claim needs metric, expects, steps and arms, such as {'metric': 'stsb', 'expects': ['a > b'], 'steps': 60, "
    "'arms': {'a'': {'method': 'simcse'}, 'b': {'method': 'simcse', 'config': {'temperature': 0.5}}}}"
)


def _claim(table: Mapping[str, Any], shared: Mapping[str, Arm], elsewhere: Mapping[str, Arm]) -> Claim:
    """Make a claim of its TOML table; arms of the claim come first, then those of its file, then of all files."""
    own = {name: Arm(name, **arm) for name, arm in table.get("arms", {}).items()}
    arms = {**elsewhere, **shared, **own}
    expects = tuple(map(Expectation.parse, table["expects"]))
    reported = tuple(Reported(**row) for row in table.get("reported", ()))
    named = dict.fromkeys(
        [*(arm for each in expects for arm in (each.left, each.right)), *(row.arm for row in reported)]
    )
    fields = {"metric": METRICS[table["metric"]], "expects": expects, "reported": reported}
    return Claim(**{**table, **fields, "arms": {name: arms[name] for name in named}})


@cache
def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("ledger", f"{file}.toml").read_text(encoding="utf-8"))


def _shared_arms(*papers: str) -> dict[str, Arm]:
    return {name: Arm(name, **arm) for paper in papers or PAPERS for name, arm in _read(paper)["arms"].items()}


@cache
def _ledger() -> dict[str, Claim]:
    every = _shared_arms()
    claims = [_claim(one, _shared_arms(paper), every) for paper in PAPERS for one in _read(paper)["claim"]]
    return {claim.name: claim for claim in claims}


METRICS: Mapping[str, Metric] = {name: Metric(name, *row) for name, row in _read("metrics").items()}
"""What claims are measured by, by name."""
