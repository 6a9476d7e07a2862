// The alignment–uniformity plane, zoomed to the runs.

import { scaleLinear } from "../shared/chart.js";
import { attribute, drawn, element, onResize } from "../shared/dom.js";
import { measured } from "../shared/text.js";
import { between } from "./runs.js";

const LANDMARKS = { collapsed: [0, 0], random: [-4, 2] };
const LEAST = { u: 0.5, a: 0.2 };
const AROUND = 0.12;
// the right margin holds names
const EDGE = { left: 50, right: 84, top: 6, bottom: 28 };

/** Each run's path through the plane; u is uniformity, a is alignment. */
export class Plane {
  constructor(hooks) {
    this.svg = drawn("svg", { class: "plane-svg", role: "img" });
    this.box = element("div", { class: "plane-box" }, this.svg);
    this.root = element(
      "div",
      { class: "clwork-plane" },
      element(
        "div",
        { class: "curve-line" },
        element("span", { class: "curve-name", text: "alignment–uniformity" }),
        element("span", { class: "curve-hint", text: "better ↙" }),
      ),
      this.box,
    );
    [this.width, this.height] = [0, 0];
    onResize(this.box, (width, height) => {
      Object.assign(this, { width, height });
      hooks.resized();
    });
  }

  /**
   * Draw everything except the current values; `landmarks`: {name: [uniformity, alignment]}, added
   * to the built-in ones.
   */
  lay(runs, previous, landmarks = {}) {
    // hidden, it has nothing to show: the ways of other runs would be wrong
    this.ways = null;
    if (this.width < 60 || this.height < 50) return;
    this.trails = runs.map(({ record }) => record.history.trail());
    const past = previous?.history.trail() ?? { points: [] };
    this.zoom(
      runs[0]?.record,
      [...this.trails, past].flatMap(({ points }) => points),
    );
    const right = this.width - EDGE.right;
    const bottom = this.height - EDGE.bottom;
    this.x = scaleLinear(this.domain.u, [EDGE.left, right]);
    this.y = scaleLinear(this.domain.a, [bottom, EDGE.top]);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const marks = this.marksOf(landmarks);
    this.ways = runs.map(({ ink, dash }, run) => this.way(this.trails[run].points, ink, dash));
    this.svg.replaceChildren(
      ...this.grid(right, bottom),
      ...marks,
      ...(past.points.length
        ? [drawn("path", { class: "was-line", d: this.path(past.points) })]
        : []),
      ...this.ways.flatMap(({ all, line, start, now }) => [all, line, start, now]),
    );
  }

  /** Zoom to all points; within a run the range only widens. */
  zoom(record, points) {
    const found = points.length ? points : [[-2, 1]];
    const around = (place, least, floor) => {
      const values = found.map((point) => point[place]);
      let [low, high] = [Math.min(...values), Math.max(...values)];
      const pad = Math.max(AROUND * (high - low), (least - (high - low)) / 2);
      [low, high] = [low - pad, high + pad];
      return low < floor ? [floor, Math.max(high, floor + least)] : [low, high];
    };
    let [u, a] = [around(0, LEAST.u, -Infinity), around(1, LEAST.a, -0.02)];
    if (this.record === record && this.domain) {
      u = [Math.min(u[0], this.domain.u[0]), Math.max(u[1], this.domain.u[1])];
      a = [Math.min(a[0], this.domain.a[0]), Math.max(a[1], this.domain.a[1])];
    }
    [this.domain, this.record] = [{ u, a }, points.length ? record : null];
  }

  /** The pixel of a point. */
  place([u, a]) {
    return [this.x(u), this.y(a)];
  }

  /** Ticks, rules and names of both axes. */
  grid(right, bottom) {
    const [us, as] = [
      this.x.ticks(Math.max(2, Math.floor((right - EDGE.left) / 60))),
      this.y.ticks(3),
    ];
    const [uWords, aWords] = [this.x.tickFormat(us.length), this.y.tickFormat(as.length)];
    return [
      ...us.flatMap((u) => [
        drawn("line", { class: "rule", x1: this.x(u), x2: this.x(u), y1: EDGE.top, y2: bottom }),
        drawn("text", {
          class: "tick",
          x: this.x(u),
          y: bottom + 12,
          "text-anchor": "middle",
          text: uWords(u),
        }),
      ]),
      ...as.flatMap((a) => [
        drawn("line", { class: "rule", x1: EDGE.left, x2: right, y1: this.y(a), y2: this.y(a) }),
        drawn("text", {
          class: "tick",
          x: EDGE.left - 5,
          y: this.y(a) + 4,
          "text-anchor": "end",
          text: aWords(a),
        }),
      ]),
      drawn("text", {
        class: "axis",
        x: right,
        y: this.height - 3,
        "text-anchor": "end",
        text: "uniformity",
      }),
      drawn("text", {
        class: "axis",
        x: 4,
        y: EDGE.top + 2,
        "text-anchor": "end",
        transform: `rotate(-90 10 ${EDGE.top})`,
        text: "alignment",
      }),
    ];
  }

