"""Evaluation of a run or an encoder on a folder of labelled tasks, with results as MTEB writes them."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ... import _validation, metrics
from ..._validation import AtLeastTwo, checked, kind, shown
from ...data import StsPairs, sts_folder, sts_pairs, transfer_task, transfer_tasks_in
from ...data.files import fingerprint
from ...data.sts import MTEB, ROWS, SPLIT_TASKS, tasks_in
from ...data.transfer import TASKS as TRANSFER
from ...data.transfer import TransferTask
from ...disk import write_whole
from ...encoders import Encoder, load_encoder
from ...encoders.pooling import KNOWN, known_pooling
from ...metrics.sts_scores import Encodes
from ...metrics.transfer_scores import SEED
from ...wording import plural
from ..disk.run_files import RECIPE
from ..precision import packages
from ..run.run import Run
from .stored import RunLike, RunSource, as_run

if TYPE_CHECKING:
    import pandas as pd

NAMES = {"stsb": "STSBenchmark", "sickr": "SICK-R"}  # of MTEB, which calls the others STS12 … STS16
SPLITS = ("validation", "test")  # of STS-B and SICK-R; nothing is judged by what could be trained on
INSIDE = "transfer"  # a folder in the folder of STS tasks, where transfer tasks may be
LANGUAGES = ["eng-Latn"]


@dataclass(frozen=True)
class Evaluation:
    """Scores of one encoder on tasks; made by :func:`evaluate`.

    Attributes:
        name: of the run or the encoder.
        results: one a task, with the keys of MTEB's ``TaskResult``; scores from -1 to 1 there.
        notes: in what the encoder was used otherwise than in its training, a sentence each.
        left: tasks that an interrupt kept from being scored.
    """

    name: str
    results: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def scores(self) -> dict[str, float]:
        """Spearman of the cosine, or accuracy, × 100 by task and split, such as ``"STSBenchmark (test)"``."""
        return {
            f"{result['task_name']} ({split})": 100 * float(entries[0]["main_score"])
            for result in self.results
            for split, entries in result["scores"].items()
        }

    @property
    def sts_average(self) -> float | None:
        """Plain mean of the seven STS test sets, as papers report it; None where one is missing."""
        scores = self.scores
        tests = [f"{NAMES.get(task, task.upper())} (test)" for task in ROWS]
        return sum(scores[name] for name in tests) / len(tests) if set(tests) <= set(scores) else None

    @property
    def table(self) -> pd.DataFrame:
        """One row a task and split, with all its scores × 100, ``main_score`` first."""
        import pandas as pd

        rows = []
        for result in self.results:
            for split, entries in result["scores"].items():
                numbers = {name: 100 * value for name, value in entries[0].items() if isinstance(value, float)}
                rows.append({"task": result["task_name"], "split": split, **numbers})
        return pd.DataFrame(rows).set_index(["task", "split"]) if rows else pd.DataFrame()

    def save(self, folder: str | Path) -> None:
        """Write ``TASK.json`` for each task into ``folder``, which is made if it is not there, as MTEB does.

        Raises:
            DiskError: the disk refuses.
        """
        for result in self.results:
            _write(result, _validation.path("folder", folder))

    def __repr__(self) -> str:
        width = max((len(name) for name in self.scores), default=0)
        lines = [f"{self.name}: Spearman of the cosine, or accuracy, × 100"]
        lines += [f"  {name:{width}}  {score:6.2f}" for name, score in self.scores.items()]
        if (average := self.sts_average) is not None:
            lines.append(f"  {'seven STS test sets':{width}}  {average:6.2f}")
        lines += [f"  note: {note}" for note in self.notes]
        lines += [f"  interrupted before {', '.join(self.left)}"] if self.left else []
        return "\n".join(lines)


class Loaded(NamedTuple):
    """A task that has been read: its content by split, what its data is called, and the sentences to encode."""

    name: str
    splits: Mapping[str, StsPairs | TransferTask]
    revision: str
    texts: list[str]
    incomplete: bool


@checked()
def evaluate(
    run_or_encoder: RunSource | Encodes,
    data: str | Path | None = None,
    *,
    tasks: Sequence[str] | None = None,
    pooling: str | None = None,
    folds: AtLeastTwo = 10,
    seed: int = SEED,
    folder: str | Path | None = None,
    progress: bool = True,
) -> Evaluation:
    """Score a run's encoder, or any encoder, on all labelled tasks of a folder: STS, transfer and Web of Science.

    STS-B, SICK-R and STS12 to STS16 are scored by correlations of similarities with people's ratings, validation and
    test apart, subsets together; the seven transfer tasks and WOS by the accuracy of a linear classifier over frozen
    vectors (:func:`clwork.metrics.transfer`: SentEval's procedure, which is not that of MTEB's classification tasks).
    An interrupt (the notebook's stop button, Ctrl-C) ends it, and returns the tasks scored so far.

    Args:
        run_or_encoder: a run or its folder; an encoder, or what :func:`clwork.load_encoder` takes; or any object whose
            ``encode`` makes vectors ``(N, D)`` of texts.
        data: folder of ``<task>/<split or subset>.jsonl``, see :func:`clwork.data.sts_pairs` and
            :func:`clwork.data.transfer_task`, which may also be in its folder ``transfer``; None for the folder given
            to :func:`clwork.data.remember_sts`.
        tasks: which of the folder's tasks, such as ``["stsb", "mr"]``; default: all.
        pooling: another one than the encoder's own.
        folds: of the classifiers' cross-validation; MR takes minutes at SentEval's 10.
        seed: of the classifiers and of WOS's split.
        folder: where to write one file a task, each when it is scored, in MTEB's format.
        progress: whether to show a bar.

    Returns:
        An :class:`Evaluation`: ``scores`` by task, a ``table`` of all measures, and ``results`` in MTEB's format.

    Warns:
        UserWarning: pooling, length or precision differ from those of the run's training; or a task's data are not
            complete.

    Raises:
        TypeError: no run and no encoder, or an argument of another kind.
        ValueError: an unknown task or pooling, no task in the folder, a damaged file, or a collapsed encoder.
        FileNotFoundError: no folder of tasks is known, or a task is not there.
        DiskError: the disk refuses.

    >>> clwork.evaluate("mini", "data", tasks=["stsb"]).scores  # doctest: +SKIP
    {'STSBenchmark (validation)': 65.97}
    """
    run, own = _encoder_of(run_or_encoder)
    encoder = own if pooling is None else _pooled(own, pooling)
    name = run.name if run is not None else str(getattr(own, "name", kind(own)))
    chosen = _read(_folder(data), tasks, seed)
    notes = [] if run is None else _notes(run, own, encoder, [text for task in chosen for text in task.texts])
    if notes:
        warnings.warn(f"{name} is evaluated otherwise than it was trained: {'; '.join(notes)}", stacklevel=3)
    results: list[dict[str, Any]] = []
    with suppress(KeyboardInterrupt):
        for task in _shown(chosen, progress):
            results.append(_scored(task, encoder, folds, seed, notes))
            if folder is not None:
                _write(results[-1], Path(folder))
    left = tuple(task.name for task in chosen[len(results) :])
    if left and not results:
        raise KeyboardInterrupt
    return Evaluation(name, tuple(results), tuple(notes), left)


def _encoder_of(source: Any) -> tuple[RunLike | None, Any]:
    """Return the run, if it is one, and the encoder."""
    if isinstance(source, str | Path) and not (_validation.path("run_or_encoder", source) / RECIPE).exists():
        return None, load_encoder(source)
    if not isinstance(source, str | Path | Run) and callable(getattr(source, "encode", None)):
        return None, source
    run = as_run("run_or_encoder", source)
    return run, run.encoder


def _pooled(encoder: Any, pooling: str) -> Encoder:
    if not isinstance(encoder, Encoder):
        raise TypeError(f"pooling={shown(pooling)} is for clwork's encoders, and this is {kind(encoder)}; leave it out")
    return encoder.with_pooling(pooling)


def _folder(data: str | Path | None) -> Path:
    place = sts_folder() if data is None else _validation.path("data", data)
    if place is None:
        raise FileNotFoundError(
            "no folder of tasks is known; give data=FOLDER, or name one for good with clwork.data.remember_sts(FOLDER)"
        )
    return place


def _read(root: Path, wanted: Sequence[str] | None, seed: int) -> list[Loaded]:
    """Read the wanted tasks of a folder, all before any is scored, so that a damaged file is found at once."""
    places: dict[str, Path] = {}
    inside = [(root / INSIDE, transfer_tasks_in)] * (root / INSIDE).is_dir()
    for folder, tasks in [(root, tasks_in), (root, transfer_tasks_in), *inside]:
        with suppress(ValueError):  # it holds none of this kind
            places |= {task: folder / task for task in tasks(folder) if task not in places}
    if not places:
        tasks_in(root)  # raises, with what the folder holds instead
    names = list(places) if wanted is None else [MTEB.get(task.lower(), task.lower()) for task in wanted]
    loaded = []
    for name in dict.fromkeys(names):
        loaded.append(_loaded(_validation.choice("tasks", name, tuple(places)), places[name], seed))
    return loaded


def _loaded(name: str, place: Path, seed: int) -> Loaded:
    splits: dict[str, StsPairs | TransferTask] = {}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        if name in TRANSFER:
            splits = {"test": transfer_task(name, place.parent, seed)}
        elif name in SPLIT_TASKS:
            there = [split for split in SPLITS if (place / f"{split}.jsonl").exists()]
            splits = {split: sts_pairs(name, split, place.parent) for split in there}
        else:
            splits = {"test": sts_pairs(name, source=place.parent)}
    for warning in said:
        warnings.warn(str(warning.message), stacklevel=5)
    if not splits:
        raise FileNotFoundError(f"{place} has neither of the files {' and '.join(f'{s}.jsonl' for s in SPLITS)}")
    digests = [fingerprint(path, path.name) for path in sorted(place.glob("*.jsonl"))]
    texts = [text for part in splits.values() for text in _texts(part)]
    return Loaded(NAMES.get(name, name.upper()), splits, f"files {'-'.join(d[:8] for d in digests)}", texts, bool(said))


def _texts(part: StsPairs | TransferTask) -> Iterator[str]:
    if isinstance(part, StsPairs):
        yield from (*part.sentences1, *part.sentences2)
    else:
        for labelled in part.splits.values():
            yield from (*labelled.texts, *(labelled.others or ()))


def _notes(run: RunLike, own: Encoder, encoder: Encoder, texts: Sequence[str]) -> list[str]:
    """Return in what ``encoder`` is used otherwise than in the run's training; ``own`` is the run's."""
    config: Mapping[str, Any] = run.recipe.config
    notes, trained = [], config.get("pooling")
    if trained not in KNOWN:  # a method without that setting, or with another one of its name
        trained = own.pooling
    if known_pooling(trained).raw != known_pooling(encoder.pooling).raw:
        notes.append(f"pooling {encoder.pooling!r}, in training {trained!r}")
    limit = config.get("max_length")
    if limit is not None and limit < encoder.max_length:
        longer = sum(len(tokens.ids) > limit for tokens in encoder.tokenize(texts))
        if longer:
            share = longer / len(texts)
            notes.append(f"{share:.1%} of the sentences are longer than training's {limit} pieces, and uncut")
    weights = next(encoder.backbone.parameters()).dtype
    if run.recipe.precision != (now := str(weights).removeprefix("torch.")):
        notes.append(f"precision {now}, in training {run.recipe.precision}")
    return notes


def _shown(tasks: Sequence[Loaded], progress: bool) -> Iterator[Loaded]:
    """Yield the tasks beside a bar that names the one at work."""
    from tqdm.auto import tqdm

    total = sum(len(task.texts) for task in tasks)
    with tqdm(total=total, desc="evaluate", unit="text", disable=not progress) as bar:
        for task in tasks:
            bar.set_postfix_str(f"{task.name}: {plural(len(task.texts), 'text')}")
            yield task
            bar.update(len(task.texts))


def _scored(task: Loaded, encoder: Any, folds: int, seed: int, notes: Sequence[str]) -> dict[str, Any]:
    """Score a task; the result has the keys of MTEB's ``TaskResult``, and ``clwork``, which MTEB passes over."""
    began = time.time()
    scores = {split: [_entry(part, encoder, folds, seed)] for split, part in task.splits.items()}
    return {
        "dataset_revision": task.revision,
        "task_name": task.name,
        "mteb_version": None,  # it has not computed them
        "scores": scores,
        "evaluation_time": round(time.time() - began, 3),
        "kg_co2_emissions": None,
        "date": round(began),
        "clwork": _provenance(encoder) | {"notes": list(notes), "complete": not task.incomplete},
    }


def _entry(part: StsPairs | TransferTask, encoder: Any, folds: int, seed: int) -> dict[str, Any]:
    if isinstance(part, StsPairs):
        scores = metrics.sts_correlations(encoder, part)
        scores |= {name: scores[f"cosine_{name}"] for name in ("pearson", "spearman")}
        main = scores["cosine_spearman"]
    else:
        both = metrics.transfer(encoder, {"task": part}, folds=folds, seed=seed, details=True)
        main = both["task"]
        scores = {"accuracy": main} | {name: both[f"task/{name}"] for name in ("f1", "precision", "recall")}
    shares = {name: round(value / 100, 6) for name, value in (scores | {"main_score": main}).items()}
    return {"main_score": shares.pop("main_score"), **shares, "hf_subset": "default", "languages": LANGUAGES}


def _provenance(encoder: Any) -> dict[str, Any]:
    about: dict[str, Any] = {"encoder": kind(encoder), "versions": packages()}
    if isinstance(encoder, Encoder):
        about |= {"encoder": encoder.name, "fingerprint": encoder.fingerprint()}
        about |= {"pooling": encoder.pooling, "max_length": encoder.max_length}
    return about


def _write(result: Mapping[str, Any], folder: Path) -> None:
    text = json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False)
    write_whole(folder / f"{result['task_name']}.json", text, parents=True)
