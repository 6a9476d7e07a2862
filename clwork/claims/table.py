"""Answers to claims: the table of stored answers, their text, and the page to share.

``answers.jsonl`` has a line for each claim and stage, written by ``make evidence`` from the stored
runs; :func:`clwork.claims.test` writes the same lines to its folder. Here only the
words of its comparisons are joined to that of the claim; ``verdicts.py`` has the statistics.
"""

from __future__ import annotations

import html
import statistics
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from .. import _validation
from ..disk import write_file
from ..wording import NO_MATH
from .ledger import METRICS, TEXT_SIZES, Claim, Expectation, Metric, Variant, get, names
from .records import DEFAULT_TEXT, start_of
from .verdicts import (
    FEWEST,
    LAST,
    OWN_WORDS,
    RANKED,
    RULE,
    VALIDATION_ONLY,
    Difference,
    Finding,
    SetResult,
    joint_finding,
    word,
)

ANSWERS = "answers.jsonl"
# What the encoders of the stored runs are, as added to their name in an answer.
SCALES = {
    "mini": "at 5 M parameters",
    "mini-old": "at 5 M parameters, pre-trained on 60 M tokens",
    "textcnn:glove-6b-50d": "on fixed GloVe vectors",
}
# The test sets of each metric that is a score.
TEST_SETS = {
    "stsb": ("stsb/validation",),
    "sickr": ("sickr/validation",),
    "sts": ("stsb/validation", "sickr/validation"),
    "silver": ("silver",),
}
# Numbers of pairs of the test sets whose pairs are not resampled.
PAIRS = {"stsb/validation": 1500, "sickr/validation": 500, "silver": 2000}
NAN = float("nan")
UNKNOWN = Difference(mean=NAN, low=NAN, high=NAN, p=None)
LINE_LENGTH = 106  # characters of an answer's text
NO_RATINGS = (
    "scored by a model's opinion, the silver pairs, since there are no human ratings here "
    "(clwork.data.remember_sts(FOLDER) has claims scored by human ratings)"
)


@dataclass(frozen=True)
class Comparison:
    """The values of two variants of a claim for the seeds that both have, and their verdict.

    Attributes:
        expected: the expected order.
        metric: the measure of the values.
        left: the values of the variant ``expected.left``, one for each seed.
        right: the values of the variant ``expected.right``, one for each seed.
        seeds: the seeds, as many as a stage has; empty if the comparison is not measured.
        why: the reason if there are no values.
        difference: left minus right.
        remark: a short comment on the numbers; may be empty.
        ends: final mean uniformity of the left and the right variant, where stored.
        level: the comparison of both at equal uniformity, where stored.
        sets: the difference on each test set with an interval over seeds and pairs, where stored.
    """

    expected: Annotated[
        Expectation, PlainValidator(Expectation.parse), PlainSerializer(Expectation.__str__)
    ]
    metric: Annotated[
        Metric, PlainValidator(METRICS.__getitem__), PlainSerializer(attrgetter("name"))
    ]
    left: tuple[float, ...] = ()
    right: tuple[float, ...] = ()
    seeds: tuple[int, ...] = ()
    why: str = ""
    difference: Difference = UNKNOWN
    remark: str = ""
    ends: tuple[float, float] | None = None
    level: Comparison | None = None
    sets: tuple[SetResult, ...] = ()

    @property
    def measured(self) -> bool:
        """Whether there are enough seeds."""
        return bool(self.seeds)

    @property
    def drawn(self) -> bool:
        """Whether a value depends on the seed; if not, there is no interval and no p value."""
        return self.difference.p is not None

    @property
    def differences(self) -> list[Difference]:
        """The differences by which the comparison is judged: of each test set, if there are any."""
        return [each.difference for each in self.sets] or [self.difference]

    @property
    def over(self) -> str:
        """What the interval of ``difference`` is over, as text."""
        of_validation = self.metric.name in ("sts", "stsb", "sickr")
        what = "over seeds alone" if self.drawn else "without seeds"
        return f"{what}, {VALIDATION_ONLY}" if of_validation else what

    @property
    def too_few(self) -> str:
        """The values, if they are of too few test examples for a word, as text; else empty."""
        if not self.measured or not self.metric.few_tests:
            return ""
        left, right = statistics.fmean(self.left), statistics.fmean(self.right)
        values = f"{left:.1f} against {right:.1f} ({self.expected.left}, {self.expected.right})"
        by = f"by {self.metric.few_tests}, and {len(self.seeds)} seeds"
        return f"{values} {by}: too few for a word."

    @property
    def apart(self) -> str:
        """The difference at equal uniformity, as text; empty if both end at equal uniformity."""
        if self.ends is None or abs(self.ends[0] - self.ends[1]) <= METRICS["uniformity"].margin:
            return ""
        left, right = self.ends
        text = f"ends at different uniformity ({left:.2f} against {right:.2f})"
        if self.level is None:
            # Their scores during the runs are not stored, or never at the same uniformity.
            return f"{text}: the difference in score may come from that"
        return f"{text}: at equal uniformity {self.level.difference} by {self.level.metric.name}"


