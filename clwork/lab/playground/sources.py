"""The encoders that the playground compares, and the corpus that it searches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _validation
from ...arithmetic import unit_rows
from ...columns import strong_scores
from ...data import sentences
from ...data.sources import DEFAULT
from ...encoders import Encoder, load_encoder
from ...encoders.model_files import STRONG, strong_folder
from ...encoders.pooling import known_pooling
from ...run_folder.files import RUN
from ...run_folder.folder import RunFolder
from ...training import open_run
from ...training import runs as kernel_runs
from ...training.stored import RunLike, Stored, stored_runs
from ...wording import duration, plural

NOTHING, ELSEWHERE = "nothing", "elsewhere"
RAW, BEFORE, AFTER = "raw:", "before:", "after:"
LEAST, MOST = 10, 100_000  # sentences
AT_ONCE = 256  # sentences encoded between two checks for Stop
ENCODERS = 4  # the corpus vectors of the last encoders are cached
Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Side:
    """An encoder, and its name in tables and pictures."""

    name: str
    encoder: Encoder

    def mean_of_layers(self) -> Side | None:
        """Return the encoder with the mean of its first and last layer; None unless its own pooling reads [CLS]."""
        if not known_pooling(self.encoder.pooling).reads_first_token:
            return None
        return Side(f"{self.name}, mean of first and last layer", self.encoder.with_pooling("first_last"))


@dataclass
class EncoderChoice:
    """The choice of a listed encoder, or of a folder or hub name that the reader types."""

    optional: bool = False
    value: str = ""
    place: str = ""
    options: list[tuple[str, str]] = field(default_factory=list)

    @property
    def label(self) -> str:
        return next((label for label, value in self.options if value == self.value), "")

    @property
    def chosen(self) -> tuple[str, str]:
        """The chosen value, and the typed folder or hub name if the value needs one."""
        return self.value, self.place.strip() if self.value == ELSEWHERE else ""

    def choose(self, value: str, place: str = "") -> None:
        if value not in [known for _, known in self.options]:
            raise ValueError(f"{value!r} is not among the encoders; choose one from the list")
        self.value, self.place = value, place

    def offer(self, raw: str, runs: Mapping[str, RunLike], wish: str | None = None) -> None:
        """Update the options; choose ``wish`` if it is an option, else do not change the choice."""
        options = [("none: show one encoder", NOTHING)] if self.optional else []
        options.append((f"{raw}, without further training", f"{RAW}{raw}"))
        for folder, run in runs.items():
            label = f"{run.name} ({run.method}), after step {run.step} of {run.total_steps}"
            options.append((label, f"{AFTER}{folder}"))
            options.append((f"{run.name}, before training", f"{BEFORE}{folder}"))
        if raw != STRONG and strong_folder() is not None:
            score = strong_scores()["stsb"]
            options.append((f"{STRONG}, a strong encoder (upper line: {score:.1f} on STS-B)", f"{RAW}{STRONG}"))
        options.append(("a folder or hub name …", ELSEWHERE))
        values = [value for _, value in options]
        self.options = options
        self.value = next((value for value in (wish, self.value) if value in values), values[0])


def known_runs() -> dict[str, RunLike]:
    """Return the runs of the default folder and of this kernel, by folder, newest first."""
    by_folder: dict[str, RunLike] = {str(item.folder.resolve()): item for item in stored_runs()[0]}
    by_folder |= {str(item.folder.resolve()): item for item in kernel_runs()}
    return dict(reversed(by_folder.items()))


def has_encoder(run: RunLike) -> bool:
    """Whether a run has an encoder, or is trained in this kernel and will have one."""
    return not isinstance(run, Stored) or run.files.latest_encoder() is not None


class Opener:
    """Loads chosen encoders; caches those that never change: raw encoders and encoders before training."""

    def __init__(self) -> None:
        self._cache: dict[str, Encoder] = {}

    def open(self, chosen: str, typed: str, runs: Mapping[str, RunLike]) -> Side | None:
        if chosen == NOTHING:
            return None
        if chosen == ELSEWHERE:
            if not typed:
                raise ValueError("no encoder is named: type a folder or hub name, or choose one from the list")
            if not RunFolder(typed).has(RUN):
                return Side(typed, load_encoder(typed))
            opened = open_run(typed)
            return Side(f"{opened.name}, step {opened.step}", opened.encoder)
        if chosen.startswith(RAW):
            name = chosen[len(RAW) :]
            return Side(name, self._cached(chosen, lambda: load_encoder(name)))
        folder = chosen.partition(":")[2]
        if folder not in runs:
            raise ValueError(f"the run in {folder} does not exist any more; choose another encoder")
        run = runs[folder]
        if chosen.startswith(BEFORE):
            return Side(f"{run.name}, before", self._cached(chosen, lambda: open_run(folder).raw_encoder()))
        return Side(f"{run.name}, step {run.step}", run.encoder)

    def _cached(self, chosen: str, make: Callable[[], Encoder]) -> Encoder:
        if chosen not in self._cache:
            self._cache[chosen] = make()
        return self._cache[chosen]


def drawn(source: Any, most: int) -> list[str]:
    """Draw at most ``most`` different sentences of a corpus at equal distances; return them in random order."""
    examples: Any = sentences(source)
    if hasattr(examples, "__len__"):
        step = max(1.0, len(examples) / most)
        chosen: Iterable[str] = (examples[int(k * step)] for k in range(min(most, len(examples))))
    else:
        chosen = islice(examples, most)
    texts = list(dict.fromkeys(chosen))
    return [texts[k] for k in np.random.default_rng(0).permutation(len(texts))]


class CorpusSearch:
    """The corpus, its vectors by each encoder, and the progress of encoding."""

    def __init__(self, given: Any, count: int) -> None:
        self._given = None if isinstance(given, str) else given
        self._texts: tuple[Any, list[str]] | None = None
        self._vectors: dict[str, Matrix] = {}
        self._halted = threading.Event()
        self.name = given if isinstance(given, str) else "given in the call"
        self.count = count
        self.done, self.total, self.progress = 0, 0, ""

    @property
    def fixed(self) -> bool:
        """Whether the corpus was given as sentences and cannot be changed."""
        return self._given is not None

    def choose(self, name: str, count: int) -> None:
        self.count = _validation.integer("sentences", count, LEAST, MOST)
        if not self.fixed:
            self.name = name.strip()

    def begin(self) -> None:
        self._halted.clear()
        self.end()

    def end(self) -> None:
        self.done, self.total, self.progress = 0, 0, ""

    def halt(self) -> None:
        """Stop encoding; existing vectors remain."""
        self._halted.set()

    @property
    def stopped(self) -> bool:
        return self._halted.is_set()

    def texts(self) -> list[str]:
        """Return the sentences to search; they are read again only if the corpus or their number changed."""
        source = self._given if self.fixed else self.name
        if not self.fixed and not source:
            raise ValueError(f"no corpus is named: type {DEFAULT}, a file name or the name of a hub dataset")
        key = (id(source) if self.fixed else source, self.count)
        if self._texts is None or self._texts[0] != key:
            self.progress = "reading the corpus"
            self._texts, self._vectors = (key, drawn(source, self.count)), {}
        return self._texts[1]

    def vectors(self, side: Side, enough: int, between: Callable[[], None] = lambda: None) -> Matrix:
        """Return unit vectors of at least the first ``enough`` sentences; encode from where an earlier call stopped."""
        texts, key = self.texts(), side.encoder.fingerprint()
        parts = [self._vectors.pop(key, np.zeros((0, side.encoder.dim), dtype=np.float32))]
        done, start = len(parts[0]), time.monotonic()
        first = done
        while done < min(enough, len(texts)) and not self.stopped:
            self._report(side, done, len(texts), (time.monotonic() - start) / (done - first) if done > first else None)
            between()
            parts.append(unit_rows(side.encoder.encode(texts[done : done + AT_ONCE])).astype(np.float32))
            done += len(parts[-1])
        self._vectors[key] = np.concatenate(parts)
        self._vectors = dict(list(self._vectors.items())[-ENCODERS:])
        return self._vectors[key]

    def _report(self, side: Side, done: int, total: int, seconds: float | None) -> None:
        left = "" if seconds is None else f", about {duration(seconds * (total - done))} left"
        self.done, self.total = done, total
        self.progress = f"{done:,} of {plural(total, 'sentence')} of the corpus encoded by {side.name}{left}"


def cosines_with(vector: npt.NDArray[Any], vectors: Matrix) -> Matrix:
    """Return the cosines ``(M,)`` of a sentence's vector ``(D,)`` with unit vectors ``(M, D)``."""
    return vectors @ unit_rows(vector[None])[0].astype(np.float32)  # type: ignore[no-any-return]


def best(cosines: Matrix, k: int) -> list[int]:
    """Return the rows of the ``k`` largest cosines, largest first; equal cosines are in the order of their rows."""
    return [int(row) for row in np.argsort(-cosines, kind="stable")[:k]]


def ranks(cosines: Matrix, rows: Sequence[int]) -> list[int | None]:
    """Return the rank of each row by its cosine, from 1; equal cosines in row order; None for a row out of range."""
    places = np.empty(len(cosines), dtype=np.int64)
    places[np.argsort(-cosines, kind="stable")] = np.arange(1, len(cosines) + 1)
    return [int(places[row]) if row < len(places) else None for row in rows]
