// Draws a cloud on its canvas: dots, the chosen one's track and neighbours, labels, forces.

import { cover, penOf } from "../shared/cloud.js";
import { colour, outline } from "../shared/palette.js";
import { cut } from "../shared/text.js";

// radius of a dot in pixels
const RADIUS = 4;
// maximum characters of a label
const LONGEST = 32;
const OWN_FONT = "12px system-ui, sans-serif";
// sentences without topics have their first words at the dots, if there are at most so many
const FEW = 40;
const WORDS = 22;
// opacity of what belongs to another moment
const FAINT = 0.4;
// opacity of dots: all, those beside a chosen sentence, those of topics that are not lit
const DOTS = { all: 0.92, beside: 0.45, out: 0.2 };
// forces drawn of each kind, the strongest first
const STRONGEST = 8;
// pixels by which an own sentence's text may be moved from its dot, the best place first
const SHIFTS = [0, 20, -20, 40, -40];

/** `value`, but not below `low` nor above `high`. */
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** Draws the scene of a cloud; what is drawn later is on top. */
export class Painter {
  constructor(cloud) {
    this.cloud = cloud;
  }

  /** Empty the canvas, and find the texts of own sentences, which no name of a topic may cover. */
  begin() {
    const { canvas, width, height, scene } = this.cloud;
    this.pen = penOf(canvas, width, height);
    this.told = [];
    for (const [number, own] of scene.own.entries())
      this.told.push(this.tell(own, this.cloud.own[number]));
  }

  /** An own sentence's words with their box, at the side that has room and on no other's. */
  tell({ text, told }, [x, y]) {
    const { width, height } = this.cloud;
    const words = cut(text, LONGEST) + told;
    this.pen.font = OWN_FONT;
    const wide = this.pen.measureText(words).width + 8;
    const left = x + 13 + wide > width ? x - 13 - wide : x + 13;
    const boxes = SHIFTS.map((shift) => {
      const top = clamp(y - 9 + shift, 44, height - 38);
      return [left, top, left + wide, top + 18];
    });
    const free = (box) => !this.told.some((other) => cover(other.box, box));
    return { words, box: boxes.find(free) ?? boxes[0] };
  }

