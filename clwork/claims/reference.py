"""Reference runs: the stored runs of a claim, to compare one's own with; reading those that ship needs no torch."""

from __future__ import annotations

import base64
import gzip
import json
import statistics
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _validation
from .._validation import Positive, checked
from ..data import sts_folder
from ..disk import runs_folder
from ..wording import plural
from .ledger import Arm, Claim, get
from .records import FOLDER, Records, record_name, recording_in, records_in, run_of, shipped_records, value_of

if TYPE_CHECKING:
    import pandas as pd

    from ..training import Run
    from .verdicts import Answer

SHIPPED = "references.json.gz"
AXES = 3  # of the eight axes of a recording
LEVEL = 0.05  # error rate of the stars in a table
STEPS = 10  # of the reader's own run, by default
Names = dict[str, dict[str, str]]  # of records, by arm and seed
Floats = npt.NDArray[np.float32]


@checked()
def reference(
    name: str, folder: str | Path | None = None, *, encoder: str | None = None, steps: Positive | None = None
) -> Reference:
    """Read the stored runs of a claim: those that ship with clwork, or those in a folder of the reader's own.

    Args:
        name: of a claim, see :func:`clwork.claims.names`.
        folder: that :func:`clwork.claims.test` has filled; default: the runs that ship.
        encoder: as it was given there.
        steps: as they were given there.

    Raises:
        FileNotFoundError: no run of it is stored there; :func:`clwork.claims.test` makes them.

    >>> reference("simcse/dropout-against-none").arms[:2]
    ['SimCSE', 'no dropout']
    """
    claim = get(name)
    if folder is None:
        if encoder is not None or steps is not None:
            raise ValueError("encoder and steps are those of a folder's runs: give folder=, too")
        records = shipped_records()
        stored = {
            arm: {seed: record for seed, record in seeds.items() if record in records}
            for arm, seeds in shipped()["claims"].get(name, {}).items()
        }
        found = Reference(claim, {arm: seeds for arm, seeds in stored.items() if seeds}, records)
    else:
        records = records_in(Path(folder))
        names = names_of(claim, records, partial(record_name, encoder=encoder, steps=steps))
        found = Reference(claim, names, records, Path(folder), encoder, steps)
    if not found.arms:
        where = "ships" if folder is None else f"is in {folder}"
        raise FileNotFoundError(
            f"no run of {name} {where}: clwork.claims.test({name!r}) makes them, and then "
            f"clwork.reference({name!r}, folder={str(runs_folder() / FOLDER)!r}) reads them"
        )
    return found


@dataclass(frozen=True)
class ReferenceCloud:
    """Positions of a run's N sentences at its L probe steps."""

    seed: int
    texts: Sequence[str]
    labels: Sequence[str | None] | None
    steps: Sequence[int]
    at: Floats  # (L, N, 3): less the first step's mean, on the principal axes of the first step
    share: Sequence[float]  # of the variance at each step on the recording's eight axes


