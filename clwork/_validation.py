"""Validation of the arguments of public functions.

:func:`checked` validates by annotations, with pydantic. The functions below it check one value and return it in a plain
Python type. Scalars of numpy count as numbers, bools do not.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import io
import math
import os
import re
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path
from types import NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
from annotated_types import Ge, Gt, Le, Lt
from pydantic import (
    AfterValidator,
    AllowInfNan,
    BeforeValidator,
    ConfigDict,
    PlainValidator,
    Strict,
    TypeAdapter,
    ValidationError,
)

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
MOST_SEED = 2**32 - 1  # the largest seed of numpy and scikit-learn
MOST_INTEGER = 2**63 - 1  # the largest int64

PLAIN_TERMS = {  # parts of pydantic's messages
    "Input": "it",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "greater than": "above",
    "less than": "below",
}

P = ParamSpec("P")
R = TypeVar("R")
Check = Callable[[str, Any], Any]
Positive = Annotated[int, Ge(1)]
Natural = Annotated[int, Ge(0)]
AtLeastTwo = Annotated[int, Ge(2)]
AboveZero = Annotated[float, Gt(0)]
AtLeastZero = Annotated[float, Ge(0)]
Share = Annotated[float, Ge(0), Le(1)]
ShareBelowOne = Annotated[float, Ge(0), Lt(1)]


def checked(**own: Check) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: validate arguments by pydantic and their annotations; a check in ``own`` replaces an annotation."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = inspect.signature(function).parameters

        @functools.cache  # at the first call: annotations may name classes that are defined later
        def adapters() -> dict[str, tuple[TypeAdapter[Any], bool]]:
            given = {
                name: p.annotation for name, p in parameters.items() if p.annotation is not p.empty
            }
            annotated = SimpleNamespace(__annotations__=given)
            hints = get_type_hints(
                annotated, inspect.unwrap(function).__globals__, include_extras=True
            )
            return {
                name: _adapter(name, hints[name], own.get(name))
                for name in parameters
                if name in hints
            }

        def validated(name: str, value: Any) -> Any:
            adapter, optional = adapters().get(name, (None, True))
            if adapter is None or (value is None and optional):
                return value
            try:
                return adapter.validate_python(value)
            except ValidationError as error:
                raise _readable_error(name, error) from None

        @functools.wraps(function)
        def call(*positional: P.args, **named: P.kwargs) -> R:
            more: Any = [
                validated(name, value) for name, value in zip(parameters, positional, strict=False)
            ]
            rest: Any = {name: validated(name, value) for name, value in named.items()}
            more += positional[len(more) :]  # excess arguments, or those of *arguments
            return function(*more, **rest)

        return call

    return decorate


def _adapter(name: str, hint: Any, own: Check | None) -> tuple[TypeAdapter[Any], bool]:
    """Return pydantic's validator of an argument, and whether None is allowed."""
    optional = NoneType in get_args(hint)
    if optional and get_origin(hint) in (Union, UnionType):
        hint = Union[tuple(part for part in get_args(hint) if part is not NoneType)]  # noqa: UP007
    if (check := own or BY_NAME.get(name)) is not None:
        hint = Annotated[Any, PlainValidator(functools.partial(check, name))]
    else:
        hint = _strict(name, hint)
    return TypeAdapter(
        hint, config=ConfigDict(arbitrary_types_allowed=True)
    ), optional or own is not None


