// The column of curves over common steps: runs in front, the previous run in grey, levels, events,
// and the current step.

import { Chart } from "../shared/chart.js";
import { attribute, drawn, element, onResize, write } from "../shared/dom.js";
import { measured, steps } from "../shared/text.js";
import { markStep } from "./reading.js";
import { between } from "./runs.js";

// charts of a page whose kernel names none
const DEFAULT_CELLS = [
  { cell: "loss", columns: [{ name: "loss", title: "loss", better: "", smooth: true }] },
  {
    cell: "alignment",
    columns: [{ name: "alignment", title: "alignment", better: "lower", smooth: false }],
  },
  {
    cell: "uniformity",
    columns: [{ name: "uniformity", title: "uniformity", better: "lower", smooth: false }],
  },
];

// width of a letter in pixels
const LETTER = 6.2;
// minimum width in pixels for the letters next to the values of two runs
const LETTERED = 240;
const MARGIN = { left: 40, right: 8, top: 4, bottom: 18 };
// minimum axis range, so that noise does not look like a trend
const LEAST = { alignment: 0.2, uniformity: 1, validation: 10 };
let clips = 0;

/** The running mean of all values so far, smooth enough to read a noisy loss. */
function smoothed(values) {
  const keep = Math.min(0.9, Math.max(0, 1 - 12 / values.length));
  let mean = values[0];
  return values.map((value, i) => {
    // the first values have full weight
    const held = Math.min(keep, i / (i + 1));
    mean = held * mean + (1 - held) * value;
    return mean;
  });
}

/** Axis range from the 1st to the 99th percentile, so that outliers do not flatten the curves. */
function range(lists) {
  const all = lists.flat().sort((a, b) => a - b);
  return all.length
    ? [all[Math.floor(0.01 * (all.length - 1))], all[Math.ceil(0.99 * (all.length - 1))]]
    : null;
}

/**
 * The last step of the axis while a run is active: a round number that is reached soon, so that the
 * axis rarely changes.
 */
function roundEnd(last, total) {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(last, 1))));
  const end = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= last);
  return Math.max(last, 1, Math.min(end, total || end));
}

/**
 * One chart: the axes and lines change with the data (`lay`), the current step at each frame
 * (`show`).
 */
class Curve {
  /**
   * `cell`: its name; `columns`: [{name, title, better, smooth}]; `hooks`: go(step), column(name);
   * `last`: whether it labels the steps.
   */
  constructor({ cell, columns }, hooks, last) {
    Object.assign(this, {
      cell,
      columns: [...columns],
      strip: columns.length,
      last,
      hooks,
      width: 0,
      height: 0,
      domain: null,
      record: null,
    });
    this.column = columns[0];
    this.title = this.titled();
    this.value = element("span", { class: "curve-value" });
    this.was = element("span", { class: "curve-was" });
    this.hint = element("span", { class: "curve-hint" });
    const id = `clwork-clip-${++clips}`;
    this.clip = drawn("rect", { x: MARGIN.left });
    this.ground = drawn("g");
    this.lines = drawn("g", { "clip-path": `url(#${id})` });
    this.head = drawn("line", { class: "head" });
    this.dots = drawn("g");
    const svg = drawn(
      "svg",
      { class: "curve-svg" },
      drawn("defs", {}, drawn("clipPath", { id }, this.clip)),
      this.ground,
      this.lines,
      this.head,
      this.dots,
    );
    this.svg = svg;
    this.box = element("div", { class: "curve-box", role: "img", tabindex: 0 }, svg);
    this.root = element(
      "div",
      { class: "clwork-curve", "data-cell": cell },
      element("div", { class: "curve-line" }, this.title, this.value, this.was, this.hint),
      this.box,
    );
    this.pointer();
  }

  /** The title: a text, or a menu if there are several columns. */
  titled() {
    if (this.columns.length < 2)
      return element("span", { class: "curve-name", text: this.column?.title ?? this.cell });
    const menu = element("select", {
      class: "curve-name",
      "aria-label": "score that is drawn",
      onchange: () => this.choose(menu.value, true),
    });
    menu.append(
      ...this.columns.map(({ name, title }) => element("option", { value: name, text: title })),
    );
    return menu;
  }

