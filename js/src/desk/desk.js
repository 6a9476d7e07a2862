// The desk: a table of runs beside their curves, or a grid of two settings. Filtering, sorting and choosing happen here,
// at once; the kernel hears of them, so that Python's `desk.frame()` is the table that is seen.

import { Grid } from "./grid.js";
import { Head } from "./head.js";
import { Pictures } from "./pictures.js";
import { Runs } from "./runs.js";
import { Sheet } from "./sheet.js";
import { Table } from "./table.js";
import { FAMILY, arranged, matching } from "./arrange.js";
import { element, tell as attribute } from "../shared/dom.js";

const TYPING = 200; // milliseconds without a key before the kernel hears of the filter

export class Desk {
  /** `ask(name, more)` sends a command to the kernel, a promise of whether it was done; `forms` are those of the text. */
  constructor(ask, forms) {
    Object.assign(this, { ask, forms, runs: new Runs(), pending: 0, leftOut: new Set(), keys: { view: null, curves: [], question: 0, copied: 0 } });
    this.view = { text: "", method: "", status: "", only: null, order: FAMILY, descending: false, band: true, one: null, extra: "", others: [] };
    this.pulse = { sentence: "Asking the kernel …", reading: null, work: 0, trouble: false };
    this.head = new Head({
      arrange: (changes) => this.arrange(changes),
      all: (on) => this.draw(this.lines.map((line) => line.row.id), on),
      compare: () => this.arrange({ only: this.view.only ? null : this.drawnIds() }),
      remove: () => this.tell("ask_delete", { names: this.drawnIds() }),
      text: () => (this.sheet.key?.startsWith("text") ? this.shut() : this.tell("copy", { form: this.forms[0] })),
      refresh: () => this.tell("refresh"),
    });
    this.table = new Table({
      sort: (name) => this.arrange(name === this.view.order ? { descending: !this.view.descending } : { order: name }),
      open: (id) => this.open(id),
      draw: (ids, on) => this.draw(ids, on),
      remove: () => this.tell("ask_delete", { names: this.view.one ? [this.view.one] : this.drawnIds() }),
    });
    const alone = (ids) => ids.length && this.drawOnly(ids);
    this.pictures = new Pictures({ alone });
    this.grid = new Grid({ alone });
    this.sheet = new Sheet({ tell: (name, more) => this.tell(name, more), shut: () => this.shut(), say: (sentence) => this.say(sentence) });
    this.lines = [];
    this.build();
    this.show();
  }

  build() {
    const half = (text, grid) => element("button", { type: "button", text, class: grid ? "clwork-grid" : "clwork-curves", onclick: () => this.turn(grid) });
    this.halves = [half("Curves", false), half("Grid", true)];
    this.extra = element("select", { class: "clwork-extra-column", "aria-label": "fourth curve", onchange: () => this.look({ extra: this.extra.value }) });
    this.band = element("input", { type: "checkbox", class: "clwork-band", checked: true, onchange: () => this.look({ band: this.band.checked }) });
    this.looks = element("span", { class: "looks" }, element("label", {}, element("span", { class: "soft", text: "also" }), this.extra), element("label", { title: "Else each run has its own line." }, this.band, "mean ± sd over seeds"));
    const bar = element("div", { class: "tools" }, element("span", { class: "switch", role: "group", "aria-label": "what is drawn" }, ...this.halves), this.looks);
    this.right = element("div", { class: "right" }, bar, this.pictures.root, this.grid.root, this.sheet.root);
    const left = element("div", { class: "left" }, this.head.tools, this.table.root);
    this.body = element("div", { class: "body" }, this.head.root, this.head.line, left, this.right);
    this.root = element("section", { class: "clwork-look clwork-desk", "aria-label": "Runs, their table and their curves" }, this.body);
    this.root.addEventListener("keydown", (event) => this.press(event));
    this.turn(false);
  }

  // --- from the kernel ---

  known() {
    return { runs: this.runs.known(), ...this.keys };
  }

  get lively() {
    return this.pulse.work > 0 || this.pulse.reading !== null;
  }

  take(news) {
    if (news.pulse && JSON.stringify(news.pulse) !== JSON.stringify(this.pulse)) this.pulsed(news.pulse);
    if (news.runs) this.runs.take(news.runs);
    if (news.view) this.taken(news.view);
    if (news.curves) {
      this.keys.curves = news.curves.order;
      this.pictures.take(news.curves);
    }
    if (news.runs || news.view || news.curves) this.show();
    if (news.question) {
      this.keys.question = news.question.version;
      this.question = news.question.text;
      this.question ? this.sheet.ask(this.question) : this.sheet.key?.startsWith("ask") && this.shut();
    }
    if (news.copied) {
      this.keys.copied = news.copied.version;
      this.sheet.showText(news.copied, this.forms);
    }
  }

  pulsed(pulse) {
    this.pulse = pulse;
    this.head.say(pulse.sentence, pulse.trouble, pulse.reading);
  }

