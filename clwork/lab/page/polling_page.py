"""A widget whose page polls the kernel, since Colab drops messages sent from threads and a reloaded page misses some.

While a cell runs no request is handled, so a thread pushes as well. ``messages.schema.json`` describes the messages.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import traitlets

from ...wording import explain
from .notebook import AnyWidget, Bundled, has_anywidget, without_parent

Update = dict[str, Any]
PUSH_AFTER = 1.2  # seconds without a request after which the kernel pushes
PUSH_EVERY = 0.5  # seconds between pushes


class PollingPage(Bundled, AnyWidget):
    """The base of such widgets; subclasses define ``_update``, ``_static``, ``_commands``, called under ``lock``."""

    about = traitlets.Dict().tag(sync=True)
    own_id = traitlets.Unicode().tag(sync=True)  # by which the page finds the model that knows whether the kernel runs

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.own_id = self.model_id
        self.lock = threading.RLock()
        self._last_request, self._known = 0.0, dict[str, Any]()
        self._pushing: threading.Thread | None = None
        self._closed = threading.Event()
        self.on_msg(self._receive)

    def _update(self, known: Mapping[str, Any]) -> Update:
        """What a page with ``known`` lacks; bytes stay bytes."""
        raise NotImplementedError

    def _known_after(self, known: Mapping[str, Any], update: Update) -> dict[str, Any]:
        """What a page with ``known`` knows after ``update``, where the next push starts: the versions of its parts."""
        parts = {name: part for name, part in update.items() if isinstance(part, Mapping) and "version" in part}
        return {**known, **{name: part["version"] for name, part in parts.items()}}

    def _static(self) -> tuple[str, str]:
        """Plain text and HTML for readers without widgets."""
        raise NotImplementedError

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        """Commands by name; each takes the command's other members as keyword arguments."""
        return {}

    def _active(self) -> bool:
        """Whether something changes that a page must receive without a request."""
        return False

    def _receive(self, _: object, message: object, buffers: object = None) -> None:
        if not isinstance(message, Mapping) or not isinstance(message.get("known"), Mapping):
            return
        with self.lock:
            command = message.get("do")
            error = self._do(command, buffers) if isinstance(command, Mapping) else ""
            self._last_request = time.monotonic()
            self._reply(message.get("request"), message.get("page"), message["known"], error)
        self._push_while_active()

    def _do(self, command: Mapping[str, Any], buffers: Any) -> str:
        """Carry out a command; return why it was refused, or nothing."""
        name = command.get("name")
        act = self._commands().get(str(name))
        if act is None:
            return f"This page has no command {name!r}: reload the page, it is of another version of clwork."
        try:
            act(**{key: _unpacked(value, buffers) for key, value in command.items() if key != "name"})
        except Exception as error:  # the page shows it: an exception in a callback would be lost in the server's log
            return explain(error)
        return ""

    def _reply(self, number: Any, page: Any, known: Mapping[str, Any], error: str = "") -> None:
        try:
            update = self._update(known)
        except Exception as failure:
            update, error = {}, error or explain(failure)
        self._known = self._known_after(known, update)
        buffers: list[bytes] = []
        content = {"answer": number, "page": page, "news": _packed(update, buffers)}
        self.send({**content, "refused": error} if error else content, buffers)

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send a message from any thread, without a parent; see :func:`without_parent`."""
        with without_parent():
            super().send(content, buffers)

    def _push_while_active(self) -> None:
        """Start a thread that pushes while something changes and no request arrives."""
        with self.lock:
            if self._active() and (self._pushing is None or not self._pushing.is_alive()):
                self._pushing = threading.Thread(target=self._push, name="clwork push", daemon=True)
                self._pushing.start()

    def _push_now(self) -> None:
        """Send what is new without waiting for the next request, if there was one before."""
        with self.lock:
            if self._last_request and not self._closed.is_set():
                self._reply(None, None, self._known)

    def _push(self) -> None:
        while not self._closed.wait(PUSH_EVERY):
            with self.lock:
                active = self._active()
                if not active or time.monotonic() - self._last_request > PUSH_AFTER:
                    self._reply(None, None, self._known)
                if not active:
                    self._pushing = None
                    return

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        data, metadata = (super()._repr_mimebundle_(**kwargs) if has_anywidget() else None) or ({}, {})
        text, page = self._static()
        return {**data, "text/plain": text, "text/html": page}, metadata

    def close(self) -> None:
        """Remove the widget from the page, and push no more."""
        if hasattr(self, "_closed"):  # else an argument was refused, and the garbage collector closes it
            self._closed.set()
        super().close()


def _packed(value: Any, buffers: list[bytes]) -> Any:
    """Replace bytes anywhere in ``value`` by their places in ``buffers``."""
    if isinstance(value, bytes | bytearray | memoryview):
        buffers.append(bytes(value))
        return {"buffer": len(buffers) - 1}
    if isinstance(value, Mapping):
        return {name: _packed(part, buffers) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_packed(part, buffers) for part in value]
    return value


def _unpacked(value: Any, buffers: Any) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {"buffer"} and isinstance(value["buffer"], int):
            return bytes(buffers[value["buffer"]])
        return {name: _unpacked(part, buffers) for name, part in value.items()}
    return [_unpacked(part, buffers) for part in value] if isinstance(value, list) else value
