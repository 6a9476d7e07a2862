"""The stored runs of a claim, to compare your runs with. Those in clwork are read without torch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _validation
from ..reference_runs import (
    Names,
    Records,
    ReferenceCloud,
    ReferenceRun,
    stored_cloud,
    stored_index,
    stored_names,
    stored_records,
)
from .ledger import Claim, get
from .pairs import ALIKE
from .records import recording_in, records_in, value_of
from .table import Answer, answers


def reference(name: str, folder: str | Path | None = None) -> Reference:
    """Read the stored runs of a claim that are part of clwork, or your runs in a folder.

    Args:
        name: name of a claim, see :func:`clwork.claims.names`.
        folder: folder of :func:`clwork.claims.test`; default: the runs that are part of clwork.

    Raises:
        ValueError: no claim has this name; the message has the nearest one.
        FileNotFoundError: no run of the claim is stored; :func:`clwork.claims.test` makes them.

    >>> reference("simcse/dropout-against-none").variants[:2]
    ['SimCSE', 'no dropout']
    """
    claim = get(name)
    if folder is None:
        stored = Reference(claim, stored_names(name), stored_records())
    else:
        path = Path(folder)
        tested = answers(path)[name]
        stored = Reference(claim, tested.runs, records_in(path), path)
    if not stored.variants:
        remedy = f"call clwork.claims.test({name!r}, folder=...) and read that folder"
        raise FileNotFoundError(f"no run of {name} is stored; {remedy}")
    return stored


@dataclass(frozen=True)
class Reference:
    """The stored runs of a claim; returned by :func:`clwork.reference`.

    Attributes:
        claim: the claim.
        names: names of the runs' records by variant and seed.
        stored: records by name, also those of other claims.
        folder: folder of the runs; None for runs that are part of clwork.

    >>> runs = reference("simcse/dropout-against-none").runs("SimCSE")
    >>> runs[0].seed, len(runs[0].losses)
    (0, 150)
    """

    claim: Claim
    names: Names
    stored: Records
    folder: Path | None = None

    @property
    def variants(self) -> list[str]:
        """The variants with a stored run, in the order of the ledger."""
        return [name for name in self.claim.variants if name in self.names]

    @property
    def absent(self) -> list[str]:
        """The variants that require training and have no stored run."""
        return [
            name
            for name, variant in self.claim.variants.items()
            if variant.trained and name not in self.names
        ]

    def runs(self, variant: str) -> list[ReferenceRun]:
        """Return the stored runs of a variant, one for each seed.

        Raises:
            ValueError: no run of such a variant is stored.
        """
        _validation.choice("variant", variant, self.variants)
        definition = self.claim.variants[variant]
        runs = []
        for seed, name in self.names[variant].items():
            score = value_of(self.stored[name], definition, self.claim.metric.name)
            runs.append(ReferenceRun(name, int(seed), self.stored[name], score))
        return runs

    def scores(self, variant: str) -> list[float]:
        """Return the values of the claim's metric in the runs of a variant."""
        return [run.score for run in self.runs(variant) if run.score is not None]

    def cloud(self, variant: str) -> ReferenceCloud | None:
        """Return the positions of the sentences in the first run that is part of clwork.

        None if they are not stored, or if the runs are those of a folder.
        """
        return None if self.folder else stored_cloud(self.runs(variant)[0].name)

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """Hyperparameters, data and representation of each variant, where variants differ."""
        settings = {variant: self._settings(variant) for variant in self.variants}
        # How many variants have a setting with this value; what all have is left out.
        counts = Counter(setting for values in settings.values() for setting in values.items())
        return {
            variant: dict(setting for setting in values.items() if counts[setting] < len(settings))
            for variant, values in settings.items()
        }

    def _settings(self, name: str) -> dict[str, Hashable]:
        """Return all settings of a variant, as its first run has them."""
        variant = self.claim.variants[name]
        first = self.runs(name)[0]
        if self.folder is None:
            stored = stored_index()["settings"].get(first.name)
        else:
            stored = (recording_in(self.folder, first.name) or {}).get("settings")
        # The record has only the hyperparameters that replace those of the preset.
        config = stored or first.record.get("config", {})
        optional = {
            "data": first.record.get("data"),
            "steps": first.steps or None,
            "read from": variant.represent,
            "post-processing": variant.post,
            "at step": None if variant.at is None else str(variant.at),
        }
        settings = {"method": variant.method, **config}
        settings |= {key: value for key, value in optional.items() if value is not None}
        # Lists and dicts cannot be compared by :attr:`settings`.
        return {key: value for key, value in settings.items() if isinstance(value, Hashable)}

    @property
    def unlike(self) -> list[str]:
        """In what the runs differ besides their settings, such as ``["machine"]``.

        Runs of one seed on two machines share their batches, but not their dropout masks, so that
        their difference is that of two seeds. The answer says which runs it compares.
        """
        runs = [run for variant in self.variants for run in self.runs(variant) if run.steps]
        values = {name: {str(run.record.get(name)) for run in runs} for name in ALIKE}
        return [name for name, distinct in values.items() if len(distinct) > 1]

    def answer(self) -> Answer:
        """Return the answer to the claim, from the table of clwork or from that of the folder."""
        return answers(self.folder)[self.claim.name]

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} ({len(self.runs(name))})" for name in self.variants)
        apart = f"; they differ in {' and '.join(self.unlike)}" if self.unlike else ""
        return f"<Reference {self.claim.name}: {counts}{apart}>"
