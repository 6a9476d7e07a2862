"""Read the runs that are stored on disk: one run, or a table of all.

The functions that a live run and a stored run share are here too: trend and diagnosis.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import columns, metrics
from ..disk import runs_folder
from ..encoders import Encoder, load_encoder
from ..methods import config as method_config
from ..methods import get, names
from ..metrics.diagnosis import Diagnosis, Trend, trend
from ..run_folder.checkpoints import SEEN
from ..run_folder.config import RunConfig
from ..run_folder.files import COPIED, RUN, START
from ..run_folder.folder import RunFolder
from ..run_folder.history import Row, RunHistory
from ..run_folder.positions import Positions
from .probe import Probe

if TYPE_CHECKING:
    import pandas as pd

FINISHED = "finished"
KILLED = "killed"
# Statuses of a run that a process trains.
ACTIVE = ("waiting", "running", "paused")
# Hexadecimal digits that distinguish two encoders or two lists of sentences in a table.
DIGEST_LENGTH = 8


class Stored:
    """A read-only view of a run on disk; it needs neither the corpus nor the start encoder.

    Attributes:
        name: name of the run.
        method: name of its method.
        status: the last status written, ``"killed"`` if its process ended without writing one, or
            ``"unfinished"`` if there is none.
        error: the error of a failed run as text, else None.
        run_config: the run configuration, as in ``run.json``.
        total_steps: number of steps of the whole run.
        columns: the history by column, see :class:`clwork.columns.History`.
        rows: the history, a row for each step.
        parent: run and step that a fork continues from; None for other runs.
        folder: the run's folder.
        config: the method's settings at the last checkpoint, after controls were moved.
        probe: the fixed sentences with their vectors at the last checkpoint; None without one.
        references: reference levels by name, as :attr:`.Run.references`.
        best: step, score and rule of the best encoder; empty before the first validation.
    """

    def __init__(self, folder: str | Path) -> None:
        self.files = RunFolder(folder)
        self.folder = self.files.path
        self.run_config = RunConfig.read(self.files)
        self.name = self.run_config.name
        self.method = self.run_config.method
        self.total_steps = self.run_config.steps
        self.parent = self.run_config.parent
        self.columns = RunHistory(self.files)
        self.rows: Sequence[Row] = self.columns.rows
        self.status, self.error = self.files.state()
        if self.status in ACTIVE and not self.files.busy():
            # A process that trains the run would hold the folder's lock.
            self.status = KILLED
        self.config = dict(self.run_config.config)
        self.probe: Probe | None = None
        self.references: dict[str, float] = {}
        self.best: dict[str, Any] = {}
        if self.files.checkpoints.any():
            self._read_checkpoint()

    def _read_checkpoint(self) -> None:
        """Read what the last checkpoint has in addition to the other files."""
        tensors, meta = self.files.checkpoints.read((SEEN,))
        self.config |= meta.config
        self.references = meta.references
        self.best = meta.best
        if meta.probe is not None:
            self.probe = Probe.from_checkpoint(meta.probe, tensors[SEEN])

    @cached_property
    def positions(self) -> Positions:
        """Positions of the probe's sentences at each measurement."""
        return Positions.open(self.files)

    def records(self, since: int = 0) -> Sequence[Row]:
        """Return the rows of the history, from row number ``since``."""
        return self.rows[since:]

    @property
    def history(self) -> pd.DataFrame:
        """One row per step at the time of opening, as :attr:`.Run.history`."""
        return self.columns.as_frame()

    @property
    def step(self) -> int:
        """The last recorded step; 0 without one."""
        return self.columns.last_step

    def diagnosis(self) -> Diagnosis:
        """Return the diagnosis of the last checkpoint's vectors, as :meth:`.Run.diagnosis`.

        Raises:
            RuntimeError: the run ended before its first measurement.
        """
        return diagnose_run(self.run_config, self.folder, self.rows, self.probe, self.config)

    @property
    def encoder(self) -> Encoder:
        """The encoder of the last step, or of the best step so far if the run has not ended.

        Raises:
            FileNotFoundError: no encoder is saved yet.
        """
        latest = self.files.latest_encoder()
        if latest is None:
            remedy = f"call clwork.resume({str(self.folder)!r})"
            raise FileNotFoundError(f"{self.folder} holds no encoder yet; {remedy}")
        return load_encoder(latest)

    @cached_property
    def settings(self) -> dict[str, Hashable]:
        """All settings with which the run began, except the seed.

        An encoder or a list of sentences that was passed as an object has no name, and is
        ``"given"`` with a digest, such as ``"given 3f09a1c2"``.
        """
        run_config = self.run_config
        encoder = run_config.encoder
        if encoder == COPIED:
            encoder = self._given("encoder")
        corpus = run_config.sentences.label
        if run_config.sentences.file is not None:
            corpus = self._given("sentences")
        return {
            "method": run_config.method,
            "encoder": encoder,
            "sentences": corpus,
            "steps": run_config.steps,
            **run_config.config,
            "precision": run_config.precision,
        }

    def _given(self, name: str) -> str:
        """Return "given" with the first digits of a fingerprint, which is known after the start."""
        return f"given {self.run_config.fingerprints.get(name, '')[:DIGEST_LENGTH]}"


