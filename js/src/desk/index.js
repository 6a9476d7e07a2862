// The desk of runs: see clwork/lab/desk_view.py. The page requests everything from the kernel.

import { Channel, STANDING } from "../shared/channel.js";
import { consume, element, offer } from "../shared/dom.js";
import { mount } from "../shared/mount.js";
import { Curves } from "./curves.js";
import { Details } from "./details.js";
import { arranged, FAMILY, matching, Runs } from "./runs.js";
import { Table } from "./table.js";
import { Toolbar } from "./toolbar.js";
import css from "./style.css";

const TYPING = 200; // milliseconds without a key before the filter is sent to the kernel

class Desk {
  constructor(model) {
    Object.assign(this, { runs: new Runs(), lines: [], pending: 0, leftOut: new Set(), keys: { view: null, curves: [] } });
    this.view = { text: "", method: "", status: "", only: null, order: FAMILY, descending: false, band: true, one: null, extra: "", others: [] };
    this.status = { sentence: "Connecting to the kernel …", reading: null, work: 0, trouble: false };
    this.toolbar = new Toolbar({
      set: (changes) => this.set(changes),
      all: (on) => this.draw(this.lines.map((line) => line.row.id), on),
      compare: () => this.set({ only: this.view.only ? null : this.drawnIds() }),
      remove: () => this.confirm(this.drawnIds()),
      refresh: () => this.command("refresh"),
    });
    this.table = new Table({
      sort: (name) => this.set(name === this.view.order ? { descending: !this.view.descending } : { order: name }),
      open: (id) => this.open(id),
      draw: (ids, on) => this.draw(ids, on),
      remove: () => this.confirm(this.view.one ? [this.view.one] : this.drawnIds()),
    });
    this.curves = new Curves((ids) => this.drawOnly(ids));
    this.details = new Details({ command: (name, more) => this.command(name, more), shut: () => this.shut(), remove: (ids) => this.confirm(ids) });
    this.build();
    this.show();
    this.channel = new Channel(model, {
      known: () => ({ runs: this.runs.version, ...this.keys }),
      take: (news) => this.take(news),
      lively: () => this.status.work > 0 || this.status.reading !== null,
      refused: (why) => this.toolbar.report(why, true),
      standing: (state) => (state === "answers" ? this.showStatus(this.status) : this.toolbar.report(STANDING[state], state === "gone")),
    });
  }

  build() {
    this.extra = element("select", { class: "clwork-extra-column", "aria-label": "fourth curve", onchange: () => this.set({ extra: this.extra.value }) });
    this.band = element("input", { type: "checkbox", class: "clwork-band", checked: true, onchange: () => this.set({ band: this.band.checked }) });
    const also = element("label", {}, element("span", { class: "soft", text: "also" }), this.extra);
    const bar = element("div", { class: "tools" }, also, element("label", { title: "Otherwise each run has its own line." }, this.band, "mean ± sd over seeds"));
    this.right = element("div", { class: "right" }, bar, this.curves.root, this.details.root);
    const left = element("div", { class: "left" }, this.toolbar.tools, this.table.root);
    this.body = element("div", { class: "body" }, this.toolbar.root, this.toolbar.line, left, this.right);
    this.root = element("section", { class: "clwork-look clwork-desk", "aria-label": "Runs, their table and their curves" }, this.body);
    this.root.addEventListener("keydown", (event) => this.press(event));
  }

  take(news) {
    if (news.status && JSON.stringify(news.status) !== JSON.stringify(this.status)) this.showStatus(news.status);
    if (news.runs) this.runs.take(news.runs);
    if (news.view) this.takeView(news.view);
    if (news.curves) {
      this.keys.curves = news.curves.order;
      this.curves.take(news.curves);
    }
    if (news.runs || news.view || news.curves) this.show();
    if (news.runs && this.sent !== undefined && this.sent !== this.arrangement()) this.set({});
  }

  showStatus(status) {
    this.status = status;
    this.toolbar.report(status.sentence, status.trouble, status.reading);
  }

  /** Take the kernel's view, unless the reader has changed the view since. */
  takeView({ key, left_out, ...view }) {
    if (this.pending || this.unsent) {
      Object.assign(this.view, { extra: view.extra, others: view.others });
      return;
    }
    this.keys.view = key;
    Object.assign(this.view, view);
    this.leftOut = new Set(left_out);
  }

  /** Send a command. Until its reply, the views that the kernel sends are older than the page's. */
  command(name, more = {}) {
    if (name !== "show") this.flush();
    this.pending += 1;
    return this.channel.command(name, more).finally(() => (this.pending -= 1));
  }

  /** Change the view and send it to the kernel: after a delay while the reader types a filter, else at once. */
  set(changes) {
    Object.assign(this.view, changes);
    this.show();
    clearTimeout(this.typing);
    this.unsent = true;
    if ("text" in changes) this.typing = setTimeout(() => this.flush(), TYPING);
    else this.flush();
  }

  /** The runs of the table in their order and the runs that the filter hides, as one string to compare. */
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
    this.leftOut = new Set(this.runs.order.map((row) => row.id).filter((id) => !ids.includes(id)));
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
    const rows = matching(runs, view);
    const columns = runs.tableColumns(rows);
    this.lines = arranged(rows, columns, view);
    const drawn = rows.filter((row) => !this.leftOut.has(row.id)).length;
    this.toolbar.show({ view, rows: runs.order, shown: rows.length, drawn });
    this.table.show({ lines: this.lines, columns, view, drawn: (row) => !this.leftOut.has(row.id), colours: this.curves.colours() });
    offer(this.extra, [["", "–"], ...view.others.map(([label, name]) => [name, label])], view.extra);
    this.band.checked = view.band;
    this.showRun(columns);
  }

  showRun(columns) {
    const row = this.view.one === null ? null : this.runs.rows.get(this.view.one);
    const other = this.details.key && !this.details.key.startsWith("run");
    if (row && !other) this.details.showRun(row, columns.filter((column) => column.differs && !["seed", "method"].includes(column.name)).map((column) => [column.label, column.text(row)]));
    else if (!row && this.details.key?.startsWith("run")) this.details.shut();
  }

  paint(dark) {
    this.curves.themed(dark);
    if (this.lines.length) this.show();
  }

  close() {
    this.channel.close();
    clearTimeout(this.typing);
  }
}

const render = ({ model, el }) => mount(el, css, new Desk(model));

export default { render };
