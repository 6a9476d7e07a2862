"""What a run is made of, as it is written down in the run's folder from its first step."""

from __future__ import annotations

import copy
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import data
from ..data.settings import RECIPE
from ..data.settings import runs_folder as runs_folder  # found here by those who keep runs
from ..encoders import Encoder, load_encoder

FORMAT = 1
SENTENCES, START = "sentences.jsonl", "start"


@dataclass
class Recipe:
    """All that is needed, with the run's folder, to do the run again.

    ``encoder`` is a name for :func:`clwork.load_encoder`, or ``"./start"`` for a copy kept in the folder; ``sentences``
    is what :func:`clwork.data.sentences` takes, or ``{"file": "sentences.jsonl"}`` for texts kept in the folder.
    ``precision`` is what the configuration's came to when the run began, and ``precision_why`` says why: a resumed run
    goes on with it, wherever it is resumed.
    """

    name: str
    method: str
    encoder: str
    sentences: dict[str, Any]
    config: dict[str, Any]
    steps: int
    seed: int
    sts: str | None
    probe_every: int | None
    eval_every: int
    checkpoint_every: int
    device: str | None
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    defined_in: str = ""  # module of the method's class: what a fresh kernel must import for a method of one's own
    versions: dict[str, str] = field(default_factory=dict)
    precision: str = ""  # of runs from before there was "auto": see __post_init__
    precision_why: str = ""
    format: int = FORMAT

    def __post_init__(self) -> None:
        self.precision = self.precision or self.config.get("precision", "float32")

    def write(self, folder: Path) -> None:
        """Write ``run.json``."""
        (folder / RECIPE).write_text(json.dumps(asdict(self), indent=1) + "\n")

    @staticmethod
    def read(folder: Path) -> Recipe:
        """Read ``run.json``.

        Raises:
            FileNotFoundError: the folder holds no run.
            ValueError: a later clwork wrote it.
        """
        path = folder / RECIPE
        if not path.exists():
            raise FileNotFoundError(f"{folder} holds no run: there is no {RECIPE} in it")
        stored = json.loads(path.read_text())
        if stored.get("format") != FORMAT:
            raise ValueError(f"{path} has format {stored.get('format')!r}, this clwork reads {FORMAT}; update clwork")
        return Recipe(**stored)


def new_folder(method: str, name: str | None, folder: str | Path | None) -> Path:
    """Make the folder of a new run; never one that already holds something.

    Raises:
        ValueError: the name would leave the runs' folder.
        FileExistsError: the folder is not empty.
    """
    if name is not None and not re.fullmatch(r"[\w][\w.+-]*", name):
        raise ValueError(f"name={name!r} cannot name a folder; use letters, digits, '.', '_', '+' and '-'")
    if folder is None and name is None:
        for number in itertools.count(1):
            path = runs_folder() / f"{method}-{number:03d}"
            try:
                path.mkdir(parents=True)
            except FileExistsError:
                continue
            return path
    path = Path(folder) if folder is not None else runs_folder() / str(name)
    if path.exists() and any(path.iterdir()):
        raise FileExistsError(f"{path} is not empty; give another name or folder, or clwork.resume({str(path)!r})")
    path.mkdir(parents=True, exist_ok=True)
    return path


def keep_sentences(sentences: Any, folder: Path) -> dict[str, Any]:
    """Describe where the examples come from; texts without a source of their own are copied into the folder."""
    source = getattr(sentences, "source", None)
    if source and source.get("source") != "list":
        return {"source": source, "fingerprint": sentences.fingerprint() if hasattr(sentences, "fingerprint") else None}
    if not isinstance(sentences, Sequence):
        return {"unknown": f"a {type(sentences).__name__}; give it to clwork.resume again"}
    labels, groups = getattr(sentences, "labels", None), getattr(sentences, "groups", None)
    columns = {"example": list(sentences), "label": labels, "group": groups}
    given = {key: column for key, column in columns.items() if column is not None}
    with open(folder / SENTENCES, "w", encoding="utf-8") as out:
        for row in zip(*given.values(), strict=True):
            out.write(json.dumps(dict(zip(given, row, strict=True)), ensure_ascii=False) + "\n")
    return {"file": SENTENCES}


def read_sentences(kept: dict[str, Any], folder: Path) -> Sequence[Any] | Iterable[Any]:
    """The examples that :func:`keep_sentences` described.

    Raises:
        ValueError: they cannot be had again, or have changed since.
    """
    if "file" in kept:
        with open(folder / kept["file"], encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        examples = [row["example"] for row in rows]
        if not isinstance(examples[0], str):
            return [tuple(example) for example in examples]
        columns = [[row[key] for row in rows] if key in rows[0] else None for key in ("label", "group")]
        return data.Sentences(examples, labels=columns[0], groups=columns[1])
    if "source" not in kept:
        raise ValueError(f"the run's examples were {kept.get('unknown')}")
    found = data.sentences(kept["source"])
    if isinstance(found, data.Sentences) and kept.get("fingerprint") not in (None, found.fingerprint()):
        raise ValueError(f"{kept['source']} is no longer what the run was trained on (its fingerprint differs)")
    return found


def keep_encoder(encoder: str | Path | Encoder, folder: Path) -> str:
    """Describe the encoder a run starts from; an object is saved into the folder, since no name leads back to it."""
    if isinstance(encoder, Encoder):
        encoder.save(folder / START)
        return f"./{START}"
    return str(encoder)


def read_encoder(kept: str | Encoder, folder: Path, device: str | None, seed: int) -> Encoder:
    """A fresh encoder to train: never the caller's own object, which stays as it was.

    ``seed`` draws the weights that no file holds, as those of a TextCNN given by name.
    """
    if isinstance(kept, Encoder):
        return copy.deepcopy(kept)
    return load_encoder(str(folder / START) if kept == f"./{START}" else kept, device=device, seed=seed)
