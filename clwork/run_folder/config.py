"""The configuration of a run, stored as ``run.json``: settings and sources to repeat the run."""

from __future__ import annotations

import copy
import hashlib
import json
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import _validation, data
from .._validation import MOST_SEED
from ..data.sources import CorpusRef
from ..encoders import Encoder, load_encoder
from ..encoders.text_cnn import PREFIX
from ..encoders.word_embeddings import ENDING
from ..events import Event
from ..settings import CHECKS, Value, adapter, build, hyper
from .files import RUN, SENTENCES, START
from .folder import RunFolder
from .schema import MOST_STEPS, Parent

FORMAT = 4
EVERY: dict[str, Any] = {"low": 1, "high": MOST_STEPS, "unit": "steps"}


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """All settings needed to repeat a run, with the files in its folder. Paths are absolute."""

    __pydantic_config__ = CHECKS

    name: str
    method: str
    # a name for clwork.load_encoder, or "./start" for a copy in the folder
    encoder: str
    # a source, or texts in the folder
    sentences: CorpusRef
    # the method's settings
    config: dict[str, Value | None]
    steps: int = hyper(300, "Optimizer steps of a run.", low=1, high=MOST_STEPS)
    seed: int = hyper(0, "Equal seeds give equal runs on a CPU.", low=0, high=MOST_SEED)
    sts: str | None
    probe_every: int | None = hyper(None, "Steps between measurements of the geometry.", **EVERY)
    eval_every: int = hyper(MISSING, "Steps between validations.", **EVERY)
    checkpoint_every: int = hyper(200, "Steps between checkpoints.", **EVERY)
    keep_every: int | None = hyper(None, "Steps between retained checkpoints.", **EVERY)
    graph_memory: int = hyper(
        1024, "Memory for the graphs of micro-batches.", low=0, high=MOST_STEPS, unit="MiB"
    )
    device: str | None
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    # module of the method's class, which a new kernel must import for a user's own method
    defined_in: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    # resolved when the run began
    precision: str = "float32"
    precision_why: str = ""
    # of encoder and sentences when they were first read
    fingerprints: dict[str, str] = field(default_factory=dict)
    # set for a fork
    parent: Parent | None = None
    # parameters of a given encoder that are not to be trained
    frozen: list[str] = field(default_factory=list)
    # set for a fork with a new seed: the seed of the initial weights
    first_seed: int | None = None

    @property
    def weights_seed(self) -> int:
        """Seed of the initial weights that are not read from a file."""
        return self.seed if self.first_seed is None else self.first_seed

    def keeps(self, step: int) -> bool:
        return self.keep_every is not None and step > 0 and step % self.keep_every == 0

    def write(self, folder: RunFolder) -> None:
        """Write the configuration as ``run.json``."""
        values = adapter(RunConfig).dump_python(self, mode="json")
        folder.write_json(RUN, {**values, "format": FORMAT})

    @staticmethod
    def read(folder: RunFolder) -> RunConfig:
        """Read ``run.json``.

        Raises:
            FileNotFoundError: the folder holds no run.
            ValueError: the file is damaged, or of another version of clwork.
        """
        if not folder.has(RUN):
            raise FileNotFoundError(f"{folder.path} holds no run: it has no {RUN}")
        stored = folder.read_json(RUN)
        version = stored.pop("format", None)
        if version != FORMAT:
            raise ValueError(
                f"{folder.path / RUN} has format {version}, but this clwork reads {FORMAT}; open "
                "the run with the version of clwork that wrote it, or train it again"
            )
        try:
            return build(RunConfig, stored)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{folder.path / RUN} is damaged, or not from clwork: {error}"
            ) from None

    def changes(self, what: str, thing: Any) -> list[Event]:
        """Store a fingerprint of encoder or examples; warn, and return an event, if it changed."""
        known = self.fingerprints.get(what)
        self.fingerprints[what] = fingerprint(thing)
        if known in (None, self.fingerprints[what]):
            return []
        warnings.warn(
            f"the {what} of {self.name} changed since the run began, so it continues as another "
            "run; its history "
            "records this",
            stacklevel=2,
        )
        return [{"changed": what}]