  /**
   * Landmarks as crosses with leader lines to a column of names at the right; an arrow points to a
   * landmark outside the range.
   */
  marksOf(landmarks) {
    const right = this.width - EDGE.right;
    const bottom = this.height - EDGE.bottom;
    const all = Object.entries({ ...LANDMARKS, ...landmarks }).map(([name, point]) => ({
      name,
      at: this.place(point),
    }));
    // largest y of the first name, so that all names fit
    const most = this.height - 6 - 13 * (all.length - 1);
    let free = EDGE.top + 10;
    return all
      .sort((a, b) => a.at[1] - b.at[1])
      .flatMap(({ name, at: [x, y] }, i) => {
        const seen = x >= EDGE.left && x <= right && y >= EDGE.top && y <= bottom;
        const high = Math.max(free, Math.min(y + 4, most + 13 * i));
        free = high + 13;
        const turn = (Math.atan2(y - high, x - right) * 180) / Math.PI;
        return [
          drawn("text", { class: "landmark-name", x: right + 16, y: high, text: name }),
          ...(seen
            ? [
                drawn("path", {
                  class: "landmark",
                  d: `M${x - 4},${y - 4}L${x + 4},${y + 4}M${x + 4},${y - 4}L${x - 4},${y + 4}`,
                }),
                drawn("line", { class: "leader", x1: x, y1: y, x2: right + 14, y2: high - 4 }),
              ]
            : [
                drawn("path", {
                  class: "landmark-arrow",
                  d: "M-4 -3.5L4 0L-4 3.5Z",
                  transform: `translate(${right + 8},${high - 4}) rotate(${turn.toFixed(0)})`,
                }),
              ]),
        ];
      });
  }

  /** The nodes of a run's path: all of it, the part so far, its start and its present point. */
  way(points, ink, dash) {
    const [x, y] = points.length ? this.place(points[0]) : [0, 0];
    const shown = points.length ? "inline" : "none";
    return {
      all: drawn("path", { class: "trail-all", d: this.path(points), stroke: ink }),
      line: drawn("path", { class: "trail", stroke: ink, "stroke-dasharray": dash }),
      start: drawn("circle", {
        class: "trail-start",
        cx: x,
        cy: y,
        r: 4,
        stroke: ink,
        display: shown,
      }),
      now: drawn("circle", { class: "trail-now", r: 6, fill: ink, display: shown }),
    };
  }

  /** The SVG path through points. */
  path(points) {
    return points
      .map(
        (point, i) =>
          (i ? "L" : "M") +
          this.place(point)
            .map((at) => at.toFixed(1))
            .join(","),
      )
      .join("");
  }

  /** Show the current point of each run. */
  show(runs, step) {
    if (!this.ways) return;
    const words = runs.map(({ name }, run) => {
      const { steps, points } = this.trails[run];
      if (!points.length) return `${runs.length > 1 ? name : "this run"} was not measured`;
      const { low, part } = between(steps, step);
      const next = points[low + 1] ?? points[low];
      const now = points[low].map((value, k) => value + part * (next[k] - value));
      attribute(this.ways[run].line, "d", this.path([...points.slice(0, low + 1), now]));
      const [x, y] = this.place(now);
      attribute(this.ways[run].now, "transform", `translate(${x.toFixed(1)},${y.toFixed(1)})`);
      return `${runs.length > 1 ? `${name}: ` : ""}alignment ${measured(now[1])}, uniformity ${measured(now[0])}`;
    });
    attribute(
      this.svg,
      "aria-label",
      `alignment–uniformity plane at step ${Math.round(step)}: ${words.join("; ")}; lower is better for both`,
    );
  }
}
