"""A widget whose page polls the kernel.

The page sends requests several times a second, each with the versions of the data that it has, and
the kernel replies with the data that the page lacks. Colab drops messages that a thread sends, and
a reloaded page has missed earlier ones, so pushing alone would not do. The kernel handles no
requests while a cell runs; meanwhile a thread pushes. ``messages.schema.json`` describes the
messages.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import traitlets
from anywidget import AnyWidget

from ...disk import with_leaves
from ...wording import explain
from .notebook import Bundled, without_parent

# Parts of the page's data by name, each with its version; may contain bytes.
Update = dict[str, Any]
PUSH_AFTER = 1.2
"""Seconds without a request after which the kernel pushes."""
PUSH_EVERY = 0.5
"""Seconds between two pushes."""


class PollingPage(Bundled, AnyWidget):
    """Base of widgets that poll; the methods of subclasses are called while ``lock`` is held.

    A subclass defines :meth:`_update`, :meth:`_static` and ``commands``; also :meth:`_active` if
    its state changes by itself.
    """

    commands: ClassVar[Mapping[str, Callable[..., object]]] = {}
    """Methods by the name of the command that calls them.

    A command is a part of a message, such as ``{"name": "choose", "row": 3}``; its other fields are
    the keyword arguments.
    """
    actions: ClassVar[Mapping[str, str]] = {}
    """Commands that a lesson's sentence may give, with the name of their argument; "" if none.

    Any other action is a setting's name, for the command "set".
    """

    # The data that never change.
    about = traitlets.Dict().tag(sync=True)
    # By this id the page finds the model that reports the kernel's state.
    own_id = traitlets.Unicode().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.own_id = self.model_id
        self.lock = threading.RLock()
        # The time of the last request; 0 before the first one.
        self._last_request = 0.0
        # The versions that the page has after the last message, from which a push continues.
        self._known: dict[str, Any] = {}
        self._pushing: threading.Thread | None = None
        self._closed = threading.Event()
        # The last actions of a lesson's sentence, which the page shows too; empty before the first.
        self._acted: Update = {}
        self.on_msg(self._receive)

    def _update(self, known: Mapping[str, Any]) -> Update:
        """Return the data that a page with the versions ``known``, by part, lacks."""
        raise NotImplementedError

    def _known_after(self, known: Mapping[str, Any], update: Update) -> dict[str, Any]:
        """Return the versions of the parts that a page has after it receives ``update``."""
        versions = dict(known)
        for name, part in update.items():
            if isinstance(part, Mapping) and "version" in part:
                versions[name] = part["version"]
        return versions

    def _active(self) -> bool:
        """Whether the state changes by itself, so that the kernel must push."""
        return False

    def _receive(self, _: object, message: object, buffers: object = None) -> None:
        """Carry out the command of a page's message, if it has one, and reply."""
        if not isinstance(message, Mapping) or not isinstance(message.get("known"), Mapping):
            return
        with self.lock:
            command = message.get("do")
            error = self._do(command) if isinstance(command, Mapping) else ""
            self._last_request = time.monotonic()
            self._reply(message.get("request"), message.get("page"), message["known"], error)
        self._push_while_active()

    def _do(self, command: Mapping[str, Any]) -> str:
        """Call the method of a command; return its error as a sentence, or an empty text."""
        name = command.get("name")
        method = self.commands.get(str(name))
        if method is None:
            return (
                f"There is no command {name!r}: this page is from another version of clwork; "
                "reload it."
            )
        arguments = {key: value for key, value in command.items() if key != "name"}
        try:
            method(self, **arguments)
        except Exception as error:
            # An exception in a callback would only be in the server's log; the page shows this.
            return explain(error)
        return ""

    def act(self, actions: Mapping[str, Any]) -> str:
        """Carry out the actions of a lesson's sentence, as commands of the page; see ``actions``.

        The page shows their parts, and moves by itself if an action only concerns the page. Returns
        the error of the first that is refused, or an empty text.
        """
        with self.lock:
            for name, value in actions.items():
                command = {"name": "set", "setting": name, "value": value}
                if name in self.actions:
                    argument = self.actions[name]
                    command = {"name": name, **({argument: value} if argument else {})}
                if error := self._do(command):
                    return error
            version = self._acted.get("version", 0) + 1
            self._acted = {"version": version, "actions": dict(actions)}
        # The page gets the actions at once. Where a push is lost, as on Colab, it gets them with
        # the reply to its next request.
        self._push_now()
        self._push_while_active()
        return ""

    def _reply(self, request: Any, page: Any, known: Mapping[str, Any], error: str = "") -> None:
        """Send the data that a page with the versions ``known`` lacks.

        Args:
            request: number of the page's request; None for a push.
            page: id of the page, because two tabs may show one widget; None for a push, which is
                for all pages.
            known: versions of the data that the page has.
            error: why the command of the request was not carried out; empty if it was.
        """
        try:
            update = self._update(known)
            if known.get("act") != self._acted.get("version"):
                update = {**update, "act": self._acted}
        except Exception as failure:
            update = {}
            error = error or explain(failure)
        self._known = self._known_after(known, update)
        buffers: list[bytes] = []
        content = {"answer": request, "page": page, "news": _without_bytes(update, buffers)}
        if error:
            content["refused"] = error
        self.send(content, buffers)

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send a message from any thread, without a parent; see :func:`without_parent`."""
        with without_parent():
            super().send(content, buffers)

    def _push_while_active(self) -> None:
        """Start a thread that pushes while the widget is active and no request arrives."""
        with self.lock:
            is_pushing = self._pushing is not None and self._pushing.is_alive()
            if self._active() and not is_pushing:
                self._pushing = threading.Thread(target=self._push, name="clwork push", daemon=True)
                self._pushing.start()

    def _push_now(self) -> None:
        """Push the update now if a page is connected, that is, has sent a request before."""
        with self.lock:
            has_page = self._last_request > 0
            if has_page and not self._closed.is_set():
                self._reply(request=None, page=None, known=self._known)

    def _push(self) -> None:
        """Push while the widget is active and the page does not poll; runs in a thread."""
        while not self._closed.wait(PUSH_EVERY):
            with self.lock:
                active = self._active()
                seconds_without_request = time.monotonic() - self._last_request
                # The last state is always pushed, also to a page that polls.
                if not active or seconds_without_request > PUSH_AFTER:
                    self._reply(request=None, page=None, known=self._known)
                if not active:
                    self._pushing = None
                    return

    def close(self) -> None:
        """Remove the widget from the page and stop pushing."""
        # After an error in the constructor, the widget lacks this attribute.
        if hasattr(self, "_closed"):
            self._closed.set()
        super().close()


def _without_bytes(value: Any, buffers: list[bytes]) -> Any:
    """Return ``value`` as JSON: bytes anywhere in it are appended to ``buffers``.

    Their index replaces them.

    >>> buffers = []
    >>> _without_bytes({"losses": b"1234"}, buffers), buffers
    ({'losses': {'buffer': 0}}, [b'1234'])
    """

    def without(leaf: Any) -> Any:
        if not isinstance(leaf, bytes):
            return leaf
        buffers.append(leaf)
        return {"buffer": len(buffers) - 1}

    return with_leaves(value, without)