  /** Draw everything; `place(x, y)` maps positions to pixels. */
  paint(place) {
    const { scene } = this.cloud;
    if (scene.chosen >= 0) this.track(place, scene);
    this.dots(scene);
    if (scene.groups.length < 2 && scene.texts.length <= FEW) this.words(scene);
    this.rings(scene);
    if (scene.forces) this.forces(scene);
    for (const [number, own] of scene.own.entries())
      this.ownDot(own, this.cloud.own[number], this.told[number]);
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

  circle([x, y], radius) {
    this.pen.beginPath();
    this.pen.arc(x, y, radius, 0, 2 * Math.PI);
  }

  /** Draw the track of the chosen sentence, older parts fainter; its start is a hollow dot. */
  track(place, { chosen, track, group, dark }) {
    const { pen } = this;
    const points = [...track.map(([x, y]) => place(x, y)), this.at(chosen)];
    pen.lineJoin = pen.lineCap = "round";
    pen.strokeStyle = colour(group(chosen), dark);
    pen.lineWidth = 2.5;
    for (let i = 1; i < points.length; i++) {
      pen.globalAlpha = 0.25 + (0.65 * i) / points.length;
      this.line(points[i - 1], points[i]);
    }
    pen.globalAlpha = 1;
    pen.lineWidth = 1.5;
    this.circle(points[0], 4);
    pen.stroke();
  }

  /** Draw all dots, those without a topic first; the chosen one and its neighbours are larger. */
  dots(scene) {
    const rows = [...Array(this.cloud.at.length / 2).keys()];
    const without = rows.filter((row) => scene.group(row) < 0);
    const above = [...scene.near, scene.chosen].filter((row) => row >= 0);
    const usual = scene.chosen < 0 ? DOTS.all : DOTS.beside;
    for (const row of [...without, ...rows.filter((row) => scene.group(row) >= 0)])
      this.dot(row, RADIUS, scene.faint(row) ? DOTS.out : usual);
    for (const row of above) this.dot(row, RADIUS + 1.5, 1);
    if (scene.hover >= 0) this.dot(scene.hover, RADIUS + 3, 1);
    this.pen.globalAlpha = 1;
  }

  /** The first words of each sentence at the right of its dot, where they cover no others. */
  words({ texts, inks }) {
    const { pen } = this;
    const taken = [];
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.lineWidth = 3;
    for (const [row, text] of texts.entries()) {
      const [x, y] = this.at(row);
      const words = cut(text, WORDS);
      const { width } = pen.measureText(words);
      const left = Math.min(x + 8, this.cloud.width - width - 4);
      const box = [left, y - 7, left + width, y + 7];
      if (taken.some((other) => cover(other, box))) continue;
      taken.push(box);
      pen.strokeStyle = inks.ground;
      pen.strokeText(words, left, y);
      pen.fillStyle = inks.ink;
      pen.fillText(words, left, y);
    }
  }

  /** A group's marker, with a border that separates overlapping dots. */
  dot(row, size, opacity) {
    const { pen } = this;
    const { group, dark, inks } = this.cloud.scene;
    const path = new Path2D(outline(group(row)));
    pen.save();
    pen.translate(...this.at(row));
    pen.scale(size, size);
    pen.globalAlpha = opacity;
    pen.lineWidth = 1.5 / size;
    pen.strokeStyle = inks.ground;
    pen.fillStyle = colour(group(row), dark);
    pen.stroke(path);
    pen.fill(path);
    pen.restore();
  }

  /** Draw rings: thick around the chosen sentence, thin around its neighbours. */
  rings({ near, chosen, hover, inks }) {
    const ring = (row, size, width, ink) => {
      if (row < 0) return;
      this.pen.strokeStyle = ink;
      this.pen.lineWidth = width;
      this.circle(this.at(row), size);
      this.pen.stroke();
    };
    for (const row of near) ring(row, RADIUS + 3, 1.2, inks.ink);
    ring(chosen, 8, 2.5, inks.accent);
    ring(hover, 9, 2, inks.ink);
  }

  /** Draw solid lines to what pulls, dashed ones to what pushes; the stronger, the wider. */
  forces({ forces: { row, pull, push }, inks, dimmed }) {
    const { pen } = this;
    const most = Math.max(...[...pull, ...push].map(([, strength]) => strength));
    const lines = (list, ink, dash) => {
      pen.strokeStyle = ink;
      pen.setLineDash(dash);
      for (const [other, strength] of list.sort((a, b) => b[1] - a[1]).slice(0, STRONGEST)) {
        pen.lineWidth = 1 + (1.5 * strength) / most;
        this.line(this.at(row), this.at(other));
      }
      pen.setLineDash([]);
    };
    pen.globalAlpha = dimmed ? FAINT : 1;
    lines(push, inks.push, [5, 4]);
    lines(pull, inks.pull, []);
    pen.globalAlpha = 1;
  }

  /** Draw a sentence of the reader, with its text. */
  ownDot({ dimmed }, at, { words, box: [left, top, right] }) {
    const { pen } = this;
    const { inks } = this.cloud.scene;
    pen.globalAlpha = dimmed ? FAINT : 1;
    pen.fillStyle = inks.ground;
    pen.strokeStyle = inks.accent;
    pen.lineWidth = 3;
    this.circle(at, 8);
    pen.fill();
    pen.stroke();
    pen.fillStyle = inks.accent;
    this.circle(at, 3);
    pen.fill();
    pen.globalAlpha = 1;
    pen.font = OWN_FONT;
    pen.textBaseline = "middle";
    pen.fillStyle = inks.ground;
    pen.globalAlpha = 0.75;
    pen.fillRect(left, top, right - left, 18);
    pen.globalAlpha = 1;
    pen.fillStyle = inks.ink;
    pen.fillText(words, left + 4, top + 9.5);
  }
}
