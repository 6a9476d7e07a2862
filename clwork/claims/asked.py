"""Measures that only some claims want, and only their arms get: opposites, categories, classifiers, warnings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .. import data, metrics
from ..arithmetic import unit_rows
from ..augmenters.swaps import replace_word, slots
from ..encoders import Encoder
from ..training.probe import trend_of
from .measures import TRANSFER, Judges, Known, Vectors, View, known_of, measure_transfer, under_controls

CATEGORIES = ("clustering", "within_class")
OF_VECTORS = ("antonym_margin", "share_above", *CATEGORIES)
WARNED = "warned"
ASKED = (*TRANSFER, *OF_VECTORS, WARNED)
OF_FOLDER = (*TRANSFER, *CATEGORIES)
"""Those that take texts of the reader's own."""

ALIKE = 0.7  # cosine at which two sentences of a batch count as alike
MOST_TEXTS = 2000  # of a task with categories
STARTS = 10  # of k-means
SAME = 1e-6  # squared distances nearer than this are equal, as where both words are unknown


def measure_asked(
    encoder: Encoder,
    represent: str | None,
    wanted: Iterable[str],
    given: Judges,
    recording: Mapping[str, Any] | None = None,
) -> dict[str, View]:
    """Measure what is wanted of one representation of an encoder, and what is read off vectors under each control, too.

    Args:
        encoder: trained or not.
        represent: as :func:`.representation` takes it.
        wanted: names of :data:`ASKED`; those of :data:`OF_FOLDER` are left out where the judges have no folder.
        given: the judges.
        recording: of the run that trained the encoder; without it there are no warnings.

    Returns:
        The measures by view, see :func:`.measure`.

    Raises:
        FileNotFoundError: the folder lacks a task.
    """
    names, name = set(wanted), represent or "own"
    if given.folder is None:
        names -= set(OF_FOLDER)
    views: dict[str, View] = {name: {}}
    if of_vectors := names.intersection(OF_VECTORS):
        texts = [*given.sentences, *given.task_sentences, *_texts(of_vectors, given)]
        known = known_of(encoder, represent, given, texts)
        views = under_controls(name, known, given, lambda each: _of_vectors(of_vectors, each, given))
    if given.folder is not None:
        views[name] |= measure_transfer(encoder, represent, names & TRANSFER.keys(), given.folder)
    if WARNED in names and recording is not None:
        views[name][WARNED] = float(warns(encoder, recording))
    return views


def warns(encoder: Encoder, recording: Mapping[str, Any]) -> bool:
    """Whether :meth:`.Run.diagnosis` warns at the end of a run: of the sentences of its probe, and of its course."""
    trend = trend_of(recording["rows"], recording["total_steps"], recording["method"])
    return metrics.diagnose(encoder.encode(recording["texts"])).of_run(trend).warns


@cache
def opposites() -> list[tuple[str, str, str]]:
    """Sentences of clwork's own, which no run reads, with a synonym of one of their words, and with its antonym.

    It is the first word that has both; what WordNet lists as both, as king and queen, is neither.
    """
    graded = data.graded_pairs()
    pairs = [*data.paraphrases(), *zip(graded.sentences1, graded.sentences2, strict=True), *data.triplets()]
    rows = []
    for text in dict.fromkeys(text for row in pairs for text in row):
        for slot in slots(text):
            synonyms = [word for word in slot.synonyms if word not in slot.antonyms]
            antonyms = [word for word in slot.antonyms if word not in slot.synonyms]
            if synonyms and antonyms:
                near, far = (replace_word(text, slot, words[0])[0] for words in (synonyms, antonyms))
                rows.append((text, near, far))
                break
    return rows


@cache
def categories(folder: Path) -> tuple[list[str], list[str]]:
    """Texts of Web of Science that no arm is trained on, with their domains."""
    splits = data.transfer_task("wos", folder / "transfer").splits
    rows = [row for part in (splits["validation"], splits["test"]) for row in zip(part.texts, part.labels, strict=True)]
    texts, labels = zip(*rows[:MOST_TEXTS], strict=True)
    return list(texts), list(labels)


def _texts(names: set[str], given: Judges) -> list[str]:
    swapped = [text for row in opposites() for text in row] if "antonym_margin" in names else []
    return swapped + (_categories(given)[0] if names.intersection(CATEGORIES) else [])


def _categories(given: Judges) -> tuple[list[str], list[str]]:
    assert given.folder is not None
    return categories(given.folder)


def _of_vectors(names: set[str], known: Known, given: Judges) -> View:
    values: View = {}
    if "antonym_margin" in names:
        values["antonym_margin"] = _antonym_margin(*(known.encode(texts) for texts in zip(*opposites(), strict=True)))
    if "share_above" in names:
        values["share_above"] = _share_above(known.encode(given.sentences))
    if names.intersection(CATEGORIES):
        texts, labels = _categories(given)
        vectors = unit_rows(known.encode(texts))
        values |= {"clustering": _clustering(vectors, labels), "within_class": _within_class(vectors, labels)}
    return values


def _antonym_margin(own: Vectors, synonym: Vectors, antonym: Vectors) -> float:
    """Share of rows nearer to their synonym's; of ties, half."""
    near, far = ((unit_rows(own) - unit_rows(other)) ** 2 for other in (synonym, antonym))
    gap = (far - near).sum(axis=1)
    return float(np.mean(np.where(abs(gap) < SAME, 0.5, gap > 0)))


def _share_above(vectors: Vectors) -> float:
    unit = unit_rows(vectors)
    cosines = unit @ unit.T
    return float((cosines[np.triu_indices(len(unit), k=1)] >= ALIKE).mean())


def _clustering(unit: Vectors, labels: Collection[str]) -> float:
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_mutual_info_score

    clusters = KMeans(len(set(labels)), n_init=STARTS, random_state=0).fit_predict(unit)
    return float(adjusted_mutual_info_score(list(labels), clusters))


def _within_class(unit: Vectors, labels: Collection[str]) -> float:
    """Mean over all pairs of one class."""
    known = np.array(list(labels))
    distances = np.sqrt(np.maximum(2 - 2 * unit @ unit.T, 0))
    pairs = np.triu(known[:, None] == known[None, :], k=1)
    return float(distances[pairs].mean())
