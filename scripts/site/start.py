"""The start page's sphere and the script for themes."""

from __future__ import annotations

from pathlib import Path

from clwork import lab
from clwork.lab.page import standalone
from scripts.site.outputs import SCRIPTS, framed

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
    script = f"(() => {{{THEME}\n{around}\nindex_default.render();\n}})();\n"  # no module: browsers load none from a disk
    (source / "_static" / "clwork.js").write_text(script, encoding="utf-8")
