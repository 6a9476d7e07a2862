"""Reference runs: the stored runs of a claim's arms, to draw under one's own; what ships is read without torch."""

from __future__ import annotations

import statistics
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _validation
from .._validation import nearest, shown
from ..data import sts_folder
from ..disk import runs_folder
from .ledger import Arm, Claim, get
from .reference_file import Names, ReferenceCloud, cloud_of, names_of, settings_of, shipped, shipped_cloud
from .results import FOLDER, Results, missing, recording_in

if TYPE_CHECKING:
    import pandas as pd

    from ..training import Run
    from .verdicts import Answer

LEVEL = 0.05  # error rate of a comparison's star
STEPS = 10  # that the reader's own run takes


def reference(
    name: str, folder: str | Path | None = None, *, encoder: str | None = None, steps: int | None = None
) -> Reference:
    """Read the stored runs of a claim: those that ship with clwork, or those in a folder of the reader's own.

    Args:
        name: of a claim, see :func:`clwork.claims.names`.
        folder: that :func:`clwork.claims.test` has filled; default: the runs that ship.
        encoder: as it was given there.
        steps: as it was given there.

    Raises:
        TypeError, ValueError: there is no such claim, or an encoder or steps without a folder.
        FileNotFoundError: no run of it is stored there; :func:`clwork.claims.test` makes them.

    >>> reference("simcse/dropout-against-none").arms[:2]
    ['SimCSE', 'no dropout']
    """
    claim = get(name)
    if folder is None:
        if encoder is not None or steps is not None:
            raise ValueError("encoder and steps are those of a folder's runs: give folder=, too")
        results = Results.shipped()
        found = Reference(claim, _stored(shipped()["claims"].get(name, {}), results), results)
    else:
        place = _validation.path("folder", folder)
        found = _of_folder(
            claim,
            place,
            None if encoder is None else _validation.text("encoder", encoder),
            None if steps is None else _validation.whole("steps", steps, 1),
        )
    if not found.arms:
        where = "ships" if folder is None else f"lies in {folder}"
        raise FileNotFoundError(
            f"no run of {name} {where}: clwork.claims.test({name!r}) makes them, and then "
            f"clwork.reference({name!r}, folder={str(runs_folder() / FOLDER)!r}) reads them"
        )
    return found


@dataclass(frozen=True)
class ReferenceRun:
    """One stored run of an arm, or an encoder as it is without training, which has scores alone.

    Attributes:
        name: of its record.
        seed: of everything random in it.
        score: by the claim's metric, read as the arm says; None where that is not measured.
        record: all that is stored of it.
    """

    name: str
    seed: int
    score: float | None
    record: Mapping[str, Any]

    @property
    def steps(self) -> int:
        """Its length; 0 without training."""
        return int(self.record.get("steps", 0))

    @property
    def losses(self) -> list[float]:
        """The loss of each step."""
        return list(self.record.get("losses", ()))

    @property
    def scores(self) -> Mapping[str, Mapping[str, float]]:
        """What was measured at its end, by representation and control, then by measure."""
        views: Mapping[str, Mapping[str, float]] = self.record.get("views", {})
        return views

    @property
    def seconds(self) -> float:
        """What its training took."""
        return float(self.record.get("seconds", 0.0))

    @property
    def about(self) -> str:
        """Date, machine, threads, precision and versions, in words."""
        own, versions = self.record, self.record.get("versions", {})
        threads = own.get("threads")
        parts = [
            str(own.get("date", "")),
            str(own.get("machine", "")),
            "" if threads is None else f"{threads} thread{'s' if threads != 1 else ''}",
            str(own.get("precision", "")),
            ", ".join(f"{name} {version}" for name, version in versions.items()),
        ]
        return "; ".join(part for part in parts if part)

    def records(self) -> list[dict[str, Any]]:
        """A row for each step, as :meth:`clwork.Run.records` has them: loss, and geometry where it was looked at."""
        history = self.record.get("history", {})
        looks = [
            {column: value for column, value in zip(history, row, strict=True) if value is not None}
            for row in zip(*history.values(), strict=True)
        ]
        rows: dict[int, dict[str, Any]] = {int(look["step"]): look for look in looks}
        for step, loss in enumerate(self.losses, start=1):
            rows[step] = {"step": step, **rows.get(step, {}), "loss": loss}
        return [rows[step] for step in sorted(rows)]

    @property
    def history(self) -> pd.DataFrame:
        """One row per step; NaN where nothing was measured."""
        import pandas as pd

        return pd.DataFrame(self.records())


