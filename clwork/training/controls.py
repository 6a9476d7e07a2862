"""Change the hot hyperparameters of a run in progress."""

from __future__ import annotations

import threading
from typing import Any

from ..methods import MethodConfig
from ..run_folder.schema import Moved, Value
from ..settings import Field, fields, unknown_name


class Controls:
    """Hot hyperparameters as attributes. Reading returns the present value; a new value applies from the next step."""

    _config: MethodConfig
    _fields: dict[str, Field]
    _pending: dict[str, Value]
    _lock: threading.Lock
    _closed: str

    def __init__(self, config: MethodConfig) -> None:
        for name, value in {
            "_config": config,
            "_fields": {field.name: field for field in fields(config)},
            "_pending": {},
            "_lock": threading.Lock(),
            "_closed": "",
        }.items():
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [name for name, field in self._fields.items() if field.hot]

    def _hot(self, name: str) -> Field:
        field = self._fields.get(name)
        if field is None:
            raise AttributeError(unknown_name(name, list(self.__dir__()), "control"))
        if not field.hot:
            controls = ", ".join(self.__dir__())
            raise AttributeError(
                f"{name} is fixed during a run; start a run with {name}=…, or set one of {controls}"
            )
        return field

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._hot(name)
        with self._lock:
            return self._pending.get(name, getattr(self._config, name))

    def __setattr__(self, name: str, value: object) -> None:
        checked = self._hot(name).check(value)
        with self._lock:
            if self._closed:
                raise RuntimeError(
                    f"the run is {self._closed}, so {name} stays at {getattr(self._config, name)!r}; "
                    "resume the run or start a new one to change it"
                )
            self._pending[name] = checked

    def __repr__(self) -> str:
        return (
            "Controls("
            + ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__dir__())
            + ")"
        )

    def _close(self, status: str) -> None:
        """Reject all later changes, with ``status`` in the error, and drop the changes that are still pending."""
        with self._lock:
            self._pending.clear()
            super().__setattr__("_closed", status)

    def _apply(self, closing: str = "") -> Moved:
        """Apply pending changes and return old and new values; reject later changes if ``closing`` is a status."""
        changes = {}
        with self._lock:
            for name, value in self._pending.items():
                old = getattr(self._config, name)
                if old != value:
                    setattr(self._config, name, value)
                    changes[name] = [old, value]
            self._pending.clear()
            super().__setattr__("_closed", closing)
        return changes
