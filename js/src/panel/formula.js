// The method's objective in the largest size that fits. Its symbols are buttons that highlight their controls, and vice versa.

import { attribute, consume, element, onResize } from "../shared/dom.js";
import { math } from "../shared/mathml.js";

const [LARGE, SMALL] = [18, 13]; // font sizes in pixels
const MATH = "http://www.w3.org/1998/Math/MathML";

export class Formula {
  /** `method`: from `about`; `fields`: by name; `hooks`: light(name or null), focus(name), value(name). */
  constructor(method, fields, hooks) {
    Object.assign(this, { fields, hooks, lit: null, numbers: false });
    this.math = math(method.formula);
    this.scroll = element("div", { class: "formula-math" }, this.math ?? "");
    this.switch = element("button", {
      class: "formula-switch", type: "button", text: "=", "aria-pressed": "false", "aria-label": "numbers instead of symbols",
      title: "numbers instead of symbols", onclick: () => this.toggle(),
    });
    this.marks = new Map();
    for (const node of this.math?.querySelectorAll("[data-field]") ?? []) this.button(node);
    this.switch.hidden = !this.marks.size;
    this.root = element("div", { class: "clwork-formula" }, this.scroll, this.switch);
    if (this.math) onResize(this.root, () => this.fit());
  }

  button(node) {
    const name = node.getAttribute("data-field");
    const { light, focus } = this.hooks;
    const first = !this.marks.has(name);
    if (first) this.marks.set(name, []);
    this.marks.get(name).push({ node, letters: [...node.childNodes] });
    if (first) {
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
    }
    for (const [type, lit] of [["mouseenter", name], ["mouseleave", null], ["focus", name], ["blur", null]]) node.addEventListener(type, () => light(lit));
    node.addEventListener("click", () => focus(name));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      focus(name);
      consume(event);
    });
  }

  /** Set the largest font size that fits; if SMALL does not fit either, the formula scrolls. */
  fit() {
    const { math: formula, scroll } = this;
    if (!formula || !scroll.clientWidth) return;
    const large = parseFloat(getComputedStyle(this.root).getPropertyValue("--large")) || LARGE;
    const share = (size) => {
      formula.style.fontSize = `${size}px`;
      const { width, height } = formula.getBoundingClientRect();
      return Math.min(scroll.clientWidth / Math.max(1, width), scroll.clientHeight / Math.max(1, height));
    };
    let size = large;
    for (let round = 0; round < 4 && size > SMALL; round++) { // several rounds: with hinted glyphs, widths change in jumps
      const fits = share(size);
      if (fits >= 1) break;
      size = Math.max(SMALL, Math.floor(size * fits * 10) / 10);
    }
    formula.style.fontSize = `${size}px`;
  }

  toggle() {
    this.numbers = !this.numbers;
    attribute(this.switch, "aria-pressed", String(this.numbers));
    this.refresh();
  }

  light(name) {
    if (name === this.lit) return;
    for (const { node } of this.marks.get(this.lit) ?? []) node.removeAttribute("data-lit");
    for (const { node } of this.marks.get(name) ?? []) node.setAttribute("data-lit", "");
    this.lit = name;
  }

  refresh() {
    let changed = false;
    for (const [name, nodes] of this.marks) {
      const value = this.hooks.value(name);
      const shown = this.numbers && value ? value : "";
      for (const { node, letters } of nodes) {
        if (node === nodes[0].node) attribute(node, "aria-label", `${this.fields.get(name).title}, now ${value}`);
        if ((node.dataset.number ?? "") === shown) continue;
        changed = true;
        node.dataset.number = shown;
        if (!shown) node.replaceChildren(...letters);
        else if (["mi", "mn", "mo", "mtext"].includes(node.localName)) node.textContent = shown;
        else node.replaceChildren(Object.assign(document.createElementNS(MATH, "mn"), { textContent: shown }));
      }
    }
    if (changed) this.fit();
  }
}
