"""Open, list, compare and delete the runs that are stored on disk."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .. import _validation, columns, metrics
from .._validation import kind, shown
from ..disk import runs_folder
from ..encoders import Encoder, load_encoder
from ..events import event_text, moves
from ..methods import config as method_config
from ..methods import get, names
from ..metrics.diagnosis import Diagnosis, Trend, trend
from .checkpoints import SEEN
from .config import RunConfig
from .files import RUN, START, folders
from .folder import RunFolder
from .history import Row, RunHistory
from .positions import Positions

if TYPE_CHECKING:
    import pandas as pd

FINISHED, KILLED = "finished", "killed"
ACTIVE = ("waiting", "running", "paused")
# Settings other than hyperparameters, by which runs may differ.
MOVED_KEY = "moved at step"
FORKED_KEY = "forked"
SETTING_KEYS = (MOVED_KEY, FORKED_KEY)


class RunLike(Protocol):
    """What a live run and a stored run have in common."""

    @property
    def name(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def folder(self) -> Path: ...
    @property
    def run_config(self) -> RunConfig: ...
    @property
    def positions(self) -> Positions: ...
    def records(self, since: int = 0) -> Sequence[Row]: ...


RunSource = RunLike | str | Path | Mapping[str, Any]
"""A run, a stored run, a run's folder, a recording, or the method of a bundled recording."""


class Stored:
    """A read-only view of a run on disk; it needs neither the corpus nor the start encoder.

    Attributes:
        name: name of the run.
        method: name of its method.
        status: the last status written, ``"killed"`` if its process ended without writing one, or
            ``"unfinished"`` if there is none.
        error: the error of a failed run as text, else None.
        run_config: the run configuration, as in ``run.json``.
        rows: the history, a row for each step.
        damaged: number of lines of the history that could not be read.
        parent: run and step that a fork continues from; None for other runs.
        folder: the run's folder.
    """

    def __init__(self, folder: str | Path) -> None:
        self.files = RunFolder(folder)
        self.folder = self.files.path
        self.run_config = RunConfig.read(self.files)
        self.name = self.run_config.name
        self.method = self.run_config.method
        self.total_steps = self.run_config.steps
        self.parent = self.run_config.parent
        history = RunHistory(self.files)
        self.rows: Sequence[Row] = history.rows
        self.damaged = history.damaged
        state = self.files.state()
        self.status: str = "unfinished"
        self.error: str | None = None
        if state is not None:
            self.status, self.error = state.status, state.error
        elif history.last_step >= self.total_steps:
            self.status = FINISHED
        if self.status in ACTIVE and not self.files.busy():
            self.status = KILLED

    @property
    def positions(self) -> Positions:
        """Positions of the probe's sentences at each recorded step."""
        return Positions.open(self.files)

    def records(self, since: int = 0) -> Sequence[Row]:
        """Return the rows of the history, from row number ``since``."""
        return self.rows[since:]

    @property
    def history(self) -> pd.DataFrame:
        """One row per step at the time of opening, as :attr:`.Run.history`."""
        return columns.History(self.rows).as_frame()

    @property
    def step(self) -> int:
        """The last recorded step."""
        return int(self.rows[-1]["step"]) if self.rows else 0

    @property
    def trend(self) -> Trend | None:
        """Change of the geometry from the first measurement to the last; None before the first."""
        return trend_of(self.rows, self.total_steps, self.method)

    def diagnosis(self) -> Diagnosis:
        """Return the diagnosis of the last checkpoint's vectors, as :meth:`.Run.diagnosis`."""
        tensors, meta = self.files.checkpoints.read((SEEN,))
        if meta.probe is None:
            raise RuntimeError(f"{self.name} has no vectors yet; its status is {self.status!r}")
        vectors = tensors[SEEN].numpy()
        settings = self.run_config.config | meta.config
        return diagnose_run(
            self.run_config, self.folder, self.rows, meta.probe.step, vectors, settings
        )

    @property
    def encoder(self) -> Encoder:
        """The encoder of the last step, or of the best step so far if the run has not ended."""
        latest = self.files.latest_encoder()
        if latest is None:
            remedy = f"call clwork.resume({str(self.folder)!r})"
            raise FileNotFoundError(f"{self.folder} holds no encoder yet; {remedy}")
        return load_encoder(latest)

    @cached_property
    def settings(self) -> dict[str, Hashable]:
        """All settings that determine the run, except the seed.

        Digests stand for encoders and texts that were passed as objects.
        """
        run_config = self.run_config
        encoder = run_config.encoder
        if encoder == f"./{START}":
            encoder = f"given {self._digest('encoder')}"
        corpus = run_config.sentences.name or run_config.sentences.unknown or ""
        if run_config.sentences.file is not None:
            corpus = "given"
        settings: dict[str, Hashable] = {
            "method": run_config.method,
            "encoder": encoder,
            "sentences": f"{corpus} {self._digest('sentences')}".strip(),
            "steps": run_config.steps,
            **run_config.config,
            "precision": run_config.precision,
        }
        moved = [f"{row['step']}: {text}" for row in self.rows if (text := moves(row))]
        if moved:
            settings[MOVED_KEY] = "; ".join(moved)
        # A fork of step 0 with its parent's weights is as good as a new run.
        parent = self.parent
        if parent is not None and (parent.step > 0 or run_config.weights_seed != run_config.seed):
            settings[FORKED_KEY] = event_text({"forked": parent.model_dump()})
        return settings

    def _digest(self, what: str) -> str:
        return self.run_config.fingerprints.get(what, "")[:8]


def open_run(folder: str | Path) -> Stored:
    """Open a stored run for viewing; nothing is written, started or locked.

    Raises:
        FileNotFoundError: the folder holds no run.
        ValueError: its files are damaged.

    >>> clwork.open_run("clwork-runs/simcse-001").status  # doctest: +SKIP
    'finished'
    """
    return Stored(folder)


