"""The configuration of a run, stored as ``run.json``: settings and sources to repeat the run."""

from __future__ import annotations

import copy
import hashlib
import json
import warnings
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import _validation, data
from .._validation import MOST_SEED
from ..data.sources import CorpusRef
from ..encoders import Encoder, load_encoder
from ..events import Event
from ..settings import CHECKS, Value, adapter, build, hyper
from .files import RUN, SENTENCES, START
from .folder import RunFolder
from .schema import MOST_STEPS, Parent

# version of run.json; a file of another version is refused
FORMAT = 4
# arguments of hyper for a number of steps between two events
EVERY: dict[str, Any] = {"low": 1, "high": MOST_STEPS, "unit": "steps"}


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """All settings needed to repeat a run, together with the files in its folder.

    Attributes:
        name: name of the run and of its folder.
        method: name of the method.
        encoder: a name for :func:`clwork.load_encoder`, an absolute path, or ``"./start"`` for a
            copy in the folder.
        sentences: a source of examples, or a reference to their copy in the folder.
        config: the method's settings by name.
        sts: absolute path of a folder of STS tasks, ``"hub"``, or None for the folder given to
            :func:`clwork.data.remember_sts`.
        eval_every: steps between validations; the other numbers of steps have a default.
        device: the device that the user has chosen; None: a GPU if there is one.
        created: date and time of the start, in UTC.
        defined_in: module of the method's class, which a new kernel must import for a user's own
            method.
        versions: versions of the packages and parts of clwork on which the run's numbers depend.
        precision: number format of the forward pass, resolved when the run began.
        precision_why: the reason for this format.
        fingerprints: digests of ``"encoder"`` and ``"sentences"`` when they were last read.
        parent: the run and step that a fork continues from; None for other runs.
        frozen: names of the parameters of a given encoder that are not to be trained.
        first_seed: for a fork with a new seed, the seed of the initial weights; otherwise None.
    """

    __pydantic_config__ = CHECKS

    name: str
    method: str
    encoder: str
    sentences: CorpusRef
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
    defined_in: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    precision: str = "float32"
    precision_why: str = ""
    fingerprints: dict[str, str] = field(default_factory=dict)
    parent: Parent | None = None
    frozen: list[str] = field(default_factory=list)
    first_seed: int | None = None

    @property
    def weights_seed(self) -> int:
        """Seed of the initial weights that are not read from a file."""
        return self.seed if self.first_seed is None else self.first_seed

    def keeps(self, step: int) -> bool:
        """Whether the checkpoint of ``step`` is retained for :meth:`.Run.fork`."""
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
        """Store the fingerprint of what was read; warn, and return an event, if it has changed.

        Args:
            what: ``"encoder"`` or ``"sentences"``.
            thing: the encoder, or the examples.
        """
        known = self.fingerprints.get(what)
        self.fingerprints[what] = fingerprint(thing)
        # None: nothing was read before
        if known in (None, self.fingerprints[what]):
            return []
        warnings.warn(
            f"the {what} of {self.name} changed since the run began, so it continues as another "
            "run; its history records this",
            stacklevel=2,
        )
        return [{"changed": what}]


def fingerprint(thing: Any) -> str:
    """Return a digest of an encoder, or of all examples."""
    has_texts = isinstance(thing, Sequence) and len(thing) and isinstance(thing[0], str)
    if has_texts and not isinstance(thing, data.Sentences):
        # as after a resume, which reads the copy in the run's folder
        thing = data.Sentences(thing)
    if hasattr(thing, "fingerprint"):
        return str(thing.fingerprint())
    # pairs or triplets
    digest = hashlib.blake2b(digest_size=16)
    for example in thing:
        line = json.dumps(example, ensure_ascii=False) + "\n"
        digest.update(line.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def keep_sentences(sentences: Any, folder: RunFolder) -> CorpusRef:
    """Return a reference to the examples; copy those without a source into the folder."""
    source = getattr(sentences, "source", None)
    # a list is a source that nothing can read again
    if source and source.get("source") != "list":
        return CorpusRef(source, count=len(sentences) if source.get("steps") else None)

    # a line for each example, such as {"example": "The river is long.", "label": "water"}
    columns = {
        "example": sentences,
        "label": getattr(sentences, "labels", None),
        "group": getattr(sentences, "groups", None),
    }
    present = {name: column for name, column in columns.items() if column is not None}
    rows = zip(*present.values(), strict=True)
    folder.write_lines(SENTENCES, (dict(zip(present, row, strict=True)) for row in rows))
    return CorpusRef(file=SENTENCES, count=len(sentences))


def read_sentences(reference: CorpusRef, folder: RunFolder) -> Sequence[Any]:
    """Read the examples of a reference made by :func:`keep_sentences`."""
    if reference.file is not None:
        rows = list(folder.lines(SENTENCES))
        examples = [row["example"] for row in rows]
        if not isinstance(examples[0], str):
            # pairs or triplets, which JSON has as lists
            return [tuple(example) for example in examples]
        labels = [row["label"] for row in rows] if "label" in rows[0] else None
        groups = [row["group"] for row in rows] if "group" in rows[0] else None
        return data.Sentences(examples, labels=labels, groups=groups)
    assert reference.source is not None
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
    path = _validation.path("encoder", name)
    # the bundled encoder is meant even in a folder that has a file of its name
    is_path = isinstance(name, Path) or (path.exists() and text != "mini")
    return str(path.resolve()) if is_path else text


def read_encoder(
    source: str | Encoder, folder: RunFolder, device: str | None, seed: int
) -> Encoder:
    """Return an encoder to train: a copy of the caller's object, or the encoder loaded by name.

    Args:
        source: an encoder, or the value of :attr:`RunConfig.encoder`.
        folder: the run's folder, which has the encoder ``"./start"``.
        device: the device to load it to.
        seed: seed of weights that its files lack.
    """
    if isinstance(source, Encoder):
        return copy.deepcopy(source)
    if source != f"./{START}":
        return load_encoder(source, device=device, seed=seed)
    if not folder.has_folder(START):
        raise FileNotFoundError(
            f"{folder.path} has no folder {START!r} with the start encoder; restore it"
        )
    return load_encoder(folder.path / START, device=device, seed=seed)
