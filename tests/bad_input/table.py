"""An entry of a table of bad input, and how it is held to what it says."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import clwork

PACKAGE = Path(clwork.__file__).parent
PATIENCE = 30  # seconds; what waits longer has opened a pipe or an endless device
LONGEST = 1000  # characters of an error: a text or a number of 5,000 digits is not poured over the reader


@dataclass(frozen=True)
class Case:
    """One input: ``call`` gets an empty folder, and raises ``error`` or returns what ``fits`` says yes to."""

    name: str
    call: Callable[[Path], Any]
    error: type[Exception] | None = None
    match: str = ""
    fits: Callable[[Any], bool] = bool


def refused(name: str, error: type[Exception], match: str, call: Callable[[Path], Any]) -> Case:
    """An input that is answered by an error of ours whose text has ``match``: cause, value and remedy."""
    return Case(name, call, error, match)


def taken(name: str, call: Callable[[Path], Any], fits: Callable[[Any], bool] = bool) -> Case:
    """An input that is taken, with a result that ``fits``."""
    return Case(name, call, fits=fits)


def table(*cases: Case) -> pytest.MarkDecorator:
    """The entries as a parametrised test's."""
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "every entry has a name of its own"
    return pytest.mark.parametrize("case", cases, ids=names)


def hold(case: Case, folder: Path) -> None:
    """The input does what its entry says, in time, and an error is raised by clwork's own code, in few words."""
    with within(PATIENCE):
        if case.error is None:
            assert case.fits(case.call(folder)), "taken, but with another result"
            return
        with pytest.raises(case.error, match=case.match) as caught:
            case.call(folder)
    assert raised_by_us(caught.value), f"a third party's error reached the user: {caught.value!r}"
    assert len(str(caught.value)) <= LONGEST


def raised_by_us(error: BaseException) -> bool:
    """Whether a ``raise`` in clwork's code is where an error comes from."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return PACKAGE in Path(last.filename).parents and (last.line or "").startswith("raise ")


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Interrupt what takes longer: waiting for ever is the one failure that no assertion sees."""

    def late(*_: Any) -> None:
        raise TimeoutError(f"not done within {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
