"""Slides of a lesson: its goal, each question with the figure that answers it, and what was found.

Arrow keys and the space bar turn them, and first open what a slide still hides. They can be
printed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from clwork.lab.page.markup import mathml, prose

# On a slide nothing is opened after an answer.
TITLE = re.compile(
    r"^#@title (?:Set-up.*|Evidence.*|Check.*|(.+?)(?: \(open .*\))?$)", re.MULTILINE
)
# Of a section; the lesson's own title is on the first slide.
HEADING = re.compile(r"^##+ (?:\d+ )?(.+)", re.MULTILINE)
FIRST = "A first look"
PAPER = re.compile(r"\*\*Papers?\*\* \| (.+?) \|$", re.MULTILINE)
GOAL = re.compile(r"\*\*You will learn\*\* \| (.+?) \|$", re.MULTILINE)
# What a lesson ends with, and the sentence in bold type that reads a figure.
FOUND = re.compile(r"\*\*What you can say now\*\*\n(\n([-*] .+\n?)+)")
ITEM = re.compile(r"^[-*] (.+)", re.MULTILINE)
FINDING = re.compile(r"\*\*([A-Z][^*\s]*(?: [^*\s]+){3,} [^*\s]*[^*\s?])\*\*")
LINK_OR_BOLD = re.compile(r"\[([^\]]*)\]\([^)]*\)|\*\*")
FORMULA = re.compile(r"\$([^$]+)\$")
NUMBER = re.compile(r"<td>[-+−.\d]")
# A row of a head that has only the name of the index, which then moves to the row above.
INDEX = re.compile(
    r"<th></th>((?:\s*<th>[^<]*</th>)+\s*)</tr>\s*<tr>\s*<th>([^<]+)</th>(?:\s*<th></th>)+\s*</tr>"
)
QUESTION = '<div class="clwork-predict'
LIVE = '<iframe class="clwork-page"'
# By this fragment of its address a live part knows that it is on a slide.
FRAME = re.compile(r'(<iframe [^>]*src="[^"#]+\.html)')
# The light picture of a figure that has no title of its own, or of any figure.
UNTITLED = re.compile(r'<img alt="figure" [^>]*class="clwork-light"')
PICTURE = 'class="clwork-light"'
# A sentence of an outcome that sends the reader to a cell; the slides that follow have the answer.
OF_CELLS = re.compile(
    r"(?:(?<=>)|(?<=[.!?]) )(?:[^<>.!?]|\.(?=\d))*"
    r"\b(?:next (?:two )?cells?|the (?:figure|table) below)\b(?:[^<>.!?]|\.(?=\d))*[.:] ?"
)
NO_ANSWER = re.compile(r"(</summary><div>)\s*(</div>)")
# The first sentence of an outcome is the answer.
ANSWER = re.compile(r"(</summary><div>)(.+?[.!?])(?=\s+[A-Z*<]|</div>)", re.DOTALL)
STYLE = """
html { scroll-snap-type: y mandatory;
  font: max(18px, min(1.875vw, 3.33vh))/1.4 system-ui, sans-serif;
  color-scheme: light dark }
