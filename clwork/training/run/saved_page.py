"""A run as a page of its own."""

from __future__ import annotations

import importlib
from pathlib import Path

from ..._validation import checked


class SavesPage:
    """What a run and a stored run have in common: they can be watched again without Python."""

    @checked()
    def save_page(self, path: str | Path) -> Path:
        """Write the run as one HTML file that plays it in any browser, without Python and without a network.

        A file that is there is replaced. Needs the extra ``lab``, which has the player.

        Raises:
            TypeError, ValueError: no path, or a folder's; the run has no look at its sentences yet.
            ImportError: the extra is not installed.
            DiskError: the disk refuses.
        """
        lab = importlib.import_module(
            "clwork.lab"
        )  # by name: what trains knows nothing of pages until one is asked for
        saved: Path = lab.player(self).save(path)
        return saved
