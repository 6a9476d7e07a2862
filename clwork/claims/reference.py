"""Reference runs: stored runs of a claim to compare your runs with. The runs in clwork can be read without torch."""

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
from .ledger import Arm, Claim, Expectation, get
from .records import (
    FOLDER,
    REPEATED,
    Records,
    record_name,
    recording_in,
    records_in,
    run_of,
    shipped_records,
    value_of,
)

if TYPE_CHECKING:
    import pandas as pd

    from ..training import Run
    from .verdicts import Answer

SHIPPED = "references.json.gz"
AXES = 3  # axes that are stored, of the eight axes of a recording
LEVEL = 0.05  # significance level of the stars in a table
STEPS = 10  # default length of the reader's run
Names = dict[str, dict[str, str]]  # names of records by arm and seed
Floats = npt.NDArray[np.float32]


@checked()
def reference(
    name: str, folder: str | Path | None = None, *, encoder: str | None = None, steps: Positive | None = None
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
            raise ValueError("encoder and steps select runs of a folder; give folder=, too, or leave them out")
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
        read = f"clwork.reference({name!r}, folder={str(runs_folder() / FOLDER)!r})"
        raise FileNotFoundError(f"no run of {name} {where}; call clwork.claims.test({name!r}) and then {read}")
    return found


@dataclass(frozen=True)
class ReferenceCloud:
    """Positions of the N sentences of a run at its L probe steps."""

    seed: int
    texts: Sequence[str]
    labels: Sequence[str | None] | None
    steps: Sequence[int]
    at: Floats  # (L, N, 3), on the principal axes of the first step, relative to its mean
    share: Sequence[float]  # share of each step's variance on the eight axes of the recording


@dataclass(frozen=True)
class ReferenceRun:
    """A stored run of an arm, or an encoder without training, which only has scores."""

    name: str
    seed: int
    score: float | None  # value of the claim's metric
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
        """The final measurements by representation and post-processing, then by measure."""
        views: Mapping[str, Mapping[str, float]] = self.record.get("views", {})
        return views

    @property
    def seconds(self) -> float:
        """Training time in seconds."""
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
        """Return a row for each step, as :meth:`clwork.Run.records` does: loss, and geometry if it was measured."""
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
        """The records as a DataFrame with a row for each step; NaN means not measured."""
        import pandas as pd

        return pd.DataFrame(self.records())


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
        return [arm.name for arm in self.claim.arms.values() if arm.trained and arm.name not in self.names]

    def runs(self, arm: str) -> list[ReferenceRun]:
        """Return the stored runs of an arm, one for each seed; ValueError if there is none."""
        own, metric = self._arm(arm), self.claim.metric.name
        if arm not in self.names:
            remedy = f"call clwork.claims.test({self.claim.name!r}), or choose one of {', '.join(map(repr, self.arms))}"
            raise ValueError(f"no run of arm={arm!r} is stored; {remedy}")
        return [
            ReferenceRun(name, int(seed), value_of(self.stored[name], own, metric), self.stored[name])
            for seed, name in self.names[arm].items()
        ]

    def scores(self, arm: str) -> list[float]:
        """Return the values of the claim's metric in the runs of an arm."""
        return [run.score for run in self.runs(arm) if run.score is not None]

    def cloud(self, arm: str) -> ReferenceCloud | None:
        """Return the positions of the sentences in the first run of an arm; None if they are not stored."""
        name = self.runs(arm)[0].name
        if self.folder is None:
            return shipped_cloud(name)
        recording = recording_in(self.folder, name)
        return None if recording is None else cloud_of(recording)

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """Hyperparameters, data and representation of each arm, if they differ between arms."""
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

        own = self._arm(arm)
        run = run_of(self.claim, own, seed, self.encoder, self.length)
        if run is None:
            raise ValueError(f"arm={arm!r} has no training, so no run can be started; choose another arm")
        given, place = sts_folder() if data is None else Path(data), None if folder is None else Path(folder)
        stored = next(iter(self.names.get(arm, {}).values()), None)
        precision = None if stored is None else self.stored[stored].get("precision")
        started = start_arm(run, given, place, **({} if precision is None else {"precision": precision}))
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
        """Return the answer to the claim, from the runs that are part of clwork or from those of the folder."""
        from .verdicts import answers  # loads torch

        return answers(self.folder, self.encoder)[self.claim.name]

    @property
    def words(self) -> str:
        """Verdict, claim, stored arms and missing arms as text."""
        stored = ", ".join(f"{name} ({len(self.runs(name))})" for name in self.arms)
        absent = f" Not run yet: {', '.join(self.absent)}." if self.absent else ""
        return f"{self.claim.name}: {self.answer().verdict}. {self.claim.claim} Stored runs: {stored}.{absent}"

    def _gaps(self, base: str) -> dict[str, str]:
        from scipy.stats import false_discovery_control

        from .verdicts import Measurements  # loads torch

        self._arm(base)
        seeds = sorted({int(seed) for names in self.names.values() for seed in names})
        measured = Measurements(self.claim, self.stored, seeds, self.encoder, self.length)
        compared = [measured.compare(Expectation(name, ">", base)) for name in self.arms if name != base]
        gaps = [(one.expected.left, one.difference) for one in compared if one.measured]
        corrected = false_discovery_control([gap.p for _, gap in gaps]) if gaps else []
        return {
            name: f"{gap.mean:+.3g} ({gap.low:+.3g} to {gap.high:+.3g}){' *' if p < LEVEL else ''}"
            for (name, gap), p in zip(gaps, corrected, strict=True)
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} ({len(self.runs(name))})" for name in self.arms)
        return f"<Reference {self.claim.name}: {counts}>"

    def _arm(self, arm: str) -> Arm:
        if _validation.text("arm", arm) not in self.claim.arms:
            arms = list(self.claim.arms)
            known = f"{_validation.nearest(arm, arms)}; choose one of {', '.join(map(repr, arms))}"
            raise ValueError(f"{self.claim.name} has no arm={_validation.shown(arm)}{known}")
        return self.claim.arms[arm]


@cache
def shipped() -> Mapping[str, Any]:
    """Read the names of records, settings and positions in clwork's file, which scripts/evidence.py writes."""
    content: Mapping[str, Any] = json.loads(gzip.decompress(files(__package__).joinpath(SHIPPED).read_bytes()))
    return content


def names_of(claim: Claim, records: Records, name_of: Callable[[Claim, Arm, int], str | None]) -> Names:
    """Return the names of a claim's records by arm and seed, without arms that have no record.

    If runs of unequal precision were repeated, so that all have one, the names are those of the repetitions; else an
    arm has the runs with the precision of its first one.
    """
    seeds = sorted({int(record["seed"]) for record in records.values() if "seed" in record})
    found: Names = {}
    for arm in claim.arms.values():
        names: dict[str, str] = {}
        for seed in seeds:
            name = name_of(claim, arm, seed)
            if name in records and name not in names.values():  # untrained encoders have one record for all seeds
                names[str(seed)] = str(name)
        if names:
            found[arm.name] = names
    again = {arm: {s: f"{n}-{REPEATED}" for s, n in names.items()} for arm, names in found.items()}
    again = {arm: {s: n if n in records else found[arm][s] for s, n in names.items()} for arm, names in again.items()}
    if len(_precisions(found, records)) > 1 == len(_precisions(again, records)):
        return again
    first = {arm: records[next(iter(names.values()))].get("precision") for arm, names in found.items()}
    return {
        arm: {seed: name for seed, name in names.items() if records[name].get("precision") == first[arm]}
        for arm, names in found.items()
    }


def _precisions(names: Names, records: Records) -> set[str | None]:
    return {records[name].get("precision") for own in names.values() for name in own.values()} - {None}


def settings_of(folder: Path | None, name: str) -> Mapping[str, Any] | None:
    """Return all settings of a run, from its recording in a folder or from clwork's file."""
    own = None if folder is None else recording_in(folder, name)
    found: Mapping[str, Any] | None = shipped()["settings"].get(name) if own is None else own["settings"]
    return found


def cloud_of(recording: Mapping[str, Any]) -> ReferenceCloud | None:
    """Return the positions in a recording on its first axes; None if it has no positions."""
    probes = recording["measurements"]
    if not probes:
        return None
    steps, share = [probe["step"] for probe in probes], [probe["share"] for probe in probes]
    at = _scaled(integers(recording), recording["span"])
    return ReferenceCloud(recording["seed"], recording["texts"], recording["labels"], steps, at, share)


def shipped_cloud(name: str) -> ReferenceCloud | None:
    """Return the positions of a run in clwork's file; None if it has none."""
    own = shipped()["clouds"].get(name)
    if own is None:
        return None
    group = shipped()["texts"][own["texts"]]
    halves = np.frombuffer(base64.b64decode(own["at"]), np.uint8).reshape(2, -1)
    shape = len(own["steps"]), len(group["texts"]), own["axes"]
    changes = np.ascontiguousarray(halves[::-1].T).view("<u2").reshape(shape)
    at = _scaled(np.cumsum(changes, axis=0, dtype=np.uint16).view(np.int16), own["span"])
    return ReferenceCloud(own["seed"], group["texts"], group["labels"], own["steps"], at, own["share"])


def integers(recording: Mapping[str, Any]) -> npt.NDArray[np.int16]:
    """Return the positions ``(L, N, AXES)`` of a recording as stored integers."""
    count = len(recording["texts"])
    stored = [base64.b64decode(probe["at"]) for probe in recording["measurements"]]
    return np.stack([np.frombuffer(at, "<i2").reshape(count, -1) for at in stored])[:, :, :AXES]


def _scaled(positions: npt.NDArray[np.int16], span: float) -> Floats:
    return (positions * (span / np.iinfo(np.int16).max)).astype(np.float32)
