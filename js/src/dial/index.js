// A dial: a slider over precomputed values; clwork/lab/lesson_boxes.py describes the model's
// fields.

import { Chart } from "../shared/chart.js";
import { attribute, drawn, element, onResize, partsOf, write } from "../shared/dom.js";
import { mount } from "../shared/mount.js";
import { colour } from "../shared/palette.js";
import { digits } from "../shared/text.js";
import css from "./style.css";

const PAGE = `
<div class="clwork-look clwork-dial" data-fits>
  <div class="head"><span data-part="name"></span><output class="value" data-part="value"></output></div>
  <input type="range" min="0" data-part="slider" />
  <div class="body"><div data-part="bars"></div><div class="curves" data-part="curves"></div></div>
</div>`;
// height of the curves in pixels without margins, on a wide and on a narrow page
const HIGH = 210;
const LOW = 110;
// width in pixels of a page that has no space for curves of more than two numbers
const NARROW = 520;
const MARGIN = { left: 52, right: 14, top: 24, bottom: 30 };
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

/** Slider, a bar for each number at the chosen value, and curves over all values. */
class Dial {
  constructor(state) {
    this.state = state;
    this.parts = partsOf(PAGE);
    this.root = this.parts.root;
    const { slider } = this.parts;
    // the value axis: all numbers and 0; never empty
    const all = [0, ...state.rows.flat()];
    const [low, high] = [Math.min(...all), Math.max(...all)];
    this.range = [low, high > low ? high : low + 1];
    write(this.parts.name, state.name);
    slider.max = state.values.length - 1;
    slider.setAttribute("aria-label", state.name);
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    this.bars = state.names.map((name) => this.bar(name));
    onResize(this.root, () => this.draw());
    this.go(state.start);
  }

  /** The bar of a number. */
  bar(name) {
    const fill = element("span", { class: "fill" });
    const value = element("span", { class: "number" });
    const track = element("span", { class: "track" }, fill);
    const row = element("div", { class: "bar" }, element("span", { text: name }), value, track);
    this.parts.bars.append(row);
    return { fill, value };
  }

  /** Show the numbers of the value with this index. */
  go(at) {
    this.at = at;
    const { values, rows } = this.state;
    const text = digits(values[at], 4);
    write(this.parts.value, text);
    this.parts.slider.value = at;
    attribute(this.parts.slider, "aria-valuetext", text);
    const [low, high] = this.range;
    const percent = (number) => (100 * (number - low)) / (high - low);
    this.bars.forEach(({ fill, value }, k) => {
      const number = rows[at][k];
      const from = percent(Math.min(0, number));
      fill.style.left = `${from}%`;
      fill.style.width = `max(${percent(Math.max(0, number)) - from}%, 2px)`;
      write(value, digits(number));
    });
    this.mark();
  }

  /** Apply a theme. */
  paint(dark) {
    this.shades = this.bars.map((_, k) => colour(k, dark));
    this.bars.forEach(({ fill }, k) => {
      fill.style.background = this.shades[k];
    });
    this.draw();
  }

  /** The position of a value on the axis, from 0 to 1. */
  place(value) {
    const scale = this.state.log ? Math.log : (x) => x;
    const { values } = this.state;
    const [first, last] = [scale(values[0]), scale(values.at(-1))];
    return last > first ? (scale(value) - first) / (last - first) : 0.5;
  }

  /** Draw the curves for the present size of the page. */
  draw() {
    const { curves } = this.parts;
    const isNarrow = this.root.clientWidth <= NARROW;
    curves.hidden = isNarrow && this.bars.length > 2;
    const width = curves.clientWidth;
    if (!width) return;
    const height = (isNarrow ? LOW : HIGH) + MARGIN.top + MARGIN.bottom;
    const { name, values, names, rows, unit } = this.state;
    const chart = new Chart(width, height, MARGIN, [0, 1], this.range);
    const below = [
      [0, "start", digits(values[0], 4)],
      [1, "end", digits(values.at(-1), 4)],
      [0.5, "middle", name],
    ].map(([place, anchor, text]) => chart.label(chart.x(place), height - 10, anchor, text));
    const places = values.map((value) => this.place(value));
    const lines = this.shades.map((stroke, k) => {
      const numbers = rows.map((row) => row[k]);
      const dashes = DASHES[k % DASHES.length] || null;
      return chart.line(places, numbers, { class: "curve", stroke, "stroke-dasharray": dashes });
    });
    this.chart = chart;
    this.here = drawn("line", { class: "here", y1: chart.top, y2: chart.bottom });
    this.dots = this.shades.map((fill) => drawn("circle", { class: "dot", r: 4, fill }));
    const label = { role: "img", "aria-label": `${names.join(", ")} over ${name}` };
    const svg = drawn("svg", { width, height, ...label }, ...chart.yAxis(4), ...below);
    svg.append(chart.label(2, 12, "start", unit), ...lines, this.here, ...this.dots);
    curves.replaceChildren(svg);
    this.mark();
  }

  /** Move line and dots of the curves to the chosen value. */
  mark() {
    if (!this.chart) return;
    const { values, rows } = this.state;
    const x = this.chart.x(this.place(values[this.at]));
    this.here.setAttribute("x1", x);
    this.here.setAttribute("x2", x);
    this.dots.forEach((dot, k) => {
      dot.setAttribute("cx", x);
      dot.setAttribute("cy", this.chart.y(rows[this.at][k]));
    });
  }
}

const PARTS = ["name", "values", "names", "rows", "start", "unit", "log"];

/** Called by anywidget, or by the page of standalone.py. */
const render = ({ model, el }) =>
  mount(el, css, new Dial(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));

export default { render };
