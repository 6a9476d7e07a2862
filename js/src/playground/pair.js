// The cosine of two of the reader's sentences by one encoder, and where it stands among random pairs of the corpus.

import { element, write } from "../shared/dom.js";
import { number } from "../shared/text.js";

/** The place of a cosine on the scale from −0.2 to 1, in percent. */
const share = (cosine) => 100 * Math.min(1, Math.max(0, (cosine + 0.2) / 1.2));

export class Pair {
  constructor() {
    this.cosine = element("output", { class: "large" });
    this.rank = element("span", { class: "soft" });
    this.usual = element("span", { class: "usual" });
    this.mark = element("span", { class: "here" });
    this.root = element("div", { class: "pair" }, this.cosine, element("div", { class: "scale" }, this.usual, this.mark), this.rank);
  }

  /** `quantiles`: the 0th to 100th percentile of the cosines of random pairs; empty if there is no corpus. */
  fill(quantiles) {
    this.quantiles = quantiles;
    const [low, middle, high] = [5, 50, 95].map((k) => quantiles[k] ?? 0);
    Object.assign(this.usual.style, { left: `${share(low)}%`, width: `${share(high) - share(low)}%` });
    this.usual.title = `90 % of random pairs are between ${number(low, 2)} and ${number(high, 2)}, half are above ${number(middle, 2)}.`;
  }

  show(cosine, names) {
    this.root.hidden = cosine === undefined;
    if (this.root.hidden) return;
    write(this.cosine, number(cosine, 2));
    this.mark.style.left = `${share(cosine)}%`;
    const below = this.quantiles.filter((value) => value < cosine).length - 1;
    const among = below >= 100 ? "above all random pairs" : `above ${Math.max(0, below)} % of random pairs`;
    write(this.rank, this.quantiles.length ? `${names}: ${among}` : names);
    this.rank.title = this.rank.textContent;
  }
}
