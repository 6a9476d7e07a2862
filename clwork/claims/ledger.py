"""The ledger of claims, read from ``ledger``: a TOML file for each paper, and ``metrics.toml``.

``unmeasured.csv`` has the claims that were found in the papers and are not answered, with the
reason: *not measured*, or *not testable* by clwork.

A claim compares *variants*: training runs that differ in one setting, or encoders without training.
A file says in ``at_hand`` which text of the paper it was written from. It has a table
``[variants]``, which all claims may use, and a table ``[[claim]]`` with the fields of
:class:`Claim` for each claim. ``variants`` in a claim's table are only for this claim. A table
``[because]`` may have the reason of a tag, for the claims of the paper that give none::

    at_hand = "The whole text with its tables is at hand."

    [variants]
    "SimCSE" = { method = "simcse", config = {}, data = "wikipedia-mini" }

    [[claim]]
    name = "simcse/against-raw"
    claim = "Training improves the encoder."
    metric = "stsb"
    expects = ["SimCSE > raw"]
    steps = 150
    variants."raw" = { method = "untrained", represent = "mean" }
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from .. import _validation

FOLDER = Path(__file__).with_name("ledger")
PAPERS: Mapping[str, str] = {
    "simcse": "SimCSE",
    "dclr": "DCLR",
    "self_guided": "SG-BERT, SG-OPT",
    "gclsr": "GCLSR",
    "mocoutrl": "MoCoUTRL",
    "clwork": "clwork itself",
}
"""Titles of the papers and of clwork by the first part of a claim's name."""
CARRIES_OVER: Mapping[str, str] = {
    "same setting": "a test of the paper",
    "other scale": "the encoder is smaller than the paper's",
    "our setting, not the authors'": "the hyperparameters are clwork's",
    "our encoder's raw vectors are unusual": "it started from co-occurrences",
    "other data": "the text or the test set is another one",
    "too short": "the runs are shorter than what the claim is about",
}
"""Tags that say whether a result carries over to the paper's setting."""
Sign = Literal[">", "<", "="]


@dataclass(frozen=True)
class Metric:
    """The measure by which the variants of a claim are compared."""

    name: str
    about: str  # description with unit
    better: str = ""  # "higher", "lower", or empty if neither is better
    margin: float = 0.0  # smaller differences are not relevant
    few_tests: str = ""  # how few test examples there are, if too few for a word
    not_tested: str = ""  # why clwork.claims.test refuses it


@dataclass(frozen=True)
class Variant:
    """One side of a comparison.

    Attributes:
        name: its name in the claim.
        method: a method of clwork, ``"untrained"``, or ``"computed"`` for a number.
        config: hyperparameters that replace those of the preset.
        data: training text, as for :func:`clwork.data.sentences`; default ``"wikipedia-mini"``.
        encoder: encoder to start from; None is the method's default.
        represent: pooling at test time; None is the method's own.
        post: post-processing of the vectors, such as ``"whitened"``.
        steps: number of training steps; None is that of the claim.
        at: step of the measurement, or two steps for a change; None is the last step.
        metric: its measure; None is that of the claim.
        of: for ``"computed"``, the number.
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
    metric: str | None = None
    of: str | None = None

    @property
    def trained(self) -> bool:
        """Whether the variant is a training run."""
        return self.method not in ("untrained", "computed")

    @property
    def view(self) -> str:
        """Name of the representation that is compared, as in a record's views."""
        return ", ".join(filter(None, (self.represent or "own", self.post)))


@dataclass(frozen=True)
class Reported:
    """A number that is printed in the paper, not measured by clwork."""

    variant: str
    value: float
    of: str
    backbone: str


@dataclass(frozen=True)
class Outside:
    """Evidence on a claim that others published, at another scale."""

    source: str
    number: str  # the result, with its unit
    scale: str  # size of the encoders

    def told(self, paper: str) -> str:
        """Return it as text; the paper's own numbers are not evidence from elsewhere."""
        is_its_own = PAPERS.get(paper, "").startswith(self.source.split(",")[0])
        where = "the paper reports" if is_its_own else "elsewhere"
        return f"{where}, {self.scale}: {self.number} ({self.source})"


@dataclass(frozen=True)
class Expectation:
    """The expected order: the value of ``left`` is larger (>), smaller (<) or equal (=)."""

    left: str
    sign: Sign
    right: str

    @classmethod
    def parse(cls, text: str) -> Expectation:
        """Parse a text such as ``"dropout .1 > no dropout"``, with spaces around the sign."""
        parts = re.split(r" ([><=]) ", text)
        if len(parts) != 3:
            remedy = "give two variants with >, < or = between them, such as 'a > b'"
            raise ValueError(f"expects has {text!r}; {remedy}")
        left, sign, right = parts
        # mypy does not know that the pattern has only the three signs.
        return cls(left, sign, right)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True)
