// A cloud of sentences as grey dots on a canvas, and the reader's own two with their letters and the way they came.

import { element } from "../../../js/src/shared/dom.js";
import { colour } from "../../../js/src/shared/palette.js";

const MARGIN = 18, WAY = 12; // pixels; places that are kept of a sentence's way

export class Cloud {
  constructor(points, label) {
    this.points = points;
    this.ways = [[], []];
    this.near = [];
    this.canvas = element("canvas", { role: "img", "aria-label": label });
    this.sight = new ResizeObserver(() => this.draw());
    this.sight.observe(this.canvas);
    this.dark = false;
    const ends = [[Infinity, -Infinity], [Infinity, -Infinity]];
    points.forEach((value, i) => {
      const end = ends[i % 2];
      end[0] = Math.min(end[0], value);
      end[1] = Math.max(end[1], value);
    });
    this.ends = ends;
  }

  /** Put a sentence, 0 or 1, there; an edit leaves its way behind. */
  move(which, place) {
    const way = this.ways[which];
    way.push(place);
    if (way.length > WAY) way.shift();
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const ratio = globalThis.devicePixelRatio || 1;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const [across, up] = this.ends;
    const span = Math.max(across[1] - across[0], up[1] - up[0]) || 1; // the same scale on both axes
    const size = Math.min(width, height) - 2 * MARGIN;
    const x = (value) => width / 2 + ((value - (across[0] + across[1]) / 2) / span) * size;
    const y = (value) => height / 2 - ((value - (up[0] + up[1]) / 2) / span) * size;
    const inside = ([a, b]) => [Math.min(width - 10, Math.max(10, x(a))), Math.min(height - 10, Math.max(10, y(b)))];
    pen.fillStyle = this.dark ? "#6f7a87" : "#a4abb3";
    pen.globalAlpha = 0.5;
    for (let i = 0; i < this.points.length; i += 2) pen.fillRect(x(this.points[i]) - 1, y(this.points[i + 1]) - 1, 2, 2);
    pen.globalAlpha = 1;
    pen.fillStyle = this.dark ? "#e9edf1" : "#1d232b";
    for (const row of this.near) pen.fillRect(x(this.points[2 * row]) - 2, y(this.points[2 * row + 1]) - 2, 4, 4);
    this.ways.forEach((way, which) => this.own(pen, way.map(inside), which));
  }

  own(pen, way, which) {
    if (!way.length) return;
    pen.strokeStyle = pen.fillStyle = colour(which ? 3 : 0, this.dark);
    pen.lineWidth = 1.5;
    pen.beginPath();
    way.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
    const [x, y] = way.at(-1);
    pen.beginPath();
    pen.arc(x, y, 9, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = this.dark ? "#14181d" : "#ffffff";
    pen.font = "bold 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText("AB"[which], x, y + 0.5);
  }

  close() {
    this.sight.disconnect();
  }
}
