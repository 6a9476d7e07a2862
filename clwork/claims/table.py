"""Answers to claims: the table of stored answers, their text, and the page to share.

``answers.jsonl`` has a line for each claim and stage, written by ``make evidence`` from the stored
runs; :func:`clwork.claims.test` writes the same lines to its folder. Here only the
words of its comparisons are joined to that of the claim; ``verdicts.py`` has the statistics.
"""

from __future__ import annotations

import html
import json
import statistics
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args

from .. import _validation
from ..disk import write_file
from ..wording import NO_MATH
from .ledger import METRICS, Claim, Expectation, Metric, Variant, get, names
from .records import DEFAULT_TEXT, start_of
from .verdicts import (
    FEWEST,
    LAST,
    RULE,
    VALIDATION_ONLY,
    Difference,
    Here,
    SetResult,
    Verdict,
    joined,
    word,
)

ANSWERS = "answers.jsonl"
# What the encoders of the stored runs are, as added to their name in an answer.
SCALES = {"mini": "at 5 M parameters", "textcnn:glove-6b-50d": "on fixed GloVe vectors"}
# Metrics of too few test examples for a word; intervals over seeds do not tell how few.
FEW_TESTS = {
    "transfer": "a part of the test sets",
    "wos": "99 test documents",
    "wos_f1": "99 test documents",
    "retrieval": "120 queries",
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
# Sizes of the training texts of the stored runs, which did not note them.
TEXT_SIZES = {
    "wikipedia-mini": "36,048 sentences",
    "wikipedia-mini, rated pairs": "38,152 sentences",
    "wikipedia-mini, usable": "those of its 36,048 sentences with a word that can be swapped",
    "captions": "8,203 sentences",
    "nli": "5,883 triplets",
    "nli, pairs": "5,883 pairs",
    "nli, sentences": "17,235 sentences",
    "stsb-unlabelled": "11,498 sentences",
}
NAN = float("nan")
UNKNOWN = Difference(NAN, NAN, NAN, None)
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
        p: p value of the decision; None if no seed changes either variant.
        says: the verdict, if ``p`` is None or at most the threshold.
        remark: a short comment on the numbers; may be empty.
        ends: final mean uniformity of the left and the right variant, where stored.
        level: the comparison of both at equal uniformity, where stored.
        sets: the difference on each test set with an interval over seeds and pairs, where stored.
    """

    expected: Expectation
    metric: Metric
    left: tuple[float, ...] = ()
    right: tuple[float, ...] = ()
    seeds: tuple[int, ...] = ()
    why: str = ""
    difference: Difference = UNKNOWN
    p: float | None = None
    says: Verdict = "not measured"
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
        return self.p is not None

    def verdict(self, threshold: float) -> Verdict:
        """Return the verdict; ``threshold`` is the largest p value of a decided comparison."""
        return self.says if self.p is None or self.p <= threshold else "inconclusive"

    def here(self, family: float, least: float = 0.0) -> Here:
        """Return what is measured here.

        Without results over pairs, this is what ``difference`` says, over seeds alone.

        Args:
            family: largest p value of a decided comparison, see :class:`Answer`.
            least: see :class:`~clwork.claims.Claim`.
        """
        if not self.measured and not self.sets:
            return "not measured"
        if self.metric.name in FEW_TESTS:
            return "open"
        return joined(self.words(family, least))

    def words(self, family: float, least: float = 0.0) -> list[Here]:
        """Return what is measured here by each of the test sets, as in :attr:`differences`."""
        sign, margin = self.expected.sign, self.metric.margin
        return [word(each, sign, margin, family, least) for each in self.differences]

    @property
    def differences(self) -> list[Difference]:
        """The differences by which the comparison is judged: of each test set, if there are any."""
        return [each.difference for each in self.sets] or [self.difference]

    @property
    def numbers(self) -> str:
        """The mean difference with its interval over seeds, as text."""
        return _numbers(self.difference) if self.drawn else f"{self.difference.mean:+.3g}"

    @property
    def over(self) -> str:
        """What the interval of ``difference`` is over, as text."""
        of_validation = self.metric.name in ("sts", "stsb", "sickr")
        return f"over seeds alone, {VALIDATION_ONLY}" if of_validation else "over seeds alone"

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
        return f"{text}: at equal uniformity {self.level.numbers} by {self.level.metric.name}"


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
        threshold: largest p value of a decided comparison.
        encoder: the encoder that the variants start from.
        steps: number of training steps; None if nothing is trained.
        stand_in: metric that replaces the claim's where there are no human ratings.
        stage: number of seeds of the stage at which the claim was tested; 0 if it was not.
        pairs: differences of all pairs of variants, by the right one, then by the left one.
        family: largest p value of a decided comparison among those of the paper, or among those of
            the reader's folder.
        runs: names of the runs in the reader's folder, by variant and seed.
        made: date, processor and precision of the trained runs.
        by: version and commit of clwork by which the runs were trained; empty for old runs.
        texts: number of sentences of the training texts, where the runs noted them.

    >>> answer = answers()["simcse/against-whitening"]
    >>> answer.finding, answer.metric.name
    ('open', 'sts')
    """

    claim: Claim
    comparisons: tuple[Comparison, ...]
    controls: tuple[Control, ...]
    threshold: float
    encoder: str
    steps: int | None = None
    stand_in: str = ""
    stage: int = 0
    pairs: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)
    family: float = 0.0
    runs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    made: str = ""
    by: str = ""
    texts: Mapping[str, int] = field(default_factory=dict)

    @property
    def metric(self) -> Metric:
        """The measure of the comparisons: the claim's, or the one that replaces it."""
        return METRICS[self.stand_in] if self.stand_in else self.claim.metric

    @property
    def verdict(self) -> Verdict:
        """The verdict over seeds alone, which is given on clwork's own statements."""
        if self.claim.untestable:
            return "not testable"
        verdicts = {comparison.verdict(self.threshold) for comparison in self.comparisons}
        # One comparison refutes a claim, even if another is not measured.
        if "refuted" in verdicts:
            return "refuted"
        if not verdicts or "not measured" in verdicts:
            return "not measured"
        return "supported" if verdicts == {"supported"} else "inconclusive"

    @property
    def here(self) -> Here:
        """What is measured here of a paper's claim, which holds for the encoders measured here.

        A claim differs if one of its comparisons does; it agrees if all of them agree.
        """
        if self.claim.untestable:
            return "not testable"
        words = {each.here(self.family, self.claim.least) for each in self.comparisons}
        ranked: tuple[Here, ...] = ("differs here", "mixed", "not measured", "open")
        for each in ranked:
            if each in words:
                return each
        if not words:
            return "not measured"
        return "below the margin" if "below the margin" in words else "agrees here"

    @property
    def why(self) -> str:
        """The reason for "not measured" or "not testable"; empty for other verdicts."""
        if self.verdict == "not testable":
            return self.claim.untestable
        if self.verdict != "not measured":
            return ""
        reasons = [comparison.why for comparison in self.comparisons if comparison.why]
        return "; ".join(dict.fromkeys(reasons)) or self.claim.unmeasured

    @property
    def seeds(self) -> int:
        """The smallest number of seeds of the comparisons; 0 if none depends on the seed."""
        return min((len(each.seeds) for each in self.comparisons if each.drawn), default=0)

    @property
    def finding(self) -> Here | Verdict:
        """The word for the answer: a verdict on clwork's own statements, else what is found here.

        One small encoder neither supports nor refutes a paper.
        """
        return self.verdict if self.claim.paper == "clwork" else self.here

    def __str__(self) -> str:
        encoder = f"{self.encoder} {SCALES.get(self.encoder, '')}".strip()
        circumstances = self.why or f"{self.metric.name}, {encoder}, {self.seeds} seeds"
        lines = [f"{self.claim.name}: {self.finding} ({circumstances})"]
        if self.stand_in:
            lines.append(f"  {NO_RATINGS}")
        lines += [self.line(comparison) for comparison in self.comparisons]
        if self.controls:
            best = self.controls[0]
            lines.append(f"  strongest control: {best.name}, {best.mean:.2f}")
        if self.claim.carries:
            lines.append(f"  does it carry over? {self.claim.carries}")
        for other in self.claim.outside:
            lines.append(f"  {other.told(self.claim.paper)}")
        if any(each.measured for each in self.comparisons):
            lines += [f"  {name}: {fact}" for name, fact in self._facts().items()]
        wrapped = (textwrap.fill(line, LINE_LENGTH, subsequent_indent="    ") for line in lines)
        return "\n".join(wrapped)

    def line(self, comparison: Comparison) -> str:
        """Return a comparison as text: its word, differences with intervals, and remarks."""
        own_statement = self.claim.paper == "clwork"
        if own_statement:
            finding: str = comparison.verdict(self.threshold)
        else:
            finding = comparison.here(self.family, self.claim.least)
        parts = [f"  {comparison.expected}: {finding}"]
        words = comparison.words(self.family, self.claim.least)
        for each, found in zip(comparison.sets, words, strict=False):
            # Where the test sets say different things, each has its own word.
            own_word = f"{found}: " if len(set(words)) > 1 and not own_statement else ""
            why = "" if own_statement else self._why_open(comparison, each.difference)
            parts.append(f"{own_word}{each} {_numbers(each.difference)}{why}")
        if comparison.measured:
            is_judged = not comparison.sets and not own_statement
            why = self._why_open(comparison, comparison.difference) if is_judged else ""
            parts.append(f"{comparison.numbers} {comparison.over}{why}")
        if comparison.drawn and own_statement:
            if abs(comparison.difference.mean) < comparison.metric.margin:
                parts.append("below the margin")
            parts.append(f"p = {comparison.p:.2g} (verdict needs p ≤ {self.threshold:.2g})")
        if comparison.metric.name in FEW_TESTS:
            parts.append(f"no word, by only {FEW_TESTS[comparison.metric.name]}")
        if self.claim.least and not own_statement:
            parts.append(f"the claim needs {self.claim.least:g} points")
        parts += [comparison.remark or comparison.why, comparison.apart]
        return "; ".join(filter(None, parts))

    def _why_open(self, comparison: Comparison, difference: Difference) -> str:
        """Return why a difference is open though its interval lacks 0, as text; else ""."""
        p = difference.p
        lacks_zero = difference.low > 0 or difference.high < 0
        is_equality = comparison.expected.sign == "="
        if p is None or p <= self.family or is_equality or not lacks_zero:
            return ""
        return f" (p = {p:.2g}, a decision needs p ≤ {self.family:.2g})"

    def _repr_html_(self) -> str:
        """Return a card that can be quoted: claim, findings, circumstances, settings, and rule."""
        import pandas as pd

        settings = {name: self._settings(variant) for name, variant in self.claim.variants.items()}
        with pd.option_context("display.max_colwidth", None):
            # A row for each setting, a column for each variant; long settings are not cut.
            table = pd.DataFrame(settings).to_html(header=False, na_rep="") if settings else ""
        return (
            f'<div class="{NO_MATH}"><h3>{html.escape(self.claim.claim)}</h3>'
            f"<pre>{html.escape(str(self))}</pre>{table}"
            f"<p>{html.escape(RULE)}</p></div>"
        )

    def _facts(self) -> dict[str, str]:
        """Return what was measured on what, in which a quoted answer must be complete."""
        sets = [each for comparison in self.comparisons for each in comparison.sets]
        if not sets:
            names = TEST_SETS.get(self.metric.name, ())
            sets = [SetResult(name, 0, self.seeds, UNKNOWN) for name in names]
        # An interval over seeds alone has no number of pairs; here it is needed all the same.
        sets = [replace(each, pairs=each.pairs or PAIRS[each.name]) for each in sets]

        trained = [variant for variant in self.claim.variants.values() if variant.trained]
        texts = [variant.data or DEFAULT_TEXT for variant in trained]
        sizes = {**TEXT_SIZES}
        sizes |= {name: f"{count:,} sentences" for name, count in self.texts.items()}
        # A test with another text knows that text's size alone.
        texts = [f"{name}, {sizes[name]}" for name in self.texts or texts]
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
        """Write the answer to a page that can be shared: HTML, or plain text.

        It has claim, findings, the strongest control, circumstances, all settings, and the rule.

        Raises:
            ValueError: the path ends neither in ``.html`` nor in ``.txt``.
        """
        target = _validation.path("path", path)
        if target.suffix == ".txt":
            write_file(target, self._text())
        elif target.suffix == ".html":
            write_file(target, f"<!doctype html><meta charset=utf-8>{self._repr_html_()}")
        else:
            shown = _validation.shown(str(path), 200)
            raise ValueError(f"path={shown} must end in .html or .txt, as the card is such a page")

    def _text(self) -> str:
        """Return the card as plain text: the same as the HTML page."""
        lines = [self.claim.claim, "", str(self), ""]
        for name, variant in self.claim.variants.items():
            listed = [f"{key} {value}" for key, value in self._settings(variant).items()]
            text = f"{name}: {', '.join(listed)}"
            lines += [textwrap.fill(text, LINE_LENGTH, subsequent_indent="    ")]
        return "\n".join([*lines, "", textwrap.fill(RULE, LINE_LENGTH), ""])


