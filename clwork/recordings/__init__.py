"""One recorded default run of each method: what panel and player are alive on before anything has been trained.

Made by ``make recorded`` (scripts/recorded_runs.py), in the shape of :func:`clwork.recording`. The texts in them are by
the contributors of Wikipedia, CC BY-SA 4.0: see NOTICE.
"""

from __future__ import annotations

import gzip
import json
from importlib.resources import files
from typing import Any

from ..checks import choice

ENDING = ".json.gz"


def recorded_methods() -> list[str]:
    """The methods of which a run is shipped.

    >>> "simcse" in recorded_methods()
    True
    """
    return sorted(f.name.removesuffix(ENDING) for f in files(__name__).iterdir() if f.name.endswith(ENDING))


def recorded(method: str) -> dict[str, Any]:
    """The run of a method that ships with clwork, as :func:`clwork.recording` gives runs; needs no torch.

    Raises:
        ValueError: none is shipped of that method.

    >>> recorded("simcse")["texts"][0]
    '...'
    """
    choice("method", method, recorded_methods())
    packed = files(__name__).joinpath(f"{method}{ENDING}").read_bytes()
    found: dict[str, Any] = json.loads(gzip.decompress(packed))
    return found
