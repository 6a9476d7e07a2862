// The sentence under the pointer, or the chosen one, with its nearest sentences then and now.

import { attribute, div, element, span, write } from "../shared/dom.js";
import { colour, marker } from "../shared/palette.js";
import { steps } from "../shared/text.js";

/**
 * Mark a part with the step that it shows (null: none); a `dim` part is of another moment than the
 * picture.
 */
export function markStep(node, step, dim = false) {
  if (step === null) node.removeAttribute("data-step");
  else attribute(node, "data-step", String(step));
  node.toggleAttribute("data-elsewhere", dim);
}

/** "step 4" if a part is of another step than the picture; else an empty text. */
export const stepIfOther = (step, shown) =>
  step === null || step === shown ? "" : `step ${steps(step)}`;

// nearest sentences in a line, and with a ring in the cloud
export const NEAREST = 3;

/** A line with the sentence that is read, and lines with its nearest sentences. */
export class Reading {
  constructor() {
    this.line = div("lined");
    this.near = div("near-lines");
    this.spoken = element("div", { class: "unseen", "aria-live": "polite" });
    this.root = div("clwork-reading", this.line, this.near, this.spoken);
  }

  /** `step`: of the dots; `shown`: of the picture; `idle`: the text if there is no sentence. */
  show(runs, { hover, chosen, groups, shared }, step, shown, dark, idle) {
    const sentence = hover >= 0 ? hover : chosen;
    const lines = sentence < 0 ? [] : nearLines(runs, shared, sentence, step, shown);
    const key = JSON.stringify([sentence, chosen, shared.texts[sentence], lines, dark]);
    if (key === this.key) return;
    this.key = key;
    this.root.toggleAttribute("data-idle", sentence < 0);
    // the neighbours of a chosen sentence are listed in full beside the picture
    this.root.toggleAttribute("data-listed", sentence >= 0 && sentence === chosen);
    const group = groups.of[sentence];
    const text = shared.texts[sentence] ?? idle;
    this.line.replaceChildren(
      sentence < 0 ? "" : marker(group, colour(group, dark)),
      span("line-group soft", groups.groups[group]?.name ?? ""),
      element("span", { class: "line-text", text, title: text }),
    );
    this.near.replaceChildren(
      ...lines.map(({ name, when, ink, at, texts }) =>
        element(
          "div",
          { class: `near-line ${when} lined small`, "data-step": at, title: texts.join("\n") },
          element("b", { style: ink && `color: ${ink}`, text: name }),
          ...texts.map((near) => span("clipped", near)),
        ),
      ),
    );
  }

  /** Announce what is read to screen readers, because arrow keys move from dot to dot. */
  speak() {
    write(this.spoken, [...this.line.children, ...this.near.children].map(textOf).join(". "));
  }
}

const textOf = (node) => node.textContent;

/** Of one run the nearest sentences at the first probe and now; of two runs those of each now. */
function nearLines(runs, shared, sentence, step, shown) {
  const alone = runs.length === 1;
  return runs.flatMap(({ record, name, ink }, run) => {
    const row = shared.rowOf[run][sentence];
    if (!record.probes.length) return [];
    if (row < 0) return [{ name, when: "now", ink, texts: ["not among its sentences"] }];
    const now = record.probeAt(step);
    const at = record.steps[now];
    // the dots may be of another moment than the picture
    const other = stepIfOther(at, shown);
    const texts = (probe) =>
      record
        .near(probe, row)
        .slice(0, NEAREST)
        .map((near) => record.texts[near]);
    if (!alone)
      return [
        { name: [name, other].filter(Boolean).join(", "), when: "now", ink, at, texts: texts(now) },
      ];
    const then = { name: "then", when: "then", texts: texts(0) };
    return [
      ...(now ? [then] : []),
      { name: other || (now ? "now" : "nearest"), when: "now", at, texts: texts(now) },
    ];
  });
}
