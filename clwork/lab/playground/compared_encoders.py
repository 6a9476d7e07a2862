"""Which encoders the playground compares: raw ones, what runs began with and came to, any folder or hub name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import ipywidgets as widgets

from ...encoders import Encoder, load_encoder
from ...training import RunFolder, RunLike, Stored, open_run, stored_runs
from ...training import runs as kernel_runs
from ...training.disk.run_files import RECIPE
from ..page.widgets import LABEL

NOTHING, ELSEWHERE = "nothing", "elsewhere"
RAW, BEFORE, AFTER = "raw:", "before:", "after:"


@dataclass(frozen=True)
class Side:
    """An encoder, and how it is called in tables and pictures."""

    name: str
    encoder: Encoder


class EncoderChoice(widgets.VBox):  # type: ignore[misc]
    """A drop-down of encoders, with a line for a folder or a hub name."""

    def __init__(self, side: str, optional: bool = False) -> None:
        """Make it for the ``left`` or ``right`` side; an ``optional`` one may be left empty."""
        wide = {"width": "404px"}
        self._first = [("nothing: show one encoder alone", NOTHING)] if optional else []
        self.choice = widgets.Dropdown(
            description=side, tooltip=f"The encoder on the {side}.", style=LABEL, layout=widgets.Layout(**wide)
        )
        self.choice.add_class(f"clwork-{side}")
        self.place = widgets.Text(
            description="folder or name",
            placeholder="bert-base-uncased, or a folder",
            style=LABEL,
            layout=widgets.Layout(**wide),
            tooltip="A folder of an encoder or of a run, a hub name, or textcnn: and a file of word vectors.",
        )
        self.place.add_class(f"clwork-{side}-place")
        super().__init__([self.choice, self.place])
        self.choice.observe(lambda _: self._reveal(), names="value")

    @property
    def chosen(self) -> tuple[str, str]:
        """What is chosen, and what is typed where that counts."""
        return self.choice.value, self.place.value.strip() if self.choice.value == ELSEWHERE else ""

    def _reveal(self) -> None:
        self.place.layout.display = "flex" if self.choice.value == ELSEWHERE else "none"

    def offer(self, raw: str, runs: Mapping[str, RunLike], wish: str | None = None) -> None:
        """List what there is; the choice stays where it can, else it is ``wish``."""
        options = [*self._first, (f"{raw}, as it comes", f"{RAW}{raw}")]
        for folder, run in runs.items():
            options.append((f"{run.name} ({run.method}), after {_where(run)}", f"{AFTER}{folder}"))
            options.append((f"{run.name}, before training", f"{BEFORE}{folder}"))
        options.append(("a folder or hub name …", ELSEWHERE))
        values = [value for _, value in options]
        chosen = next((value for value in (wish, self.choice.value) if value in values), values[0])
        if list(self.choice.options) != options:
            self.choice.options = options
        self.choice.value = chosen
        self._reveal()


def _where(run: RunLike) -> str:
    return f"step {run.step} of {run.total_steps}"


def known_runs() -> dict[str, RunLike]:
    """The runs of the folder where runs are kept and those of this kernel, by folder, the newest first."""
    found: dict[str, RunLike] = {str(item.folder.resolve()): item for item in stored_runs()[0]}
    found |= {str(item.folder.resolve()): item for item in kernel_runs()}
    return dict(reversed(found.items()))


def has_encoder(run: RunLike) -> bool:
    """Whether a run has got as far as having an encoder, or is being trained here and will give one."""
    return not isinstance(run, Stored) or run.files.encoders.latest() is not None


class Opener:
    """Opens what was chosen; what runs began with never changes and is kept, for it costs a training's preparations."""

    def __init__(self) -> None:
        self._kept: dict[str, Encoder] = {}

    def open(self, chosen: str, typed: str, runs: Mapping[str, RunLike]) -> Side | None:
        """The encoder behind a choice; None for nothing.

        Raises:
            ValueError: nothing was typed, or the run is gone.
            Exception: what :func:`clwork.load_encoder` raises.
        """
        if chosen == NOTHING:
            return None
        if chosen == ELSEWHERE:
            return _elsewhere(typed)
        if chosen.startswith(RAW):
            name = chosen[len(RAW) :]
            return Side(name, self._keep(chosen, lambda: load_encoder(name)))
        folder = chosen.partition(":")[2]
        if folder not in runs:
            raise ValueError(f"the run in {folder} is gone; choose another encoder")
        run = runs[folder]
        if chosen.startswith(BEFORE):
            return Side(f"{run.name}, before", self._keep(chosen, lambda: open_run(folder).raw_encoder()))
        return Side(f"{run.name}, step {run.step}", run.encoder)

    def _keep(self, chosen: str, make: Callable[[], Encoder]) -> Encoder:
        if chosen not in self._kept:
            self._kept[chosen] = make()
        return self._kept[chosen]


def _elsewhere(typed: str) -> Side:
    if not typed:
        raise ValueError("no encoder is named: type a folder or hub name, or choose one of the list")
    if RunFolder(typed).has(RECIPE):
        run = open_run(typed)
        return Side(f"{run.name}, step {run.step}", run.encoder)
    return Side(typed, load_encoder(typed))
