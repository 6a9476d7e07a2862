"""Runs as their folders tell them: read back for comparison, whether or not this kernel knows their methods."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from ..data.settings import RECIPE, encoder_of_run
from ..encoders import Encoder, base_of, load_encoder
from ..methods import get
from ..methods.fields import build
from .launch import check_known, runs
from .recipe import START, Recipe, read_encoder, read_sentences, runs_folder
from .record import Record
from .run import Run

CHANGED = "→"  # in an event: a control was moved, and the run is no longer what its recipe says


@dataclass(frozen=True)
class Stored:
    """A run on disk. ``status`` is the run's own where it lives in this kernel, else ``finished`` or ``unfinished``."""

    recipe: Recipe
    folder: Path
    records: Sequence[Mapping[str, Any]]
    status: str

    @staticmethod
    def of(run: Run) -> Stored:
        """A run of this kernel, seen as a stored one."""
        return Stored(run.recipe, run.folder, run.records(), run.status)

    @property
    def step(self) -> int:
        """The last step on record."""
        return int(self.records[-1]["step"]) if self.records else 0

    def settings(self) -> dict[str, Hashable]:
        """Everything but the seed that makes the run what it is; texts and encoders given as objects by content."""
        recipe = self.recipe
        moved = [f"{row['step']}: {row['event']}" for row in self.records if CHANGED in str(row.get("event", ""))]
        return {
            "method": recipe.method,
            "encoder": self._start(),
            "sentences": self._sentences(),
            "steps": recipe.steps,
            **recipe.config,
            "precision": recipe.precision,
            **({"moved at step": "; ".join(moved)} if moved else {}),
        }

    def encoder(self) -> Encoder:
        """The encoder of the last step, or of the best one so far where the run has not come to its end.

        Raises:
            FileNotFoundError: it was stopped before its first validation.
        """
        kept = encoder_of_run(self.folder)
        if kept is None:
            raise FileNotFoundError(f"{self.folder} holds no encoder yet: the run was never validated")
        return load_encoder(kept)

    def raw_encoder(self) -> Encoder:
        """What the run began with, at its method's test-time representation: the encoder of step 0.

        Raises:
            ValueError: this kernel does not know the run's method.
        """
        check_known(self.recipe, self.folder)
        start = read_encoder(self.recipe.encoder, self.folder, None, self.recipe.seed)
        config = build(get(self.recipe.method).Config, self.recipe.config)
        method = get(self.recipe.method)(start, config, torch.Generator().manual_seed(self.recipe.seed))
        if "file" in self.recipe.sentences:  # whether these are triplets may decide about the head
            method.check_examples(list(read_sentences(self.recipe.sentences, self.folder)))
        return method.test_encoder().to(start.device)

    def _start(self) -> str:
        if self.recipe.encoder != f"./{START}":
            return self.recipe.encoder
        weights = sorted((self.folder / START).glob("*.safetensors"))
        return f"{base_of(self.folder / START)} {_digest(weights)}"

    def _sentences(self) -> str:
        kept = self.recipe.sentences
        if "file" in kept:
            return f"given {_digest([self.folder / kept['file']])}"
        source = kept.get("source", kept.get("unknown", ""))
        found = source.get("source", source) if isinstance(source, dict) else source
        return str(found) + (f" {str(kept['fingerprint'])[:8]}" if kept.get("fingerprint") else "")


def _digest(files: Sequence[Path]) -> str:
    """Eight letters that differ where the files' contents do."""
    found = hashlib.sha256()
    for path in files:
        found.update(path.read_bytes())
    return found.hexdigest()[:8]


def stored_runs(folder: str | Path | None = None) -> tuple[list[Stored], list[str]]:
    """All runs below ``folder`` (default: where runs are kept), oldest first, and a sentence on each unreadable one."""
    place = runs_folder() if folder is None else Path(folder)
    alive = {run.folder.resolve(): run for run in runs()}
    found, trouble = [], []
    for path in sorted(place.glob(f"*/{RECIPE}")):
        try:
            recipe = Recipe.read(path.parent)
        except (ValueError, TypeError, OSError) as error:
            trouble.append(f"{path.parent.name} cannot be read: {error}")
            continue
        if (run := alive.get(path.parent.resolve())) is not None:
            found.append(Stored.of(run))
            continue
        records = Record(path.parent).rows()
        ended = bool(records) and records[-1]["step"] >= recipe.steps
        found.append(Stored(recipe, path.parent, records, "finished" if ended else "unfinished"))
    return sorted(found, key=lambda run: (run.recipe.created, run.recipe.name)), trouble


def changed_keys(settings: Sequence[Mapping[str, Hashable]]) -> list[str]:
    """The settings in which runs differ, where more than one run has them.

    >>> changed_keys([{"method": "a", "steps": 3}, {"method": "b", "steps": 3, "own": 1}])
    ['method']
    """
    names = dict.fromkeys(name for one in settings for name in one)
    values = {name: [one[name] for one in settings if name in one] for name in names}
    return [name for name, seen in values.items() if len(set(seen)) > 1]


def alike(found: Sequence[Stored]) -> dict[str, list[Stored]]:
    """Runs by recipe: those of one group differ in nothing but their seed. Names say in what the groups differ."""
    settings = [run.settings() for run in found]
    told = [name for name in changed_keys(settings) if name not in ("method", "moved at step")]
    groups: dict[str, list[Stored]] = {}
    for run, own in zip(found, settings, strict=True):
        words = [str(own["method"]), *(f"{name}={own[name]}" for name in told if name in own)]
        if "moved at step" in own:
            words.append(f"moved at step {own['moved at step']}")
        groups.setdefault(", ".join(words), []).append(run)
    return groups
