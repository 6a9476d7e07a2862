// What is on the canvas of a cloud, and how: grid, trails, dots, words.

import { OUTLINES } from "../shared/outlines.js";

const NEAR = 14; // pixels within which a dot is meant
const [TOP, BOTTOM, SIDE] = [30, 40, 14]; // pixels that words above and below leave to dots
const STRETCH = 1.7; // one axis may be so many times as large as the other

export class Drawing {
  /** It reads from its cloud what there is to draw, and changes nothing of it. */
  constructor(canvas, cloud) {
    this.canvas = canvas;
    this.frame = canvas.parentElement;
    this.pen = canvas.getContext("2d");
    this.cloud = cloud;
    this.paths = {};
    for (const [name, outline] of Object.entries(OUTLINES)) this.paths[name] = new Path2D(outline);
  }

  /** The row of the dot that is nearest to a place, -1 if none is near. */
  nearest(x, y) {
    const { cloud } = this;
    let best = NEAR * NEAR;
    let found = -1;
    for (let row = 0; 2 * row < cloud.at.length; row++) {
      const [px, py] = this.pixel(cloud.at[2 * row], cloud.at[2 * row + 1]);
      const far = (px - x) ** 2 + (py - y) ** 2;
      if (far < best && (cloud.lit < 0 || cloud.topic(row) === cloud.lit)) [best, found] = [far, row];
    }
    return found;
  }

  pixel(x, y) {
    const { width, height, cloud: { view } } = this;
    const [across, up] = this.scale(view);
    return [width / 2 + (x - view.x) * across, (TOP + height - BOTTOM) / 2 - (y - view.y) * up];
  }

  /** Pixels a unit, across and up: dots fill the frame, so the two may differ, within reason; the scale marks say so. */
  scale(view) {
    const across = Math.max(1, (this.width / 2 - SIDE) / view.w);
    const up = Math.max(1, (this.height - TOP - BOTTOM) / 2 / view.h);
    return [Math.min(across, STRETCH * up), Math.min(up, STRETCH * across)];
  }

