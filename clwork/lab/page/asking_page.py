"""A widget whose page asks the kernel for what is new, and sends it commands.

Asking works where pushing does not: Colab drops what a thread sends, and a page that was reloaded has missed it. A page
says what it knows; the kernel answers with the rest. While a cell holds the kernel no question is answered, so a thread
pushes as well, which JupyterLab shows at once and others may drop. ``messages.schema.json`` describes both messages.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import traitlets

from ...wording import explain
from .notebook import without_parent
from .widgets import AnyWidget, Bundled, has_anywidget

News = dict[str, Any]
QUIET = 1.2  # seconds without a question after which the kernel pushes
PUSH_EVERY = 0.5  # seconds between pushes


class AskingPage(Bundled, AnyWidget):
    """The base of such widgets; a subclass has ``_news`` and ``_commands``.

    All calls of ``_news`` and of commands hold ``self.lock``: questions arrive on the kernel's main thread, or where
    JupyterLab uses subshells on one of theirs, and pushes come from a thread of this widget.
    """

    own_id = traitlets.Unicode().tag(sync=True)  # by which the page finds the model that knows whether the kernel lives

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.own_id = self.model_id
        self.lock = threading.RLock()
        self._heard, self._known = 0.0, dict[str, Any]()
        self._pushing: threading.Thread | None = None
        self._closed = threading.Event()
        self.on_msg(self._take)

    def _news(self, known: Mapping[str, Any]) -> News:
        """What a page that has ``known`` lacks; bytes stay bytes."""
        raise NotImplementedError

    def _commands(self) -> Mapping[str, Callable[..., object]]:
        """Commands by name; each takes the command's other members as keyword arguments."""
        return {}

    def _known_after(self, known: Mapping[str, Any], news: News) -> dict[str, Any]:
        """What a page knows that had ``known`` and took ``news``; the next push starts there."""
        raise NotImplementedError

    def _lively(self) -> bool:
        """Whether something goes on that a page has to hear of without asking."""
        return False

    def _take(self, _: object, message: object, buffers: object = None) -> None:
        """Answer a message of the page; what is not one is passed over."""
        if not isinstance(message, Mapping) or not isinstance(message.get("known"), Mapping):
            return
        number, page, known = message.get("ask"), message.get("page"), message["known"]
        with self.lock:
            refused = self._do(message["do"], buffers) if isinstance(message.get("do"), Mapping) else ""
            self._heard = time.monotonic()
            self._answer(number, page, known, refused)
        self._keep_pushing()

    def _do(self, command: Mapping[str, Any], buffers: Any) -> str:
        """Carry out a command; return why it was refused, or nothing."""
        name = command.get("name")
        act = self._commands().get(str(name))
        if act is None:
            return f"This page has no command {name!r}: reload the page, it is of another version of clwork."
        arguments = {key: _revived(value, buffers) for key, value in command.items() if key != "name"}
        try:
            act(**arguments)
        except Exception as error:  # the page shows it: an exception in a callback would be lost in the server's log
            return explain(error)
        return ""

    def _answer(self, number: Any, page: Any, known: Mapping[str, Any], refused: str = "") -> None:
        try:
            news = self._news(known)
        except Exception as error:
            news, refused = {}, refused or explain(error)
        self._known = self._known_after(known, news)
        buffers: list[bytes] = []
        content = {"answer": number, "page": page, "news": _packed(news, buffers)}
        self.send({**content, "refused": refused} if refused else content, buffers)

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send a message, from whatever thread, without a parent; see :func:`without_parent`."""
        with without_parent():
            super().send(content, buffers)

    # --- pushes ---------------------------------------------------------------------------------------------------

    def _keep_pushing(self) -> None:
        """Have a thread that pushes while something goes on and nothing is asked."""
        with self.lock:
            if self._lively() and (self._pushing is None or not self._pushing.is_alive()):
                self._pushing = threading.Thread(target=self._push_on, name="clwork push", daemon=True)
                self._pushing.start()

    def _hurry(self) -> None:
        """Send what is new without waiting for the next question, if any page has asked."""
        with self.lock:
            if self._heard and not self._closed.is_set():
                self._answer(None, None, self._known)

    def _push_on(self) -> None:
        while not self._closed.wait(PUSH_EVERY):
            with self.lock:
                lively = self._lively()
                if not lively or time.monotonic() - self._heard > QUIET:
                    self._answer(None, None, self._known)
                if not lively:
                    self._pushing = None
                    return

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget; nothing where anywidget is not installed, and no page could draw it."""
        made = super()._repr_mimebundle_(**kwargs) if has_anywidget() else None
        return made or ({}, {})

    def close(self) -> None:
        """Take the widget off the page, and push no more."""
        if hasattr(self, "_closed"):  # else it was never begun, and the garbage collector closes it
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


def _revived(value: Any, buffers: Any) -> Any:
    """Put a message's bytes back, such as a file that the reader chose."""
    if isinstance(value, Mapping):
        if set(value) == {"buffer"} and isinstance(value["buffer"], int):
            return bytes(buffers[value["buffer"]])
        return {name: _revived(part, buffers) for name, part in value.items()}
    return [_revived(part, buffers) for part in value] if isinstance(value, list) else value
