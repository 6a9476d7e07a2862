"""What a notebook says about the machine it is on, and what it asks before hours of work."""

from __future__ import annotations

import os

import torch
from IPython.core.error import StdinNotImplementedError

from ..edges import checked
from ..training import precision

CONSENT = "CLWORK_FULL"  # set to "yes" where nobody can be asked


@checked()
def at_full_scale(wanted: bool, work: str | None = None) -> bool:
    """Say in a line where training runs here, and in which precision; return ``wanted``, once it is sure.

    ``work`` is what full scale means where it is made for a GPU, such as ``"about 80 runs"``. On a CPU that may take
    hours, so the reader is asked first; an answer other than yes keeps the miniature. Without ``work`` nobody is asked.

    Raises:
        TypeError: ``wanted`` is neither True nor False.
        RuntimeError: full scale is wanted on a CPU where nobody can be asked.
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    where = torch.cuda.get_device_name() if device == "cuda" else f"the CPU, {torch.get_num_threads()} threads"
    print(f"Training runs on {where}, in {precision.resolve('auto', device).why}.")
    if not wanted or work is None or device != "cpu" or os.environ.get(CONSENT) == "yes":
        return wanted
    print(f"FULL = True means {work}, made for a GPU: on this CPU that may take hours.")
    try:
        return input("Go on all the same? Type yes, or press Enter for the miniature: ").strip().lower() == "yes"
    except (StdinNotImplementedError, EOFError, OSError) as error:
        raise RuntimeError(
            f"FULL is True on a CPU, which may take hours, and nobody can be asked here; set {CONSENT}=yes to go on, "
            "or FULL = False"
        ) from error
