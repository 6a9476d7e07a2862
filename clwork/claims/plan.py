"""What has to be trained and measured to answer claims: one unit of work for each distinct run, most shared first."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..disk import to_json, write_whole
from ..encoders import load_encoder
from ..methods import get as get_method
from .arm_runs import ArmRun, OnStep
from .asked import ASKED, OF_FOLDER, measure_asked
from .ledger import Arm, Claim
from .measures import JUDGED, judges, measure
from .results import MEASURED, recording_in

TEXTCNN = "textcnn:"
RIVALS = ("cls_before_pooler", "mean", "first_last")  # raw representations that every score is compared with
RIVALS_OF_TEXTCNN = ("max", "word average")
MEASURED_KINDS = ("scores", "course")
DIGITS = 6
LONGEST_NAME = 80
OWN = "own"
BEHIND_HEAD = "sentence head"


@dataclass(frozen=True)
class Unit:
    """One run, or one encoder as it is before training, and what claims want measured of it.

    Attributes:
        name: of its record.
        run: how it is trained; None for an untrained encoder.
        encoder: name of the untrained encoder.
        seed: of weights that no file holds, and of the run.
        views: representations to measure, None for the run's own; each raw and under every control.
        asked: measures that only some claims want, by the representation they are asked of; those of JUDGED come with
            every view, and older records lack them.
    """

    name: str
    run: ArmRun | None
    encoder: str
    seed: int
    views: tuple[str | None, ...]
    asked: tuple[tuple[str | None, str], ...] = ()

    @property
    def steps(self) -> int:
        """Steps of its training, those of the run it starts from included."""
        return 0 if self.run is None else self.run.all_steps

    def missing(self, folder: Path, people: bool) -> tuple[list[str | None], list[tuple[str | None, str]]]:
        """Views and asked measures that ``folder`` lacks; ``people``: whether there are pairs that people rated."""
        found = self._measured(folder)
        lacking = [(view, name) for view, name in self.asked if name not in found.get(view or OWN, {})]
        anew = {view for view, name in lacking if name in JUDGED}
        views = [view for view in self.views if view in anew or not _rated(found.get(view or OWN, {}), people)]
        asked = [(view, name) for view, name in lacking if name not in JUDGED]
        return views, [(view, name) for view, name in asked if people or name not in OF_FOLDER]

    def do(self, folder: Path, data: Path | None = None, on_step: OnStep | None = None) -> None:
        """Train and measure what is missing, and write it down; raises as :meth:`.ArmRun.train` does."""
        views, asked = self.missing(folder, data is not None)
        if not views and not asked:
            return
        if self.run is None:
            encoder = load_encoder(self.encoder, seed=self.seed)
        else:
            encoder = self.run.train(folder, data, on_step)
        given = judges(data)
        for view in views:
            head = self.run.head(folder, encoder) if view == BEHIND_HEAD and self.run is not None else None
            if view != BEHIND_HEAD or head is not None:  # a run from before heads were kept has none
                self._add(folder, measure(encoder, view, given, head=head))
        recording = None if self.run is None else recording_in(folder, self.name)
        for view in dict.fromkeys(view for view, _ in asked):
            wanted = [name for other, name in asked if other == view]
            self._add(folder, measure_asked(encoder, view, wanted, given, recording))

    def _add(self, folder: Path, views: dict[str, dict[str, float]]) -> None:
        """Write measures down beside those that are there."""
        found = self._measured(folder)
        for view, values in views.items():
            found[view] = found.get(view, {}) | {n: float(f"{value:.{DIGITS}g}") for n, value in values.items()}
        (folder / self.name).mkdir(parents=True, exist_ok=True)
        content = {"views": found, "encoder": self.encoder, "seed": self.seed}
        write_whole(folder / self.name / MEASURED, to_json(content, indent=1))

    def _measured(self, folder: Path) -> dict[str, dict[str, Any]]:
        place = folder / self.name / MEASURED
        if not place.is_file():
            return {}
        views: dict[str, dict[str, Any]] = json.loads(place.read_text(encoding="utf-8"))["views"]
        return views


def _rated(values: dict[str, Any], people: bool) -> bool:
    """Whether a view was measured by people's ratings, or by the judge in their place where there are none."""
    return "stsb" in values or (not people and "silver" in values)


def run_of(claim: Claim, arm: Arm, seed: int, encoder: str | None, steps: int | None) -> ArmRun | None:
    """The run of an arm that can be trained; None for others."""
    if not arm.trained or arm.switch or not (steps or arm.steps or claim.steps):
        return None
    return ArmRun.of(claim, arm, seed, encoder, steps)


def origin_of(claim: Claim, arm: Arm, encoder: str | None) -> str:
    """Name of the encoder that an arm's run starts from, or of an untrained arm's."""
    if arm.encoder is not None:
        return arm.encoder
    methods = [arm.method] if arm.trained else [other.method for other in claim.arms.values() if other.trained]
    default = get_method((methods or [claim.paper])[0]).default_encoder
    return encoder if encoder is not None and not default.startswith(TEXTCNN) else default


def record_name(claim: Claim, arm: Arm, seed: int, encoder: str | None = None, steps: int | None = None) -> str | None:
    """Name of the record that holds an arm's values; None for arms that have none."""
    if arm.method == "untrained":
        return untrained_name(origin_of(claim, arm, encoder), seed)
    run = run_of(claim, arm, seed, encoder, steps)
    return None if run is None else run.name


def untrained_name(encoder: str, seed: int) -> str:
    """A TextCNN's filters are drawn, and differ from seed to seed; other encoders do not."""
    safe = encoder.isascii() and len(encoder) <= LONGEST_NAME
    words = (
        f"untrained-{re.sub('[^A-Za-z0-9._-]', '-', encoder) if safe else sha256(encoder.encode()).hexdigest()[:10]}"
    )
    return f"{words}-s{seed}" if encoder.startswith(TEXTCNN) else words


def plan(
    claims: Iterable[Claim], seeds: Sequence[int], encoder: str | None = None, steps: int | None = None
) -> list[Unit]:
    """List the units that answer the claims: first untrained encoders, then runs, those of most claims first.

    All seeds of an arm follow one another, so that a plan that is stopped early has answered whole claims.
    """
    runs: dict[str, ArmRun] = {}
    origins: dict[str, tuple[str, int]] = {}
    shared: Counter[str] = Counter()
    views: dict[str, dict[str | None, None]] = {}
    asked: dict[str, dict[tuple[str | None, str], None]] = {}
    for claim in claims:
        if claim.kind not in MEASURED_KINDS:
            continue
        for seed in seeds:
            for arm in claim.arms.values():
                name = record_name(claim, arm, seed, encoder, steps)
                if name is None:
                    continue
                own, run = origin_of(claim, arm, encoder), run_of(claim, arm, seed, encoder, steps)
                if run is not None:
                    runs[name] = run
                rivals = untrained_name(own, seed)
                origins[name] = origins[rivals] = (own, seed)
                seen = views.setdefault(rivals, dict.fromkeys(RIVALS_OF_TEXTCNN if own.startswith(TEXTCNN) else RIVALS))
                seen = views.setdefault(name, {}) if run is not None else seen
                seen[arm.represent] = None
                shared[name] += 1
                if (metric := arm.judged or claim.metric.name) in (*ASKED, *JUDGED):
                    asked.setdefault(name, {})[arm.represent, metric] = None
    names = [*(name for name in views if name not in runs), *sorted(runs, key=lambda name: -shared[name])]
    return [
        Unit(name, runs.get(name), *origins[name], tuple(views[name]), tuple(asked.get(name, ()))) for name in names
    ]
