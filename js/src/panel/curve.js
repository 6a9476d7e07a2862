// One curve over the steps: this run in front, the one before in grey, levels to read it by, and the play head.

import { scaleLinear } from "./scales.js";
import { drawn, element, tell, write } from "../shared/dom.js";
import { between } from "./timeline.js";
import { measured, steps } from "./format.js";

const LETTER = 6.2; // pixels that a letter of a mark's words is wide
const LEFT = 40;
const LETTERED = 240; // pixels from which on values of two runs have their letters
const RIGHT = 8;
const LEAST = { alignment: 0.2, uniformity: 1, validation: 10 }; // what an axis spans at least, so that noise probes like noise
let clips = 0;

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

/** Ends of an axis that show the curves, not their few outliers. */
function range(lists) {
  const all = lists.flat().sort((a, b) => a - b);
  return all.length ? [all[Math.floor(0.01 * (all.length - 1))], all[Math.ceil(0.99 * (all.length - 1))]] : null;
}

export class Curve {
  /** `cell`: its name; `columns`: [{name, title, better, smooth}]; hooks: go(step), column(name), last: whether it has the steps. */
  constructor({ cell, columns }, hooks, last) {
    Object.assign(this, { cell, columns: [...columns], strip: columns.length, last, hooks, width: 0, height: 0, domain: null, record: null });
    this.column = columns[0];
    this.title = this.titled();
    this.value = element("span", { class: "curve-value" });
    this.was = element("span", { class: "curve-was" });
    this.hint = element("span", { class: "curve-hint" });
    const id = `clwork-clip-${++clips}`;
    this.clip = drawn("rect", { x: LEFT });
    this.ground = drawn("g");
    this.lines = drawn("g", { "clip-path": `url(#${id})` });
    this.head = drawn("line", { class: "head" });
    this.dots = drawn("g");
    const svg = drawn("svg", { class: "curve-svg" }, drawn("defs", {}, drawn("clipPath", { id }, this.clip)), this.ground, this.lines, this.head, this.dots);
    this.svg = svg;
    this.box = element("div", { class: "curve-box", role: "img", tabindex: 0 }, svg);
    this.root = element("div", { class: "clwork-curve", "data-cell": cell },
      element("div", { class: "curve-line" }, this.title, this.value, this.was, this.hint), this.box);
    this.pointer();
  }

  /** The name; of a cell with several columns a menu of them. */
  titled() {
    if (this.columns.length < 2) return element("span", { class: "curve-name", text: this.column?.title ?? this.cell });
    const menu = element("select", { class: "curve-name", "aria-label": "score that is drawn", onchange: () => this.choose(menu.value, true) });
    menu.append(...this.columns.map(({ name, title }) => element("option", { value: name, text: title })));
    return menu;
  }

  choose(name, asked) {
    this.column = this.columns.find((one) => one.name === name) ?? this.column;
    this.chosen ||= asked;
    if (this.title.tagName === "SELECT") this.title.value = this.column.name;
    this.domain = null;
    if (asked) this.hooks.column(this.column.name);
  }

  /** Further columns that a run has measured, [[name, title], …]: the menu has them, too. */
  offer(further) {
    if (this.title.tagName !== "SELECT") return;
    const fresh = further.filter(([name]) => !this.columns.some((one) => one.name === name));
    this.columns.push(...fresh.map(([name, title]) => ({ name, title, better: "", smooth: false })));
    this.title.append(...fresh.map(([name, title]) => element("option", { value: name, text: title })));
  }

  /** Until the reader chooses: the first column of which there is something. */
  seek(records) {
    if (this.chosen || records.some(({ history }) => history.has(this.column.name))) return;
    const found = this.columns.slice(0, this.strip).find(({ name }) => records.some(({ history }) => history.has(name)));
    if (found) this.choose(found.name, false);
  }

