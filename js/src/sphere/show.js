// What stands beside the picture: words, the controls, the curves and the table of who acts on the chosen point.

import * as losses from "./losses.js";
import { colours } from "./scene.js";
import { happening, short, spread } from "./words.js";

const SHOWN = 5; // rows of the table
const EVEN = { 2: -1.576, 3: -2.079 }; // uniformity of points spread evenly, by dimensions: log E exp(-2 |x - y|^2)

/** All of it, as the lab's world is now. */
export function words(lab) {
  const { world, parts } = lab, { settings } = world;
  const limits = { batch_size: world.N, negatives: world.batch - 1, chosen: world.N - 1, meanings: world.N };
  for (const one of parts.controls) one.show(settings, limits);
  const { values } = losses.eigen(losses.secondMoment(world.x, world.D), world.D);
  const { kind, text } = happening(world, spread(world, values));
  parts.says.textContent = text;
  parts.says.dataset.kind = kind;
  parts.canvas.setAttribute("aria-label", `${world.N} points on the ${settings.shape}; point ${settings.chosen} is chosen. ` +
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

/** Dashed lines to read the curves by, a curve's title to value and name. */
function landmarks({ settings: s, now, D }) {
  const marks = { Alignment: { value: 2, name: "at random" }, Uniformity: { value: EVEN[D], name: "even" } };
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
