// One sentence below the cloud: the angles between related sentences and between strangers at the
// shown step, with the course of the run.

import { attribute, element, write } from "../shared/dom.js";
import { steps } from "../shared/text.js";
import { markStep } from "./reading.js";

const SIGNS = { good: "✓", early: "…", bad: "⚠" };

/** The sentence with its sign; on hover, the verdict of the newest probe. */
export class Verdict {
  constructor(help) {
    this.sign = element("span", { class: "verdict-sign", "aria-hidden": "true" });
    this.text = element("span", { class: "verdict-text", role: "status" });
    this.when = element("span", { class: "at-step" });
    this.root = element(
      "div",
      { class: "clwork-verdict", tabindex: 0, "aria-label": "verdict" },
      this.sign,
      this.text,
      this.when,
    );
    help.on(this.root, () => this.whole ?? "");
  }

  /** `step`: of the probe, or null; `shown`: of the picture. */
  mark(step, shown, dim) {
    markStep(this.root, step, dim && step !== null);
    write(this.when, step === null || step === shown ? "" : `step ${steps(step)}`);
  }

  /**
   * `angles`: the sentence of the shown step; `verdict`: {step, sign, headline, text, signals} of
   * the newest probe, or null.
   */
  show(angles, verdict, newest, numbers = null) {
    const sign = newest && verdict ? verdict.sign : "none";
    attribute(this.root, "data-sign", sign);
    write(this.sign, SIGNS[sign] ?? "");
    write(this.text, angles);
    const told = verdict?.signals.map(([label, value]) => `${label} ${value}`).join(" · ") ?? "";
    const values = numbers?.values.map(([label, value]) => `${label} ${value}`).join(" · ");
    this.whole = verdict
      ? [`${verdict.headline} at step ${verdict.step}`, verdict.text, told, values, numbers?.about]
          .filter(Boolean)
          .join("\n")
      : "";
  }
}
