"""Pages without a kernel: one of clwork's modules and its state in a document that makes no requests.

A module (``clwork/lab/modules/<name>.js``, made from ``js/src/<name>`` by ``make bundle``) has anywidget's shape. Here
it gets a substitute for anywidget's model, so that the same file runs in JupyterLab, in a static page and in a frame.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ... import _validation
from ..._validation import printable, shown

MODULES = Path(__file__).parents[1] / "modules"
# Makes the browser refuse all requests.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "worker-src blob:; form-action 'none'; base-uri 'none'"
)
EXPORTED = re.compile(r"^export \{[^}]*?(\w+) as default\b[^}]*\};?\s*\Z", re.MULTILINE)

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>{title}</title><style>
html, body {{ margin: 0; background: transparent }}
html[data-clwork-theme="dark"] {{ color-scheme: dark }}
html[data-clwork-theme="light"] {{ color-scheme: light }}
noscript {{ position: fixed; bottom: 0; font: 13px sans-serif; background: Canvas; color: CanvasText }}
</style></head>
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
  const place = document.getElementById("clwork");
  // null: as high as the frame, whatever that is
  const height = () => {{
    const fits = place.querySelector("[data-fits]");
    if (!fits || getComputedStyle(fits).getPropertyValue("--fits").trim() === "no") return null;
    return Math.ceil(place.getBoundingClientRect().height);
  }};
  const tell = () => window.parent.postMessage({{ clworkHeight: height() }}, "*");
  if (window.parent !== window) {{
    new ResizeObserver(tell).observe(place);
    window.addEventListener("message", (event) => event.data === "clwork: how high?" && tell());
  }}
  {exported}.render({{ model, el: place }});
}}
</script></body></html>
"""

# JupyterLab's "Run All" scrolls to the last cell. If the user has not interacted since, scroll back to the first live
# output once all cells have run.
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


def module(name: str | Path) -> str:
    """Read one of clwork's modules, by its name, or a module's file.

    Raises:
        ValueError: there is none of that name.
    """
    if isinstance(name, Path):
        return name.read_text(encoding="utf-8")
    known = sorted(path.stem for path in MODULES.glob("*.js"))
    return (MODULES / f"{_validation.choice('module', name, known)}.js").read_text(encoding="utf-8")


def _exported(module_name: str | Path) -> str:
    export = EXPORTED.search(module(module_name))
    assert export is not None, f"{module_name}.js exports no default: make it again with `make bundle`"
    return export[1]


def page(module_name: str | Path, state: Mapping[str, Any], title: str = "clwork") -> str:
    """A self-contained HTML document: the module, rendered on a model that holds ``state``. It makes no requests.

    Raises:
        ValueError: no such module, or a state that JSON cannot hold (NaN, infinity).
        TypeError: a state of something else than JSON's types.
    """
    text, exported = module(module_name), _exported(module_name)
    data = printable(json.dumps(dict(state), allow_nan=False, ensure_ascii=False)).replace("<", "\\u003c")
    return PAGE.format(policy=POLICY, title=html.escape(printable(title)), state=data, module=text, exported=exported)


def file_for(path: str | Path, example: str) -> Path:
    """The whole path of a file to write a document to. ``example`` is a name that an error proposes.

    Raises:
        ValueError: ``path`` is a folder.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise ValueError(f"path={shown(str(target), 200)} is a folder; name a file in it, such as {example}")
    return target


def iframe(document: str, height: int, label: str = "clwork") -> str:
    """A frame for ``_repr_html_`` around a document of :func:`page`, ``height`` pixels high.

    Where scripts run it becomes as high as its content, if that has ``data-fits``: a height that does not depend on the
    frame's.

    The frame may run its scripts and nothing else: it sees neither the page around it nor its cookies.
    """
    size = f"width:100%;height:{int(height)}px"
    return (
        '<div style="position:relative">'
        f'<iframe class="clwork-page" title="{html.escape(printable(label))}" sandbox="allow-scripts" '
        f'style="display:block;position:relative;{size};border:0" srcdoc="{html.escape(document)}"></iframe>'
        f'<script type="module">{module("around")}\n{_exported("around")}.render();</script>{BACK_TO_FIRST}</div>'
    )
