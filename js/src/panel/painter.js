// Draws a cloud on its canvas: dots, tails, tracks, links, rings, labels, forces.

import { penOf } from "../shared/cloud.js";
import { colour, outline } from "../shared/palette.js";
import { cut } from "../shared/text.js";

// radius of a dot in pixels
const RADIUS = 4;
// maximum characters of a label
const LONGEST = 32;
// opacity of what belongs to another moment
const FAINT = 0.4;
// forces drawn of each kind, the strongest first
const STRONGEST = 8;

/** Draws the scene of a cloud; what is drawn later is on top. */
export class Painter {
  constructor(cloud) {
    this.cloud = cloud;
    this.pen = cloud.canvas.getContext("2d");
    this.sprites = new Map();
  }

  /** Draw everything; `place(x, y)` maps positions to pixels. */
  paint(place) {
    const { cloud } = this;
    const { canvas, width, height, scene } = cloud;
    penOf(canvas, width, height);
    this.dense = globalThis.devicePixelRatio || 1;
    const count = cloud.at.length / 2;
    this.tails(place, scene, count);
    this.tracks(place, scene);
    this.links(scene);
    this.dots(scene, count);
    this.marks(scene);
    if (scene.forces) this.forces(scene);
    this.ownDots(scene);
    this.leaders(scene);
    this.labels(scene);
  }

  /** The pixel of a row's dot. */
  at(row) {
    return [this.cloud.at[2 * row], this.cloud.at[2 * row + 1]];
  }

  line(from, to) {
    this.pen.beginPath();
    this.pen.moveTo(...from);
    this.pen.lineTo(...to);
    this.pen.stroke();
  }

  /** While time passes, draw a short line behind each dot. */
  tails(place, scene, count) {
    if (!scene.before) return;
    const { pen } = this;
    pen.lineWidth = 1.5;
    pen.globalAlpha = 0.35;
    const byGroup = new Map();
    for (let row = 0; row < count; row++) {
      if (scene.hidden(row) || scene.faint(row)) continue;
      const group = scene.group(row);
      if (!byGroup.has(group)) byGroup.set(group, new Path2D());
      byGroup.get(group).moveTo(...place(scene.before[2 * row], scene.before[2 * row + 1]));
      byGroup.get(group).lineTo(...this.at(row));
    }
    for (const [group, path] of byGroup) {
      pen.strokeStyle = colour(group, scene.dark);
      pen.stroke(path);
    }
    pen.globalAlpha = 1;
  }

