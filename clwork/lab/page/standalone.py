"""Pages that need no kernel: a document with a JavaScript module and its state.

A module, ``clwork/lab/modules/<name>.js``, is made from ``js/src/<name>`` by ``make bundle`` and
has anywidget's interface. The document has a substitute for anywidget's model, so that the same
file runs in JupyterLab, static pages and frames.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ... import _validation
from ..._validation import printable
from .markup import escaped

MODULES = Path(__file__).parents[1] / "modules"
"""Folder of the built JavaScript modules."""
# By this content security policy the browser blocks all requests of the page.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; worker-src blob:; form-action 'none'; base-uri 'none'"
)
# The last statement of a built module, such as "export{index_default as default};". In a page the
# module is a part of a script, whose code calls the exported object by its local name.
EXPORTED = re.compile(r"\bexport ?\{[^}]*?(\w+) as default\b[^}]*\};?\s*\Z")

# A page is a template for str.format, so that braces of CSS and JavaScript are doubled. `model`
# replaces the model of anywidget: it stores the state and reports its changes.
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>{title}</title>{head}<style>
html, body {{ margin: 0; background: transparent }}
html[data-clwork-theme="dark"] {{ color-scheme: dark }}
html[data-clwork-theme="light"] {{ color-scheme: light }}
noscript {{
  position: fixed; bottom: 0; font: 13px sans-serif; background: Canvas; color: CanvasText
}}
</style></head>
<body><noscript>This page moves by scripts, and they are switched off here.</noscript>
<div id="clwork"></div>{below}<script type="application/json" id="clwork-state">{state}</script>
<script type="module">
{module}
{{
  const state = JSON.parse(document.getElementById("clwork-state").textContent);
  const page = new EventTarget();
  const model = {{
    get: (name) => state[name],
    set: (name, value) => {{
      state[name] = value;
      page.dispatchEvent(new Event(`change:${{name}}`));
    }},
    save_changes: () => {{}},
    on: (what, call) => page.addEventListener(what, call),
    off: (what, call) => page.removeEventListener(what, call),
  }};
  const place = document.getElementById("clwork");
  // null: use the height of the frame
  const height = () => {{
    const fits = place.querySelector("[data-fits]");
    if (!fits || getComputedStyle(fits).getPropertyValue("--fits").trim() === "no") return null;
    return Math.ceil(place.getBoundingClientRect().height);
  }};
  const report = () => window.parent.postMessage({{ clworkHeight: height() }}, "*");
  if (window.parent !== window) {{
    new ResizeObserver(report).observe(place);
    window.addEventListener("message", (event) => event.data === "clwork: how high?" && report());
  }}
  {exported}.render({{ model, el: place }});
}}
</script></body></html>
"""


def module(name: str) -> str:
    """Return the JavaScript of a module of clwork, by its name."""
    known = sorted(path.stem for path in MODULES.glob("*.js"))
    return (MODULES / f"{_validation.choice('module', name, known)}.js").read_text(encoding="utf-8")


def _exported(module_name: str) -> str:
    """Return the local name of the object that a module exports as its default."""
    export = EXPORTED.search(module(module_name))
    assert export is not None, f"{module_name}.js exports no default: run `make bundle`"
    return export[1]


def as_text(value: bytes) -> str:
    """Return bytes as base64 text, since JSON has no bytes; TypeError for anything else."""
    return base64.b64encode(value).decode("ascii")


def page(
    module_name: str,
    state: Mapping[str, Any],
    title: str = "clwork",
    *,
    policy: str = POLICY,
    head: str = "",
    below: str = "",
) -> str:
    """Return an HTML document that renders the module with ``state``.

    ``state`` must be JSON without NaN and infinity, else json raises ValueError; it may contain
    bytes, which become base64 text. Under the default ``policy`` the document makes no requests.
    ``head`` and ``below`` are HTML for its head, and below the module's part.
    """
    data = json.dumps(dict(state), default=as_text, allow_nan=False, ensure_ascii=False)
    return PAGE.format(
        policy=policy,
        title=escaped(title),
        head=head,
        below=below,
        # Without "<", no text of the state can end the script element.
        state=printable(data).replace("<", "\\u003c"),
        module=module(module_name),
        exported=_exported(module_name),
    )


def iframe(document: str, height: int, label: str = "clwork") -> str:
    """Return a sandboxed frame with a document of :func:`page`, at first ``height`` pixels high.

    ``label`` is the frame's name for screen readers. The module "around" sets the frame's height to
    that of the document and passes the notebook's theme to it.
    """
    title = escaped(label)
    size = f"width:100%;height:{int(height)}px"
    return (
        '<div style="position:relative">'
        f'<iframe class="clwork-page" title="{title}" sandbox="allow-scripts allow-downloads" '
        'allow="fullscreen" '
        f'style="display:block;position:relative;{size};border:0" '
        f'srcdoc="{html.escape(document)}"></iframe>'
        f'<script type="module">{module("around")}\n{_exported("around")}.render();</script></div>'
    )
