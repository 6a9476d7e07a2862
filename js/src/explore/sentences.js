// The cloud of sentences of one run of the chosen setting, at any probe.

import { floats, STEPS } from "../shared/bytes.js";
import { boundsOf, placement } from "../shared/cloud.js";
import { attribute, drawn, element, write } from "../shared/dom.js";
import { colour, outline } from "../shared/palette.js";

// pixels: height of the picture, radius of a dot, margin
const HIGH = 280;
const SIZE = 4.2;
const EDGE = 10;

/**
 * One picture with a slider over the probes; `variant` is an index, `probe` the number of a probe.
 */
export class Sentences {
  constructor(state) {
    this.variants = state.variants;
    this.texts = state.texts.map(({ texts, labels }) => {
      const names = labels ? [...new Set(labels.filter((one) => one !== null))].sort() : [];
      return {
        texts,
        names,
        groups: texts.map((_, i) => (labels ? names.indexOf(labels[i]) : -1)),
      };
    });
    this.at = state.variants.map((variant) =>
      variant.cloud ? floats(variant.cloud.at, 1 / STEPS) : null,
    );
    // the step that the reader chose
    this.step = null;
    this.title = element("figcaption");
    this.slider = element("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": "step of the sentences",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.where = element("output", { class: "knob-value" });
    this.row = element(
      "label",
      { class: "knob step" },
      element("span", { class: "knob-name", text: "step" }),
      this.slider,
      this.where,
    );
    this.place = element("div", { class: "picture" });
    this.names = element("ul", { class: "topics" });
    this.note = element("p", { class: "note" });
    this.root = element(
      "figure",
      { class: "sentences" },
      this.title,
      this.row,
      element("div", { class: "beside" }, this.place, this.names),
      this.note,
    );
  }

  /**
   * Prepare a variant: its probe of the same step as before, else its last one. `draw` draws it.
   */
  show(variant) {
    this.variant = variant;
    const { cloud, name } = this.variants[variant];
    for (const part of [this.row, this.place, this.names]) part.hidden = !cloud;
    if (!cloud) {
      write(this.title, "");
      write(this.note, `No positions of sentences are stored for ${name}.`);
      return;
    }
    this.probe = cloud.steps.includes(this.step)
      ? cloud.steps.indexOf(this.step)
      : cloud.steps.length - 1;
    this.row.hidden = cloud.steps.length < 2;
    this.slider.max = cloud.steps.length - 1;
  }

  /** The reader chose a probe. */
  go(probe) {
    this.probe = probe;
    this.step = this.variants[this.variant].cloud.steps[probe];
    this.move();
  }

  /** Create a dot for each sentence, and the legend of topics; `move` places the dots. */
  draw(dark) {
    const { cloud } = this.variants[this.variant];
    const width = this.place.clientWidth;
    if (!cloud || !width) return;
    const { texts, groups, names } = this.texts[cloud.texts];
    this.spot = placement(boundsOf(this.at[this.variant]), width, HIGH, { side: EDGE });
    this.dots = texts.map((text, i) =>
      drawn(
        "path",
        { d: outline(groups[i]), fill: colour(groups[i], dark) },
        drawn("title", { text }),
      ),
    );
    this.picture = drawn("svg", { width, height: HIGH, role: "img" }, ...this.dots);
    this.place.replaceChildren(this.picture);
    const sign = (group) =>
      drawn(
        "svg",
        { width: 12, height: 12, viewBox: "-7 -7 14 14", "aria-hidden": "true" },
        drawn("path", { d: outline(group), transform: "scale(5)", fill: colour(group, dark) }),
      );
    this.names.replaceChildren(
      ...names.map((name, group) => element("li", {}, sign(group), ` ${name}`)),
    );
    this.move();
  }

  /** Move the dots to the chosen probe, and write its step. */
  move() {
    const { cloud, name } = this.variants[this.variant];
    const { texts } = this.texts[cloud.texts];
    const step = cloud.steps[this.probe];
    const all = this.at[this.variant];
    const from = 2 * texts.length * this.probe;
    const title = `${name}, seed ${cloud.seed}, step ${step}`;
    this.slider.value = this.probe;
    write(this.where, String(step));
    attribute(this.slider, "aria-valuetext", `step ${step}`);
    write(this.title, title);
    write(
      this.note,
      `${texts.length} sentences of the run with seed ${cloud.seed} on the principal axes of its first probe; eight of these hold ${Math.round(100 * cloud.share[this.probe])}% of the variance at this step, two of them are drawn.`,
    );
    if (!this.picture) return;
    attribute(this.picture, "aria-label", `sentences of ${title}`);
    this.dots.forEach((dot, i) => {
      const [x, y] = this.spot(all[from + 2 * i], all[from + 2 * i + 1]);
      attribute(dot, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${SIZE})`);
    });
  }
}
