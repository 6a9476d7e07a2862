"""Checks of the arguments of :func:`clwork.start`, before anything is written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import _validation, data
from ..._validation import kind, place, shown
from ...data.corpus import StreamedSentences, Triplets
from ...data.sources import CorpusRef, canonical_name, check_examples
from ...encoders import Encoder
from ..disk.folder import run_name, run_place
from ..disk.schema import MOST_STEPS

NOTHING = object()


def rhythm(
    steps: object, probe_every: object, eval_every: object, checkpoint_every: object, keep_every: object = None
) -> dict[str, Any]:
    """Check numbers of steps; return them as ints by name, ``eval_every`` by :func:`usual_eval_every` unless set.

    Raises:
        TypeError: one is no whole number.
        ValueError: one is below 1 or above 10⁹.
    """
    numbers: dict[str, Any] = {"steps": steps, "eval_every": eval_every, "checkpoint_every": checkpoint_every}
    numbers |= {"probe_every": probe_every, "keep_every": keep_every}
    for argument, value in numbers.items():
        if value is None and argument in ("eval_every", "probe_every", "keep_every"):
            continue
        numbers[argument] = steps_from(argument, value, 1)
    if numbers["eval_every"] is None:
        numbers["eval_every"] = usual_eval_every(numbers["steps"])
    return numbers


def steps_from(name: str, value: object, least: int) -> int:
    """Return a number of steps of at least ``least``, and no more than a run's folder may hold.

    Raises:
        TypeError: no whole number.
        ValueError: out of range.
    """
    steps = _validation.whole(name, value, least)
    if steps > MOST_STEPS:
        raise ValueError(f"{name}={steps} is out of range; give an int of at most {MOST_STEPS}")
    return steps


def usual_eval_every(steps: int) -> int:
    """Default of ``eval_every``: four validations per run, at least 20 steps apart, or short runs would do little else.

    >>> usual_eval_every(300), usual_eval_every(6)
    (75, 20)
    """
    return max(20, steps // 4)


def check_place(encoder: object, name: object, folder: object) -> None:
    """Check the name of an encoder, the name of a run, and the path of its folder.

    Raises:
        TypeError: they are of another kind.
        ValueError: they are blank or too long, or hold what no file's name can.
        FileExistsError: the folder is a file.
    """
    if isinstance(encoder, str) and (not encoder.strip() or len(encoder) > _validation.MOST_OF_PATH):
        fault = "too long" if encoder.strip() else "blank"
        raise ValueError(f"encoder is {fault} ({shown(encoder)}); give a name or a folder, or leave it out")
    if name is not None:
        run_name("name", name)
    if folder is not None:
        run_place(folder)


def check_listener(on_row: object) -> None:
    """Check that ``on_row`` is a function.

    Raises:
        TypeError: it is not callable.
    """
    if on_row is not None and not callable(on_row):
        raise TypeError(f"on_row={shown(on_row)} is {kind(on_row)}; give a function of one row, or leave it out")


def taken_up(name: str, folder: object) -> Path:
    """Check the folder of a run that is to be resumed.

    Raises:
        TypeError: it is no path.
        ValueError: no file can have this path.
    """
    if not isinstance(folder, str | os.PathLike):
        raise TypeError(
            f"{name}={shown(folder)} is {kind(folder)}; give a run's folder, such as run.folder. A run of this kernel "
            "that is only paused goes on by run.resume()"
        )
    return _validation.path(name, folder)


def sts_place(sts: object) -> str | None:
    """Check where STS tasks are, and return it as a recipe stores it: None, ``"hub"``, or an absolute path.

    Raises:
        TypeError: another kind of thing.
        FileNotFoundError: no such folder.
    """
    if sts is None or (isinstance(sts, str) and sts == "hub"):
        return sts
    if not isinstance(sts, str | os.PathLike):
        raise TypeError(f"sts={shown(sts)} is {kind(sts)}; give a folder of STS tasks, 'hub', or leave it out")
    folder = _validation.path("sts", sts).resolve()
    if not folder.is_dir():
        raise FileNotFoundError(
            f"sts={shown(str(sts), 200)} is no folder; give one of STS tasks, 'hub', or leave it out"
        )
    return str(folder)


def an_encoder(name: str, encoder: object) -> object:
    """Check that a value is an encoder, or can be the name of one.

    Raises:
        TypeError: another kind.
        ValueError: no encoder can have this name.
    """
    return encoder if isinstance(encoder, Encoder) else place(name, encoder)


def a_corpus(name: str, sentences: object) -> object:
    """Check that a value is a corpus: a name, a path (a file need not be there yet) or examples; return it unchanged.

    Raises:
        TypeError, ValueError: as :func:`clwork.data.sources.check_examples`, or no file can have this name.
    """
    if isinstance(sentences, str | os.PathLike):
        return place(name, sentences)
    check_examples(sentences)
    return sentences


def source_of(sentences: Any) -> tuple[CorpusRef, Any]:
    """A reference to a source, a file's by its whole path; or the examples themselves, checked.

    Raises:
        TypeError, ValueError, FileNotFoundError: as :func:`.sources.check_examples`; there is no such file, or
            nothing comes of a stream of the reader's own.
    """
    if isinstance(sentences, str | os.PathLike):
        return CorpusRef({"source": canonical_name(sentences)}), None
    given = check_examples(sentences)
    if isinstance(given, Mapping):
        return CorpusRef(dict(given)), None
    own = not isinstance(given, Sequence | StreamedSentences)  # already read, or readable only with a network
    if own and next(iter(given), NOTHING) is NOTHING:
        raise ValueError(
            f"sentences is a stream ({kind(given)}) that gives no example; see what its __iter__ yields, which must "
            "begin anew at each loop"
        )
    return CorpusRef(), list(given) if isinstance(given, Triplets) else given


def handed(sentences: Any) -> Any:
    """Read the examples that replace those which a run's folder could not store; None unchanged.

    Raises:
        Exception: as :func:`source_of` and :func:`clwork.data.sentences`.
    """
    if sentences is None:
        return None
    reference, given = source_of(sentences)
    return given if reference.source is None else data.sentences(reference.source)
