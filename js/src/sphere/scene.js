// The picture: points on a ring or a globe, and the forces on the chosen point.

import { nearestDot, penOf } from "../shared/cloud.js";
import { colour, outline } from "../shared/palette.js";

// Vectors are arrays of 2 or 3 numbers.
const dot = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);
const scaled = (a, factor) => a.map((value) => value * factor);
const plus = (a, b, factor = 1) => a.map((value, d) => value + factor * b[d]);
const unit = (a) => scaled(a, 1 / Math.max(Math.hypot(...a), 1e-12));

// factor by which an arrow is longer than the point's move
const EXAGGERATED = 9;
// maximum length of an arrow in radians
const LONGEST = 0.75;
// points that push, to which curves are drawn
const PUSHERS = 5;
// pixels in which the pointer finds a point
const REACH = 14;
// names of the style sheet's colours
const INKS = ["ink", "rule", "ball", "shade", "ground", "pull", "push"];

/** The view of the points, and what the canvas shows. A position is a unit vector. */
export class Scene {
  constructor(canvas) {
    this.canvas = canvas;
    // angles of the view: around the axis, and above the equator
    this.yaw = 0.5;
    this.pitch = 0.8;
    this.lifts = new Float64Array(0);
    this.spots = [];
  }

  /** Read the theme's colours. */
  theme(dark) {
    const style = getComputedStyle(this.canvas);
    this.dark = dark;
    this.colours = {};
    for (const name of INKS) this.colours[name] = style.getPropertyValue(`--${name}`).trim();
  }