  /** Draw another column; `asked`: the reader chose it. */
  choose(name, asked) {
    this.column = this.columns.find((one) => one.name === name) ?? this.column;
    this.chosen ||= asked;
    if (this.title.tagName === "SELECT") this.title.value = this.column.name;
    this.domain = null;
    if (asked) this.hooks.column(this.column.name);
  }

  /** Add further measured columns, [[name, title], …], to the menu. */
  offer(further) {
    if (this.title.tagName !== "SELECT") return;
    const fresh = further.filter(([name]) => !this.columns.some((one) => one.name === name));
    this.columns.push(
      ...fresh.map(([name, title]) => ({ name, title, better: "", smooth: false })),
    );
    this.title.append(
      ...fresh.map(([name, title]) => element("option", { value: name, text: title })),
    );
  }

  /** Until the reader chooses a column, show the first column that has values. */
  chooseColumn(records) {
    if (this.chosen || records.some(({ history }) => history.has(this.column.name))) return;
    const found = this.columns
      .slice(0, this.strip)
      .find(({ name }) => records.some(({ history }) => history.has(name)));
    if (found) this.choose(found.name, false);
  }

  /** A press or drag on the chart moves the time. */
  pointer() {
    const { svg } = this;
    const move = (event) => {
      const at = event.clientX - svg.getBoundingClientRect().left;
      if (this.chart) this.hooks.go(Math.max(0, Math.min(this.end, this.chart.x.invert(at))));
    };
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      move(event);
    });
    svg.addEventListener("pointermove", (event) => event.buttons && move(event));
  }

  /**
   * Draw everything except the current step. `runs`: [{record, ink, dash}]; `previous`: a record or
   * null; `end`: last step of the axis.
   */
  lay({ runs, previous, bands }, end) {
    const { width, height } = this;
    // hidden, it has nothing to show: the series of other runs would be wrong
    this.chart = null;
    if (!width || !height || !this.columns.length) return;
    this.chooseColumn([...runs.map(({ record }) => record), ...(previous ? [previous] : [])]);
    const { name, smooth, better } = this.column;
    const drawnOf = ({ values }) => (smooth && values.length ? smoothed(values) : values);
    this.end = end;
    this.series = runs.map(({ record }) => record.history.series(name));
    this.before = previous?.history.series(name) ?? null;
    const lines = this.series.map(drawnOf);
    const old = this.before ? drawnOf(this.before) : [];
    const levels = Object.entries(runs[0]?.record.levels[name] ?? {}).filter(
      ([, level]) => Number.isFinite(level) || Array.isArray(level),
    );
    this.widen(runs[0]?.record, [...lines, old], levels);
    const empty = ![...lines, old].some((list) => list.length);
    const chart = new Chart(width, height, MARGIN, [0, end], this.domain);
    this.chart = chart;
    this.foot = chart.bottom + 2;
    const room = Math.max(2, Math.floor((width - MARGIN.left) / (LETTER * 7)));
    attribute(this.svg, "viewBox", `0 0 ${width} ${height}`);
    this.ground.replaceChildren(
      ...this.bandOf(bands[name]),
      ...(empty ? [] : chart.yAxis(Math.max(2, Math.floor(this.foot / 28)))),
      drawn("line", {
        class: "axis-line",
        x1: chart.left,
        x2: chart.right,
        y1: this.foot,
        y2: this.foot,
      }),
      ...(this.last ? chart.xAxis(room, room) : []),
      ...levels.flatMap((level) => this.level(level)),
      ...runs.flatMap(({ record }) => this.eventMarks(record)),
      ...(old.length ? [chart.line(this.before.steps, old, { class: "was-line" })] : []),
    );
    this.lines.replaceChildren(
      ...runs.flatMap(({ ink, dash }, run) => [
        ...(smooth
          ? [
              chart.line(this.series[run].steps, this.series[run].values, {
                class: "raw",
                stroke: ink,
              }),
            ]
          : []),
        chart.line(this.series[run].steps, lines[run], {
          class: "line",
          stroke: ink,
          "stroke-dasharray": dash,
        }),
      ]),
    );
    this.dots.replaceChildren(
      ...runs.map(({ ink }) => drawn("circle", { class: "head-dot", r: 4, fill: ink })),
    );
    for (const [mark, value] of [
      ["y1", 0],
      ["y2", this.foot],
    ])
      attribute(this.head, mark, String(value));
    attribute(this.clip, "height", String(height));
    let hint = smooth ? "thick: running mean" : "";
    if (better) hint = `${better} is better`;
    if (empty) hint = "not measured yet";
    write(this.hint, hint);
  }

  /** Set the range of the value axis; within a run the range only widens. */
  widen(record, lists, levels) {
    const found = range(lists) ?? (levels.length ? [0, 0] : [0, 1]);
    const most = levels.flatMap(([, level]) => level);
    let [low, high] = [Math.min(found[0], ...most), Math.max(found[1], ...most)];
    if (levels.length && this.cell === "loss") low = Math.min(0, low);
    const least =
      (this.columns.indexOf(this.column) < this.strip ? LEAST[this.cell] : null) ??
      Math.max(0.1, 0.1 * Math.abs(high));
    const pad = Math.max(0.06 * (high - low), (least - (high - low)) / 2);
    [low, high] = [low === 0 ? 0 : low - pad, high + pad];
    if (this.domain && this.record === record)
      [low, high] = [Math.min(low, this.domain[0]), Math.max(high, this.domain[1])];
    [this.domain, this.record] = [[low, high], record];
  }

  /** Draw the range of other runs, which does not widen the axis. */
  bandOf(band) {
    if (!band) return [];
    const inside = (_, i) => band.steps[i] <= this.end || band.steps[i - 1] < this.end;
    const [at, low, high] = [band.steps, band.low, band.high].map((list) =>
      [...list].filter(inside),
    );
    return [
      this.chart.band(
        at.map((step) => Math.min(step, this.end)),
        low,
        high,
        { class: "band" },
      ),
    ];
  }

  /** A reference line with its name, or a band if the level is a pair. */
  level([name, level]) {
    const { chart } = this;
    const [low, high] = Array.isArray(level) ? level : [level, level];
    const y = chart.y(high);
    const mark =
      low === high
        ? chart.horizontal(high, "level")
        : chart.band([0, this.end], [low, low], [high, high], { class: "band" });
    return [mark, chart.label(chart.right - 2, y > 18 ? y - 4 : y + 12, "end", name, "level-name")];
  }

  /** Mark the run's events on the axis; the loss chart also shows the newest event's text. */
  eventMarks(record) {
    const events = [...record.history.events, ...record.expected];
    const newest = events.at(-1);
    return events.map((event) =>
      drawn(
        "g",
        { class: "event" },
        drawn("title", { text: `step ${steps(event.step)}: ${event.words}` }),
        drawn("rect", { x: this.chart.x(event.step) - 1, width: 2, y: this.foot, height: 8 }),
        event === newest && this.cell === "loss" ? this.worded(event) : "",
      ),
    );
  }

  /** The text of an event below the axis, cut to the chart's width. */
  worded({ step, words }) {
    const most = Math.max(8, Math.floor(this.width / LETTER) - 2);
    const text = words.length > most ? `${words.slice(0, most - 1)}…` : words;
    const x = Math.max(2, Math.min(this.chart.x(step) + 4, this.width - LETTER * text.length));
    return drawn("text", { x, y: this.height - 3, text });
  }

  /** Show the current values in their runs' colours, with the runs' letters where they fit. */
  showValues(runs, words, step) {
    const { value } = this;
    while (value.childElementCount > words.length) value.lastChild.remove();
    words.forEach((word, run) => {
      const part = value.children[run] ?? value.appendChild(element("span"));
      part.style.color = runs[run].ink;
      const { last } = runs[run].record;
      // of two runs one may have ended earlier
      const ended = runs.length > 1 && last < Math.round(step);
      markStep(part, ended ? last : null, ended);
      write(part, ended ? `${word} at ${steps(last)}` : word);
    });
  }

  /** The height of the current value, not of its running mean. */
  heightOf(run, step) {
    const { steps: at, values } = this.series[run];
    if (!values.length || step < at[0]) return null;
    const { low, part } = between(at, step);
    return this.chart.level(values[low] + part * ((values[low + 1] ?? values[low]) - values[low]));
  }

  /** Show the current step; `live`: later parts of the lines are hidden. */
  show(runs, step, live) {
    if (!this.chart) return;
    const { name, better } = this.column;
    const at = this.chart.x(Math.min(step, this.end));
    attribute(this.head, "transform", `translate(${at.toFixed(1)},0)`);
    attribute(this.clip, "width", (live ? Math.max(0, at - MARGIN.left) : this.width).toFixed(1));
    const words = runs.map(({ record, name: letter }, run) => {
      const value = record.history.value(name, step);
      const x = Math.min(step, this.series[run].steps.at(-1) ?? 0);
      const high = this.heightOf(run, x);
      const dot = this.dots.children[run];
      attribute(dot, "display", high === null || value === null ? "none" : "inline");
      if (high !== null)
        attribute(
          dot,
          "transform",
          `translate(${this.chart.x(Math.min(x, this.end)).toFixed(1)},${high.toFixed(1)})`,
        );
      return runs.length > 1 ? `${letter} ${measured(value)}` : measured(value);
    });
    this.showValues(
      runs,
      this.width < LETTERED ? words.map((word) => word.replace(/^[AB] /, "")) : words,
      step,
    );
    const { steps: measuredAt } = this.series[0] ?? { steps: [] };
    // both values are of this step
    const equal = measuredAt.length ? measuredAt[between(measuredAt, step).low] : step;
    write(
      this.was,
      this.before?.steps.length
        ? measured(this.before.values[between(this.before.steps, equal).low])
        : "",
    );
    attribute(
      this.box,
      "aria-label",
      `${this.column.title} ${words.join(", ")} at step ${Math.round(step)}${better ? `; ${better} is better` : ""}`,
    );
  }
}

