"""A page of clwork without JupyterLab: its module in an empty document, connected to a widget of
this process."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from clwork.lab.page import standalone

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from clwork.lab.page.polling_page import PollingPage

DOCUMENT = """<!doctype html><html lang="en" {about}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>html, body {{ margin: 0 }} html[theme="dark"] {{ background: #14181d }}</style></head>
<body><div id="clwork"></div><script type="module">
{module}
{{
window.began = performance.now();
const state = {state}, calls = new Map();
const bytes = (text) => new DataView(Uint8Array.from(atob(text),
    (letter) => letter.charCodeAt(0)).buffer);
const text = (buffer) => btoa(Array.from(new Uint8Array(buffer),
    (byte) => String.fromCharCode(byte)).join(""));
const hear = (messages) => {{
  for (const [content, buffers] of messages) {{
    for (const call of calls.get("msg:custom") ?? []) call(content, buffers.map(bytes));
  }}
}};
const model = {{
  get: (name) => state[name],
  on: (what, call) => calls.set(what, [...(calls.get(what) ?? []), call]),
  off: (what, call) => calls.set(what, (calls.get(what) ?? []).filter((one) => one !== call)),
  send: (message, _, buffers) =>
    window.kernel(JSON.stringify(message),
        (buffers ?? []).map(text)).then((reply) => hear(JSON.parse(reply))),
  widget_manager: {{ get_model: async () => line }},
}};
const line = {{ comm_live: true, on: (_, call) => (line.call = call), off: () => {{}} }};
window.cutLine = () => {{ line.comm_live = false; line.call?.(); }};
const el = document.getElementById("clwork");
if ({detached}) el.remove();
window.attach = () => document.body.prepend(el);
window.end = {exported}.render({{ model, el }});
}}
</script></body></html>
"""


def wait_for(page: Page, condition: Callable[[], bool], patience: float = 120) -> None:
    """Wait until a condition holds, and serve the page's requests meanwhile."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        page.wait_for_timeout(50)


class KernelPage:
    """Connects a page to a widget. Pushes of threads arrive with the next reply, since a thread
    has no browser.

    With ``drops`` they never arrive, as on Colab. A widget with a true ``deaf`` sends no reply.
    """

    def __init__(
        self, page: Page, widget: PollingPage, module: str, *, drops: bool = False
    ) -> None:
        self.page, self.widget, self.module, self.drops = page, widget, module, drops
        self.requests: list[dict[str, Any]] = []
        self.dropped = 0
        self.errors: list[str] = []
        self._sent: SimpleQueue[tuple[Any, list[str]]] = SimpleQueue()
        widget.__dict__["send"] = self._send
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.expose_function("kernel", self._request)

    def open(self, theme: str = "light", detached: bool = False) -> None:
        """Show the widget in a new page; if ``detached``, outside the document until the page calls
        ``attach()``."""
        exported = standalone._exported(self.module)
        values = self.widget.trait_values()
        state = json.dumps(
            {"about": values["about"], "height": values.get("height"), "own_id": self.widget.own_id}
        )
        module = standalone.module(self.module)
        about, outside = f'theme="{theme}"', json.dumps(detached)
        self.page.set_content(
            DOCUMENT.format(
                about=about, module=module, state=state, exported=exported, detached=outside
            )
        )

    def _send(self, content: Mapping[str, Any], buffers: list[bytes] | None = None) -> None:
        if self.drops and content["answer"] is None:
            self.dropped += 1
            return
        self._sent.put(
            (content, [base64.b64encode(part).decode("ascii") for part in buffers or []])
        )

    def _request(self, message: str, buffers: list[str]) -> str:
        self.requests.append(json.loads(message))
        if getattr(self.widget, "deaf", False):
            return "[]"
        # several pages may show a widget: each receives its own answers
        self.widget.__dict__["send"] = self._send
        self.widget._receive(None, self.requests[-1], [base64.b64decode(part) for part in buffers])
        sent = []
        while not self._sent.empty():
            sent.append(self._sent.get())
        return json.dumps(sent, allow_nan=False)