@dataclass(frozen=True)
class ReferenceRun:
    """A stored run of an arm, or an encoder without training, which has scores alone."""

    name: str
    seed: int
    score: float | None  # by the claim's metric
    record: Mapping[str, Any]

    @property
    def steps(self) -> int:
        """Number of training steps; 0 for an untrained encoder."""
        return int(self.record.get("steps", 0))

    @property
    def losses(self) -> list[float]:
        """The loss of each step."""
        return list(self.record.get("losses", ()))

    @property
    def scores(self) -> Mapping[str, Mapping[str, float]]:
        """What was measured at its end, by representation and post-processing, then by measure."""
        views: Mapping[str, Mapping[str, float]] = self.record.get("views", {})
        return views

    @property
    def seconds(self) -> float:
        """Training time."""
        return float(self.record.get("seconds", 0.0))

    @property
    def about(self) -> str:
        """Date, machine, threads, precision and versions, as text."""
        own, versions = self.record, self.record.get("versions", {})
        threads = plural(own["threads"], "thread") if "threads" in own else ""
        packages = ", ".join(f"{name} {version}" for name, version in versions.items())
        parts = [own.get("date"), own.get("machine"), threads, own.get("precision"), packages]
        return "; ".join(str(part) for part in parts if part)

    def records(self) -> list[dict[str, Any]]:
        """A row for each step, as :meth:`clwork.Run.records` has them: loss, and geometry where it was measured."""
        history = self.record.get("history", {})
        measured = [
            {column: value for column, value in zip(history, row, strict=True) if value is not None}
            for row in zip(*history.values(), strict=True)
        ]
        rows: dict[int, dict[str, Any]] = {int(row["step"]): row for row in measured}
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
    """The stored runs of a claim; made by :func:`clwork.reference`."""

    claim: Claim
    names: Names  # of the runs' records, by arm and seed
    stored: Records
    folder: Path | None = None  # of the runs; None for those that ship
    encoder: str | None = None  # replaces the arms' own
    length: int | None = None  # replaces the claim's steps

    @property
    def arms(self) -> list[str]:
        """The arms with a stored run, in the order of the ledger."""
        return [name for name in self.claim.arms if name in self.names]

    @property
    def absent(self) -> list[str]:
        """The arms that are trained, and have no stored run."""
        return [arm.name for arm in self.claim.arms.values() if arm.trained and arm.name not in self.names]

    def runs(self, arm: str) -> list[ReferenceRun]:
        """The stored runs of an arm, one for each seed; a ValueError if there is none."""
        own, metric = self._arm(arm), self.claim.metric.name
        if arm not in self.names:
            raise ValueError(
                f"no run of arm={arm!r} is stored; clwork.claims.test({self.claim.name!r}) makes it. "
                f"Stored are {', '.join(map(repr, self.arms))}"
            )
        return [
            ReferenceRun(name, int(seed), value_of(self.stored[name], own, metric), self.stored[name])
            for seed, name in self.names[arm].items()
        ]

    def scores(self, arm: str) -> list[float]:
        """The values of an arm's runs by the claim's metric."""
        return [run.score for run in self.runs(arm) if run.score is not None]

    def cloud(self, arm: str) -> ReferenceCloud | None:
        """Positions of the sentences in one run of an arm; None where they are not stored."""
        name = self.runs(arm)[0].name
        if self.folder is None:
            return shipped_cloud(name)
        recording = recording_in(self.folder, name)
        return None if recording is None else cloud_of(recording)

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The hyperparameters, data and representations in which the arms differ, by arm."""
        own: dict[str, dict[str, Any]] = {}
        for name in self.arms:
            arm, first = self.claim.arms[name], self.runs(name)[0]
            settings = settings_of(self.folder, first.name) or first.record.get("config", {})
            around = {
                "data": first.record.get("data"),
                "steps": first.steps or None,
                "read from": arm.represent,
                "post-processing": arm.post,
                "at step": None if arm.at is None else str(arm.at),
            }
            known = {
                "method": arm.method,
                **settings,
                **{key: value for key, value in around.items() if value is not None},
            }
            own[name] = {key: value for key, value in known.items() if isinstance(value, Hashable)}
        keys = dict.fromkeys(key for settings in own.values() for key in settings)
        apart = [key for key in keys if len({settings.get(key) for settings in own.values()}) > 1]
        return {name: {key: settings[key] for key in apart if key in settings} for name, settings in own.items()}

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
        """Start an arm's run again, in the background: the same settings, examples, length and learning rates.

        It has the precision of the stored runs, and stops after ``steps``; :func:`clwork.resume` continues it. On the
        same machine, with as many threads, its losses are those of the reference; elsewhere they differ by rounding.

        Args:
            arm: one that is trained, stored or not.
            steps: after which it stops; None: it runs to its end.
            seed: one of the reference's for the same run, another one for a further run.
            data: folder of the reader's corpora, see :func:`.measures.corpus`; default: the remembered STS folder.
            folder: of the new run, as for :func:`clwork.start`.
        """
        from .arms import start_arm  # loads torch

        own = self._arm(arm)
        run = run_of(self.claim, own, seed, self.encoder, self.length)
        if run is None:
            raise ValueError(f"no run can be started: {arm!r} is not trained")
        given, place = sts_folder() if data is None else Path(data), None if folder is None else Path(folder)
        stored = next(iter(self.names.get(arm, {}).values()), None)
        precision = None if stored is None else self.stored[stored].get("precision")
        started = start_arm(run, given, place, **({} if precision is None else {"precision": precision}))
        if steps is not None and steps < started.total_steps:
            started.stop(after=steps)
        return started

    def table(self, base: str | None = None) -> pd.DataFrame:
        """A row for each arm: the paper's number, the claim's metric over seeds, and what the runs are.

        Args:
            base: an arm to compare with, seed by seed: a column has the mean difference with its 95 % interval, and a
                star where it is significant after Holm's correction for the number of rows; needs three common seeds.
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
        """The ledger's answer to the claim, from all runs that ship, or from those of the folder."""
        from .verdicts import answers  # loads torch

        return answers(self.folder, self.encoder)[self.claim.name]

    @property
    def words(self) -> str:
        """The verdict, the claim, and which arms are stored and which are not, as text."""
        stored = ", ".join(f"{name} ({len(self.runs(name))})" for name in self.arms)
        absent = f" Not run yet: {', '.join(self.absent)}." if self.absent else ""
        return f"{self.claim.name}: {self.answer().verdict}. {self.claim.claim} Stored runs: {stored}.{absent}"

    def _gaps(self, base: str) -> dict[str, str]:
        """The difference of each arm to ``base`` over common seeds, as text."""
        from ..metrics.seeds import holm, paired  # loads torch
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
                f"arm={_validation.shown(arm)} is none of {self.claim.name}{_validation.nearest(arm, arms)}; these are "
                f"{', '.join(map(repr, arms))}"
            )
        return self.claim.arms[arm]