body { margin: 0; background: Canvas; color: CanvasText; counter-reset: slide }
section {
  height: 100vh;
  box-sizing: border-box;
  padding: 16px 32px 40px;
  scroll-snap-align: start;
  break-after: page;
  overflow: auto;
  display: flex;
  flex-direction: column;
  position: relative;
}
section::after {
  counter-increment: slide;
  content: counter(slide) " / " attr(data-of);
  position: absolute; bottom: 8px; left: 32px; font-size: 14px; opacity: .7; background: Canvas;
}
h1, h2 { line-height: 1.2; margin: 0 0 16px; flex: none }
h2 { font-size: 1.33em }
.question h2 { font-size: .92em; font-weight: 400; opacity: .8 }
.title, .question, .found, .table { justify-content: safe center }
.title p { font-size: .83em; max-width: 44em }
li { margin: 12px 0; max-width: 48em }
section > div { flex: none; zoom: 1.3 }
.question > div { zoom: 2 }
.table > div { zoom: 1; font-size: .92em; line-height: 1.2 }
.table > div:has(tbody tr:nth-child(9)) { font-size: .7em }
.question .clwork-predict { max-width: none !important }
.question label { display: flex !important; width: fit-content; gap: 8px; align-items: baseline }
table { border-collapse: collapse; border: 0 }
td, th {
  border: 0; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent);
  padding: .3em .9em; text-align: right; font-variant-numeric: tabular-nums;
}
tbody th { text-align: left; font-weight: 400 }
:is(.words :is(td, th), .table thead th:first-child) { text-align: left !important }
.question summary {
  display: inline-block; padding: 2px 12px !important; margin-bottom: 4px;
  border: 1px solid; border-radius: 8px;
}
.question details strong { display: block; font-size: 1.2em }
.question details > div { font-size: .8em }
/* a run and an anatomy are as high as their frames */
section > div:has([title='A run through time'], [title^='Anatomy']) {
  flex: 1; min-height: 0; zoom: 1;
}
iframe:is([title='A run through time'], [title^='Anatomy']) { height: 100% !important }
section > div:has([title^='dial']) { zoom: 1.7; margin: auto 0 }
@media (max-height: 799px) {
  section > div:has([title^='dial']) { zoom: 1.55 }
  section > div:has([title^='The sphere']) { zoom: 1 }
}
/* the whole figure takes the place of one with lines that are switched off */
section:has(> details[open]) > img { display: none !important }
section > details { font-size: .7em }
section > details img { max-height: 80vh }
/* a figure fills what its title leaves; it and its sentence are in the middle */
img.clwork-light, img.clwork-dark {
  min-height: 0; width: 100% !important; object-fit: contain; margin: auto 0;
}
img:has(~ .finding) { margin-bottom: 0 }
/* its place is kept, so that the figure stays where it is */
.finding { flex: none; margin: 0 0 auto; text-align: center; font-weight: 600; line-height: 1.2 }
.finding[hidden] { display: block; visibility: hidden }
.clwork-dark { display: none }
@media (prefers-color-scheme: dark) {
  .clwork-light { display: none }
  .clwork-dark { display: block }
  body { background: #111 }
}
#bar { position: fixed; left: 0; bottom: 0; height: 3px; background: currentColor; opacity: .5 }
nav { position: fixed; right: 24px; bottom: 6px; display: flex; gap: 4px }
nav button { font: 20px/1 system-ui; width: 44px; height: 32px; opacity: .6 }
nav button:hover, nav button:focus-visible { opacity: 1 }
@media (max-height: 719px) { .question > div { zoom: 1.4 } }
@media (max-width: 899px), (max-height: 599px) {
  .question > div { zoom: 1.2 }
  section > div:has(iframe) { zoom: 1 !important }
}
@media (max-width: 599px) {
  section { padding: 12px 12px 44px }
  img.clwork-light, img.clwork-dark {
    width: 720px !important; max-width: none !important; flex: none;
  }
}
@page { size: 297mm 167mm; margin: 0 }
@media print {
  nav, #bar { display: none }
  body { background: white }
  .clwork-predict details { display: block !important }
  .finding { visibility: visible !important }
}
"""
# While a live part has the focus, it has the keys, and passes on those that it does not use.
SCRIPT = """
const slides = [...document.querySelectorAll("section")];
for (const slide of slides) slide.dataset.of = slides.length;
const now = () => Math.round(scrollY / innerHeight);
const show = (number) =>
  slides[Math.max(0, Math.min(slides.length - 1, number))].scrollIntoView();
// what a slide shows by a key, in this order: an outcome, what a figure says, all of its lines
const HIDDEN = [
  ".clwork-predict:has(:checked) details:not([open])",
  ".finding[hidden]",
  ":scope > details:not([open])",
];
function turn(way) {
  document.activeElement.blur();
  const next = HIDDEN.map((part) => slides[now()].querySelector(part)).find(Boolean);
  if (next && way > 0) {
    next.hidden = false;
    if (next.localName === "details") next.open = true;
    return;
  }
  // what is higher than the window is shown to its end first
  const { scrollTop, scrollHeight, clientHeight } = slides[now()];
  const left = way > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (left > 2) slides[now()].scrollBy(0, way * Math.min(left, 0.8 * innerHeight));
  else show(now() + way);
}
const ways = {
  ArrowRight: 1, ArrowDown: 1, " ": 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1,
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const way = key === " " && event.shiftKey ? -1 : ways[key];
  // in a question these choose an answer and open its outcome; the others always turn
  const inside = event.target.closest("input, summary, button");
  if (inside && ["ArrowUp", "ArrowDown", " ", "f"].includes(key)) return;
  const choice = slides[now()].querySelectorAll("input[type=radio]")[event.key - 1];
  if (choice) choice.click();
  else if (key === "f") {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  } else if (way) {
    event.preventDefault();
    turn(way);
  }
});
addEventListener("message", ({ data }) => data?.clworkTurn && turn(data.clworkTurn));
for (const [index, way] of [-1, 1].entries())
  document.querySelectorAll("nav button")[index].onclick = () => turn(way);
