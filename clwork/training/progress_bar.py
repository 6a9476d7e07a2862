"""A progress bar over a run."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Any

from .run import Run

BEAT = 0.25  # seconds between drawings of the bar


def watch(run: Run) -> Run:
    """Show a progress bar until ``run`` ends."""
    from tqdm.auto import tqdm

    rows = run.listen()  # read in this thread: a bar that another thread moves stands still on Colab
    with tqdm(total=run.total_steps, initial=run.step, desc=run.name, unit="step", mininterval=BEAT) as bar:
        try:
            for row in _beats(rows):
                bar.update(max(row.get("step", 0) - bar.n, 0))
                if "loss" in row:
                    bar.set_postfix_str(f"loss {row['loss']:.3f}", refresh=False)
                elif (progress := run.preparing) is not None:
                    bar.set_postfix_str(f"{progress.work}: {progress.done} of {progress.total}")
        except KeyboardInterrupt:
            run.stop()
            run.wait()  # for its checkpoint; a second interrupt leaves it to end by itself
        run.wait()
        bar.update(run.step - bar.n)
    return run


def _beats(rows: SimpleQueue[dict[str, Any] | None]) -> Iterator[dict[str, Any]]:
    """Rows as they come, and empty ones while none does: a bar's clock goes on, and an interrupt is heard anywhere."""
    while True:
        try:
            row = rows.get(timeout=BEAT)
        except Empty:
            row = {}
        if row is None:
            return
        yield row
