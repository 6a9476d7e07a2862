// The table of runs: only the visible rows are in the page; arrow keys move the active row, Space draws it, Enter opens it.

import { attribute, consume, element, onResize } from "../shared/dom.js";

const HIGH = 24; // height of a row in pixels
const SPARE = 8; // rows rendered outside the viewport
const WIDEST = 22; // characters per column; a longer text is truncated and complete in its title attribute
const ARROWS = { ascending: " ▲", descending: " ▼", none: "" };
const DEEPEST = 6;
let tables = 0;

export class Table {
  /** `act` has sort(name), open(id), draw(ids, on), remove(). */
  constructor(act) {
    this.act = act;
    this.id = `clwork-runs-${(tables += 1)}`;
    Object.assign(this, { lines: [], columns: [], active: 0, anchor: null, drawn: () => true, one: null, colours: new Map() });
    this.cols = element("colgroup");
    this.head = element("tr");
    this.body = element("tbody");
    const about = { class: "rows", role: "grid", tabindex: 0, "data-lm-suppress-shortcuts": true, "aria-multiselectable": "true" };
    this.table = element("table", about, element("caption", { text: "The settings in which the runs differ, and how each ended" }), this.cols, element("thead", {}, this.head), this.body);
    this.table.texts = () => [["run", ...this.columns.map(({ label }) => label)], ...this.lines.map(({ row }) => [row.label, ...this.columns.map((column) => column.text(row))])];
    this.root = element("div", { class: "scroll clwork-runs" }, this.table);
    this.root.addEventListener("scroll", () => this.slide(), { passive: true });
    this.table.addEventListener("keydown", (event) => this.press(event));
    onResize(this.root, () => this.slide(true));
  }

  /** Show `lines` {row, depth}, `columns`, the `view`, which runs are drawn, and their colours by id. */
  show({ lines, columns, view, drawn, colours }) {
    const active = this.lines[this.active]?.row.id;
    Object.assign(this, { lines, columns, drawn, colours, one: view.one });
    const there = lines.findIndex((line) => line.row.id === active);
    this.active = there >= 0 ? there : Math.min(this.active, Math.max(0, lines.length - 1));
    this.showHead(view);
    attribute(this.table, "aria-rowcount", String(lines.length + 1));
    this.slide(true);
  }

  showHead(view) {
    const signed = [{ name: "run", label: "run" }, ...this.columns];
    const state = (name) => (name !== view.order ? "none" : view.descending ? "descending" : "ascending");
    const key = JSON.stringify([signed.map(({ name, label, differs }) => [name, label, differs, state(name)]), this.widths()]);
    if (key === this.headKey) return;
    this.headKey = key;
    const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    this.cols.replaceChildren(element("col", { style: "width: 32px" }), ...this.widths().map((width) => element("col", { style: `width: calc(${width}ch + 16px)` })));
    const cells = signed.map(({ name, label, differs, number }) => {
      const sort = element("button", { type: "button", class: "plain", "data-name": name, text: label + ARROWS[state(name)], onclick: () => this.act.sort(name) });
      return element("th", { scope: "col", "aria-sort": state(name), class: [differs && "differs", number && "number"].filter(Boolean).join(" ") || null }, sort);
    });
    this.head.replaceChildren(element("th", { scope: "col", class: "tick" }, element("span", { class: "unseen", text: "draw" })), ...cells);
    if (focused !== null) [...this.head.querySelectorAll("button")].find((made) => made.dataset.name === focused)?.focus();
  }

  widths() {
    const longest = (texts, label, widest = WIDEST) => Math.min(widest, texts.reduce((most, text) => Math.max(most, text.length), Math.min(14, label.length) + 2));
    const names = this.lines.map(({ row, depth }) => " ".repeat(3 * Math.min(depth, DEEPEST)) + row.label + (depth ? " from 000" : ""));
    return [longest(names, "run"), ...this.columns.map((column) => longest(this.lines.map(({ row }) => column.text(row)), column.label, column.widest))];
  }

  slide(force = false) {
    const top = Math.max(0, Math.floor(this.root.scrollTop / HIGH) - SPARE);
    const end = Math.min(this.lines.length, Math.ceil((this.root.scrollTop + this.root.clientHeight) / HIGH) + SPARE);
    if (!force && top === this.top && end === this.end) return;
    Object.assign(this, { top, end });
    const gap = (count) => element("tr", { class: "gap", "aria-hidden": "true", style: `height: ${count * HIGH}px` });
    this.body.replaceChildren(gap(top), ...this.lines.slice(top, end).map((line, i) => this.line(line, top + i)), gap(this.lines.length - end));
    this.mark();
  }

  line({ row, depth }, place) {
    const drawn = this.drawn(row);
    const tick = element("input", { type: "checkbox", tabindex: -1, "aria-label": `draw ${row.id}`, onchange: () => this.act.draw([row.id], tick.checked) });
    tick.checked = drawn;
    const colour = this.colours.get(row.id);
    const name = element("button", { type: "button", class: "plain name", tabindex: -1, text: (depth ? "↳\u00a0" : "") + row.label, onclick: () => this.go(place, true) });
    const title = element("th", { scope: "row", title: row.label, style: `padding-left: ${4 + 12 * Math.min(depth, DEEPEST)}px` }, name);
    if (depth && row.parent) title.append(element("span", { class: "fork-step", text: ` at ${row.parent[1]}` }));
    const cells = this.columns.map((column) => {
      const text = column.text(row);
      return element("td", { text, class: column.number ? "number" : null, title: text.length > WIDEST - 2 ? text : null });
    });
    const mark = element("td", { class: "tick", style: colour ? `box-shadow: inset 4px 0 ${colour}` : null }, tick);
    const about = { id: `${this.id}-${place}`, "aria-rowindex": String(place + 2), class: drawn ? null : "left-out", "aria-selected": String(row.id === this.one) };
    const made = element("tr", about, mark, title, ...cells);
    made.addEventListener("pointerdown", () => this.go(place));
    return made;
  }

  mark() {
    for (const made of this.body.children) made.classList.toggle("active", made.id === `${this.id}-${this.active}`);
    attribute(this.table, "aria-activedescendant", this.lines.length ? `${this.id}-${this.active}` : "");
  }

  go(place, open = false) {
    this.active = Math.max(0, Math.min(this.lines.length - 1, place));
    const head = this.table.tHead.offsetHeight + (this.table.caption?.offsetHeight ?? 0);
    const top = this.active * HIGH;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + HIGH + head > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = top + HIGH + head - this.root.clientHeight;
    this.slide();
    this.mark();
    if (open) this.act.open(this.lines[this.active].row.id);
  }

  press(event) {
    if (event.target !== this.table || !this.lines.length) return;
    const page = Math.max(1, Math.floor(this.root.clientHeight / HIGH) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.lines.length, End: this.lines.length };
    const row = this.lines[this.active].row;
    if (event.key in moves) {
      const on = this.drawn(row);
      const from = this.active;
      this.go(from + moves[event.key]);
      if (event.shiftKey) {
        const [low, high] = [Math.min(from, this.active), Math.max(from, this.active)];
        this.act.draw(this.lines.slice(low, high + 1).map((line) => line.row.id), on);
      }
    } else if (event.key === " ") this.act.draw([row.id], !this.drawn(row));
    else if (event.key === "Enter") this.act.open(row.id);
    else if (event.key === "Delete") this.act.remove();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) this.act.draw(this.lines.map((line) => line.row.id), true);
    else return;
    consume(event);
  }
}
