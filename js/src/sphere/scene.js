// The picture: points on a ring or a globe, their trails, and the forces on the chosen point.

import { penOf } from "../shared/cloud.js";

// Vectors are arrays of 2 or 3 numbers.
const dot = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);
const scaled = (a, factor) => a.map((value) => value * factor);
const plus = (a, b, factor = 1) => a.map((value, d) => value + factor * b[d]);
const unit = (a) => scaled(a, 1 / Math.max(Math.hypot(...a), 1e-12));

// factor by which an arrow is longer than the point's move
const EXAGGERATED = 9;
// maximum length of an arrow in radians
const LONGEST = 0.75;

/**
 * Thin curves from the chosen point to its partner, which pulls, and to the five points that push
 * it most.
 */
function bows(scene, world) {
  const { pen } = scene;
  const chosen = world.settings.chosen;
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

/** If each meaning has two points, connect them. */
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

/**
 * The shortest path on the sphere; on the ring a chord, which does not cross the stacked points.
 */
function bow(scene, from, to) {
  for (let k = 0; k <= 16; k++) {
    const p = plus(scaled(from, 1 - k / 16), to, k / 16);
    const [x, y] = scene.place(scene.D === 2 ? p : unit(p));
    if (k === 0) scene.pen.moveTo(x, y);
    else scene.pen.lineTo(x, y);
  }
}

/** The chosen point's next move: push, pull, and both together. */
function arrows(scene, world) {
  const { chosen } = world.settings;
  const from = scene.rows[chosen];
  const { pull, push } = world.chosenMove;
  const lift = scene.lifts[chosen];
  for (const [move, colour, wide] of [
    [push, scene.ink.push, 3],
    [pull, scene.ink.pull, 3],
    [plus(pull, push), scene.ink.text, 4],
  ]) {
    const along = plus(move, from, -dot(move, from));
    const length = Math.hypot(...along) * world.settings.step_size;
    if (length < 2e-4) continue;
    arrow(
      scene,
      from,
      unit(along),
      LONGEST * (1 - Math.exp((-EXAGGERATED * length) / LONGEST)),
      colour,
      wide,
      lift,
    );
  }
}

/** An arrow along the sphere from a point, `angle` radians in direction `way`. */
function arrow(scene, from, way, angle, colour, wide, lift) {
  const { pen } = scene;
  const spots = [];
  for (let k = 0; k <= 10; k++) {
    const turn = (angle * k) / 10;
    spots.push(scene.place(plus(scaled(from, Math.cos(turn)), way, Math.sin(turn)), lift));
  }
  const [tip, before] = [spots[10], spots[8]];
  const length = Math.hypot(tip[0] - spots[0][0], tip[1] - spots[0][1]);
  const head = Math.min(6 + wide, length / 2);
  // too short to be visible next to its point
  if (length < 5) return;
  const heading = Math.atan2(tip[1] - before[1], tip[0] - before[0]);
  for (const [colouring, width] of [
    [scene.ink.back, wide + 2.5],
    [colour, wide],
  ]) {
    pen.strokeStyle = pen.fillStyle = colouring;
    pen.lineWidth = width;
    pen.lineCap = pen.lineJoin = "round";
    pen.beginPath();
    for (const [x, y] of spots) pen.lineTo(x, y);
    pen.stroke();
    pen.beginPath();
    for (const side of [-0.5, 0.5]) {
      pen.moveTo(tip[0], tip[1]);
      pen.lineTo(
        tip[0] - head * Math.cos(heading + side),
        tip[1] - head * Math.sin(heading + side),
      );
    }
    pen.stroke();
  }
}

// positions stored of a point's trail
const TRAIL = 14;

/** Colours of `count` meanings, evenly spaced or, if there are many, by the golden angle. */
export function colours(count, dark) {
  return Array.from({ length: count }, (_, k) => {
    const hue = count <= 12 ? (25 + (360 * k) / count) % 360 : (25 + 137.508 * k) % 360;
    return `oklch(${dark ? 0.76 : 0.6} ${dark ? 0.14 : 0.17} ${hue.toFixed(1)})`;
  });
}

/** The view of the points, and what the canvas shows. A position is a unit vector. */
export class Scene {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    // angles of the view: around the axis, and above the equator
    this.yaw = 0.5;
    this.pitch = 0.8;
    this.lifts = new Float64Array(0);
    this.trails = [];
    this.theme();
  }

  /** Read the theme's colours. */
  theme() {
    const style = getComputedStyle(this.canvas);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    this.ink = {
      text: of("text"),
      muted: of("muted"),
      line: of("line"),
      ball: of("ball"),
      edge: of("edge"),
      back: of("back"),
      accent: of("accent"),
      pull: of("pull"),
      push: of("push"),
      font: style.fontFamily,
    };
    this.dark = of("dark") === "1";
  }

  /** Fit the canvas to its element. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    penOf(this.canvas, width, height);
    Object.assign(this, { width, height });
    const room = Math.min(width, height) / 2;
    this.radius = Math.max(20, this.D === 2 ? room * 0.72 : room - 14);
  }

  /** Unit vectors of the view: right, up, towards the reader. */
  axes() {
    const { yaw, pitch } = this;
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return [
      [-sy, cy, 0],
      [-sp * cy, -sp * sy, cp],
      [cp * cy, cp * sy, sp],
    ];
  }

  /** Project a direction: x, y in pixels and depth (positive towards the reader). */
  place(p, lift = 0) {
    const far = this.radius * (1 + lift);
    const [cx, cy] = [this.width / 2, this.height / 2];
    if (this.D === 2) return [cx + far * p[0], cy - far * p[1], 1];
    const [right, up, out] = this.view;
    return [cx + far * dot(p, right), cy - far * dot(p, up), dot(p, out)];
  }

  /** The direction at a screen position, on the near side. */
  direction(x, y) {
    let [a, b] = [(x - this.width / 2) / this.radius, (this.height / 2 - y) / this.radius];
    if (this.D === 2) return unit([a, b]);
    const length = Math.hypot(a, b);
    if (length > 1) [a, b] = [a / length, b / length];
    const c = Math.sqrt(Math.max(0, 1 - a * a - b * b));
    const [right, up, out] = this.axes();
    return unit(plus(plus(scaled(right, a), up, b), out, c));
  }

  /** Forget all trails. */
  clear() {
    this.trails = [];
  }

  /** Draw a world with its points at `x` (interpolated between two steps while playing). */
  draw(world, x, { trails = true } = {}) {
    this.D = world.D;
    this.view = this.axes();
    this.fit();
    const row = (i) => Array.from(x.subarray(i * world.D, (i + 1) * world.D));
    this.rows = Array.from({ length: world.N }, (_, i) => row(i));
    this.palette = colours(world.colours, this.dark);
    this.lift();
    this.spots = this.rows.map((p, i) => this.place(p, this.lifts[i]));
    this.body();
    if (trails) this.trail();
    bows(this, world);
    this.points(world);
    arrows(this, world);
  }

  /** On the ring, stack points at one position outwards, so that all are visible. */
  lift() {
    const N = this.rows.length;
    if (this.lifts.length !== N) this.lifts = new Float64Array(N);
    if (this.D !== 2) return void this.lifts.fill(0);
    const wide = 11 / this.radius;
    const tops = new Map();
    const levels = new Int32Array(N);
    const cells = Math.max(8, Math.floor((2 * Math.PI) / wide));
    for (let i = 0; i < N; i++) {
      const cell =
        Math.floor((Math.atan2(this.rows[i][1], this.rows[i][0]) / (2 * Math.PI) + 1) * cells) %
        cells;
      levels[i] = tops.get(cell) ?? 0;
      tops.set(cell, levels[i] + 1);
    }
    const most = Math.max(...levels, 1);
    const step = Math.min(wide, 0.34 / most);
    for (let i = 0; i < N; i++) this.lifts[i] += 0.35 * (levels[i] * step - this.lifts[i]);
  }

  /** Draw the ring or the ball. */
  body() {
    const { pen, radius, ink } = this;
    const [cx, cy] = [this.width / 2, this.height / 2];
    pen.lineWidth = 1;
    pen.beginPath();
    pen.arc(cx, cy, radius, 0, 2 * Math.PI);
    if (this.D === 3) {
      const shade = pen.createRadialGradient(
        cx - radius * 0.35,
        cy - radius * 0.4,
        radius * 0.1,
        cx,
        cy,
        radius,
      );
      shade.addColorStop(0, ink.ball);
      shade.addColorStop(1, ink.edge);
      pen.fillStyle = shade;
      pen.fill();
    }
    pen.strokeStyle = ink.line;
    pen.stroke();
    if (this.D === 3) this.graticule();
  }

  /** Draw three great circles and two parallels, faint on the far side. */
  graticule() {
    const { pen } = this;
    const line = (at) => {
      for (const near of [false, true]) {
        pen.globalAlpha = near ? 0.9 : 0.3;
        pen.beginPath();
        let open = false;
        for (let k = 0; k <= 72; k++) {
          const [x, y, depth] = this.place(at((k / 36) * Math.PI));
          if (depth >= 0 !== near) open = false;
          else if (open) pen.lineTo(x, y);
          else {
            pen.moveTo(x, y);
            open = true;
          }
        }
        pen.stroke();
      }
      pen.globalAlpha = 1;
    };
    const { cos, sin } = Math;
    line((t) => [cos(t), sin(t), 0]);
    for (const turn of [0, Math.PI / 3, (2 * Math.PI) / 3])
      line((t) => [cos(t) * cos(turn), cos(t) * sin(turn), sin(t)]);
    for (const z of [0.6, -0.6]) line((t) => [0.8 * cos(t), 0.8 * sin(t), z]);
  }

  /** Draw where points were at the last frames, older parts fainter. */
  trail() {
    const { pen, trails } = this;
    trails.push(this.rows);
    if (trails.length > TRAIL) trails.shift();
    pen.strokeStyle = this.ink.muted;
    for (let age = 1; age < trails.length; age++) {
      if (trails[age].length !== this.rows.length || trails[age - 1].length !== this.rows.length)
        continue;
      pen.globalAlpha = (0.32 * age) / trails.length;
      pen.beginPath();
      for (let i = 0; i < this.rows.length; i++) {
        const [x0, y0, d0] = this.place(trails[age - 1][i]);
        const [x1, y1, d1] = this.place(trails[age][i]);
        if (d0 < 0 || d1 < 0 || Math.abs(x0 - x1) + Math.abs(y0 - y1) < 0.3) continue;
        pen.moveTo(x0, y0);
        pen.lineTo(x1, y1);
      }
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  /** Draw the points, the farthest first; those outside the batch are faint. */
  points(world) {
    const { pen, spots } = this;
    const chosen = world.settings.chosen;
    const inBatch = new Set(world.now.anchors);
    const size =
      Math.max(3.2, Math.min(6, 40 / Math.sqrt(world.N))) * Math.max(1, this.radius / 300);
    const order = spots.map((_, i) => i).sort((a, b) => spots[a][2] - spots[b][2]);
    for (const i of order) {
      const [x, y, depth] = spots[i];
      const near = depth >= 0;
      pen.globalAlpha = (near ? 1 : 0.32) * (inBatch.has(i) ? 1 : 0.45);
      pen.beginPath();
      pen.arc(x, y, size * (this.D === 2 ? 1 : 0.8 + 0.2 * depth), 0, 2 * Math.PI);
      pen.fillStyle = this.palette[world.meaning[i]];
      pen.fill();
      pen.lineWidth = 1;
      pen.strokeStyle = this.ink.back;
      pen.stroke();
      if (i === chosen || i === this.hovered) {
        pen.globalAlpha = near ? 1 : 0.5;
        pen.beginPath();
        pen.arc(x, y, size + 4, 0, 2 * Math.PI);
        pen.lineWidth = i === chosen ? 2.2 : 1.2;
        pen.strokeStyle = this.ink.text;
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }

  /**
   * The point drawn nearest to a screen position, the nearer to the reader first; -1 if there is
   * none.
   */
  find(x, y) {
    let best = -1;
    let least = 14;
    this.spots?.forEach(([px, py, depth], i) => {
      const gap = Math.hypot(px - x, py - y) + (depth < 0 ? 5 : 0);
      if (gap < least) [least, best] = [gap, i];
    });
    return best;
  }
}
