"""What every process but number 0 does: the same steps, as ordered, on its own parts of each batch."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch

from ..methods import Draws, Method, names
from ..methods.step import train_step
from ..ranks import Ranks
from .batches import Batches
from .disk.folder import RunFolder
from .disk.recipe import Recipe
from .disk.tensors import restore_method, restore_optimizer
from .outside import Outside
from .passes import Passes
from .preparation import RunPreparation, make_batches, read_config, rebuild


class OwnParts(Sequence[Any]):
    """A step's examples, tokenised where they are asked for: of a batch, a process needs its own parts only."""

    def __init__(self, examples: Sequence[Any], tokenize: Callable[[Sequence[Any]], list[Any]]) -> None:
        self._examples, self._tokenize = examples, tokenize

    def __len__(self) -> int:
        return len(self._examples)

    def __getitem__(self, place: Any) -> Any:
        """Tokenised examples of a slice, or one."""
        chosen = self._examples[place]
        return self._tokenize(chosen) if isinstance(place, slice) else self._tokenize([chosen])[0]


def follow(ranks: Ranks, order: dict[str, Any], device: str) -> None:
    """Read the run that ``order`` names, as its checkpoint has it, and do the steps that follow, until the end.

    Nothing is written, and no corpus is read: process 0 sends each step's examples. The draws and the update of each
    step are computed as process 0 computes them.

    Raises:
        ConnectionError: process 0 is gone.
        ChangedError: this machine has another encoder than process 0.
    """
    files = RunFolder(order["follow"])
    recipe = Recipe.read(files)
    method, optimizer = _restored(files, recipe, order, device)
    where = method.encoder.device
    passes = Passes(method.encoder.backbone, where, recipe.precision)
    while "end" not in (order := ranks.order()):
        for name, value in order["config"].items():
            setattr(method.config, name, value)
        step = order["step"]
        passes.tokens.zero_()
        batch, draws = OwnParts(order["examples"], method.tokenize), Draws.of(recipe.seed, step, where)
        train_step(method, optimizer, batch, draws, step, recipe.steps, around=passes, ranks=ranks)
        ranks.total(passes.tokens)
        method.after_step()


def _restored(
    files: RunFolder, recipe: Recipe, order: dict[str, Any], device: str
) -> tuple[Method[Any], torch.optim.Optimizer]:
    """The method and the optimizer of a run, as its checkpoint has them."""
    if recipe.method not in names(baselines=True):
        importlib.import_module(order["module"])
    tensors, meta = files.checkpoints.read()
    outside = Outside(recipe, files, accept_changes=True)
    method = rebuild(recipe, outside, read_config(recipe, files, meta.config), device=device)
    method.kind = order["kind"]

    @cache
    def corpus() -> Batches:
        """The batches of the corpus, read only where a method's preparation asks for one."""
        return make_batches(method, outside.examples(), method.config.batch_size, recipe.seed)[0]

    method.begin(lambda step: corpus().batch(step), RunPreparation(files, outside, read_only=True))
    optimizer = method.optimizer()
    restore_method(method, tensors)
    restore_optimizer(optimizer, tensors)
    return method, optimizer
