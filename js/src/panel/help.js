// One box of help for the whole page: on hover after a moment, on focus at once, gone with Escape.

import { element, write } from "../shared/dom.js";

const AFTER = 300; // milliseconds
const GAP = 8;
const WIDE = 320;
let count = 0;

export class Help {
  constructor(root) {
    this.root = root;
    this.box = element("div", { class: "clwork-help", role: "tooltip", id: `clwork-help-${++count}`, hidden: true });
    this.box.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.box.addEventListener("pointerleave", () => this.hide());
    root.append(this.box);
  }

  /** Let a part have help: `text()` says it, above the part or `beside` it; nothing is shown where it is empty. */
  on(part, text, beside = false) {
    part.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && this.soon(part, text, AFTER, beside));
    part.addEventListener("pointerleave", () => this.later());
    part.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.soon(part, text, 0, beside));
    part.addEventListener("focusout", () => this.hide());
    part.addEventListener("pointerdown", () => this.hide());
  }

  soon(part, text, after, beside) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(part, text(), beside), after);
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), 150);
  }

  show(part, text, beside) {
    if (!text) return this.hide();
    const { box, root } = this;
    write(box, text);
    box.hidden = false;
    const [around, at] = [root.getBoundingClientRect(), part.getBoundingClientRect()];
    const wide = Math.min(WIDE, around.width - 2 * GAP);
    box.style.maxWidth = `${wide}px`;
    const { width, height } = box.getBoundingClientRect();
    const [x, y] = beside ? [at.right + GAP, at.top] : [at.left, at.top - height - GAP];
    const left = Math.max(GAP, Math.min(x - around.left, around.width - width - GAP));
    const fits = beside ? x - around.left + width + GAP <= around.width : y >= around.top;
    box.style.transform = `translate(${Math.round(left)}px,${Math.round((fits ? y : at.bottom + GAP) - around.top)}px)`;
    this.part?.removeAttribute("aria-describedby");
    this.part = part.matches("input,button,select") ? part : (part.querySelector("input,button,select") ?? part);
    this.part.setAttribute("aria-describedby", box.id);
    return undefined;
  }

  get shown() {
    return !this.box.hidden;
  }

  hide() {
    clearTimeout(this.timer);
    this.box.hidden = true;
  }
}
