// The curves of the chosen runs. Up to five recipes share the charts; more recipes get separate charts on equal axes.

import { floats32 } from "../shared/bytes.js";
import { Chart, scaleLinear, scaleLog, ticksOf } from "../shared/chart.js";
import { attribute, drawn, element, onResize, write } from "../shared/dom.js";
import { colour } from "../shared/palette.js";
import { brief } from "../shared/text.js";

const DASHES = ["", "6 3", "2 3", "8 3 2 3", "12 4"];
const DIGIT = 7; // pixels per character of an axis label
const DECADES = 100; // ratio of the ends of an axis from which it is logarithmic
const BELOW = 18; // pixels for the step labels below the axis

const opened = (line) => ({ steps: floats32(line.steps), values: floats32(line.values), spread: line.spread ? floats32(line.spread) : null });

/** The ends of both axes over groups of lines, without the largest and smallest 2 %. A `wide` range of positive values has a log axis. */
function ends(lines, upper, wide) {
  const low = [];
  const high = [];
  let last = 1;
  for (const { steps, values, spread } of lines) {
    if (!values.length) continue;
    last = Math.max(last, steps.at(-1));
    const order = Float32Array.from(values).sort();
    low.push(order[Math.floor(0.02 * (order.length - 1))] - (spread?.at(-1) ?? 0));
    high.push(order[Math.ceil(0.98 * (order.length - 1))] + (spread?.at(-1) ?? 0));
  }
  let [bottom, top] = low.length ? [Math.min(...low), Math.max(...high)] : [0, 1];
  if (upper !== null && upper !== undefined && low.length) top = Math.max(top, upper);
  if (wide && bottom > 0 && top / bottom > DECADES) return { last, low: bottom / 1.3, high: top * 1.3, log: true };
  const pad = Math.max(0.06 * (top - bottom), 1e-3 * Math.abs(top), 1e-6);
  return { last, low: bottom - pad, high: top + pad, log: false };
}

const hintOf = ({ hint }, { log }) => [hint, log ? "log axis" : ""].filter(Boolean).join(", ");

class Picture {
  constructor(title) {
    this.name = element("span", { class: "chart-name" });
    this.hint = element("span", { class: "chart-hint" });
    this.svg = drawn("svg", { class: "chart-svg", role: "img", preserveAspectRatio: "none" });
    this.box = element("div", { class: "chart-box" }, this.svg);
    this.root = element("figure", { class: "chart" }, element("figcaption", { class: "chart-title" }, title ?? this.name, this.hint), this.box);
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.point(null));
  }

  /** `lines`: {title, colour, dash, steps, values, spread}; `axes`: the result of `ends`; `hint`: text at the right. */
  draw({ lines, axes, hint = "", upper = null, label }) {
    const [width, height] = [this.box.clientWidth || 240, this.box.clientHeight || 96];
    const many = height > 120 ? 4 : 2;
    const scale = axes.log ? scaleLog : scaleLinear;
    const longest = Math.max(...ticksOf(scale([axes.low, axes.high]), many).map((tick) => tick.label.length));
    const margin = { left: Math.max(40, 8 + DIGIT * longest), right: 8, top: 4, bottom: BELOW };
    const chart = new Chart(width, height, margin, [0, axes.last], [axes.low, axes.high], scale);
    Object.assign(this, { lines, chart, last: axes.last, usual: hint });
    write(this.hint, hint);
    attribute(this.svg, "viewBox", `0 0 ${width} ${height}`);
    this.head = drawn("circle", { r: 3.5, class: "head", visibility: "hidden" });
    const limit = upper !== null && lines.length ? chart.horizontal(upper, "upper") : "";
    this.svg.replaceChildren(...chart.yAxis(many), ...chart.xAxis(width > 220 ? 4 : 2), limit, ...lines.flatMap((line) => this.curve(line)), this.head);
    attribute(this.svg, "aria-label", label ?? this.text());
  }

  curve({ steps, values, spread, colour: ink, dash }) {
    const { chart } = this;
    if (values.length === 1) return [drawn("circle", { cx: chart.x(steps[0]), cy: chart.level(values[0]), r: 3, fill: ink })];
    const line = chart.line(steps, values, { class: "line", stroke: ink, "stroke-dasharray": dash || null });
    const ended = steps.at(-1) < this.last ? drawn("circle", { cx: chart.x(steps.at(-1)), cy: chart.level(values.at(-1)), r: 3.5, fill: ink, class: "ended" }, drawn("title", { text: `the last of its ${steps.at(-1)} steps` })) : "";
    if (!spread) return [line, ended];
    return [chart.band(steps, values.map((value, i) => value - spread[i]), values.map((value, i) => value + spread[i]), { class: "spread", fill: ink }), line, ended];
  }

  point(event) {
    if (!this.lines?.length) return;
    const { chart } = this;
    let best = null;
    if (event) {
      const box = this.svg.getBoundingClientRect();
      const [px, py] = [event.clientX - box.left, event.clientY - box.top];
      for (const line of this.lines) {
        line.values.forEach((value, i) => {
          const far = Math.hypot(2 * (chart.x(line.steps[i]) - px), chart.level(value) - py);
          if (!best || far < best.far) best = { far, line, i };
        });
      }
    }
    attribute(this.head, "visibility", best ? "visible" : "hidden");
    if (!best) return write(this.hint, this.usual);
    const { line, i } = best;
    for (const [name, value] of [["cx", chart.x(line.steps[i])], ["cy", chart.level(line.values[i])], ["fill", line.colour]]) attribute(this.head, name, String(value));
    const spread = line.spread ? ` ± ${brief(line.spread[i], 2)}` : "";
    write(this.hint, `${line.title}: ${brief(line.values[i], 4)}${spread} at ${line.steps[i]}`);
  }

  text() {
    const ended = this.lines.filter(({ values }) => values.length).map(({ title, values, steps }) => `${title} ${brief(values.at(-1), 4)} at step ${steps.at(-1)}`);
    return `${this.name.textContent}: ${ended.join("; ") || "nothing measured"}`;
  }
}

