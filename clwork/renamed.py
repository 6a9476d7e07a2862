"""Old public names: each works for one more release and warns with the new name."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def renamed_names(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of a module that has renamed functions or classes.

    Args:
        module: The module's ``__name__``.
        names: Old name to new name; the new one must exist in the same module.

    >>> __getattr__ = renamed_names("clwork.losses", {"infonce": "info_nce"})
    """

    def look_up(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_of_old_name(f"{module}.{name}", f"{module}.{names[name]}")
        return getattr(sys.modules[module], names[name])

    return look_up


class RenamedAttribute:
    """Class attribute that forwards an old name to the attribute now called ``new``."""

    def __init__(self, new: str) -> None:
        self.new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self.old = name

    def __get__(self, instance: object | None, owner: type) -> Any:
        warn_of_old_name(f"{owner.__name__}.{self.old}", f"{owner.__name__}.{self.new}")
        return getattr(owner if instance is None else instance, self.new)


def renamed_arguments(**names: str) -> Callable[[C], C]:
    """Class decorator: the constructor also takes arguments by their old names, given as ``old="new"``."""

    def decorate(cls: C) -> C:
        plain: Any = cls
        make = plain.__init__

        @functools.wraps(make)
        def __init__(self: Any, *positional: Any, **named: Any) -> None:
            for old in names.keys() & named.keys():
                warn_of_old_name(f"{cls.__name__}({old}=…)", f"{cls.__name__}({names[old]}=…)")
                named[names[old]] = named.pop(old)
            make(self, *positional, **named)

        plain.__init__ = __init__
        return cls

    return decorate


def warn_of_old_name(old: str, new: str) -> None:
    """Warn, at the line of the caller's caller, that ``old`` is now called ``new``."""
    warnings.warn(f"{old} is now {new}; the old name goes with the next release", DeprecationWarning, stacklevel=3)
