"""The front page, the sphere of the contents, and the script for themes."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

from clwork import lab
from clwork.lab import training_page
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

PREVIEW = Path(__file__).resolve().parents[2] / "docs" / "images" / "training.jpg"
LINK = re.compile(r'<a href="([^"#]+)">(.*?)</a>')
# Below the front page's panel.
SEEN = """
<section id="clwork-below">
<h2>What you just saw</h2>
<ol>
<li>Each dot is a sentence: the encoder turns it into 256 numbers, and the picture shows the two
directions in which the sentences of the untrained encoder differ most.</li>
<li>At first all vectors lie in a narrow cone, so that a sentence is nearly as close to an unrelated
one as to a related one (<a href="notebooks/01_the_sphere.html">the sphere</a>).</li>
<li>SimCSE encodes each sentence twice with different dropout; its loss pulls the two vectors
together and pushes those of the other sentences in the batch away
(<a href="notebooks/02_simcse.html">SimCSE in twenty lines</a>).</li>
<li>The temperature τ decides how much of that push goes to the nearest sentences: move it during a
run and watch the gap (<a href="notebooks/00_start_here.html">the first lesson</a>).</li>
<li>A wider gap is not yet a better encoder; whether it searches better is measured in
<a href="notebooks/09_the_evidence.html">the evidence</a>.</li>
</ol>
<p><a href="contents.html">All lessons and pages</a></p>
<p>The page trains a BERT of 4 layers with 256 numbers, in single precision, by WebGPU if the
browser has it, computes the same numbers and is faster, else by WebAssembly on one core. Its speed
was measured with WebAssembly only; the button above measures both here.</p>
</section>
"""
HEAD = """
<meta property="og:title" content="{title}"><meta property="og:type" content="website">
<meta property="og:description" content="{description}">
<meta property="og:image" content="{preview}">
<meta name="twitter:card" content="summary_large_image">
"""


def write_front(site: Path) -> None:
    """Write the front page, ``index.html``, and the files that it reads on *Start*."""

    def kept(match: re.Match[str]) -> str:
        return match[0] if (site / match[1]).exists() else match[2]

    folder = site / "mini"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in training_page.mini_files().items():
        (folder / name).write_bytes(content)
    shutil.copyfile(PREVIEW, site / "preview.jpg")
    head = HEAD.format(
        title=html.escape(training_page.TITLE),
        description=html.escape(training_page.DESCRIPTION),
        preview="preview.jpg",
    )
    page = training_page.training_page("mini/", head=head, below=LINK.sub(kept, SEEN))
    (site / "index.html").write_text(page, encoding="utf-8")


def write_start(source: Path) -> None:
    """Write the sphere of the contents and the script of all pages into Sphinx's folder."""
    sphere = lab.sphere(play=True)._repr_html_()
    body = framed(SCRIPTS.sub("", sphere), source / "_extra" / "frames", "frames")
    page = (source / "contents.md").read_text(encoding="utf-8")
    (source / "contents.md").write_text(page.replace("<!-- sphere -->", body), encoding="utf-8")
    around = standalone.module("around").rsplit("export{", 1)[0]
    # No module: browsers load none from a disk.
    script = f"(() => {{{THEME}\n{around}\nindex_default.render();\n}})();\n"
    (source / "_static" / "clwork.js").write_text(script, encoding="utf-8")
