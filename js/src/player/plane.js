// The alignment–uniformity plane. Its axes do not follow the trail: they span what unit vectors can do, from all
// sentences in one point to sentences spread evenly, so a short way looks short.

import { short } from "./axes.js";
import { drawn, element, number, tell } from "./dom.js";

const X = [-4.15, 0.15]; // uniformity; -4 is that of vectors spread evenly over a sphere of many dimensions
const EVEN = -4;
const USUAL = 0.8; // alignment at the top, unless a run is above
const EDGE = { left: 40, right: 10, top: 6, bottom: 32 };

export class Plane {
  constructor() {
    this.svg = drawn("svg", { class: "plane-svg", role: "img" });
    this.box = element("div", { class: "plane-box" }, this.svg);
    this.root = element("div", { class: "plane" }, element("div", { class: "chart-title" }, element("span", { class: "chart-name", text: "alignment–uniformity" }), element("span", { class: "chart-hint", text: "✕ collapsed · better ↙" })), this.box);
  }

  lay(runs) {
    const width = this.box.clientWidth || 300;
    const height = this.box.clientHeight || 200;
    this.trails = runs.map(({ film }) => trail(film));
    const most = Math.max(...this.trails.flatMap(({ points }) => points.map(([, alignment]) => alignment)), 0);
    const high = most <= 0.95 * USUAL ? USUAL : most <= 1.9 ? 2 : Math.ceil(most * 1.05);
    const right = width - EDGE.right;
    const bottom = height - EDGE.bottom;
    this.place = ([u, a]) => [
      EDGE.left + ((Math.max(X[0], u) - X[0]) / (X[1] - X[0])) * (right - EDGE.left),
      bottom - (a / high) * (bottom - EDGE.top),
    ];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const parts = [-4, -3, -2, -1, 0].flatMap((u) => {
      const [x] = this.place([u, 0]);
      return [
        drawn("line", { class: u === EVEN ? "rule landmark-line" : "rule", x1: x, x2: x, y1: EDGE.top, y2: bottom }),
        drawn("text", { class: "tick", x, y: bottom + 13, "text-anchor": "middle", text: short(u) }),
      ];
    });
    for (const a of high === USUAL ? [0, 0.2, 0.4, 0.6, 0.8] : [0, high / 4, high / 2, (3 * high) / 4, high]) {
      const [, y] = this.place([0, a]);
      parts.push(
        drawn("line", { class: "rule", x1: EDGE.left, x2: right, y1: y, y2: y }),
        drawn("text", { class: "tick", x: EDGE.left - 5, y: y + 3.5, "text-anchor": "end", text: short(a, high / 4) }),
      );
    }
    parts.push(...this.landmarks(bottom, right, height));
    this.marks = runs.map(({ ink, dash }, run) => this.way(run, ink, dash));
    this.svg.replaceChildren(...parts, ...this.marks.flatMap(({ ghost, line, start, first, now }) => [ghost, line, start, first, now]));
  }

  landmarks(bottom, right, height) {
    const [x0, y0] = this.place([0, 0]);
    const [even] = this.place([EVEN, 0]);
    return [
      drawn("text", { class: "axis", x: (EDGE.left + right) / 2, y: height - 4, "text-anchor": "middle", text: "uniformity" }),
      drawn("text", { class: "axis", x: 11, y: (EDGE.top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${(EDGE.top + bottom) / 2})`, text: "alignment" }),
      drawn("path", { class: "landmark", d: `M${x0 - 4},${y0 - 4}L${x0 + 4},${y0 + 4}M${x0 + 4},${y0 - 4}L${x0 - 4},${y0 + 4}` }),
      drawn("text", { class: "landmark-name", x: even + 5, y: EDGE.top + 10, text: "spread evenly" }),
    ];
  }

  way(run, ink, dash) {
    const { points } = this.trails[run];
    const [x, y] = points.length ? this.place(points[0]) : [0, 0];
    const shown = points.length ? "inline" : "none";
    return {
      ghost: drawn("path", { class: "trail-ghost", d: this.path(points), stroke: ink }),
      line: drawn("path", { class: "trail", stroke: ink, "stroke-dasharray": dash }),
      start: drawn("circle", { class: "trail-start", cx: x, cy: y, r: 4, stroke: ink, display: shown }),
      first: drawn("text", { class: "landmark-name", ...this.beside([x, y], points), text: run ? "" : "start", display: shown }),
      now: drawn("circle", { class: "trail-now", r: 6, fill: ink, display: shown }),
    };
  }

  /** Where a word at the start of a trail stands clear of it: across its direction, above where there is room. */
  beside([x, y], points) {
    const far = points.map((point) => this.place(point)).find(([px, py]) => Math.hypot(px - x, py - y) > 12) ?? [x - 1, y];
    const long = Math.hypot(far[0] - x, far[1] - y);
    let [across, up] = [(far[1] - y) / long, -(far[0] - x) / long];
    if (up > 0) [across, up] = [-across, -up];
    if (x + 11 * across + 30 * (across > 0.3) > this.box.clientWidth) [across, up] = [-across, -up];
    return { x: x + 11 * across, y: y + 11 * up + 4, "text-anchor": across > 0.3 ? "start" : across < -0.3 ? "end" : "middle" };
  }

  path(points) {
    return points.map((point, i) => (i ? "L" : "M") + this.place(point).map((at) => at.toFixed(1)).join(",")).join("");
  }

  show(runs, step) {
    const told = runs.map(({ name }, run) => {
      const { steps, points } = this.trails[run];
      if (!points.length) return `${name} was not measured`;
      let i = 0;
      while (i < steps.length - 1 && steps[i + 1] <= step) i++;
      const gap = i < steps.length - 1 ? Math.max(0, (step - steps[i]) / (steps[i + 1] - steps[i])) : 0;
      const next = points[i + 1] ?? points[i];
      const now = points[i].map((value, k) => value + gap * (next[k] - value));
      tell(this.marks[run].line, "d", this.path([...points.slice(0, i + 1), now]));
      const [x, y] = this.place(now);
      tell(this.marks[run].now, "transform", `translate(${x.toFixed(1)},${y.toFixed(1)})`);
      return `${runs.length > 1 ? `${name}: ` : ""}alignment ${number(now[1])}, uniformity ${number(now[0])}`;
    });
    tell(this.svg, "aria-label", `alignment–uniformity plane at step ${Math.round(step)}: ${told.join("; ")}; lower is better for both`);
  }
}

/** Uniformity and alignment wherever both were measured. */
function trail(film) {
  const there = film.rows.filter((row) => typeof row.uniformity === "number" && typeof row.alignment === "number");
  return { steps: there.map((row) => row.step), points: there.map((row) => [row.uniformity, row.alignment]) };
}