@dataclass(frozen=True)
class Control:
    """A representation to compare variants with, such as ``"untrained, first_last, whitened"``."""

    name: str
    values: tuple[float, ...]  # one for each seed; a single value if it does not depend on the seed

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return statistics.fmean(self.values)


@dataclass(frozen=True)
class Answer:
    """The answer to a claim, with its measurements; returned by :func:`answers` and ``test``.

    Attributes:
        claim: the claim.
        comparisons: one for each of the claim's expectations.
        controls: other representations by the same metric, best first.
        encoder: the encoder that the variants start from.
        steps: number of training steps; None if nothing is trained.
        stage: number of seeds of the stage at which the claim was tested; 0 if it was not.
        pairs: differences of all pairs of variants, by the right one, then by the left one, as the
            table of stored answers has them.
        family: largest p value of a decided comparison among those of the paper, of clwork's own
            statements, or of the reader's folder.
        runs: names of the runs in the reader's folder, by variant and seed.
        made: date, processor and precision of the trained runs.
        by: version and commit of clwork by which the runs were trained; empty for old runs.
        texts: number of sentences of the training texts, where the runs noted them.

    >>> answer = answers()["simcse/against-whitening"]
    >>> answer.finding, answer.metric.name
    ('open', 'sts')
    """

    claim: Annotated[Claim, PlainValidator(get), PlainSerializer(attrgetter("name"))]
    comparisons: tuple[Comparison, ...]
    controls: tuple[Control, ...]
    encoder: str
    steps: int | None = None
    stage: int = 0
    pairs: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)
    family: float = 0.0
    runs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    made: str = ""
    by: str = ""
    texts: Mapping[str, int] = field(default_factory=dict)

    @property
    def metric(self) -> Metric:
        """The measure of the comparisons: the claim's, or the one that replaces human ratings."""
        return next((each.metric for each in self.comparisons), self.claim.metric)

    def finding_of(self, comparison: Comparison) -> Finding:
        """Return the word for one of the answer's comparisons.

        It is judged by each test set or, without results over pairs, by ``difference``.
        """
        if not comparison.measured and not comparison.sets:
            return "not measured"
        if comparison.metric.few_tests:
            return "not measured"
        # Opposite signs are mixed, also where none is as large as the claim says.
        found = joint_finding(self._words_of(comparison, least=0.0))
        if found != "mixed":
            found = joint_finding(self._words_of(comparison, self.claim.least))
        return self._own_or(found)

    def _own_or(self, found: Finding) -> Finding:
        """Return the word that clwork's own statement has for ``found``, or ``found`` itself."""
        is_own_statement = self.claim.stated_by == "clwork"
        return OWN_WORDS.get(found, "inconclusive") if is_own_statement else found

    def _words_of(self, comparison: Comparison, least: float) -> list[Finding]:
        """Return the words, one for each of ``comparison.differences``."""
        sign = comparison.expected.sign
        return [
            word(difference, sign, comparison.metric.margin, self.family, least)
            for difference in comparison.differences
        ]

    @property
    def finding(self) -> Finding:
        """The word for the answer: the first of ``verdicts.RANKED`` that a comparison has.

        The words are ranked from the strongest objection to agreement. So a claim differs if one of
        its comparisons does, and agrees only if all of them agree.
        """
        if self.claim.untestable:
            return "not testable"
        words = {self.finding_of(comparison) for comparison in self.comparisons}
        return next((each for each in RANKED if each in words), "not measured")

    @property
    def why(self) -> str:
        """The reason for "not measured" or "not testable"; empty for other words."""
        if self.finding == "not testable":
            return self.claim.untestable
        if self.finding != "not measured":
            return ""
        reasons = filter(None, (each.why or each.too_few for each in self.comparisons))
        return "; ".join(dict.fromkeys(reasons)) or self.claim.unmeasured

    @property
    def seeds(self) -> int:
        """The smallest number of seeds of the comparisons; 0 if none depends on the seed."""
        return min((len(each.seeds) for each in self.comparisons if each.drawn), default=0)

    def __str__(self) -> str:
        """Return the answer as lines of text: the finding, the facts, and what was measured."""
        encoder = f"{self.encoder} {SCALES.get(self.encoder, '')}".strip()
        circumstances = self.why or f"{self.metric.name}, {encoder}, {self.seeds} seeds"
        lines = [f"{self.claim.name}: {self.finding} ({circumstances})"]
        lines += [f"  {fact}" for fact in self.facts]
        if any(each.measured for each in self.comparisons):
            lines += [f"  {name}: {text}" for name, text in self._circumstances().items()]
        wrapped = (textwrap.fill(line, LINE_LENGTH, subsequent_indent="    ") for line in lines)
        return "\n".join(wrapped)

    @property
    def facts(self) -> list[str]:
        """What is found here, whether it carries over, and what others found, a line for each."""
        facts = [] if self.metric is self.claim.metric else [NO_RATINGS]
        facts += map(self.line, self.comparisons)
        if self.controls:
            best = self.controls[0]
            facts.append(f"strongest control: {best.name}, {best.mean:.2f}")
        if self.claim.carries:
            facts.append(f"does it carry over? {self.claim.carries}")
        facts += [other.told(self.claim.paper) for other in self.claim.outside]
        return facts

    def line(self, comparison: Comparison) -> str:
        """Return a comparison as text: its word, differences with intervals, and remarks."""
        parts = [f"{comparison.expected}: {self.finding_of(comparison)}"]
        words = self._words_of(comparison, self.claim.least)
        # A comparison without test sets has one word, and the loop is empty.
        for test_set, finding in zip(comparison.sets, words, strict=False):
            # Where the test sets say different things, each has its own word.
            prefix = f"{self._own_or(finding)}: " if len(set(words)) > 1 else ""
            why = self.why_open(comparison, test_set.difference)
            parts.append(f"{prefix}{test_set} {test_set.difference}{why}")
        if comparison.measured:
            difference = comparison.difference
            why = "" if comparison.sets else self.why_open(comparison, difference)
            parts.append(f"{difference} {comparison.over}{why}")
        return "; ".join([*parts, *self.notes(comparison)])

    def notes(self, comparison: Comparison) -> list[str]:
        """Return what limits the reading of a comparison's numbers, a text for each limit."""
        few_tests = comparison.metric.few_tests
        notes = [
            few_tests and f"no word, by only {few_tests}",
            f"the claim needs {self.claim.least:g} points" if self.claim.least else "",
            comparison.remark or comparison.why,
            comparison.apart,
        ]
        return list(filter(None, notes))

    def why_open(self, comparison: Comparison, difference: Difference) -> str:
        """Return why a comparison is open though the interval lacks 0, as text; else ""."""
        p = difference.p
        has_zero = difference.low <= 0 <= difference.high
        if p is None or p <= self.family or has_zero or comparison.expected.sign == "=":
            return ""
        return f" (p = {p:.2g}, a decision needs p ≤ {self.family:.2g})"

    def _repr_html_(self) -> str:
        """Return the card as HTML."""
        return f'<pre class="{NO_MATH}">{html.escape(self.card())}</pre>'

    def card(self) -> str:
        """Return text that can be quoted: claim, findings, circumstances, settings, and rule."""
        import pandas as pd

        settings = {name: self._settings(variant) for name, variant in self.claim.variants.items()}
        # A row for each setting, a column for each variant.
        table = pd.DataFrame(settings).to_string(na_rep="") if settings else ""
        rule = textwrap.fill(RULE, LINE_LENGTH)
        return "\n\n".join([self.claim.claim, str(self), table, rule])

    def _circumstances(self) -> dict[str, str]:
        """Return what was measured on what, by name, so that a quoted answer is complete."""
        # The test sets with their numbers of pairs, which an interval over seeds alone lacks.
        sets = [result for comparison in self.comparisons for result in comparison.sets]
        if not sets:
            sets = [
                SetResult(name, pairs=0, seeds=self.seeds, difference=UNKNOWN)
                for name in TEST_SETS.get(self.metric.name, ())
            ]
        sets = [replace(result, pairs=result.pairs or PAIRS[result.name]) for result in sets]

        # The training texts with their sizes: those of the variants, or the text of the caller.
        trained = [variant for variant in self.claim.variants.values() if variant.trained]
        names = list(self.texts) or [variant.data or DEFAULT_TEXT for variant in trained]
        own_sizes = {name: f"{count:,} sentences" for name, count in self.texts.items()}
        sizes = {**TEXT_SIZES, **own_sizes}
        texts = [f"{name}, {sizes[name]}" for name in names]
        seeds = max((each.seeds for each in self.comparisons), default=())
        return {
            "measure": f"{self.metric.name}, {self.metric.about}",
            "test sets": "; ".join(dict.fromkeys(map(str, sets))) or "those of the measure",
            "trained on": "; ".join(dict.fromkeys(texts)) or "nothing",
            "steps": f"{self.steps or 'none'}",
            "seeds": ", ".join(map(str, seeds)),
            "runs": self.made or "date and processor unknown",
            "clwork": self.by or "version and commit unknown",
        }

    def _settings(self, variant: Variant) -> dict[str, Any]:
        """Return all settings of a variant, also those in which it does not differ."""
        settings = dict(vars(variant))
        del settings["config"]
        if variant.trained:
            from ..methods import config  # loads torch

            start = start_of(self.claim, variant, self.encoder)
            settings |= vars(config(variant.method, start, **variant.config))
        # None and empty settings say nothing to a reader.
        return {name: value for name, value in settings.items() if value not in (None, {}, [])}

    def save(self, path: str | Path) -> None:
        """Write the card to a page that can be shared: HTML if it ends in ``.html``, else text.

        It has claim, findings, the strongest control, circumstances, all settings, and the rule.
        """
        page = self.card()
        if Path(path).suffix == ".html":
            page = f"<!doctype html><meta charset=utf-8>{self._repr_html_()}"
        write_file(Path(path), page)


