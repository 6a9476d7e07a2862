"""Every public function, swept with bad values: each is refused by clwork's own code, in a sentence that tells."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

import clwork
from clwork.checks import shown

from ..encoders.conftest import write_tiny
from . import sweep
from .sweep import Argument
from .table import LONGEST, PATIENCE, raised_by_us, within
from .workshop import Workshop

OURS = (TypeError, ValueError, FileNotFoundError, FileExistsError)
FUNCTIONS = dict(sweep.public())
LOADS_UMAP = ("views.aligned_umap", "views.umap_coordinates")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    place = tmp_path_factory.mktemp("workshop")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLWORK_RUNS", str(place / "runs"))
        patch.setenv("CLWORK_HOME", str(place / "home"))
        made = Workshop(place, write_tiny(place / "tiny"))
        yield made
        made.close()


def called(name: str, workshop: Workshop) -> Callable[..., Any]:
    """The function, or the method of the workshop's object."""
    home, _, method = name.partition(".")
    return getattr(workshop.objects[home], method) if home in sweep.OBJECTS else FUNCTIONS[name]


def tells(message: str, argument: Argument, value: Any) -> bool:
    """Whether an error names the argument, or shows the value or a part of it."""
    parts = [value]
    parts += [*value, *value.values()] if isinstance(value, Mapping) else value if isinstance(value, list) else []
    return argument.name in message or any(shown(part)[:20].strip("'") in message for part in parts)


def fault(argument: Argument, value: Any, workshop: Workshop) -> str:
    """What is wrong with the answer to a bad value; empty where it is refused as it should be."""
    given = workshop.good[argument.function]() if argument.function in workshop.good else {}
    try:
        with within(PATIENCE), contextlib.redirect_stderr(io.StringIO()):
            found = called(argument.function, workshop)(**{**given, argument.name: value})
    except Exception as error:
        if not isinstance(error, OURS) or not raised_by_us(error):
            return f"raw {error!r}"
        message = str(error)
        if len(message) > LONGEST or not tells(message, argument, value):
            return f"an error that does not tell: {message}"
        return ""
    return f"taken: {shown(found)}"


@pytest.mark.parametrize("name", sweep.swept())
def test_bad_values_are_refused_in_words(name: str, workshop: Workshop) -> None:
    found = [
        f"{argument.name}={shown(value)}: {wrong}"
        for argument in sweep.swept()[name]
        for value in sweep.bad_values(argument)
        if (wrong := fault(argument, value, workshop))
    ]
    assert not found, "\n".join([f"{name}:", *found])


@pytest.mark.parametrize("name", [name for name in sweep.swept() if name not in LOADS_UMAP])
def test_the_workshop_s_own_arguments_are_taken(name: str, workshop: Workshop) -> None:
    """A guard: what is refused above is refused for the one bad value."""
    called(name, workshop)(**(workshop.good[name]() if name in workshop.good else {}))


def test_the_sweep_is_of_all_that_is_public_and_large() -> None:
    """A guard: each argument has a kind, every exception is of something that is there, and the cases are many."""
    assert sum(1 for _ in sweep.cases()) > 4000
    assert set(sweep.NO_EDGE) <= set(FUNCTIONS)
    assert {"training.start", "lab.playground", "views.plane", "losses.distillation"} <= set(sweep.swept())


def test_nothing_is_written_into_what_is_saved(workshop: Workshop) -> None:
    """A run within its own folder would be copied along at the next save, and an encoder's folder refused for ever."""
    workshop.encoder.save(own := workshop.fresh())
    saved = clwork.load_encoder(own, device="cpu")
    for save in (
        lambda: saved.save(own / "again"),
        lambda: workshop.run.save(workshop.run.folder / "copy"),
        lambda: workshop.run.fork(0, steps=1, folder=workshop.run.folder / "fork"),
    ):
        with pytest.raises(ValueError, match=r"lies inside .*give one beside it"):
            save()
    saved.save(own)
    assert not (own / "again").exists() and not (workshop.run.folder / "copy").exists()
