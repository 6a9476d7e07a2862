"""Vectors of sentences as a file that other programs read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt

from ... import checks
from ...disk import write_whole
from ...wording import explain
from ..page import messages
from ..page.widgets import LABEL, button

Vectors = npt.NDArray[np.float32]
ENDINGS = (".npy", ".parquet")


def export(
    path: str | Path, texts: Sequence[str], vectors: Mapping[str, Vectors], overwrite: bool = False
) -> tuple[Path, str]:
    """Write the sentences' vectors by each encoder; returns the file, and in words how it is read.

    ``.parquet``: a row a sentence, with a column ``sentence`` and a column of lists for each encoder. ``.npy``: the
    same as a structured array, without pickle, so that ``numpy.load(path)[encoder]`` is ``(N, D)``.

    Raises:
        ValueError: another ending.
        FileExistsError: something is there already, and ``overwrite`` is not set.
        DiskError: the disk refuses.
    """
    place = checks.path("path", path).absolute()
    if place.suffix not in ENDINGS:
        raise ValueError(
            f"{place.name!r} ends in {place.suffix or 'nothing'!r}; name a file that ends in .npy or .parquet"
        )
    overwrite = checks.flag("overwrite", overwrite)
    if place.is_dir():
        raise ValueError(f"{place} is a folder; name a file in it, such as {place / 'vectors.npy'}")
    if place.exists() and not overwrite:
        raise FileExistsError(f"{place} is there already and is left as it is; name another, or ask to replace it")
    first = next(iter(vectors))
    if place.suffix == ".npy":
        write_whole(place, lambda draft: _npy(draft, texts, vectors), parents=True)
        how = f"numpy.load({place.name!r})[{first!r}] is {vectors[first].shape}"
    else:
        write_whole(place, lambda draft: _parquet(draft, texts, vectors), parents=True)
        how = f"pandas.read_parquet({place.name!r}) has the columns {', '.join(['sentence', *vectors])}"
    return place, how


def _npy(draft: Path, texts: Sequence[str], vectors: Mapping[str, Vectors]) -> None:
    longest = max(1, *(len(text) for text in texts))
    fields = [(name, "<f4", (found.shape[1],)) for name, found in vectors.items()]
    table = np.zeros(len(texts), dtype=[("sentence", f"<U{longest}"), *fields])
    table["sentence"] = texts
    for name, found in vectors.items():
        table[name] = found
    with open(draft, "wb") as file:
        np.save(file, table, allow_pickle=False)


def _parquet(draft: Path, texts: Sequence[str], vectors: Mapping[str, Vectors]) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = {
        name: pyarrow.array(list(found), type=pyarrow.list_(pyarrow.float32())) for name, found in vectors.items()
    }
    parquet.write_table(pyarrow.table({"sentence": pyarrow.array(texts), **columns}), draft)


class VectorExport(widgets.VBox):  # type: ignore[misc]
    """A line for a file, a tick to replace it, and a button."""

    def __init__(self, write: Callable[[str, bool], object]) -> None:
        """``write`` is called with what was typed and ticked; what it raises is said beside the button."""
        self._write = write
        self.path = widgets.Text(
            "vectors.npy",
            description="vectors to",
            tooltip="A file that ends in .npy or .parquet.",
            style=LABEL,
            layout=widgets.Layout(width="404px"),
        )
        self.path.add_class("clwork-path")
        self.replace = widgets.Checkbox(
            False, indent=False, description="replace a file", layout=widgets.Layout(width="120px")
        )
        self.go = button("Export", "Write the vectors of your sentences to the file.", "export", self._clicked)
        self.told = widgets.HTML()
        super().__init__([widgets.HBox([self.path, self.go, self.replace]), self.told])

    def _clicked(self) -> None:
        try:
            self._write(self.path.value.strip(), self.replace.value)
        except Exception as error:  # of any kind: it is the reader's path
            self.told.value = messages.failure(explain(error))
