// Stored runs of a claim, selected by sliders; see clwork/lab/explore_view.py.

import { attribute, element, onResize, write } from "../shared/dom.js";
import { mount } from "../shared/mount.js";
import { Curves } from "./curves.js";
import { Sentences } from "./sentences.js";
import { Controls, Scores } from "./settings.js";
import css from "./style.css";

/** The whole page; `at` is the index of the chosen variant. */
class Explorer {
  constructor(state) {
    this.state = state;
    this.at = state.start;
    this.dark = false;
    const choose = (at) => this.choose(at);
    this.scores = new Scores(state, choose);
    this.knobs = new Controls(state, () => this.at, choose);
    this.curves = state.columns
      .filter(({ name }) => state.variants.some((variant) => variant.curves[name]))
      .map((column) => new Curves(column, state.variants));
    this.sentences = state.variants.some((variant) => variant.cloud) ? new Sentences(state) : null;
    this.says = element("p", { class: "says", role: "status" });
    this.charts = element("div", { class: "charts" }, ...this.curves.map((one) => one.root));
    this.root = element(
      "section",
      {
        class: "clwork-look clwork-explore",
        "data-fits": true,
        "aria-label": `stored runs of ${state.name}`,
      },
      element(
        "p",
        { class: "claim" },
        element("strong", { text: state.claim }),
        ` Verdict on ${state.name}: ${state.verdict}`,
      ),
      this.scores.root,
      this.knobs.root,
      this.says,
    );
    if (this.curves.length)
      this.root.append(this.charts, element("p", { class: "note", text: this.note() }));
    if (this.sentences) this.root.append(this.sentences.root);
    onResize(this.root, () => this.draw());
    this.choose(this.at);
  }

  /** How to read the charts. */
  note() {
    const others =
      this.state.variants.length > 1 ? "; grey: mean and band of the other settings" : "";
    return `Thick: mean of all seeds; thin: each seed; ${this.state.band}${others}.`;
  }

  /** Show another variant in all parts. */
  choose(at) {
    this.at = at;
    const variant = this.state.variants[at];
    attribute(this.root, "data-variant", variant.name);
    write(this.says, variant.summary);
    this.scores.show(at);
    this.knobs.show(at);
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
    this.scores.draw(this.dark);
    for (const one of this.curves) one.draw(this.at, this.dark);
    this.sentences?.draw(this.dark);
  }
}

const PARTS = [
  "name",
  "claim",
  "verdict",
  "columns",
  "score",
  "band",
  "variants",
  "knobs",
  "ordered",
  "texts",
  "start",
];

/** Called by anywidget, or by the page of standalone.py. */
const render = ({ model, el }) =>
  mount(el, css, new Explorer(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));

export default { render };
