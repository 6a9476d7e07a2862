"""Display every widget as in a cell on Colab, and poll each one; a test runs this with Colab's
ipywidgets.

It imports nothing of the tests: clwork is the one that is installed.
"""

from __future__ import annotations

import importlib.machinery
import json
import sys
import types
from typing import Any

# of Colab
PINS = ("ipywidgets==7.7.1", "ipython_genutils==0.2.0")
VIEW = "application/vnd.jupyter.widget-view+json"
ADDRESS = "https://example.invalid/manager.js"


def colab_modules() -> dict[str, Any]:
    """The modules of Colab that anywidget and transformers import."""
    made: dict[str, Any] = {
        name: types.ModuleType(name) for name in ("google", "google.colab", "google.colab.output")
    }
    for name, module in made.items():
        module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    output = made["google.colab.output"]
    output.enable_custom_widget_manager = lambda: None
    output._widgets = types.SimpleNamespace(_installed_url=ADDRESS)
    return made


def displayed(thing: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Data and metadata of the one ``display_data`` message that shows ``thing``."""
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import display

    shell: Any = InteractiveShell.instance()
    publisher: Any = CapturingDisplayPublisher
    shell.display_pub, before = publisher(), shell.display_pub
    try:
        display(thing)  # type: ignore[no-untyped-call]
        (message,) = shell.display_pub.outputs
    finally:
        shell.display_pub = before
    return message["data"], message["metadata"]


def answer_of(widget: Any) -> int:
    """Send a page's request, and return the number of the request that the widget answers."""
    sent: list[dict[str, Any]] = []
    widget.__dict__["send"] = lambda content, buffers=None: sent.append(content)
    widget._receive(widget, {"request": 7, "page": "abcd1234", "known": {}})
    answers = [one for one in sent if one["answer"] is not None]
    (answer,) = answers
    assert answer["news"], answer
    assert "refused" not in answer, answer
    return int(answer["answer"])


def main() -> None:
    """Print displays and replies as one line of JSON."""
    sys.modules.update(colab_modules())
    import ipywidgets

    import clwork
    from clwork import lab

    run = clwork.train("simcse", steps=1, batch_size=4, device="cpu")
    widgets = {
        "panel": lab.panel("simcse"),
        "evidence": lab.evidence(),
        "forces": lab.forces(run),
        "exercise": lab.exercise("Raise it", lambda: True),
        "act": lab.act(lab.panel("simcse"), "[Start]", start=True),
    }
    shown = {}
    for name, widget in widgets.items():
        data, metadata = displayed(widget)
        manager = (
            metadata.get(VIEW, {}).get("colab", {}).get("custom_widget_manager", {}).get("url")
        )
        shown[name] = {"kinds": sorted(data), "manager": manager}
    pages = {
        "dial": lab.dial("x", [1, 2], lambda x: {"double": 2 * x}),
        "explore": lab.explore("simcse/temperature"),
        "player": lab.player("simcse"),
        "sphere": lab.sphere(points=4),
    }
    found = {
        "ipywidgets": ipywidgets.__version__,
        "protocol": ipywidgets._version.__protocol_version__,
        "clwork": clwork.__file__,
        "shown": shown,
        "answers": {name: answer_of(widgets[name]) for name in ("panel", "forces")},
        "pages": [
            name for name, page in pages.items() if "<iframe" in displayed(page)[0]["text/html"]
        ],
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