def _strict(name: str, hint: Any, finite: bool = True) -> Any:
    """Replace scalars, paths, vectors and tensors in an annotation by types that this module checks."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is str:
        return Annotated[str, Strict(), AfterValidator(lambda value: check_characters(value, name))]
    if hint in (int, float, bool):
        return Annotated[
            hint,
            BeforeValidator(functools.partial(_scalar, name)),
            Strict(),
            *([AllowInfNan(False)] if finite else []),
        ]
    union = origin in (Union, UnionType)
    if (
        hint in CHECKS
        or origin is np.ndarray
        or (union and any(get_origin(part) is np.ndarray for part in parts))
    ):
        return Annotated[Any, PlainValidator(functools.partial(CHECKS.get(hint, numbers), name))]
    if getattr(hint, "__module__", "") == "torch" and hint.__name__ in OF_TORCH:
        return Annotated[Any, PlainValidator(functools.partial(OF_TORCH[hint.__name__], name))]
    if origin is Annotated:
        return Annotated[_strict(name, parts[0]), *hint.__metadata__]
    if origin in (Sequence, Mapping, list, dict, tuple):
        return origin[
            tuple(part if part is Ellipsis else _strict(name, part, finite=False) for part in parts)
        ]
    if hint is Any or union or origin is Iterable or getattr(hint, "_is_protocol", False):
        return Any  # the function itself checks unions and protocols
    if isinstance(hint, type):
        article = "an" if hint.__name__[0] in "AEIOU" else "a"
        return Annotated[
            Any,
            PlainValidator(functools.partial(of_kind(hint, f"{article} {hint.__name__}"), name)),
        ]
    return hint


def _scalar(name: str, value: Any) -> Any:
    """Convert a numpy scalar or 0-dim array to a Python number; raise for a tensor, which pydantic would convert."""
    plain = (
        value.item() if isinstance(value, np.generic | np.ndarray) and value.ndim == 0 else value
    )
    if hasattr(plain, "__float__") and not isinstance(plain, int | float):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give a plain number")
    return plain


def _readable_error(name: str, error: ValidationError) -> Exception:
    """Return a TypeError or ValueError that names argument, value and remedy in place of pydantic's report."""
    first = error.errors(include_url=False)[0]
    if "error" in first.get("ctx", {}) and isinstance(first["ctx"]["error"], Exception):
        return first["ctx"]["error"]
    where = name + "".join(f"[{part!r}]" for part in first["loc"])
    value, message = first["input"], first["msg"]
    for long, short in PLAIN_TERMS.items():
        message = message.replace(long, short)
    if first["type"] == "literal_error" and isinstance(value, str):
        known = re.findall("'(.*?)'", message)
        return ValueError(f"{where}={shown(value)} is not known{nearest(value, known)}; {message}")
    if first["type"].endswith(("_type", "is_instance_of", "literal_error")):
        return TypeError(f"{where}={shown(value)} is {kind(value)}; {message}")
    return ValueError(f"{where}={shown(value)}: {message}")


def shown(value: object, most: int = 60) -> str:
    """Format a value for an error message, on one line of at most ``most`` characters; never raises."""
    try:
        text = repr(value[: most + 1] if isinstance(value, str | bytes) else value)
    except Exception:  # a user's repr may fail, and an int of 5,000 digits has none
        text = (
            f"an int of {value.bit_length()} bits"
            if isinstance(value, int)
            else reprlib.repr(type(value))
        )
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def printable(text: str) -> str:
    """Replace lone surrogates, and control characters that XML forbids, by ``U+FFFD``."""
    return UNPRINTABLE.sub("\ufffd", text)


def kind(value: object) -> str:
    return type(value).__name__


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `` (did you mean 'mean'?)`` for a misspelt name; empty if no known name is similar."""
    names = list(known) if len(name) < 100 else []
    near = difflib.get_close_matches(name, names, n=1)
    near = near or [one for one in names if sorted(one) == sorted(name)]  # letters in another order
    return f" (did you mean {near[0]!r}?)" if near else ""


def is_integer(value: object) -> bool:
    """Whether a value is an integer, Python's or numpy's."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether a value is an int or float, Python's or numpy's."""
    return is_integer(value) or isinstance(value, float | np.floating)


def is_finite(value: Any) -> bool:
    """Whether a number is finite, and small enough for a float."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def integer(name: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """Return an integer from ``least`` to ``most`` (2⁶³ - 1 if left out)."""
    wanted = "an int"
    if least is not None:
        wanted += f" of at least {least}" if most is None else f" from {least} to {most}"
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give {wanted}")
    plain = int(value)
    if least is not None and not least <= plain <= (MOST_INTEGER if most is None else most):
        raise ValueError(f"{name}={shown(value)} is out of range; give {wanted}")
    return plain


def number(name: str, value: object) -> float:
    """Convert a number to float; infinity and NaN pass, since callers check the range."""
    if not is_number(value):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give a plain number")
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise ValueError(
            f"{name}={shown(value)} is too large for a float; give a number below 1e308"
        ) from None


def finite(name: str, value: object) -> float:
    """Convert a finite number to float."""
    plain = number(name, value)
    if not math.isfinite(plain):
        raise ValueError(f"{name}={shown(value)} is not finite; give a plain number")
    return plain


def flag(name: str, value: object) -> bool:
    """Return a bool; strings are refused, since ``"no"`` is truthy."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give True or False")
    return bool(value)


