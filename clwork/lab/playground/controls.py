"""The playground's controls: sentences typed or from a file, one changed sentence, and vectors written to a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt

from ... import checks
from ...disk import write_whole
from ...wording import explain, plural
from ..page import messages
from ..page.widgets import LABEL, button

MOST = 30  # sentences; more make no readable matrix
MOST_BYTES = 1 << 20  # of a file


class TypedSentences(widgets.VBox):  # type: ignore[misc]
    """Sentences, one a line; the lines of a file replace them."""

    def __init__(self, texts: Sequence[str], announce: Callable[[str], None]) -> None:
        """Begin with ``texts``; ``announce`` receives the outcome of reading a file."""
        self._announce = announce
        about = f"Sentences of your own, one a line, 2 to {MOST}."
        layout = widgets.Layout(width="812px", height="130px")
        self.box = widgets.Textarea(
            "\n".join(texts), description="sentences", tooltip=about, style=LABEL, layout=layout
        )
        self.box.add_class("clwork-sentences")
        self.file = widgets.FileUpload(
            accept=".txt",
            multiple=False,
            description="from a file",
            layout=widgets.Layout(width="170px"),
            tooltip="A text file in UTF-8, one sentence a line.",
        )
        self.file.add_class("clwork-file")
        self.file.observe(lambda change: self._take(change["new"]), names="value")
        super().__init__([self.box, self.file])

    def read(self) -> list[str]:
        """The sentences in the box.

        Raises:
            ValueError: fewer than two, or more than can be shown.
        """
        typed = [line.strip() for line in self.box.value.splitlines() if line.strip()]
        if not 2 <= len(typed) <= MOST:
            raise ValueError(
                f"{plural(len(typed), 'sentence was', 'sentences were')} given; give 2 to {MOST}, one a line"
            )
        return typed

    def _take(self, files: Sequence[Any]) -> None:
        """Read an uploaded file, and reset the control, so that the same file can be uploaded again."""
        if not files:
            return
        try:
            self._announce(self._lines(files[0]))
        except ValueError as error:
            self._announce(str(error))
        self.file.value = ()

    def _lines(self, file: Any) -> str:
        name, content = str(file["name"]), bytes(file["content"])
        if len(content) > MOST_BYTES:
            raise ValueError(f"{name} has {len(content):,} bytes; give a text of at most {MOST_BYTES:,}")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ValueError(f"{name} is no text in UTF-8; save it as plain text in UTF-8") from None
        if "\0" in text:
            raise ValueError(f"{name} holds binary data (a zero byte), not text; save it as plain text in UTF-8")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines:
            raise ValueError(f"{name} holds no sentence; what was there is left as it was")
        self.box.value = "\n".join(lines[:MOST])
        left = f"; the first {MOST} of its {len(lines):,} are taken" if len(lines) > MOST else ""
        return f"{name} is read{left}. Press Compare."


class WordEdit(widgets.VBox):  # type: ignore[misc]
    """A drop-down of the sentences, a line to change the chosen one in, and a button."""

    def __init__(self, act: Callable[[], object]) -> None:
        """``act`` is called by the button."""
        self.row = widgets.Dropdown(
            description="sentence",
            options=[("–", 0)],
            tooltip="The sentence to change.",
            style=LABEL,
            layout=widgets.Layout(width="700px"),
        )
        self.row.add_class("clwork-edited")
        self.line = widgets.Text(
            description="changed to",
            tooltip="Change a word, and see what moves.",
            style=LABEL,
            layout=widgets.Layout(width="700px"),
        )
        self.line.add_class("clwork-edit")
        self.go = button("What moves?", "Encode the changed sentence and show what moves.", "move", act)
        self.go.disabled, self.go.layout.width = True, "112px"
        self.outcome = widgets.HTML()
        super().__init__([self.row, widgets.HBox([self.line, self.go]), self.outcome])
        self.row.observe(lambda _: self._fill(), names="index")

    def offer(self, texts: Sequence[str]) -> None:
        """List these sentences; the outcome for others is cleared."""
        self.outcome.value = ""
        options = [(f"{place + 1}. {text}", place) for place, text in enumerate(texts)]
        if list(self.row.options) != options:
            self.row.options = options
            self._fill()
        self.go.disabled = False

    def _fill(self) -> None:
        self.line.value = self.row.label.partition(". ")[2] if self.row.label else ""


Vectors = npt.NDArray[np.float32]
ENDINGS = (".npy", ".parquet")


def export(
    path: str | Path, texts: Sequence[str], vectors: Mapping[str, Vectors], overwrite: bool = False
) -> tuple[Path, str]:
    """Write the sentences' vectors by each encoder; return the file, and a sentence on how to read it.

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
    fields = [(name, "<f4", (matrix.shape[1],)) for name, matrix in vectors.items()]
    table = np.zeros(len(texts), dtype=[("sentence", f"<U{longest}"), *fields])
    table["sentence"] = texts
    for name, matrix in vectors.items():
        table[name] = matrix
    with open(draft, "wb") as file:
        np.save(file, table, allow_pickle=False)


def _parquet(draft: Path, texts: Sequence[str], vectors: Mapping[str, Vectors]) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = {
        name: pyarrow.array(list(matrix), type=pyarrow.list_(pyarrow.float32())) for name, matrix in vectors.items()
    }
    parquet.write_table(pyarrow.table({"sentence": pyarrow.array(texts), **columns}), draft)


class VectorExport(widgets.VBox):  # type: ignore[misc]
    """A line for a file, a tick to replace it, and a button."""

    def __init__(self, write: Callable[[str, bool], object]) -> None:
        """``write`` receives the path and the tick; its errors are shown below the button."""
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
        self.outcome = widgets.HTML()
        super().__init__([widgets.HBox([self.path, self.go, self.replace]), self.outcome])

    def _clicked(self) -> None:
        try:
            self._write(self.path.value.strip(), self.replace.value)
        except Exception as error:  # of any kind: it is the reader's path
            self.outcome.value = messages.failure(explain(error))
