"""Validation of the arguments of public functions, by their annotations: the decorator :func:`checked`.

A function's signature names what it takes, and ``checked`` enforces it: an ``int`` is a whole number, a
``bool`` is True or False, a ``str | Path`` can be a file's. What depends on the function, such as a range or whether
two arguments go together, is checked by the function itself.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from . import checks
from .checks import kind, shown

P = ParamSpec("P")
R = TypeVar("R")
Check = Callable[[str, Any], Any]
MOST_PIXELS = 20_000
LEAST_PIXELS = 10  # plotly draws nothing smaller


def checked(**own: Check) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: validate each argument by its check in ``own``, else by its name, else by its annotation.

    A check receives the argument's name and value, and returns the value to use or raises. None passes if the
    annotation allows it.

    >>> @checked()
    ... def draw(width: int, title: str | None = None) -> None: ...
    >>> draw(620, title=5)
    Traceback (most recent call last):
    TypeError: title=5 is int; give text
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        known = {}
        for parameter in inspect.signature(function).parameters.values():
            plain = str(parameter.annotation).removesuffix(" | None")
            check = own.get(parameter.name) or BY_NAME.get(parameter.name) or BY_ANNOTATION.get(plain)
            if check is None and plain.startswith("Mapping[str, "):
                check = mapping
            if check is not None:
                known[parameter.name] = check, plain != str(parameter.annotation) or parameter.default is None
        names = list(inspect.signature(function).parameters)

        def taken(name: str, value: Any) -> Any:
            check, optional = known.get(name, (None, True))
            return value if check is None or (optional and value is None) else check(name, value)

        @functools.wraps(function)
        def edge(*positional: P.args, **named: P.kwargs) -> R:
            more: Any = [taken(name, value) for name, value in zip(names, positional, strict=False)]
            more += positional[len(more) :]  # too many, or those of *arguments: the function itself raises
            rest: Any = {name: taken(name, value) for name, value in named.items()}
            return function(*more, **rest)

        return edge

    return decorate


def of_kind(what: type | tuple[type, ...], remedy: str) -> Check:
    """Make a check for instances of ``what``; ``remedy`` is the error's advice."""

    def check(name: str, value: Any) -> Any:
        if not isinstance(value, what):
            raise TypeError(f"{name}={shown(value)} is {kind(value)}; give {remedy}")
        return value

    return check


def each(of: Check) -> Check:
    """Make a check for lists whose items pass ``of``."""

    def check(name: str, value: Any) -> list[Any]:
        return [of(f"{name}[{place}]", item) for place, item in enumerate(listed(name, value))]

    return check


def listed(name: str, value: Any) -> list[Any]:
    """Return the items of a list or another sequence.

    Raises:
        TypeError: one text, something without an order, or nothing that can be looped over.
    """
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping | set | frozenset):
        try:
            return list(value)
        except TypeError:  # an array or tensor of no dimension
            pass
    raise TypeError(f"{name}={shown(value)} is {kind(value)}; give a list")


def place(name: str, value: Any) -> Any:
    """Return a string or path unchanged, if it can name a file.

    Raises:
        TypeError, ValueError: as :func:`clwork.checks.path`.
    """
    checks.path(name, value)
    return value


def mapping(name: str, value: Any) -> Any:
    """Return ``value`` if it is a mapping with string keys.

    Raises:
        TypeError: no mapping, or one whose keys are no text.
    """
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give a dict, of something by its name")
    for key in value:
        if not isinstance(key, str):
            raise TypeError(f"{name} has the key {shown(key)}, which is {kind(key)}; give a dict whose keys are names")
    return value


def pixels(name: str, value: Any) -> int:
    """Return the width or height of a figure, in pixels.

    Raises:
        TypeError, ValueError: no whole number from 10 to 20,000.
    """
    return checks.whole(name, value, LEAST_PIXELS, MOST_PIXELS)


def words(name: str, value: Any) -> str | None:
    """Return a label: a string, None, or a number as a string.

    Raises:
        TypeError, ValueError: another kind, or characters that cannot be read.
    """
    if value is None or checks.is_number(value):
        return None if value is None else str(value)
    return checks.text(name, value)


