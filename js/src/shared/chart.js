// A line chart in SVG: scales, axes with round ticks, lines, bands.

import { format } from "d3-format";
import { scaleLinear } from "d3-scale";
import { drawn } from "./dom.js";

/*! d3-scale, d3-format, d3-array, d3-interpolate, d3-color. Copyright 2010-2023 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
*/

export { scaleLinear };

// pixels: of points closer than this, only one is drawn
const SAME = 0.5;
// pixels by which a line may exceed its axis
const SLACK = 2;

/** About `count` round values of a scale with their labels; at least two. */
export function ticksOf(scale, count) {
  const [low, high] = scale.domain();
  if (!(high > low)) return [{ value: low, label: format(".4~g")(low) }];
  while (count < 12 && scale.ticks(count).length < 2) count *= 2;
  const label = scale.tickFormat(count);
  return scale.ticks(count).map((value) => ({ value, label: label(value) }));
}

/** Scales and SVG nodes of one chart. */
export class Chart {
  /** `margin`: {left, right, top, bottom} in pixels; `x` and `y`: the axis ranges. */
  constructor(width, height, margin, x, y) {
    Object.assign(this, { width, height });
    this.left = margin.left;
    this.right = width - margin.right;
    this.top = margin.top;
    this.bottom = height - margin.bottom;
    this.x = scaleLinear(x, [this.left, this.right]);
    this.y = scaleLinear(y, [this.bottom, this.top]);
  }

  /** The y pixel of a value, clipped to the axis. */
  level(value) {
    return Math.max(this.top - SLACK, Math.min(this.bottom + SLACK, this.y(value)));
  }

  /** A horizontal line; `name` is its class. */
  horizontal(value, name) {
    const y = this.y(value);
    return drawn("line", { class: name, x1: this.left, x2: this.right, y1: y, y2: y });
  }

  /** A vertical line; `name` is its class. */
  vertical(value, name) {
    const x = this.x(value);
    return drawn("line", { class: name, x1: x, x2: x, y1: this.top, y2: this.bottom });
  }

  /** A text; `anchor` is "start", "middle" or "end". */
  label(x, y, anchor, text, name = "tick") {
    return drawn("text", { class: name, x, y, "text-anchor": anchor, text });
  }

  /** Rules with about `count` labels at the left. */
  yAxis(count) {
    return ticksOf(this.y, count).flatMap(({ value, label }) => [
      this.horizontal(value, value === 0 ? "rule zero" : "rule"),
      this.label(this.left - 5, Math.max(10, this.y(value) + 4), "end", label),
    ]);
  }

  /** About `count` labels of integer steps below the axis. */
  xAxis(count) {
    const steps = ticksOf(this.x, count).map(({ value }) => value);
    return steps.filter(Number.isInteger).map((value) => {
      const x = this.x(value);
      const anchor = x > this.width - 24 ? "end" : "middle";
      return this.label(x, this.height - 3, anchor, value.toLocaleString("en"));
    });
  }

  /** The SVG path of a line up to the end of the x axis. */
  path(steps, values) {
    const points = [];
    let last = -Infinity;
    for (let i = 0; i < steps.length; i++) {
      const x = this.x(steps[i]);
      if (x > this.right + SAME) break;
      if (x - last < SAME && i < steps.length - 1) continue;
      points.push(`${x.toFixed(1)},${this.level(values[i]).toFixed(1)}`);
      last = x;
    }
    return points.length ? `M${points.join("L")}` : "";
  }

  /** A line through all values. */
  line(steps, values, attributes) {
    return drawn("path", { d: this.path(steps, values), ...attributes });
  }

  /** The area between two lines. */
  band(steps, low, high, attributes) {
    const point = (value, i) => `${this.x(steps[i]).toFixed(1)},${this.level(value).toFixed(1)}`;
    const edge = [...Array.from(high, point), ...Array.from(low, point).reverse()];
    return drawn("path", { d: `M${edge.join("L")}Z`, ...attributes });
  }
}
