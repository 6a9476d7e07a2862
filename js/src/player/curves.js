// What was measured over the steps, with the play head and what happened on the way. A press or drag moves the head.

import { marks } from "./axes.js";
import { cut, drawn, element, number, tell, write } from "./dom.js";

const LEFT = 40;
const RIGHT = 10;
// `least`: what the axis spans at least, so that next to no change looks like next to none
const SHOWN = [
  { name: "loss", smooth: true, least: 0.1 },
  { name: "alignment", least: 0.1 },
  { name: "uniformity", least: 0.5 },
];

/** The running mean of what has come so far, slow enough to read a noisy loss by. */
function smoothed(values) {
  const keep = Math.min(0.9, Math.max(0, 1 - 12 / values.length));
  let mean = values[0];
  return values.map((value, i) => {
    const held = Math.min(keep, i / (i + 1)); // the first values count fully
    mean = held * mean + (1 - held) * value;
    return mean;
  });
}

/** Ends of an axis that show the curve, not its few outliers. */
function range(lists, least) {
  const all = lists.flat().sort((a, b) => a - b);
  if (!all.length) return [0, 1];
  const low = all[Math.floor(0.01 * (all.length - 1))];
  const high = all[Math.ceil(0.99 * (all.length - 1))];
  const pad = Math.max(0.08 * (high - low), (least - (high - low)) / 2);
  return [low - pad, high + pad];
}

