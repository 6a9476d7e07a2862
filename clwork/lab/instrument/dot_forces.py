"""Who pulls and who pushes a dot of the cloud: its sentence in a batch of the cloud's own, at the run's weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...training import Run, StepForces, forces_at
from ..page.mathml import mathml
from .sources import Part

MOST = 64  # sentences of such a batch
EACH = 8  # of each kind that are told


def forces_of(run: Run, row: int) -> Part:
    """What a step would do to sentence ``row`` of the run's looks, in a batch with its nearest and others.

    The loss, the method and the weights are the run's own; the batch is not one that it has trained on.

    Raises:
        ValueError: the run trains on no single sentences, or has no such row.
        RuntimeError, FileNotFoundError: there are no weights.
    """
    looks, about = run.positions.looks(), run.positions.about
    if about is None or not looks or not 0 <= row < len(about["texts"]):
        raise ValueError(f"{run.name} has no sentence {row} in its looks")
    texts: list[str] = about["texts"]
    if run.probe is not None and len(run.probe.texts) == len(texts):
        texts = list(run.probe.texts)  # in full
    rows = batch_around(row, looks[-1].near, min(MOST, int(getattr(run.config, "batch_size", MOST))))
    return worded(forces_at(run, examples=[texts[one] for one in rows]), rows)


def batch_around(row: int, near: npt.NDArray[np.uint16], size: int) -> list[int]:
    """Rows of a batch: the sentence itself first, its nearest, and others evenly spread over all (N, K).

    >>> batch_around(2, np.array([[1], [0], [5], [0], [0], [0]], dtype=np.uint16), 4)
    [2, 5, 0, 3]
    """
    chosen = [row, *(int(other) for other in near[row] if other != row)][:size]
    others = [other for other in range(len(near)) if other not in chosen]
    missing = max(0, min(size, len(near)) - len(chosen))
    return chosen + [others[place * len(others) // missing] for place in range(missing)]


def worded(seen: StepForces, rows: list[int]) -> Part:
    """The numbers of the batch's first sentence; ``row`` of a pair is that of its dot, -1 for what is no dot."""
    pairs = seen.tables[0].pairs(0) if seen.tables else []
    pulls = [pair for pair in pairs if pair.pull > 0][:EACH]
    pushes = [pair for pair in pairs if pair.pull < 0][:EACH]
    return {
        "row": rows[0],
        "step": seen.step,
        "about": f"in a batch of {len(rows)} sentences of this cloud, at the weights after step {seen.step}",
        "loss": seen.loss,
        "measure": seen.tables[0].measure if seen.tables else "",
        "formula": [mathml(line) for line in seen.formula(0)],
        "pairs": [
            {
                "row": -1 if pair.sentence is None else rows[pair.sentence],
                "kind": pair.kind,
                "text": pair.text[:500],
                "score": pair.score,
                "weight": pair.weight,
                "pull": pair.pull,
            }
            for pair in (*pulls, *pushes)
        ],
    }
