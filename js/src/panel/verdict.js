// The verdict on the run's newest probe, with its trend.

import { attribute, drawn, element, write } from "../shared/dom.js";

const SIGNS = { good: "✓", early: "…", bad: "⚠" };
const NONE = "No verdict yet: it needs a tenth of the run";
const [WIDE, HIGH] = [48, 16];

export class Verdict {
  constructor(help) {
    this.sign = element("span", { class: "verdict-sign", "aria-hidden": "true" });
    this.head = element("span", { class: "verdict-head", role: "status" });
    this.line = drawn("path", { class: "verdict-line" });
    this.arrow = drawn("path", { class: "verdict-arrow" });
    this.trend = drawn("svg", { class: "verdict-trend", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": "trend" }, this.line, this.arrow);
    this.text = element("div", { class: "verdict-text" });
    this.signals = element("div", { class: "verdict-signals" });
    this.root = element("div", { class: "clwork-verdict", tabindex: 0, "aria-label": "verdict" },
      element("div", { class: "verdict-top" }, this.sign, this.head), this.text, element("div", { class: "verdict-last" }, this.trend, this.signals));
    help.on(this.root, () => this.whole ?? "");
  }

  /** `verdict`: {step, sign, headline, text, signals} or null; `words`: the trend; `series`: what it is drawn of. */
  show(verdict, words, series, numbers = null) {
    const sign = verdict?.sign ?? "none";
    attribute(this.root, "data-sign", sign);
    write(this.sign, SIGNS[sign] ?? "");
    write(this.head, verdict?.headline ?? "");
    write(this.text, verdict ? verdict.text : NONE);
    const told = verdict?.signals.map(([label, value]) => `${label} ${value}`).join(" · ") ?? "";
    write(this.signals, told);
    const values = numbers?.values.map(([label, value]) => `${label} ${value}`).join(" · ");
    this.whole = verdict ? [`${verdict.headline} at step ${verdict.step}`, verdict.text, told, words, values, numbers?.about].filter(Boolean).join("\n") : "";
    this.draw(series, words);
  }

  draw({ values }, words) {
    const shown = values.length > 1 ? "inline" : "none";
    for (const part of [this.line, this.arrow]) attribute(part, "display", shown);
    attribute(this.trend, "aria-label", words ? `trend: ${words}` : "trend");
    if (values.length < 2) return;
    const few = values.filter((_, i) => i % Math.ceil(values.length / 40) === 0 || i === values.length - 1);
    const [low, high] = [Math.min(...few), Math.max(...few)];
    const at = few.map((value, i) => [2 + (i * (WIDE - 10)) / (few.length - 1), HIGH - 3 - ((value - low) / Math.max(high - low, 0.05)) * (HIGH - 6)]);
    attribute(this.line, "d", at.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join(""));
    const [[x0, y0], [x1, y1]] = at.slice(-2);
    const turn = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
    attribute(this.arrow, "d", "M-3 -3.5L4 0L-3 3.5");
    attribute(this.arrow, "transform", `translate(${x1.toFixed(1)},${y1.toFixed(1)}) rotate(${turn.toFixed(0)})`);
  }
}
