// Four small curves over steps: loss, alignment, uniformity, gradient lengths.

import { Chart } from "../shared/chart.js";
import { attribute, drawn, element, write } from "../shared/dom.js";
import { short } from "./show.js";

const MARGIN = { left: 34, right: 4, top: 5, bottom: 5 };

// maximum points of a curve; beyond it every second point is dropped
const MOST = 800;

/** Measurements by step. `every`: only each step that is a multiple of it is recorded. */
export class Record {
  constructor() {
    this.clear();
  }
  /** Forget all measurements. */
  clear() {
    this.rows = [];
    this.marks = [];
    this.every = 1;
  }
  /** Record the measurements of a step; halve the record if it is too long. */
  add(step, measured) {
    if (step % this.every !== 0) return;
    this.rows.push({ step, ...measured });
    if (this.rows.length > MOST) {
      this.every *= 2;
      this.rows = this.rows.filter((row) => row.step % this.every === 0);
    }
  }
  /** Record that a setting was changed at this step. */
  mark(step) {
    if (step > 0 && this.marks.at(-1) !== step) this.marks.push(step);
  }
}

/** Builds the charts in `parent`; returns a function that draws a record. */
export function curves(parent, sheets) {
  const made = sheets.map((sheet) => {
    const value = element("output");
    const svg = drawn("svg", { role: "img" });
    parent.append(
      element(
        "figure",
        { class: "curve" },
        element("figcaption", {}, element("span", { text: sheet.title }), value),
        svg,
        element("small", { text: sheet.help }),
      ),
    );
    return { ...sheet, svg, value };
  });
  return (record, now, landmarks) => {
    for (const sheet of made) {
      write(sheet.value, sheet.lines.map(({ name }) => short(now[name])).join(" / "));
      attribute(sheet.svg, "aria-label", `${sheet.title}: now ${sheet.value.textContent}`);
      draw(sheet, record, landmarks[sheet.title]);
    }
  };
}

/** The range of a chart's value axis; `landmark` is its dashed line. */
function ends({ lines, range, zero }, rows, landmark) {
  const values = rows.flatMap((row) => lines.map(({ name }) => row[name]));
  let low = Math.min(...values, landmark?.value ?? Infinity);
  let high = Math.max(...values, landmark?.value ?? -Infinity);
  if (range) [low, high] = [Math.min(range[0], 1.1 * (landmark?.value ?? 0)), range[1]];
  else if (zero) low = 0;
  return high - low > 1e-9 ? [low, high] : [low - 0.5, high + 0.5];
}

/** Draw one chart: frame, changes of settings, dashed line, and lines up to the present step. */
function draw(sheet, { rows, marks }, landmark) {
  const { clientWidth: width, clientHeight: height } = sheet.svg;
  if (!width) return;
  const [low, high] = ends(sheet, rows, landmark);
  const steps = rows.map(({ step }) => step);
  const chart = new Chart(width, height, MARGIN, [0, Math.max(steps.at(-1) ?? 0, 30)], [low, high]);
  const parts = [
    chart.label(chart.left - 4, 10, "end", short(high)),
    chart.label(chart.left - 4, height - 3, "end", short(low)),
    drawn("rect", {
      class: "frame-line",
      x: chart.left - 0.5,
      y: 0.5,
      width: chart.right - chart.left + 1,
      height: height - 1,
    }),
    ...marks.map((step) =>
      drawn("line", { class: "change", x1: chart.x(step), x2: chart.x(step), y1: 0, y2: height }),
    ),
  ];
  if (landmark && landmark.value >= low && landmark.value <= high) {
    const y = chart.y(landmark.value);
    parts.push(
      chart.horizontal(landmark.value, "landmark"),
      chart.label(chart.right - 3, y < 14 ? y + 11 : y - 3, "end", landmark.name),
    );
  }
  for (const { name, colour } of sheet.lines) {
    const ink = `var(--${colour})`;
    parts.push(
      chart.line(
        steps,
        rows.map((row) => row[name]),
        { class: "line", stroke: ink },
      ),
    );
    if (rows.length)
      parts.push(
        drawn("circle", {
          cx: chart.x(steps.at(-1)),
          cy: chart.level(rows.at(-1)[name]),
          r: 2.6,
          fill: ink,
        }),
      );
  }
  sheet.svg.replaceChildren(...parts);
}
