// One column through time: the chosen setting's seeds, mean and band in colour, means and bands of the others in grey.

import { marks } from "../shared/axes.js";
import { digits } from "../shared/digits.js";
import { drawn, element, tell } from "../shared/dom.js";
import { colour } from "../shared/palette.js";

const HIGH = 150; // pixels of the curves, without their margins
const LEFT = 46, RIGHT = 10, TOP = 8, BELOW = 24;
let clips = 0;

const SPIKES = 0.015; // share of the other settings' values, at each end, that may lie past the edge

/** Lowest and highest: of the chosen setting's seeds, and of nearly all means of the others. Bands may go past the edge. */
function range(chosen, others) {
  const pooled = others.flatMap((curve) => curve.mean).sort((a, b) => a - b);
  const most = pooled.slice(Math.floor(SPIKES * pooled.length), Math.ceil((1 - SPIKES) * pooled.length));
  const all = [...most, ...(chosen ? [chosen.mean, ...chosen.seeds].flat() : [])];
  const low = Math.min(...all), high = Math.max(...all);
  const air = 0.06 * (high - low || 1);
  return [low - air, high + air];
}

export class Curves {
  constructor(column, arms) {
    this.column = column;
    this.arms = arms;
    this.all = arms.map((arm) => arm.curves[column.name]);
    this.last = Math.max(1, ...this.all.filter(Boolean).map((curve) => curve.steps.at(-1)));
    this.clip = `clwork-explore-${(clips += 1)}`;
    this.place = element("div", { class: "picture" });
    this.root = element("figure", { class: "chart", "data-column": column.name }, element("figcaption", { text: column.title }), this.place);
  }

  draw(at, dark) {
    const width = this.place.clientWidth;
    if (!width) return;
    [this.low, this.high] = range(this.all[at], this.all.filter((curve, k) => curve && k !== at));
    const x = (step) => LEFT + (step / this.last) * (width - LEFT - RIGHT);
    const y = (value) => TOP + ((this.high - value) / (this.high - this.low)) * HIGH;
    const picture = drawn("svg", { width, height: TOP + HIGH + BELOW, role: "img" });
    tell(picture, "aria-label", this.told(at));
    const frame = drawn("rect", { x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: HIGH });
    picture.append(drawn("clipPath", { id: this.clip }, frame));
    this.axes(picture, width, x, y);
    const inside = drawn("g", { "clip-path": `url(#${this.clip})` });
    this.arms.forEach((arm, k) => k !== at && this.all[k] && inside.append(...this.grey(arm, x, y)));
    if (this.all[at]) inside.append(...this.bright(this.arms[at], colour(at, dark), x, y));
    picture.append(inside);
    this.place.replaceChildren(picture);
  }

  axes(picture, width, x, y) {
    for (const { value, words } of marks(this.low, this.high, 4)) {
      picture.append(drawn("line", { class: "rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
      picture.append(drawn("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", text: words }));
    }
    const level = TOP + HIGH + 17;
    for (const [step, anchor] of [[0, "start"], [this.last, "end"]]) {
      picture.append(drawn("text", { class: "tick", x: x(step), y: level, "text-anchor": anchor, text: String(step) }));
    }
    picture.append(drawn("text", { class: "tick", x: (x(0) + x(this.last)) / 2, y: level, "text-anchor": "middle", text: "step" }));
  }

  line(steps, values, x, y) {
    return steps.map((step, i) => `${x(step).toFixed(1)},${y(values[i]).toFixed(1)}`).join(" ");
  }

  band(curve, x, y) {
    const { steps, low, high } = curve;
    return `${this.line(steps, high, x, y)} ${this.line([...steps].reverse(), [...low].reverse(), x, y)}`;
  }

  grey(arm, x, y) {
    const curve = arm.curves[this.column.name];
    const title = () => drawn("title", { text: arm.name });
    const made = [drawn("polyline", { class: "was", points: this.line(curve.steps, curve.mean, x, y) }, title())];
    if (arm.seeds > 1) made.unshift(drawn("polygon", { class: "rest", points: this.band(curve, x, y) }, title()));
    return made;
  }

  bright(arm, shade, x, y) {
    const curve = arm.curves[this.column.name];
    const made = curve.seeds.map((seed) => drawn("polyline", { class: "seed", stroke: shade, points: this.line(curve.steps, seed, x, y) }));
    if (arm.seeds > 1) made.unshift(drawn("polygon", { class: "band", fill: shade, points: this.band(curve, x, y) }));
    return [...made, drawn("polyline", { class: "mean", stroke: shade, points: this.line(curve.steps, curve.mean, x, y) })];
  }

  told(at) {
    const arm = this.arms[at], curve = arm.curves[this.column.name];
    if (!curve) return `${this.column.title}: none of ${arm.name}`;
    return `${this.column.title} of ${arm.name}: mean ${digits(curve.mean[0])} at step ${curve.steps[0]}, ${digits(curve.mean.at(-1))} at step ${curve.steps.at(-1)}`;
  }
}
