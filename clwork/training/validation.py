"""Scores of a run on STS or on silver pairs; only STS scores select the best checkpoint."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .. import data, metrics
from ..data.evaluators import EvaluatorPairs
from ..data.sts import SPLIT_TASKS, task_files, task_folders
from ..encoders import Encoder
from ..metrics.inputs import CollapsedEncoderError
from ..metrics.proxies import knn_label_accuracy
from ..run_folder.config import fingerprint

# Number of silver pairs. It takes a quarter of the time of all pairs; scores of 24 encoders differed by at most 0.6.
SILVER = int(os.environ.get("CLWORK_SILVER_PAIRS", "500"))
SAMPLE = 600  # corpus sentences for the proxies
NEIGHBOURS = 10  # k of the column topic_knn
UNTRAINED: dict[
    tuple[str, str, str], dict[str, float]
] = {}  # scores of this process's encoders before training
# Proxies are recorded but select no checkpoint; docs/measured.md compares them with STS.
UNTRUSTED = "last step: there is no STS data to choose by"


@dataclass(frozen=True)
class Validation:
    """Tasks to score, and the rule that selects the best checkpoint."""

    score_name: str
    rule: str
    pairs: dict[str, data.StsPairs] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    groups: list[str] | None = None
    labels: list[str] | None = None
    silver: data.StsPairs | None = None

    def measure(self, encoder: Encoder) -> dict[str, float]:
        """Return Spearman x 100 of each STS task, or of the silver pairs without STS data, and the proxies (0 to 1)."""
        scores = _ranked(encoder, self._tasks) if self._tasks else {}
        if self.pairs:
            return scores
        vectors = encoder.encode(self.texts) if self.texts else None
        if vectors is not None and self.groups is not None:
            scores["same_article_auc"] = metrics.pair_auc(vectors, self.groups)
        if vectors is not None and self.labels is not None:
            scores["topic_knn"] = knn_label_accuracy(vectors, self.labels, k=NEIGHBOURS)
        return scores

    def measure_untrained(self, encoder: Encoder) -> dict[str, float]:
        """Return :meth:`measure` of an encoder before training, computed once for runs that share encoder and data."""
        tasks = [
            (name, task.sentences1, task.sentences2, task.scores)
            for name, task in self._tasks.items()
        ]
        content = [*tasks, (self.texts, self.groups, self.labels)]
        key = encoder.fingerprint(), str(encoder.device), fingerprint(content)
        if key not in UNTRAINED:
            UNTRAINED[key] = self.measure(encoder)
        return dict(UNTRAINED[key])

    def measure_as_loaded(self, encoder: Encoder) -> dict[str, float]:
        """Return the scores of :meth:`measure_untrained`, without the proxies."""
        return {
            name: score
            for name, score in self.measure_untrained(encoder).items()
            if name in self._tasks
        }

    @property
    def _tasks(self) -> dict[str, data.StsPairs]:
        return self.pairs or ({} if self.silver is None else {"silver": self.silver})


def _ranked(encoder: Encoder, tasks: dict[str, data.StsPairs]) -> dict[str, float]:
    try:
        scores = metrics.sts(encoder, tasks)
    except (
        ValueError
    ) as error:  # the rank correlation of equal cosines or equal scores is undefined
        if not isinstance(error, CollapsedEncoderError):
            warnings.warn(str(error), stacklevel=2)
        return {}
    return {name: scores[name] for name in tasks if scores[name] == scores[name]}  # no NaN


def read_sts(source: str | Path | None) -> dict[str, data.StsPairs]:
    """Read validation pairs of each task in ``source``: ``"hub"``, a folder, or None for the remembered folder."""
    folder = source if source is not None else data.sts_folder()
    if folder is None:
        return {}
    if str(folder) == "hub":  # the hub's SICK has no validation split
        return {"stsb": data.sts_pairs("stsb", split="validation", source="hub")}
    tasks = {}
    places = task_folders(Path(folder))
    for task in filter(places.__contains__, SPLIT_TASKS):
        if "validation" in task_files(places[task]):
            tasks[task] = data.sts_pairs(task, split="validation", source=places[task].parent)
        else:
            warnings.warn(
                f"{places[task]} has no validation.jsonl; {task} is left out", stacklevel=2
            )
    if not tasks and source is not None:
        raise FileNotFoundError(
            f"{folder} has no {' or '.join(SPLIT_TASKS)}/validation.jsonl; see clwork.data.sts_pairs"
        )
    return tasks


@cache
def _silver(count: int) -> EvaluatorPairs:
    """Return the first silver pairs; the pairs are shuffled, so each part covers all cosines."""
    pairs = data.silver_pairs()
    rows = pairs.sentences1[:count], pairs.sentences2[:count], pairs.scores[:count]
    return EvaluatorPairs(pairs.name, *rows, split="", provenance=pairs.provenance)


def make_validation(
    sentences: Sequence[str], sts: dict[str, data.StsPairs], *, proxies: bool | None = None
) -> Validation:
    """Choose tasks and selection rule: STS-B, else the last step; silver pairs and proxies are only recorded."""
    if sts:
        first = next(iter(sts))
        return Validation(
            first, f"highest {first} validation Spearman ('all'); it uses human labels", pairs=sts
        )
    silver = _silver(SILVER)
    source = getattr(sentences, "source", None)
    read_from = source.get("source") if isinstance(source, Mapping) else None
    wanted = read_from != silver.provenance["corpus"] if proxies is None else proxies
    if not wanted:
        return Validation("step", UNTRUSTED, silver=silver)
    # consecutive sentences, so that each article has several
    run, stretches = 20, max(1, SAMPLE // 20)
    starts = [k * max(1, len(sentences) - run) // stretches for k in range(stretches)]
    places = sorted({i for start in starts for i in range(start, min(start + run, len(sentences)))})
    columns = (getattr(sentences, name, None) for name in ("groups", "labels"))
    groups, labels = (None if column is None else [column[i] for i in places] for column in columns)
    known = [group for group in groups or () if group is not None]
    if not 1 < len(set(known)) < len(known):
        groups = None  # a single article, or one sentence per article: there is nothing to separate
    topics = [label for label in labels or () if label is not None]
    if len(topics) <= NEIGHBOURS or len(set(topics)) < 2:
        labels = None  # too few labelled sentences, or a single topic
    texts = [] if groups is None and labels is None else [sentences[i] for i in places]
    return Validation("step", UNTRUSTED, texts=texts, groups=groups, labels=labels, silver=silver)
