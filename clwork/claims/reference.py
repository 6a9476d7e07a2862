"""The stored runs of a claim, to compare your runs with. Those in clwork can be read without torch."""

from __future__ import annotations

import statistics
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _validation
from .._validation import Positive, checked
from ..data import sts_folder
from ..disk import runs_folder
from ..reference_runs import (
    Records,
    ReferenceCloud,
    ReferenceRun,
    cloud_of,
    stored_cloud,
    stored_index,
    stored_names,
    stored_records,
)
from .ledger import Arm, Claim, get
from .records import FOLDER, record_name, recording_in, records_in, run_of, value_of
from .table import Answer, answers

if TYPE_CHECKING:
    import pandas as pd

    from ..training import Run

# Significance level of the stars in a table.
LEVEL = 0.05
# Default length of the reader's run.
STEPS = 10
Names = Mapping[str, Mapping[str, str]]
"""Names of records by arm and seed."""


@checked()
def reference(
    name: str,
    folder: str | Path | None = None,
    *,
    encoder: str | None = None,
    steps: Positive | None = None,
) -> Reference:
    """Read the stored runs of a claim that are part of clwork, or your runs in a folder.

    Args:
        name: name of a claim, see :func:`clwork.claims.names`.
        folder: folder of :func:`clwork.claims.test`; default: the runs that are part of clwork.
        encoder: the argument ``encoder`` of :func:`clwork.claims.test` for the runs in ``folder``.
        steps: the argument ``steps`` of :func:`clwork.claims.test` for the runs in ``folder``.

    Raises:
        FileNotFoundError: no run of the claim is stored; :func:`clwork.claims.test` makes them.

    >>> reference("simcse/dropout-against-none").arms[:2]
    ['SimCSE', 'no dropout']
    """
    claim = get(name)
    if folder is None:
        if encoder is not None or steps is not None:
            raise ValueError(
                "encoder and steps select runs of a folder; give folder=, too, or leave them out"
            )
        found = Reference(claim, stored_names(name), stored_records())
    else:
        records = records_in(Path(folder))
        names = _names_in(records, claim, encoder, steps)
        found = Reference(claim, names, records, Path(folder), encoder, steps)
    if not found.arms:
        where = "ships" if folder is None else f"is in {folder}"
        read = f"clwork.reference({name!r}, folder={str(runs_folder() / FOLDER)!r})"
        raise FileNotFoundError(
            f"no run of {name} {where}; call clwork.claims.test({name!r}) and then {read}"
        )
    return found


def _names_in(records: Records, claim: Claim, encoder: str | None, steps: int | None) -> Names:
    """Return the names of a claim's records by arm and seed, without arms that have no record."""
    seeds = sorted({int(record["seed"]) for record in records.values() if "seed" in record})
    found: dict[str, dict[str, str]] = {}
    for arm in claim.arms.values():
        for seed in seeds:
            name = record_name(claim, arm, seed, encoder, steps)
            names = found.get(arm.name, {})
            # Untrained encoders have one record for all seeds.
            if name in records and name not in names.values():
                found[arm.name] = {**names, str(seed): str(name)}
    return found