  /** The view as the kernel has it, unless the reader has changed it since. */
  taken({ key, left_out, ...view }) {
    if (this.pending) {
      Object.assign(this.view, { extra: view.extra, others: view.others });
      return;
    }
    this.keys.view = key;
    Object.assign(this.view, view);
    this.leftOut = new Set(left_out);
  }

  // --- from the reader ---

  /** Send a command; what the kernel says of the view meanwhile is older than what is seen. */
  tell(name, more = {}) {
    this.flush();
    this.pending += 1;
    return this.ask(name, more).finally(() => (this.pending -= 1));
  }

  say(sentence, trouble = false) {
    this.head.say(sentence, trouble);
  }

  arrange(changes) {
    Object.assign(this.view, changes);
    this.show();
    clearTimeout(this.typing);
    if (!this.unsent) this.pending += 1;
    this.unsent = true;
    if ("text" in changes) this.typing = setTimeout(() => this.flush(), TYPING);
    else this.flush();
  }

  /** Have the kernel hear of a filter that is still being typed: whatever is asked next is about what is seen. */
  flush() {
    if (!this.unsent) return;
    clearTimeout(this.typing);
    this.unsent = false;
    this.pending -= 1;
    const { text, method, status, only, order, descending } = this.view;
    this.tell("arrange", { text, method, status, only, order, descending });
  }

  draw(ids, on) {
    for (const id of ids) on ? this.leftOut.delete(id) : this.leftOut.add(id);
    this.show();
    this.tell("leave_out", { names: [...this.leftOut] });
  }

  /** Draw these runs and no other. */
  drawOnly(ids) {
    const wanted = new Set(ids);
    this.leftOut = new Set(this.runs.order.map((row) => row.id).filter((id) => !wanted.has(id)));
    this.turn(false);
    this.show();
    this.tell("leave_out", { names: [...this.leftOut] });
  }

  look(changes) {
    Object.assign(this.view, changes);
    this.tell("look", changes);
  }

  open(id) {
    this.view.one = this.view.one === id && this.sheet.key?.startsWith("run") ? null : id;
    this.sheet.key = null;
    this.show();
    this.tell("open", { one: this.view.one });
  }

  /** Shut the sheet: a question is withdrawn, and the table has the focus again. */
  shut() {
    if (this.sheet.key?.startsWith("ask") && this.question) this.tell("keep");
    const inside = this.sheet.root.contains(document.activeElement);
    const wasRun = this.sheet.key?.startsWith("run");
    this.sheet.shut();
    if (inside) this.table.table.focus({ preventScroll: true });
    if (wasRun && this.view.one !== null) {
      this.view.one = null;
      this.show();
      this.tell("open", { one: null });
    } else this.show();
  }

  turn(grid) {
    this.halves.forEach((half, i) => attribute(half, "aria-pressed", String(Boolean(i) === grid)));
    this.grid.root.hidden = !grid;
    this.pictures.root.hidden = this.looks.hidden = grid;
    if (grid && this.root.isConnected) this.grid.show(this.runs, this.shownRows ?? []);
    else this.pictures.draw();
  }

  press(event) {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (event.key === "Escape" && !this.sheet.root.hidden) this.shut();
    else if (event.key === "/" && !typing) this.head.text.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // --- what is seen ---

  drawnIds() {
    return this.lines.map((line) => line.row.id).filter((id) => !this.leftOut.has(id));
  }

  show() {
    const { runs, view } = this;
    const rows = (this.shownRows = matching(runs, view));
    const columns = runs.tableColumns(rows);
    this.lines = arranged(rows, columns, view);
    const drawn = rows.filter((row) => !this.leftOut.has(row.id)).length;
    this.head.show({ view, rows: runs.order, shown: rows.length, drawn });
    this.table.show({ lines: this.lines, columns, view, drawn: (row) => !this.leftOut.has(row.id), looks: this.pictures.looks() });
    this.grid.show(runs, rows);
    this.options();
    this.showRun(columns);
  }

  options() {
    const offered = [["", "–"], ...this.view.others.map(([label, name]) => [name, label])];
    const key = JSON.stringify(offered);
    if (this.extra.dataset.key !== key) {
      this.extra.replaceChildren(...offered.map(([value, text]) => element("option", { value, text })));
      this.extra.dataset.key = key;
    }
    if (this.extra.value !== this.view.extra) this.extra.value = this.view.extra;
    if (this.band.checked !== this.view.band) this.band.checked = this.view.band;
  }

  showRun(columns) {
    const row = this.view.one === null ? null : this.runs.rows.get(this.view.one);
    const other = this.sheet.key && !this.sheet.key.startsWith("run");
    if (row && !other) this.sheet.showRun(row, columns.filter((column) => column.differs && !["seed", "method"].includes(column.name)).map((column) => [column.label, column.text(row)]));
    else if (!row && this.sheet.key?.startsWith("run")) this.sheet.shut();
  }

  themed(dark) {
    this.pictures.themed(dark);
    if (this.lines.length) this.show();
  }

  close() {
    clearTimeout(this.typing);
    this.table.close();
    this.pictures.close();
  }
}
