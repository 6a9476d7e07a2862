// Step, start again, and the sliders of the settings that act at once.

import { scaleLinear, scaleLog } from "d3-scale";
import { attribute, button, div, element, span, write } from "../shared/dom.js";
import { brief, counted, digits } from "../shared/text.js";

// positions of a slider from end to end
const POSITIONS = 100;

/** A slider from `low` to `high`, logarithmic if `log`. */
class Slider {
  constructor({ name, title, low, high, log }, act) {
    this.scale = (log ? scaleLog : scaleLinear)([low, high], [0, POSITIONS]);
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
      span("title", title),
      this.output,
      this.input,
    );
  }

  /** The value at the slider's position, with two digits. */
  value() {
    return Number(this.scale.invert(Number(this.input.value)).toPrecision(2));
  }

  label(value) {
    write(this.output, digits(value));
    attribute(this.input, "aria-valuetext", digits(value));
  }

  /** Show the kernel's value, unless the reader holds the slider. */
  show(value) {
    if (this.input.matches(":active")) return;
    this.input.value = String(Math.round(this.scale(value)));
    this.label(value);
  }
}

/** The row above the stages. */
export class Controls {
  constructor(title, act) {
    this.act = act;
    this.sliders = new Map();
    const acting = (text, about, name, more) =>
      button(null, text, () => act(name, more), { title: about });
    this.where = element("p", { class: "where", role: "status" });
    this.settings = div("settings");
    this.buttons = {
      step: acting("Step", "train one step on these sentences", "step", { count: 1 }),
      restart: acting("Start again", "go back to the untrained encoder", "restart"),
    };
    const ten = acting("10 steps", "train ten steps", "step", { count: 10 });
    this.root = div(
      "controls",
      div("now", element("h2", { text: title }), this.where),
      this.settings,
      div("buttons", this.buttons.step, ten, this.buttons.restart),
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
