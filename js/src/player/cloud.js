// The cloud: every sentence a dot, on a canvas that fills its frame. It draws what it is told and says what is touched.

import { colour, outline } from "../shared/palette.js";
import { cut, element } from "./dom.js";

const REACH = 14; // pixels within which a dot is touched
const MARGIN = 16;
const HEAD = 14; // pixels at the top for the words there
const STRETCH = 1.6;

export class Cloud {
  /** `hooks`: hover(sentence row or -1), choose(row, more), key(event) -> whether it was used. */
  constructor(hooks) {
    this.canvas = element("canvas", { class: "cloud-canvas", tabindex: 0, role: "img" });
    this.root = element("div", { class: "cloud-frame" }, this.canvas);
    this.hooks = hooks;
    this.at = new Float32Array(0); // pixels, two a row
    this.scene = null;
    this.markers = new Map();
    this.listen();
    this.watch = new ResizeObserver(() => this.scene && this.draw(this.scene));
    this.watch.observe(this.root);
  }

  listen() {
    const { canvas, hooks } = this;
    canvas.addEventListener("pointermove", (event) => hooks.hover(this.hit(event)));
    canvas.addEventListener("pointerleave", () => hooks.hover(-1));
    canvas.addEventListener("click", (event) => hooks.choose(this.hit(event), event.shiftKey || event.ctrlKey || event.metaKey));
    canvas.addEventListener("keydown", (event) => {
      if (hooks.key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  /** The row of the dot that is nearest to the pointer, -1 if none is near. */
  hit(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    let best = -1;
    let least = REACH ** 2;
    for (let row = 0; row < this.at.length / 2; row++) {
      if (this.scene.hidden(row)) continue;
      const gap = (this.at[2 * row] - x) ** 2 + (this.at[2 * row + 1] - y) ** 2;
      if (gap < least) [best, least] = [row, gap];
    }
    return best;
  }

  /**
   * The box of all times fills the frame. Lengths are the same along both axes, but for a stretch of at most STRETCH
   * where frame and box are of different shape; `stretch` tells of it.
   */
  frame(box, width, height) {
    const fitX = (width - 2 * MARGIN) / Math.max(box[1] - box[0], 1e-6);
    const fitY = (height - 2 * MARGIN - HEAD) / Math.max(box[3] - box[2], 1e-6);
    const x = Math.min(fitX, STRETCH * fitY);
    const y = Math.min(fitY, STRETCH * fitX);
    this.stretch = x / y;
    const left = width / 2 - (x * (box[0] + box[1])) / 2;
    const top = (height + HEAD) / 2 + (y * (box[2] + box[3])) / 2;
    return (px, py) => [left + x * px, top - y * py];
  }

  /**
   * scene: {xy, before, box, group(row), hidden(row), faint(row), hover, chosen: [rows], near: [rows], then: [rows],
   * tracks: [[row, [[x, y] …]] …], text(row), dark, label}
   */
  draw(scene) {
    this.scene = scene;
    const { clientWidth: width, clientHeight: height } = this.root;
    if (!width || !height) return;
    const dense = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * dense) || this.canvas.height !== Math.round(height * dense)) {
      this.canvas.width = Math.round(width * dense);
      this.canvas.height = Math.round(height * dense);
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);
    const place = this.frame(scene.box, width, height);
    const count = scene.xy.length / 2;
    if (this.at.length !== 2 * count) this.at = new Float32Array(2 * count);
    for (let row = 0; row < count; row++) {
      [this.at[2 * row], this.at[2 * row + 1]] = place(scene.xy[2 * row], scene.xy[2 * row + 1]);
    }
    const radius = Math.min(8, Math.max(3.5, Math.sqrt((width * height) / Math.max(count, 60)) * 0.15));
    this.tails(pen, place, scene, count);
    this.ways(pen, place, scene);
    this.links(pen, scene);
    this.dots(pen, scene, count, radius);
    this.marks(pen, scene, radius);
    this.names(pen, scene, radius, width);
    if (this.canvas.getAttribute("aria-label") !== scene.label) this.canvas.setAttribute("aria-label", scene.label);
  }

  /** Where a dot comes from: a short line behind it while time passes. */
  tails(pen, place, scene, count) {
    if (!scene.before) return;
    pen.lineWidth = 1.5;
    pen.globalAlpha = 0.35;
    for (let row = 0; row < count; row++) {
      if (scene.hidden(row) || scene.faint(row)) continue;
      pen.strokeStyle = colour(scene.group(row), scene.dark);
      pen.beginPath();
      pen.moveTo(...place(scene.before[2 * row], scene.before[2 * row + 1]));
      pen.lineTo(this.at[2 * row], this.at[2 * row + 1]);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  /** The way of each chosen sentence through time, fainter the longer ago; its start is a hollow dot. */
  ways(pen, place, scene) {
    pen.lineJoin = pen.lineCap = "round";
    for (const [row, way] of scene.tracks) {
      const points = [...way.map(([x, y]) => place(x, y)), [this.at[2 * row], this.at[2 * row + 1]]];
      pen.strokeStyle = colour(scene.group(row), scene.dark);
      pen.lineWidth = 2.5;
      for (let i = 1; i < points.length; i++) {
        pen.globalAlpha = 0.25 + (0.65 * i) / points.length;
        pen.beginPath();
        pen.moveTo(...points[i - 1]);
        pen.lineTo(...points[i]);
        pen.stroke();
      }
      pen.globalAlpha = 1;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(...points[0], 4, 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  /** Lines from the chosen sentence to its nearest now. */
  links(pen, scene) {
    const row = scene.chosen.at(-1);
    if (row === undefined) return;
    pen.strokeStyle = ink(scene.dark);
    pen.globalAlpha = 0.55;
    pen.lineWidth = 1;
    for (const other of scene.near) {
      pen.beginPath();
      pen.moveTo(this.at[2 * row], this.at[2 * row + 1]);
      pen.lineTo(this.at[2 * other], this.at[2 * other + 1]);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  dots(pen, scene, count, radius) {
    const above = new Set([...scene.near, ...scene.chosen, scene.hover]);
    pen.strokeStyle = scene.dark ? "#14181d" : "#ffffff";
    const dot = (row) => {
      if (row < 0 || scene.hidden(row)) return;
      pen.globalAlpha = scene.faint(row) && !above.has(row) ? 0.22 : 0.92;
      pen.fillStyle = colour(scene.group(row), scene.dark);
      const size = above.has(row) ? radius + 1.5 : radius;
      const marker = this.marker(scene.group(row));
      pen.save();
      pen.translate(this.at[2 * row], this.at[2 * row + 1]);
      pen.scale(size, size);
      pen.lineWidth = 1 / size;
      pen.fill(marker);
      pen.stroke(marker);
      pen.restore();
    };
    const rows = Array.from({ length: count }, (_, row) => row).filter((row) => !above.has(row));
    rows.filter((row) => scene.group(row) < 0).forEach(dot); // what belongs to no group lies lowest
    rows.filter((row) => scene.group(row) >= 0).forEach(dot);
    above.forEach(dot);
    pen.globalAlpha = 1;
  }

  marker(group) {
    if (!this.markers.has(group)) this.markers.set(group, new Path2D(outline(group)));
    return this.markers.get(group);
  }

  /** Rings: thick around the chosen, thin around its nearest now, dashed around its nearest then. */
  marks(pen, scene, radius) {
    const ring = (row, more, width, dash = []) => {
      if (row < 0 || scene.hidden(row)) return;
      pen.strokeStyle = ink(scene.dark);
      pen.lineWidth = width;
      pen.setLineDash(dash);
      pen.beginPath();
      pen.arc(this.at[2 * row], this.at[2 * row + 1], radius + more, 0, 2 * Math.PI);
      pen.stroke();
      pen.setLineDash([]);
    };
    scene.then.forEach((row) => ring(row, 6, 1.2, [3, 3]));
    scene.near.forEach((row) => ring(row, 3, 1.2));
    scene.chosen.forEach((row) => ring(row, 4, 2.5));
    ring(scene.hover, 4, 1.8);
  }

  /** The first words of a chosen sentence beside its dot. */
  names(pen, scene, radius, width) {
    pen.font = "600 12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.lineWidth = 4;
    pen.lineJoin = "round";
    pen.strokeStyle = scene.dark ? "#14181d" : "#ffffff";
    pen.fillStyle = ink(scene.dark);
    for (const row of scene.chosen) {
      if (scene.hidden(row)) continue;
      const words = cut(scene.text(row), Math.max(12, Math.min(34, Math.floor(width / 16))));
      const long = pen.measureText(words).width;
      const right = this.at[2 * row] + radius + 9;
      const x = right + long > width - 4 ? this.at[2 * row] - radius - 9 - long : right;
      pen.strokeText(words, Math.max(4, x), this.at[2 * row + 1]);
      pen.fillText(words, Math.max(4, x), this.at[2 * row + 1]);
    }
  }

  close() {
    this.watch.disconnect();
  }
}

const ink = (dark) => (dark ? "#f2f4f7" : "#1d232b");