def _numbers(difference: Difference) -> str:
    """Return a difference with its interval, as text."""
    return f"{difference.mean:+.3g} [{difference.low:+.3g}, {difference.high:+.3g}]"


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
    # Rows of smaller stages come first, so the row of the last stage stays.
    rows = {row["claim"]: row for row in _rows(path) if row["stage"] <= seeds}
    return {
        name: _answer(rows[name]) if name in rows else _unanswered(get(name)) for name in names()
    }


def _unanswered(claim: Claim) -> Answer:
    """Return the answer to a claim that was not tested: it has no values."""
    missing = [Comparison(each, claim.metric, why="not tested here") for each in claim.expects]
    return Answer(claim, tuple(missing), controls=(), threshold=0.0, encoder="")


def count_verdicts(answers: Mapping[str, Answer] | Iterable[Answer]) -> dict[str, int]:
    """Return the number of answers with each verdict, 0 for a verdict that none has.

    Args:
        answers: answers, such as a part of those of :func:`answers`; a mapping stands for its
            values.

    >>> count_verdicts(answers())["refuted"] > 0
    True
    """
    listed = answers.values() if isinstance(answers, Mapping) else answers
    verdicts = [answer.verdict for answer in listed]
    return {verdict: verdicts.count(verdict) for verdict in get_args(Verdict)}