@dataclass(frozen=True)
class Reference:
    """The stored runs of a claim; made by :func:`clwork.reference`.

    Attributes:
        claim: whose runs they are.
        names: of their records, by arm and seed.
        results: which has the records.
        folder: where they lie; None for those that ship.
        encoder: that arms started from in place of their own.
        length: of the runs, in place of the claim's.
    """

    claim: Claim
    names: Names
    results: Results
    folder: Path | None = None
    encoder: str | None = None
    length: int | None = None

    @property
    def arms(self) -> list[str]:
        """The arms with a stored run, in the order of the ledger."""
        return [name for name in self.claim.arms if name in self.names]

    @property
    def absent(self) -> list[str]:
        """The arms that are trained, and have no stored run."""
        return [arm.name for arm in self.claim.arms.values() if arm.trained and arm.name not in self.arms]

    def runs(self, arm: str) -> list[ReferenceRun]:
        """The stored runs of an arm, one a seed.

        Raises:
            TypeError, ValueError: the claim has no such arm, or none of its runs is stored.
        """
        own, metric = self._arm(arm), self.claim.metric.name
        if arm not in self.names:
            raise ValueError(
                f"no run of arm={arm!r} is stored; clwork.claims.test({self.claim.name!r}) makes it. "
                f"Stored are {', '.join(map(repr, self.arms))}"
            )
        return [
            ReferenceRun(name, int(seed), self.results.value(name, own, metric), self.results.records[name])
            for seed, name in self.names[arm].items()
        ]

    def scores(self, arm: str) -> list[float]:
        """What the runs of an arm measured by the claim's metric; raises as :meth:`runs`."""
        return [run.score for run in self.runs(arm) if run.score is not None]

    def cloud(self, arm: str) -> ReferenceCloud | None:
        """Where sentences lay at each look, in one run of an arm; None where that is not stored.

        Raises:
            TypeError, ValueError: as :meth:`runs`.
        """
        name = self.runs(arm)[0].name
        if self.folder is None:
            return shipped_cloud(name)
        recording = recording_in(self.folder, name)
        return None if recording is None else cloud_of(recording)

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """What sets the arms apart, by arm: the hyperparameters, data and readings in which they differ."""
        own = {name: self._settings(name) for name in self.arms}
        keys = dict.fromkeys(key for settings in own.values() for key in settings)
        apart = [key for key in keys if len({settings.get(key) for settings in own.values()}) > 1]
        return {name: {key: settings[key] for key in apart if key in settings} for name, settings in own.items()}

    def start(
        self,
        arm: str,
        steps: int | None = STEPS,
        seed: int = 0,
        *,
        data: str | Path | None = None,
        folder: str | Path | None = None,
    ) -> Run:
        """Start an arm's run anew, in the background: the same settings, examples, length and learning rates.

        It has the precision of the stored runs, and stops after ``steps``; :func:`clwork.resume` takes it on. On one
        machine, with as many threads, its losses are those of the reference; elsewhere they differ by rounding.

        Args:
            arm: one that is trained, stored or not.
            steps: after which it stops; None: it goes on to its end.
            seed: one of the reference's for the same run, another one for one more.
            data: the reader's folder of corpora, see :func:`clwork.claims.corpora.corpus`; default: the remembered
                folder of STS tasks.
            folder: of the new run, as for :func:`clwork.start`.

        Raises:
            TypeError, ValueError: no such arm, one that is not trained, or that clwork cannot train.
            FileNotFoundError: its corpus is not on this machine, or the run whose weights it starts from is not in
                the reference's folder.
        """
        from .arm_runs import ArmRun  # loads torch

        own = self._arm(arm)
        if not own.trained or own.switch:
            raise ValueError(f"no run can be started: {missing(self.claim, own)}")
        seed = _validation.seed(seed)
        last = None if steps is None else _validation.whole("steps", steps, 1)
        given = sts_folder() if data is None else _validation.path("data", data)
        place = None if folder is None else _validation.path("folder", folder)
        stored = next(iter(self.names.get(arm, {}).values()), None)
        precision = None if stored is None else self.results.records[stored].get("precision")
        run = ArmRun.of(self.claim, own, seed, self.encoder, self.length).begin(
            self.folder or runs_folder() / FOLDER, given, place, precision
        )
        if last is not None and last < run.total_steps:
            run.stop(after=last)
        return run

    def table(self, base: str | None = None) -> pd.DataFrame:
        """A row for each arm: the paper's number, the claim's metric over seeds, and what the runs are.

        Args:
            base: an arm to compare with, seed by seed: a column has the mean difference with its 95 % interval, and a
                star where it stands after Holm's correction for the number of rows; three common seeds are needed.

        Raises:
            TypeError, ValueError: the claim has no arm ``base``, or none of its runs is stored.
        """
        import pandas as pd

        paper = {row.arm: row.value for row in self.claim.reported}
        gaps = {} if base is None else self._gaps(base)
        rows = {}
        for name in self.arms:
            runs, scores = self.runs(name), self.scores(name)
            spread = f" ± {statistics.stdev(scores):.3g}" if len(scores) > 1 else ""
            rows[name] = {
                "paper": paper.get(name, "–"),
                self.claim.metric.name: f"{statistics.fmean(scores):.4g}{spread}" if scores else "–",
                "seeds": len(runs),
                **({} if base is None else {f"minus {base}": gaps.get(name, "")}),
                "steps": runs[0].steps,
                "seconds": round(statistics.fmean(run.seconds for run in runs), 1),
                "run on": runs[0].about,
            }
        return pd.DataFrame.from_dict(rows, orient="index")

    def answer(self) -> Answer:
        """The ledger's answer to the claim, from all results that ship, or from those of the folder."""
        from .asking import answers, load  # loads torch

        known = answers() if self.folder is None else load(self.folder, self.encoder)
        return known[self.claim.name]

    @property
    def words(self) -> str:
        """The verdict on the claim, the claim, which arms are stored, and which are not run yet."""
        stored = ", ".join(f"{name} ({len(self.runs(name))})" for name in self.arms)
        absent = f" Not run yet: {', '.join(self.absent)}." if self.absent else ""
        return f"{self.claim.name}: {self.answer().verdict}. {self.claim.claim} Stored runs: {stored}.{absent}"

    def _gaps(self, base: str) -> dict[str, str]:
        """The difference of each arm to ``base`` over common seeds, in words."""
        from ..metrics.evidence import holm, paired  # loads torch
        from .verdicts import FEWEST

        usual = {run.seed: run.score for run in self.runs(base)}
        found = {}
        for name in self.arms:
            pairs = [
                (run.score, other)
                for run in self.runs(name)
                if run.score is not None and (other := usual.get(run.seed)) is not None
            ]
            if name != base and len(pairs) >= FEWEST:
                found[name] = paired([score for score, _ in pairs], [score for _, score in pairs])
        chances = [1.0 if gap.p is None else gap.p for gap in found.values()]
        stars = [" *" if p < LEVEL else "" for p in (holm(chances) if chances else ())]
        return {
            name: f"{gap.mean:+.3g} ({gap.low:+.3g} to {gap.high:+.3g}){star}"
            for (name, gap), star in zip(found.items(), stars, strict=True)
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} ({len(self.runs(name))})" for name in self.arms)
        return f"<Reference {self.claim.name}: {counts}>"

    def _arm(self, arm: str) -> Arm:
        if _validation.text("arm", arm) not in self.claim.arms:
            arms = list(self.claim.arms)
            raise ValueError(
                f"arm={shown(arm)} is none of {self.claim.name}{nearest(arm, arms)}; these are "
                f"{', '.join(map(repr, arms))}"
            )
        return self.claim.arms[arm]

    def _settings(self, name: str) -> dict[str, Any]:
        arm, first = self.claim.arms[name], self.runs(name)[0]
        record = first.record
        folder = Path() if self.folder is None else self.folder
        own = settings_of(folder, first.name) or record.get("config", {})
        around = {
            "data": record.get("data"),
            "steps": first.steps or None,
            "read from": arm.represent,
            "post-processing": arm.post,
            "at step": None if arm.at is None else str(arm.at),
            "started from": arm.start,
        }
        given = {key: value for key, value in around.items() if value is not None}
        return {
            key: value for key, value in {"method": arm.method, **own, **given}.items() if isinstance(value, Hashable)
        }


def _stored(names: Names, results: Results) -> Names:
    """Those names whose records are there."""
    there = {
        arm: {seed: name for seed, name in seeds.items() if name in results.records} for arm, seeds in names.items()
    }
    return {arm: seeds for arm, seeds in there.items() if seeds}


def _of_folder(claim: Claim, folder: Path, encoder: str | None, steps: int | None) -> Reference:
    from .plan import record_name  # loads torch

    results = Results.read(folder)
    names = names_of(claim, results, partial(record_name, encoder=encoder, steps=steps))
    return Reference(claim, names, results, folder, encoder, steps)
