// The cloud of one encoder: the corpus in grey, own sentences, hits, and the path of the searched sentence.

import { floats32 } from "../shared/bytes.js";
import { boundsOf, nearestDot, nextDot, penOf, placement } from "../shared/cloud.js";
import { attribute, consume, element, onResize, write } from "../shared/dom.js";
import { number } from "../shared/text.js";
import { Pair } from "./pair.js";

const MARGIN = 16;
const REACH = 14; // pixels around a dot in which the pointer selects it
const STRETCH = 1.6;
const SAME = 1e-3; // smaller moves are rounding: positions are sent with four digits
const TRAIL = 40; // positions stored of the path

export class Cloud {
  constructor(page) {
    this.page = page;
    this.title = element("h3");
    this.canvas = element("canvas", { tabindex: 0, role: "img" });
    this.frame = element("div", { class: "frame" }, this.canvas);
    this.reading = element("p", { class: "reading soft", role: "status", text: "Point at a dot to read its sentence." });
    this.pair = new Pair();
    this.root = element("div", { class: "part cloud" }, element("div", { class: "head" }, this.title), this.pair.root, this.frame, this.reading);
    this.dots = this.own = new Float32Array(0);
    this.way = [];
    this.near = new Map();
    this.pointed = this.lit = -1;
    this.canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => this.point(nearestDot(this.at ?? [], offsetX, offsetY, REACH)));
    this.canvas.addEventListener("pointerleave", () => this.point(-1));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    onResize(this.frame, () => this.draw());
  }

  fill({ name, share, dots, own, quantiles }, axes) {
    Object.assign(this, { name, axes, dots: floats32(dots), own: floats32(own), way: [], near: new Map() });
    write(this.title, name);
    attribute(this.title, "title", `${name}: two principal axes, ${Math.round(100 * share)} % of the spread`);
    this.pair.fill(quantiles);
    this.box = boundsOf(this.own, boundsOf(this.dots));
    this.draw();
  }

  answer(answer) {
    const side = answer.sides.find(({ name }) => name === this.name);
    if (!side?.at || answer.axes !== this.axes) return; // positions on old axes; those on the new axes will follow
    const other = answer.row !== this.row || answer.row < 0 !== this.row < 0;
    this.row = answer.row;
    this.pair.show(side.pair, `${this.page.sentences.at + 1} and ${this.page.sentences.partner + 1}`);
    const start = this.row >= 0 ? [this.own[2 * this.row], this.own[2 * this.row + 1]] : null;
    if (other || !this.way.length) this.way = start ? [start] : [];
    const last = this.way.at(-1);
    if (!last || Math.hypot(last[0] - side.at[0], last[1] - side.at[1]) > SAME) this.way.push(side.at);
    if (this.way.length > TRAIL) this.way.splice(1, 1); // keep the first position
    this.text = answer.text;
    this.near = new Map(Object.entries(side.near).map(([row, place]) => [Number(row), place]));
    this.hits = new Set(answer.columns.filter((column) => !column.past).flatMap((column) => column.rows));
    this.box = [side.at, ...this.near.values()].reduce((box, at) => boundsOf(at, box), this.box); // the box only grows
    attribute(this.canvas, "aria-label", `${this.name}: ${this.dots.length / 2} sentences of the corpus, yours, and ${this.near.size} hits of “${answer.text}” at ${number(side.at[0], 2)}, ${number(side.at[1], 2)}. Arrow keys move through the dots.`);
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!width || !height || !this.box) return;
    const pen = penOf(this.canvas, width, height);
    const spot = placement(this.box, width, height, { side: MARGIN }, STRETCH);
    const place = (at) => spot(...at);
    const style = getComputedStyle(this.root);
    const ink = (name) => style.getPropertyValue(`--${name}`).trim();
    const pixels = (list, i) => place([list[2 * i], list[2 * i + 1]]);
    this.at = new Map();
    pen.fillStyle = ink("was");
    pen.globalAlpha = 0.45;
    for (let i = 0; i < this.dots.length / 2; i++) {
      const at = pixels(this.dots, i);
      this.at.set(i, at);
      pen.fillRect(at[0] - 1, at[1] - 1, 2, 2);
    }
    pen.globalAlpha = 1;
    for (const [row, where] of this.near) this.mark(pen, row, place(where), ink);
    for (let i = 0; i < this.own.length / 2; i++) if (i !== this.row || this.way.length > 1) this.label(pen, pixels(this.own, i), String(i + 1), ink, width);
    this.trail(pen, place, ink, width);
    const lit = this.at.get(this.pointed >= 0 ? this.pointed : this.lit);
    if (lit) this.ring(pen, lit, 7, ink("ink"), 2);
  }

  mark(pen, row, at, ink) {
    this.at.set(row, at);
    const hit = this.hits?.has(row);
    pen.fillStyle = ink(hit ? "ink" : "was");
    pen.beginPath();
    pen.arc(...at, hit ? 3.5 : 2.5, 0, 2 * Math.PI);
    pen.fill();
  }

  ring(pen, at, radius, colour, wide) {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.beginPath();
    pen.arc(...at, radius, 0, 2 * Math.PI);
    pen.stroke();
  }

  label(pen, at, text, ink, width, strong = false) {
    this.ring(pen, at, strong ? 8 : 5, ink(strong ? "accent" : "was"), 2);
    pen.font = `${strong ? 600 : 400} 12px system-ui, sans-serif`;
    pen.textBaseline = "middle";
    const long = pen.measureText(text).width;
    const gap = strong ? 12 : 8;
    const x = at[0] + gap + long > width - 4 ? at[0] - gap - long : at[0] + gap;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeStyle = ink("ground");
    pen.fillStyle = ink(strong ? "ink" : "soft");
    pen.strokeText(text, Math.max(4, x), at[1]);
    pen.fillText(text, Math.max(4, x), at[1]);
  }

  /** Draw the sentence's path, older parts fainter, and the sentence at its end. */
  trail(pen, place, ink, width) {
    if (!this.way.length) return;
    const points = this.way.map(place);
    this.head = points.at(-1);
    pen.strokeStyle = pen.fillStyle = ink("accent");
    pen.lineWidth = 2;
    for (let i = 1; i < points.length; i++) {
      pen.globalAlpha = 0.2 + (0.7 * i) / points.length;
      pen.beginPath();
      pen.moveTo(...points[i - 1]);
      pen.lineTo(...points[i]);
      pen.stroke();
    }
    pen.globalAlpha = 1;
    pen.beginPath();
    pen.arc(...points.at(-1), 5, 0, 2 * Math.PI);
    pen.fill();
    this.label(pen, points.at(-1), this.row < 0 ? "new" : String(this.row + 1), ink, width, true);
  }

  point(row) {
    if (row === this.pointed) return;
    this.pointed = row;
    this.page.highlight(row);
    this.read();
  }

  /** Show the sentence of the dot under the pointer; request it if the page does not have it. */
  read() {
    const text = this.pointed < 0 ? "Point at a dot to read its sentence." : this.page.read(this.pointed) || "…";
    write(this.reading, text);
    attribute(this.reading, "title", text);
    this.draw();
  }

  highlight(row) {
    this.lit = row;
    this.draw();
  }

  key(event) {
    const from = this.at?.get(this.pointed) ?? this.head;
    const next = from ? nextDot(this.at, from, event) : null;
    if (event.key === "Escape" && this.pointed >= 0) this.point(-1);
    else if (next !== null) this.point(next < 0 ? this.pointed : next);
    else return;
    consume(event);
  }
}