function mark() {
  document.querySelector("#bar").style.width = `${(100 * (now() + 1)) / slides.length}%`;
}
addEventListener("scroll", () => {
  history.replaceState(null, "", `#${now() + 1}`);
  mark();
});
mark();
if (location.hash) show(Number(location.hash.slice(1)) - 1);
"""
TURN = (
    "<nav><button aria-label='previous slide'>‹</button>"
    "<button aria-label='next slide'>›</button></nav><div id='bar'></div>"
)


def slides(notebook: dict[str, Any], lesson: str = "") -> str:
    """A page of slides, from a notebook as :func:`scripts.site.outputs.for_page` returns it.

    ``lesson`` is the address of the lesson's own page, as seen from the slides.
    """
    opening = "".join(notebook["cells"][0]["source"])
    title = html.escape(opening.splitlines()[0].removeprefix("# "))
    goal = "".join(f"<p>{line(text)}</p>" for text in PAPER.findall(opening))
    goal += "".join(f"<p>Learn {line(text)}.</p>" for text in GOAL.findall(opening))
    link = f" <a href='{lesson}'>The lesson</a>" if lesson else ""
    keys = "← → turn the slides, a digit answers a question, F fills the screen."
    hint = f"<p><small>{keys}{link}</small></p>"
    sections = [f"<section class='title'><h1>{title}</h1>{goal}{hint}</section>"]
    sections += parts(notebook)
    texts = ["".join(cell["source"]) for cell in notebook["cells"]]
    for found in filter(None, map(FOUND.search, texts)):
        items = "".join(f"<li>{line(text)}</li>" for text in ITEM.findall(found[1]))
        sections.append(f"<section class='found'><h2>What was found</h2><ul>{items}</ul></section>")
    head = "<meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
    head += f"<title>{title}: slides</title><style>{STYLE}</style>"
    body = f"{''.join(sections)}{TURN}<script>{SCRIPT}</script>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{body}</body></html>"


def parts(notebook: dict[str, Any]) -> Iterator[str]:
    """A slide for each question, table, picture or live part of the outputs, in the lesson's order.

    A picture with a title needs no other. A table needs that of its cell. What else has none stands
    below the heading before it. The sentence that reads a picture is shown by a key.
    """
    heading = ""
    cells = notebook["cells"]
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if is_text(cell):
            heading = (HEADING.findall(source) or [heading])[-1]
            continue
        title = (TITLE.match(source) or [None, None])[1]
        said = finding(next(filter(is_text, cells[number:]), {"source": []}))
        for output in cell.get("outputs", ()):
            body = "".join(output.get("data", {}).get("text/html", ""))
            if body.lstrip().startswith(QUESTION):
                about = f"<h2>{line(heading)}</h2>" if heading else ""
                question, summary, outcome = body.partition("</summary>")
                told = NO_ANSWER.sub(
                    r"\1The next slides show it.\2", summary + OF_CELLS.sub("", outcome)
                )
                asked = question + ANSWER.sub(r"\1<strong>\2</strong>", told)
                yield f"<section class='question'>{about}<div>{asked}</div></section>"
            elif PICTURE in body and not UNTITLED.search(body):
                yield f"<section>{body}{said}</section>"
            elif PICTURE in body or LIVE in body:
                live = FRAME.sub(r"\1#slide", body)
                below = said if PICTURE in body else ""
                yield f"<section><h2>{line(title or heading or FIRST)}</h2>{live}{below}</section>"
            elif title and "<table" in body:
                kind = "table" if NUMBER.search(body) else "table words"
                rows = INDEX.sub(r"<th>\2</th>\1</tr>", body)
                yield f"<section class='{kind}'><h2>{line(title)}</h2><div>{rows}</div></section>"


def is_text(cell: dict[str, Any]) -> bool:
    """Whether a cell has Markdown."""
    return bool(cell["cell_type"] == "markdown")


def finding(cell: dict[str, Any]) -> str:
    """The first sentence in bold type of the text after a picture; empty if there is none.

    >>> finding({"source": ["**The push moves the score**: it"]})
    "<p class='finding' hidden>The push moves the score.</p>"
    """
    found = FINDING.search("".join(cell["source"]))
    if not found:
        return ""
    sentence = found[1].rstrip(".")
    return f"<p class='finding' hidden>{line(sentence)}.</p>"


def line(markdown: str) -> str:
    """A line of Markdown as HTML, without links and bold type.

    >>> line("**The dial** has `w` and [more](a.md).")
    'The dial has <code>w</code> and more.'
    """
    # Every second part is a formula.
    texts = FORMULA.split(LINK_OR_BOLD.sub(r"\1", markdown))
    return "".join(mathml(text) if k % 2 else prose(text) for k, text in enumerate(texts))
