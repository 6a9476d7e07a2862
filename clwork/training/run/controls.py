"""Controls of a run in progress: its hot hyperparameters."""

from __future__ import annotations

import threading
from typing import Any

from ...methods import Field, MethodConfig, fields
from ...methods.hyperparameters import unknown_name
from ..disk.schema import Moved, Value


class Controls:
    """Hot hyperparameters as attributes: reading gives the value in force, setting one is applied at the next step.

    Raises:
        AttributeError: the name is unknown, or that hyperparameter is fixed while a run goes on.
        TypeError, ValueError: the value is of another kind or out of range.
        RuntimeError: the run has ended.
    """

    _config: MethodConfig
    _known: dict[str, Field]
    _wanted: dict[str, Value]
    _lock: threading.Lock
    _closed: str

    def __init__(self, config: MethodConfig) -> None:
        known = {field.name: field for field in fields(config)}
        super().__setattr__("_config", config)
        super().__setattr__("_known", known)
        super().__setattr__("_wanted", {})
        super().__setattr__("_lock", threading.Lock())
        super().__setattr__("_closed", "")

    def __dir__(self) -> list[str]:
        return [name for name, field in self._known.items() if field.hot]

    def _hot(self, name: str) -> Field:
        field = self._known.get(name)
        if field is None:
            raise AttributeError(unknown_name(name, list(self.__dir__()), "control"))
        if not field.hot:
            raise AttributeError(
                f"{name} is fixed while a run goes on; start a new run with {name}=…, or move one of "
                f"{', '.join(self.__dir__())}"
            )
        return field

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._hot(name)
        with self._lock:
            return self._wanted.get(name, getattr(self._config, name))

    def __setattr__(self, name: str, value: object) -> None:
        checked = self._hot(name).check(value)
        with self._lock:
            if self._closed:
                raise RuntimeError(
                    f"the run is {self._closed}: {name} stays at {getattr(self._config, name)!r}; "
                    "resume it or start a new one to change that"
                )
            self._wanted[name] = checked

    def __repr__(self) -> str:
        return "Controls(" + ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__dir__()) + ")"

    def _close(self, status: str) -> None:
        """Accept no more changes; pending ones are dropped, for no step applied them."""
        with self._lock:
            self._wanted.clear()
            super().__setattr__("_closed", status)

    def _apply(self, closing: str = "") -> Moved:
        """Apply pending changes to the configuration; return each with its value before and now.

        With ``closing``, the status at the end of the run, no more are accepted.
        """
        with self._lock:
            pending = dict(self._wanted)
            self._wanted.clear()
            super().__setattr__("_closed", closing)
        changes = {}
        for name, value in pending.items():
            old = getattr(self._config, name)
            if old != value:
                setattr(self._config, name, value)
                changes[name] = [old, value]
        return changes
