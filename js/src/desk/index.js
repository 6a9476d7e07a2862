// The desk of runs: see clwork/lab/desk/desk.py. The model holds `about`; the page requests everything else.

import { Channel } from "../shared/channel.js";
import { attribute, consume, element } from "../shared/dom.js";
import { followTheme } from "../shared/theme.js";
import { Curves } from "./curves.js";
import { Details } from "./details.js";
import { Grid } from "./grid.js";
import { arranged, FAMILY, matching, Runs } from "./runs.js";
import { Table } from "./table.js";
import { Toolbar } from "./toolbar.js";
import look from "../shared/look.css";
import css from "./style.css";

const TYPING = 200; // milliseconds without a key before the filter is sent to the kernel

class Desk {
  /** `send(name, more)` sends a command to the kernel, a promise of whether it was done; `forms` are those of the text. */
  constructor(send, forms) {
    Object.assign(this, { send, forms, runs: new Runs(), lines: [], rows: [], pending: 0, leftOut: new Set(), keys: { view: null, curves: [], copied: 0 } });
    this.view = { text: "", method: "", status: "", only: null, order: FAMILY, descending: false, band: true, one: null, extra: "", others: [] };
    this.status = { sentence: "Connecting to the kernel …", reading: null, work: 0, trouble: false };
    this.toolbar = new Toolbar({
      set: (changes) => this.set(changes),
      all: (on) => this.draw(this.lines.map((line) => line.row.id), on),
      compare: () => this.set({ only: this.view.only ? null : this.drawnIds() }),
      remove: () => this.confirm(this.drawnIds()),
      text: () => (this.details.key?.startsWith("text") ? this.shut() : this.command("copy", { form: this.forms[0] })),
      refresh: () => this.command("refresh"),
    });
    this.table = new Table({
      sort: (name) => this.set(name === this.view.order ? { descending: !this.view.descending } : { order: name }),
      open: (id) => this.open(id),
      draw: (ids, on) => this.draw(ids, on),
      remove: () => this.confirm(this.view.one ? [this.view.one] : this.drawnIds()),
    });
    const alone = (ids) => ids.length && this.drawOnly(ids);
    this.curves = new Curves({ alone });
    this.grid = new Grid({ alone });
    this.details = new Details({ command: (name, more) => this.command(name, more), shut: () => this.shut(), remove: (ids) => this.confirm(ids), report: (sentence) => this.report(sentence) });
    this.build();
    this.show();
  }

  build() {
    const half = (text, grid) => element("button", { type: "button", text, class: grid ? "clwork-grid" : "clwork-curves", onclick: () => this.turn(grid) });
    this.halves = [half("Curves", false), half("Grid", true)];
    this.extra = element("select", { class: "clwork-extra-column", "aria-label": "fourth curve", onchange: () => this.set({ extra: this.extra.value }) });
    this.band = element("input", { type: "checkbox", class: "clwork-band", checked: true, onchange: () => this.set({ band: this.band.checked }) });
    this.options = element("span", { class: "options" }, element("label", {}, element("span", { class: "soft", text: "also" }), this.extra), element("label", { title: "Otherwise each run has its own line." }, this.band, "mean ± sd over seeds"));
    const bar = element("div", { class: "tools" }, element("span", { class: "switch", role: "group", "aria-label": "what is drawn" }, ...this.halves), this.options);
    this.right = element("div", { class: "right" }, bar, this.curves.root, this.grid.root, this.details.root);
    const left = element("div", { class: "left" }, this.toolbar.tools, this.table.root);
    this.body = element("div", { class: "body" }, this.toolbar.root, this.toolbar.line, left, this.right);
    this.root = element("section", { class: "clwork-look clwork-desk", "aria-label": "Runs, their table and their curves" }, this.body);
    this.root.addEventListener("keydown", (event) => this.press(event));
    this.turn(false);
  }

  known() {
    return { runs: this.runs.version, ...this.keys };
  }

  get lively() {
    return this.status.work > 0 || this.status.reading !== null;
  }

  take(news) {
    if (news.status && JSON.stringify(news.status) !== JSON.stringify(this.status)) this.showStatus(news.status);
    if (news.runs) this.runs.take(news.runs);
    if (news.view) this.taken(news.view);
    if (news.curves) {
      this.keys.curves = news.curves.order;
      this.curves.take(news.curves);
    }
    if (news.runs || news.view || news.curves) this.show();
    if (news.runs && this.sent !== undefined && this.sent !== this.arrangement()) this.set({});
    if (news.copied) {
      this.keys.copied = news.copied.version;
      this.details.showText(news.copied, this.forms);
    }
  }

  showStatus(status) {
    this.status = status;
    this.toolbar.report(status.sentence, status.trouble, status.reading);
  }

  /** The view as the kernel has it, unless the reader has changed it since. */
  taken({ key, left_out, ...view }) {
    if (this.pending || this.unsent) {
      Object.assign(this.view, { extra: view.extra, others: view.others });
      return;
    }
    this.keys.view = key;
    Object.assign(this.view, view);
    this.leftOut = new Set(left_out);
  }

