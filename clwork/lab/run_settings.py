"""What a run was made of, as a panel's controls take it: to be shown as it was, and to be started again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from ..training import Run
from ..training.arguments import usual_eval_every
from ..training.folder import SENTENCES, START, RunFolder
from ..training.outside import Outside
from .corpus_picker import Kept


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run beside its hyperparameters.

    Attributes:
        seed: of everything random.
        steps: optimizer steps.
        encoder: a name or folder, or None for the method's default.
        sentences: a source's name, or the examples as the run's folder has them, or None for the default.
        column: of a table.
        more: what has no control: STS data, how often to look, validate and write checkpoints, the device.
    """

    seed: int = 0
    steps: int = 300
    encoder: Any = None
    sentences: Any = None
    column: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


def settings_of(run: Run) -> RunSettings:
    """Those of ``run``, read off its recipe: nothing is loaded."""
    recipe, files = run.recipe, run.files
    encoder: str | None = recipe.encoder
    if encoder == f"./{START}":
        encoder = str(files.path / START) if files.has_folder(START) else None
    name, column = _named(recipe.sentences)
    kept = Kept(f"as in {run.name}", _kind(recipe.sentences, files), lambda: Outside(recipe, files).examples())
    more: dict[str, Any] = {"sts": _sts(run), "probe_every": recipe.probe_every}
    if recipe.eval_every != usual_eval_every(recipe.steps):
        more["eval_every"] = recipe.eval_every
    if recipe.checkpoint_every != 200:
        more["checkpoint_every"] = recipe.checkpoint_every
    if recipe.device is not None and (not recipe.device.startswith("cuda") or torch.cuda.is_available()):
        more["device"] = recipe.device
    return RunSettings(recipe.seed, recipe.steps, encoder, kept if name is None else name, column, more)


def _sts(run: Run) -> str | None:
    """The run's STS data, which no control shows: of a run that is not trained here, only what is still as it was."""
    if run.recipe.sts is not None and not run.alive:
        try:
            Outside(run.recipe, run.files).sts()
        except (OSError, ValueError):
            return None
    return run.recipe.sts


def _named(kept: Mapping[str, Any]) -> tuple[str | None, str]:
    """The name and column of a source that the corpus picker can say; None where it cannot."""
    source = kept.get("source")
    if not isinstance(source, Mapping) or not set(source) <= {"source", "column"}:
        return None, ""
    name, column = source.get("source"), source.get("column") or ""
    return (name, str(column)) if isinstance(name, str) and name != "list" else (None, "")


def _kind(kept: Mapping[str, Any], files: RunFolder) -> str | None:
    if "file" not in kept:
        source = kept.get("source")
        triplets = isinstance(source, Mapping) and source.get("kind") == "triplets"
        return "triplets" if triplets else "sentences" if source is not None else None
    try:
        row: Any = next(iter(files.lines(SENTENCES)), {})
    except (OSError, ValueError):  # to be told when they are read
        return None
    return "sentences" if isinstance(row.get("example"), str) else "triplets"
