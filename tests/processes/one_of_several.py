"""One of several processes that compute gradients: ``RANK SIZE STORE ENCODER OUT``.

Process 0 writes, for each setting and micro-batch, the loss, the gradients and the buffers; every
process checks that its gradients are the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from clwork.methods.step import differentiate
from clwork.training.distributed import join

from ..methods.settings_in_parts import CPU, SETTINGS, built, draws, gradients

COUNT = 7


def micro_batches(size: int) -> tuple[int, ...]:
    """One part for each process, and more parts than processes, distributed unevenly."""
    return (-(-COUNT // size), 1) if size == 2 else (-(-COUNT // size),)


def main(rank: int, size: int, store: str, encoder: str, out: Path) -> None:
    torch.set_num_threads(1)
    processes = join(CPU, init_method=f"file://{store}", rank=rank, world_size=size)
    found = {}
    for setting in SETTINGS:
        for micro in micro_batches(size):
            method, batch = built(setting, encoder, COUNT, micro_batch=micro)
            _, terms = differentiate(method, batch, draws(), processes=processes)
            gradient = gradients(method)
            for tensor in processes.gather(
                {"all": torch.cat([g.flatten() for g in gradient.values()])[None]}
            )["all"].rows:
                assert torch.equal(tensor, torch.cat([g.flatten() for g in gradient.values()])), (
                    setting
                )
            buffers = {name: b for name, b in method.named_buffers() if b.is_floating_point()}
            found[setting, micro] = (float(terms.loss), gradient, buffers)
    processes.share_order({"end": True})
    if rank == 0:
        torch.save(found, out)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], Path(sys.argv[5]))
