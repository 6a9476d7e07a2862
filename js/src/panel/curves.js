// The charts over common steps: runs in front, the previous run in grey, levels, events, and the
// current step.

import { range } from "d3-array";
import { Chart } from "../shared/chart.js";
import {
  attribute,
  div,
  drawn,
  element,
  offer,
  onResize,
  partsOf,
  span,
  write,
  zoomOf,
} from "../shared/dom.js";
import { measured, steps } from "../shared/text.js";
import { markStep } from "./reading.js";
import { between } from "./runs.js";

const MARGIN = { left: 40, right: 8, top: 4, bottom: 18 };
// minimum axis range, so that noise does not look like a trend
const LEAST = { alignment: 0.2, uniformity: 1, validation: 10 };
// pixels of a letter of an event's text, at most
const LETTER = 6.6;
// of their height
const HIGH = 12;
// what a lower value means; "better" would be wrong while a cone opens and alignment rises
const MEANINGS = { alignment: "↓ pairs nearer", uniformity: "↓ more even" };
// pixels of height below which a chart has two ticks, and no name at its reference line
const LOW = 72;
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

/**
 * The last step of the axis while a run is active: a round number that is reached soon, so that the
 * axis rarely changes.
 */
function roundEnd(last, total) {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(last, 1))));
  const end = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= last);
  return Math.max(last, 1, Math.min(end, total || end));
}

