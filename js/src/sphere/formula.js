// The objective's formula with the current numbers. build.mjs typesets the formula.

import { loadMathFont } from "../shared/mathml.js";
import alignmentUniformity from "./formulas/alignment-uniformity.tex";
import infonce from "./formulas/infonce.tex";
import noNegatives from "./formulas/no-negatives.tex";
import noStopGradient from "./formulas/no-stop-gradient.tex";
import { short } from "./show.js";

const FORMULAS = {
  infonce,
  "alignment-uniformity": alignmentUniformity,
  "no-negatives": noNegatives,
  "no-stop-gradient": noStopGradient,
};

/**
 * The numbers of a formula: those of the chosen point's row, or of the batch if the formula has no
 * rows.
 */
function numbers(world) {
  const {
    settings: s,
    found,
    now: { row, anchors, allowed },
  } = world;
  const B = anchors.length;
  if (s.objective === "alignment-uniformity") {
    return {
      pull: s.pull,
      push: s.push,
      alignment: found.alignment,
      uniformity: found.uniformity,
      loss: found.loss,
    };
  }
  if (s.objective !== "infonce") {
    return { pull: s.pull, agreement: found.agreement[row], loss: -s.pull * found.agreement[row] };
  }
  const cosine = found.cosines[row * B + row];
  const own = Math.exp(cosine / s.temperature);
  let others = 0;
  for (let j = 0; j < B; j++) {
    if (j !== row && allowed[row * B + j])
      others += Math.exp(found.cosines[row * B + j] / s.temperature);
  }
  const loss = (-s.pull * cosine) / s.temperature + s.push * found.sums[row];
  return { pull: s.pull, push: s.push, temperature: s.temperature, cosine, own, others, loss };
}

/** What the symbols of the formula mean. */
function symbols(world) {
  const {
    settings: s,
    now: { row, partners },
  } = world;
  const partner = `y its partner ${partners[row]}`;
  if (s.objective === "alignment-uniformity")
    return "means over the batch; x a point, y its partner";
  if (s.objective === "infonce") return `x is point ${s.chosen}, ${partner}, j its negatives`;
  const held = s.objective === "no-negatives" ? "; sg: held constant" : "";
  return `x is point ${s.chosen}, ${partner}; P the predictor${held}`;
}

/**
 * Returns a function that shows a world's formula in `box`, in the largest size that fits, and its
 * symbols in `line`.
 */
export function formula(box, line) {
  let shown = null;
  let places = [];
  let room = "";
  let size = 1;
  /**
   * Shrink to fit, because widths depend on the numbers and on fonts; grow only if formula or box
   * changes.
   */
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = box;
    const math = box.firstElementChild;
    const now = `${shown} ${width} ${height}`;
    if (!width || !height) return;
    if (now !== room) [room, size] = [now, 1];
    for (let share = 0; share < 1 && size > 0.3; ) {
      // repeat, because with hinted glyphs widths change in jumps
      math.style.fontSize = `${size}em`;
      const needed = box.querySelector("mtable").getBoundingClientRect();
      share = Math.min(width / needed.width, height / needed.height);
      if (share < 1) size *= 0.98 * share;
    }
  };
  loadMathFont().then(() => {
    room = "";
    fit();
  });
  return (world) => {
    const { objective } = world.settings;
    if (objective !== shown) {
      shown = objective;
      // safe: a constant from the build, without data
      box.innerHTML = FORMULAS[objective];
      places = [...box.querySelectorAll("mtext")]
        .filter((node) => node.textContent.startsWith("@"))
        .map((node) => ({ node, name: node.textContent.slice(1).trim() }));
    }
    const found = numbers(world);
    for (const { node, name } of places) node.textContent = short(found[name]);
    line.textContent = symbols(world);
    fit();
  };
}
