// The whole of a text that was cut: a box beside it, on hover after a moment, on focus at once, gone with Escape.

import { element, write } from "../shared/dom.js";

const AFTER = 300; // milliseconds
const GAP = 8;
const WIDE = 480;

export class Whole {
  constructor(root) {
    this.root = root;
    this.box = element("div", { class: "whole", role: "tooltip", hidden: true });
    root.append(this.box);
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.box.hidden) return;
      this.hide();
      event.stopPropagation();
    });
  }

  /** Let a part have its text in whole; nothing is shown where `text()` is empty. */
  on(part, text) {
    part.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && this.soon(part, text, AFTER));
    part.addEventListener("pointerleave", () => this.hide());
    part.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.soon(part, text, 0));
    part.addEventListener("focusout", () => this.hide());
    part.addEventListener("pointerdown", () => this.hide());
  }

  soon(part, text, after) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => part.isConnected && this.show(part, text()), after);
  }

  show(part, text) {
    if (!text) return this.hide();
    const { box, root } = this;
    write(box, text);
    box.hidden = false;
    const [around, at] = [root.getBoundingClientRect(), part.getBoundingClientRect()];
    box.style.maxWidth = `${Math.min(WIDE, around.width - 2 * GAP)}px`;
    const { width, height } = box.getBoundingClientRect();
    const above = at.top - around.top - height - 4;
    const left = Math.max(GAP, Math.min(at.left - around.left, around.width - width - GAP));
    const under = at.bottom - around.top + 4;
    box.style.transform = `translate(${Math.round(left)}px,${Math.round(under + height < around.height || above < 0 ? under : above)}px)`;
    return undefined;
  }

  hide() {
    clearTimeout(this.timer);
    this.box.hidden = true;
  }
}