class Claim:
    """A claim of a paper or of the reader.

    Attributes:
        name: ``paper/topic``.
        claim: the claim as one sentence.
        metric: the measure of the variants.
        expects: orders of two variants; the claim agrees, or is supported, if all of them hold.
        variants: the variants in ``expects`` and ``reported``, by name.
        kind: ``"scores"`` compares encoders by a score, ``"course"`` a change during training.
        place: table, figure or section of the paper.
        teaches: notebook and section of the lesson about the claim, if any.
        steps: training steps for the small bundled encoder; None if nothing is trained.
        reported: numbers printed in the paper.
        outside: evidence of others.
        untestable: why clwork cannot test the claim, which then expects nothing; else empty.
        unmeasured: why the claim was not measured, which then expects nothing; else empty.
        least: the smallest difference of which "far above" can be said, for a claim that says it.
        carries_over: whether what is measured here says something about the paper's setting; one
            of :data:`CARRIES_OVER`.
        because: in what this claim's setting differs; empty for what the tag says of all claims.
        asked_by_clwork: whether clwork asks it beside the paper, which does not claim it.
        ends_alone: whether the runs are compared at their ends alone, not at equal uniformity too.

    >>> get("simcse/against-raw").paper
    'simcse'
    """

    name: str
    claim: str
    metric: Metric
    expects: tuple[Expectation, ...]
    variants: Mapping[str, Variant]
    kind: str = "scores"
    place: str = ""
    teaches: str = ""
    steps: int | None = None
    reported: tuple[Reported, ...] = ()
    outside: tuple[Outside, ...] = ()
    untestable: str = ""
    unmeasured: str = ""
    least: float = 0.0
    carries_over: str = ""
    because: str = ""
    asked_by_clwork: bool = False
    ends_alone: bool = False

    @property
    def carries(self) -> str:
        """Whether a result carries over to the paper's setting, and why, as text; may be empty."""
        tag = self.carries_over
        return f"{tag}: {self.because or CARRIES_OVER[tag]}" if tag else ""

    @property
    def paper(self) -> str:
        """The paper's name: the part of the claim's name before the slash."""
        return self.name.split("/")[0]

    @property
    def stated_by(self) -> str:
        """The paper that claims it; ``"clwork"`` for clwork's own statements and questions."""
        return "clwork" if self.asked_by_clwork else self.paper


def names(paper: str | None = None) -> list[str]:
    """Return the names of all claims, or of the claims of a paper, in the papers' order.

    Args:
        paper: ``"simcse"``, ``"dclr"``, ``"self_guided"``, ``"gclsr"``, ``"mocoutrl"``, or
            ``"clwork"`` for claims of clwork itself.

    Raises:
        ValueError: there is no such paper.

    >>> names("simcse")[0]
    'simcse/dropout-against-none'
    """
    if paper is not None:
        _validation.choice("paper", paper, list(PAPERS))
    return [name for name, claim in _ledger().items() if paper in (None, claim.paper)]


def get(name: str) -> Claim:
    """Return the claim with this name.

    Raises:
        ValueError: no claim has this name; the message has the nearest one.

    >>> print(get("simcse/dropout-against-none").expects[0])
    SimCSE > no dropout
    """
    ledger = _ledger()
    if name not in ledger:
        hint = f"{_validation.nearest(name, ledger)}; clwork.claims.names() returns the names"
        raise ValueError(f"name={_validation.shown(name)} is not a claim{hint}")
    return ledger[name]


def read_claim(source: str | Mapping[str, Any] | Claim) -> Claim:
    """Return a claim by its name, or read the reader's claim from a dict or TOML text.

    A text with an equals sign is TOML, another text is a name. A claim may use all variants of the
    ledger; its own ones win over those of the same name.

    Raises:
        ValueError: unknown name, metric or variant; invalid TOML; or a field is missing or unknown.
    """
    if isinstance(source, Claim):
        return source
    if isinstance(source, str):
        if "=" not in source:
            return get(source)
        source = tomllib.loads(source)
    try:
        _validation.choice("metric", source["metric"], list(METRICS))
        return _claim({"name": "yours/claim", "claim": "", **source})
    except (KeyError, TypeError) as error:
        problem = f"the claim is incomplete or has an unknown field: {error}"
        raise ValueError(f"{problem}; {EXAMPLE}") from error