def text(name: str, value: object) -> str:
    """Return a string that can be stored as UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give text")
    return check_characters(value, name)


def check_characters(text: str, where: str) -> str:
    """Return ``text`` if it can be stored as UTF-8 and holds no zero character."""
    if "\0" in text:
        place = text.index("\0")
        raise ValueError(
            f"{where} holds a zero character at index {place} ({shown(text)}), as binary data does; remove it with "
            r"text.replace('\0', '')"
        )
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(
                f"{where} holds {text[error.start]!a} at index {error.start} ({shown(text)}), half of a character; "
                "repair it with text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"
            ) from None
    return text


def path(name: str, value: object) -> Path:
    """Return a path with ``~`` expanded; nothing needs to exist there."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise TypeError(
            f"{name}={shown(value)} is {kind(value)}; give a path, as text or pathlib.Path"
        )
    text: str = os.fspath(value)
    if not text.strip():
        raise ValueError(f"{name}={shown(text)} is blank; give the path of a file or folder")
    check_characters(text, name)
    if max(len(part.encode()) for part in text.split(os.sep)) > 255 or len(text.encode()) > 4095:
        raise ValueError(f"{name}={shown(text)} is too long for a file system; give a shorter path")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(
            f"{name}={shown(text)} names the home of an unknown user; give the full path"
        ) from None


def path_like(name: str, value: Any) -> Any:
    """Return a string or path unchanged, if it can name a file."""
    path(name, value)
    return value


def not_inside(name: str, place: Path, own: Path, what: str) -> None:
    """Check that the target ``place`` is not inside the source folder ``own``; both are resolved."""
    if own != place and place.is_relative_to(own):
        raise ValueError(
            f"{name}={shown(str(place), 200)} is inside {own}, which {what}; give one next to it"
        )


def choice(name: str, value: object, known: Sequence[str]) -> str:
    words = ", ".join(map(repr, known))
    if not isinstance(value, str):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give one of {words}")
    if value not in known:
        raise ValueError(
            f"{name}={shown(value)} is not known{nearest(value, known)}; give one of {words}"
        )
    return str(value)


def seed(value: object, name: str = "seed") -> int:
    """Return a seed, 0 to 2³² - 1; None is refused, since each call would draw differently."""
    return integer(name, value, 0, MOST_SEED)


def tensor(name: str, value: Any, shape: str = "(B, D)") -> Any:
    """Return ``value`` if it is a dense tensor with data; ``shape`` is shown in the error message if not empty."""
    import torch

    from .arithmetic import may_read

    wanted = "a torch.Tensor" + (shape and f" of shape {shape}")
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name}={shown(value, 40)} is {kind(value)}; give {wanted}")
    if value.is_nested or value.layout != torch.strided:
        remedy = ".to_padded_tensor(0.0)" if value.is_nested else ".to_dense()"
        raise TypeError(f"{name} is a sparse or nested tensor; give {wanted}: {name}{remedy}")
    if value.device.type == "meta" and may_read(value):
        raise ValueError(
            f"{name} is on the device 'meta' and holds no numbers; pass one on a CPU or GPU"
        )
    return value


def generator(
    value: object, name: str = "generator", *, on: str | None = None, optional: bool = False
) -> Any:
    """Return a ``torch.Generator`` on device type ``on``; if ``optional``, also None (torch's global generator)."""
    import torch

    if optional and value is None:
        return None
    if not isinstance(value, torch.Generator):
        raise TypeError(
            f"{name}={shown(value)} is {kind(value)}; give one, such as torch.Generator()"
        )
    if on is not None and value.device.type != on:
        raise ValueError(
            f"{name} is on {value.device.type}, not on {on}; make it with torch.Generator({on!r})"
        )
    return value


