"""Change the hot hyperparameters of a run in progress; ``thread.py`` pauses and stops it."""

from __future__ import annotations

import threading
from typing import Any

from ..methods import MethodConfig
from ..settings import Field, Value, fields, unknown_name


class Controls:
    """The hot hyperparameters of a run, as attributes.

    Reading returns the present value, or the new one if a change is pending; the training thread
    applies pending changes before its next step.

    Raises:
        AttributeError: the name is unknown, or its value is fixed during a run.
        TypeError, ValueError: the value is not allowed.
        RuntimeError: the run has ended.
    """

    _config: MethodConfig
    _fields: dict[str, Field]
    _pending: dict[str, Value]
    _lock: threading.Lock
    _closed: str

    def __init__(self, config: MethodConfig) -> None:
        # Assigned in this way, because __setattr__ accepts hyperparameters only.
        self.__dict__["_config"] = config
        self.__dict__["_fields"] = {field.name: field for field in fields(config)}
        self.__dict__["_pending"] = {}
        self.__dict__["_lock"] = threading.Lock()
        self.__dict__["_closed"] = ""

    def __dir__(self) -> list[str]:
        return [name for name, field in self._fields.items() if field.hot]

    def __getattr__(self, name: str) -> Any:
        """Return a value that was set and not applied yet, or else the present one."""
        # Only for its error if there is no such control.
        self._hot_field(name)
        with self._lock:
            return self._pending.get(name, getattr(self._config, name))

    def __setattr__(self, name: str, value: object) -> None:
        """Check a value, and keep it until the training thread applies it between two steps."""
        checked = self._hot_field(name).check(value)
        with self._lock:
            if self._closed:
                raise RuntimeError(
                    f"the run is {self._closed}, so {name} stays at "
                    f"{getattr(self._config, name)!r}; resume the run or start a new one to "
                    "change it"
                )
            self._pending[name] = checked

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__dir__())
        return f"Controls({values})"

    def _hot_field(self, name: str) -> Field:
        """Return the field of a hot hyperparameter; AttributeError for any other name."""
        field = self._fields.get(name)
        if field is None:
            raise AttributeError(unknown_name(name, self.__dir__(), "control"))
        if not field.hot:
            controls = ", ".join(self.__dir__())
            raise AttributeError(
                f"{name} is fixed during a run; start a run with {name}=…, or set one of {controls}"
            )
        return field

    def _close(self, status: str) -> None:
        """Drop pending changes and reject later ones; the error names ``status``."""
        with self._lock:
            self._pending.clear()
            self.__dict__["_closed"] = status

    def _apply(self, closing: str = "") -> dict[str, list[Value]]:
        """Apply the pending changes; return old and new value of each that differs.

        If ``closing`` is a status, later changes are rejected. Both happen under one lock, so that
        no change is lost between them.
        """
        changes = {}
        with self._lock:
            for name, value in self._pending.items():
                old = getattr(self._config, name)
                if old != value:
                    setattr(self._config, name, value)
                    changes[name] = [old, value]
            self._pending.clear()
            self.__dict__["_closed"] = closing
        return changes