ROW = TypeAdapter(Answer)
"""Reads and writes a line of a table of answers."""


def answers(folder: str | Path | None = None, seeds: int = LAST) -> dict[str, Answer]:
    """Read the answers to all claims of the ledger.

    Args:
        folder: folder of :func:`clwork.claims.test`, for the claims that were tested there;
            default: the answers that are part of clwork.
        seeds: number of seeds, at least 3; a claim is answered at the last stage that they reach.

    Raises:
        FileNotFoundError: no claim was tested in the folder.

    >>> answers()["simcse/against-whitening"].finding
    'open'
    """
    _validation.integer("seeds", seeds, FEWEST)
    path = Path(__file__).with_name(ANSWERS) if folder is None else Path(folder) / ANSWERS
    if not path.is_file():
        remedy = f"call clwork.claims.test(..., folder={str(folder)!r})"
        raise FileNotFoundError(f"{folder} has no answer; {remedy}")
    # Smaller stages come first, so the answer of the last stage stays.
    stored = {each.claim.name: each for each in read_answers(path) if each.stage <= seeds}
    return {name: stored.get(name) or _unanswered(get(name)) for name in names()}


def _unanswered(claim: Claim) -> Answer:
    """Return the answer to a claim that was not tested: it has no values."""
    missing = [Comparison(each, claim.metric, why="not tested here") for each in claim.expects]
    return Answer(claim, tuple(missing), controls=(), encoder="")


def read_answers(path: Path) -> list[Answer]:
    """Read all answers of a table, the smaller stages first; none if there is no table."""
    lines = path.read_bytes().splitlines() if path.is_file() else []
    return sorted(map(ROW.validate_json, lines), key=attrgetter("stage"))


def write_answers(path: Path, answers: Sequence[Answer]) -> None:
    """Write a table of answers to claims of the ledger: a line for each, without defaults."""
    lines = [ROW.dump_json(answer, exclude_defaults=True).decode("utf-8") for answer in answers]
    write_file(path, "".join(f"{line}\n" for line in lines))
