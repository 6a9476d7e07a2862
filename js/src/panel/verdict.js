// The verdict on the run's newest probe, with its trend.

import { attribute, element, write } from "../shared/dom.js";

const SIGNS = { good: "✓", early: "…", bad: "⚠" };
const NONE = "No verdict yet: it needs a tenth of the run";

export class Verdict {
  constructor(help) {
    this.sign = element("span", { class: "verdict-sign", "aria-hidden": "true" });
    this.head = element("span", { class: "verdict-head", role: "status" });
    this.text = element("div", { class: "verdict-text" });
    this.signals = element("div", { class: "verdict-signals" });
    this.root = element("div", { class: "clwork-verdict", tabindex: 0, "aria-label": "verdict" },
      element("div", { class: "verdict-top" }, this.sign, this.head), this.text, this.signals);
    help.on(this.root, () => this.whole ?? "");
  }

  /** `verdict`: {step, sign, headline, text, signals} or null; `trend`: a text; `numbers`: the measurements. */
  show(verdict, trend, numbers = null) {
    const sign = verdict?.sign ?? "none";
    attribute(this.root, "data-sign", sign);
    write(this.sign, SIGNS[sign] ?? "");
    write(this.head, verdict?.headline ?? "");
    write(this.text, verdict ? verdict.text : NONE);
    const told = verdict?.signals.map(([label, value]) => `${label} ${value}`).join(" · ") ?? "";
    write(this.signals, [trend, told].filter(Boolean).join(" · "));
    const values = numbers?.values.map(([label, value]) => `${label} ${value}`).join(" · ");
    this.whole = verdict ? [`${verdict.headline} at step ${verdict.step}`, verdict.text, told, trend, values, numbers?.about].filter(Boolean).join("\n") : "";
  }
}
