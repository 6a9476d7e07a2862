// The settings as a list to choose from, each with its final scores: a dot a seed, a bar for the interval of their mean.

import { marks } from "../shared/axes.js";
import { digits } from "../shared/digits.js";
import { drawn, element } from "../shared/dom.js";
import { colour } from "../shared/palette.js";

const HIGH = 22, EDGE = 8; // pixels of a row's picture, and of its ends
let lists = 0;

export class Scores {
  constructor(state, choose) {
    this.arms = state.arms;
    const own = state.arms.flatMap((arm) => [...arm.scores, ...(arm.interval ?? [])]);
    this.low = Math.min(...own);
    this.high = Math.max(...own);
    const group = `clwork-arms-${(lists += 1)}-${Math.random().toString(36).slice(2, 8)}`;
    this.rows = state.arms.map((arm, at) => this.row(arm, at, group, choose));
    this.scale = element("div", { class: "strip", "aria-hidden": "true" });
    this.root = element(
      "fieldset",
      { class: "arms" },
      element("legend", { text: "setting" }),
      element("div", { class: "heading" }, element("span", { text: own.length ? state.score : "no scores are stored" })),
      ...this.rows.map((one) => one.row),
      element("div", { class: "arm scale" }, element("span"), this.scale, element("span")),
    );
  }

  row(arm, at, group, choose) {
    const box = element("input", { type: "radio", name: group, value: at, onchange: () => choose(at) });
    const strip = element("span", { class: "strip", "aria-hidden": "true" });
    const mean = arm.mean === null ? "–" : digits(arm.mean, 4);
    const told = element("span", { class: "mean-score", text: mean, title: arm.says });
    const name = element("span", { class: "arm-name", text: arm.name, title: arm.name });
    const count = element("span", { class: "count", text: arm.seeds === 1 ? "1 seed" : `${arm.seeds} seeds` });
    return { row: element("label", { class: "arm" }, element("span", { class: "who" }, box, name, count), strip, told), box, strip };
  }

  show(at) {
    this.at = at;
    this.rows.forEach(({ row, box }, k) => {
      box.checked = k === at;
      row.classList.toggle("chosen", k === at);
    });
  }

  draw(dark) {
    if (!(this.high >= this.low)) return;
    const width = this.scale.clientWidth;
    const span = this.high - this.low || 1;
    const x = (value) => EDGE + ((value - this.low) / span) * (width - 2 * EDGE);
    this.rows.forEach(({ strip }, k) => strip.replaceChildren(this.strip(k, width, x, dark)));
    const axis = drawn("svg", { width, height: 16 });
    for (const { value, words } of marks(this.low, this.high, 4)) {
      const anchor = x(value) < 24 ? "start" : x(value) > width - 24 ? "end" : "middle";
      axis.append(drawn("text", { class: "tick", x: x(value), y: 12, "text-anchor": anchor, text: words }));
    }
    this.scale.replaceChildren(axis);
  }

  strip(k, width, x, dark) {
    const arm = this.arms[k], picture = drawn("svg", { width, height: HIGH });
    const shade = k === this.at ? colour(k, dark) : "var(--was)";
    for (const { value } of marks(this.low, this.high, 4)) picture.append(drawn("line", { class: "rule", x1: x(value), x2: x(value), y1: 0, y2: HIGH }));
    if (arm.interval) {
      const [from, to] = arm.interval.map(x);
      picture.append(drawn("rect", { class: "interval", x: from, y: HIGH / 2 - 4, width: Math.max(1, to - from), height: 8, rx: 2, fill: shade }));
    }
    for (const score of arm.scores) picture.append(drawn("circle", { class: "score", cx: x(score), cy: HIGH / 2, r: 3.5, stroke: shade }));
    if (arm.mean !== null) picture.append(drawn("line", { class: "middle", x1: x(arm.mean), x2: x(arm.mean), y1: 2, y2: HIGH - 2, stroke: shade }));
    return picture;
  }
}
