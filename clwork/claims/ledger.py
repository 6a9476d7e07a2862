"""The ledger of claims, read from ``ledger/*.toml``: one file for each paper, and ``metrics.toml``.

A claim compares *arms*: variants of a training run that differ in one setting, or encoders without training. A file
has a table ``[arms]``, which all its claims may use, and a table ``[[claim]]`` with the fields of :class:`Claim` for
each claim. The ``arms`` in a claim's table are only for this claim.
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
"""Titles of the papers and of clwork by the first part of a claim's name."""
Kind = Literal["scores", "course"]
Sign = Literal[">", "<", "="]


@dataclass(frozen=True)
class Metric:
    """The measure by which the arms of a claim are compared."""

    name: str
    about: str  # description with unit
    better: str  # "higher", "lower", or empty if neither is better
    margin: float = 0.0  # smaller differences are not relevant


@dataclass(frozen=True)
class Arm:
    """One side of a comparison."""

    name: str
    method: str  # a method of clwork, "untrained", or "computed" for values without an encoder
    config: Mapping[str, Any] = field(
        default_factory=dict
    )  # hyperparameters that replace those of the preset
    data: str | None = None  # see measures.corpus
    encoder: str | None = None  # None: the method's default
    represent: str | None = None  # pooling at test time; None: the method's own
    post: str | None = None  # post-processing of the vectors, such as "whitened"
    steps: int | None = None  # training steps; None: those of the claim
    at: int | list[int] | None = (
        None  # step of the measurement, or two steps for a change; None: the last step
    )
    metric: str | None = None  # None: that of the claim
    of: str | None = (
        None  # for "computed": a number, or measures whose rank correlation with the score is computed
    )

    @property
    def trained(self) -> bool:
        return self.method not in ("untrained", "computed")

    @property
    def view(self) -> str:
        """Name of the representation that is compared, as in a record's views."""
        return ", ".join(filter(None, (self.represent or "own", self.post)))


@dataclass(frozen=True)
class Reported:
    """A number that is printed in the paper, not measured by clwork."""

    arm: str
    value: float
    of: str
    backbone: str


@dataclass(frozen=True)
class Outside:
    """Evidence on a claim that others published, at another scale."""

    source: str
    number: str  # the result, with its unit
    scale: str  # size of the encoders


@dataclass(frozen=True)
class Expectation:
    """The expected order of two arms: the value of ``left`` is larger (>), smaller (<) or equal (=)."""

    left: str
    sign: Sign
    right: str

    @classmethod
    def parse(cls, text: str) -> Expectation:
        """Parse a text such as ``"dropout .1 > no dropout"``."""
        parts = re.split(rf" ([{''.join(get_args(Sign))}]) ", text)
        if len(parts) != 3:
            raise ValueError(
                f"expects has {text!r}; give two arms with >, < or = between them, such as 'a > b'"
            )
        left, sign, right = parts
        return cls(left, sign, right)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True)
class Claim:
    """A claim of a paper or of the reader."""

    name: str  # paper/topic
    claim: str  # one sentence
    metric: Metric  # measure of the arms
    expects: tuple[Expectation, ...]  # the claim is supported if all of them hold
    arms: Mapping[str, Arm]  # arms in expects and reported, by name
    kind: Kind = "scores"  # "scores": encoders are compared by a score; "course": by a change during training
    place: str = ""  # table, figure or section of the paper
    teaches: str = ""  # notebook and section of the lesson about the claim, if any
    steps: int | None = (
        None  # training steps for the small bundled encoder; None if nothing is trained
    )
    reported: tuple[Reported, ...] = ()  # numbers printed in the paper
    outside: tuple[Outside, ...] = ()  # evidence of others
    untestable: str = (
        ""  # the reason if clwork cannot test the claim; it then has no expects and no arms
    )

    @property
    def paper(self) -> str:
        """The paper's name: the part of the claim's name before the slash."""
        return self.name.split("/")[0]


@_validation.checked()
def names(paper: str | None = None) -> list[str]:
    """Return the names of all claims, or of the claims of a paper, in the order of the papers' texts.

    >>> names("simcse")[0]
    'simcse/dropout-against-none'
    """
    if paper is not None:
        _validation.choice("paper", paper, list(PAPERS))
    return [name for name, claim in _ledger().items() if paper in (None, claim.paper)]


