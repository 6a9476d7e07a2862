"""What :func:`clwork.start` asks of its arguments, before anything is written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ... import checks, data
from ...checks import kind, shown
from ...data import CorpusRef, StreamedSentences, Triplets, examples
from ...data.reading import canonical_name
from ...edges import place
from ...encoders import Encoder
from ..disk.folder import run_name, run_place

NOTHING = object()


def rhythm(
    steps: Any, probe_every: Any, eval_every: Any, checkpoint_every: Any, keep_every: Any = None
) -> dict[str, Any]:
    """The numbers of steps, as ints by name; ``eval_every`` is :func:`usual_eval_every` unless given.

    Raises:
        TypeError: one is no whole number.
        ValueError: one is below 1.
    """
    given = {"steps": steps, "eval_every": eval_every, "checkpoint_every": checkpoint_every}
    given |= {"probe_every": probe_every, "keep_every": keep_every}
    for argument, value in given.items():
        if value is None and argument in ("eval_every", "probe_every", "keep_every"):
            continue
        given[argument] = checks.whole(argument, value, 1)
    if given["eval_every"] is None:
        given["eval_every"] = usual_eval_every(given["steps"])
    return given


def usual_eval_every(steps: int) -> int:
    """Four validations a run; a short one would spend most of its time on them, so they are 20 steps apart at least.

    >>> usual_eval_every(300), usual_eval_every(6)
    (75, 20)
    """
    return max(20, steps // 4)


def check_place(encoder: Any, name: Any, folder: Any) -> None:
    """An encoder that is named has a name, a run's name is a word, and its folder a path where a folder can be.

    Raises:
        TypeError: they are of another kind.
        ValueError: they are blank or too long, or hold what no file's name can.
        FileExistsError: the folder is a file.
    """
    if isinstance(encoder, str) and (not encoder.strip() or len(encoder) > checks.MOST_OF_PATH):
        fault = "too long" if encoder.strip() else "blank"
        raise ValueError(f"encoder is {fault} ({shown(encoder)}); give a name or a folder, or leave it out")
    if name is not None:
        run_name("name", name)
    if folder is not None:
        run_place(folder)


def check_listener(on_row: Any) -> None:
    """What is to be called with each row can be called.

    Raises:
        TypeError: it cannot.
    """
    if on_row is not None and not callable(on_row):
        raise TypeError(f"on_row={shown(on_row)} is {kind(on_row)}; give a function of one row, or leave it out")


def taken_up(name: str, folder: Any) -> Any:
    """A run is taken up from where it lies.

    Raises:
        TypeError: it is no place.
        ValueError: it can be none.
    """
    if not isinstance(folder, str | os.PathLike):
        raise TypeError(
            f"{name}={shown(folder)} is {kind(folder)}; give a run's folder, such as run.folder. A run of this kernel "
            "that is only paused goes on by run.resume()"
        )
    return checks.path(name, folder)


def sts_place(sts: Any) -> str | None:
    """Where STS tasks are, as it can be written down: None, ``"hub"``, or a folder's whole path.

    Raises:
        TypeError: another kind of thing.
        FileNotFoundError: no such folder.
    """
    if sts is None or (isinstance(sts, str) and sts == "hub"):
        return sts
    if not isinstance(sts, str | os.PathLike):
        raise TypeError(f"sts={shown(sts)} is {kind(sts)}; give a folder of STS tasks, 'hub', or leave it out")
    folder = checks.path("sts", sts).resolve()
    if not folder.is_dir():
        raise FileNotFoundError(
            f"sts={shown(str(sts), 200)} is no folder; give one of STS tasks, 'hub', or leave it out"
        )
    return str(folder)


def an_encoder(name: str, encoder: Any) -> Any:
    """What an encoder can be made of: an encoder, or what could be the name of one.

    Raises:
        TypeError: another kind.
        ValueError: no encoder can have this name.
    """
    return encoder if isinstance(encoder, Encoder) else place(name, encoder)


def a_corpus(name: str, sentences: Any) -> Any:
    """What sentences can be read from, as it was given: a name, a path or examples; a file need not be there yet.

    Raises:
        TypeError, ValueError: as :func:`clwork.data.examples`, or no file can have this name.
    """
    if isinstance(sentences, str | os.PathLike):
        return place(name, sentences)
    examples(sentences)
    return sentences


def source_of(sentences: Any) -> tuple[CorpusRef, Any]:
    """A reference to a source, a file's by its whole path; or the examples themselves, checked.

    Raises:
        TypeError, ValueError, FileNotFoundError: as :func:`clwork.data.examples`; there is no such file, or nothing
            comes of a stream of the reader's own.
    """
    if isinstance(sentences, str | os.PathLike):
        return CorpusRef({"source": canonical_name(sentences)}), None
    given = examples(sentences)
    if isinstance(given, Mapping):
        return CorpusRef(dict(given)), None
    own = not isinstance(given, Sequence | StreamedSentences)  # these have been looked into, or need a network for it
    if own and next(iter(given), NOTHING) is NOTHING:
        raise ValueError(
            f"sentences is a stream ({kind(given)}) that gives no example; see what its __iter__ yields, which must "
            "begin anew at each loop"
        )
    return CorpusRef(), list(given) if isinstance(given, Triplets) else given


def handed(sentences: Any) -> Any:
    """The examples that somebody hands over for those that a run's folder could not keep; None as it is.

    Raises:
        Exception: as :func:`source_of` and :func:`clwork.data.sentences`.
    """
    if sentences is None:
        return None
    reference, given = source_of(sentences)
    return given if reference.source is None else data.sentences(reference.source)
