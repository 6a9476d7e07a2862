// The settings of a claim's stored runs: a list with scores, and controls.

import { Chart, ticksOf } from "../shared/chart.js";
import { attribute, drawn, element, write } from "../shared/dom.js";
import { digits } from "../shared/text.js";

// pixels: height of a row's picture and of the axis, and their margins
const HIGH = 22;
const AXIS = 16;
const MARGIN = { left: 8, right: 8, top: 2, bottom: 2 };
// lists made so far, which gives each its own name
let lists = 0;

/** A list of all variants, each with its scores on a common axis; a radio button chooses one. */
export class Scores {
  constructor(root, { variants, score }, choose) {
    this.variants = variants;
    const all = variants.flatMap(({ scores, interval }) => [...scores, ...(interval ?? [])]);
    this.range = [Math.min(...all), Math.max(...all)];
    lists += 1;
    this.rows = variants.map((variant, at) => this.row(variant, () => choose(at)));
    this.axis = element("span", { class: "strip", "aria-hidden": "true" });
    const heading = all.length ? score : "no scores are stored";
    root.append(
      element("div", { class: "heading note", text: heading }),
      ...this.rows.map(({ row }) => row),
      element("div", { class: "variant scale" }, element("span"), this.axis, element("span")),
    );
  }

  /** The row of a variant. */
  row({ name, seeds, mean, summary }, onchange) {
    const box = element("input", { type: "radio", name: `clwork-variants-${lists}`, onchange });
    const strip = element("span", { class: "strip", "aria-hidden": "true" });
    const about = element("span", { class: "variant-name", text: name, title: name });
    const count = element("span", {
      class: "note",
      text: seeds === 1 ? "1 seed" : `${seeds} seeds`,
    });
    const score = mean === null ? "–" : digits(mean, 4);
    const row = element(
      "label",
      { class: "variant", title: summary },
      element("span", { class: "who" }, box, about, count),
      strip,
      element("b", { text: score }),
    );
    return { row, box, strip };
  }

  /** Show which variant is chosen. */
  show(at) {
    this.rows.forEach(({ row, box }, k) => {
      box.checked = k === at;
      row.classList.toggle("chosen", k === at);
    });
  }

  /** Draw the pictures of all rows, and the axis below them. */
  draw() {
    const [low, high] = this.range;
    if (!(high >= low)) return;
    const width = this.axis.clientWidth;
    const chart = new Chart(width, HIGH, MARGIN, this.range, [0, 1]);
    const ticks = ticksOf(chart.x, 4);
    this.rows.forEach(({ strip }, k) => {
      const rules = ticks.map(({ value }) => chart.vertical(value, "rule"));
      const parts = [...rules, ...this.picture(this.variants[k], chart)];
      strip.replaceChildren(drawn("svg", { width, height: HIGH }, ...parts));
    });
    const labels = ticks.map(({ value, label }) => {
      // labels at the ends stay inside the picture
      let anchor = "middle";
      if (chart.x(value) < 24) anchor = "start";
      else if (chart.x(value) > width - 24) anchor = "end";
      return chart.label(chart.x(value), 12, anchor, label);
    });
    this.axis.replaceChildren(drawn("svg", { width, height: AXIS }, ...labels));
  }

  /** A variant's interval, a dot for each seed, and the mean. */
  picture({ interval, scores, mean }, chart) {
    const parts = [];
    if (interval) {
      const [x, to] = interval.map((end) => chart.x(end));
      const size = { y: HIGH / 2 - 4, height: 8, x, width: Math.max(1, to - x) };
      parts.push(drawn("rect", { class: "interval", rx: 2, ...size }));
    }
    for (const score of scores)
      parts.push(drawn("circle", { class: "score", cx: chart.x(score), cy: HIGH / 2, r: 3.5 }));
    if (mean !== null) parts.push(chart.vertical(mean, "middle"));
    return parts;
  }
}

/**
 * A menu or slider for each hyperparameter. `variant.at[k]` is the index of a variant's value in
 * control `k`.
 */
export class Controls {
  constructor(root, { variants, knobs, ordered }, choose) {
    Object.assign(this, { variants, choose });
    this.knobs = knobs.map((knob, k) => this.knob(knob, k, ordered.includes(knob.name)));
    root.append(...this.knobs.map(({ row }) => row));
    root.hidden = !knobs.length;
  }

  /** The control of hyperparameter `k`: a slider if its values are `ordered`, else a menu. */
  knob({ name, values }, k, ordered) {
    const words = name.replaceAll("_", " ");
    const value = element("output", { class: "knob-value", hidden: !ordered });
    const about = { "aria-label": words, title: `Goes to a setting with this ${words}.` };
    const control = ordered
      ? element("input", { type: "range", min: 0, max: values.length - 1, ...about })
      : element("select", about, ...values.map((text, i) => element("option", { value: i, text })));
    control.addEventListener("input", () => this.turn(k, Number(control.value)));
    const row = element("label", { class: "knob" }, words, control, value);
    return { row, control, value, values };
  }

  /**
   * Choose a variant with another value of control `k`: the one that shares most of the other
   * values with the present variant.
   */
  turn(k, value) {
    const present = this.variants[this.at].at;
    const countAlike = (at) =>
      this.variants[at].at.filter((index, other) => other !== k && index === present[other]).length;
    const [best] = [...this.variants.keys()]
      .filter((at) => this.variants[at].at[k] === value)
      .sort((one, other) => countAlike(other) - countAlike(one));
    this.choose(best);
  }

  /** Show which variant is chosen. */
  show(at) {
    this.at = at;
    this.knobs.forEach(({ control, value, values }, k) => {
      const place = this.variants[at].at[k];
      control.value = String(place);
      write(value, values[place]);
      attribute(control, "aria-valuetext", values[place]);
    });
  }
}
