// Stored runs of a claim, selected by sliders; see clwork/lab/explore_view.py.

import { followAddress, linkTo } from "../shared/address.js";
import { attribute, element, onResize, partsOf, write } from "../shared/dom.js";
import { mount } from "../shared/mount.js";
import { colour } from "../shared/palette.js";
import { Curves } from "./curves.js";
import { Sentences } from "./sentences.js";
import { Controls, Scores } from "./settings.js";
import css from "./style.css";

const PAGE = `
<section class="clwork-look clwork-explore" data-fits>
  <p><strong data-part="claim"></strong> <span data-part="verdict"></span></p>
  <fieldset class="variants" data-part="variants"><legend class="unseen">setting</legend></fieldset>
  <div class="knobs" data-part="knobs"></div>
  <p class="says" role="status" data-part="says"></p>
  <div class="charts" data-part="charts"></div>
</section>`;

/** The whole page; `at` is the index of the chosen variant. */
class Explorer {
  constructor(state) {
    const { variants, columns } = state;
    this.state = state;
    this.parts = partsOf(PAGE);
    this.root = this.parts.root;
    this.root.setAttribute("aria-label", `stored runs of ${state.name}`);
    write(this.parts.claim, state.claim);
    write(this.parts.verdict, `Found on ${state.name}: ${state.verdict}`);
    const choose = (at) => this.choose(at);
    this.scores = new Scores(this.parts.variants, state, choose);
    this.controls = new Controls(this.parts.knobs, state, choose);
    this.curves = columns
      .filter(({ name }) => variants.some((variant) => variant.curves[name]))
      .map((column) => new Curves(column, variants));
    this.parts.charts.append(...this.curves.map((curve) => curve.root));
    if (this.curves.length) {
      const grey = variants.length > 1 ? "; grey: mean and band of the other settings" : "";
      const note = `Thick: mean of all seeds; thin: each seed; ${state.band}${grey}.`;
      this.root.append(element("p", { class: "note", text: note }));
    }
    if (variants.some((variant) => variant.cloud)) {
      this.sentences = new Sentences(state);
      this.root.append(this.sentences.root);
    }
    onResize(this.root, () => this.draw());
    this.choose(state.start);
    followAddress(this.root, state.name, (name) => {
      const at = variants.findIndex((variant) => variant.name === name);
      if (at >= 0) this.choose(at);
    });
  }

  /** The address of the chosen variant. */
  link() {
    return linkTo(this.state.name, this.state.variants[this.at].name);
  }

  /** Show another variant in all parts. */
  choose(at) {
    this.at = at;
    const variant = this.state.variants[at];
    attribute(this.root, "data-variant", variant.name);
    write(this.parts.says, variant.summary);
    this.scores.show(at);
    this.controls.show(at);
    this.sentences?.show(at);
    this.draw();
  }

  /** Apply a theme. */
  paint(dark) {
    this.dark = dark;
    this.draw();
  }

  /** Draw all parts whose size depends on the page. */
  draw() {
    if (!this.root.clientWidth) return;
    // the colour of the chosen variant
    this.root.style.setProperty("--shade", colour(this.at, this.dark));
    this.scores.draw();
    for (const curve of this.curves) curve.draw(this.at);
    this.sentences?.draw(this.dark);
  }
}

const PARTS = "name claim verdict columns score band variants knobs ordered texts start".split(" ");

/** Called by anywidget, or by the page of standalone.py. */
const render = ({ model, el }) =>
  mount(el, css, new Explorer(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));

export default { render };
