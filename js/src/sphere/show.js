// What stands beside the picture: words, the controls, the curves and the table of who acts on the chosen point.

import * as losses from "./losses.js";
import { colours } from "./scene.js";
import { happening, short, spread } from "./words.js";
import { counted } from "../shared/counted.js";

const SHOWN = 5; // rows of the table
// The least uniformity that 2, 3, ... 24 points on the sphere can have, found by descent; rounded down.
const EVEN = [-8, -6, -5.334, -4.443, -4.219, -3.734, -3.523, -3.34, -3.183, -3.041, -2.972, -2.864, -2.795, -2.733, -2.682,
  -2.637, -2.598, -2.562, -2.533, -2.506, -2.483, -2.46, -2.442];
const ALL_OVER = (1 - Math.exp(-8)) / 8; // E exp(-2 |x - y|^2) of two points anywhere on the sphere

/** All of it, as the lab's world is now. */
export function words(lab) {
  const { world, parts } = lab, { settings } = world;
  const limits = { batch_size: world.N, negatives: world.batch - 1, chosen: world.N - 1, meanings: world.N };
  for (const one of parts.controls) one.show(settings, limits);
  const { values } = losses.eigen(losses.secondMoment(world.x, world.D), world.D);
  const { kind, text } = happening(world, spread(world, values));
  parts.says.textContent = text;
  parts.says.dataset.kind = kind;
  parts.canvas.setAttribute("aria-label", `${counted(world.N, "point")} on the ${settings.shape}; point ${settings.chosen} is chosen. ` +
    "N and P choose another, Shift with an arrow key moves it, arrow keys turn the sphere, space plays.");
  lab.formula(world);
  forces(world, parts, lab.scene.dark);
  if (!lab.typing) parts.text.value = lab.text;
  numbers(lab);
}

/** What changes with every step. */
export function numbers({ world, parts, record, scene }) {
  parts.count.textContent = `step ${world.step}`;
  parts.curves(record, world.measured, scene.ink, landmarks(world));
}

/** Uniformity of N points spread as evenly as they can be; pairs of a point with itself do not count in it. */
export function even(N, D) {
  if (D === 3) return EVEN[N - 2] ?? Math.log((N * ALL_OVER - 1) / (N - 1)); // a bound, and from 25 points on the least
  let near = 0; // on the circle a regular polygon is best
  for (let k = 1; k < N; k++) near += Math.exp(-8 * Math.sin((Math.PI * k) / N) ** 2);
  return Math.log(near / (N - 1));
}

/** Dashed lines to read the curves by, a curve's title to value and name. */
function landmarks({ settings: s, now, N, D }) {
  const marks = { Alignment: { value: 2, name: "at random" }, Uniformity: { value: even(N, D), name: "even" } };
  const usual = s.objective === "infonce" && s.pull === 1 && s.push === 1;
  const seen = 1 + now.counted / now.anchors.length;
  return usual ? { ...marks, Loss: { value: Math.log(seen), name: "guessing" } } : marks;
}

function cell(text, className = "") {
  return Object.assign(document.createElement("td"), { textContent: text, className });
}

/** Fill the table: the partner first, then the negatives that push most. */
function forces(world, parts, dark) {
  const { wrong, counted } = world.now, { chosen, objective } = world.settings, told = document.createElement("small");
  told.textContent = counted && world.found.softmax ? `${Math.round((100 * wrong) / counted)} % of all are false` : "";
  parts.who.replaceChildren(`Acting on point ${chosen}`, told);
  parts.share.textContent = objective === "infonce" ? "softmax" : "of push";
  const palette = colours(world.colours, dark), most = Math.max(...world.forces.map((force) => force.share), 1e-9);
  parts.forces.replaceChildren(...world.forces.slice(0, SHOWN).map((force) => row(force, world, palette, most)));
}

function row({ point, kind, wrong, cosine, share }, world, palette, most) {
  const made = document.createElement("tr"), who = cell(""), bar = cell("", "bar"), dot = document.createElement("span");
  const role = kind === "pull" ? "partner" : wrong ? "false neg." : "negative";
  dot.className = "dot";
  dot.style.background = palette[world.meaning[point]];
  // alone in its meaning, a point is its own partner
  who.append(dot, `${point === world.settings.chosen ? "itself" : point}, ${role}`);
  const line = document.createElement("i");
  line.style.width = `${(100 * (share ?? 0)) / most}%`;
  line.style.background = `var(--${kind})`;
  bar.append(line);
  made.append(who, cell(short(cosine)), cell(share === null ? "–" : `${(100 * share).toFixed(1)} %`), bar);
  return made;
}
