// The texts next to the picture: what state the points are in, and who acts on the chosen point; and
// the experiments offered at the start.

import { element } from "../shared/dom.js";
import { colour, marker } from "../shared/palette.js";
import { brief, counted } from "../shared/text.js";

/** Initial settings and the question that they answer; other settings keep their defaults. */
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
];

/** An angle in degrees. */
const degrees = (angle) => `${Math.round((angle * 180) / Math.PI)}°`;

/** Length of the mean point, and the largest angle to it. */
function spread({ D, N, x }) {
  const mean = new Float64Array(D);
  for (let i = 0; i < N; i++) for (let d = 0; d < D; d++) mean[d] += x[i * D + d] / N;
  const length = Math.hypot(...mean);
  let farthest = 0;
  for (let i = 0; i < N; i++) {
    let cosine = 0;
    for (let d = 0; d < D; d++) cosine += (x[i * D + d] * mean[d]) / Math.max(length, 1e-12);
    farthest = Math.max(farthest, Math.acos(Math.min(1, Math.max(-1, cosine))));
  }
  return { length, farthest };
}

/** What the mean angles of partners and of strangers mean. `kind`: "collapsed", "good" or "on the way". */
function stateOf(world, { same, other }) {
  const { length, farthest } = spread(world);
  const state = (kind, text) => ({ kind, text });
  if (farthest < 0.14 && world.N > 2)
    return state("collapsed", `Collapsed: all lie within ${degrees(farthest)} of one direction.`);
  if (same < 0.35 && other > 1.2)
    return state("good", "Points of one meaning are together, and the clusters fill the space.");
  const isClustered = same < 0.6 * other;
  if (length > 0.8 && isClustered)
    return state("on the way", "Partners are nearer than strangers, but all are still in a cone.");
  if (length > 0.8)
    return state("on the way", "All points crowd into a cone, whatever their meaning.");
  if (isClustered) return state("on the way", "Partners are nearer than strangers: clusters form.");
  return state("on the way", "Points are spread, and meanings are mixed.");
}

/** The sentences below the picture, the formula, the table, and all controls. */
export function words(lab) {
  const { world, parts } = lab;
  const { settings } = world;
  const limits = {
    batch_size: world.N,
    negatives: world.batch - 1,
    chosen: world.N - 1,
    meanings: world.N,
  };
  for (const control of parts.controls) control.show(settings, limits);
  // a force without weight does not act
  for (const force of ["pull", "push"]) parts[force].toggleAttribute("data-off", !settings[force]);
  const angles = world.angles();
  const { kind, text } = stateOf(world, angles);
  const partners = Number.isNaN(angles.same) ? "noisy copies" : degrees(angles.same);
  const strangers = Number.isNaN(angles.other) ? "none" : degrees(angles.other);
  parts.says.textContent = `Angle of partners ${partners}, of strangers ${strangers}. ${text}`;
  parts.says.dataset.kind = kind;
  parts.canvas.setAttribute(
    "aria-label",
    `${counted(world.N, "point")} on the ${settings.shape}; point ${settings.chosen} is chosen. ` +
      "N and P choose another, Shift with an arrow key moves it, arrow keys turn the sphere, space plays.",
  );
  lab.formula(world);
  forces(world, parts, lab.dark);
  if (document.activeElement !== parts.text) parts.text.value = lab.text;
  numbers(lab);
}

/** What changes at each step while it plays: step and curves. */
export function numbers({ world, parts, record, curves }) {
  parts.count.textContent = `step ${world.step}`;
  curves(record, world.measured);
}

// rows of the table
const SHOWN = 5;

/** Fill the table of forces on the chosen point. */
function forces(world, parts, dark) {
  const { objective, chosen } = world.settings;
  parts.who.textContent = `Acting on point ${chosen}`;
  parts.share.textContent = objective === "infonce" ? "softmax" : "of push";
  const rows = world.forces.slice(0, SHOWN).map((force) => {
    const { point, kind, role, cosine, share, times } = force;
    const sign = marker(world.meaning[point], colour(world.meaning[point], dark));
    // without a partner, a point is its own
    const who = element(
      "td",
      {},
      sign,
      ` ${point === chosen ? "itself" : point}, ${role}${times > 1 ? ` ×${times}` : ""}`,
    );
    const percent = share === null ? "–" : `${(100 * share).toFixed(1)} %`;
    const bar = `--share: ${100 * (share ?? 0)}%`;
    const cell = element("td", { class: `bar ${kind}`, style: bar, text: percent });
    return element("tr", {}, who, element("td", { text: brief(cosine) }), cell);
  });
  parts.forces.replaceChildren(...rows);
}
