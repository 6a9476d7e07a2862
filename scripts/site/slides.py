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
from scripts.site.pictures import PLACE, WHOLE

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
# A hyphen that stands for a minus sign.
MINUS = re.compile(r"(?<=[\s>(\[])-(?=\.?\d)")
NUMBER = re.compile(r"<td>[-+−.\d]")
HEAD = re.compile(r"<th\b")
# A row of a head that has only the name of the index, which then moves to the row above.
INDEX = re.compile(
    r"<th></th>((?:\s*<th>[^<]*</th>)+\s*)</tr>\s*<tr>\s*<th>([^<]+)</th>(?:\s*<th></th>)+\s*</tr>"
)
QUESTION = '<div class="clwork-predict'
# A live part, without what stands around it in a notebook.
LIVE = re.compile(r'<iframe class="clwork-page".*?</iframe>', re.DOTALL)
# By this fragment of its address a live part knows that it is on a slide.
FRAME = re.compile(r'(<iframe [^>]*src="[^"#]+\.html)')
TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
# The light picture of a figure that has no title of its own, or of any figure.
UNTITLED = re.compile(r'<img alt="figure" [^>]*class="clwork-light"')
PICTURE = 'class="clwork-light"'
# A sentence of an outcome that sends the reader to a cell or a legend; slides that follow show it.
OF_CELLS = re.compile(
    r"(?:(?<=>)|(?<=[.!?]) )(?:[^<>.!?]|\.(?=\d)|</?em>)*"
    r"\b(?:next (?:two )?cells?|the (?:figure|table) below|in the legend)\b"
    r"(?:[^<>.!?]|\.(?=\d))*?(?:\.(?!\d)|:)",
    re.IGNORECASE,
)
OF_LEGEND = "in the legend of"
NO_ANSWER = re.compile(r"(</summary><div>)\s*(</div>)")
# The first sentence of an outcome is the answer.
ANSWER = re.compile(r"(</summary><div>)\s*(.+?[.!?])(?=\s+[A-Z*<]|</div>)", re.DOTALL)
# Sizes are those of a window of 1280 × 720, in which 1rem is 24 pixels; the script sets --scale for
# others, and --fit, with which a part fills its slide.
STYLE = """
html {
  --strip: 1.75rem;
  scroll-snap-type: y mandatory;
  font: max(18px, min(1.875vw, 3.33vh))/1.4 system-ui, sans-serif;
  color-scheme: light dark;
}
body { margin: 0; background: Canvas; color: CanvasText; counter-reset: slide }
/* what is higher than a slide ends above the strip with the number and the buttons */
section {
  height: 100vh;
  height: 100dvh;
  box-sizing: border-box;
  padding: .67rem 1.33rem 0;
  border-bottom: var(--strip) solid transparent;
  scroll-snap-align: start;
  break-after: page;
  overflow: auto;
  display: flex;
  flex-direction: column;
  outline: none;
}
h1, h2 { line-height: 1.2; margin: 0 0 .67rem; flex: none; text-wrap: balance }
h1 { font-size: 2.2em }
h2 { font-size: 1.33em }
.title { justify-content: safe center; padding-left: 3.5rem }
.title h1 { border-left: .3rem solid #0b62c4; padding-left: 1rem; margin-left: -1.3rem }
.title p { margin: .5rem 0; max-width: 40em }
.title .keys { margin-top: 2.5rem; font-size: .84em; opacity: .8 }
:is(.question, .table, .found) > :not(h2) {
  flex: none; margin: auto; zoom: calc(var(--fit, 1) * var(--scale, 1));
}
.question > div { width: 100%; --most: 2; --least: 1.2 }
.found > ul { --most: 1.35; --least: .84 }
.table > div { font-size: 24px; line-height: 1.2; --most: 1.25; --least: .6 }
.question .clwork-predict { max-width: none !important }
.question fieldset { counter-reset: answer }
.question label { display: flex !important; width: fit-content; gap: 8px; align-items: baseline }
/* the digit that chooses it */
.question label:has([type=radio])::before {
  counter-increment: answer; content: counter(answer); opacity: .7;
}
.question .first { font-size: inherit !important }
li { margin: 12px 0; max-width: 44em }
table { border-collapse: collapse; border: 0 }
td, th {
  border: 0; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent);
  padding: .3em .9em; text-align: right; font-variant-numeric: tabular-nums;
}
tbody th { text-align: left; font-weight: 400 }
.table:not(.words) tbody { white-space: nowrap }
:is(.words :is(td, th), .table thead th:first-child) { text-align: left !important }
/* a table with more columns than rows has them below each other */
.wide table { display: grid; grid: repeat(var(--columns), auto) / auto-flow auto }
.wide :is(thead, tbody, tr) { display: contents }
.wide th { font-weight: 600; white-space: normal }
.wide thead th { text-align: left !important }
.wide tbody th { text-align: right }
.wide > div { --most: 1.6 }
.question summary {
  display: inline-block; padding: 2px 12px !important; margin-bottom: 4px;
  border: 1px solid; border-radius: 8px;
}
.question details:not([open]) summary::after { content: " →" }
.question details strong { display: block; font-size: 1.1em }
.question details > div { font-size: .86em }
/* a live part is as large as its slide, in type that is read in the last row */
.live { flex: 1; min-height: 0; zoom: calc(var(--large, 1.4) * var(--scale, 1)) }
.live iframe { height: 100% !important }
.live:has([title^='dial']) { --large: 1.7 }
.live:has([title='A run through time']) { --large: 1.2 }
.live:has([title^='Anatomy']) { --large: 1.25 }
/* a figure fills what its title leaves; it and its sentence are in the middle */
img.clwork-light, img.clwork-dark {
  min-height: 0; width: 100% !important; object-fit: contain; margin: auto 0;
}
section:has(> .finding) img { margin-bottom: 0 }
picture { display: contents }
/* the whole figure takes the place of one with lines that are switched off */
.whole { display: contents }
.whole[hidden], section:has(> .whole:not([hidden])) > :is(img, picture) { display: none !important }
/* its place is kept, so that the figure stays where it is */
.finding { flex: none; margin: 0 0 auto; text-align: center; text-wrap: balance;
  font-weight: 600; line-height: 1.2 }
.finding[hidden] { display: block; visibility: hidden }
.clwork-dark { display: none }
@media (prefers-color-scheme: dark) {
  .clwork-light { display: none }
  .clwork-dark { display: block }
  body, nav { background: #111 !important }
}
nav {
  position: fixed; inset: auto 0 0; height: var(--strip); padding: 0 1.33rem;
  box-sizing: border-box; display: flex; gap: .33rem; align-items: center; background: Canvas;
}
nav output { flex: 1; font-size: .84rem; opacity: .7 }
nav button { font: 1rem/1 system-ui; width: 2rem; height: 1.5rem; opacity: .7 }
nav button:hover, nav button:focus-visible { opacity: 1 }
#bar { position: absolute; left: 0; bottom: 0; height: 3px; background: currentColor; opacity: .5 }
@media (max-width: 599px) {
  html { --strip: 48px }
  section, nav { padding-inline: 12px }
  h1 { font-size: 1.6em }
  nav button { width: 56px; height: 40px }
  .title { padding-left: 1.33rem }
  .question > div { --most: 1.6; --least: 1.3 }
  .table tbody { white-space: normal !important }
  td, th { padding: .3em .35em }
  .live { zoom: .8 }
}
@page { size: 297mm 167mm; margin: 0 }
@media print {
  nav { display: none }
  body { background: white }
  section::after {
    counter-increment: slide; content: counter(slide); font-size: .84rem; opacity: .7;
  }
  .clwork-predict details { display: block !important }
  .finding { visibility: visible !important }
}
"""
# While a live part has the focus, it has the keys, and passes on those that it does not use.
SCRIPT = """
const slides = [...document.querySelectorAll("section")];
const [back, on] = document.querySelectorAll("nav button");
const now = () =>
  slides.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 2);
const show = (number) =>
  slides[Math.max(0, Math.min(slides.length - 1, number))].scrollIntoView();
// what a slide shows by a key, in this order: an outcome, all lines of a figure, what it says
const HIDDEN = [
  ".clwork-predict:has(:checked, :valid[type=number]) details:not([open])",
  ".whole[hidden]",
  ".finding[hidden]",
];
// a part grows or shrinks to what its slide has room for, an outcome included
function fit(slide) {
  const part = slide.querySelector(":scope > :not(h2)");
  const style = getComputedStyle(part);
  const least = Number(style.getPropertyValue("--least"));
  if (!least) return;
  const details = part.querySelector("details");
  const isOpen = details?.open;
  const isFull = () =>
    slide.scrollHeight > slide.clientHeight || slide.scrollWidth > slide.clientWidth;
  part.style.minHeight = "";
  if (details) details.open = true;
  let size = Number(style.getPropertyValue("--most"));
  do part.style.setProperty("--fit", size.toFixed(2));
  while (isFull() && (size -= 0.05) >= least);
  if (!details) return;
  // its place is kept, so that the question stays where it is
  part.style.minHeight = getComputedStyle(part).height;
  details.open = isOpen;
}
function fitAll() {
  const root = document.documentElement;
  root.style.setProperty("--scale", parseFloat(getComputedStyle(root).fontSize) / 24);
  for (const slide of slides) fit(slide);
}
function turn(way) {
  const slide = slides[now()];
  document.activeElement.blur();
  const next = HIDDEN.map((part) => slide.querySelector(part)).find(Boolean);
  if (next && way > 0) {
    next.hidden = false;
    if (next.localName === "details") next.open = true;
    return;
  }
  // what is higher than the window is shown to its end first
  const { scrollTop, scrollHeight, clientHeight } = slide;
  const left = way > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (left > 2) slide.scrollBy(0, way * Math.min(left, 0.8 * clientHeight));
  else show(now() + way);
  // the tab key goes on from here
  slides[now()].focus({ preventScroll: true });
}
const ways = {
  ArrowRight: 1, ArrowDown: 1, " ": 1, Enter: 1, PageDown: 1,
  ArrowLeft: -1, ArrowUp: -1, PageUp: -1,
};
const ends = { Home: 0, End: slides.length - 1 };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const way = key === " " && event.shiftKey ? -1 : ways[key];
  // in a question these choose an answer and open its outcome; the others always turn
  const inside = event.target.closest("input, summary, button");
  if (key === "Enter" && event.target.closest("summary, button, a")) return;
  if (inside && ["ArrowUp", "ArrowDown", " ", "f"].includes(key)) return;
  const choice = slides[now()].querySelectorAll("input[type=radio]")[event.key - 1];
  if (choice) choice.click();
  // the field takes the digit, too
  else if (/[-+.0-9]/.test(key) && !inside) slides[now()].querySelector("input")?.focus();
  else if (key === "f") {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  } else if (way || key in ends) {
    event.preventDefault();
    if (way) turn(way);
    else show(ends[key]);
  }
});
addEventListener("message", ({ data }) => data?.clworkTurn && turn(data.clworkTurn));
for (const [button, way] of [[back, -1], [on, 1]])
  button.onclick = ({ detail }) => {
    turn(way);
    // pressed by a key, which can be pressed again
    if (detail === 0) button.focus();
  };
function mark() {
  const number = now() + 1;
  document.querySelector("nav output").value = `${number} / ${slides.length}`;
  document.querySelector("#bar").style.width = `${(100 * number) / slides.length}%`;
}
addEventListener("scroll", () => {
  history.replaceState(null, "", `#${now() + 1}`);
  mark();
});
addEventListener("resize", fitAll);
for (const slide of slides) slide.tabIndex = -1;
fitAll();
mark();
if (location.hash) show(Number(location.hash.slice(1)) - 1);
"""
TURN = (
    "<nav><output></output><button aria-label='previous slide'>‹</button>"
    "<button aria-label='next slide'>›</button><div id='bar'></div></nav>"
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
    keys = "← → turn the slides, a digit answers a question, → opens its outcome, F: full screen."
    hint = f"<p class='keys'>{keys}{link}</p>"
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
    # Whether a figure's hidden lines were asked for, and what waits until they are.
    asked_for_lines = False
    waiting: list[str] = []
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
            live = FRAME.sub(r"\1#slide", "".join(LIVE.findall(body)))
            if body.lstrip().startswith(QUESTION):
                yield question(body, heading)
                asked_for_lines = OF_LEGEND in body
                yield from waiting
                waiting = []
            elif PICTURE in body:
                about = (
                    f"<h2>{line(title or heading or FIRST)}</h2>" if UNTITLED.search(body) else ""
                )
                seen, later = of_picture(body, about, said, asked_for_lines)
                yield from seen
                waiting += later
            elif live:
                about = line(title or heading or FIRST)
                yield f"<section><h2>{about}</h2><div class='live'>{live}</div></section>"
            elif title and "<table" in body:
                numbers = len(NUMBER.findall(body))
                kind = "table" if 2 * numbers >= body.count("<td") else "table words"
                rows = INDEX.sub(r"<th>\2</th>\1</tr>", "".join(TABLE.findall(body)))
                rows = MINUS.sub("−", rows)
                yield of_table(rows, kind, line(title))
    yield from waiting


def of_picture(
    body: str, about: str, said: str, asked_for_lines: bool
) -> tuple[list[str], list[str]]:
    """The slides of a figure, and those that wait until its hidden lines are asked for."""
    body, *places = body.split(PLACE)
    part, summary, whole = body.partition(WHOLE)
    whole = whole.removesuffix("</details>")
    if summary and not asked_for_lines:
        return [f"<section>{about}{part}</section>"], [f"<section>{about}{whole}{said}</section>"]
    if summary:
        part += f"<div class='whole' hidden>{whole}</div>"
    # The figure with its slider in other places.
    others = (place.partition("</summary>")[2].removesuffix("</details>") for place in places)
    *first, last = (f"<section>{about}{shown}" for shown in (part, *others))
    return [*(f"{shown}</section>" for shown in first), f"{last}{said}</section>"], []


def of_table(rows: str, kind: str, about: str) -> str:
    """The slide of a table of the class ``kind``, below what it is about."""
    count = rows.count("<tr")
    columns = len(HEAD.findall(rows.partition("</tr>")[0]))
    style = ""
    if columns > count and "span=" not in rows:
        kind += " wide"
        style = f" style='--columns: {columns}'"
    return f"<section class='{kind}'><h2>{about}</h2><div{style}>{rows}</div></section>"


def question(body: str, heading: str) -> str:
    """The slide of a prediction below ``heading``; its outcome begins with the answer."""
    about = f"<h2>{line(heading)}</h2>" if heading else ""
    asked, summary, outcome = body.partition("</summary>")
    told = NO_ANSWER.sub(r"\1The next slides show it.\2", summary + OF_CELLS.sub("", outcome))
    answered = ANSWER.sub(r"\1<strong>\2</strong>", MINUS.sub("−", told))
    return f"<section class='question'>{about}<div>{asked}{answered}</div></section>"


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
