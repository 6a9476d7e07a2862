// What happens now, in a sentence; and the experiments that a reader may begin with.

const DEGREES = 180 / Math.PI;

/** A number as a person would write it: three digits, a power of ten only where it must be. */
export function short(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e5) {
    const power = Math.floor(Math.log10(size));
    return `${(value / 10 ** power).toFixed(1)}·10${String(power).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`;
  }
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.095 || size === 0 ? 2 : size >= 0.00095 ? 3 : 5;
  return value.toFixed(digits).replace("-", "−").replace(/^−(0\.?0*)$/, "$1");
}

const degrees = (angle) => `${Math.round(angle * DEGREES)}°`;

/** How far all points lie around one direction, as an angle, and the largest share of a single axis. */
export function spread(world, eigenvalues) {
  const { D, N, x } = world, mean = new Float64Array(D);
  for (let i = 0; i < N; i++) for (let d = 0; d < D; d++) mean[d] += x[i * D + d] / N;
  const length = Math.hypot(...mean);
  let farthest = 0;
  for (let i = 0; i < N; i++) {
    let cosine = 0;
    for (let d = 0; d < D; d++) cosine += (x[i * D + d] * mean[d]) / Math.max(length, 1e-12);
    farthest = Math.max(farthest, Math.acos(Math.min(1, Math.max(-1, cosine))));
  }
  return { length, farthest, axis: Math.max(...eigenvalues) };
}

/** How far partners and strangers are apart, as far as there are any. */
function apart(same, other) {
  if (same === null) return `Strangers are ${degrees(other)} apart; each point's only partner is its own noisy copy.`;
  if (other === null) return `Partners are ${degrees(same)} apart; there are no strangers.`;
  return `Partners are ${degrees(same)} apart, strangers ${degrees(other)}.`;
}

/** One or two sentences: numbers first, then what they mean. `kind` is "collapsed", "good" or "on the way". */
export function happening(world, { length, farthest, axis }) {
  const { same, other } = world.angles(), s = world.settings;
  const tell = (kind, text) => ({ kind, text: `${apart(same, other)} ${text}` });
  if (farthest < 0.14 && world.N > 2) {
    const why = s.objective === "no-stop-gradient" ? "Agreeing is cheapest where all say the same, and nothing holds the target still." :
      s.push === 0 ? "Nothing pushes." : "";
    return tell("collapsed", `Collapsed: all points lie within ${degrees(farthest)} of one direction. ${why}`.trim());
  }
  if (axis > 0.97 && farthest > Math.PI / 2 && world.colours > 2) { // two meanings do best at the two ends
    return tell("collapsed", "Collapsed to an axis: all points lie on one line through the centre.");
  }
  const crowded = length > 0.8 ? "All points crowd into a cone, whatever they mean." : null;
  if (same === null || other === null) {
    return tell("on the way", crowded ?? (length < 0.3 ? "The points fill the space." : "The points lean to one side."));
  }
  if (same < 0.35 && other > 1.2) {
    return tell("good", length < 0.3 ? "Like lies with like, and the clusters fill the space." : "Like lies with like; the clusters still lean to one side.");
  }
  if (same < 0.35 && same < other / 2 && other < 1) return tell("on the way", "Partners have met; meanings are still crowded.");
  if (same > 0.75 * other && length < 0.35) return tell("on the way", "Points are spread, and meanings are mixed: a partner is as far as a stranger.");
  if (crowded) return tell("on the way", crowded);
  return tell("on the way", same < 0.6 * other ? "Like is nearer than unlike: clusters." : "Meanings are still mixed.");
}

/** Settings to begin with, each with the question it answers. What is not named is as by default. */
export const EXPERIMENTS = [
  { title: "Both forces", ask: "InfoNCE pulls partners together and pushes the rest apart: where do the colours end?", set: {} },
  { title: "Pull only", ask: "Nothing pushes. Will the cone open?", set: { push: 0 } },
  { title: "Push only", ask: "Nothing pulls. Will colours find each other?", set: { pull: 0 } },
  { title: "Cold", ask: "At τ = 0.03 only the nearest negatives push: look at the arrows.", set: { temperature: 0.03, step_size: 0.005 } },
  { title: "Hot", ask: "At τ = 1.5 all negatives push alike, and feebly: what becomes of the clusters?", set: { temperature: 1.5 } },
  { title: "Small batch", ask: "Eight points a step, seven negatives each: how restless are loss and points?", set: { batch_size: 8 } },
  { title: "No false negatives", ask: "Nobody of the same meaning is pushed: how low can the loss go now?", set: { false_negatives: 0 } },
  { title: "No negatives", ask: "Partners only agree, and the target is held still: does it collapse?", set: { objective: "no-negatives", step_size: 0.1 } },
  { title: "No stop-gradient", ask: "As before, but the target moves as well: watch the uniformity.", set: { objective: "no-stop-gradient", step_size: 0.05 } },
];
