"""A widget whose page polls the kernel.

Colab drops messages from threads, and a reloaded page misses some; so the page polls. The kernel
handles no requests while a cell runs, so a thread also pushes. ``messages.schema.json`` has the
messages.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import traitlets

from ...wording import explain
from .notebook import AnyWidget, Bundled, has_anywidget, without_parent

Update = dict[str, Any]
PUSH_AFTER = 1.2
"""Seconds without a request after which the kernel pushes."""
PUSH_EVERY = 0.5
"""Seconds between two pushes."""


class PollingPage(Bundled, AnyWidget):
    """Base of widgets that poll; the methods of subclasses are called while ``lock`` is held."""

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {}
    """Methods by the name of their command, whose other fields are keyword arguments."""

    about = traitlets.Dict().tag(sync=True)
    # by this id the page finds the model that reports the kernel's state
    own_id = traitlets.Unicode().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.own_id = self.model_id
        self.lock = threading.RLock()
        self._last_request = 0.0
        self._known: dict[str, Any] = {}
        self._pushing: threading.Thread | None = None
        self._closed = threading.Event()
        self.on_msg(self._receive)

    def _update(self, known: Mapping[str, Any]) -> Update:
        """Return the data that a page with the versions ``known`` lacks; may contain bytes."""
        raise NotImplementedError

    def _known_after(self, known: Mapping[str, Any], update: Update) -> dict[str, Any]:
        """Return the versions of the parts that a page has after it receives ``update``."""
        versions = {
            name: part["version"]
            for name, part in update.items()
            if isinstance(part, Mapping) and "version" in part
        }
        return {**known, **versions}

    def _static(self) -> tuple[str, str]:
        """Return plain text and HTML for readers without widgets."""
        raise NotImplementedError

    def _active(self) -> bool:
        """Whether the state changes by itself, so that the kernel must push."""
        return False

    def _receive(self, _: object, message: object, buffers: object = None) -> None:
        if not isinstance(message, Mapping) or not isinstance(message.get("known"), Mapping):
            return
        with self.lock:
            command = message.get("do")
            error = self._do(command) if isinstance(command, Mapping) else ""
            self._last_request = time.monotonic()
            self._reply(message.get("request"), message.get("page"), message["known"], error)
        self._push_while_active()

    def _do(self, command: Mapping[str, Any]) -> str:
        name = command.get("name")
        act = self.commands.get(str(name))
        if act is None:
            return (
                f"There is no command {name!r}: this page is from another version of clwork; "
                "reload it."
            )
        arguments = {key: value for key, value in command.items() if key != "name"}
        try:
            act(self, **arguments)
        except Exception as error:
            # An exception in a callback would only be in the server's log; the page shows this.
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
        """Start a thread that pushes while the widget is active and no request arrives."""
        with self.lock:
            if self._active() and (self._pushing is None or not self._pushing.is_alive()):
                self._pushing = threading.Thread(target=self._push, name="clwork push", daemon=True)
                self._pushing.start()

    def _push_now(self) -> None:
        """Push the update now if a page is connected, that is, has sent a request before."""
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
        data: dict[str, Any] = {}
        metadata: dict[str, Any] = {}
        if has_anywidget():
            # None if the widget has no view
            data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        text, page = self._static()
        return {**data, "text/plain": text, "text/html": page}, metadata

    def close(self) -> None:
        """Remove the widget from the page and stop pushing."""
        # missing if the constructor raised an error
        if hasattr(self, "_closed"):
            self._closed.set()
        super().close()


def _packed(value: Any, buffers: list[bytes]) -> Any:
    """Append all bytes in ``value`` to ``buffers``, and put their indices in their place."""
    if isinstance(value, bytes):
        buffers.append(value)
        return {"buffer": len(buffers) - 1}
    if isinstance(value, Mapping):
        return {name: _packed(part, buffers) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_packed(part, buffers) for part in value]
    return value
