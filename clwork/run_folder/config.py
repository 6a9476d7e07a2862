"""The configuration of a run, stored as ``run.json``: settings and sources to repeat the run."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from .. import _validation, data
from .._validation import MOST_SEED
from ..data.sources import CorpusRef
from ..encoders import Encoder, load_encoder
from ..encoders.loading import BUNDLED
from ..settings import CHECKS, Value, adapter, build, hyper
from .files import COPIED, RUN, SENTENCES, START
from .folder import RunFolder

# the largest number of steps that a setting can have
MOST_STEPS = 10**9
# arguments of hyper for a number of steps between two events
EVERY: dict[str, Any] = {"low": 1, "high": MOST_STEPS, "unit": "steps"}


class Parent(BaseModel):
    """What a fork continues from: name of the run, step, and the settings that were changed.

    ``changed`` has the old and the new value by name, such as ``{"temperature": [0.05, 0.1]}``.
    """

    run: str
    step: int
    changed: dict[str, list[Value | None]]


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
        eval_every: steps between validations, or 0 for none; the other numbers have a default.
        device: the device that the user has chosen; None: a GPU if there is one.
        created: date and time of the start, in UTC.
        versions: versions of the packages and parts of clwork on which the run's numbers depend.
        precision: number format of the forward pass, resolved when the run began.
        precision_why: the reason for this format.
        fingerprints: digests of ``"encoder"`` and ``"sentences"`` when they were last read.
        parent: the run and step that a fork continues from; None for other runs.
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
    eval_every: int = hyper(MISSING, "Steps between validations; 0: none.", **EVERY | {"low": 0})
    checkpoint_every: int = hyper(200, "Steps between checkpoints.", **EVERY)
    keep_every: int | None = hyper(None, "Steps between retained checkpoints.", **EVERY)
    device: str | None
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    versions: dict[str, str] = field(default_factory=dict)
    precision: str = "float32"
    precision_why: str = ""
    fingerprints: dict[str, str] = field(default_factory=dict)
    parent: Parent | None = None

    def keeps(self, step: int) -> bool:
        """Whether the checkpoint of ``step`` is retained for :meth:`.Run.fork`."""
        return self.keep_every is not None and step > 0 and step % self.keep_every == 0

    def write(self, folder: RunFolder) -> None:
        """Write the configuration as ``run.json``."""
        folder.write_json(RUN, adapter(RunConfig).dump_python(self, mode="json"))

    @staticmethod
    def read(folder: RunFolder) -> RunConfig:
        """Read ``run.json``; FileNotFoundError if the folder holds no run."""
        if not folder.has(RUN):
            raise FileNotFoundError(f"folder={str(folder.path)!r} holds no run: it has no {RUN}")
        return build(RunConfig, folder.read_json(RUN))


def fingerprint(thing: Any) -> str:
    """Return a digest of an encoder, or of all examples."""
    if isinstance(thing, Encoder):
        return thing.fingerprint()
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
    content = {
        "examples": list(sentences),
        "labels": getattr(sentences, "labels", None),
        "groups": getattr(sentences, "groups", None),
    }
    folder.write_json(SENTENCES, content)
    return CorpusRef(file=SENTENCES, count=len(sentences))


def read_sentences(reference: CorpusRef, folder: RunFolder) -> Sequence[Any]:
    """Read the examples of a reference made by :func:`keep_sentences`."""
    if reference.file is not None:
        content = folder.read_json(SENTENCES)
        examples = content["examples"]
        if not isinstance(examples[0], str):
            # pairs or triplets, which JSON has as lists
            return [tuple(example) for example in examples]
        return data.Sentences(examples, labels=content["labels"], groups=content["groups"])
    assert reference.source is not None
    return data.sentences(reference.source)


def keep_encoder(encoder: str | Encoder, folder: RunFolder) -> str:
    """Return the encoder's name for the configuration; save an encoder object into the folder."""
    if isinstance(encoder, Encoder):
        folder.keep_encoder(START, lambda: encoder)
        return COPIED
    return encoder


def absolute(name: str | Path) -> str:
    """Return the absolute path of an existing file or folder; return any other name unchanged."""
    text = str(name)
    path = _validation.path("encoder", name)
    # a bundled encoder is meant even in a folder that has a file of its name
    is_path = isinstance(name, Path) or (path.exists() and text not in BUNDLED)
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
    named = folder.path / START if source == COPIED else source
    return load_encoder(named, device=device, seed=seed)