def device(value: object, name: str = "device") -> str | None:
    """Return the name of a device if this machine has it; None stays None."""
    import torch

    if value is None:
        return None
    if not isinstance(value, str | torch.device):
        raise TypeError(
            f"{name}={shown(value)} is {kind(value)}; give 'cpu', 'cuda' or 'cuda:1', or leave it out"
        )
    try:
        named = torch.device(value)
        torch.zeros(1, device=named).tolist()  # "meta" has no numbers to read
    except (RuntimeError, AssertionError, ValueError, NotImplementedError) as error:
        why = str(error).strip().splitlines()[0][:120] if str(error) else kind(error)
        raise ValueError(
            f"{name}={shown(str(value))} cannot be used here ({why}); give 'cpu'"
        ) from None
    return str(named)


def usual_device() -> str:
    """Return the default device: a GPU if there is one."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def numbers(name: str, value: Any, dims: int | None = None) -> npt.NDArray[np.float64]:
    """Convert numbers or a tensor to a float64 array, of ``dims`` dimensions if given."""
    try:
        if value is None or isinstance(value, str | bytes):
            raise TypeError
        plain = np.asarray(value.detach().cpu().double() if hasattr(value, "detach") else value)
        if plain.dtype.kind not in "fiuO":
            raise TypeError
        array = np.asarray(plain, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        raise TypeError(
            f"{name}={shown(value)} is {kind(value)}; give numbers, as an array or a list"
        ) from None
    if dims is not None and array.ndim != dims:
        raise ValueError(f"{name} has the shape {array.shape}; give numbers in {dims} dimensions")
    return array


def listed(name: str, value: Any) -> list[Any]:
    """Return the items of a list or another container that has an order."""
    without_order = isinstance(
        value, str | bytes | bytearray | memoryview | Mapping | Set | io.IOBase
    )
    if not without_order and not hasattr(value, "columns"):
        try:
            return list(value)
        except TypeError:
            pass
    raise TypeError(
        f"{name}={shown(value, 40)} is {kind(value)}; give a list or another ordered container (for a table, one of "
        "its columns; for a file, its path)"
    )


def strings(name: str, value: Any) -> list[str]:
    """Return the sentences of a list or another container that has an order."""
    rows = listed(name, value)
    for row, item in enumerate(rows):
        if not isinstance(item, str):
            raise TypeError(
                f"{name}, row {row}: {shown(item)} is {kind(item)}; every sentence must be a str"
            )
    return rows


def label(name: str, value: Any) -> str | None:
    """Return a label: a string, None, or a number as a string."""
    if value is None or is_number(value):
        return None if value is None else str(value)
    return text(name, value)


def of_kind(what: type | tuple[type, ...], remedy: str) -> Check:
    """Return a function that checks that a value is an instance of ``what``; ``remedy`` is the error's advice."""

    def check(name: str, value: Any) -> Any:
        if not isinstance(value, what):
            raise TypeError(f"{name}={shown(value)} is {kind(value)}; give {remedy}")
        return value

    return check


def like(remedy: str, *attributes: str) -> Check:
    """Return a function that checks that an object has all ``attributes``; ``remedy`` is the error's advice."""

    def check(name: str, value: Any) -> Any:
        if not all(hasattr(value, attribute) for attribute in attributes):
            raise TypeError(f"{name}={shown(value)} is {kind(value)}; give {remedy}")
        return value

    return check


def each(of: Check) -> Check:
    """Return a function that checks that a value is a list whose items pass the check ``of``."""
    return lambda name, value: [
        of(f"{name}[{place}]", item) for place, item in enumerate(listed(name, value))
    ]


BY_NAME: dict[str, Check] = {
    "seed": lambda name, value: seed(value, name),
    "device": lambda name, value: device(value, name),
    **dict.fromkeys(
        ("width", "height", "size"), lambda name, value: integer(name, value, 10, 20_000)
    ),  # pixels
}
CHECKS: dict[Any, Check] = {
    str | Path: path,
    str | os.PathLike[str]: path,
    Sequence[str]: each(text),
    Sequence[str | None]: each(label),
    Sequence[float]: numbers,
    Sequence[Any]: listed,
}
OF_TORCH: dict[str, Check] = {
    "Tensor": lambda name, value: tensor(name, value, ""),
    "Generator": lambda name, value: generator(value, name),
}
