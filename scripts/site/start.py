"""The start page's sphere, the page of two encoders and the script for themes."""

from __future__ import annotations

from pathlib import Path

import clwork
from clwork import lab
from clwork.encoders import Encoder
from clwork.lab.page import standalone
from scripts.site.outputs import SCRIPTS, framed
from scripts.site.page_encoder import SENTENCES, STEPS, trained_encoder, write_page_encoder

# Furo writes its theme to <body>; clwork's frames read the attribute that JupyterLab sets.
THEME = """
const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
function update() {
  const theme = document.body.dataset.theme;
  document.body.dataset.jpThemeLight = String(theme === "light" || (theme !== "dark" && !dark.matches));
}
new MutationObserver(update).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
dark.addEventListener("change", update);
update();
"""


def write_start(source: Path) -> None:
    """Write the sphere of the start page, and the script of all pages, into the folder that Sphinx reads."""
    sphere = lab.sphere(play=True)._repr_html_()
    body = framed(SCRIPTS.sub("", sphere), source / "_extra" / "frames", "frames")
    page = (source / "index.md").read_text(encoding="utf-8")
    (source / "index.md").write_text(page.replace("<!-- sphere -->", body), encoding="utf-8")
    around = standalone.module("around").rsplit("export{", 1)[0]
    script = (
        f"(() => {{{THEME}\n{around}\nindex_default.render();\n}})();\n"  # no module: browsers load none from a disk
    )
    (source / "_static" / "clwork.js").write_text(script, encoding="utf-8")


def write_encoder(source: Path, trained: Encoder | None = None, sentences: list[str] | None = None) -> None:
    """Write the page on which a reader types sentences, and its weights, into the folder that Sphinx reads."""
    raw = clwork.load_encoder("mini")
    texts = sentences or list(clwork.data.sentences("wikipedia-mini").sample(SENTENCES, 0))
    after = trained or trained_encoder(raw)
    write_page_encoder(source / "_extra" / "encoder", raw, after, f"SimCSE, {STEPS} steps", texts)
