// One picture of curves: lines with their spread, over steps.

import { marks } from "../shared/axes.js";
import { floats32 } from "../shared/bytes.js";
import { drawn, element, write } from "../shared/dom.js";

const DIGIT = 7; // pixels of a character of the axis
const BOTTOM = 16;

/** A line's bytes as arrays. */
export const opened = (line) => ({ steps: floats32(line.steps), values: floats32(line.values), spread: line.spread ? floats32(line.spread) : null });

/** The ends of both axes over groups of lines; the largest and smallest 2 % are left out, so that a few outliers do not flatten the rest. */
export function ends(lines, upper) {
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
  const pad = Math.max(0.06 * (top - bottom), 1e-3 * Math.abs(top), 1e-6);
  return { last, low: bottom - pad, high: top + pad };
}

export class Chart {
  constructor(title) {
    this.name = element("span", { class: "chart-name" });
    this.hint = element("span", { class: "chart-hint" });
    this.svg = drawn("svg", { class: "chart-svg", role: "img", preserveAspectRatio: "none" });
    this.box = element("div", { class: "chart-box" }, this.svg);
    this.root = element("figure", { class: "chart" }, element("figcaption", { class: "chart-title" }, title ?? this.name, this.hint), this.box);
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.point(null));
  }

  /** `lines` are {title, colour, dash, steps, values, spread}; `axes` as of `ends`; `hint` is at the right. */
  draw({ lines, axes, hint = "", upper = null, label }) {
    const [width, height] = [this.box.clientWidth || 240, this.box.clientHeight || 96];
    Object.assign(this, { lines, width, height, usual: hint });
    write(this.hint, hint);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.y = (value) => Math.max(2, Math.min(height - BOTTOM, 4 + ((axes.high - value) / (axes.high - axes.low)) * (height - BOTTOM - 6)));
    const rules = marks(axes.low, axes.high, height > 120 ? 4 : 2);
    const left = Math.max(40, 8 + DIGIT * Math.max(...rules.map(({ words }) => words.length)));
    this.x = (step) => left + (step / axes.last) * (width - left - 8);
    const parts = rules.flatMap(({ value, words }) => [
      drawn("line", { class: "rule", x1: left, x2: width - 8, y1: this.y(value), y2: this.y(value) }),
      drawn("text", { class: "tick-text", x: left - 4, y: Math.max(10, this.y(value) + 4), "text-anchor": "end", text: words }),
    ]);
    for (const { value, words } of marks(0, axes.last, width > 220 ? 4 : 2)) {
      if (Number.isInteger(value)) parts.push(drawn("text", { class: "tick-text", x: this.x(value), y: height - 3, "text-anchor": this.x(value) > width - 24 ? "end" : "middle", text: words }));
    }
    if (upper !== null && lines.length) parts.push(drawn("line", { class: "upper", x1: left, x2: width - 8, y1: this.y(upper), y2: this.y(upper) }));
    for (const line of lines) parts.push(...this.curve(line));
    this.head = drawn("circle", { r: 3.5, class: "head", visibility: "hidden" });
    this.svg.replaceChildren(...parts, this.head);
    this.svg.setAttribute("aria-label", label ?? this.text());
  }

  curve({ steps, values, spread, colour, dash }) {
    const at = (i, value) => `${this.x(steps[i]).toFixed(1)},${this.y(value).toFixed(1)}`;
    const parts = [];
    if (spread && values.length > 1) {
      const upper = Array.from(values, (value, i) => at(i, value + spread[i]));
      const lower = Array.from(values, (value, i) => at(i, value - spread[i])).reverse();
      parts.push(drawn("path", { class: "spread", d: `M${[...upper, ...lower].join("L")}Z`, fill: colour }));
    }
    if (values.length === 1) parts.push(drawn("circle", { cx: this.x(steps[0]), cy: this.y(values[0]), r: 3, fill: colour }));
    else if (values.length) parts.push(drawn("path", { class: "line", d: `M${Array.from(values, (value, i) => at(i, value)).join("L")}`, stroke: colour, "stroke-dasharray": dash || null }));
    return parts;
  }

  /** Read the line that the pointer is nearest to. */
  point(event) {
    if (!this.lines?.length) return;
    let best = null;
    if (event) {
      const box = this.svg.getBoundingClientRect();
      const [px, py] = [event.clientX - box.left, event.clientY - box.top];
      for (const line of this.lines) {
        for (let i = 0; i < line.values.length; i++) {
          const far = Math.hypot(2 * (this.x(line.steps[i]) - px), this.y(line.values[i]) - py);
          if (!best || far < best.far) best = { far, line, i };
        }
      }
    }
    this.head.setAttribute("visibility", best ? "visible" : "hidden");
    if (!best) return write(this.hint, this.usual);
    const { line, i } = best;
    for (const [name, value] of [["cx", this.x(line.steps[i])], ["cy", this.y(line.values[i])], ["fill", line.colour]]) this.head.setAttribute(name, value);
    const spread = line.spread ? ` ± ${line.spread[i].toPrecision(2)}` : "";
    write(this.hint, `${line.title}: ${line.values[i].toPrecision(4)}${spread} at ${line.steps[i]}`);
  }

  /** The chart as text: where each line ends. */
  text() {
    const ended = this.lines.filter(({ values }) => values.length).map(({ title, values, steps }) => `${title} ${values.at(-1).toPrecision(4)} at step ${steps.at(-1)}`);
    return `${this.name.textContent}: ${ended.join("; ") || "nothing measured"}`;
  }
}
