// The cloud of sentences of one run of the chosen setting, at any probe.

import { floats, STEPS } from "../shared/bytes.js";
import { boundsOf, placement } from "../shared/cloud.js";
import { attribute, drawn, element, partsOf, write } from "../shared/dom.js";
import { colour, marker, outline } from "../shared/palette.js";

const PAGE = `
<figure class="sentences">
  <figcaption data-part="title"></figcaption>
  <label class="knob" data-part="row">
    step
    <input type="range" min="0" aria-label="step of the sentences" data-part="slider" />
    <output class="knob-value" data-part="step"></output>
  </label>
  <div class="beside" data-part="beside">
    <div class="picture" data-part="place"></div>
    <ul data-part="topics"></ul>
  </div>
  <p class="note" data-part="note"></p>
</figure>`;
// pixels: height of the picture, radius of a dot, margin
const HIGH = 280;
const SIZE = 4.2;
const EDGE = 10;

/** One picture with a slider over the probes; `probe` is the number of a probe. */
export class Sentences {
  constructor({ variants, texts }) {
    this.variants = variants;
    this.texts = texts.map(({ texts, labels }) => {
      const names = [...new Set(labels?.filter((label) => label !== null))].sort();
      return { texts, names, groups: texts.map((_, i) => names.indexOf(labels?.[i])) };
    });
    // the step that the reader chose
    this.step = null;
    this.parts = partsOf(PAGE);
    this.root = this.parts.root;
    const { slider } = this.parts;
    slider.addEventListener("input", () => {
      this.probe = Number(slider.value);
      this.step = this.variant.cloud.steps[this.probe];
      this.move();
    });
  }

  /** Prepare a variant: its probe of the same step as before, else its last one. `draw` draws it. */
  show(at) {
    this.variant = this.variants[at];
    const { cloud, name } = this.variant;
    const { row, beside, title, note, slider } = this.parts;
    row.hidden = !cloud || cloud.steps.length < 2;
    beside.hidden = !cloud;
    write(title, "");
    write(note, `No positions of sentences are stored for ${name}.`);
    if (!cloud) return;
    this.at = floats(cloud.at, 1 / STEPS);
    const last = cloud.steps.length - 1;
    this.probe = cloud.steps.includes(this.step) ? cloud.steps.indexOf(this.step) : last;
    slider.max = last;
  }

  /** Create a dot for each sentence, and the legend of topics; `move` places the dots. */
  draw(dark) {
    const { cloud } = this.variant;
    const { place, topics } = this.parts;
    const width = place.clientWidth;
    if (!cloud || !width) return;
    const { texts, groups, names } = this.texts[cloud.texts];
    this.spot = placement(boundsOf(this.at), width, HIGH, { side: EDGE });
    this.dots = texts.map((text, i) => {
      const shape = { d: outline(groups[i]), fill: colour(groups[i], dark) };
      return drawn("path", shape, drawn("title", { text }));
    });
    this.picture = drawn("svg", { width, height: HIGH, role: "img" }, ...this.dots);
    place.replaceChildren(this.picture);
    topics.replaceChildren(
      ...names.map((name, k) => element("li", {}, marker(k, colour(k, dark)), ` ${name}`)),
    );
    this.move();
  }

  /** Move the dots to the chosen probe, and write its step. */
  move() {
    const { cloud, name } = this.variant;
    const count = this.texts[cloud.texts].texts.length;
    const step = cloud.steps[this.probe];
    const title = `${name}, seed ${cloud.seed}, step ${step}`;
    const share = Math.round(100 * cloud.share[this.probe]);
    this.parts.slider.value = this.probe;
    write(this.parts.step, String(step));
    attribute(this.parts.slider, "aria-valuetext", `step ${step}`);
    write(this.parts.title, title);
    write(
      this.parts.note,
      `${count} sentences of the run with seed ${cloud.seed} on the principal axes of its first probe; eight of these hold ${share}% of the variance at this step, two of them are drawn.`,
    );
    attribute(this.picture, "aria-label", `sentences of ${title}`);
    const first = 2 * count * this.probe;
    this.dots.forEach((dot, i) => {
      const [x, y] = this.spot(this.at[first + 2 * i], this.at[first + 2 * i + 1]);
      attribute(dot, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${SIZE})`);
    });
  }
}
