// A dial: a slider over precomputed values; clwork/lab/lesson_boxes.py describes the model's
// fields.

import { Chart } from "../shared/chart.js";
import { attribute, drawn, element, onResize, write } from "../shared/dom.js";
import { mount } from "../shared/mount.js";
import { colour } from "../shared/palette.js";
import { digits } from "../shared/text.js";
import css from "./style.css";

// height of the curves in pixels without margins, on a wide and on a narrow page
const HIGH = 210;
const LOW = 110;
// width of the curves in pixels on a phone, where there is no space for more than two bars
const NARROW = 380;
const MARGIN = { left: 52, right: 14, top: 24, bottom: 30 };
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

/** The range of the value axis: all numbers and 0; never empty. */
function range(rows) {
  const all = rows.flat();
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  return high > low ? [low, high] : [low, low + 1];
}

/** Slider, a bar for each number at the chosen value, and curves over all values. */
class Dial {
  constructor(state) {
    this.state = state;
    this.at = state.start;
    this.dark = false;
    this.span = range(state.rows);
    this.root = element("div", { class: "clwork-look clwork-dial", "data-fits": true });
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: state.values.length - 1,
      step: 1,
      value: this.at,
      "aria-label": state.name,
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.value = element("output", { class: "value" });
    this.bars = state.names.map((name, number) => this.bar(name, number));
    this.curves = element("div", { class: "curves" });
    this.root.append(
      element(
        "div",
        { class: "head" },
        element("span", { class: "name", text: state.name }),
        this.value,
      ),
      this.slider,
      element(
        "div",
        { class: "body" },
        element("div", { class: "bars" }, ...this.bars.map((one) => one.row)),
        this.curves,
      ),
    );
    onResize(this.root, () => this.draw());
    this.go(this.at);
  }

  /** The bar of one number; `number` is its index among the names. */
  bar(name, number) {
    const fill = element("span", { class: "fill" });
    const value = element("span", { class: "number" });
    const row = element(
      "div",
      { class: "bar" },
      element("span", { class: "what", text: name }),
      element("span", { class: "track" }, fill),
      value,
    );
    return { row, fill, value, number };
  }

  /** Show the numbers of the value with this index. */
  go(at) {
    this.at = at;
    const { values, rows } = this.state;
    write(this.value, digits(values[at], 4));
    attribute(this.slider, "aria-valuetext", digits(values[at], 4));
    const [low, high] = this.span;
    const share = (number) => (100 * (number - low)) / (high - low);
    this.bars.forEach((bar, k) => {
      const [from, to] = [share(Math.min(0, rows[at][k])), share(Math.max(0, rows[at][k]))];
      bar.fill.style.left = `${from}%`;
      bar.fill.style.width = `max(${to - from}%, 2px)`;
      write(bar.value, digits(rows[at][k]));
    });
    this.mark();
  }

  /** Apply a theme. */
  paint(dark) {
    this.dark = dark;
    for (const bar of this.bars) bar.fill.style.background = colour(bar.number, dark);
    this.draw();
  }

  /** The position of a value on the axis, from 0 to 1. */
  place(value) {
    const of = this.state.log ? Math.log : (x) => x;
    const first = of(this.state.values[0]);
    const last = of(this.state.values.at(-1));
    return last > first ? (of(value) - first) / (last - first) : 0.5;
  }

  /** Draw the curves for the present size of the page. */
  draw() {
    const narrow = this.root.clientWidth <= NARROW + 140;
    this.curves.hidden = narrow && this.bars.length > 2;
    const width = this.curves.clientWidth;
    if (!width) return;
    const height = (narrow ? LOW : HIGH) + MARGIN.top + MARGIN.bottom;
    const { name, values, names, rows, unit } = this.state;
    const chart = new Chart(width, height, MARGIN, [0, 1], this.span);
    const places = values.map((value) => this.place(value));
    const below = [
      [0, "start", digits(values[0], 4)],
      [1, "end", digits(values.at(-1), 4)],
      [0.5, "middle", name, "title x"],
    ].map(([place, anchor, text, kind]) =>
      chart.label(chart.x(place), height - 10, anchor, text, kind),
    );
    const lines = names.map((_, k) =>
      chart.line(
        places,
        rows.map((row) => row[k]),
        {
          class: "curve",
          stroke: colour(k, this.dark),
          "stroke-dasharray": DASHES[k % DASHES.length] || null,
        },
      ),
    );
    this.here = drawn("line", { class: "here", y1: chart.top, y2: chart.bottom });
    this.dots = names.map((_, k) =>
      drawn("circle", { class: "dot", r: 4, fill: colour(k, this.dark) }),
    );
    this.chart = chart;
    const label = `${names.join(", ")} over ${name}`;
    this.curves.replaceChildren(
      drawn(
        "svg",
        { width, height, role: "img", "aria-label": label },
        ...chart.yAxis(4),
        ...below,
        unit ? chart.label(2, 12, "start", unit, "title y") : "",
        ...lines,
        this.here,
        ...this.dots,
      ),
    );
    this.mark();
  }

  /** Move line and dots of the curves to the chosen value. */
  mark() {
    if (!this.here) return;
    const at = String(this.chart.x(this.place(this.state.values[this.at])));
    for (const end of ["x1", "x2"]) attribute(this.here, end, at);
    this.dots.forEach((dot, k) => {
      attribute(dot, "cx", at);
      attribute(dot, "cy", String(this.chart.y(this.state.rows[this.at][k])));
    });
  }
}

const PARTS = ["name", "values", "names", "rows", "start", "unit", "log"];

/** Called by anywidget, or by the page of standalone.py. */
const render = ({ model, el }) =>
  mount(el, css, new Dial(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));

export default { render };