class Chart {
  constructor(column, last, go) {
    this.column = column;
    this.last = last;
    this.value = element("span", { class: "chart-value" });
    this.title = element("span", { class: "chart-name" });
    this.note = element("span", { class: "chart-hint" });
    this.svg = drawn("svg", { class: "chart-svg", role: "img" });
    this.box = element("div", { class: "chart-box" }, this.svg);
    this.root = element("div", { class: "chart" }, element("div", { class: "chart-title" }, this.title, this.value, this.note), this.box);
    const move = (event) => {
      const at = event.clientX - this.svg.getBoundingClientRect().left;
      go(Math.max(0, Math.min(1, (at - LEFT) / (this.width - LEFT - RIGHT))) * this.end);
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      move(event);
    });
    this.svg.addEventListener("pointermove", (event) => event.buttons && move(event));
  }

  /** Everything but the head; `runs` are {film, colour, dash}. */
  lay(runs, end) {
    this.width = this.box.clientWidth || 300;
    this.height = this.box.clientHeight || 60;
    this.end = end;
    const about = runs[0].film.columns[this.column.name] ?? {};
    write(this.title, about.title ?? this.column.name);
    write(this.note, this.column.smooth ? "thick: running mean" : "");
    this.hint = about.better ? `${about.better} is better` : "";
    const bottom = this.height - (this.last ? 18 : 5);
    const series = runs.map(({ film }) => film.series(this.column.name));
    const lines = series.map(({ values }) => (this.column.smooth && values.length ? smoothed(values) : values));
    const [low, high] = range(lines, this.column.least);
    this.x = (step) => LEFT + (step / (end || 1)) * (this.width - LEFT - RIGHT);
    const y = (value) => Math.max(2, Math.min(bottom, 4 + ((high - value) / (high - low)) * (bottom - 6)));
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    let above = Infinity; // marks that would lie on each other are left out
    const apart = ({ value }) => above - y(value) >= 13 && ((above = y(value)), true);
    const parts = marks(low, high, this.height > 90 ? 3 : 2).filter(apart).flatMap(({ value, words }) => [
      drawn("line", { class: "rule", x1: LEFT, x2: this.width - RIGHT, y1: y(value), y2: y(value) }),
      drawn("text", { class: "tick", x: LEFT - 5, y: y(value) + 3.5, "text-anchor": "end", text: words }),
    ]);
    if (this.last) {
      parts.push(
        ...marks(0, end, 4).filter(({ value }) => Number.isInteger(value)).map(({ value, words }) =>
          drawn("text", { class: "tick", x: this.x(value), y: this.height - 4, "text-anchor": this.x(value) > this.width - 24 ? "end" : "middle", text: words }),
        ),
      );
    }
    const ends = [0, 0, 0].slice(0, Math.max(1, Math.floor(this.height / 28))); // how far each row of words is taken
    runs.forEach(({ film, ink, dash }, run) => {
      parts.push(...this.happened(film, bottom, ends));
      const path = (values) => values.map((value, i) => `${i ? "L" : "M"}${this.x(series[run].steps[i]).toFixed(1)},${y(value).toFixed(1)}`).join("");
      if (this.column.smooth) parts.push(drawn("path", { class: "raw", d: path(series[run].values), stroke: ink }));
      parts.push(drawn("path", { class: "line", d: path(lines[run]), stroke: ink, "stroke-dasharray": dash }));
    });
    this.head = drawn("line", { class: "head", y1: 0, y2: bottom });
    this.dots = runs.map(({ ink }) => drawn("circle", { class: "head-dot", r: 4, fill: ink }));
    this.at = (run, step) => {
      const { low: i, part } = locate(series[run].steps, step);
      return lines[run].length ? y(lines[run][i] + part * ((lines[run][i + 1] ?? lines[run][i]) - lines[run][i])) : null;
    };
    this.svg.replaceChildren(...parts, this.head, ...this.dots);
  }

  happened(film, bottom, ends) {
    return film.events.map(({ step, words }) =>
      drawn("g", { class: "event" },
        drawn("title", { text: `step ${step}: ${words}` }),
        drawn("line", { x1: this.x(step), x2: this.x(step), y1: 0, y2: bottom }),
        this.column.name === "loss" ? this.worded(step, words, ends) : "",
      ),
    );
  }

  /** What happened, beside its line, in the first row that has room; all of it is in the line's title. */
  worded(step, words, ends) {
    const told = cut(words, 34);
    const long = told.length * 5.6;
    const x = Math.min(this.x(step) + 4, this.width - RIGHT - long);
    const row = ends.findIndex((end) => x >= end);
    if (row < 0) return "";
    ends[row] = x + long + 6;
    return drawn("text", { x, y: 10 + 12 * row, text: told });
  }

  /** Move the head; the value there is said in the title and to readers of the screen. */
  show(runs, step) {
    tell(this.head, "transform", `translate(${this.x(step).toFixed(1)},0)`);
    const told = runs.map(({ film, name }, run) => {
      const value = film.value(this.column.name, step);
      const last = film.known()[0];
      const high = this.at(run, Math.min(step, last));
      tell(this.dots[run], "display", high === null || value === null ? "none" : "inline");
      if (high !== null) tell(this.dots[run], "transform", `translate(${this.x(Math.min(step, last)).toFixed(1)},${high.toFixed(1)})`);
      return runs.length > 1 ? `${name} ${number(value)}` : number(value);
    });
    write(this.value, told.join("   "));
    tell(this.svg, "aria-label", `${this.title.textContent} ${told.join(", ")} at step ${Math.round(step)}${this.hint ? `; ${this.hint}` : ""}`);
    tell(this.root, "title", this.hint);
  }
}

function locate(steps, step) {
  let i = 0;
  while (i < steps.length - 1 && steps[i + 1] <= step) i++;
  const gap = (steps[i + 1] ?? steps[i]) - steps[i];
  return { low: i, part: gap > 0 ? Math.max(0, Math.min(1, (step - steps[i]) / gap)) : 0 };
}

export class Curves {
  constructor(go) {
    this.charts = SHOWN.map((column, i) => new Chart(column, i === SHOWN.length - 1, go));
    this.root = element("div", { class: "curves" }, ...this.charts.map((chart) => chart.root));
  }

  lay(runs, end) {
    this.charts.forEach((chart) => chart.lay(runs, end));
  }

  show(runs, step) {
    this.charts.forEach((chart) => chart.show(runs, step));
  }
}