# Ends the errors of a claim that cannot be read.
EXAMPLE = (
    "a claim needs metric, expects, steps and variants, such as {'metric': 'stsb', 'expects': "
    "['a > b'], 'steps': 60, 'variants': {'a': {'method': 'simcse'}, 'b': {'method': 'simcse', "
    "'config': {'temperature': 0.5}}}}"
)


def _claim(table: Mapping[str, Any]) -> Claim:
    """Make a claim from its TOML table; it may use the shared variants."""
    own_variants = {name: Variant(name, **row) for name, row in table.get("variants", {}).items()}
    variants = _shared_variants() | own_variants
    lines = table["expects"]
    if isinstance(lines, str):
        lines = [lines]
    expects = [Expectation.parse(line) for line in lines]
    reported = [Reported(**row) for row in table.get("reported", ())]

    # Only variants that are used become part of the claim, in the order of their use.
    used = [name for each in expects for name in (each.left, each.right)]
    used += [row.variant for row in reported]
    for name in used:
        if name not in variants:
            listed = ", ".join(map(repr, own_variants)) or "no variants"
            problem = f"variant {name!r} is not defined{_validation.nearest(name, variants)}"
            raise ValueError(f"{problem}; the claim defines {listed}; {EXAMPLE}")
    parsed = {
        "metric": METRICS[table["metric"]],
        "expects": tuple(expects),
        "variants": {name: variants[name] for name in used},
        "reported": tuple(reported),
        "outside": tuple(Outside(**row) for row in table.get("outside", ())),
    }
    # The other fields of the table, such as its name and steps, are taken as they are.
    return Claim(**{**table, **parsed})


@cache
def _read(file: str) -> dict[str, Any]:
    """Read a file of the folder ``ledger``; its tables are shared, so no caller may change them."""
    return tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))


@cache
def _shared_variants() -> dict[str, Variant]:
    """Return the shared variants of all files; those of equal names are equal."""
    rows = {name: row for paper in PAPERS for name, row in _read(paper)["variants"].items()}
    return {name: Variant(name, **row) for name, row in rows.items()}


def at_hand(paper: str) -> str:
    """Return which text and tables of a paper the ledger was written from, in sentences."""
    return str(_read(paper)["at_hand"])


def source(paper: str) -> tuple[str, str]:
    """Return authors, venue and year of a paper, and its address; empty for clwork itself."""
    return _read(paper).get("source", ""), _read(paper).get("address", "")


@cache
def _ledger() -> dict[str, Claim]:
    """Read all claims by name."""
    claims = {}
    unmeasured = _unmeasured()
    for paper in PAPERS:
        reasons = _read(paper).get("because", {})
        for table in _read(paper)["claim"]:
            # A tag may have a reason that holds for all claims of a paper.
            because = reasons.get(table.get("carries_over"), "")
            claims[table["name"]] = _claim({"because": because, **table})
        claims |= {claim.name: claim for claim in unmeasured if claim.paper == paper}
    return claims


def _unmeasured() -> list[Claim]:
    """Read the claims that were found in the papers and are not answered."""
    claims = []
    with FOLDER.joinpath("unmeasured.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            claim = Claim(row["name"], row["claim"], METRICS["none"], (), {}, place=row["place"])
            # The other status is "not testable"; either way, the row has the reason.
            name = "unmeasured" if row["status"] == "not measured" else "untestable"
            reason: dict[str, Any] = {name: row["why"]}
            claims.append(replace(claim, **reason))
    return claims


METRICS: Mapping[str, Metric] = {
    name: Metric(name, **row) for name, row in _read("metrics").items()
}
"""The metrics of claims by name."""
# The size of each training text of the stored runs, which did not note it.
TEXT_SIZES = {
    "wikipedia-mini": "36,048 sentences",
    "wikipedia-mini, rated pairs": "38,152 sentences",
    "wikipedia-mini, usable": "those of its 36,048 sentences with a word that can be swapped",
    "captions": "8,203 sentences",
    "everyday and captions": "36,203 sentences",
    "nli": "5,883 triplets",
    "nli, pairs": "5,883 pairs",
    "nli, sentences": "17,235 sentences",
    "stsb-unlabelled": "11,498 sentences",
}
NOT_INCLUDED = TEXT_SIZES.keys() - {"wikipedia-mini"}
"""Training texts of variants that are not part of clwork; their runs are only stored."""