  /** Draw the track of each chosen sentence, older parts fainter; its start is a hollow dot. */
  tracks(place, scene) {
    const { pen } = this;
    pen.lineJoin = pen.lineCap = "round";
    for (const [row, way] of scene.tracks) {
      const points = [...way.map(([x, y]) => place(x, y)), this.at(row)];
      pen.strokeStyle = colour(scene.group(row), scene.dark);
      pen.lineWidth = 2.5;
      for (let i = 1; i < points.length; i++) {
        pen.globalAlpha = 0.25 + (0.65 * i) / points.length;
        this.line(points[i - 1], points[i]);
      }
      pen.globalAlpha = 1;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(...points[0], 4, 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  /** Connect the last chosen sentence with its nearest ones. */
  links(scene) {
    const row = scene.chosen.at(-1);
    if (row === undefined || scene.forces) return;
    this.pen.strokeStyle = scene.inks.ink;
    this.pen.globalAlpha = 0.55;
    this.pen.lineWidth = 1;
    for (const other of scene.near) this.line(this.at(row), this.at(other));
    this.pen.globalAlpha = 1;
  }

  /**
   * Draw all dots; chosen ones, their neighbours and the one under the pointer on top and larger.
   */
  dots(scene, count) {
    const { pen, cloud } = this;
    const above = new Set([...scene.near, ...scene.chosen].filter((row) => !scene.hidden(row)));
    const alpha = (row) => (scene.faint(row) ? 0.2 : 0.92);
    const dot = (row, size, opacity) => {
      const sprite = this.sprite(scene.group(row), size, scene);
      const half = sprite.width / this.dense / 2;
      pen.globalAlpha = opacity;
      pen.drawImage(
        sprite,
        cloud.at[2 * row] - half,
        cloud.at[2 * row + 1] - half,
        2 * half,
        2 * half,
      );
    };
    for (const others of [true, false]) {
      // sentences without a group are drawn first, below the others
      for (let row = 0; row < count; row++) {
        if (scene.group(row) < 0 === others && !scene.hidden(row)) dot(row, RADIUS, alpha(row));
      }
    }
    for (const row of above) dot(row, RADIUS + 1.5, 1);
    if (scene.hover >= 0 && !scene.hidden(scene.hover)) dot(scene.hover, 7, 1);
    pen.globalAlpha = 1;
  }

  /** A group's marker as a small image, with a border that separates overlapping dots. */
  sprite(group, size, { dark, inks }) {
    const key = `${group} ${size} ${dark} ${inks.ground} ${this.dense}`;
    if (!this.sprites.has(key)) {
      const half = Math.ceil(1.4 * size + 2);
      const made = document.createElement("canvas");
      made.width = made.height = Math.round(2 * half * this.dense);
      const pen = made.getContext("2d");
      pen.setTransform(
        this.dense * size,
        0,
        0,
        this.dense * size,
        half * this.dense,
        half * this.dense,
      );
      const path = new Path2D(outline(group));
      pen.lineWidth = 1.5 / size;
      pen.strokeStyle = inks.ground;
      pen.fillStyle = colour(group, dark);
      pen.stroke(path);
      pen.fill(path);
      this.sprites.set(key, made);
    }
    return this.sprites.get(key);
  }

  /**
   * Draw rings: thick around the chosen sentence, thin around its current neighbours, dashed around
   * those at the first probe.
   */
  marks(scene) {
    const { pen } = this;
    const ring = (row, size, width, ink, dash = []) => {
      if (row < 0 || scene.hidden(row)) return;
      pen.strokeStyle = ink;
      pen.lineWidth = width;
      pen.setLineDash(dash);
      pen.beginPath();
      pen.arc(...this.at(row), size, 0, 2 * Math.PI);
      pen.stroke();
      pen.setLineDash([]);
    };
    for (const row of scene.nearAtFirst) ring(row, RADIUS + 5, 1.2, scene.inks.ink, [3, 3]);
    for (const row of scene.near) ring(row, RADIUS + 3, 1.2, scene.inks.ink);
    for (const row of scene.chosen) ring(row, 8, 2.5, scene.inks.accent);
    ring(scene.hover, 9, 2, scene.inks.ink);
  }

  /**
   * Draw what pulls (solid lines, towards the chosen dot) and what pushes (dashed, away from it).
   */
  forces({ forces: { row, pull, push }, inks, dimmed }) {
    const { pen } = this;
    pen.globalAlpha = dimmed ? FAINT : 1;
    const strongest = (list) => [...list].sort((a, b) => b[1] - a[1]).slice(0, STRONGEST);
    const most = Math.max(1e-12, ...[...pull, ...push].map(([, strength]) => strength));
    const draw = (list, ink, dash, toward) => {
      pen.strokeStyle = pen.fillStyle = ink;
      pen.setLineDash(dash);
      for (const [other, strength] of strongest(list)) {
        pen.lineWidth = 1 + (3 * strength) / most;
        this.line(this.at(row), this.at(other));
        pen.setLineDash([]);
        if (toward) this.arrow(this.at(other), this.at(row));
        else this.arrow(this.at(row), this.at(other));
        pen.setLineDash(dash);
      }
      pen.setLineDash([]);
    };
    draw(push, inks.ink, [5, 4], false);
    draw(pull, inks.accent, [], true);
    pen.globalAlpha = 1;
  }

  /** Draw the head of an arrow on the line between two points. */
  arrow([x0, y0], [x1, y1]) {
    const [x, y] = [x0 + 0.6 * (x1 - x0), y0 + 0.6 * (y1 - y0)];
    const turn = Math.atan2(y1 - y0, x1 - x0);
    this.pen.save();
    this.pen.translate(x, y);
    this.pen.rotate(turn);
    this.pen.fill(new Path2D("M6 0L-4 4.5V-4.5Z"));
    this.pen.restore();
  }

  /** Draw the reader's own sentences. */
  ownDots({ own, inks }) {
    const { pen, cloud } = this;
    own.forEach(({ dimmed }, place) => {
      pen.globalAlpha = dimmed ? FAINT : 1;
      pen.beginPath();
      pen.arc(...cloud.own[place], 8, 0, 2 * Math.PI);
      pen.fillStyle = inks.ground;
      pen.fill();
      pen.lineWidth = 3;
      pen.strokeStyle = inks.accent;
      pen.stroke();
      pen.beginPath();
      pen.arc(...cloud.own[place], 3, 0, 2 * Math.PI);
      pen.fillStyle = inks.accent;
      pen.fill();
    });
    pen.globalAlpha = 1;
  }

  /** Connect names that were moved with the centres of their topics. */
  leaders({ inks }) {
    this.pen.strokeStyle = inks.soft;
    this.pen.lineWidth = 1;
    for (const { from, to } of this.cloud.topics.leaders()) this.line(from, to);
  }

  /** Draw labels to the right of own and chosen sentences, or to the left where the frame ends. */
  labels(scene) {
    const { pen, cloud } = this;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    // a single one is read below
    const rows = scene.chosen.length > 1 ? scene.chosen.filter((row) => !scene.hidden(row)) : [];
    const all = [
      ...rows.map((row) => [scene.text(row), this.at(row)]),
      ...scene.own.map(({ text, told }, place) => [text, cloud.own[place], told]),
    ];
    for (const [text, [left, top], told = ""] of all) {
      const words = cut(text, LONGEST) + told;
      const wide = pen.measureText(words).width + 8;
      const x = left + 13 + wide > cloud.width ? left - 13 - wide : left + 13;
      const y = Math.max(44, Math.min(cloud.height - 20, top - 9));
      pen.globalAlpha = 0.85;
      pen.fillStyle = scene.inks.ground;
      pen.fillRect(x, y, wide, 18);
      pen.globalAlpha = 1;
      pen.fillStyle = scene.inks.ink;
      pen.fillText(words, x + 4, y + 9.5);
    }
  }
}
