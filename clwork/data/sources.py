"""Corpora with a name of their own, and the reference by which a run's recipe stores any corpus."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .._validation import checked, shown
from .corpus import Examples

KindOfExamples = Literal["sentences", "triplets"]


@dataclass(frozen=True)
class CorpusSource:
    """A corpus that :func:`clwork.data.sentences` or :func:`clwork.data.triplets` reads by its name.

    Attributes:
        name: what ``clwork.data.sentences`` takes and recipes store.
        title: one line about it in the panel.
        read: returns all its examples, :class:`.Sentences` or :class:`.Triplets`; it may import what it needs.
        kind: which of the two.
        licence: of the text; ``.licence`` of what is read.
        credit: one line of HTML, shown wherever its sentences are.
        choice: what the panel's list calls it, its name unless given.
        key: what a line of the panel's settings calls it, its name unless given.
        public: whether its text is public. A run's folder of unknown origin can name a source: one that is not public
            is then read only if the folder has its fingerprint, as with a file.
    """

    name: str
    title: str
    read: Callable[[], Examples[Any]] = field(repr=False, compare=False)
    kind: KindOfExamples = "sentences"
    licence: str | None = None
    credit: str = ""
    choice: str = ""
    key: str = ""
    public: bool = False

    def __post_init__(self) -> None:
        for attribute in ("choice", "key"):
            object.__setattr__(self, attribute, getattr(self, attribute) or self.name)

    def examples(self) -> Examples[Any]:
        """Read all examples; their ``.source`` and ``.licence`` are set to this source's."""
        examples = copy.copy(self.read())
        examples.source = {"source": self.name} | ({"kind": self.kind} if self.kind != "sentences" else {})
        examples.licence = self.licence
        return examples


DEFAULT, DEFAULT_TRIPLETS = "wikipedia-mini", "handwritten"
SOURCES: dict[str, CorpusSource] = {}
"""All corpora that have a name, by it; the modules that read them call :func:`register_source`."""


@checked()
def register_source(source: CorpusSource) -> CorpusSource:
    """Register a corpus by name, in this process, for ``clwork.data.sentences``, panels and runs' folders.

    Registering a name again replaces the earlier corpus; built-in ones cannot be replaced.

    Raises:
        TypeError: something else than a :class:`CorpusSource`.
        ValueError: a built-in corpus has this name, or another corpus has its key of settings.
    """
    for known in SOURCES.values():
        replaced = known == source or (known.name == source.name and known.name not in (DEFAULT, DEFAULT_TRIPLETS))
        if not replaced and {source.name, source.key} & {known.name, known.key}:
            raise ValueError(
                f"there is a corpus {known.name!r} already (key {known.key!r}); give this one another name"
            )
    SOURCES[source.name] = source
    return source


def named(source: object, kind: KindOfExamples = "sentences") -> CorpusSource | None:
    """Look up a source by name and kind; None if there is none."""
    known = SOURCES.get(source) if isinstance(source, str) else None
    return known if known is not None and known.kind == kind else None


def sources_of(*kinds: str) -> list[CorpusSource]:
    """List the sources of these kinds, the default ones first."""
    own = [source for source in SOURCES.values() if source.kind in kinds]
    return sorted(own, key=lambda source: source.name not in (DEFAULT, DEFAULT_TRIPLETS))


@dataclass(frozen=True)
class CorpusRef:
    """What a run is trained on, as its recipe stores it.

    Attributes:
        source: argument of :func:`clwork.data.sentences` that reads the same examples again; None if there is none.
        file: the file of the run's folder that holds the examples instead.
        unknown: a description of the examples, where neither leads back to them.
        count: how many there are, where that is stored.
    """

    source: Mapping[str, Any] | None = None
    file: str | None = None
    unknown: str | None = None
    count: int | None = None

    @classmethod
    def from_json(cls, stored: object) -> CorpusRef:
        """Read what a recipe stores; unknown names are ignored.

        Raises:
            ValueError: it is no object, or its source or file is of another kind.
        """
        if not isinstance(stored, Mapping):
            raise ValueError("a corpus is an object with a source, a file or neither")
        source, file = stored.get("source"), stored.get("file")
        unknown, count = stored.get("unknown"), stored.get("count")
        if isinstance(source, str):
            source = {"source": source}
        if not isinstance(source, Mapping | None) or not isinstance(file, str | None):
            raise ValueError(f"source is {shown(source)}, file {shown(file)}; an object and a name belong there")
        unknown = None if unknown is None else str(unknown)
        return cls(source, file, unknown, count if isinstance(count, int) else None)

    def to_json(self) -> dict[str, Any]:
        """Return what a recipe stores, without the empty fields."""
        return {name: value for name, value in vars(self).items() if value is not None}

    @property
    def name(self) -> str | None:
        """The name of a source, the path of a file or the name of a data set; None where there is no source."""
        name = None if self.source is None or self.file else self.source.get("source")
        return None if name is None else str(name)

    @property
    def column(self) -> str:
        """The column of a table that holds the sentences; empty where it is found automatically."""
        return str((self.source or {}).get("column") or "")

    @property
    def is_plain(self) -> bool:
        """Whether name and column describe it fully: default split, not sliced, not streamed."""
        return self.name not in (None, "list") and set(self.source or ()) <= {"source", "column"}

    @property
    def label(self) -> str:
        """The corpus in words: ``wikipedia-mini``, ``600 sentences of wikipedia-mini``."""
        source = self.source or {}
        if (self.name and not source.get("steps")) or (self.unknown and not source):
            return str(self.name or self.unknown)
        count = "some" if self.count is None else f"{self.count:,}"
        kind = "examples" if self.file else self.kind_of_examples or "sentences"
        return f"{count} {kind} of {self.name or 'its own'}"

    @property
    def kind_of_examples(self) -> KindOfExamples | None:
        """Kind of examples by the source; None if only the examples show it."""
        if self.source is None or self.file:
            return None
        return "triplets" if self.source.get("kind") == "triplets" else "sentences"

    @property
    def named_source(self) -> CorpusSource | None:
        """Its entry in :data:`SOURCES`; None for a file, a data set of the hub, and examples without a name."""
        return named(self.name, self.kind_of_examples or "sentences")

    @property
    def licence(self) -> str | None:
        """Licence of the text, where the source has a name of its own."""
        return None if self.named_source is None else self.named_source.licence

    @property
    def credit(self) -> str:
        """One line of HTML that names the text's authors; empty without a named source."""
        return "" if self.named_source is None else self.named_source.credit
