"""The stored runs of a claim, to compare your runs with. Those in clwork are read without torch."""

from __future__ import annotations

import json
import statistics
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _validation
from ..disk import runs_folder
from ..reference_runs import (
    Names,
    Records,
    ReferenceCloud,
    ReferenceRun,
    cloud_of,
    stored_cloud,
    stored_index,
    stored_names,
    stored_records,
)
from .ledger import Claim, Variant, get
from .records import FOLDER, VariantRun, recording_in, records_in, run_of, value_of
from .table import Answer, answers

if TYPE_CHECKING:
    import pandas as pd

    from ..training import Run

# Significance level of the stars in a table.
LEVEL = 0.05
# Default length of the reader's run.
STEPS = 10
# Shown in a table in place of a number that does not exist.
DASH = "–"


def reference(name: str, folder: str | Path | None = None) -> Reference:
    """Read the stored runs of a claim that are part of clwork, or your runs in a folder.

    Args:
        name: name of a claim, see :func:`clwork.claims.names`.
        folder: folder of :func:`clwork.claims.test`; default: the runs that are part of clwork.

    Raises:
        ValueError: no claim has this name; the message has the nearest one.
        FileNotFoundError: no run of the claim is stored; :func:`clwork.claims.test` makes them.

    >>> reference("simcse/dropout-against-none").variants[:2]
    ['SimCSE', 'no dropout']
    """
    claim = get(name)
    if folder is None:
        stored = Reference(claim, stored_names(name), stored_records())
    else:
        path = Path(folder)
        tested = answers(path)[name]
        stored = Reference(claim, tested.runs, records_in(path), path)
    if not stored.variants:
        where = "is part of clwork" if folder is None else f"is in {folder}"
        remedy = f"call clwork.claims.test({name!r})"
        read = f"clwork.reference({name!r}, folder={str(runs_folder() / FOLDER)!r})"
        raise FileNotFoundError(f"no run of {name} {where}; {remedy} and then {read}")
    return stored


