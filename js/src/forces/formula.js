// The formula in symbols and with the chosen sentence's numbers, in the largest font size that
// fits.

import { element, onResize } from "../shared/dom.js";
import { math } from "../shared/mathml.js";

// font sizes in pixels: below LOW the formula gets a second line; if SMALL does not fit, it scrolls
const [LOW, SMALL] = [15, 12];

/** Two boxes: the formula in symbols and with numbers, and below them derived lines. */
export class Formula {
  constructor() {
    this.main = element("div", { class: "formula-main" });
    this.more = element("div", { class: "formula-more" });
    this.root = element(
      "div",
      {
        class: "formula",
        role: "group",
        "aria-label": "The formula with this sentence's numbers",
        tabindex: "0",
      },
      this.main,
      this.more,
    );
    onResize(this.root, () => this.root.clientWidth !== this.wide && this.fit());
  }

  /** `lines` of MathML: the formula, the formula with numbers, and derived lines. */
  show(lines) {
    const nodes = lines.map((line) => element("div", { class: "formula-line" }, math(line) ?? ""));
    const main = nodes.length > 2 ? 2 : 1;
    this.main.replaceChildren(...nodes.slice(0, main));
    this.more.replaceChildren(...nodes.slice(main));
    this.fit();
  }

  /** Choose font size and number of lines for the present width. */
  fit() {
    const { root } = this;
    const wide = root.clientWidth;
    if (!wide) return;
    // at equal width keep the height, so that the parts below do not move between sentences
    if (wide !== this.wide) this.tall = false;
    this.wide = wide;
    const large = parseFloat(getComputedStyle(root).getPropertyValue("--large")) || 18;
    if (!this.tall) this.tall = !this.fits(false, large, LOW);
    if (this.tall) this.fits(true, large, SMALL);
  }

  /**
   * Set the largest font size that fits; returns false, with the smallest size set, if none fits.
   */
  fits(tall, large, least) {
    const { root } = this;
    root.dataset.tall = tall;
    for (let size = large; size >= least; size -= 0.5) {
      root.style.fontSize = `${size}px`;
      if (root.scrollWidth <= root.clientWidth + 1 && root.scrollHeight <= root.clientHeight + 1)
        return true;
    }
    return false;
  }
}
