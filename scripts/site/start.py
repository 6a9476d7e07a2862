"""What pages have beside notebooks and docs/: sphere and encoders that run there, and the script for themes."""

from __future__ import annotations

from pathlib import Path

from clwork import lab
from clwork.lab.page import standalone
from clwork.views.svg.dark import both_images
from scripts.site.outputs import SCRIPTS, framed

# Furo says its theme on <body>; clwork's frames ask the page as they ask JupyterLab's.
THEME = """
const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
function tell() {
  const theme = document.body.dataset.theme;
  document.body.dataset.jpThemeLight = String(theme === "light" || (theme !== "dark" && !dark.matches));
}
new MutationObserver(tell).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
dark.addEventListener("change", tell);
tell();
"""


def write_start(source: Path) -> None:
    """Write the sphere of the start page, and the script of all pages, into the folder that Sphinx reads."""
    sphere = lab.sphere(play=True)._repr_html_()
    body = framed(SCRIPTS.sub("", sphere), source / "_extra" / "frames", "frames")
    page = (source / "index.md").read_text(encoding="utf-8")
    (source / "index.md").write_text(page.replace("<!-- sphere -->", body), encoding="utf-8")
    around = standalone.module("around").rsplit("export {", 1)[0]
    script = (
        f"(() => {{{THEME}\n{around}\nindex_default.render();\n}})();\n"  # no module: browsers load none from a disk
    )
    (source / "_static" / "clwork.js").write_text(script, encoding="utf-8")


def write_encoder(source: Path, made: lab.PageEncoder) -> None:
    """Write the page on which a reader types sentences, and its weights, into the folder that Sphinx reads."""
    made.save(source / "_extra" / "encoder")
    note = both_images(made.poster(), "a cloud of sentences")
    page = (source / "encoder.md").read_text(encoding="utf-8")
    (source / "encoder.md").write_text(page.replace("<noscript>", f"<noscript>{note}"), encoding="utf-8")
