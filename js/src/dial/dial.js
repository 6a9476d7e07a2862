// Slider, bars of the value it stands at, and the curves of all values with a mark there.

import { marks } from "../shared/axes.js";
import { digits } from "../shared/digits.js";
import { drawn, element, tell, write } from "../shared/dom.js";
import { colour } from "../shared/palette.js";

const HIGH = 210, LOW = 110; // pixels of the curves, without their margins, where there is room and where not
const NARROW = 380; // pixels of the curves on a phone; more than two bars then leave them no room
const LEFT = 52, RIGHT = 14, TOP = 24, BELOW = 30;
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

/** Lowest and highest of all numbers; bars begin at 0, so it is among them. */
export function range(rows) {
  const all = rows.flat();
  const low = Math.min(0, ...all), high = Math.max(0, ...all);
  return high > low ? [low, high] : [low, low + 1];
}

export class Dial {
  constructor(state) {
    this.state = state;
    this.at = state.start;
    this.dark = false;
    this.span = range(state.rows);
    this.root = element("div", { class: "clwork-look clwork-dial", "data-fits": true });
    this.slider = element("input", {
      type: "range", min: 0, max: state.values.length - 1, step: 1, value: this.at, "aria-label": state.name,
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.value = element("output", { class: "value" });
    this.said = element("p", { class: "said", "aria-live": "polite" });
    this.bars = state.names.map((name, number) => this.bar(name, number));
    this.curves = element("div", { class: "curves" });
    this.root.append(
      element("div", { class: "head" }, element("span", { class: "name", text: state.name }), this.value),
      this.slider,
      this.said,
      element("div", { class: "body" }, element("div", { class: "bars" }, ...this.bars.map((one) => one.row)), this.curves),
    );
    this.said.hidden = !state.says.length;
    this.sight = new ResizeObserver(() => this.draw());
    this.sight.observe(this.root);
    this.go(this.at);
  }

  bar(name, number) {
    const fill = element("span", { class: "fill" });
    const value = element("span", { class: "number" });
    const row = element("div", { class: "bar" }, element("span", { class: "what", text: name }), element("span", { class: "track" }, fill), value);
    return { row, fill, value, number };
  }

  go(at) {
    this.at = at;
    const { values, rows, says } = this.state;
    write(this.value, digits(values[at]));
    tell(this.slider, "aria-valuetext", digits(values[at]));
    if (says.length) write(this.said, says[at]);
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

  paint(dark) {
    this.dark = dark;
    for (const bar of this.bars) bar.fill.style.background = colour(bar.number, dark);
    this.draw();
  }

  /** Where a value stands, from 0 to 1. */
  place(value) {
    const of = this.state.log ? Math.log : (x) => x;
    const first = of(this.state.values[0]), last = of(this.state.values.at(-1));
    return last > first ? (of(value) - first) / (last - first) : 0.5;
  }

  draw() {
    const narrow = this.root.clientWidth <= NARROW + 140;
    this.curves.hidden = narrow && this.bars.length > 2;
    const width = this.curves.clientWidth;
    if (!width) return;
    const height = narrow ? LOW : HIGH;
    const { name, values, names, rows, unit } = this.state;
    const [low, high] = this.span;
    const x = (value) => LEFT + this.place(value) * (width - LEFT - RIGHT);
    const y = (value) => TOP + ((high - value) / (high - low)) * height;
    this.x = x;
    const picture = drawn("svg", { width, height: TOP + height + BELOW, role: "img", "aria-label": `${names.join(", ")} over ${name}` });
    for (const { value, words } of marks(low, high, 4)) {
      picture.append(drawn("line", { class: value === 0 ? "zero" : "rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
      picture.append(drawn("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", text: words }));
    }
    for (const [value, anchor] of [[values[0], "start"], [values.at(-1), "end"]]) {
      picture.append(drawn("text", { class: "tick", x: x(value), y: TOP + height + 20, "text-anchor": anchor, text: digits(value) }));
    }
    picture.append(drawn("text", { class: "title x", x: (LEFT + width - RIGHT) / 2, y: TOP + height + 20, "text-anchor": "middle", text: name }));
    if (unit) picture.append(drawn("text", { class: "title y", x: 2, y: 12, text: unit }));
    names.forEach((_, k) => {
      const points = values.map((value, row) => `${x(value).toFixed(1)},${y(rows[row][k]).toFixed(1)}`).join(" ");
      picture.append(drawn("polyline", { class: "curve", points, stroke: colour(k, this.dark), "stroke-dasharray": DASHES[k % DASHES.length] || null }));
    });
    this.here = drawn("line", { class: "here", y1: TOP, y2: TOP + height });
    this.dots = names.map((_, k) => drawn("circle", { class: "dot", r: 4, fill: colour(k, this.dark) }));
    picture.append(this.here, ...this.dots);
    this.y = y;
    this.curves.replaceChildren(picture);
    this.mark();
  }

  mark() {
    if (!this.here) return;
    const at = this.x(this.state.values[this.at]);
    tell(this.here, "x1", String(at));
    tell(this.here, "x2", String(at));
    this.dots.forEach((dot, k) => {
      tell(dot, "cx", String(at));
      tell(dot, "cy", String(this.y(this.state.rows[this.at][k])));
    });
  }

  close() {
    this.sight.disconnect();
  }
}
