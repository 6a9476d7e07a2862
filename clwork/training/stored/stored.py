"""Runs read from their folders, with known or unknown methods; conversion to a run; groups and fork trees."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ... import _validation
from ..._validation import checked, each, kind, of_kind, shown
from ...data.tables import fingerprint as fingerprint_of_file
from ...disk import is_plain_file
from ...encoders import Encoder, base_of, load_encoder
from ...encoders.disk.weights import MOST_SHARDS
from ...events import moves, worded
from ...methods import MethodName, names
from ...metrics.diagnosis import Trend
from ..disk.folder import RunFolder
from ..disk.recipe import Recipe, fingerprint, read_sentences
from ..disk.record import Record
from ..disk.run_files import SENTENCES, START
from ..disk.schema import Parent
from ..outside import Outside
from ..positions import Positions
from ..preparation import read_config, rebuild
from ..probe import trend_of
from ..run.run import Run
from ..run.start import as_it_was, runs

AT_WORK, KILLED = ("waiting", "running", "paused"), "killed"
MOVED_KEY, FORKED_KEY = SETTING_KEYS = "moved at step", "forked"  # settings that are no hyperparameter


@dataclass(frozen=True)
class Stored:
    """A run on disk, to look at: nothing is written, and neither corpus nor start encoder are needed.

    ``status`` is the run's own if it is alive in this kernel, else the last that was written; ``killed`` where that is
    no end and no process holds the folder; ``finished`` or ``unfinished`` for runs from before it was written.
    """

    recipe: Recipe
    files: RunFolder
    rows: Sequence[Mapping[str, Any]]
    status: str
    error: str | None = None
    damaged: int = 0  # lines of the record that could not be read

    @staticmethod
    def of(run: Run) -> Stored:
        """View a run of this kernel as a stored one."""
        return Stored(run.recipe, run.files, run.records(), run.status, run.error)

    @property
    def name(self) -> str:
        """Its name."""
        return self.recipe.name

    @property
    def method(self) -> MethodName:
        """The name of its method."""
        return self.recipe.method

    @property
    def total_steps(self) -> int:
        """The step at which it ends."""
        return self.recipe.steps

    @property
    def parent(self) -> Parent | None:
        """The run and step it was forked from, and what was changed there; None for one that is no fork."""
        return self.recipe.parent

    @property
    def positions(self) -> Positions:
        """Where the probe's sentences lay at each look; empty for runs from before that was recorded."""
        return Positions.open(self.files)

    @property
    def folder(self) -> Path:
        """Its folder."""
        return self.files.path

    @checked()
    def records(self, since: int = 0) -> Sequence[Mapping[str, Any]]:
        """Rows of its history when it was opened, from row number ``since``."""
        return self.rows[since:]

    @property
    def step(self) -> int:
        """The last recorded step."""
        return int(self.rows[-1]["step"]) if self.rows else 0

    @property
    def trend(self) -> Trend | None:
        """Which way it moved its sentences, from its first look to the last; None where it has no look."""
        return trend_of(self.rows, self.total_steps, self.method)

    def settings(self) -> dict[str, Hashable]:
        """Everything but the seed that determines the run; texts and encoders without a name by their content."""
        return dict(self._settings)

    @cached_property
    def _settings(self) -> dict[str, Hashable]:  # computed once: rows and recipe are those of when it was opened
        recipe = self.recipe
        moved = [f"{row['step']}: {words}" for row in self.rows if (words := moves(row))]
        return {
            "method": recipe.method,
            "encoder": self._start(),
            "sentences": self._sentences(),
            "steps": recipe.steps,
            **recipe.config,
            "precision": recipe.precision,
            **({MOVED_KEY: "; ".join(moved)} if moved else {}),
            **({FORKED_KEY: worded({"forked": self.parent.model_dump()})} if self.parent and self._goes_on() else {}),
        }

    @property
    def encoder(self) -> Encoder:
        """The encoder of the last step, or of the best one so far where the run has not come to its end.

        Raises:
            FileNotFoundError: there is none yet; resuming the run leads to one.
        """
        kept = self.files.encoders.latest()
        if kept is None:
            raise FileNotFoundError(f"{self.folder} holds no encoder yet; clwork.resume({str(self.folder)!r}) goes on")
        return load_encoder(kept)

    def raw_encoder(self) -> Encoder:
        """The encoder of step 0, at the method's test-time representation.

        Raises:
            ValueError: this kernel does not know the run's method, or its recipe names an encoder without its
                fingerprint.
        """
        config = read_config(self.recipe, self.files)
        method = rebuild(self.recipe, Outside(self.recipe, self.files), config)
        if self.recipe.sentences.file is not None:  # whether these are triplets may decide about the head
            method.kind = method.check_examples(list(read_sentences(self.recipe.sentences, self.files)))
        return method.test_encoder()

    def as_run(self) -> Run:
        """The run itself where this kernel trains it, else one to look at, as its last checkpoint left it.

        Raises:
            ValueError: this kernel does not know its method, or a file is damaged.
        """
        live = [run for run in runs() if run.alive and run.folder == self.folder]
        if live:
            return live[0]
        now = open_run(self.folder)
        return as_it_was(now.recipe, now.files, Record(now.files), now.status, now.error)

    def _goes_on(self) -> bool:
        """Whether it depends on its parent: it began at a later step, or with the parent's initial weights."""
        return self.parent is not None and (self.parent.step > 0 or self.recipe.weights_seed != self.recipe.seed)

    def _start(self) -> str:
        if self.recipe.encoder != f"./{START}":
            return self.recipe.encoder
        if not self.files.has_folder(START):
            return "an encoder that is not in the folder"
        try:
            base = base_of(self.folder / START)
        except (OSError, ValueError):  # raised when it is loaded
            base = START
        weights = sorted((self.folder / START).glob("*.safetensors"))[:MOST_SHARDS]
        return f"{base} {self._known('encoder') or _digest(weights)}"

    def _sentences(self) -> str:
        corpus = self.recipe.sentences
        if corpus.file is not None:
            return f"given {self._known('sentences') or _digest([self.folder / SENTENCES])}"
        return f"{corpus.name or corpus.unknown or ''} {self._known('sentences')}".strip()

    def _known(self, what: str) -> str:
        return self.recipe.fingerprints.get(what, "")[:8]


