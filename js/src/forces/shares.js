// Each term's share of the loss and of the gradient on the weights; what each kind of candidate does to the sentence.

import { element } from "../shared/dom.js";
import { short } from "./numbers.js";

const bar = (kind, share) => element("span", { class: "track", "aria-hidden": "true" }, element("span", { class: `bar ${kind}`, style: `width:${share}%` }));

/** Shares of the sum of absolute values: terms may be below 0, and gradients may cancel. */
function shares(values) {
  const total = values.reduce((sum, value) => sum + Math.abs(value ?? 0), 0);
  return values.map((value) => (total ? (100 * Math.abs(value ?? 0)) / total : 0));
}

export class Shares {
  constructor() {
    this.terms = element("ul", { class: "terms" });
    this.kinds = element("ul", { class: "kinds" });
    this.head = element("h3", { text: "On this sentence, by kind" });
    this.root = element("div", { class: "shares", tabindex: "0", role: "group", "aria-label": "shares" }, element("h3", { text: "Terms of the loss" }), this.terms, this.head, this.kinds);
  }

  show(terms, kinds) {
    const ofLoss = shares(terms.map(([, value]) => value));
    const ofGradient = shares(terms.map(([, , gradient]) => gradient));
    this.terms.replaceChildren(...terms.map(([name, value, gradient], place) => element(
      "li", { title: `${name}: value ${short(value, 4)}, length of its gradient on the weights ${short(gradient, 4)}` },
      element("span", { class: "name", text: name }), element("span", { class: "value", text: short(value, 4) }),
      element("span", { class: "half" }, bar("was", ofLoss[place]), element("span", { class: "share", text: `loss ${Math.round(ofLoss[place])} %` })),
      element("span", { class: "half" }, bar("hollow", ofGradient[place]), element("span", { class: "share", text: `gradient ${Math.round(ofGradient[place])} %` })),
    )));
    const most = Math.max(...kinds.map(([, length]) => Math.abs(length ?? 0)), 0);
    this.head.hidden = !kinds.length;
    this.kinds.replaceChildren(...kinds.map(([kind, length]) => {
      const word = length < 0 ? "push" : length > 0 ? "pull" : "none";
      return element(
        "li", { title: `${kind}: all together ${word} ${short(Math.abs(length ?? 0))}` },
        element("span", { class: "name", text: kind }), element("span", { class: "value", text: `${kind.startsWith("gradient on") ? "" : `${word} `}${short(length === null ? null : Math.abs(length))}` }),
        bar(word, most ? (100 * Math.abs(length ?? 0)) / most : 0),
      );
    }));
  }
}
