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
  const light = theme === "light" || (theme !== "dark" && !dark.matches);
  document.body.dataset.jpThemeLight = String(light);
}
const changes = { attributes: true, attributeFilter: ["data-theme"] };
new MutationObserver(update).observe(document.body, changes);
dark.addEventListener("change", update);
update();
"""


def write_start(source: Path) -> None:
    """Write the start page's sphere and the script of all pages into Sphinx's folder."""
    sphere = lab.sphere(play=True)._repr_html_()
    body = framed(SCRIPTS.sub("", sphere), source / "_extra" / "frames", "frames")
    page = (source / "index.md").read_text(encoding="utf-8")
    (source / "index.md").write_text(page.replace("<!-- sphere -->", body), encoding="utf-8")
    around = standalone.module("around").rsplit("export{", 1)[0]
    # No module: browsers load none from a disk.
    script = f"(() => {{{THEME}\n{around}\nindex_default.render();\n}})();\n"
    (source / "_static" / "clwork.js").write_text(script, encoding="utf-8")