/** A score's title without its unit and remark. */
const brieflyNamed = (title) => title.split(/ [×(]/)[0];
/** The remark of a title, such as "a model's opinion". */
const remarkOf = (title) => /\((.+)\)/.exec(title)?.[1];

const CHART = `
  <div class="clwork-curve">
    <div class="curve-line small" data-part="line">
      <span class="curve-value lined" data-part="value"></span>
      <span class="curve-hint soft later" data-part="hint"></span>
    </div>
    <div class="curve-box" data-part="box" role="img" tabindex="0">
      <svg class="curve-svg" data-part="svg">
        <clipPath data-part="clipPath"><rect data-part="clip"/></clipPath>
        <g data-part="ground"/><g data-part="lines"/><line class="head" data-part="head"/>
        <g data-part="names"/><g data-part="dots"/>
        <g class="cross" data-part="cross"><line class="head" data-part="crossLine"/>
          <text y="12" data-part="crossWord"/></g>
      </svg>
    </div>
  </div>`;

/**
 * One chart: the axes and lines change with the data (`lay`), the current step at each frame
 * (`show`).
 */
class Curve {
  /**
   * `cell`: its name; `columns`: [{name, title, better, smooth}]; `hooks`: go(step), column(name),
   * point(step or null), resized(); `last`: whether it labels the steps.
   */
  constructor({ cell, columns }, hooks, last) {
    Object.assign(this, partsOf(CHART), { cell, columns, hooks, last, width: 0, height: 0 });
    // columns with values are shown without a request, further ones on request
    this.first = columns;
    this.column = columns[0];
    this.title =
      columns.length < 2
        ? span("curve-name", this.column.title)
        : element("select", {
            class: "curve-name",
            "aria-label": "score that is drawn",
            onchange: () => this.choose(),
          });
    this.line.prepend(this.title);
    this.offer([]);
    this.root.dataset.cell = cell;
    this.clipPath.id = `clwork-clip-${++clips}`;
    this.lines.setAttribute("clip-path", `url(#${this.clipPath.id})`);
    this.clip.setAttribute("x", MARGIN.left);
    this.svg.onpointerdown = (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.go(event);
    };
    this.svg.onpointermove = (event) =>
      event.buttons ? this.go(event) : this.hooks.point(this.stepAt(event));
    this.svg.onpointerleave = () => this.hooks.point(null);
    onResize(this.box, (width, height) => {
      Object.assign(this, { width, height });
      hooks.resized();
    });
  }

  /** The reader chose another column. */
  choose() {
    this.chosen = true;
    this.column = this.columns.find(({ name }) => name === this.title.value);
    this.hooks.column(this.column.name);
  }

  /** Add further measured columns, [[name, title], …], to the menu. */
  offer(further) {
    if (this.title.localName !== "select") return;
    const fresh = further.filter(([name]) => !this.columns.some((one) => one.name === name));
    this.columns = [...this.columns, ...fresh.map(([name, title]) => ({ name, title }))];
    offer(
      this.title,
      this.columns.map(({ name, title }) => [name, brieflyNamed(title)]),
      this.column.name,
    );
  }

  /** The step under the pointer; null without a chart. */
  stepAt(event) {
    const at = (event.clientX - this.svg.getBoundingClientRect().left) / zoomOf(this.svg);
    return this.chart && Math.max(0, Math.min(this.end, this.chart.x.invert(at)));
  }

  /** The step at or before `step` at which the first run was measured. */
  measuredStep(step) {
    const { at } = this.series[0];
    return at[between(at, step).low] ?? step;
  }

  /** A press or drag on the chart moves the time. */
  go(event) {
    this.hooks.point(null);
    if (this.chart) this.hooks.go(this.stepAt(event));
  }

  /**
   * Draw everything except the current step. `runs`: [{record, ink, dash}]; `previous`: a record or
   * null; `end`: last step of the axis.
   */
  lay(runs, previous, end) {
    const { width, height } = this;
    // hidden, it has nothing to show: the series of other runs would be wrong
    this.chart = null;
    if (!width || !height) return;
    const histories = [...runs.map(({ record }) => record), previous ?? []]
      .flat()
      .map((record) => record.history);
    const measuredAt = ({ name }) => histories.some((history) => history.series(name).steps.length);
    // until the reader chooses one, the first column that has values
    if (!this.chosen) {
      this.column = this.first.find(measuredAt) ?? this.column;
      this.title.value = this.column.name;
    }
    // in full
    this.title.title = this.column.title;
    const { name, title, smooth, better } = this.column;
    const drawnOf = ({ steps: at, values }) => ({
      at,
      values: smooth && values.length ? smoothed(values) : values,
    });
    const all = histories.map((history) => drawnOf(history.series(name)));
    this.series = all.slice(0, runs.length);
    const levels = Object.entries(runs[0].record.levels[name] ?? {});
    const domain = this.rangeOf(
      all.map(({ values }) => values),
      levels,
    );
    const chart = new Chart(width, height, MARGIN, [0, end], domain);
    Object.assign(this, { chart, end });
    const empty = !all.some(({ values }) => values.length);
    const labels = Math.max(2, Math.floor(width / 50));
    const foot = chart.bottom + 2;
    attribute(this.svg, "viewBox", `0 0 ${width} ${height}`);
    for (const line of [this.head, this.crossLine]) attribute(line, "y2", String(foot));
    attribute(this.clip, "height", String(height));
    this.ground.replaceChildren(
      ...(empty ? [] : chart.yAxis(height < LOW ? 1 : Math.max(2, Math.floor(foot / 28)))),
      drawn("line", { class: "axis-line", x1: chart.left, x2: chart.right, y1: foot, y2: foot }),
      ...(this.last ? chart.xAxis(labels, labels) : []),
      ...levels.map(([, level]) => chart.horizontal(level, "level")),
      ...runs.flatMap(({ record }, run) => this.events(record, foot, !run)),
      ...all
        .slice(runs.length)
        .map(({ at, values }) => chart.line(at, values, { class: "was-line" })),
    );
    this.lines.replaceChildren(
      ...runs.map(({ ink, dash }, run) =>
        chart.line(this.series[run].at, this.series[run].values, {
          class: "line",
          stroke: ink,
          "stroke-dasharray": dash,
        }),
      ),
    );
    const named = height < LOW ? [] : levels;
    this.names.replaceChildren(...named.map((level) => this.levelName(level)));
    this.dots.replaceChildren(
      ...runs.map(({ ink }) => drawn("circle", { class: "head-dot", r: 4, fill: ink })),
    );
    let hint = smooth ? "running mean" : "";
    if (better) hint = MEANINGS[this.cell] ?? remarkOf(title) ?? `${better} is better`;
    write(this.hint, empty ? "not measured yet" : hint);
  }

  /** The value axis: each line's 1st to 99th percentile, so that outliers flatten no curve. */
  rangeOf(lines, levels) {
    const endsOf = (values) => {
      const all = values.toSorted((a, b) => a - b);
      const at = (part) => all[Math.round(part * (all.length - 1))];
      return all.length ? [at(0.01), at(0.99)] : [];
    };
    const ends = [...lines.flatMap(endsOf), ...levels.map(([, level]) => level)];
    if (!ends.length) return [0, 1];
    const low = Math.min(...ends, this.cell === "loss" && levels.length ? 0 : Infinity);
    const high = Math.max(...ends);
    const known = this.first.includes(this.column) ? LEAST[this.cell] : null;
    const least = known ?? Math.max(0.1, 0.1 * Math.abs(high));
    const pad = Math.max(0.06 * (high - low), (least - (high - low)) / 2);
    return [low === 0 ? 0 : low - pad, high + pad];
  }

  /** The name of a reference line, at the first of four places that no line crosses. */
  levelName([name, level]) {
    const { chart, series } = this;
    const long = LETTER * name.length;
    const crossed = ([left, foot]) =>
      foot < HIGH ||
      range(left, left + long, HIGH / 2).some((x) =>
        series.some(({ at, values }) => {
          const { low, part } = between(at, chart.x.invert(x));
          const y = chart.y(values[low] + part * ((values[low + 1] ?? 0) - values[low]));
          return foot - HIGH < y && y < foot;
        }),
      );
    const y0 = chart.y(level);
    const places = [chart.right - 2 - long, chart.left + 2].flatMap((left) => [
      [left, y0 - 3],
      [left, y0 + HIGH],
    ]);
    const [left, foot] = places.find((place) => !crossed(place)) ?? places[1];
    return chart.label(left, foot, "start", name, "level-name");
  }

  /** Mark the run's events on the axis; of one run, the loss chart has the newest one's text. */
  events(record, foot, isFirst) {
    const events = [...record.history.events, ...record.expected];
    return events.map((event) => {
      const x = this.chart.x(event.step);
      const named = isFirst && event === events.at(-1) && this.cell === "loss";
      // at the right of its mark, or up to the right end where it would be cut
      const isCut = x + 4 + LETTER * event.words.length > this.width;
      const place = isCut
        ? [this.width, this.height - 3, "end"]
        : [x + 4, this.height - 3, "start"];
      return drawn(
        "g",
        { class: "event" },
        drawn("title", { text: `step ${steps(event.step)}: ${event.words}` }),
        drawn("rect", { x: x - 1, width: 2, y: foot, height: 8 }),
        named ? this.chart.label(...place, event.words) : "",
      );
    });
  }

  /**
   * Show the current step; `live`: later parts of the lines are hidden. Values and dots are of the
   * step under the pointer, if there is one.
   */
  show(runs, current, live, pointed) {
    if (!this.chart) return;
    const { chart, column, end } = this;
    const at = chart.x(Math.min(current, end));
    const step = pointed === null ? current : this.measuredStep(pointed);
    const x = chart.x(step);
    attribute(this.cross, "visibility", pointed === null ? "hidden" : "visible");
    attribute(this.cross, "transform", `translate(${x.toFixed(1)},0)`);
    attribute(this.crossWord, "text-anchor", x < this.width / 2 ? "start" : "end");
    attribute(this.crossWord, "x", x < this.width / 2 ? "4" : "-4");
    write(this.crossWord, `step ${steps(step)}`);
    attribute(this.head, "transform", `translate(${at.toFixed(1)},0)`);
    attribute(this.clip, "width", (live ? Math.max(0, at - MARGIN.left) : this.width).toFixed(1));
    const words = runs.map(({ record, name, ink }, run) => {
      this.showDot(this.dots.children[run], this.series[run], step);
      const value = measured(record.history.value(column.name, step));
      // of two runs one may have ended earlier
      const ended = runs.length > 1 && record.last < Math.round(step);
      const text = `${runs.length > 1 ? `${name} ` : ""}${value}${ended ? ` at ${steps(record.last)}` : ""}`;
      const part = this.value.children[run] ?? this.value.appendChild(element("span"));
      part.style.color = ink;
      markStep(part, ended ? record.last : null, ended);
      write(part, text);
      return text;
    });
    for (const part of [...this.value.children].slice(runs.length)) part.remove();
    attribute(
      this.box,
      "aria-label",
      `${column.title} ${words.join(", ")} at step ${Math.round(step)}`,
    );
  }

  /** Move the dot of a run along its line, to the value that is written. */
  showDot(dot, { at, values }, step) {
    const there = at.length && step >= at[0];
    attribute(dot, "display", there ? "inline" : "none");
    if (!there) return;
    const { low } = between(at, step);
    const [x, y] = [this.chart.x(Math.min(at[low], this.end)), this.chart.level(values[low])];
    attribute(dot, "transform", `translate(${x.toFixed(1)},${y.toFixed(1)})`);
  }
}

/** All charts. */
export class Curves {
  /**
   * `cells`: as in clwork/lab/panel/run_sources.py; `hooks`: go(step), column(name), pointed(),
   * resized().
   */
  constructor(cells, hooks) {
    // the step under the pointer, for all charts
    this.pointed = null;
    const point = (step) => {
      if (step === this.pointed) return;
      this.pointed = step === null ? null : Math.round(step);
      hooks.pointed();
    };
    const all = { ...hooks, point };
    this.curves = cells.map((cell, i) => new Curve(cell, all, i === cells.length - 1));
    this.root = div("curves", ...this.curves.map((curve) => curve.root));
  }

  /** Offer further measured columns in the last chart. */
  offer(further) {
    this.curves.at(-1).offer(further);
  }

  /** `previous`: a record, drawn in grey, or null. */
  lay(runs, previous) {
    const records = runs.map(({ record }) => record);
    const last = Math.max(1, ...records.map((record) => record.last));
    const total = Math.max(...records.map((record) => record.total));
    const end = records.some((record) => record.alive) ? roundEnd(last, total) : last;
    for (const curve of this.curves) curve.lay(runs, previous, end);
  }

  /** Show the current step; `live`: later parts of the lines are hidden. */
  show(runs, step, live) {
    for (const curve of this.curves) curve.show(runs, step, live, this.pointed);
  }
}