def as_run(name: str, value: RunSource) -> RunLike:
    """Convert ``value``, passed as the argument ``name``, to a run; TypeError for a recording."""
    remedy = "give a run, from clwork.start or clwork.open_run, or a run's folder"
    if isinstance(value, Mapping):
        whose = shown(value.get("name") or value.get("method") or "no name")
        lacks = "which has no weights and no folder"
        raise TypeError(f"{name} is the recording of {whose}, {lacks}; {remedy}")
    if isinstance(value, str) and value in names():
        lacks = "a method's recording has no weights and no folder"
        play = "To play the recording, call lab.player"
        raise ValueError(f"{name}={value!r} is a method, and {lacks}; {remedy}. {play}")
    if isinstance(value, str | os.PathLike):
        try:
            return Stored(_validation.path(name, value))
        except FileNotFoundError as error:
            problem = f"{name}={shown(str(value), 200)} is no run: {error}"
            raise FileNotFoundError(f"{problem}; {remedy}") from None
    if not hasattr(value, "folder"):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; {remedy}")
    return value


def trend_of(rows: Iterable[Mapping[str, Any]], total_steps: int, method: str) -> Trend | None:
    """Return the trend of a history; an unknown method is treated as one without negatives."""
    return trend(rows, total_steps, pushes=method in names() and get(method).negatives)


def diagnose_run(
    run_config: RunConfig,
    folder: Path,
    rows: Sequence[Row],
    step: int,
    vectors: Any,
    settings: Mapping[str, Any],
) -> Diagnosis:
    """Diagnose the probe's vectors at ``step``, with the run's trend and suggested settings."""
    diagnosis = metrics.diagnose(vectors)
    # The row of this step may not be written yet.
    measured = {"step": step, "mean_cosine": diagnosis.signals["mean_cosine"]}
    trend = trend_of(
        [*(row for row in rows if row["step"] < step), measured],
        run_config.steps,
        run_config.method,
    )
    defaults: dict[str, Any] = {}
    if run_config.method in names():
        encoder = folder / START if run_config.encoder == f"./{START}" else run_config.encoder
        defaults = vars(method_config(run_config.method, encoder))
    return diagnosis.of_run(trend, settings, defaults)


def stored_runs(folder: str | Path | None = None) -> tuple[list[Stored], list[str]]:
    """List the runs in ``folder`` (default: the folder of runs), oldest first.

    Returns the runs, and a message for each run that is damaged.
    """
    parent = runs_folder() if folder is None else Path(folder)
    opened = []
    messages = []
    for path in folders(parent):
        if not (path / RUN).exists():
            continue
        try:
            run = Stored(path)
        except (OSError, ValueError) as error:
            messages.append(f"{path.name} cannot be read: {error}")
            continue
        opened.append(run)
        if run.damaged:
            messages.append(f"{path.name}: {event_text({'damaged': run.damaged})}")
    return sorted(opened, key=lambda run: (run.run_config.created, run.name)), messages


def runs(folder: str | Path | None = None) -> pd.DataFrame:
    """Return the runs of a folder, oldest first, as a table with a row for each.

    The columns are name, method, status, step, number of steps and seed, the settings that differ
    between the runs, the last value of each measurement, and the folder, which
    :func:`clwork.open_run` opens and :func:`clwork.views.overlay` draws. ``folder`` is the folder
    of runs by default.

    Warns:
        UserWarning: a run cannot be read; the others are listed.

    >>> clwork.runs().sort_values("stsb")  # doctest: +SKIP
    """
    import pandas as pd

    listed, messages = stored_runs(folder)
    for message in messages:
        warnings.warn(message, stacklevel=2)
    differing = changed_keys([run.settings for run in listed])
    rows: list[dict[str, Any]] = []
    for run in listed:
        row: dict[str, Any] = {
            "name": run.name,
            "method": run.method,
            "status": run.status,
            "step": run.step,
            "steps": run.total_steps,
            "seed": run.run_config.seed,
        }
        for key in differing:
            row.setdefault(key, run.settings.get(key))
        history = columns.History(run.rows)
        for column in columns.shown("table"):
            if column in history.names:
                row[column] = history.last(column)
        row["folder"] = str(run.folder)
        rows.append(row)
    return pd.DataFrame(rows)


def changed_keys(settings: Sequence[Mapping[str, Hashable]]) -> list[str]:
    """Return the keys that have more than one value among ``settings``."""
    values: dict[str, set[Hashable]] = {}
    for each in settings:
        for key, value in each.items():
            values.setdefault(key, set()).add(value)
    return [key for key, seen in values.items() if len(seen) > 1]


def group_by_settings(listed: Sequence[Stored]) -> dict[str, list[Stored]]:
    """Group runs that differ only in their seed, by the settings that differ between groups."""
    differing = changed_keys([run.settings for run in listed])
    shown_keys = [key for key in differing if key not in ("method", *SETTING_KEYS)]
    groups: dict[str, list[Stored]] = {}
    for run in listed:
        settings = run.settings
        title = [run.method, *(f"{key}={settings[key]}" for key in shown_keys if key in settings)]
        if MOVED_KEY in settings:
            title.append(f"{MOVED_KEY} {settings[MOVED_KEY]}")
        if FORKED_KEY in settings:
            title.append(str(settings[FORKED_KEY]))
        groups.setdefault(", ".join(title), []).append(run)
    return groups


def delete_run(folder: str | Path) -> None:
    """Delete the folder of a run permanently; BusyRunError while a process trains it."""
    files = RunFolder(folder)
    files.check_exists()
    files.lock()
    try:
        files.delete()
    finally:
        files.unlock()
