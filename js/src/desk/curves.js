// The curves of the chosen runs: up to five recipes in the same charts, more of them side by side, on the same axes.

import { Chart, ends, opened } from "./chart.js";
import { colour } from "../shared/palette.js";
import { drawn, element, tell, write } from "../shared/dom.js";

const DASHES = ["", "6 3", "2 3", "8 3 2 3", "12 4"];

export class Curves {
  /** `act` has alone(ids). */
  constructor(act) {
    this.act = act;
    Object.assign(this, { order: [], groups: [], lines: new Map(), names: [], charts: [], dark: false });
    this.legend = element("div", { class: "legend" });
    this.box = element("div", { class: "charts" });
    this.root = element("div", { class: "curves" }, this.legend, this.box);
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.box);
  }

  close() {
    this.watch.disconnect();
  }

  take(news) {
    for (const group of news.groups) {
      if (!group.lines) continue;
      const lines = Object.entries(group.lines).map(([name, parts]) => [name, parts.map(opened)]);
      this.lines.set(group.key, Object.fromEntries(lines));
    }
    Object.assign(this, { order: news.order, names: news.names, groups: news.groups, small: news.small, more: news.more });
    this.lines = new Map(news.groups.map(({ key }) => [key, this.lines.get(key) ?? {}]));
    this.build();
  }

  /** Colours of runs by folder, where all recipes are in the same charts. */
  colours() {
    if (this.small) return new Map();
    return new Map(this.groups.flatMap(({ runs }, i) => runs.map((id) => [id, colour(i, this.dark)])));
  }

  titled(group) {
    return group.seeds > 1 ? `${group.title} (${group.seeds} seeds)` : group.title;
  }

  /** Create as many charts as there is to draw. */
  build() {
    this.box.classList.toggle("small", Boolean(this.small));
    const focused = this.root.contains(document.activeElement) ? document.activeElement.textContent : null;
    if (this.small) {
      this.charts = this.groups.map((group) => {
        const title = element("button", { type: "button", class: "plain chart-name", text: group.title, title: `${this.titled(group)}: draw it alone`, onclick: () => this.act.alone(group.runs) });
        return new Chart(title);
      });
    } else {
      this.charts = this.names.map(({ label }) => {
        const chart = new Chart();
        write(chart.name, label);
        tell(chart.name, "title", label);
        return chart;
      });
    }
    this.box.replaceChildren(...this.charts.map((chart) => chart.root));
    this.showLegend();
    this.draw();
    if (focused) [...this.root.querySelectorAll("button")].find((made) => made.textContent === focused)?.focus();
  }

  showLegend() {
    if (this.small) {
      const more = this.more ? `, of ${this.groups.length + this.more} recipes the first ${this.groups.length}` : "";
      return this.legend.replaceChildren(element("span", { class: "soft", text: `${this.names[0].label}${this.names[0].hint && ` (${this.names[0].hint})`}${more}` }));
    }
    if (!this.groups.length) return this.legend.replaceChildren(element("span", { class: "soft", text: "No run is chosen: tick one in the table." }));
    this.legend.replaceChildren(
      ...this.groups.map((group, i) => {
        const line = drawn("line", { x1: 1, x2: 23, y1: 4, y2: 4, stroke: colour(i, this.dark), "stroke-width": 3, "stroke-dasharray": DASHES[i % DASHES.length] || null });
        const key = drawn("svg", { class: "key", viewBox: "0 0 24 8", "aria-hidden": "true" }, line);
        return element("button", { type: "button", class: "plain", title: "Draw it alone", onclick: () => this.act.alone(group.runs) }, key, this.titled(group));
      }),
    );
  }

  themed(dark) {
    this.dark = dark;
    if (this.groups.length) this.build();
  }

  draw() {
    if (!this.root.isConnected || !this.box.clientWidth) return;
    const of = (group, name) => this.lines.get(group.key)?.[name] ?? [];
    const styled = (group, i, name) => of(group, name).map((line) => ({ ...line, title: this.titled(group), colour: this.small ? "var(--accent)" : colour(i, this.dark), dash: this.small ? "" : DASHES[i % DASHES.length] }));
    if (this.small) {
      const [{ name, upper }] = this.names;
      const axes = ends(this.groups.flatMap((group) => of(group, name)), upper);
      this.groups.forEach((group, i) => {
        const lines = styled(group, i, name);
        const last = lines[0]?.values.at(-1);
        const spread = lines[0]?.spread ? ` ± ${lines[0].spread.at(-1).toPrecision(2)}` : "";
        const label = `${this.titled(group)}: ${this.names[0].label} ${last === undefined ? "not measured" : `${last.toPrecision(4)}${spread}`}`;
        this.charts[i].draw({ lines, axes, upper, hint: last === undefined ? "" : last.toPrecision(3), label });
      });
      return;
    }
    this.names.forEach(({ name, upper, hint }, place) => {
      const lines = this.groups.flatMap((group, i) => styled(group, i, name));
      this.charts[place].draw({ lines, axes: ends(lines, upper), upper, hint });
    });
  }
}