def fingerprint(thing: Any) -> str:
    """Return a digest of an encoder, of all examples, or of a stream's source."""
    is_texts = isinstance(thing, Sequence) and len(thing) and isinstance(thing[0], str)
    if is_texts and not isinstance(thing, data.Sentences):
        # a list has the fingerprint of its copy in a run's folder
        thing = data.Sentences(thing)
    if hasattr(thing, "fingerprint"):
        return str(thing.fingerprint())
    if not isinstance(thing, Sequence):
        return ""
    digest = hashlib.blake2b(digest_size=16)
    for example in thing:
        line = json.dumps(example, ensure_ascii=False) + "\n"
        digest.update(line.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def keep_sentences(sentences: Any, folder: RunFolder) -> CorpusRef:
    """Return a reference to the examples; copy those without a source into the folder."""
    source = getattr(sentences, "source", None)
    in_memory = isinstance(sentences, Sequence)
    if source and source.get("source") != "list":
        is_part = in_memory and source.get("steps")
        return CorpusRef(source, count=len(sentences) if is_part else None)
    if not in_memory:
        return CorpusRef(unknown=f"a {type(sentences).__name__}; pass it to clwork.resume again")
    columns = {
        "example": sentences,
        "label": getattr(sentences, "labels", None),
        "group": getattr(sentences, "groups", None),
    }
    present = {name: column for name, column in columns.items() if column is not None}
    values = zip(*present.values(), strict=True)
    folder.write_lines(SENTENCES, (dict(zip(present, row, strict=True)) for row in values))
    return CorpusRef(file=SENTENCES, count=len(sentences))


def read_sentences(reference: CorpusRef, folder: RunFolder) -> Sequence[Any] | Iterable[Any]:
    """Read the examples of a reference made by :func:`keep_sentences`."""
    if reference.file is not None:
        rows = list(folder.lines(SENTENCES))
        examples = [row["example"] for row in rows]
        if not isinstance(examples[0], str):
            return [tuple(example) for example in examples]
        labels = [row["label"] for row in rows] if "label" in rows[0] else None
        groups = [row["group"] for row in rows] if "group" in rows[0] else None
        return data.Sentences(examples, labels=labels, groups=groups)
    if reference.source is None:
        raise ValueError(
            f"the run's folder does not hold its examples, {str(reference.unknown)[:200]}"
        )
    return data.sentences(reference.source)


def keep_encoder(encoder: str | Encoder, folder: RunFolder) -> str:
    """Return the encoder's name for the configuration; save an encoder object into the folder."""
    if isinstance(encoder, Encoder):
        folder.keep_encoder(START, lambda: encoder)
        return f"./{START}"
    return encoder


def absolute(name: str | Path) -> str:
    """Return the absolute path of an existing file or folder; return any other name unchanged."""
    text = str(name)
    if text.startswith(PREFIX):
        vectors = _validation.path("encoder", text.removeprefix(PREFIX))
        is_file = vectors.suffix.lower() == ENDING and vectors.exists()
        return f"{PREFIX}{vectors.absolute()}" if is_file else text
    path = _validation.path("encoder", name)
    is_path = isinstance(name, Path) or (path.exists() and text != "mini")
    return str(path.resolve()) if is_path else text


def read_encoder(given: str | Encoder, folder: RunFolder, device: str | None, seed: int) -> Encoder:
    """Return an encoder to train: a copy of the caller's object, or the encoder loaded by name."""
    if isinstance(given, Encoder):
        return copy.deepcopy(given)
    if given != f"./{START}":
        return load_encoder(given, device=device, seed=seed)
    if not folder.has_folder(START):
        raise FileNotFoundError(
            f"{folder.path} has no folder {START!r} with the start encoder; restore it"
        )
    return load_encoder(folder.path / START, device=device, seed=seed)
