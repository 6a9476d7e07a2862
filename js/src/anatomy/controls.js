// Step, start again, and the sliders of the settings that act at once.

import { attribute, element, write } from "../shared/dom.js";
import { brief, counted, digits } from "../shared/text.js";

// positions of a slider from end to end
const POSITIONS = 100;

/** A slider from `low` to `high`, logarithmic if `log`. */
class Slider {
  constructor({ name, title, low, high, log }, act) {
    Object.assign(this, { low, high, log });
    this.input = element("input", {
      type: "range",
      min: 0,
      max: POSITIONS,
      step: 1,
      "aria-label": title,
      oninput: () => {
        this.label(this.value());
        act("set", { setting: name, value: this.value() });
      },
    });
    this.output = element("output", { class: "value" });
    this.root = element(
      "label",
      { class: "slider" },
      element("span", { class: "title", text: title }),
      this.output,
      this.input,
    );
  }

  /** The value at the slider's position, with two digits. */
  value() {
    const share = Number(this.input.value) / POSITIONS;
    const value = this.log
      ? this.low * (this.high / this.low) ** share
      : this.low + share * (this.high - this.low);
    return Number(value.toPrecision(2));
  }

  label(value) {
    write(this.output, digits(value));
    attribute(this.input, "aria-valuetext", digits(value));
  }

  /** Show the kernel's value, unless the reader holds the slider. */
  show(value) {
    if (this.input.matches(":active")) return;
    const share = this.log
      ? Math.log(value / this.low) / Math.log(this.high / this.low)
      : (value - this.low) / (this.high - this.low);
    this.input.value = String(Math.round(POSITIONS * share));
    this.label(value);
  }
}

/** The row above the stages. */
export class Controls {
  constructor(title, act) {
    this.act = act;
    this.sliders = new Map();
    const button = (text, about, name, more) =>
      element("button", { type: "button", text, title: about, onclick: () => act(name, more) });
    this.where = element("p", { class: "where", role: "status" });
    this.settings = element("div", { class: "settings" });
    this.buttons = {
      step: button("Step", "train one step on these sentences", "step", { count: 1 }),
      restart: button("Start again", "go back to the untrained encoder", "restart"),
    };
    this.root = element(
      "div",
      { class: "controls" },
      element("div", { class: "now" }, element("h2", { text: title }), this.where),
      this.settings,
      element(
        "div",
        { class: "buttons" },
        this.buttons.step,
        button("10 steps", "train ten steps", "step", { count: 10 }),
        this.buttons.restart,
      ),
    );
  }

  show({ step, loss, settings }) {
    const when = step ? `after ${counted(step, "step")}` : "untrained";
    write(this.where, `${when}: loss ${brief(loss, 4)}`);
    for (const setting of settings) {
      if (!this.sliders.has(setting.name)) {
        const slider = new Slider(setting, this.act);
        this.sliders.set(setting.name, slider);
        this.settings.append(slider.root);
      }
      this.sliders.get(setting.name).show(setting.value);
    }
  }
}
