// The nearest sentences by each encoder, with lines between common hits, and the earlier ranks of a changed sentence.

import { attribute, consume, drawn, element, onResize, write } from "../shared/dom.js";
import { counted, cut, number } from "../shared/text.js";

const LINE = 24; // height of a folded hit in pixels
const STUB = 12; // length in pixels of the line of a hit that the next encoder lacks
const MOST = 3; // columns

const count = (value) => value.toLocaleString("en");

class Column {
  constructor(answer, place) {
    this.answer = answer;
    this.rows = [];
    this.hits = new Map(); // by row of the corpus
    this.title = element("h4");
    this.list = element("ol", { class: "hits" });
    this.gone = element("p", { class: "gone soft" });
    this.root = element("div", { class: `column column-${place}` }, this.title, this.list, this.gone);
    this.list.addEventListener("keydown", (event) => answer.key(event, this));
  }

  /** `other`: the next column of the answer, or for the last one the column before it. */
  fill(column, other, texts) {
    const here = new Map();
    column.rows.forEach((row, place) => {
      const hit = this.hits.get(row) ?? this.make(row);
      const then = column.then?.[place];
      const there = column.there?.[place];
      const paired = there === undefined || there === null || (other?.rows.includes(row) ?? false);
      const moved = then && then !== place + 1 ? `was ${count(then)}` : "";
      const mark = [moved, paired ? "" : `${count(there)} there`].filter(Boolean).join(" · ");
      write(hit.rank, String(place + 1));
      write(hit.cosine, number(column.cosines[place], 2));
      write(hit.mark, mark);
      write(hit.text, texts.get(row) ?? "");
      attribute(hit.mark, "class", `mark ${moved ? "moved" : ""}`.trim());
      attribute(hit.root, "title", texts.get(row) ?? "");
      const rank = there ? `, rank ${there} in the other column` : "";
      attribute(hit.root, "aria-label", `rank ${place + 1}, cosine ${number(column.cosines[place], 2)}${moved ? `, ${moved}` : ""}${rank}: ${texts.get(row) ?? ""}`);
      here.set(row, hit);
    });
    this.rows = column.rows;
    const held = [...this.hits.values()].find((hit) => hit.root === document.activeElement);
    this.hits = here;
    this.list.replaceChildren(...[...here.values()].map((hit) => hit.item));
    if (held) ([...here.values()].includes(held) ? held : [...here.values()][0])?.root.focus({ preventScroll: true });
    [...here.values()].forEach((hit, place) => (hit.root.tabIndex = place === 0 ? 0 : -1));
    write(this.title, column.title);
    attribute(this.title, "title", column.title);
    this.title.append(element("span", { class: "soft", text: ` of ${count(column.searched)} sentences` }));
    this.root.classList.toggle("past", column.past);
    const left = column.gone.map((row, place) => `${cut(texts.get(row) ?? "", 60)} (now ${count(column.gone_to[place])})`);
    write(this.gone, left.length ? `No longer among them: ${left.join("; ")}` : "");
    attribute(this.gone, "title", left.join("\n"));
  }

  make(row) {
    const hit = { rank: element("span", { class: "rank" }), cosine: element("span", { class: "cosine" }), mark: element("span", { class: "mark" }), text: element("span", { class: "text" }) };
    hit.root = element("button", {
      type: "button",
      class: "hit",
      "aria-expanded": "false",
      onclick: () => {
        hit.root.setAttribute("aria-expanded", String(hit.root.getAttribute("aria-expanded") !== "true"));
        this.answer.draw();
      },
      onpointerenter: () => this.answer.page.highlight(row),
      onpointerleave: () => this.answer.page.highlight(-1),
      onfocus: () => this.answer.page.highlight(row),
      onblur: () => this.answer.page.highlight(-1),
    }, hit.rank, hit.cosine, hit.mark, hit.text);
    hit.item = element("li", {}, hit.root);
    return hit;
  }
}

export class Answer {
  constructor(page) {
    this.page = page;
    this.heading = element("h3", { text: "Nearest sentences" });
    this.sentence = element("span", { class: "asked" });
    this.pieces = element("span", { class: "soft pieces" });
    this.columns = Array.from({ length: MOST }, (_, place) => new Column(this, place));
    this.gaps = this.columns.slice(1).map(() => drawn("svg", { class: "between", "aria-hidden": "true" }));
    this.body = element("div", { class: "columns" });
    this.root = element("div", { class: "part answer" }, element("div", { class: "head" }, this.heading, this.sentence, this.pieces), this.body);
    onResize(this.body, () => this.draw());
    this.clear();
  }

  clear() {
    write(this.sentence, "Press Compare, then choose a sentence above and change a word of it: ranks and cosines follow as you type.");
    write(this.pieces, "");
    this.body.replaceChildren();
    this.shown = [];
  }

  fill({ columns, changed, text, original, pieces }) {
    write(this.sentence, changed ? `“${text}”, which was “${original}”` : `“${text}”`);
    attribute(this.sentence, "title", this.sentence.textContent);
    write(this.pieces, counted(pieces.length, "token"));
    attribute(this.pieces, "title", pieces.join(" "));
    if (this.shown.length !== columns.length) {
      this.shown = this.columns.slice(0, columns.length);
      this.body.replaceChildren(...this.shown.flatMap((column, place) => (place ? [this.gaps[place - 1], column.root] : [column.root])));
    }
    this.shown.forEach((column, place) => column.fill(columns[place], columns[place + 1] ?? columns[place - 1], this.page.texts));
    this.draw();
  }

  /** Draw a line from each hit to the same hit of the next encoder, in the accent colour if its rank differs. */
  draw() {
    this.shown.slice(1).forEach((right, place) => this.connect(this.gaps[place], this.shown[place], right));
  }

  connect(gap, left, right) {
    gap.replaceChildren();
    const width = gap.clientWidth;
    if (!width) return;
    const middle = (hit) => hit.item.offsetTop + LINE / 2;
    const path = (d, row, kind) => gap.append(drawn("path", { d, class: kind, "data-row": row }));
    for (const [row, hit] of left.hits) {
      const other = right.hits.get(row);
      const y = middle(hit);
      if (!other) {
        path(`M0,${y} h${STUB}`, row, "alone");
        continue;
      }
      const to = middle(other);
      const same = left.rows.indexOf(row) === right.rows.indexOf(row);
      path(`M0,${y} C${width / 2},${y} ${width / 2},${to} ${width},${to}`, row, same ? "same" : "other");
    }
    for (const [row, hit] of right.hits) if (!left.hits.has(row)) path(`M${width},${middle(hit)} h${-STUB}`, row, "alone");
  }

  highlight(row) {
    for (const { hits } of this.shown) for (const [its, hit] of hits) hit.root.classList.toggle("lit", its === row);
    for (const line of this.body.querySelectorAll("path")) line.classList.toggle("lit", Number(line.dataset.row) === row);
  }

  /** Arrow keys move through the hits and to the next encoder's hits. */
  key(event, column) {
    const here = [...column.hits.values()];
    const place = here.findIndex((hit) => hit.root === event.target);
    const other = this.shown[this.shown.indexOf(column) + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? NaN)];
    const to = { ArrowUp: here[place - 1], ArrowDown: here[place + 1], Home: here[0], End: here.at(-1) }[event.key];
    const goal = other ? (other.hits.get(column.rows[place]) ?? [...other.hits.values()][place]) : to;
    if (!goal) return;
    consume(event);
    goal.root.focus();
  }
}