def numbers(name: str, value: Any, dims: int | None = None) -> npt.NDArray[np.float64]:
    """Convert numbers or a tensor to a float64 array, of ``dims`` dimensions if given.

    Raises:
        TypeError: no numbers.
        ValueError: rows of different lengths, or other dimensions.
    """
    try:
        if value is None or isinstance(value, str | bytes):
            raise TypeError
        plain = np.asarray(value.detach().cpu().double() if hasattr(value, "detach") else value)
        if plain.dtype.kind not in "fiuO":
            raise TypeError
        array = np.asarray(plain, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give numbers, as an array or a list") from None
    if dims is not None and array.ndim != dims:
        raise ValueError(f"{name} has the shape {array.shape}; give numbers in {dims} dimensions")
    return array


def at_least(least: int) -> Check:
    """Make a check for integers of at least ``least``."""
    return lambda name, value: checks.whole(name, value, least)


def finite_numbers(name: str, value: Any, dims: int | None = None) -> npt.NDArray[np.float64]:
    """Convert as :func:`numbers`; refuse NaN and infinity.

    Raises:
        TypeError: no numbers.
        ValueError: other dimensions, NaN or infinity.
    """
    array = numbers(name, value, dims)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity; leave such rows out, or look at what made them")
    return array


def by_name(of: Check) -> Check:
    """Make a check for mappings with string keys whose values pass ``of``."""

    def check(name: str, value: Any) -> dict[str, Any]:
        return {key: of(f"{name}[{shown(key)}]", item) for key, item in mapping(name, value).items()}

    return check


def two(*of: Check) -> Check:
    """Make a check for pairs: the first item passes the first check, the second the last."""

    def check(name: str, value: Any) -> tuple[Any, Any]:
        pair = listed(name, value)
        if len(pair) != 2:
            raise ValueError(f"{name}={shown(value)} has {len(pair)} parts; give two")
        return of[0](f"{name}[0]", pair[0]), of[-1](f"{name}[1]", pair[1])

    return check


def like(remedy: str, *attributes: str) -> Check:
    """Make a check for objects with these attributes; ``remedy`` is the error's advice."""

    def check(name: str, value: Any) -> Any:
        if not all(hasattr(value, attribute) for attribute in attributes):
            raise TypeError(f"{name}={shown(value)} is {kind(value)}; give {remedy}")
        return value

    return check


def function(name: str, value: Any) -> Any:
    """Return ``value`` if it is callable.

    Raises:
        TypeError: it is not.
    """
    if not callable(value):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give a function, or leave it out")
    return value


def generator(name: str, value: Any) -> Any:
    """Return ``value`` if it is a ``torch.Generator``.

    Raises:
        TypeError: it is not.
    """
    checks.generator(value, name)
    return value


def tensor(name: str, value: Any) -> Any:
    """Return ``value`` if it is a tensor with data.

    Raises:
        TypeError, ValueError: as :func:`clwork.checks.tensor`.
    """
    return checks.tensor(name, value, "that is described")


BY_NAME: dict[str, Check] = {
    "seed": lambda name, value: checks.seed(value, name),
    "device": lambda name, value: checks.device(value, name),
    "width": pixels,
    "height": pixels,
    "size": pixels,
}
BY_ANNOTATION: dict[str, Check] = {
    "int": checks.whole,
    "float": checks.finite,
    "bool": checks.flag,
    "str": checks.text,
    "str | Path": checks.path,
    "str | os.PathLike[str]": checks.path,
    "Sequence[str]": each(checks.text),
    "Sequence[str | None]": each(words),
    "torch.Generator": generator,
    "Vectors": numbers,
    "npt.NDArray[Any]": numbers,
    "Sequence[float]": numbers,
    "Numbers": numbers,
    "Mapping[str, float]": by_name(checks.number),
    "Mapping[str, Vectors]": by_name(numbers),
    "Mapping[str, Sequence[float]]": by_name(numbers),
    "Mapping[str, Sequence[Any]]": by_name(listed),
    "Tensor": tensor,
}
