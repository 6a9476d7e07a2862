// The settings of a claim's stored runs: a list with scores, and controls.

import { scaleLinear, ticksOf } from "../shared/chart.js";
import { attribute, drawn, element, write } from "../shared/dom.js";
import { colour } from "../shared/palette.js";
import { digits } from "../shared/text.js";

const HIGH = 22,
  EDGE = 8; // pixels: height of a row's picture, horizontal margin
let lists = 0;

export class Scores {
  constructor(state, choose) {
    this.arms = state.arms;
    const own = state.arms.flatMap((arm) => [...arm.scores, ...(arm.interval ?? [])]);
    this.low = Math.min(...own);
    this.high = Math.max(...own);
    lists += 1;
    const group = `clwork-arms-${lists}-${Math.random().toString(36).slice(2, 8)}`;
    this.rows = state.arms.map((arm, at) => this.row(arm, at, group, choose));
    this.scale = element("div", { class: "strip", "aria-hidden": "true" });
    this.root = element(
      "fieldset",
      { class: "arms" },
      element("legend", { text: "setting" }),
      element(
        "div",
        { class: "heading" },
        element("span", { text: own.length ? state.score : "no scores are stored" }),
      ),
      ...this.rows.map((one) => one.row),
      element("div", { class: "arm scale" }, element("span"), this.scale, element("span")),
    );
  }

  row(arm, at, group, choose) {
    const box = element("input", {
      type: "radio",
      name: group,
      value: at,
      onchange: () => choose(at),
    });
    const strip = element("span", { class: "strip", "aria-hidden": "true" });
    const mean = arm.mean === null ? "–" : digits(arm.mean, 4);
    const told = element("span", { class: "mean-score", text: mean, title: arm.summary });
    const name = element("span", { class: "arm-name", text: arm.name, title: arm.name });
    const count = element("span", {
      class: "count",
      text: arm.seeds === 1 ? "1 seed" : `${arm.seeds} seeds`,
    });
    return {
      row: element(
        "label",
        { class: "arm" },
        element("span", { class: "who" }, box, name, count),
        strip,
        told,
      ),
      box,
      strip,
    };
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
    const x = scaleLinear([this.low, this.high], [EDGE, width - EDGE]);
    for (const [k, { strip }] of this.rows.entries()) {
      strip.replaceChildren(this.strip(k, width, x, dark));
    }
    const axis = drawn("svg", { width, height: 16 });
    for (const { value, label } of ticksOf(x, 4)) {
      const anchor = x(value) < 24 ? "start" : x(value) > width - 24 ? "end" : "middle";
      axis.append(
        drawn("text", { class: "tick", x: x(value), y: 12, "text-anchor": anchor, text: label }),
      );
    }
    this.scale.replaceChildren(axis);
  }

  strip(k, width, x, dark) {
    const arm = this.arms[k],
      picture = drawn("svg", { width, height: HIGH });
    const shade = k === this.at ? colour(k, dark) : "var(--was)";
    for (const { value } of ticksOf(x, 4))
      picture.append(drawn("line", { class: "rule", x1: x(value), x2: x(value), y1: 0, y2: HIGH }));
    if (arm.interval) {
      const [from, to] = arm.interval.map(x);
      picture.append(
        drawn("rect", {
          class: "interval",
          x: from,
          y: HIGH / 2 - 4,
          width: Math.max(1, to - from),
          height: 8,
          rx: 2,
          fill: shade,
        }),
      );
    }
    for (const score of arm.scores)
      picture.append(
        drawn("circle", { class: "score", cx: x(score), cy: HIGH / 2, r: 3.5, stroke: shade }),
      );
    if (arm.mean !== null)
      picture.append(
        drawn("line", {
          class: "middle",
          x1: x(arm.mean),
          x2: x(arm.mean),
          y1: 2,
          y2: HIGH - 2,
          stroke: shade,
        }),
      );
    return picture;
  }
}

export class Controls {
  /** `now()` returns the index of the chosen arm, `choose(at)` selects another arm. */
  constructor(state, now, choose) {
    Object.assign(this, { arms: state.arms, now, choose });
    this.knobs = state.knobs.map((knob, k) =>
      this.knob(knob, k, state.ordered.includes(knob.name)),
    );
    this.root = element("div", { class: "knobs" }, ...this.knobs.map((one) => one.row));
    this.root.hidden = !this.knobs.length;
  }

  knob(knob, k, ordered) {
    const words = knob.name.replaceAll("_", " ");
    const value = element("output", { class: "knob-value" });
    const about = {
      "aria-label": words,
      title: `Goes to a setting with this ${words}.`,
      "data-knob": knob.name,
    };
    const control = ordered
      ? element("input", {
          type: "range",
          min: 0,
          max: knob.values.length - 1,
          step: 1,
          ...about,
          oninput: () => this.turn(k, Number(control.value)),
        })
      : element(
          "select",
          { ...about, onchange: () => this.turn(k, Number(control.value)) },
          ...knob.values.map((one, i) => element("option", { value: i, text: one })),
        );
    const row = element(
      "label",
      { class: "knob" },
      element("span", { class: "knob-name", text: words }),
      control,
      ordered ? value : "",
    );
    return { row, control, value, values: knob.values };
  }

  turn(k, value) {
    const own = this.arms[this.now()].at;
    const alike = (arm) =>
      arm.at.filter((part, other) => other !== k && part === own[other]).length;
    const fits = this.arms
      .map((arm, at) => [at, alike(arm)])
      .filter(([at]) => this.arms[at].at[k] === value);
    this.choose(fits.reduce((best, one) => (one[1] > best[1] ? one : best))[0]);
  }

  show(at) {
    this.knobs.forEach(({ control, value, values }, k) => {
      const place = this.arms[at].at[k];
      control.value = String(place);
      write(value, values[place]);
      attribute(control, "aria-valuetext", values[place]);
    });
  }
}