@dataclass(frozen=True)
class Reference:
    """The stored runs of a claim; returned by :func:`clwork.reference`.

    Attributes:
        claim: the claim.
        names: names of the runs' records by variant and seed.
        stored: records by name, also those of other claims.
        folder: folder of the runs; None for runs that are part of clwork.

    >>> runs = reference("simcse/dropout-against-none").runs("SimCSE")
    >>> runs[0].seed, len(runs[0].losses)
    (0, 150)
    """

    claim: Claim
    names: Names
    stored: Records
    folder: Path | None = None

    @property
    def variants(self) -> list[str]:
        """The variants with a stored run, in the order of the ledger."""
        return [name for name in self.claim.variants if name in self.names]

    @property
    def absent(self) -> list[str]:
        """The variants that require training and have no stored run."""
        trained = [variant.name for variant in self.claim.variants.values() if variant.trained]
        return [name for name in trained if name not in self.names]

    def runs(self, variant: str) -> list[ReferenceRun]:
        """Return the stored runs of a variant, one for each seed.

        Raises:
            ValueError: the claim has no such variant, or no run of it is stored.
        """
        definition = self._variant(variant)
        if variant not in self.names:
            known = ", ".join(map(repr, self.variants))
            remedy = f"call clwork.claims.test({self.claim.name!r}), or choose one of {known}"
            raise ValueError(f"no run of variant={variant!r} is stored; {remedy}")
        runs = []
        for seed, name in self.names[variant].items():
            score = value_of(self.stored[name], definition, self.claim.metric.name)
            runs.append(ReferenceRun(name, int(seed), self.stored[name], score))
        return runs

    def scores(self, variant: str) -> list[float]:
        """Return the values of the claim's metric in the runs of a variant."""
        return [run.score for run in self.runs(variant) if run.score is not None]

    def cloud(self, variant: str) -> ReferenceCloud | None:
        """Return the positions of the sentences in the first run; None if they are not stored."""
        name = self.runs(variant)[0].name
        if self.folder is None:
            return stored_cloud(name)
        recording = recording_in(self.folder, name)
        return None if recording is None else cloud_of(recording)

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """Hyperparameters, data and representation of each variant, where variants differ."""
        settings = {variant: self._settings(variant) for variant in self.variants}
        # A variant lacks the hyperparameters of other methods; get() then gives None.
        keys = dict.fromkeys(key for values in settings.values() for key in values)
        differing = set()
        for key in keys:
            distinct = {values.get(key) for values in settings.values()}
            if len(distinct) > 1:
                differing.add(key)
        shown = {}
        for variant, values in settings.items():
            shown[variant] = {key: value for key, value in values.items() if key in differing}
        return shown

    def _settings(self, name: str) -> dict[str, Hashable]:
        """Return all settings of a variant, as its first run has them."""
        variant = self.claim.variants[name]
        first = self.runs(name)[0]
        if self.folder is None:
            stored = stored_index()["settings"].get(first.name)
        else:
            stored = (recording_in(self.folder, first.name) or {}).get("settings")
        # The record has only the hyperparameters that replace those of the preset.
        config = stored or first.record.get("config", {})
        optional = {
            "data": first.record.get("data"),
            "steps": first.steps or None,
            "read from": variant.represent,
            "post-processing": variant.post,
            "at step": None if variant.at is None else str(variant.at),
        }
        settings = {"method": variant.method, **config}
        settings |= {key: value for key, value in optional.items() if value is not None}
        # Lists and dicts cannot be compared by :attr:`settings`.
        return {key: value for key, value in settings.items() if isinstance(value, Hashable)}

    def start(
        self,
        variant: str,
        steps: int | None = STEPS,
        seed: int = 0,
        *,
        folder: str | Path | None = None,
    ) -> Run:
        """Start a run of a variant in the background as the stored runs were trained.

        The run stops after ``steps``; :func:`clwork.resume` continues it. With a stored seed, its
        losses are those of the reference on the same machine with the same versions and number of
        threads; another forward pass may draw other dropout masks, other differences are rounding
        errors.

        Args:
            variant: a variant with training; it need not have stored runs.
            steps: number of steps after which the run stops; None: train to the end.
            seed: a seed of the reference to repeat its run, or another seed.
            folder: folder of the new run, as for :func:`clwork.start`.

        Raises:
            ValueError: the claim has no such variant, or it has no training.
            FileNotFoundError: the training text is not part of clwork.
        """
        from .measures import training_text  # loads torch
        from .testing import start_variant

        definition = self._variant(variant)
        if not definition.trained:
            problem = f"variant={variant!r} has no training, so no run can be started"
            raise ValueError(f"{problem}; choose another variant")
        if variant in self.names:
            # The stored runs may have another encoder, length or precision than the ledger's.
            record = self.runs(variant)[0].record
            keys = ("method", "data", "encoder", "steps", "precision")
            stored = {key: record[key] for key in keys if key in record}
            run = VariantRun(**stored, config=json.dumps(record["config"]), seed=seed)
        else:
            run = run_of(self.claim, definition, seed)
        path = None if folder is None else Path(folder)
        started = start_variant(run, training_text(run.data), path)
        if steps is not None and steps < started.total_steps:
            started.stop(after=steps)
        return started

    def table(self, base: str | None = None) -> pd.DataFrame:
        """Return a row for each variant.

        It has the paper's number, the mean ± standard deviation of the metric over the seeds, the
        numbers of seeds and steps, and time, date and machine of the runs.

        Args:
            base: a variant to compare with. A column has the mean paired difference with its
                interval by :data:`clwork.claims.RULE`, and a star if it is significant after
                correction over the rows.

        Raises:
            ValueError: the claim has no variant ``base``.
        """
        import pandas as pd

        printed = {row.variant: row.value for row in self.claim.reported}
        differences = {} if base is None else self._differences(base)
        rows = {}
        for variant in self.variants:
            runs = self.runs(variant)
            row = {
                "paper": printed.get(variant, DASH),
                self.claim.metric.name: _mean_and_deviation(self.scores(variant)),
                "seeds": len(runs),
            }
            if base is not None:
                row[f"minus {base}"] = differences.get(variant, "")
            row["steps"] = runs[0].steps
            row["seconds"] = round(statistics.fmean(run.seconds for run in runs), 1)
            row["run on"] = runs[0].about
            rows[variant] = row
        return pd.DataFrame.from_dict(rows, orient="index")

    def _differences(self, base: str) -> dict[str, str]:
        """Return differences from the base with their intervals, and a star where significant."""
        from scipy.stats import false_discovery_control

        self._variant(base)
        stored = self.answer().pairs.get(base, {})
        differences = {name: stored[name] for name in self.variants if name in stored}
        if not differences:
            return {}
        # A difference of two numbers that no seed changes has no p value, and is exact.
        p_values = [
            float(each.mean == 0) if each.p is None else each.p for each in differences.values()
        ]
        corrected = false_discovery_control(p_values)
        texts = {}
        for (name, gap), p in zip(differences.items(), corrected, strict=True):
            star = " *" if p < LEVEL else ""
            texts[name] = f"{gap.mean:+.3g} ({gap.low:+.3g} to {gap.high:+.3g}){star}"
        return texts

    def answer(self) -> Answer:
        """Return the answer to the claim, from the table of clwork or from that of the folder."""
        return answers(self.folder)[self.claim.name]

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} ({len(self.runs(name))})" for name in self.variants)
        return f"<Reference {self.claim.name}: {counts}>"

    def _variant(self, name: str) -> Variant:
        """Return a variant of the claim; raise ValueError if there is none of this name."""
        variants = self.claim.variants
        if name not in variants:
            known = ", ".join(map(repr, variants))
            problem = f"{self.claim.name} has no variant={_validation.shown(name)}"
            nearest = _validation.nearest(name, variants)
            raise ValueError(f"{problem}{nearest}; choose one of {known}")
        return variants[name]


def _mean_and_deviation(scores: Sequence[float]) -> str:
    """Return "mean ± standard deviation" of scores, as text."""
    if not scores:
        return DASH
    mean = f"{statistics.fmean(scores):.4g}"
    return f"{mean} ± {statistics.stdev(scores):.2g}" if len(scores) > 1 else mean