/** All charts, one below the other. */
export class Curves {
  /** `cells`: as in clwork/lab/player_view.py; `hooks`: go(step), column(name), resized(). */
  constructor(cells, hooks) {
    const shown = cells?.length ? cells : DEFAULT_CELLS;
    this.hooks = hooks;
    this.curves = shown.map((cell, i) => new Curve(cell, hooks, i === shown.length - 1));
    this.root = element("div", { class: "curves" }, ...this.curves.map((curve) => curve.root));
    for (const curve of this.curves) {
      onResize(curve.box, (width, height) => {
        Object.assign(curve, { width, height });
        hooks.resized();
      });
    }
  }

  /**
   * Hide a cell with several columns if none was measured. The last visible cell labels the steps.
   */
  hideEmpty(records) {
    const there = ({ columns }) =>
      columns.length < 2 ||
      columns.some(({ name }) => records.some(({ history }) => history.has(name)));
    const shown = this.curves.filter(there);
    for (const curve of this.curves) {
      curve.root.hidden = !shown.includes(curve);
      curve.last = curve === shown.at(-1);
    }
    this.root.parentElement?.style.setProperty("--curves", String(shown.length));
  }

  /** Offer further measured columns in the last chart. */
  offer(further) {
    this.curves.at(-1).offer(further);
  }

  /** `bands`: {column: {steps, low, high}}, the range of other runs. */
  lay(runs, previous, bands = {}) {
    const alive = runs.some(({ record }) => record.alive);
    const last = Math.max(1, ...runs.map(({ record }) => record.last));
    const total = Math.max(0, ...runs.map(({ record }) => record.total));
    const end = alive ? roundEnd(last, total) : last;
    for (const curve of this.curves) curve.lay({ runs, previous, bands }, end);
  }

  /** Show the current step; `live`: later parts of the lines are hidden. */
  show(runs, step, live) {
    for (const curve of this.curves) curve.show(runs, step, live);
  }
}