@dataclass(frozen=True)
class Reference:
    """The stored runs of a claim; returned by :func:`clwork.reference`."""

    claim: Claim
    names: Names  # names of the runs' records by arm and seed
    stored: Records
    folder: Path | None = None  # folder of the runs; None for runs that are part of clwork
    encoder: str | None = None  # replaces the encoder of the arms
    length: int | None = None  # replaces the claim's steps

    @property
    def arms(self) -> list[str]:
        """The arms with a stored run, in the order of the ledger."""
        return [name for name in self.claim.arms if name in self.names]

    @property
    def absent(self) -> list[str]:
        """The arms that require training and have no stored run."""
        return [
            arm.name
            for arm in self.claim.arms.values()
            if arm.trained and arm.name not in self.names
        ]

    def runs(self, arm: str) -> list[ReferenceRun]:
        """Return the stored runs of an arm, one for each seed; ValueError if there is none."""
        own = self._arm(arm)
        if arm not in self.names:
            known = ", ".join(map(repr, self.arms))
            remedy = f"call clwork.claims.test({self.claim.name!r}), or choose one of {known}"
            raise ValueError(f"no run of arm={arm!r} is stored; {remedy}")
        runs = []
        for seed, name in self.names[arm].items():
            score = value_of(self.stored[name], own, self.claim.metric.name)
            runs.append(ReferenceRun(name, int(seed), self.stored[name], score))
        return runs

    def scores(self, arm: str) -> list[float]:
        """Return the values of the claim's metric in the runs of an arm."""
        return [run.score for run in self.runs(arm) if run.score is not None]

    def cloud(self, arm: str) -> ReferenceCloud | None:
        """Return the positions of the sentences in the first run of an arm; None if they are not stored."""
        name = self.runs(arm)[0].name
        if self.folder is None:
            return stored_cloud(name)
        recording = recording_in(self.folder, name)
        return None if recording is None else cloud_of(recording)

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """Hyperparameters, data and representation of each arm, if they differ between arms."""
        own = {name: self._settings(name) for name in self.arms}
        keys = dict.fromkeys(key for settings in own.values() for key in settings)
        apart = [key for key in keys if len({settings.get(key) for settings in own.values()}) > 1]
        return {
            name: {key: settings[key] for key in apart if key in settings}
            for name, settings in own.items()
        }

    def _settings(self, name: str) -> dict[str, Hashable]:
        arm, first = self.claim.arms[name], self.runs(name)[0]
        recording = None if self.folder is None else recording_in(self.folder, first.name)
        stored = (
            stored_index()["settings"].get(first.name)
            if recording is None
            else recording["settings"]
        )
        around = {
            "data": first.record.get("data"),
            "steps": first.steps or None,
            "read from": arm.represent,
            "post-processing": arm.post,
            "at step": None if arm.at is None else str(arm.at),
        }
        known = {"method": arm.method, **(stored or first.record.get("config", {}))}
        known |= {key: value for key, value in around.items() if value is not None}
        return {key: value for key, value in known.items() if isinstance(value, Hashable)}

    @checked()
    def start(
        self,
        arm: str,
        steps: Positive | None = STEPS,
        seed: int = 0,
        *,
        data: str | Path | None = None,
        folder: str | Path | None = None,
    ) -> Run:
        """Start a run of an arm in the background with the settings, data, precision and schedule of the stored runs.

        The run stops after ``steps``; :func:`clwork.resume` continues it. With a stored seed, its losses are those of
        the reference on the same machine with the same versions and number of threads; another forward pass may draw
        other dropout masks, other differences are rounding errors.

        Args:
            arm: an arm with training; it need not have stored runs.
            steps: number of steps after which the run stops; None: train to the end.
            seed: a seed of the reference to repeat its run, or another seed.
            data: folder with your corpora, see :func:`.measures.corpus`; default: the remembered STS folder.
            folder: folder of the new run, as for :func:`clwork.start`.
        """
        from .arms import start_arm  # loads torch

        run = run_of(self.claim, self._arm(arm), seed, self.encoder, self.length)
        if run is None:
            raise ValueError(
                f"arm={arm!r} has no training, so no run can be started; choose another arm"
            )
        stored = self.runs(arm)[0].record if arm in self.names else {}
        precision = {"precision": stored["precision"]} if "precision" in stored else {}
        corpora = sts_folder() if data is None else Path(data)
        started = start_arm(run, corpora, None if folder is None else Path(folder), **precision)
        if steps is not None and steps < started.total_steps:
            started.stop(after=steps)
        return started

    def table(self, base: str | None = None) -> pd.DataFrame:
        """Return a row for each arm: the paper's number, mean ± sd of the claim's metric, and facts about the runs.

        Args:
            base: an arm to compare with. A column has the mean paired difference with its interval by
                :data:`clwork.claims.RULE`, and a star if it is significant after correction over the rows.
        """
        import pandas as pd

        paper = {row.arm: row.value for row in self.claim.reported}
        gaps = {} if base is None else self._gaps(base)
        rows = {}
        for name in self.arms:
            runs, scores = self.runs(name), self.scores(name)
            spread = f" ± {statistics.stdev(scores):.2g}" if len(scores) > 1 else ""
            row = {"paper": paper.get(name, "–")}
            row[self.claim.metric.name] = (
                f"{statistics.fmean(scores):.4g}{spread}" if scores else "–"
            )
            row["seeds"] = len(runs)
            if base is not None:
                row[f"minus {base}"] = gaps.get(name, "")
            row["steps"] = runs[0].steps
            row["seconds"] = round(statistics.fmean(run.seconds for run in runs), 1)
            row["run on"] = runs[0].about
            rows[name] = row
        return pd.DataFrame.from_dict(rows, orient="index")

    def _gaps(self, base: str) -> dict[str, str]:
        """Return the differences of arms from the base with their intervals, and a star where significant."""
        from scipy.stats import false_discovery_control

        self._arm(base)
        known = self.answer().pairs.get(base, {})
        gaps = {name: known[name] for name in self.arms if name in known}
        corrected = false_discovery_control([gap.p for gap in gaps.values()]) if gaps else []
        return {
            name: f"{gap.mean:+.3g} ({gap.low:+.3g} to {gap.high:+.3g}){' *' if p < LEVEL else ''}"
            for (name, gap), p in zip(gaps.items(), corrected, strict=True)
        }

    def answer(self) -> Answer:
        """Return the answer to the claim, from the table of clwork or from that of the folder."""
        return answers(self.folder)[self.claim.name]

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} ({len(self.runs(name))})" for name in self.arms)
        return f"<Reference {self.claim.name}: {counts}>"

    def _arm(self, arm: str) -> Arm:
        if _validation.text("arm", arm) not in self.claim.arms:
            arms = list(self.claim.arms)
            known = f"{_validation.nearest(arm, arms)}; choose one of {', '.join(map(repr, arms))}"
            raise ValueError(f"{self.claim.name} has no arm={_validation.shown(arm)}{known}")
        return self.claim.arms[arm]
