"""The encoders that the playground compares: raw ones, runs before and after training, any folder or hub name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ...columns import strong_scores
from ...encoders import Encoder, load_encoder
from ...encoders.model_files import STRONG, strong_folder
from ...run_folder.files import RUN
from ...run_folder.folder import RunFolder
from ...training import open_run, stored_runs
from ...training import runs as kernel_runs
from ...training.stored import RunLike, Stored

NOTHING, ELSEWHERE = "nothing", "elsewhere"
RAW, BEFORE, AFTER = "raw:", "before:", "after:"


@dataclass(frozen=True)
class Side:
    """An encoder, and its name in tables and pictures."""

    name: str
    encoder: Encoder


@dataclass
class EncoderChoice:
    """One of the listed encoders, or a folder or a hub name."""

    optional: bool = False
    value: str = ""
    place: str = ""
    options: list[tuple[str, str]] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The label of the chosen option."""
        return next((label for label, value in self.options if value == self.value), "")

    @property
    def chosen(self) -> tuple[str, str]:
        """The choice, and what was typed if the choice needs it."""
        return self.value, self.place.strip() if self.value == ELSEWHERE else ""

    def choose(self, value: str, place: str = "") -> None:
        """Take one of the options."""
        if value not in [known for _, known in self.options]:
            raise ValueError(f"{value!r} is not among the encoders; choose one of the list")
        self.value, self.place = value, place

    def offer(self, raw: str, runs: Mapping[str, RunLike], wish: str | None = None) -> None:
        """List the encoders; choose ``wish`` if it is listed, else the choice stays."""
        options = [("nothing: show one encoder alone", NOTHING)] if self.optional else []
        options.append((f"{raw}, as it comes", f"{RAW}{raw}"))
        for folder, run in runs.items():
            options.append((f"{run.name} ({run.method}), after {_where(run)}", f"{AFTER}{folder}"))
            options.append((f"{run.name}, before training", f"{BEFORE}{folder}"))
        if raw != STRONG and strong_folder() is not None:
            score = strong_scores()["stsb"]
            options.append((f"{STRONG}, a strong encoder (upper line: {score:.1f} on STS-B)", f"{RAW}{STRONG}"))
        options.append(("a folder or hub name …", ELSEWHERE))
        values = [value for _, value in options]
        self.options = options
        self.value = next((value for value in (wish, self.value) if value in values), values[0])


def _where(run: RunLike) -> str:
    return f"step {run.step} of {run.total_steps}"


def known_runs() -> dict[str, RunLike]:
    """The runs of the default folder and those of this kernel, by folder, the newest first."""
    by_folder: dict[str, RunLike] = {str(item.folder.resolve()): item for item in stored_runs()[0]}
    by_folder |= {str(item.folder.resolve()): item for item in kernel_runs()}
    return dict(reversed(by_folder.items()))


def has_encoder(run: RunLike) -> bool:
    """Whether a run has an encoder, or is trained in this kernel and will have one."""
    return not isinstance(run, Stored) or run.files.encoders.latest() is not None


class Opener:
    """Loads chosen encoders; stores those that never change: raw ones and those before training."""

    def __init__(self) -> None:
        self._cache: dict[str, Encoder] = {}

    def open(self, chosen: str, typed: str, runs: Mapping[str, RunLike]) -> Side | None:
        """The encoder of a choice; None for nothing."""
        if chosen == NOTHING:
            return None
        if chosen == ELSEWHERE:
            return _elsewhere(typed)
        if chosen.startswith(RAW):
            name = chosen[len(RAW) :]
            return Side(name, self._cached(chosen, lambda: load_encoder(name)))
        folder = chosen.partition(":")[2]
        if folder not in runs:
            raise ValueError(f"the run in {folder} is gone; choose another encoder")
        run = runs[folder]
        if chosen.startswith(BEFORE):
            return Side(f"{run.name}, before", self._cached(chosen, lambda: open_run(folder).raw_encoder()))
        return Side(f"{run.name}, step {run.step}", run.encoder)

    def _cached(self, chosen: str, make: Callable[[], Encoder]) -> Encoder:
        if chosen not in self._cache:
            self._cache[chosen] = make()
        return self._cache[chosen]


def _elsewhere(typed: str) -> Side:
    if not typed:
        raise ValueError("no encoder is named: type a folder or hub name, or choose one of the list")
    if RunFolder(typed).has(RUN):
        run = open_run(typed)
        return Side(f"{run.name}, step {run.step}", run.encoder)
    return Side(typed, load_encoder(typed))
