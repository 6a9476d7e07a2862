// Three small curves over steps: loss, alignment, uniformity.

import { Chart } from "../shared/chart.js";
import { attribute, drawn, element, write } from "../shared/dom.js";
import { brief } from "../shared/text.js";

const MARGIN = { left: 42, right: 4, top: 5, bottom: 5 };
// the least number of steps on the axis
const FEWEST = 30;
// maximum points of a curve; beyond it every second point is dropped
const MOST = 800;

/** Measurements by step. `every`: only each step that is a multiple of it is recorded. */
export class Record {
  constructor() {
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

// `range`: the ends of the value axis; one that is missing is that of the values
const SHEETS = [
  { name: "loss", title: "Loss", help: "what steps make smaller", range: [] },
  { name: "alignment", title: "Alignment", help: "of partners, 0 is best", range: [0] },
  {
    name: "uniformity",
    title: "Uniformity",
    help: "of all, lower is better",
    range: [undefined, 0],
  },
];

/** Builds the charts in `parent`; returns a function that draws a record. */
export function curves(parent) {
  const sheets = SHEETS.map((sheet) => {
    const value = element("output");
    const svg = drawn("svg", { role: "img" });
    const title = element("figcaption", {}, element("span", { text: sheet.title }), value);
    const help = element("small", { text: sheet.help });
    parent.append(element("figure", { class: `curve ${sheet.name}` }, title, svg, help));
    return { ...sheet, svg, value };
  });
  return (record, measured) => {
    for (const sheet of sheets) {
      write(sheet.value, brief(measured[sheet.name]));
      attribute(sheet.svg, "aria-label", `${sheet.title}: now ${sheet.value.textContent}`);
      draw(sheet, record);
    }
  };
}

/** Draw one chart: its range, changes of settings, and the line up to the present step. */
function draw({ name, range, svg }, { rows, marks }) {
  const { clientWidth: width, clientHeight: height } = svg;
  if (!width) return;
  const steps = rows.map(({ step }) => step);
  const values = rows.map((row) => row[name]);
  let [low = Math.min(...values), high = Math.max(...values)] = range;
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const last = Math.max(steps.at(-1), FEWEST);
  const chart = new Chart(width, height, MARGIN, [0, last], [low, high]);
  svg.replaceChildren(
    chart.horizontal(high, "rule"),
    chart.horizontal(low, "rule"),
    chart.label(chart.left - 4, 10, "end", brief(high)),
    chart.label(chart.left - 4, height - 3, "end", brief(low)),
    ...marks.map((step) => chart.vertical(step, "change")),
    chart.line(steps, values, { class: "line" }),
    drawn("circle", { cx: chart.x(steps.at(-1)), cy: chart.level(values.at(-1)), r: 2.6 }),
  );
}