def open_run(folder: str | Path) -> Stored:
    """Open a stored run for viewing; nothing is written, started or locked.

    Raises:
        FileNotFoundError: the folder holds no run.
        ValueError: its files are damaged.

    >>> clwork.open_run("clwork-runs/simcse-001").status  # doctest: +SKIP
    'finished'
    """
    return Stored(folder)


def trend_of(rows: Iterable[Mapping[str, Any]], total_steps: int, method: str) -> Trend | None:
    """Return the change of the geometry over a history; None before the first measurement.

    An unknown method, as of a run from another computer, is treated as one without negatives.
    """
    has_negatives = method in names() and get(method).negatives
    return trend(rows, total_steps, pushes=has_negatives)


def diagnose_run(
    run_config: RunConfig,
    folder: Path,
    rows: Sequence[Row],
    probe: Probe | None,
    settings: Mapping[str, Any],
) -> Diagnosis:
    """Diagnose the probe's latest vectors, with the run's trend and advice on its settings.

    Args:
        run_config: the run configuration, whose encoder sets the defaults of the method.
        folder: the run's folder.
        rows: the history.
        probe: the measured sentences with their latest vectors.
        settings: the method's settings at that step; the advice names those that differ from the
            method's defaults.

    Raises:
        RuntimeError: the run has no vectors yet.
    """
    if probe is None or probe.vectors is None:
        raise RuntimeError(f"{run_config.name} has no vectors yet; wait for its first measurement")
    diagnosis = metrics.diagnose(probe.vectors)

    # The history may not have the row of this step yet, so one is made from the vectors.
    earlier = [row for row in rows if row["step"] < probe.vectors_step]
    newest = {"step": probe.vectors_step, "mean_cosine": diagnosis.signals["mean_cosine"]}
    trend = trend_of([*earlier, newest], run_config.steps, run_config.method)

    # A run of another computer may have a method of its user, whose defaults are not known here.
    defaults: dict[str, Any] = {}
    if run_config.method in names():
        # An encoder that was given as an object has no name; the run's folder has a copy of it.
        is_copied = run_config.encoder == COPIED
        encoder = folder / START if is_copied else run_config.encoder
        defaults = vars(method_config(run_config.method, encoder))
    return diagnosis.of_run(trend, settings, defaults)


def stored_runs(folder: str | Path | None = None) -> list[Stored]:
    """Open the runs in the subfolders of ``folder`` (default: the folder of runs), oldest first.

    A run that cannot be read, such as one of another version, is left out with a warning.
    """
    parent = runs_folder() if folder is None else Path(folder)
    opened = []
    for path in parent.glob(f"[!.]*/{RUN}"):
        try:
            opened.append(Stored(path.parent))
        except (OSError, TypeError, ValueError) as error:
            # The warning names the line that calls clwork.runs(), which calls this function.
            warnings.warn(f"{path.parent} cannot be read: {error}", stacklevel=3)
    return sorted(opened, key=lambda run: (run.run_config.created, run.name))


def runs(folder: str | Path | None = None) -> pd.DataFrame:
    """Return the runs of a folder, oldest first, as a table with a row for each.

    The columns are name, method, status, step, number of steps and seed, the settings that differ
    between the runs, the last value of each measurement, and the folder, which
    :func:`clwork.open_run` opens and :func:`clwork.views.overlay` draws.

    Args:
        folder: a folder with a subfolder for each run; default: ``CLWORK_RUNS``, or else
            ``clwork-runs``.

    Warns:
        UserWarning: a run cannot be read; the others are listed.

    >>> table = clwork.runs()  # doctest: +SKIP
    >>> table[table.status == "finished"].sort_values("stsb")  # doctest: +SKIP
    """
    import pandas as pd

    listed = stored_runs(folder)
    differing = changed_keys([run.settings for run in listed])
    return pd.DataFrame([_table_row(run, differing) for run in listed])


def _table_row(run: Stored, differing: Sequence[str]) -> dict[str, Any]:
    """Return a run's row in the table of runs; ``differing`` are the settings to show."""
    row: dict[str, Any] = {
        "name": run.name,
        "method": run.method,
        "status": run.status,
        "step": run.step,
        "steps": run.total_steps,
        "seed": run.run_config.seed,
    }
    for key in differing:
        # The method and the number of steps are there already.
        row.setdefault(key, run.settings.get(key))
    for column in columns.shown("table"):
        value = run.columns.last(column)
        if value is not None:
            row[column] = value
    row["folder"] = str(run.folder)
    return row


def changed_keys(settings: Sequence[Mapping[str, Hashable]]) -> list[str]:
    """Return the keys with more than one value among the ``settings`` of several runs.

    A key that some runs lack, and the others have with one value, does not count.
    """
    values: dict[str, set[Hashable]] = {}
    for run_settings in settings:
        for key, value in run_settings.items():
            values.setdefault(key, set()).add(value)
    return [key for key, different in values.items() if len(different) > 1]
