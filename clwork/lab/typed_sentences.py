"""A box for sentences of one's own: typed, pasted, or from a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from ..wording import plural
from .setting_controls import LABEL

MOST = 30  # sentences; more make no readable matrix
MOST_BYTES = 1 << 20  # of a file


class TypedSentences(widgets.VBox):  # type: ignore[misc]
    """Sentences, one a line; a file's lines take the place of what is there."""

    def __init__(self, texts: Sequence[str], say: Callable[[str], None]) -> None:
        """Begin with ``texts``; ``say`` hears what came of a file."""
        self._tell = say
        about = f"Sentences of your own, one a line, 2 to {MOST}."
        layout = widgets.Layout(width="812px", height="130px")
        self.box = widgets.Textarea(
            "\n".join(texts), description="sentences", tooltip=about, style=LABEL, layout=layout
        )
        self.box.add_class("clwork-sentences")
        self.file = widgets.FileUpload(
            accept=".txt", multiple=False, description="from a file", layout=widgets.Layout(width="170px"),
            tooltip="A text file in UTF-8, one sentence a line.",
        )  # fmt: skip
        self.file.add_class("clwork-file")
        self.file.observe(lambda change: self._take(change["new"]), names="value")
        super().__init__([self.box, self.file])

    def read(self) -> list[str]:
        """The sentences as they stand.

        Raises:
            ValueError: fewer than two, or more than can be shown.
        """
        typed = [line.strip() for line in self.box.value.splitlines() if line.strip()]
        if not 2 <= len(typed) <= MOST:
            raise ValueError(
                f"{plural(len(typed), 'sentence was', 'sentences were')} given; give 2 to {MOST}, one a line"
            )
        return typed

    def _take(self, given: Sequence[Any]) -> None:
        """Read what the page sent, and forget it, so that the same file can be sent again."""
        if not given:
            return
        try:
            self._tell(self._lines(given[0]))
        except ValueError as error:
            self._tell(str(error))
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
        found = [line.strip() for line in text.splitlines() if line.strip()]
        if not found:
            raise ValueError(f"{name} holds no sentence; what was there is left as it was")
        self.box.value = "\n".join(found[:MOST])
        left = f"; the first {MOST} of its {len(found):,} are taken" if len(found) > MOST else ""
        return f"{name} is read{left}. Press Compare."