export class Curves {
  /** `alone(ids)` selects only these runs. */
  constructor(alone) {
    this.alone = alone;
    Object.assign(this, { order: [], groups: [], lines: new Map(), names: [], charts: [], dark: false });
    this.legend = element("div", { class: "legend" });
    this.box = element("div", { class: "charts" });
    this.root = element("div", { class: "curves" }, this.legend, this.box);
    onResize(this.box, () => this.draw());
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

  colours() {
    if (this.small) return new Map();
    return new Map(this.groups.flatMap(({ runs }, i) => runs.map((id) => [id, colour(i, this.dark)])));
  }

  titled(group) {
    return group.seeds > 1 ? `${group.title} (${group.seeds} seeds)` : group.title;
  }

  build() {
    this.box.classList.toggle("small", Boolean(this.small));
    const focused = this.root.contains(document.activeElement) ? document.activeElement.textContent : null;
    if (this.small) {
      this.charts = this.groups.map((group) => {
        const title = element("button", { type: "button", class: "plain chart-name", text: group.title, title: `${this.titled(group)}: draw only these runs`, onclick: () => this.alone(group.runs) });
        return new Picture(title);
      });
    } else {
      this.charts = this.names.map(({ label }) => {
        const chart = new Picture();
        write(chart.name, label);
        attribute(chart.name, "title", label);
        return chart;
      });
    }
    this.box.replaceChildren(...this.charts.map((chart) => chart.root));
    this.showLegend();
    this.draw();
    if (focused) [...this.root.querySelectorAll("button")].find((made) => made.textContent === focused)?.focus();
  }

  showLegend() {
    if (this.small) return this.legend.replaceChildren(element("span", { class: "soft" }));
    if (!this.groups.length) return this.legend.replaceChildren(element("span", { class: "soft", text: "No run is chosen: tick one in the table." }));
    this.legend.replaceChildren(
      ...this.groups.map((group, i) => {
        const line = drawn("line", { x1: 1, x2: 23, y1: 4, y2: 4, stroke: colour(i, this.dark), "stroke-width": 3, "stroke-dasharray": DASHES[i % DASHES.length] || null });
        const key = drawn("svg", { class: "key", viewBox: "0 0 24 8", "aria-hidden": "true" }, line);
        return element("button", { type: "button", class: "plain", title: "Draw only these runs", onclick: () => this.alone(group.runs) }, key, this.titled(group));
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
      const [{ name, upper, log }] = this.names;
      const axes = ends(this.groups.flatMap((group) => of(group, name)), upper, log);
      const about = hintOf(this.names[0], axes);
      const more = this.more ? `, of ${this.groups.length + this.more} recipes the first ${this.groups.length}` : "";
      write(this.legend.firstChild, `${this.names[0].label}${about && ` (${about})`}${more}`);
      this.groups.forEach((group, i) => {
        const lines = styled(group, i, name);
        const last = lines[0]?.values.at(-1);
        const spread = lines[0]?.spread ? ` ± ${brief(lines[0].spread.at(-1), 2)}` : "";
        const label = `${this.titled(group)}: ${this.names[0].label} ${last === undefined ? "not measured" : `${brief(last, 4)}${spread}`}`;
        this.charts[i].draw({ lines, axes, upper, hint: last === undefined ? "" : brief(last), label });
      });
      return;
    }
    this.names.forEach((column, place) => {
      const { name, upper, log } = column;
      const lines = this.groups.flatMap((group, i) => styled(group, i, name));
      const axes = ends(lines, upper, log);
      this.charts[place].draw({ lines, axes, upper, hint: hintOf(column, axes) });
    });
  }
}
