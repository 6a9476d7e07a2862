// One tooltip for a whole page: shown on hover after a delay and on focus at once; Escape closes
// it.

import { consume, element, write } from "./dom.js";

// milliseconds before the tooltip is shown
const AFTER = 300;
// milliseconds in which the pointer can move into the tooltip
const LEAVE = 150;
const GAP = 8;
let count = 0;

/** A box that is placed next to one part at a time. */
export class Tooltip {
  /** `name`: the tooltip's class; `width`: its maximum width in pixels. */
  constructor(root, name, width) {
    Object.assign(this, { root, width });
    this.box = element("div", {
      class: name,
      role: "tooltip",
      id: `clwork-tooltip-${++count}`,
      hidden: true,
    });
    this.box.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.box.addEventListener("pointerleave", () => this.hide());
    root.append(this.box);
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.box.hidden) return;
      this.hide();
      consume(event);
      event.stopImmediatePropagation();
    });
  }

  /** Show `text()` "above" or "below" a part; an empty text shows nothing. */
  on(part, text, side = "above") {
    const later = (after, act) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(act, after);
    };
    const show = () => part.isConnected && this.show(part, text(), side);
    part.addEventListener(
      "pointerenter",
      (event) => event.pointerType !== "touch" && later(AFTER, show),
    );
    part.addEventListener("pointerleave", () => later(LEAVE, () => this.hide()));
    part.addEventListener(
      "focusin",
      (event) => event.target.matches(":focus-visible") && later(0, show),
    );
    for (const kind of ["focusout", "pointerdown"]) part.addEventListener(kind, () => this.hide());
  }

  /** Show a text at once, on the other side if it does not fit. */
  show(part, text, side) {
    if (!text) return this.hide();
    const { box, root } = this;
    write(box, text);
    box.hidden = false;
    const [around, at] = [root.getBoundingClientRect(), part.getBoundingClientRect()];
    box.style.maxWidth = `${Math.min(this.width, around.width - 2 * GAP)}px`;
    const { width, height } = box.getBoundingClientRect();
    const above = at.top - around.top - height - GAP;
    const below = at.bottom - around.top + GAP;
    const x = at.left - around.left;
    let y = below;
    if (above >= 0 && (side === "above" || (side === "below" && below + height >= around.height)))
      y = above;
    const left = Math.max(GAP, Math.min(x, around.width - width - GAP));
    box.style.transform = `translate(${Math.round(left)}px,${Math.round(y)}px)`;
    this.part?.removeAttribute("aria-describedby");
    this.part = part.matches("input,button,select")
      ? part
      : (part.querySelector("input,button,select") ?? part);
    this.part.setAttribute("aria-describedby", box.id);
  }

  /** Hide it, and show nothing later. */
  hide() {
    clearTimeout(this.timer);
    this.box.hidden = true;
  }
}
