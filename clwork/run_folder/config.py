"""The configuration of a run, stored as ``run.json``: all settings and sources needed to repeat the run."""

from __future__ import annotations

import copy
import hashlib
import json
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, PlainValidator, TypeAdapter, ValidationError

from .. import _validation, data
from ..data.sources import CorpusRef
from ..data.tables import full_path
from ..encoders import Encoder, load_encoder
from ..encoders.text_cnn import PREFIX
from ..encoders.word_embeddings import ENDING
from ..events import Event
from .files import RUN, SENTENCES, START
from .folder import RunFolder
from .schema import MOST_STEPS, Parent, Text, Value, Whole, Word, first_fault

FORMAT = 4
Positive = Annotated[int, Field(ge=1, le=MOST_STEPS)]


@dataclass(frozen=True)
class RunConfig:
    """All settings needed to repeat a run, together with the files in its folder. Paths are absolute."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    name: Word
    method: Word
    encoder: Text  # a name for clwork.load_encoder, or "./start" for a copy in the folder
    sentences: Annotated[
        CorpusRef, PlainValidator(CorpusRef.from_json)
    ]  # a source, or texts in the folder
    config: dict[Word, Value]  # hyperparameters
    steps: Positive
    seed: Whole
    sts: Text | None
    probe_every: Positive | None
    eval_every: Positive
    checkpoint_every: Positive
    device: Word | None
    keep_every: Positive | None = None
    graph_memory: Annotated[int, Field(ge=0, le=MOST_STEPS)] = 0  # MiB, see clwork.start
    created: Word = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    defined_in: Word = (
        ""  # module of the method's class, which a new kernel must import for a user's own method
    )
    versions: dict[Word, Word] = field(default_factory=dict)
    precision: Annotated[str, Field(pattern="^(float32|bfloat16|float16)$")] = (
        "float32"  # resolved when the run began
    )
    precision_why: Text = ""
    fingerprints: dict[Word, Word] = field(
        default_factory=dict
    )  # of external resources when they were first read
    parent: Parent | None = None  # set for a fork
    frozen: list[Word] = field(
        default_factory=list
    )  # parameters of a given encoder that are not to be trained
    first_seed: Whole | None = (
        None  # set for a fork with a new seed: the seed of the initial weights
    )

    @property
    def weights_seed(self) -> int:
        """Seed of the initial weights that are not read from a file."""
        return self.seed if self.first_seed is None else self.first_seed

    def keeps(self, step: int) -> bool:
        return self.keep_every is not None and step > 0 and step % self.keep_every == 0

    def write(self, folder: RunFolder) -> None:
        parent = None if self.parent is None else self.parent.model_dump()
        values = asdict(self) | {
            "sentences": self.sentences.to_json(),
            "parent": parent,
            "format": FORMAT,
        }
        folder.write_json(RUN, values)

    @staticmethod
    def read(folder: RunFolder) -> RunConfig:
        """Read ``run.json``; FileNotFoundError without it, ValueError if it is damaged or of another format."""
        if not folder.has(RUN):
            raise FileNotFoundError(f"{folder.path} holds no run: it has no {RUN}")
        stored = folder.read_json(RUN)
        if (version := stored.pop("format", None)) != FORMAT:
            raise ValueError(
                f"{folder.path / RUN} has format {str(version)[:20]}, but this clwork reads {FORMAT}; open the run "
                "with the version of clwork that wrote it, or train it again"
            )
        try:
            return CHECKER.validate_json(json.dumps(stored))
        except ValidationError as error:
            raise ValueError(first_fault(error, folder.path / RUN)) from None

    def changes(self, what: str, thing: Any) -> list[Event]:
        """Store the fingerprint of the encoder or of the examples; warn, and return an event, if it has changed."""
        found, known = fingerprint(thing), self.fingerprints.get(what)
        self.fingerprints[what] = found
        if known in (None, found):
            return []
        warnings.warn(
            f"the {what} of {self.name} changed since the run began, so it continues as another run; its history "
            "records this",
            stacklevel=2,
        )
        return [{"changed": what}]


CHECKER = TypeAdapter(RunConfig)


def fingerprint(thing: Any) -> str:
    """Return a digest of an encoder (weights, pooling, tokenizer), of all examples, or of a stream's source."""
    texts = isinstance(thing, Sequence) and len(thing) and isinstance(thing[0], str)
    if texts and not isinstance(thing, data.Sentences):
        thing = data.Sentences(thing)  # a list has the fingerprint of its copy in a run's folder
    if hasattr(thing, "fingerprint"):
        return str(thing.fingerprint())
    if not isinstance(thing, Sequence):
        return ""
    digest = hashlib.blake2b(digest_size=16)
    for example in thing:
        digest.update(
            json.dumps(example, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        )
    return digest.hexdigest()


def keep_sentences(sentences: Any, folder: RunFolder) -> CorpusRef:
    """Return a reference to the examples' source; copy examples without a source into the folder."""
    source = getattr(sentences, "source", None)
    if source and source.get("source") != "list":
        cut = source.get("steps") and isinstance(sentences, Sequence)
        return CorpusRef(source, count=len(sentences) if cut else None)
    if not isinstance(sentences, Sequence):
        return CorpusRef(unknown=f"a {type(sentences).__name__}; pass it to clwork.resume again")
    labels, groups = getattr(sentences, "labels", None), getattr(sentences, "groups", None)
    columns = {"example": list(sentences), "label": labels, "group": groups}
    given = {key: column for key, column in columns.items() if column is not None}
    folder.write_lines(
        SENTENCES, (dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True))
    )
    return CorpusRef(file=SENTENCES, count=len(sentences))


def read_sentences(reference: CorpusRef, folder: RunFolder) -> Sequence[Any] | Iterable[Any]:
    """Read the examples of a reference made by :func:`keep_sentences`."""
    if reference.file is not None:
        rows = list(folder.lines(SENTENCES))
        try:
            examples = [row["example"] for row in rows]
            if not isinstance(examples[0], str):
                return [tuple(example) for example in examples]
            columns = [
                [row[key] for row in rows] if key in rows[0] else None for key in ("label", "group")
            ]
        except (LookupError, TypeError) as error:
            raise ValueError(
                f"{folder.path / SENTENCES} is damaged: {type(error).__name__}: {error}"
            ) from error
        return data.Sentences(examples, labels=columns[0], groups=columns[1])
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
    if str(name).startswith(PREFIX):
        vectors = _validation.path("encoder", str(name).removeprefix(PREFIX))
        return (
            f"{PREFIX}{full_path(vectors)}"
            if vectors.suffix.lower() == ENDING and vectors.exists()
            else str(name)
        )
    path = _validation.path("encoder", name)
    return (
        str(path.resolve())
        if isinstance(name, Path) or (path.exists() and str(name) != "mini")
        else str(name)
    )


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
