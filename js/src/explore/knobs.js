// A control for each part of a setting in which the arms differ; turned, it goes to the nearest setting that was run.

import { element, tell, write } from "../shared/dom.js";

export class Knobs {
  /** `now()` is the place of the chosen arm, `choose(at)` takes another. */
  constructor(state, now, choose) {
    Object.assign(this, { arms: state.arms, now, choose });
    this.knobs = state.knobs.map((knob, k) => this.knob(knob, k, state.ordered.includes(knob.name)));
    this.root = element("div", { class: "knobs" }, ...this.knobs.map((one) => one.row));
    this.root.hidden = !this.knobs.length;
  }

  knob(knob, k, ordered) {
    const words = knob.name.replaceAll("_", " ");
    const value = element("output", { class: "knob-value" });
    const about = { "aria-label": words, title: `Goes to a setting with this ${words}.`, "data-knob": knob.name };
    const control = ordered
      ? element("input", { type: "range", min: 0, max: knob.values.length - 1, step: 1, ...about, oninput: () => this.turn(k, Number(control.value)) })
      : element("select", { ...about, onchange: () => this.turn(k, Number(control.value)) }, ...knob.values.map((one, i) => element("option", { value: i, text: one })));
    const row = element("label", { class: "knob" }, element("span", { class: "knob-name", text: words }), control, ordered ? value : "");
    return { row, control, value, values: knob.values };
  }

  /** The setting with this value that shares most of the other parts with the chosen one. */
  turn(k, value) {
    const own = this.arms[this.now()].at;
    const alike = (arm) => arm.at.filter((part, other) => other !== k && part === own[other]).length;
    const fits = this.arms.map((arm, at) => [at, alike(arm)]).filter(([at]) => this.arms[at].at[k] === value);
    this.choose(fits.reduce((best, one) => (one[1] > best[1] ? one : best))[0]);
  }

  show(at) {
    this.knobs.forEach(({ control, value, values }, k) => {
      const place = this.arms[at].at[k];
      control.value = String(place);
      write(value, values[place]);
      tell(control, "aria-valuetext", values[place]);
    });
  }
}