@cache
def shipped() -> Mapping[str, Any]:
    """Read the file that comes with clwork, packed by scripts/evidence.py: names of records, settings, positions."""
    content: Mapping[str, Any] = json.loads(gzip.decompress(files(__package__).joinpath(SHIPPED).read_bytes()))
    return content


def names_of(claim: Claim, records: Records, name_of: Callable[[Claim, Arm, int], str | None]) -> Names:
    """Return the names of a claim's records by arm and seed; arms without a record are left out."""
    seeds = sorted({int(record["seed"]) for record in records.values() if "seed" in record})
    found: Names = {}
    for arm in claim.arms.values():
        names: dict[str, str] = {}
        for seed in seeds:
            name = name_of(claim, arm, seed)
            if name in records and name not in names.values():  # no seed changes an encoder without training
                names[str(seed)] = str(name)
        if names:
            found[arm.name] = names
    return found


def settings_of(folder: Path | None, name: str) -> Mapping[str, Any] | None:
    """Return all settings of a run, of its recording in a folder or as they ship."""
    own = None if folder is None else recording_in(folder, name)
    found: Mapping[str, Any] | None = shipped()["settings"].get(name) if own is None else own["settings"]
    return found


def cloud_of(recording: Mapping[str, Any]) -> ReferenceCloud | None:
    """Return the positions in a recording, on its first axes; None where it has none."""
    probes = recording["measurements"]
    if not probes:
        return None
    steps, share = [probe["step"] for probe in probes], [probe["share"] for probe in probes]
    at = _scaled(integers(recording), recording["span"])
    return ReferenceCloud(recording["seed"], recording["texts"], recording["labels"], steps, at, share)


def shipped_cloud(name: str) -> ReferenceCloud | None:
    """Return the positions that ship of a run; None where none do."""
    own = shipped()["clouds"].get(name)
    if own is None:
        return None
    group = shipped()["texts"][own["texts"]]
    halves = np.frombuffer(base64.b64decode(own["at"]), np.uint8).reshape(2, -1)
    changes = (
        np.ascontiguousarray(halves[::-1].T).view("<u2").reshape(len(own["steps"]), len(group["texts"]), own["axes"])
    )
    at = _scaled(np.cumsum(changes, axis=0, dtype=np.uint16).view(np.int16), own["span"])
    return ReferenceCloud(own["seed"], group["texts"], group["labels"], own["steps"], at, own["share"])


def integers(recording: Mapping[str, Any]) -> npt.NDArray[np.int16]:
    """Return the positions ``(L, N, AXES)`` of a recording as it stores them."""
    count = len(recording["texts"])
    stored = [base64.b64decode(probe["at"]) for probe in recording["measurements"]]
    return np.stack([np.frombuffer(at, "<i2").reshape(count, -1) for at in stored])[:, :, :AXES]


def _scaled(positions: npt.NDArray[np.int16], span: float) -> Floats:
    return (positions * (span / np.iinfo(np.int16).max)).astype(np.float32)