  /** Send a command; until it is answered, what the kernel reports of the view is older than what is seen. */
  command(name, more = {}) {
    if (name !== "show") this.flush();
    this.pending += 1;
    return this.send(name, more).finally(() => (this.pending -= 1));
  }

  report(sentence, trouble = false) {
    this.toolbar.report(sentence, trouble);
  }

  /** Change the view, and send it to the kernel: at once, or after a pause where a filter is being typed. */
  set(changes) {
    Object.assign(this.view, changes);
    this.show();
    clearTimeout(this.typing);
    this.unsent = true;
    if ("text" in changes) this.typing = setTimeout(() => this.flush(), TYPING);
    else this.flush();
  }

  /** The runs of the table in their order, and those that the filter hides, as text. */
  arrangement() {
    const order = this.lines.map((line) => line.row.id);
    const shown = new Set(order);
    return JSON.stringify({ order, hidden: this.runs.order.map((row) => row.id).filter((id) => !shown.has(id)) });
  }

  flush() {
    clearTimeout(this.typing);
    if (!this.unsent) return;
    this.unsent = false;
    this.sent = this.arrangement();
    const { others, ...view } = this.view;
    this.command("show", { view: { ...view, left_out: [...this.leftOut] }, ...JSON.parse(this.sent) });
  }

  draw(ids, on) {
    for (const id of ids) on ? this.leftOut.delete(id) : this.leftOut.add(id);
    this.set({});
  }

  drawOnly(ids) {
    const wanted = new Set(ids);
    this.leftOut = new Set(this.runs.order.map((row) => row.id).filter((id) => !wanted.has(id)));
    this.turn(false);
    this.set({});
  }

  open(id) {
    const one = this.view.one === id && this.details.key?.startsWith("run") ? null : id;
    this.details.key = null;
    this.set({ one });
  }

  confirm(ids) {
    this.details.confirm(ids.map((id) => this.runs.rows.get(id)).filter(Boolean));
  }

  shut() {
    const inside = this.details.root.contains(document.activeElement);
    const wasRun = this.details.key?.startsWith("run");
    this.details.shut();
    if (inside) this.table.table.focus({ preventScroll: true });
    if (wasRun && this.view.one !== null) this.set({ one: null });
    else this.show();
  }

  turn(grid) {
    this.halves.forEach((half, i) => attribute(half, "aria-pressed", String(Boolean(i) === grid)));
    this.grid.root.hidden = !grid;
    this.curves.root.hidden = this.options.hidden = grid;
    if (grid && this.root.isConnected) this.grid.show(this.runs, this.rows);
    else this.curves.draw();
  }

  press(event) {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (event.key === "Escape" && !this.details.root.hidden) this.shut();
    else if (event.key === "/" && !typing) this.toolbar.text.focus();
    else return;
    consume(event);
  }

  drawnIds() {
    return this.lines.map((line) => line.row.id).filter((id) => !this.leftOut.has(id));
  }

  show() {
    const { runs, view } = this;
    const rows = (this.rows = matching(runs, view));
    const columns = runs.tableColumns(rows);
    this.lines = arranged(rows, columns, view);
    const drawn = rows.filter((row) => !this.leftOut.has(row.id)).length;
    this.toolbar.show({ view, rows: runs.order, shown: rows.length, drawn });
    this.table.show({ lines: this.lines, columns, view, drawn: (row) => !this.leftOut.has(row.id), colours: this.curves.colours() });
    this.grid.show(runs, rows);
    this.showOptions();
    this.showRun(columns);
  }

  showOptions() {
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
    const other = this.details.key && !this.details.key.startsWith("run");
    if (row && !other) this.details.showRun(row, columns.filter((column) => column.differs && !["seed", "method"].includes(column.name)).map((column) => [column.label, column.text(row)]));
    else if (!row && this.details.key?.startsWith("run")) this.details.shut();
  }

  themed(dark) {
    this.curves.themed(dark);
    if (this.lines.length) this.show();
  }

  close() {
    clearTimeout(this.typing);
  }
}

const STANDS = {
  silent: "The kernel is busy: the page shows its last answer.",
  unanswered: "The kernel has not answered for 5 seconds: it runs another cell, and clicks are handled when that ends. If no cell is running, run this cell again.",
  gone: "The kernel is gone: the page shows its last answer. Run the cell again.",
};

function render({ model, el }) {
  const style = element("style", { text: look + css });
  let channel = null;
  const desk = new Desk((name, more) => channel.command(name, more), model.get("about").forms);
  el.append(style, desk.root);
  const unfollow = followTheme(desk.root, (dark) => desk.themed(dark));
  channel = new Channel(model, {
    known: () => desk.known(),
    take: (news) => desk.take(news),
    lively: () => desk.lively,
    refused: (why) => desk.report(why, true),
    standing: (state) => (state === "answers" ? desk.showStatus(desk.status) : desk.report(STANDS[state], state === "gone")),
  });
  return () => {
    channel.close();
    unfollow();
    desk.close();
    desk.root.remove();
    style.remove();
  };
}

export default { render };