  /** Fit the canvas to its frame, in real pixels; false where there is no room to draw. */
  fit() {
    this.width = this.frame.clientWidth;
    this.height = this.frame.clientHeight;
    if (this.width < 20 || this.height < 20) return false;
    const ratio = globalThis.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(this.width * ratio) || this.canvas.height !== Math.round(this.height * ratio)) {
      this.canvas.width = Math.round(this.width * ratio);
      this.canvas.height = Math.round(this.height * ratio);
    }
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return true;
  }

  draw() {
    const { cloud } = this;
    this.pen.clearRect(0, 0, this.width, this.height);
    const style = getComputedStyle(this.frame);
    this.ink = style.getPropertyValue("--jp-ui-font-color1").trim() || (cloud.night ? "#eee" : "#222");
    this.ground = style.getPropertyValue("--jp-layout-color0").trim() || (cloud.night ? "#111" : "#fff");
    this.rule = style.getPropertyValue("--jp-border-color2").trim() || (cloud.night ? "#444" : "#ddd");
    if (cloud.view && cloud.at.length) {
      this.grid();
      this.trails();
      this.dots();
      this.labels();
    }
  }

  /** Lines at round distances, and marks that say how long one of them is: a view that zooms must say so. */
  grid() {
    const { pen, cloud } = this;
    if (cloud.now.kind === "umap") return; // its distances have no unit
    const [across, up] = this.scale(cloud.view);
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((size) => size * Math.min(across, up) >= 40) ?? 1;
    pen.strokeStyle = this.rule;
    pen.globalAlpha = 0.55;
    pen.lineWidth = 1;
    pen.beginPath();
    const [x0, y0] = this.pixel(0, 0);
    for (let x = x0 - Math.floor(x0 / (step * across)) * step * across; x < this.width; x += step * across) {
      pen.moveTo(Math.round(x) + 0.5, 0);
      pen.lineTo(Math.round(x) + 0.5, this.height);
    }
    for (let y = y0 - Math.floor(y0 / (step * up)) * step * up; y < this.height; y += step * up) {
      pen.moveTo(0, Math.round(y) + 0.5);
      pen.lineTo(this.width, Math.round(y) + 0.5);
    }
    pen.stroke();
    const [left, foot] = [10.5, this.height - BOTTOM - 4.5];
    pen.globalAlpha = 0.75;
    pen.strokeStyle = pen.fillStyle = this.ink;
    pen.beginPath();
    pen.moveTo(left, foot - step * up);
    pen.lineTo(left, foot);
    pen.lineTo(left + step * across, foot);
    pen.stroke();
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.fillText(String(step), left + 5, foot - 5);
    pen.globalAlpha = 1;
  }

  line(points, colour) {
    const { pen } = this;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.8;
    for (let place = 1; place < points.length; place++) {
      pen.globalAlpha = 0.15 + (0.75 * place) / points.length; // the past fades
      pen.beginPath();
      pen.moveTo(...this.pixel(...points[place - 1]));
      pen.lineTo(...this.pixel(...points[place]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  trails() {
    const { cloud } = this;
    if (cloud.now.kind === "umap") return;
    const rows = new Set(cloud.chosen);
    if (cloud.under >= 0) rows.add(cloud.under);
    if (cloud.walked >= 0) rows.add(cloud.walked);
    for (const row of rows) {
      const past = cloud.trail.filter((look) => look.step < cloud.now.step && look.at.length > 2 * row + 1);
      const points = past.map((look) => [look.at[2 * row], look.at[2 * row + 1]]);
      this.line([...points, [cloud.at[2 * row], cloud.at[2 * row + 1]]], cloud.colour(cloud.topic(row)));
    }
    for (const one of cloud.now.own) this.line([...(one.trail ?? []), [one.x, one.y]], this.ink);
  }

  dots() {
    const { pen, cloud } = this;
    const count = cloud.at.length / 2;
    const room = Math.sqrt((this.width * this.height) / Math.max(count, 1));
    this.radius = Math.max(3.2, Math.min(6.5, room / 6.5));
    const rows = [...Array(count).keys()];
    const rank = (row) => (row === cloud.under || row === cloud.walked ? 2 : cloud.chosen.has(row) ? 1 : 0);
    rows.sort((a, b) => rank(a) - rank(b) || ((a * 7919) % count) - ((b * 7919) % count)); // no topic lies on top of all others
    for (const row of rows) {
      const topic = cloud.topic(row);
      const high = rank(row);
      const [x, y] = this.pixel(cloud.at[2 * row], cloud.at[2 * row + 1]);
      pen.save();
      pen.translate(x, y);
      const size = this.radius * (high ? 1.6 : 1);
      pen.scale(size, size);
      pen.globalAlpha = cloud.lit >= 0 && topic !== cloud.lit ? 0.12 : cloud.now.faded ? 0.45 : high ? 1 : 0.88;
      pen.fillStyle = cloud.colour(topic);
      const path = this.paths[cloud.about.shapes[topic]] ?? this.paths.circle;
      pen.lineWidth = (high ? 2 : 1.2) / size;
      pen.strokeStyle = high ? this.ink : this.ground; // a rim keeps neighbours apart
      pen.stroke(path);
      pen.fill(path);
      pen.restore();
    }
  }

  /** Words beside a dot, on the side where there is room. */
  label(text, x, y, strong) {
    const { pen } = this;
    pen.font = `${strong ? "600 " : ""}12px system-ui, sans-serif`;
    const gap = 1.8 * this.radius + 3;
    const right = x <= this.width / 2;
    const room = (right ? this.width - x : x) - gap - 6;
    let short = text;
    for (let length = Math.min(text.length, 60); length > 6 && (short.length > 60 || pen.measureText(short).width > room); length--) {
      short = `${text.slice(0, length).trimEnd()}…`;
    }
    const left = right ? x + gap : x - gap - pen.measureText(short).width;
    const base = Math.max(30, Math.min(y + 4, this.height - BOTTOM));
    pen.textAlign = "left";
    pen.lineJoin = "round";
    pen.lineWidth = 5;
    pen.strokeStyle = this.ground;
    pen.globalAlpha = 0.95;
    pen.strokeText(short, left, base);
    pen.globalAlpha = 1;
    pen.fillStyle = this.ink;
    pen.fillText(short, left, base);
  }

  labels() {
    const { pen, cloud } = this;
    for (const row of new Set([...cloud.chosen, cloud.walked, cloud.under])) {
      if (row >= 0 && 2 * row < cloud.at.length) this.label(cloud.about.texts[row], ...this.pixel(cloud.at[2 * row], cloud.at[2 * row + 1]), row === cloud.under);
    }
    for (const one of cloud.now.own) {
      const [x, y] = this.pixel(one.x, one.y);
      pen.beginPath();
      pen.arc(x, y, this.radius * 1.5, 0, 2 * Math.PI);
      pen.fillStyle = this.ground;
      pen.fill();
      pen.lineWidth = 3;
      pen.strokeStyle = this.ink;
      pen.stroke();
      this.label(one.text, x, y, true);
    }
  }
}