  /** Turn the sphere by two angles. */
  turn(around, up) {
    this.yaw += around;
    this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + up));
  }

  /** Unit vectors of the view: right, up, towards the reader. */
  axes() {
    const { yaw, pitch } = this;
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    const right = [-sy, cy, 0];
    return [right, [-sp * cy, -sp * sy, cp], [cp * cy, cp * sy, sp]];
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
    const [a, b] = [(x - this.width / 2) / this.radius, (this.height / 2 - y) / this.radius];
    if (this.D === 2) return unit([a, b]);
    const [right, up, out] = this.axes();
    const depth = Math.sqrt(Math.max(0, 1 - a * a - b * b));
    return unit(plus(plus(scaled(right, a), up, b), out, depth));
  }

  /** The point drawn nearest to a screen position; -1 if there is none. */
  find(x, y) {
    const near = [...this.spots.entries()].filter(([, [, , depth]]) => depth >= 0);
    const front = nearestDot(near, x, y, REACH);
    return front >= 0 ? front : nearestDot(this.spots.entries(), x, y, REACH);
  }

  /** Draw a world; returns whether points are still moving to their places above the ring. */
  draw(world) {
    this.D = world.D;
    this.view = this.axes();
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.pen = penOf(this.canvas, this.width, this.height);
    const room = Math.min(this.width, this.height) / 2;
    this.radius = Math.max(20, this.D === 2 ? room * 0.72 : room - 14);
    this.rows = Array.from({ length: world.N }, (_, i) => world.row(i));
    const isMoving = this.lift();
    this.spots = this.rows.map((p, i) => this.place(p, this.lifts[i]));
    this.body();
    this.bows(world);
    this.points(world);
    this.arrows(world);
    return isMoving;
  }

  /** On the ring, stack points at one position outwards, so that all are visible. */
  lift() {
    const N = this.rows.length;
    if (this.lifts.length !== N) this.lifts = new Float64Array(N);
    const wide = 11 / this.radius;
    const cells = Math.max(8, Math.floor((2 * Math.PI) / wide));
    const tops = new Map();
    const levels = this.rows.map(([x, y]) => {
      if (this.D === 3) return 0;
      const cell = Math.floor((Math.atan2(y, x) / (2 * Math.PI) + 1) * cells) % cells;
      const level = tops.get(cell) ?? 0;
      tops.set(cell, level + 1);
      return level;
    });
    const step = Math.min(wide, 0.34 / Math.max(...levels, 1));
    const gaps = levels.map((level, i) => level * step - this.lifts[i]);
    // a part of the way in each frame, because a point that jumps cannot be followed
    for (const [i, gap] of gaps.entries()) this.lifts[i] += 0.35 * gap;
    return gaps.some((gap) => Math.abs(gap) > 1e-3);
  }

  /** Draw the ring or the ball. */
  body() {
    const { pen, radius, colours } = this;
    const [cx, cy] = [this.width / 2, this.height / 2];
    pen.lineWidth = 1;
    pen.strokeStyle = colours.rule;
    pen.beginPath();
    pen.arc(cx, cy, radius, 0, 2 * Math.PI);
    if (this.D === 3) {
      const light = [cx - radius * 0.35, cy - radius * 0.4, radius * 0.1];
      const shade = pen.createRadialGradient(...light, cx, cy, radius);
      shade.addColorStop(0, colours.ball);
      shade.addColorStop(1, colours.shade);
      pen.fillStyle = shade;
      pen.fill();
    }
    pen.stroke();
    if (this.D === 3) this.graticule();
  }

  /** Draw three great circles and two parallels, faint on the far side. */
  graticule() {
    const { cos, sin } = Math;
    this.circle((t) => [cos(t), sin(t), 0]);
    for (const turn of [0, Math.PI / 3, (2 * Math.PI) / 3])
      this.circle((t) => [cos(t) * cos(turn), cos(t) * sin(turn), sin(t)]);
    for (const z of [0.6, -0.6]) this.circle((t) => [0.8 * cos(t), 0.8 * sin(t), z]);
    this.pen.globalAlpha = 1;
  }

  /** Draw a circle on the ball; `at` gives its points by angle. */
  circle(at) {
    const spots = Array.from({ length: 73 }, (_, k) => this.place(at((k / 36) * Math.PI)));
    for (const isNear of [false, true]) {
      this.pen.globalAlpha = isNear ? 0.9 : 0.3;
      this.pen.beginPath();
      spots.slice(1).forEach(([x, y, depth], k) => {
        if (depth >= 0 !== isNear) return;
        this.pen.moveTo(spots[k][0], spots[k][1]);
        this.pen.lineTo(x, y);
      });
      this.pen.stroke();
    }
  }

  /** Draw a line through places. */
  line(spots) {
    this.pen.beginPath();
    for (const [x, y] of spots) this.pen.lineTo(x, y);
    this.pen.stroke();
  }

  /** The shortest path on the sphere; on the ring a chord, which does not cross stacked points. */
  bow(from, to) {
    const path = Array.from({ length: 17 }, (_, k) => plus(scaled(from, 1 - k / 16), to, k / 16));
    this.line(path.map((p) => this.place(this.D === 2 ? p : unit(p))));
  }

  /** Curves between the two points of each meaning, and from the chosen point to those that act. */
  bows(world) {
    const { pen, rows, colours } = this;
    const { settings } = world;
    const { chosen } = settings;
    // grey, because colours of lines are those of forces
    pen.lineWidth = 1.2;
    pen.globalAlpha = 0.4;
    pen.strokeStyle = colours.ink;
    for (let i = 0; world.N === 2 * world.colours && i < world.N; i += 2)
      this.bow(rows[i], rows[i + 1]);
    for (const { point, kind, share } of world.forces.slice(0, PUSHERS + 1)) {
      if (point === chosen || settings[kind] === 0) continue;
      const isPull = kind === "pull";
      pen.strokeStyle = colours[kind];
      pen.lineWidth = isPull ? 2 : 0.8 + 4 * share;
      pen.globalAlpha = isPull ? 0.9 : 0.35 + 0.5 * share;
      pen.setLineDash(isPull ? [] : [4, 3]);
      this.bow(rows[chosen], rows[point]);
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  /** Draw the points, the farthest first; those outside the batch are faint. */
  points(world) {
    const { pen, spots, colours } = this;
    const inBatch = new Set(world.now.anchors);
    const least = Math.max(3.2, Math.min(6, 40 / Math.sqrt(world.N)));
    const size = least * Math.max(1, this.radius / 300);
    const order = spots.map((_, i) => i).sort((a, b) => spots[a][2] - spots[b][2]);
    for (const i of order) {
      const [x, y, depth] = spots[i];
      pen.save();
      pen.translate(x, y);
      pen.scale(size, size);
      pen.lineWidth = 1 / size;
      pen.globalAlpha = (depth >= 0 ? 1 : 0.32) * (inBatch.has(i) ? 1 : 0.45);
      pen.fillStyle = colour(world.meaning[i], this.dark);
      pen.strokeStyle = colours.ground;
      const shape = new Path2D(outline(world.meaning[i]));
      pen.fill(shape);
      pen.stroke(shape);
      pen.restore();
    }
    const [x, y, depth] = spots[world.settings.chosen];
    pen.globalAlpha = depth >= 0 ? 1 : 0.5;
    pen.lineWidth = 2.2;
    pen.strokeStyle = colours.ink;
    pen.beginPath();
    pen.arc(x, y, size + 4, 0, 2 * Math.PI);
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** The chosen point's next move: push, pull, and both together. */
  arrows(world) {
    const { pull, push } = world.chosenMove;
    const from = this.rows[world.settings.chosen];
    for (const [move, name, width] of [
      [push, "push", 3],
      [pull, "pull", 3],
      [plus(pull, push), "ink", 4],
    ]) {
      const along = plus(move, from, -dot(move, from));
      const length = Math.hypot(...along) * world.settings.step_size;
      const angle = LONGEST * (1 - Math.exp((-EXAGGERATED * length) / LONGEST));
      this.arrow(world.settings.chosen, unit(along), angle, this.colours[name], width);
    }
  }

  /** An arrow along the sphere from a point, `angle` radians in direction `way`. */
  arrow(point, way, angle, shade, wide) {
    const { pen } = this;
    const spots = Array.from({ length: 11 }, (_, k) => {
      const turn = (angle * k) / 10;
      const p = plus(scaled(this.rows[point], Math.cos(turn)), way, Math.sin(turn));
      return this.place(p, this.lifts[point]);
    });
    const [start, before, tip] = [spots[0], spots[8], spots[10]];
    const length = Math.hypot(tip[0] - start[0], tip[1] - start[1]);
    // too short to be visible next to its point
    if (length < 5) return;
    const head = Math.min(6 + wide, length / 2);
    const heading = Math.atan2(tip[1] - before[1], tip[0] - before[0]);
    const sides = [-0.5, 0.5].map((side) => [
      tip[0] - head * Math.cos(heading + side),
      tip[1] - head * Math.sin(heading + side),
    ]);
    pen.lineCap = pen.lineJoin = "round";
    for (const [ink, width] of [
      [this.colours.ground, wide + 2.5],
      [shade, wide],
    ]) {
      pen.strokeStyle = ink;
      pen.lineWidth = width;
      this.line(spots);
      this.line([sides[0], tip, sides[1]]);
    }
  }
}
