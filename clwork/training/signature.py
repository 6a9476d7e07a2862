"""A function that hands all its arguments on still says which ones it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def same_arguments_as(model: Callable[P, Any]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Decorator: to ``help``, editors and type checkers the function has the arguments of ``model``.

    >>> def start(method: str, *, steps: int = 300) -> None: ...
    >>> @same_arguments_as(start)
    ... def train(*given, **named): ...
    >>> print(inspect.signature(train))
    (method: 'str', *, steps: 'int' = 300)
    """

    def decorate(function: Callable[..., R]) -> Callable[P, R]:
        own = inspect.signature(function).return_annotation
        function.__signature__ = inspect.signature(model).replace(return_annotation=own)  # type: ignore[attr-defined]
        return function

    return decorate