  pointer() {
    const { svg } = this;
    const move = (event) => {
      const at = event.clientX - svg.getBoundingClientRect().left;
      if (this.x) this.hooks.go(Math.max(0, Math.min(this.end, this.x.invert(at))));
    };
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      move(event);
    });
    svg.addEventListener("pointermove", (event) => event.buttons && move(event));
  }

  /** Everything but the head. `runs`: [{record, ink, dash}]; `previous`: a record or null; `end`: the last step of the axis. */
  lay({ runs, previous, bands }, end) {
    if (!this.width || !this.height || !this.columns.length) return;
    this.seek([...runs.map(({ record }) => record), ...(previous ? [previous] : [])]);
    const { name, smooth, better } = this.column;
    this.end = end;
    this.foot = this.height - 16;
    this.series = runs.map(({ record }) => record.history.series(name));
    this.means = this.series.map(({ values }) => (smooth && values.length ? smoothed(values) : values));
    const past = previous?.history.series(name);
    const before = past ? (smooth && past.values.length ? smoothed(past.values) : past.values) : [];
    const levels = Object.entries(runs[0]?.record.levels[name] ?? {}).filter(([, level]) => Number.isFinite(level) || Array.isArray(level));
    this.widen(runs[0]?.record, [...this.means, before], levels);
    this.empty = ![...this.means, before].some((list) => list.length);
    this.x = scaleLinear([0, end], [LEFT, this.width - RIGHT]);
    this.y = scaleLinear(this.domain, [this.foot - 2, 4]);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.ground.replaceChildren(...this.banded(bands[name]), ...this.marks(), ...levels.flatMap((level) => this.level(level)), ...runs.flatMap(({ record }) => this.happened(record)));
    const old = past?.steps.length ? [drawn("path", { class: "was-line", d: this.path(past.steps, before) })] : [];
    this.ground.append(...old);
    this.lines.replaceChildren(...runs.flatMap(({ ink, dash }, run) => [
      smooth ? drawn("path", { class: "raw", d: this.path(this.series[run].steps, this.series[run].values), stroke: ink }) : "",
      drawn("path", { class: "line", d: this.path(this.series[run].steps, this.means[run]), stroke: ink, "stroke-dasharray": dash }),
    ].filter(Boolean)));
    this.dots.replaceChildren(...runs.map(({ ink }) => drawn("circle", { class: "head-dot", r: 4, fill: ink })));
    for (const [mark, value] of [["y1", 0], ["y2", this.foot]]) tell(this.head, mark, String(value));
    tell(this.clip, "height", String(this.height));
    write(this.hint, this.empty ? "not measured yet" : better ? `${better} is better` : smooth ? "thick: running mean" : "");
    this.before = past ? { steps: past.steps, values: past.values } : null;
  }

  /** The ends of the values' axis: they only move apart, as long as the run is the same. */
  widen(record, lists, levels) {
    const found = range(lists) ?? (levels.length ? [0, 0] : [0, 1]);
    const most = levels.flatMap(([, level]) => level);
    let [low, high] = [Math.min(found[0], ...most), Math.max(found[1], ...most)];
    if (levels.length && this.cell === "loss") low = Math.min(0, low);
    const least = (this.columns.indexOf(this.column) < this.strip ? LEAST[this.cell] : null) ?? Math.max(0.1, 0.1 * Math.abs(high));
    const pad = Math.max(0.06 * (high - low), (least - (high - low)) / 2);
    [low, high] = [low === 0 ? 0 : low - pad, high + pad];
    if (this.domain && this.record === record) [low, high] = [Math.min(low, this.domain[0]), Math.max(high, this.domain[1])];
    [this.domain, this.record] = [[low, high], record];
  }

  /** Where other runs have gone; it does not widen the axis. */
  banded(band) {
    if (!band) return [];
    const at = band.steps.map((step, i) => [this.x(Math.min(step, this.end)), this.y(band.low[i]), this.y(band.high[i]), step]).filter(([, , , step], i) => step <= this.end || band.steps[i - 1] < this.end);
    const inside = (y) => Math.max(0, Math.min(this.foot, y)).toFixed(1);
    const there = at.map(([x, , high], i) => `${i ? "L" : "M"}${x.toFixed(1)},${inside(high)}`);
    const back = at.map(([x, low]) => `L${x.toFixed(1)},${inside(low)}`).reverse();
    return [drawn("path", { class: "band", d: `${[...there, ...back].join("")}Z` })];
  }

  marks() {
    if (this.empty) return [drawn("line", { class: "axis-line", x1: LEFT, x2: this.width - RIGHT, y1: this.foot, y2: this.foot }), ...this.stepMarks()];
    const values = this.y.ticks(Math.max(2, Math.floor(this.foot / 28)));
    const words = this.y.tickFormat(values.length);
    const parts = values.flatMap((value) => [
      drawn("line", { class: "rule", x1: LEFT, x2: this.width - RIGHT, y1: this.y(value), y2: this.y(value) }),
      drawn("text", { class: "tick", x: LEFT - 5, y: Math.max(10, Math.min(this.foot, this.y(value) + 4)), "text-anchor": "end", text: words(value) }),
    ]);
    parts.push(drawn("line", { class: "axis-line", x1: LEFT, x2: this.width - RIGHT, y1: this.foot, y2: this.foot }));
    return [...parts, ...this.stepMarks()];
  }

  stepMarks() {
    const room = Math.max(2, Math.floor((this.width - LEFT) / (LETTER * 7)));
    const at = this.last ? this.x.ticks(room).filter((value, i, all) => Number.isInteger(value) && (all.length <= room || i % 2 === 0)) : [];
    return at.map((value) => drawn("text", {
      class: "tick", x: this.x(value), y: this.height - 3, "text-anchor": this.x(value) > this.width - 24 ? "end" : "middle", text: steps(value),
    }));
  }

  /** A level, or a band between two, with its name. */
  level([name, level]) {
    const [low, high] = Array.isArray(level) ? level : [level, level];
    const y = this.y(high);
    const mark = low === high
      ? drawn("line", { class: "level", x1: LEFT, x2: this.width - RIGHT, y1: y, y2: y })
      : drawn("rect", { class: "band", x: LEFT, width: Math.max(0, this.width - RIGHT - LEFT), y, height: Math.max(1, this.y(low) - y) });
    return [mark, drawn("text", { class: "level-name", x: this.width - RIGHT - 2, y: y > 18 ? y - 4 : y + 12, "text-anchor": "end", text: name })];
  }

  /** What happened on the way: a mark on the axis, and of the newest its words in the loss. */
  happened(record) {
    const events = [...record.history.events, ...record.expected];
    const newest = events.at(-1);
    return events.map((event) => drawn("g", { class: "event" },
      drawn("title", { text: `step ${steps(event.step)}: ${event.words}` }),
      drawn("rect", { x: this.x(event.step) - 1, width: 2, y: this.foot, height: 8 }),
      event === newest && this.cell === "loss" ? this.worded(event) : "",
    ));
  }

  worded({ step, words }) {
    const most = Math.max(8, Math.floor(this.width / LETTER) - 2);
    const text = words.length > most ? `${words.slice(0, most - 1)}…` : words;
    const x = Math.max(2, Math.min(this.x(step) + 4, this.width - LETTER * text.length));
    return drawn("text", { x, y: this.height - 3, text });
  }

  /** A line; of points closer than half a pixel one is enough. */
  path(at, values) {
    let drawnTo = -Infinity;
    let text = "";
    for (let i = 0; i < at.length; i++) {
      const x = this.x(at[i]);
      if (x - drawnTo < 0.5 && i < at.length - 1) continue;
      if (x > this.width - RIGHT + 0.5) break;
      text += `${text ? "L" : "M"}${x.toFixed(1)},${Math.max(1, Math.min(this.foot, this.y(values[i]))).toFixed(1)}`;
      drawnTo = x;
    }
    return text;
  }

  /** The values now, each in its run's colour; the letters stand where there is room. */
  tell(runs, words) {
    const { value } = this;
    while (value.childElementCount > words.length) value.lastChild.remove();
    words.forEach((word, run) => {
      const part = value.children[run] ?? value.appendChild(element("span"));
      part.style.color = runs[run].ink;
      write(part, word);
    });
  }

  /** Where the head's dot lies: at the very value that is told, not at its running mean. */
  heightOf(run, step) {
    const { steps: at, values } = this.series[run];
    if (!values.length || step < at[0]) return null;
    const { low, part } = between(at, step);
    return this.y(values[low] + part * ((values[low + 1] ?? values[low]) - values[low]));
  }

  /** Move the head; `live`: the curve ends there, as it grows. */
  show(runs, step, live) {
    if (!this.x) return;
    const { name, better } = this.column;
    const at = this.x(Math.min(step, this.end));
    tell(this.head, "transform", `translate(${at.toFixed(1)},0)`);
    tell(this.clip, "width", (live ? Math.max(0, at - LEFT) : this.width).toFixed(1));
    const words = runs.map(({ record, name: letter }, run) => {
      const value = record.history.value(name, step);
      const x = Math.min(step, this.series[run].steps.at(-1) ?? 0);
      const high = this.heightOf(run, x);
      const dot = this.dots.children[run];
      tell(dot, "display", high === null || value === null ? "none" : "inline");
      if (high !== null) tell(dot, "transform", `translate(${this.x(Math.min(x, this.end)).toFixed(1)},${Math.max(1, Math.min(this.foot, high)).toFixed(1)})`);
      return runs.length > 1 ? `${letter} ${measured(value)}` : measured(value);
    });
    this.tell(runs, this.width < LETTERED ? words.map((word) => word.replace(/^[AB] /, "")) : words);
    write(this.was, this.before?.steps.length ? measured(this.before.values[between(this.before.steps, step).low]) : "");
    tell(this.box, "aria-label", `${this.column.title} ${words.join(", ")} at step ${Math.round(step)}${better ? `; ${better} is better` : ""}`);
  }
}
