// The method's objective with the current values of its hyperparameters; each value can be dragged.
// While a sentence is chosen, the objective of this sentence with its numbers.

import { attribute, consume, element, onResize, write } from "../shared/dom.js";
import { loadMathFont, math } from "../shared/mathml.js";
import { steps } from "../shared/text.js";
import { markStep } from "./reading.js";

// font sizes in pixels
const [LARGE, SMALL] = [22, 11];
const MATH = "http://www.w3.org/1998/Math/MathML";

/** The formula of the method, with the numbers of its settings. */
export class Formula {
  /** `method`: from `about`; `fields`: by name; `hooks`: light(name or null), control(name). */
  constructor(method, fields, hooks) {
    Object.assign(this, { fields, hooks, lit: null });
    this.methodMath = math(method.formula);
    this.math = this.methodMath;
    this.when = element("span", { class: "at-step" });
    this.root = element("div", { class: "clwork-formula" }, this.math ?? "", this.when);
    // by field: the elements that show its value
    this.marks = new Map();
    for (const node of this.methodMath?.querySelectorAll("[data-field]") ?? []) this.mark(node);
    onResize(this.root, () => this.fit());
    loadMathFont().then(() => this.fit());
  }

  /** Make the symbol of a setting in the formula show its value, and let the reader drag it. */
  mark(place) {
    const name = place.getAttribute("data-field");
    const node = ["mi", "mn"].includes(place.localName)
      ? place
      : document.createElementNS(MATH, "mn");
    if (node !== place) place.replaceChildren(node);
    if (place.previousElementSibling?.hasAttribute("data-field"))
      place.before(Object.assign(document.createElementNS(MATH, "mo"), { textContent: "·" }));
    const first = !this.marks.has(name);
    this.marks.set(name, [...(this.marks.get(name) ?? []), node]);
    node.setAttribute("data-field", name);
    node.setAttribute("mathvariant", "normal");
    const { light, control } = this.hooks;
    for (const [type, lit] of [
      ["mouseenter", name],
      ["mouseleave", null],
      ["focus", name],
      ["blur", null],
    ])
      node.addEventListener(type, () => light(lit));
    const knob = control(name);
    if (first) {
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", knob.field.slider ? "spinbutton" : "button");
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && !/^[0-9.]$/.test(event.key)) return;
        // a digit begins a new number
        knob.input.focus();
        knob.input.select?.();
        if (event.key === "Enter") consume(event);
      });
    }
    if (knob.field.slider) knob.drag(node);
    else node.addEventListener("click", () => knob.input.focus());
  }

  /** Set the largest font size that fits; if SMALL does not fit either, the formula scrolls. */
  fit() {
    const { math: formula, root } = this;
    const [width, height] = [root.clientWidth - 16, root.clientHeight - 8];
    if (!formula || width < 20) return;
    let size = LARGE;
    for (let round = 0; round < 4; round++) {
      // several rounds: with hinted glyphs, widths change in jumps
      formula.style.fontSize = `${size}px`;
      const box = formula.getBoundingClientRect();
      const fits = Math.min(width / Math.max(1, box.width), height / Math.max(1, box.height));
      if (fits >= 1 || size <= SMALL) break;
      size = Math.max(SMALL, Math.floor(size * fits * 10) / 10);
    }
  }

  /**
   * Show the objective of one sentence, MathML with its numbers; without text, the method's
   * objective.
   */
  fill(text) {
    if (text === this.filled) return;
    this.filled = text;
    this.math = math(text) ?? this.methodMath;
    attribute(this.root, "data-numbers", String(this.math !== this.methodMath));
    this.root.replaceChildren(this.math ?? "", this.when);
    this.fit();
  }

  /** `step`: of a sentence's numbers, or null; `shown`: of the picture. */
  markNumbers(step, shown, dim) {
    markStep(this.root, step, dim);
    write(this.when, step === null || step === shown ? "" : `step ${steps(step)}`);
  }

  /** Highlight the numbers of a setting; null: none. */
  light(name) {
    if (name === this.lit) return;
    for (const node of this.marks.get(this.lit) ?? []) node.removeAttribute("data-lit");
    for (const node of this.marks.get(name) ?? []) node.setAttribute("data-lit", "");
    this.lit = name;
  }

  /** Write the current values into the formula. */
  refresh() {
    for (const [name, nodes] of this.marks) {
      const { value } = this.hooks.control(name);
      attribute(nodes[0], "aria-label", `${this.fields.get(name).title}, now ${value}`);
      attribute(nodes[0], "aria-valuetext", value);
      if (value) for (const node of nodes) write(node, value);
    }
    this.fit();
  }
}