def _digest(files: Sequence[Path]) -> str:
    """Eight letters of a digest of files, for runs whose recipe has no fingerprint."""
    digests = [fingerprint_of_file(path) for path in files if is_plain_file(path)]
    return fingerprint(digests)[:8] if digests else ""


@checked()
def open_run(folder: str | Path) -> Stored:
    """Open a run to look at, wherever it is trained or was made: nothing is written, started or locked.

    Raises:
        FileNotFoundError: the folder holds no run.
        ValueError: its files are damaged, or larger or more than those of any run of clwork.
    """
    return read_run(folder, None)


def read_run(folder: str | Path, most: int | None) -> Stored:
    """As :func:`open_run`; of a record of more than ``most`` rows about as many, see :class:`.Record`."""
    files = RunFolder(folder)
    recipe = Recipe.read(files)
    if (run := {run.folder: run for run in runs()}.get(files.path)) is not None and run.alive:
        return Stored.of(run)
    record = Record(files, most=most)
    records, state = record.rows(), files.state()
    if state is None:
        status, error = ("finished" if records and records[-1]["step"] >= recipe.steps else "unfinished"), None
    elif state.status in AT_WORK:
        status, error = (state.status if files.busy() else KILLED), None
    else:
        status, error = state.status, state.error
    return Stored(recipe, files, records, status, error, record.damaged)


