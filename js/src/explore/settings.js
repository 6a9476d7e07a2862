// The settings of a claim's stored runs: a list with scores, and controls.

import { scaleLinear, ticksOf } from "../shared/chart.js";
import { attribute, drawn, element, write } from "../shared/dom.js";
import { colour } from "../shared/palette.js";
import { digits } from "../shared/text.js";

// pixels: height of a row's picture, horizontal margin
const HIGH = 22;
const EDGE = 8;
// lists made so far, which gives each its own name
let lists = 0;

/** A list of all variants, each with its scores on a common axis; a radio button chooses one. */
export class Scores {
  constructor(state, choose) {
    this.variants = state.variants;
    const own = state.variants.flatMap((variant) => [
      ...variant.scores,
      ...(variant.interval ?? []),
    ]);
    this.low = Math.min(...own);
    this.high = Math.max(...own);
    lists += 1;
    const group = `clwork-variants-${lists}-${Math.random().toString(36).slice(2, 8)}`;
    this.rows = state.variants.map((variant, at) => this.row(variant, at, group, choose));
    this.scale = element("div", { class: "strip", "aria-hidden": "true" });
    this.root = element(
      "fieldset",
      { class: "variants" },
      element("legend", { text: "setting" }),
      element(
        "div",
        { class: "heading" },
        element("span", { text: own.length ? state.score : "no scores are stored" }),
      ),
      ...this.rows.map((one) => one.row),
      element("div", { class: "variant scale" }, element("span"), this.scale, element("span")),
    );
  }

  /** The row of a variant; `group` is the common name of all radio buttons. */
  row(variant, at, group, choose) {
    const box = element("input", {
      type: "radio",
      name: group,
      value: at,
      onchange: () => choose(at),
    });
    const strip = element("span", { class: "strip", "aria-hidden": "true" });
    const mean = variant.mean === null ? "–" : digits(variant.mean, 4);
    const told = element("span", { class: "mean-score", text: mean, title: variant.summary });
    const name = element("span", {
      class: "variant-name",
      text: variant.name,
      title: variant.name,
    });
    const count = element("span", {
      class: "count",
      text: variant.seeds === 1 ? "1 seed" : `${variant.seeds} seeds`,
    });
    return {
      row: element(
        "label",
        { class: "variant" },
        element("span", { class: "who" }, box, name, count),
        strip,
        told,
      ),
      box,
      strip,
    };
  }

  /** Show which variant is chosen. */
  show(at) {
    this.at = at;
    this.rows.forEach(({ row, box }, k) => {
      box.checked = k === at;
      row.classList.toggle("chosen", k === at);
    });
  }

  /** Draw the pictures of all rows, and the axis below them. */
  draw(dark) {
    if (!(this.high >= this.low)) return;
    const width = this.scale.clientWidth;
    const x = scaleLinear([this.low, this.high], [EDGE, width - EDGE]);
    for (const [k, { strip }] of this.rows.entries()) {
      strip.replaceChildren(this.strip(k, width, x, dark));
    }
    const axis = drawn("svg", { width, height: 16 });
    for (const { value, label } of ticksOf(x, 4)) {
      // labels at the ends stay inside the picture
      let anchor = "middle";
      if (x(value) < 24) anchor = "start";
      else if (x(value) > width - 24) anchor = "end";
      axis.append(
        drawn("text", { class: "tick", x: x(value), y: 12, "text-anchor": anchor, text: label }),
      );
    }
    this.scale.replaceChildren(axis);
  }

  /** The picture of variant `k`: interval, a dot for each seed, and the mean. */
  strip(k, width, x, dark) {
    const variant = this.variants[k];
    const picture = drawn("svg", { width, height: HIGH });
    const shade = k === this.at ? colour(k, dark) : "var(--was)";
    for (const { value } of ticksOf(x, 4))
      picture.append(drawn("line", { class: "rule", x1: x(value), x2: x(value), y1: 0, y2: HIGH }));
    if (variant.interval) {
      const [from, to] = variant.interval.map(x);
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
    for (const score of variant.scores)
      picture.append(
        drawn("circle", { class: "score", cx: x(score), cy: HIGH / 2, r: 3.5, stroke: shade }),
      );
    if (variant.mean !== null)
      picture.append(
        drawn("line", {
          class: "middle",
          x1: x(variant.mean),
          x2: x(variant.mean),
          y1: 2,
          y2: HIGH - 2,
          stroke: shade,
        }),
      );
    return picture;
  }
}

/**
 * A menu or slider for each hyperparameter. `variant.at[k]` is the index of a variant's value in
 * control `k`.
 */
export class Controls {
  /** `now()` returns the index of the chosen variant, `choose(at)` selects another variant. */
  constructor(state, now, choose) {
    Object.assign(this, { variants: state.variants, now, choose });
    this.knobs = state.knobs.map((knob, k) =>
      this.knob(knob, k, state.ordered.includes(knob.name)),
    );
    this.root = element("div", { class: "knobs" }, ...this.knobs.map((one) => one.row));
    this.root.hidden = !this.knobs.length;
  }

  /** The control of hyperparameter `k`: a slider if its values are `ordered`, else a menu. */
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

  /**
   * Choose a variant with another value of control `k`: the one that shares most of the other
   * values with the present variant.
   */
  turn(k, value) {
    const present = this.variants[this.now()].at;
    const countAlike = (variant) =>
      variant.at.filter((index, other) => other !== k && index === present[other]).length;
    // [index of the variant, number of values that it shares]
    const fits = this.variants
      .map((variant, at) => [at, countAlike(variant)])
      .filter(([at]) => this.variants[at].at[k] === value);
    const [best] = fits.reduce((most, next) => (next[1] > most[1] ? next : most));
    this.choose(best);
  }

  /** Show which variant is chosen. */
  show(at) {
    this.knobs.forEach(({ control, value, values }, k) => {
      const place = this.variants[at].at[k];
      control.value = String(place);
      write(value, values[place]);
      attribute(control, "aria-valuetext", values[place]);
    });
  }
}
