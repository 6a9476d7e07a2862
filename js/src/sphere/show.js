// The parts next to the picture: sentences, controls, curves, the table of forces; and the
// experiments offered at the start.

import { element } from "../shared/dom.js";
import { counted } from "../shared/text.js";
import * as losses from "./losses.js";
import { colours } from "./scene.js";

const DEGREES = 180 / Math.PI;

/** A number with three significant digits, with a power of ten only if necessary. */
export function short(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e5) {
    const power = Math.floor(Math.log10(size));
    return `${(value / 10 ** power).toFixed(1)}·10${String(power).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`;
  }
  // decimals that keep about three significant digits
  let digits = 5;
  if (size >= 100) digits = 0;
  else if (size >= 10) digits = 1;
  else if (size >= 0.095 || size === 0) digits = 2;
  else if (size >= 0.00095) digits = 3;
  return value
    .toFixed(digits)
    .replace("-", "−")
    .replace(/^−(0\.?0*)$/, "$1");
}

/** An angle in degrees. */
const degrees = (angle) => `${Math.round(angle * DEGREES)}°`;

/**
 * Length of the mean point, the largest angle to it, and the share of the main axis in the second
 * moment.
 */
function spread(world, eigenvalues) {
  const { D, N, x } = world;
  const mean = new Float64Array(D);
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

/** The mean angles between partners and between other points. */
function apart(same, other) {
  if (same === null)
    return `Strangers are ${degrees(other)} apart; each point's only partner is its own noisy copy.`;
  if (other === null) return `Partners are ${degrees(same)} apart; there are no strangers.`;
  return `Partners are ${degrees(same)} apart, strangers ${degrees(other)}.`;
}

/**
 * One or two sentences: numbers, then their meaning. `kind` is "collapsed", "good" or "on the way".
 */
function stateOf(world, { length, farthest, axis }) {
  const { same, other } = world.angles();
  const s = world.settings;
  const state = (kind, text) => ({ kind, text: `${apart(same, other)} ${text}` });
  if (farthest < 0.14 && world.N > 2) {
    let why = s.push === 0 ? "Nothing pushes." : "";
    if (s.objective === "no-stop-gradient")
      why = "Agreement is best if all points coincide, and the target may move there.";
    return state(
      "collapsed",
      `Collapsed: all points lie within ${degrees(farthest)} of one direction. ${why}`.trim(),
    );
  }
  if (axis > 0.97 && farthest > Math.PI / 2 && world.colours > 2) {
    // two meanings are best at opposite poles
    return state(
      "collapsed",
      "Collapsed to an axis: all points lie on one line through the centre.",
    );
  }
  const crowded = length > 0.8 ? "All points crowd into a cone, whatever their meaning." : null;
  if (same === null || other === null) {
    return state(
      "on the way",
      crowded ?? (length < 0.3 ? "The points fill the space." : "The points lean to one side."),
    );
  }
  if (same < 0.35 && other > 1.2) {
    return state(
      "good",
      length < 0.3
        ? "Points of one meaning are together, and the clusters fill the space."
        : "Points of one meaning are together; the clusters still lean to one side.",
    );
  }
  if (same < 0.35 && same < other / 2 && other < 1)
    return state("on the way", "Partners have met; meanings are still crowded.");
  if (same > 0.75 * other && length < 0.35)
    return state(
      "on the way",
      "Points are spread, and meanings are mixed: a partner is as far as a stranger.",
    );
  if (crowded) return state("on the way", crowded);
  return state(
    "on the way",
    same < 0.6 * other
      ? "Partners are nearer than strangers: clusters form."
      : "Meanings are still mixed.",
  );
}

/**
 * Initial settings, each with the question that it answers. Settings that are not listed keep their
 * defaults.
 */
export const EXPERIMENTS = [
  {
    title: "Both forces",
    ask: "InfoNCE pulls partners together and pushes the rest apart: where do the colours end?",
    set: {},
  },
  { title: "Pull only", ask: "Nothing pushes. Will the cone open?", set: { push: 0 } },
  { title: "Push only", ask: "Nothing pulls. Will colours find each other?", set: { pull: 0 } },
  {
    title: "Cold",
    ask: "At τ = 0.03 only the nearest negatives push: look at the arrows.",
    set: { temperature: 0.03, step_size: 0.005 },
  },
  {
    title: "Hot",
    ask: "At τ = 1.5 all negatives push equally and weakly: what happens to the clusters?",
    set: { temperature: 1.5 },
  },
  {
    title: "Small batch",
    ask: "Eight points a step, seven negatives each: how noisy are loss and points?",
    set: { batch_size: 8 },
  },
  {
    title: "No false negatives",
    ask: "Points of one meaning do not push each other: how low can the loss go now?",
    set: { false_negatives: 0 },
  },
  {
    title: "No negatives",
    ask: "Partners only attract, and the target is held constant: does it collapse?",
    set: { objective: "no-negatives", step_size: 0.1 },
  },
  {
    title: "No stop-gradient",
    ask: "As before, but the target moves too: watch the uniformity.",
    set: { objective: "no-stop-gradient", step_size: 0.05 },
  },
];

// rows of the table
const SHOWN = 5;
// The minimum uniformity of 2, 3, ... 24 points on the sphere, found by descent and rounded down.
const EVEN = [
  -8, -6, -5.334, -4.443, -4.219, -3.734, -3.523, -3.34, -3.183, -3.041, -2.972, -2.864, -2.795,
  -2.733, -2.682, -2.637, -2.598, -2.562, -2.533, -2.506, -2.483, -2.46, -2.442,
];
// E exp(-2 |x - y|^2) of two random points on the sphere
const RANDOM_MEAN = (1 - Math.exp(-8)) / 8;

/** Update all texts and controls. */
export function words(lab) {
  const { world, parts } = lab;
  const { settings } = world;
  const limits = {
    batch_size: world.N,
    negatives: world.batch - 1,
    chosen: world.N - 1,
    meanings: world.N,
  };
  for (const one of parts.controls) one.show(settings, limits);
  const { values } = losses.eigen(losses.secondMoment(world.x, world.D), world.D);
  const { kind, text } = stateOf(world, spread(world, values));
  parts.says.textContent = text;
  parts.says.dataset.kind = kind;
  parts.canvas.setAttribute(
    "aria-label",
    `${counted(world.N, "point")} on the ${settings.shape}; point ${settings.chosen} is chosen. ` +
      "N and P choose another, Shift with an arrow key moves it, arrow keys turn the sphere, space plays.",
  );
  lab.formula(world);
  forces(world, parts, lab.scene.dark);
  if (!lab.typing) parts.text.value = lab.text;
  numbers(lab);
}

/** Update what changes at each step while it plays: step and curves. */
export function numbers({ world, parts, record }) {
  parts.count.textContent = `step ${world.step}`;
  parts.curves(record, world.measured, landmarks(world));
}

/** Uniformity of N points spread as evenly as possible, without pairs of a point with itself. */
export function even(N, D) {
  // from 25 points on, a lower bound
  if (D === 3) return EVEN[N - 2] ?? Math.log((N * RANDOM_MEAN - 1) / (N - 1));
  // on the circle a regular polygon is optimal
  let near = 0;
  for (let k = 1; k < N; k++) near += Math.exp(-8 * Math.sin((Math.PI * k) / N) ** 2);
  return Math.log(near / (N - 1));
}

/** Dashed reference lines of the curves: the title of a curve -> its value and name. */
function landmarks({ settings: s, now, N, D }) {
  const marks = {
    Alignment: { value: 2, name: "at random" },
    Uniformity: { value: even(N, D), name: "even" },
  };
  // only then the loss is a cross-entropy, and log of the number of candidates that of a guess
  const isCrossEntropy = s.objective === "infonce" && s.pull === 1 && s.push === 1;
  const candidates = 1 + now.counted / now.anchors.length;
  return isCrossEntropy
    ? { ...marks, Loss: { value: Math.log(candidates), name: "guessing" } }
    : marks;
}

/** Fill the table of forces on the chosen point. */
function forces(world, parts, dark) {
  const { wrong, counted } = world.now;
  const { chosen, objective } = world.settings;
  const share =
    counted && world.found.softmax
      ? `${Math.round((100 * wrong) / counted)} % of the negatives are false`
      : "";
  parts.who.replaceChildren(`Acting on point ${chosen}`, element("small", { text: share }));
  parts.share.textContent = objective === "infonce" ? "softmax" : "of push";
  const palette = colours(world.colours, dark);
  const most = Math.max(...world.forces.map((force) => force.share), 1e-9);
  const partner = world.forces.find(({ kind }) => kind === "pull")?.point;
  parts.forces.replaceChildren(
    ...world.forces.slice(0, SHOWN).map((force) => row(force, world, palette, most, partner)),
  );
}

/** A row of this table; `most` is the largest share, which fills its bar. */
function row({ point, kind, wrong, cosine, share }, world, palette, most, partner) {
  let role = wrong ? "false neg." : "negative";
  if (kind === "pull") role = "partner";
  else if (point === partner) role = "second view";
  // without a partner, a point is its own
  const who = point === world.settings.chosen ? "itself" : point;
  return element(
    "tr",
    {},
    element(
      "td",
      {},
      element("span", { class: "dot", style: `background: ${palette[world.meaning[point]]}` }),
      `${who}, ${role}`,
    ),
    element("td", { text: short(cosine) }),
    element("td", { text: share === null ? "–" : `${(100 * share).toFixed(1)} %` }),
    element(
      "td",
      { class: "bar" },
      element("i", { style: `width: ${(100 * (share ?? 0)) / most}%; background: var(--${kind})` }),
    ),
  );
}
