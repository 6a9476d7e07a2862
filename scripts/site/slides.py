"""Slides of a lesson: each figure fills a window, below its title or the sentence before it.

Arrow keys and the space bar turn them. They can be printed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from clwork.lab.page.markup import mathml, prose

TITLE = re.compile(r"^#@title (.+)")
LINK_OR_BOLD = re.compile(r"\[([^\]]*)\]\([^)]*\)|\*\*")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z*`$])|\n\s*\n|\n- |\n\d\. ")
FORMULA = re.compile(r"\$([^$]+)\$")
LEFT_OUT = re.compile(r"(?s:<details>.*?</details>|\$\$.*?\$\$)|^[#|].*$", re.MULTILINE)
STYLE = """
html { scroll-snap-type: y mandatory; font: 24px/1.4 system-ui, sans-serif }
body { margin: 0 }
section {
  height: 100vh;
  box-sizing: border-box;
  padding: 16px 32px;
  scroll-snap-align: start;
  break-after: page;
  overflow: auto;
  display: flex;
  flex-direction: column;
}
section > h1 { margin: auto }
section > p { margin: 0 0 12px; max-height: 3lh; overflow: auto; flex: none }
section > div { flex: none; zoom: 1.3 }
/* a run's page is as high as its frame */
section > div:has([title='A run through time']) { flex: 1; min-height: 0; zoom: 1 }
iframe[title='A run through time'] { height: 100% !important }
/* a figure fills what the sentence leaves */
img.clwork-light { flex: 1; min-height: 0; width: 100% !important; object-fit: contain }
.clwork-dark { display: none }
@media (max-height: 899px) { section > div:has(iframe) { zoom: 1 } }
"""
# While a live part has the focus, it has the keys.
KEYS = """
addEventListener("keydown", (event) => {
  const ways = { ArrowRight: 1, ArrowDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1 };
  const way = ways[event.key];
  if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const slides = [...document.querySelectorAll("section")];
  const now = Math.round(scrollY / innerHeight);
  // what is higher than the window is shown to its end first
  const { scrollTop, scrollHeight, clientHeight } = slides[now];
  const left = way > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (left > 2) return slides[now].scrollBy(0, way * Math.min(left, 0.8 * innerHeight));
  slides[Math.max(0, Math.min(slides.length - 1, now + way))].scrollIntoView();
});
"""


def slides(notebook: dict[str, Any]) -> str:
    """A page of slides, from a notebook as :func:`scripts.site.outputs.for_page` returns it."""
    title = html.escape("".join(notebook["cells"][0]["source"]).splitlines()[0].removeprefix("# "))
    sections = [f"<section><h1>{title}</h1></section>"]
    for text, figure in figures(notebook):
        paragraph = f"<p>{text}</p>" if text else ""
        sections.append(f"<section>{paragraph}{figure}</section>")
    head = f"<meta charset='utf-8'><title>{title}: slides</title><style>{STYLE}</style>"
    body = "".join(sections) + f"<script>{KEYS}</script>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{body}</body></html>"


def figures(notebook: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each picture or live part of the outputs, after the title of its cell.

    Without one, it has the last sentence of the text before it, unless an earlier figure has that.
    """
    text = ""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = last_sentence("".join(cell["source"])) or text
        elif title := TITLE.match("".join(cell["source"])):
            text = prose(title[1])
        for output in cell.get("outputs", ()):
            body = "".join(output.get("data", {}).get("text/html", ""))
            if 'class="clwork-light"' in body or '<iframe class="clwork-page"' in body:
                yield text, body
                text = ""


def last_sentence(markdown: str) -> str:
    """The last sentence of Markdown as HTML.

    >>> last_sentence("Move it. **The dial** has `w` and [more](a.md).")
    'The dial has <code>w</code> and more.'
    """
    plain = LINK_OR_BOLD.sub(r"\1", LEFT_OUT.sub("", markdown)).strip()
    last = " ".join(SENTENCE_END.split(plain)[-1].split())
    # Every second part is a formula.
    parts = FORMULA.split(last)
    as_html = [mathml(part) if k % 2 else prose(part) for k, part in enumerate(parts)]
    return "".join(as_html).rstrip(":")
