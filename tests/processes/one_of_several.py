"""One of several processes that compute the gradients of every method's batch: ``RANK SIZE PORT ENCODER OUT``.

Process 0 writes, by setting, micro-batch and whether layers lie in shards, the loss and the gradients that all have
summed, and what each method's buffers are afterwards; every process checks that it has the same.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import Any

import torch

from clwork.arithmetic import is_shard
from clwork.methods.step import differentiate
from clwork.training.loop.processes import join_parent
from clwork.training.loop.shards import Shards

from ..methods.settings_in_parts import CPU, SETTINGS, built, draws, gradients

COUNT = 7


def micro_batches(size: int) -> tuple[int, ...]:
    """One part for each process, and more parts than processes, shared out unevenly."""
    return (-(-COUNT // size), 1) if size == 2 else (-(-COUNT // size),)


def whole(tensor: Any) -> torch.Tensor:
    """All of it, where it lies in shards."""
    gathered: torch.Tensor = tensor.full_tensor() if is_shard(tensor) else tensor
    return gathered


def main(rank: int, size: int, port: int, encoder: str, out: Path) -> None:
    torch.set_num_threads(1)
    ranks = join_parent(rank, size, port, CPU)
    found = {}
    for setting, shard in itertools.product(SETTINGS, (False, True)):
        for micro in micro_batches(size):
            ranks.in_shards = False
            method, batch = built(setting, encoder, COUNT, micro_batch=micro)
            if shard:
                Shards(method, method.optimizer(), ranks, CPU)
                assert sum(map(is_shard, method.parameters())) > 0, setting
            _, terms = differentiate(method, batch, draws(), ranks=ranks)
            gradient = {name: whole(tensor) for name, tensor in gradients(method).items()}
            for tensor in ranks.gather({"all": torch.cat([g.flatten() for g in gradient.values()])[None]})["all"].rows:
                assert torch.equal(tensor, torch.cat([g.flatten() for g in gradient.values()])), setting
            buffers = {name: b for name, b in method.named_buffers() if b.is_floating_point()}
            found[setting, micro, shard] = (float(terms.loss), gradient, buffers)
    ranks.order({"end": True})
    if rank == 0:
        torch.save(found, out)


if __name__ == "__main__":
    rank, size, port = map(int, sys.argv[1:4])
    main(rank, size, port, sys.argv[4], Path(sys.argv[5]))
