// The method's objective with the current values of its hyperparameters; each value can be dragged.
// While a sentence is chosen, the objective of this sentence with its numbers.

import { attribute, consume, element, fitText, onResize, span, write } from "../shared/dom.js";
import { loadMathFont, math } from "../shared/mathml.js";
import { markStep, stepIfOther } from "./reading.js";

// font sizes in pixels
const [LARGE, SMALL] = [22, 11];

/** The formula of the method, with the numbers of its settings. */
export class Formula {
  /** `method`: from `about`; `control(name)`: a setting's control; `light(name or null)`. */
  constructor(method, control, light) {
    this.control = control;
    this.methodMath = math(method.formula);
    this.when = span("at-step");
    this.root = element("div", {
      class: "clwork-formula",
      title: "Drag a number, or click it and type another one",
    });
    // by field: the elements that show its value
    this.marks = new Map();
    for (const place of this.methodMath?.querySelectorAll("[data-field]") ?? [])
      this.mark(place, light);
    this.fill("");
    onResize(this.root, () => this.fit());
    loadMathFont().then(() => this.fit());
  }

  /** Make the symbol of a setting in the formula show its value, and let the reader drag it. */
  mark(place, light) {
    const name = place.getAttribute("data-field");
    let node = place;
    if (!["mi", "mn"].includes(place.localName)) {
      node = document.createElementNS(place.namespaceURI, "mn");
      place.replaceChildren(node);
    }
    // two numbers next to each other would look like one
    if (place.previousElementSibling?.hasAttribute("data-field"))
      place.before(
        Object.assign(document.createElementNS(place.namespaceURI, "mo"), { textContent: "·" }),
      );
    this.marks.set(name, [...(this.marks.get(name) ?? []), node]);
    node.setAttribute("data-field", name);
    node.setAttribute("mathvariant", "normal");
    for (const type of ["mouseenter", "focus"]) node.addEventListener(type, () => light(name));
    for (const type of ["mouseleave", "blur"]) node.addEventListener(type, () => light(null));
    const knob = this.control(name);
    if (knob.field.slider) knob.drag(node);
    else node.addEventListener("click", () => knob.input.focus());
    // of several places of a setting, the keyboard reaches the first
    if (this.marks.get(name).length > 1) return;
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

  /** Set the largest font size that fits; if SMALL does not fit either, the formula scrolls. */
  fit() {
    fitText(this.root, LARGE, SMALL);
  }

  /** Show the objective of one sentence, MathML with its numbers; without text, the method's. */
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
    const own = this.filled ? step : null;
    markStep(this.root, own, dim && own !== null);
    write(this.when, stepIfOther(own, shown));
  }

  /** Highlight the numbers of a setting; null: none. */
  light(name) {
    for (const [field, nodes] of this.marks)
      for (const node of nodes) node.toggleAttribute("data-lit", field === name);
  }

  /** Write the current values into the formula. */
  refresh() {
    for (const [name, nodes] of this.marks) {
      const { input, field } = this.control(name);
      attribute(nodes[0], "aria-label", `${field.title}, now ${input.value}`);
      attribute(nodes[0], "aria-valuetext", input.value);
      if (input.value) for (const node of nodes) write(node, input.value);
    }
    this.fit();
  }
}