def read_answers(path: Path) -> list[Answer]:
    """Read all answers of a table, the smaller stages first."""
    return [_answer(row) for row in _rows(path)]


def _rows(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a table, the smaller stages first; an empty list if there is no table."""
    lines = path.read_bytes().splitlines() if path.is_file() else []
    return sorted(map(json.loads, lines), key=lambda row: row["stage"])


def _answer(row: dict[str, Any]) -> Answer:
    """Make an answer of a row, which lacks the fields that have their default."""
    pairs = {}
    for right, by_left in row.get("pairs", {}).items():
        pairs[right] = {left: Difference(**numbers) for left, numbers in by_left.items()}
    values = {
        "claim": get(row["claim"]),
        "comparisons": tuple(map(_comparison, row["comparisons"])),
        "controls": tuple(Control(each["name"], tuple(each["values"])) for each in row["controls"]),
        "pairs": pairs,
    }
    return Answer(**{**row, **values})


def _comparison(row: dict[str, Any]) -> Comparison:
    """Make a comparison of its part of a row."""
    expected = Expectation.parse(row["expected"])
    values = {**row, "expected": expected, "metric": METRICS[row["metric"]]}
    # JSON has lists in place of tuples.
    for name in ("left", "right", "seeds", "ends"):
        if name in row:
            values[name] = tuple(row[name])
    if "difference" in row:
        values["difference"] = Difference(**row["difference"])
    if "level" in row:
        values["level"] = _comparison(row["level"])
    values["sets"] = tuple(
        SetResult(**{**each, "difference": Difference(**each["difference"])})
        for each in row.get("sets", ())
    )
    return Comparison(**values)


def write_answers(path: Path, answers: Sequence[Answer]) -> None:
    """Write a table of answers to claims of the ledger: a line for each."""
    # It writes numbers differently from the standard library; the table is compared by its bytes.
    from pydantic_core import to_json

    lines = [to_json(_plain(answer)).decode("utf-8") for answer in answers]
    write_file(path, "".join(f"{line}\n" for line in lines))


def _plain(value: Any) -> Any:
    """Convert to JSON's types: claims and metrics by their name, fields without their defaults."""
    if isinstance(value, Claim | Metric):
        return value.name
    if isinstance(value, Expectation):
        return str(value)
    if is_dataclass(value):
        row = {}
        for each in fields(value):
            content = getattr(value, each.name)
            # An empty mapping is the default of the only field that has one.
            if content not in (each.default, {}):
                row[each.name] = content
        return _plain(row)
    if isinstance(value, Mapping):
        return {key: _plain(content) for key, content in value.items()}
    if isinstance(value, tuple):
        return [_plain(content) for content in value]
    return value
