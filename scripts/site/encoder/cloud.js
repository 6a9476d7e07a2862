// A cloud of sentences as grey dots on a canvas, and the reader's own two with their letters and the way they came.

import { boundsOf, penOf, placement } from "../../../js/src/shared/cloud.js";
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
    this.box = boundsOf(points);
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
    const pen = penOf(this.canvas, width, height);
    const place = placement(this.box, width, height, { side: MARGIN });
    const inside = (at) => place(...at).map((value, i) => Math.min([width, height][i] - 10, Math.max(10, value)));
    const dot = (row, size) => {
      const [x, y] = place(this.points[2 * row], this.points[2 * row + 1]);
      pen.fillRect(x - size / 2, y - size / 2, size, size);
    };
    pen.fillStyle = this.dark ? "#6f7a87" : "#a4abb3";
    pen.globalAlpha = 0.5;
    for (let row = 0; row < this.points.length / 2; row++) dot(row, 2);
    pen.globalAlpha = 1;
    pen.fillStyle = this.dark ? "#e9edf1" : "#1d232b";
    for (const row of this.near) dot(row, 4);
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
