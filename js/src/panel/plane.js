// The alignment–uniformity plane, zoomed to the runs.

import { Chart, ticksOf } from "../shared/chart.js";
import { attribute, drawn, onResize, partsOf } from "../shared/dom.js";
import { measured } from "../shared/text.js";
import { between } from "./runs.js";

// minimum range of each axis
const LEAST = [0.5, 0.2];
// share of the range that is added at both ends
const AROUND = 0.12;
const MARGIN = { left: 50, right: 12, top: 6, bottom: 28 };

const PLANE = `
  <div class="clwork-plane">
    <div class="curve-line small">
      <span class="curve-name">alignment–uniformity</span>
      <span class="curve-hint soft later">← more even · ↓ pairs nearer</span>
    </div>
    <div class="plane-box" data-part="box"><svg class="plane-svg" data-part="svg" role="img"/></div>
  </div>`;

/** Each run's path through the plane; u is uniformity, a is alignment. */
export class Plane {
  /** `resized()`: called when its size has changed. */
  constructor(resized) {
    Object.assign(this, partsOf(PLANE));
    this.width = this.height = 0;
    onResize(this.box, (width, height) => {
      Object.assign(this, { width, height });
      resized();
    });
  }

  /** Draw everything except the current values. */
  lay(runs, previous) {
    // hidden, it has nothing to show: the ways of other runs would be wrong
    this.ways = null;
    if (this.width < 70 || this.height < 50) return;
    this.trails = runs.map(({ record }) => record.history.trail());
    const past = previous?.history.trail().points ?? [];
    const points = [...this.trails.flatMap((trail) => trail.points), ...past];
    const [u, a] = [0, 1].map((axis) =>
      rangeOf(
        points.map((point) => point[axis]),
        LEAST[axis],
      ),
    );
    this.chart = new Chart(this.width, this.height, MARGIN, u, a);
    attribute(this.svg, "viewBox", `0 0 ${this.width} ${this.height}`);
    this.ways = runs.map(({ ink, dash }) => ({
      line: drawn("path", { class: "trail", stroke: ink, "stroke-dasharray": dash }),
      start: drawn("circle", { class: "trail-start", r: 4, stroke: ink }),
      now: drawn("circle", { class: "trail-now", r: 6, fill: ink }),
    }));
    const trail = (name, through, ink) =>
      drawn("path", { class: name, stroke: ink, d: this.path(through) });
    this.svg.replaceChildren(
      ...this.axes(),
      trail("was-line", past),
      ...runs.map(({ ink }, run) => trail("trail-all", this.trails[run].points, ink)),
      ...this.ways.flatMap(({ line, start, now }) => [line, start, now]),
    );
  }

  /** Ticks, rules and names of both axes. */
  axes() {
    const { chart, height } = this;
    const { left, right, top, bottom } = chart;
    const count = Math.max(2, Math.floor((right - left) / 60));
    return [
      ...chart.yAxis(3),
      ...ticksOf(chart.x, count).flatMap(({ value, label }) => [
        drawn("line", {
          class: "rule",
          x1: chart.x(value),
          x2: chart.x(value),
          y1: top,
          y2: bottom,
        }),
        chart.label(chart.x(value), bottom + 12, "middle", label),
      ]),
      chart.label(right, height - 3, "end", "uniformity"),
      drawn("text", {
        "text-anchor": "end",
        transform: `translate(10 ${top}) rotate(-90)`,
        text: "alignment",
      }),
    ];
  }

  /** The pixel of a point. */
  place([u, a]) {
    return [this.chart.x(u), this.chart.y(a)];
  }

  /** The SVG path through points. */
  path(points) {
    const pixels = points.map((point) =>
      this.place(point)
        .map((at) => at.toFixed(1))
        .join(),
    );
    return pixels.length ? `M${pixels.join("L")}` : "";
  }

  /** Show the current point of each run. */
  show(runs, step) {
    if (!this.ways) return;
    const words = runs.map(({ name }, run) => {
      const { steps, points } = this.trails[run];
      const { line, start, now: dot } = this.ways[run];
      for (const circle of [start, dot])
        attribute(circle, "display", points.length ? "inline" : "none");
      if (!points.length) return `${name} was not measured`;
      const { low, part } = between(steps, step);
      const next = points[low + 1] ?? points[low];
      const now = points[low].map((value, axis) => value + part * (next[axis] - value));
      attribute(line, "d", this.path([...points.slice(0, low + 1), now]));
      attribute(start, "transform", `translate(${this.place(points[0])})`);
      attribute(dot, "transform", `translate(${this.place(now)})`);
      return `${name}: alignment ${measured(now[1])}, uniformity ${measured(now[0])}`;
    });
    attribute(
      this.svg,
      "aria-label",
      `alignment–uniformity plane at step ${Math.round(step)}: ${words.join("; ")}`,
    );
  }
}

/** The range of values, at least as wide as `least`, with a margin. */
function rangeOf(values, least) {
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 0];
  const pad = Math.max(AROUND * (high - low), (least - (high - low)) / 2);
  return [low - pad, high + pad];
}
