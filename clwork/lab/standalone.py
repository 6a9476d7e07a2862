"""Pages that need no kernel: one of clwork's modules and its state in a document of its own, which asks for nothing.

A module (``clwork/lab/modules/<name>.js``, made from ``js/src/<name>`` by ``make bundle``) has anywidget's shape. Here
it meets a stand-in for anywidget's model, so that the same file runs in JupyterLab, in a static page and in a frame.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import checks

MODULES = Path(__file__).parent / "modules"
# The browser itself holds a page to what we promise: no address is asked for anything.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "worker-src blob:; form-action 'none'; base-uri 'none'"
)
EXPORTED = re.compile(r"^export \{[^}]*?(\w+) as default\b[^}]*\};?\s*\Z", re.MULTILINE)

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>{title}</title><style>html, body {{ margin: 0; background: transparent }}</style></head>
<body><noscript>This page moves by scripts, and they are switched off here.</noscript>
<div id="clwork"></div><script type="application/json" id="clwork-state">{state}</script>
<script type="module">
{module}
{{
  const state = JSON.parse(document.getElementById("clwork-state").textContent);
  const page = new EventTarget();
  const model = {{
    get: (name) => state[name],
    set: (name, value) => {{ state[name] = value; page.dispatchEvent(new Event(`change:${{name}}`)); }},
    save_changes: () => {{}},
    on: (what, call) => page.addEventListener(what, call),
    off: (what, call) => page.removeEventListener(what, call),
  }};
  {exported}.render({{ model, el: document.getElementById("clwork") }});
}}
</script></body></html>
"""

# A frame of its own cannot see whether JupyterLab or Colab is dark: the page around it answers, and tells of a change.
TELL_THEME = """<script>
window.clworkTheme ??= (() => {
  const dark = () => {
    const lab = document.body.dataset.jpThemeLight, colab = document.documentElement.getAttribute("theme");
    return lab !== undefined ? lab === "false" : colab !== null ? colab === "dark" : null;
  };
  const tell = (frame) => { if (dark() !== null) frame?.postMessage({ clworkDark: dark() }, "*"); };
  window.addEventListener("message", (event) => {
    if (event.data === "clwork: light or dark?") tell(event.source);
  });
  const all = () => document.querySelectorAll("iframe.clwork-page").forEach((frame) => tell(frame.contentWindow));
  const watch = new MutationObserver(all);
  watch.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ["theme"] });
  return true;
})();
</script>"""


# JupyterLab's "Run All" ends at the last cell. A reader who has touched nothing since is taken back to the first thing
# that moves, once all cells have run.
BACK_TO_FIRST = """<script>
(() => {
  const frame = document.currentScript?.parentElement?.querySelector("iframe.clwork-page");
  const outer = frame?.closest(".jp-WindowedPanel-outer"), book = frame?.closest(".jp-NotebookPanel");
  if (!outer || !book || document.querySelector("iframe.clwork-page") !== frame) return;
  let touched = false, idle = 0;
  const touch = () => { touched = true; };
  for (const kind of ["wheel", "keydown", "pointerdown"]) window.addEventListener(kind, touch, { capture: true });
  const top = frame.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
  const end = () => {
    clearInterval(watch);
    for (const kind of ["wheel", "keydown", "pointerdown"]) window.removeEventListener(kind, touch, { capture: true });
  };
  const watch = setInterval(() => {
    const status = book.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status;
    idle = status === "idle" ? idle + 1 : 0;
    if (!touched && idle < 4) return;
    if (!touched && outer.scrollTop > top) {
      outer.scrollTo({ top: Math.max(0, top - 90) });
      const whole = () => document.querySelector("iframe.clwork-page")?.scrollIntoView({ block: "nearest" });
      setTimeout(whole, 400); // cells that were far away have their height by then
    }
    end();
  }, 500);
})();
</script>"""


def module(name: str) -> str:
    """The text of one of clwork's modules.

    Raises:
        ValueError: there is none of that name.
    """
    known = sorted(path.stem for path in MODULES.glob("*.js"))
    return (MODULES / f"{checks.choice('module', name, known)}.js").read_text(encoding="utf-8")


def page(module_name: str, state: Mapping[str, Any], title: str = "clwork") -> str:
    """A self-contained HTML document: the module, rendered on a model that holds ``state``. It reaches no network.

    Raises:
        ValueError: no such module, or a state that JSON cannot hold (NaN, infinity).
        TypeError: a state of something else than JSON's types.
    """
    text = module(module_name)
    exported = EXPORTED.search(text)
    assert exported is not None, f"{module_name}.js exports no default: make it again with `make bundle`"
    held = json.dumps(dict(state), allow_nan=False, ensure_ascii=False).replace("<", "\\u003c")
    return PAGE.format(policy=POLICY, title=html.escape(title), state=held, module=text, exported=exported[1])


def iframe(document: str, height: int, label: str = "clwork") -> str:
    """A frame for ``_repr_html_`` that holds a document of :func:`page`, ``height`` pixels high.

    The frame may run its scripts and nothing else: it sees neither the page around it nor its cookies.
    """
    return (
        f'<iframe class="clwork-page" title="{html.escape(label)}" sandbox="allow-scripts" '
        f'style="display:block;width:100%;height:{int(height)}px;border:0" srcdoc="{html.escape(document)}"></iframe>'
        f"{TELL_THEME}{BACK_TO_FIRST}"
    )
