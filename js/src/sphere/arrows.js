// What acts on the chosen point, drawn over the picture: bows to who pulls and pushes it, arrows of where it is moved to.

import { dot, plus, scaled, unit } from "./vectors.js";

const EXAGGERATED = 9; // an arrow is so many times as long as the move it stands for
const LONGEST = 0.75; // radians

/** Thin bows from the chosen point to who pulls it and to the five who push it most. */
export function bows(scene, world) {
  const { pen } = scene, chosen = world.settings.chosen;
  if (world.N === 2 * world.colours) pairs(scene, world);
  for (const { point, kind, share } of world.forces.slice(0, 6)) {
    if (point === chosen) continue;
    pen.strokeStyle = kind === "pull" ? scene.ink.pull : scene.ink.push;
    pen.lineWidth = kind === "pull" ? 2 : 0.8 + 4 * share;
    pen.globalAlpha = kind === "pull" ? 0.9 : 0.35 + 0.5 * share;
    pen.setLineDash(kind === "pull" ? [] : [4, 3]);
    pen.beginPath();
    bow(scene, scene.rows[chosen], scene.rows[point]);
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** Where each point has one partner, a line joins the two. */
function pairs(scene, world) {
  scene.pen.lineWidth = 1.2;
  scene.pen.globalAlpha = 0.55;
  for (let i = 0; i < world.N; i += 2) {
    scene.pen.strokeStyle = scene.palette[world.meaning[i]];
    scene.pen.beginPath();
    bow(scene, scene.rows[i], scene.rows[i + 1]);
    scene.pen.stroke();
  }
  scene.pen.globalAlpha = 1;
}

/** The shortest way along the sphere; on the ring a chord, which stays clear of the pile. */
function bow(scene, from, to) {
  for (let k = 0; k <= 16; k++) {
    const p = plus(scaled(from, 1 - k / 16), to, k / 16), [x, y] = scene.place(scene.D === 2 ? p : unit(p));
    if (k === 0) scene.pen.moveTo(x, y);
    else scene.pen.lineTo(x, y);
  }
}

/** Pull, push and their sum at the chosen point, each as long as the move that it would cause, enlarged. */
export function arrows(scene, world) {
  const { chosen } = world.settings, from = scene.rows[chosen];
  const { pull, push } = world.chosenMove, lift = scene.lifts[chosen];
  for (const [move, colour, wide] of [[push, scene.ink.push, 3], [pull, scene.ink.pull, 3], [plus(pull, push), scene.ink.text, 4]]) {
    const along = plus(move, from, -dot(move, from)), length = Math.hypot(...along) * world.settings.step_size;
    if (length < 2e-4) continue;
    arrow(scene, from, unit(along), LONGEST * (1 - Math.exp((-EXAGGERATED * length) / LONGEST)), colour, wide, lift);
  }
}

function arrow(scene, from, way, angle, colour, wide, lift) {
  const { pen } = scene, spots = [];
  for (let k = 0; k <= 10; k++) {
    const turn = (angle * k) / 10;
    spots.push(scene.place(plus(scaled(from, Math.cos(turn)), way, Math.sin(turn)), lift));
  }
  const [tip, before] = [spots[10], spots[8]], length = Math.hypot(tip[0] - spots[0][0], tip[1] - spots[0][1]);
  const head = Math.min(6 + wide, length / 2);
  if (length < 5) return; // too short to be seen beside its point
  const heading = Math.atan2(tip[1] - before[1], tip[0] - before[0]);
  for (const [colouring, width] of [[scene.ink.back, wide + 2.5], [colour, wide]]) {
    pen.strokeStyle = pen.fillStyle = colouring;
    pen.lineWidth = width;
    pen.lineCap = pen.lineJoin = "round";
    pen.beginPath();
    spots.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
    pen.beginPath();
    for (const side of [-0.5, 0.5]) {
      pen.moveTo(tip[0], tip[1]);
      pen.lineTo(tip[0] - head * Math.cos(heading + side), tip[1] - head * Math.sin(heading + side));
    }
    pen.stroke();
  }
}
