"""The ledger of claims, read from ``ledger/*.toml``: one file a paper, and ``metrics.toml`` for what is measured.

A file begins with ``[arms]``, which its claims share, and has a ``[[claim]]`` for each claim with the fields of
:class:`Claim`; ``arms`` of a claim are its own beside the shared ones.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from .. import _validation
from .._validation import nearest, shown

PAPERS: Mapping[str, str] = {
    "simcse": "SimCSE",
    "dclr": "DCLR",
    "self_guided": "SG-BERT, SG-OPT",
    "gclsr": "GCLSR",
    "mocoutrl": "MoCoUTRL",
    "clwork": "clwork itself",
}
"""Papers, and the software's own words, by the first part of their claims' names, with their titles."""
KindOfClaim = Literal["scores", "course", "numbers", "cost", "quoted"]
Sign = Literal[">", "<", "="]
NOT_TRAINED = ("untrained", "computed", "quoted")


@dataclass(frozen=True)
class Metric:
    """What an arm is measured by.

    Attributes:
        name: its key in ``METRICS``.
        about: what it is, with its unit.
        better: ``"higher"``, ``"lower"``, or empty where neither is.
        margin: differences below it are none worth naming; two arms are equal if theirs is shown to be smaller.
    """

    name: str
    about: str
    better: str
    margin: float = 0.0


@dataclass(frozen=True)
class Arm:
    """One side of a comparison.

    Attributes:
        name: as ``expects`` names it.
        method: a method of clwork; ``"untrained"`` for the encoder that training starts from; ``"computed"`` where no
            encoder is trained; ``"quoted"`` for a row of the paper that has no arm here.
        config: hyperparameters, laid over the method's preset for the encoder.
        data: the sentences or triplets to train on.
        encoder: what ``clwork.load_encoder`` takes; None: the method's default.
        represent: pooling at test time; None: the method's own.
        post: what is done to the vectors after encoding, such as ``"whitened"``.
        steps: training length of this arm, where it differs from the claim's.
        at: step or pair of steps at which the same run is read, instead of its end.
        judged: metric of this arm, where it differs from the claim's.
        than: arm that its score is taken from, for what is lost against it.
        start: arm whose weights it starts from.
        of: what is computed, for ``"computed"``.
        switch: what clwork lacks to train this arm; without it the configuration would be another arm's.
    """

    name: str
    method: str
    config: Mapping[str, Any] = field(default_factory=dict)
    data: str | None = None
    encoder: str | None = None
    represent: str | None = None
    post: str | None = None
    steps: int | None = None
    at: int | list[int] | None = None
    judged: str | None = None
    than: str | None = None
    start: str | None = None
    of: str | None = None
    switch: tuple[str, ...] = ()

    @property
    def trained(self) -> bool:
        """Whether it takes a training run."""
        return self.method not in NOT_TRAINED


@dataclass(frozen=True)
class Reported:
    """A number that the paper prints, quoted: never a measurement of clwork's."""

    arm: str
    value: float
    of: str
    backbone: str


@dataclass(frozen=True)
class Expectation:
    """What a claim expects of two arms: ``left`` has a larger (>), smaller (<) or equal (=) number."""

    left: str
    sign: Sign
    right: str

    @classmethod
    def parse(cls, text: str) -> Expectation:
        """Read ``"dropout .1 > no dropout"``.

        Raises:
            ValueError: it has no sign between two names, or more than one.
        """
        found = [(sign, text.split(f" {sign} ")) for sign in get_args(Sign) if f" {sign} " in text]
        if len(found) != 1 or len(found[0][1]) != 2:
            raise ValueError(f"{text!r} must be two names of arms with one of >, < and = between them, and spaces")
        sign, (left, right) = found[0]
        return cls(left, sign, right)