@_validation.checked()
def get(name: str) -> Claim:
    """Return the claim with this name.

    >>> print(get("simcse/dropout-against-none").expects[0])
    SimCSE > no dropout
    """
    ledger = _ledger()
    if name not in ledger:
        hint = f"{_validation.nearest(name, ledger)}; clwork.claims.names() returns the names"
        raise ValueError(f"name={_validation.shown(name)} is not a claim{hint}")
    return ledger[name]


def read_claim(given: Any) -> Claim:
    """Return a claim by its name, or read the reader's claim from a dict or TOML text."""
    if isinstance(given, Claim):
        return given
    if isinstance(given, str):
        if "=" not in given:
            return get(given)
        try:
            given = tomllib.loads(given)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"the claim is not valid TOML: {error}; {EXAMPLE}") from error
    if not isinstance(given, Mapping):
        raise TypeError(
            f"claim={_validation.shown(given)} must be a name, a dict or TOML text; {EXAMPLE}"
        )
    metric = given.get("metric", "stsb")
    if metric not in METRICS:
        near = _validation.nearest(str(metric), METRICS)
        raise ValueError(
            f"metric={_validation.shown(metric)} is unknown{near}; known: {', '.join(METRICS)}"
        )
    _validation.choice("kind", given.get("kind", "scores"), get_args(Kind))
    try:
        return _claim({"name": "yours/claim", "claim": "", **given}, {}, _shared_arms())
    except (KeyError, TypeError) as error:
        raise ValueError(
            f"the claim is incomplete or has an unknown field: {error}; {EXAMPLE}"
        ) from error


EXAMPLE = (
    "a claim needs metric, expects, steps and arms, such as {'metric': 'stsb', 'expects': ['a > b'], 'steps': 60, "
    "'arms': {'a': {'method': 'simcse'}, 'b': {'method': 'simcse', 'config': {'temperature': 0.5}}}}"
)


def _claim(
    table: Mapping[str, Any], shared: Mapping[str, Arm], elsewhere: Mapping[str, Arm]
) -> Claim:
    """Make a claim from its TOML table. Each arm is looked up by name in the claim, then its file, then all files."""
    own = {name: Arm(name, **arm) for name, arm in table.get("arms", {}).items()}
    arms = {**elsewhere, **shared, **own}
    listed = table["expects"]
    expects = tuple(map(Expectation.parse, [listed] if isinstance(listed, str) else listed))
    reported = tuple(Reported(**row) for row in table.get("reported", ()))
    outside = tuple(Outside(**row) for row in table.get("outside", ()))
    compared = [arm for each in expects for arm in (each.left, each.right)]
    named = dict.fromkeys([*compared, *(row.arm for row in reported)])
    if unknown := next((name for name in named if name not in arms), None):
        known = f"the claim defines {', '.join(map(repr, own)) or 'no arms'}"
        raise ValueError(
            f"arm {unknown!r} is not defined{_validation.nearest(unknown, arms)}; {known}; {EXAMPLE}"
        )
    fields = {
        "metric": METRICS[table["metric"]],
        "expects": expects,
        "reported": reported,
        "outside": outside,
    }
    return Claim(**{**table, **fields, "arms": {name: arms[name] for name in named}})


@cache
def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(
        files(__package__).joinpath("ledger", f"{file}.toml").read_text(encoding="utf-8")
    )


def _shared_arms(*papers: str) -> dict[str, Arm]:
    return {
        name: Arm(name, **arm)
        for paper in papers or PAPERS
        for name, arm in _read(paper)["arms"].items()
    }


@cache
def _ledger() -> dict[str, Claim]:
    every = _shared_arms()
    claims = [
        _claim(one, _shared_arms(paper), every) for paper in PAPERS for one in _read(paper)["claim"]
    ]
    return {claim.name: claim for claim in claims}


METRICS: Mapping[str, Metric] = {name: Metric(name, *row) for name, row in _read("metrics").items()}
"""The metrics of claims by name."""
_CLASSIFIER = (
    "is the accuracy of a classifier, which claims.test does not train; train one on encoder.encode(texts) "
    "and score its guesses with clwork.metrics.classification_scores"
)
NOT_TESTED: Mapping[str, str] = {
    "transfer": _CLASSIFIER,
    "wos": _CLASSIFIER,
    "wos_f1": _CLASSIFIER,
    "rank_agreement": "compares all stored settings, not arms of one claim",
}
"""Why :func:`clwork.claims.test` refuses a metric."""
