// The objective's formula with the current numbers. build.mjs typesets the formula.

import { fitText } from "../shared/dom.js";
import { loadMathFont } from "../shared/mathml.js";
import { brief } from "../shared/text.js";
import alignmentUniformity from "./formulas/alignment-uniformity.tex";
import infonce from "./formulas/infonce.tex";
import noNegatives from "./formulas/no-negatives.tex";
import noStopGradient from "./formulas/no-stop-gradient.tex";

const FORMULAS = {
  infonce,
  "alignment-uniformity": alignmentUniformity,
  "no-negatives": noNegatives,
  "no-stop-gradient": noStopGradient,
};
// largest and smallest size of the formula in pixels
const MOST = 18;
const LEAST = 8;

/** The numbers of a formula: of the chosen point's row, or of the batch if it has no rows. */
function numbers({ settings, found, now: { row, anchors, allowed } }) {
  const { pull, push, temperature, objective } = settings;
  if (objective === "alignment-uniformity") return { ...found, pull, push };
  if (objective !== "infonce")
    return { pull, agreement: found.agreement[row], loss: -pull * found.agreement[row] };
  const B = anchors.length;
  const cosine = found.cosines[row * B + row];
  let others = 0;
  for (let j = 0; j < B; j++) {
    if (j !== row && allowed[row * B + j])
      others += Math.exp(found.cosines[row * B + j] / temperature);
  }
  const own = Math.exp(cosine / temperature);
  const loss = (-pull * cosine) / temperature + push * found.sums[row];
  return { pull, push, temperature, cosine, own, others, loss };
}

/** What the symbols of the formula mean. */
function symbols({ settings: { objective, chosen }, now: { row, partners } }) {
  if (objective === "alignment-uniformity") return "means over the batch; x a point, y its partner";
  const both = `x is point ${chosen}, y its partner ${partners[row]}`;
  if (objective === "infonce") return `${both}, j its negatives`;
  return `${both}; P the predictor${objective === "no-negatives" ? "; sg: held constant" : ""}`;
}

/** Returns a function that shows a world's formula in `box`, and its symbols in `line`. */
export function formula(box, line) {
  let shown = null;
  let fitted = "";
  let size = MOST;
  loadMathFont().then(() => (fitted = ""));
  return (world) => {
    const { objective } = world.settings;
    if (objective !== shown) {
      shown = objective;
      // safe: a constant from the build, without data
      box.innerHTML = FORMULAS[objective];
      for (const node of box.querySelectorAll("mtext"))
        if (node.textContent.startsWith("@"))
          node.dataset.number = node.textContent.slice(1).trim();
    }
    const found = numbers(world);
    for (const node of box.querySelectorAll("[data-number]"))
      node.textContent = brief(found[node.dataset.number]);
    line.textContent = symbols(world);
    // it grows again only if formula or box changes: other numbers would make it flicker
    const now = `${objective} ${box.clientWidth} ${box.clientHeight}`;
    if (now !== fitted) [fitted, size] = [now, MOST];
    size = fitText(box, size, LEAST) ?? LEAST;
  };
}