@dataclass(frozen=True)
class Claim:
    """One claim of a paper.

    Attributes:
        name: ``paper/what``.
        place: table, figure or section.
        claim: the claim in one sentence.
        kind: ``"scores"``, trained arms compared by a score; ``"course"``, how a measure moves while training;
            ``"numbers"``, a property that is computed without training; ``"cost"``, time, memory or parameters;
            ``"quoted"``, not to be tested here, for the reason in ``why``.
        metric: what the arms are measured by.
        expects: all must hold for the claim to be supported.
        arms: those that ``expects`` and ``reported`` name, and those whose weights they start from or whose score
            theirs is taken from.
        teaches: notebook and section; empty where none does yet.
        steps: training length for the small bundled encoder; None where nothing is trained.
        seeds: how many paired seeds it should get.
        needs: switches that clwork lacks for some of its arms.
        why: why it cannot be tested here.
        reported: the paper's numbers.
    """

    name: str
    place: str
    claim: str
    kind: KindOfClaim
    metric: Metric
    expects: tuple[Expectation, ...]
    arms: Mapping[str, Arm]
    teaches: str = ""
    steps: int | None = None
    seeds: int = 5
    needs: tuple[str, ...] = ()
    why: str = ""
    reported: tuple[Reported, ...] = ()

    @property
    def paper(self) -> str:
        """Name of the paper's method."""
        return self.name.split("/")[0]

    @property
    def testable(self) -> bool:
        """Whether clwork has all that its arms need."""
        return self.kind != "quoted" and not self.needs


def names(paper: str | None = None) -> list[str]:
    """List the claims' names, of one paper or of all, in the order of the papers' texts.

    Raises:
        TypeError: the paper is not a string.
        ValueError: there is no such paper.

    >>> names("simcse")[0]
    'simcse/dropout-against-none'
    """
    if paper is not None:
        _validation.choice("paper", paper, list(PAPERS))
    return [name for name, claim in _ledger().items() if paper in (None, claim.paper)]


def get(name: str) -> Claim:
    """Look up a claim.

    Raises:
        TypeError: the name is not a string.
        ValueError: there is no claim of that name.

    >>> get("simcse/dropout-against-none").expects[0]
    Expectation(left='SimCSE', sign='>', right='no dropout')
    """
    ledger = _ledger()
    if _validation.text("name", name) not in ledger:
        raise ValueError(
            f"name={shown(name)} is no claim{nearest(name, ledger)}; clwork.claims.names() lists all, "
            "clwork.claims.names('simcse') those of a paper"
        )
    return ledger[name]


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("ledger", f"{file}.toml").read_text(encoding="utf-8"))


def _arm(name: str, table: dict[str, Any]) -> Arm:
    return Arm(name, **(table | {"switch": tuple(table.get("switch", ()))}))


def _claim(table: dict[str, Any], shared: Mapping[str, Arm], elsewhere: Mapping[str, Arm]) -> Claim:
    arms = {**shared, **{name: _arm(name, arm) for name, arm in table.pop("arms", {}).items()}}
    expects = tuple(map(Expectation.parse, table.pop("expects")))
    reported = tuple(Reported(**row) for row in table.pop("reported", ()))
    named = dict.fromkeys(
        [*(arm for each in expects for arm in (each.left, each.right)), *(row.arm for row in reported)]
    )
    further = (other for name in named for other in (arms[name].start, arms[name].than))
    others = dict.fromkeys(other for other in further if other is not None)
    return Claim(
        **(table | {"metric": METRICS[table["metric"]], "needs": tuple(table.get("needs", ()))}),
        expects=expects,
        arms={name: arms.get(name) or elsewhere[name] for name in named | others},
        reported=reported,
    )


@cache
def _ledger() -> dict[str, Claim]:
    tables = {paper: _read(paper) for paper in PAPERS}
    shared = {paper: {name: _arm(name, arm) for name, arm in table["arms"].items()} for paper, table in tables.items()}
    everywhere = {name: arm for arms in shared.values() for name, arm in arms.items()}
    ledger: dict[str, Claim] = {}
    for paper, table in tables.items():
        ledger |= {claim["name"]: _claim(claim, shared[paper], everywhere) for claim in table["claim"]}
    return ledger


METRICS: Mapping[str, Metric] = {
    name: Metric(name, *row) for group in _read("metrics").values() for name, row in group.items()
}
"""What claims are measured by, by name."""