@checked()
def changed_keys(settings: Sequence[Mapping[str, Hashable]]) -> list[str]:
    """List the settings in which runs differ, of those that more than one run has.

    >>> changed_keys([{"method": "a", "steps": 3}, {"method": "b", "steps": 3, "own": 1}])
    ['method']
    """
    known = dict.fromkeys(name for own in settings for name in own)
    values = {name: [own[name] for own in settings if name in own] for name in known}
    return [name for name, seen in values.items() if len(set(seen)) > 1]


STORED = each(of_kind(Stored, "stored runs, as clwork.open_run and clwork.training.stored_runs give them"))

RunLike = Run | Stored  # common: name, folder, step, records and encoder
RunSource = Run | Stored | str | Path | Mapping[str, Any]
"""Anything that identifies a run: a run, an opened one, a folder, a recording, or the method of a shipped one."""


def as_run(name: str, value: object) -> RunLike:
    """Convert ``value``, passed as the argument ``name``, to a run.

    Raises:
        TypeError: it is a recording, or no run at all.
        ValueError: it is a method's name, which stands for a recording; or no file can be called so.
        FileNotFoundError: no run lies there.
    """
    remedy = (
        "give a run, as clwork.start and clwork.train return it, what clwork.open_run(folder) gives, or a run's folder"
    )
    if isinstance(value, Run | Stored):
        return value
    if isinstance(value, Mapping):
        whose = shown(value.get("name") or value.get("method") or "no name")
        raise TypeError(f"{name}, the recording of {whose}, has no weights and no folder to go on from; {remedy}")
    if isinstance(value, str) and value in names():
        raise ValueError(
            f"{name}={value!r} is a method, and a recording of one has no weights and no folder to go on from; "
            f"{remedy}. lab.player plays the recordings that ship"
        )
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; {remedy}")
    folder = _validation.path(name, value)
    try:
        return open_run(folder)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{name}={shown(str(value), 200)} is no run: {error}; {remedy}") from None


@checked(found=STORED)
def group_by_recipe(found: Sequence[Stored]) -> dict[str, list[Stored]]:
    """Group runs that differ in nothing but their seed; a group's name says in what it differs from the others."""
    settings = [run.settings() for run in found]
    differing = [name for name in changed_keys(settings) if name not in ("method", *SETTING_KEYS)]
    groups: dict[str, list[Stored]] = {}
    for run, own in zip(found, settings, strict=True):
        words = [str(own["method"]), *(f"{name}={own[name]}" for name in differing if name in own)]
        words += [f"moved at step {own[MOVED_KEY]}"] if MOVED_KEY in own else []
        words += [str(own[FORKED_KEY])] if FORKED_KEY in own else []
        groups.setdefault(", ".join(words), []).append(run)
    return groups


class TreeRow(NamedTuple):
    """A run in the tree of forks.

    Attributes:
        run: the run.
        depth: 0 for a run whose parent is not among these runs; 1 for its forks, and so on.
        parent: the run it goes on from, where that is among these.
    """

    run: Stored
    depth: int
    parent: Stored | None


@checked(runs=STORED)
def fork_tree(runs: Sequence[Stored]) -> list[TreeRow]:
    """Lay the runs out as the rows of a tree: each one followed by its forks, by theirs, and then by the next one.

    Among siblings the given order stays. ``run.parent`` has the step, and what was changed there.
    """
    places = {run.name: place for place, run in reversed(list(enumerate(runs)))}  # of one name, the first
    above = [None if run.parent is None else places.get(run.parent.run) for run in runs]
    below: dict[int | None, list[int]] = {}
    for place, parent in enumerate(above):
        below.setdefault(None if parent == place else parent, []).append(place)
    lines: dict[int, TreeRow] = {}
    roots = [*below.get(None, ()), *range(len(runs))]  # runs that name each other as parents come last
    left: list[tuple[int, int, int | None]] = [(place, 0, None) for place in reversed(roots)]
    while left:
        place, depth, parent = left.pop()
        if place not in lines:
            lines[place] = TreeRow(runs[place], depth, None if parent is None else runs[parent])
            left += [(child, depth + 1, place) for child in reversed(below.get(place, []))]
    return list(lines.values())
