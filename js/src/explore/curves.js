// One column over the steps: the chosen setting's seeds, mean and band in colour, the other
// settings' means and bands in grey.

import { Chart } from "../shared/chart.js";
import { drawn, element } from "../shared/dom.js";
import { digits } from "../shared/text.js";

// pixels
const HEIGHT = 182;
const MARGIN = { left: 46, right: 10, top: 8, bottom: 24 };
// fraction of the other settings' values that the axis may cut off at each end
const SPIKES = 0.015;

/** Axis range with all seeds of the chosen setting and nearly all means of the other settings. */
function range(chosen, others) {
  const pooled = others.flatMap((curve) => curve.mean).sort((a, b) => a - b);
  const first = Math.floor(SPIKES * pooled.length);
  const values = pooled.slice(first, Math.ceil((1 - SPIKES) * pooled.length));
  if (chosen) values.push(...chosen.mean, ...chosen.seeds.flat());
  const low = Math.min(...values);
  const high = Math.max(...values);
  const padding = 0.06 * (high - low || 1);
  return [low - padding, high + padding];
}

/** The chart of one column; `at` is always the index of the chosen variant. */
export class Curves {
  constructor({ name, title }, variants) {
    Object.assign(this, { title, variants });
    this.all = variants.map((variant) => variant.curves[name]);
    this.last = Math.max(1, ...this.all.map((curve) => curve?.steps.at(-1) ?? 0));
    this.place = element("div", { class: "picture" });
    const caption = element("figcaption", { text: title });
    this.root = element("figure", { "data-column": name }, caption, this.place);
  }

  draw(at) {
    const width = this.place.clientWidth;
    if (!width) return;
    const others = this.all.filter((curve, k) => curve && k !== at);
    const span = range(this.all[at], others);
    const chart = new Chart(width, HEIGHT, MARGIN, [0, this.last], span);
    const below = [
      ["start", 0, "0"],
      ["middle", this.last / 2, "step"],
      ["end", this.last, String(this.last)],
    ].map(([anchor, step, text]) => chart.label(chart.x(step), HEIGHT - 7, anchor, text));
    const label = { role: "img", "aria-label": this.text(at) };
    const svg = drawn("svg", { width, height: HEIGHT, ...label }, ...chart.yAxis(4), ...below);
    for (const k of this.all.keys()) if (k !== at) svg.append(this.lines(chart, k, "rest"));
    svg.append(this.lines(chart, at, "own"));
    this.place.replaceChildren(svg);
  }

  /** Band and mean of variant `k`, and its seeds if it is the chosen one ("own"). */
  lines(chart, k, name) {
    const group = drawn("g", { class: name }, drawn("title", { text: this.variants[k].name }));
    const curve = this.all[k];
    if (!curve) return group;
    const { steps, mean, low, high, seeds } = curve;
    if (this.variants[k].seeds > 1) group.append(chart.band(steps, low, high, { class: "band" }));
    if (name === "own")
      group.append(...seeds.map((seed) => chart.line(steps, seed, { class: "seed" })));
    group.append(chart.line(steps, mean, { class: "mean" }));
    return group;
  }

  /** The chart as text for screen readers. */
  text(at) {
    const { name } = this.variants[at];
    const curve = this.all[at];
    if (!curve) return `${this.title}: none of ${name}`;
    const { mean, steps } = curve;
    const [from, to] = [0, -1].map((k) => `${digits(mean.at(k))} at step ${steps.at(k)}`);
    return `${this.title} of ${name}: mean ${from}, ${to}`;
  }
}
