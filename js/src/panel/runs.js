// The runs of the page: probes and history of each, and the previous run.

import { bisectRight, variance } from "d3-array";
import { floats, floats32, STEPS, whole } from "../shared/bytes.js";

/** Locate `step` in ascending `steps`: between `low` and `low + 1`, at fraction `part`. */
export function between(steps, step) {
  const last = steps.length - 1;
  if (last < 1 || step <= steps[0]) return { low: 0, part: 0 };
  if (step >= steps[last]) return { low: last, part: 0 };
  const low = bisectRight(steps, step) - 1;
  return { low, part: (step - steps[low]) / (steps[low + 1] - steps[low]) };
}

/**
 * The common time of several records: `t` counts probes, fractions are between two probes; each
 * record has its own steps.
 */
export class Timeline {
  constructor(records) {
    this.records = records;
    this.refresh();
  }

  /** Take the steps of all records, after probes were added. */
  refresh() {
    const steps = this.records.flatMap((record) => record.steps);
    this.steps = [...new Set(steps)].sort((a, b) => a - b);
  }

  /** The last time. */
  get last() {
    return Math.max(0, this.steps.length - 1);
  }

  /** The step of a time. */
  step(t) {
    const low = Math.min(this.last, Math.max(0, Math.floor(t)));
    if (low === this.last) return this.steps[low] ?? 0;
    return this.steps[low] + (t - low) * (this.steps[low + 1] - this.steps[low]);
  }

  /** The time of a step. */
  t(step) {
    const { low, part } = between(this.steps, step);
    return low + part;
  }
}

const EMPTY = { steps: [], values: [] };

/** The rows of a run, as a series of steps and values for each column. */
class History {
  constructor() {
    this.clear();
  }

  /** Forget all rows. */
  clear() {
    // number of history rows received
    this.upto = 0;
    // step of the newest row
    this.last = -1;
    this.all = new Map();
    this.events = [];
  }

  /**
   * Append rows of 32-bit floats: the step first, NaN if not measured. Returns false if they do not
   * follow the last row.
   */
  take({ from, upto, columns, values, events = [] }) {
    if (from === 0) this.clear();
    else if (from !== this.upto) return false;
    const data = floats32(values);
    const width = 1 + columns.length;
    const series = columns.map((name) => this.writable(name));
    for (let at = 0; at < data.length; at += width) {
      this.last = Math.max(this.last, data[at]);
      series.forEach((one, place) => {
        const value = data[at + 1 + place];
        if (Number.isNaN(value)) return;
        one.steps.push(data[at]);
        one.values.push(value);
      });
    }
    this.events.push(...events.map(([step, words]) => ({ step, words })));
    this.upto = upto;
    return true;
  }

  /** The series of a column, created if it is new. */
  writable(name) {
    if (!this.all.has(name)) this.all.set(name, { steps: [], values: [] });
    return this.all.get(name);
  }

  /** The series of a column: {steps, values}, both empty if it was never measured. */
  series(column) {
    return this.all.get(column) ?? EMPTY;
  }

  has(column) {
    return this.series(column).steps.length > 0;
  }

  /** The value of a column at a step: the last one measured up to then, or null. */
  value(column, step) {
    const { steps, values } = this.series(column);
    if (!steps.length || step < steps[0]) return null;
    return values[between(steps, step).low];
  }

  /** Uniformity and alignment at each step that has both: the path in the plane. */
  trail() {
    const u = this.series("uniformity");
    const a = new Map(
      this.series("alignment").steps.map((step, i) => [step, this.series("alignment").values[i]]),
    );
    const both = u.steps.flatMap((step, i) =>
      a.has(step) ? [[step, u.values[i], a.get(step)]] : [],
    );
    return {
      steps: both.map(([step]) => step),
      points: both.map(([, uniformity, alignment]) => [uniformity, alignment]),
    };
  }
}

// sentences among which an own sentence is placed in a UMAP
const NEAREST = 5;

/** The mean of some rows of a map, x, y of each row, along an axis. */
const middle = (map, rows, axis) =>
  rows.reduce((sum, row) => sum + map[2 * row + axis], 0) / Math.max(1, rows.length);

const HEAD = [
  "name",
  "method",
  "title",
  "differs",
  "labels",
  "settings",
  "seed",
  "credit",
  "unlike",
];
const ALIVE = new Set(["waiting", "running", "paused"]);

/** Points are addressed by row, probes by number, times by (fractional) step. */
class RunRecord {
  constructor(id, head = {}) {
    for (const name of HEAD) this[name] = head[name] ?? null;
    this.id = id;
    this.head = { name: this.name, title: this.title, settings: this.settings };
    this.texts = head.texts ?? [];
    this.size = this.texts.length;
    this.axes = head.axes ?? 0;
    this.shares = head.share ?? [];
    this.total = head.total_steps ?? 0;
    this.levels = head.levels ?? {};
    this.scale = (head.span ?? 1) / STEPS;
    this.probes = [];
    this.steps = [];
    this.history = new History();
    // whether to request the history from the start, because a column was added
    this.reload = false;
    this.verdict = null;
    // the settings in which it differs from the previous or the first run
    this.changes = "";
    // changes of controls that the run has applied and no row reports yet
    this.expected = [];
    this.umap = null;
    // unpacked arrays
    this.kept = new Map();
    // by view: the bounds of the probes so far and the number of probes
    this.boxes = new Map();
  }

  /** Store new data and ignore known probes; returns whether a probe was added. */
  take({ probes = [], rows, verdict, status, umap, changes = this.changes }) {
    const last = this.steps.at(-1) ?? -1;
    const fresh = probes.filter((probe) => probe.step > last);
    this.probes.push(...fresh);
    this.steps.push(...fresh.map((probe) => probe.step));
    if (rows && this.history.take(rows) && rows.from === 0) this.reload = false;
    // the first row comes with levels that the head may lack
    if (rows?.levels) this.levels = rows.levels;
    if (rows?.events?.length) this.expected = [];
    // a move back to the old value is in no row
    this.expected = this.expected.filter((event) => event.step > this.history.last - 2);
    if (verdict) this.verdict = verdict;
    this.changes = changes;
    if (status) this.status = status;
    // a control moved after the last step has had no effect
    if (!this.alive) this.expected = [];
    if (umap) this.lay(umap);
    return fresh.length > 0;
  }

  /** Store a UMAP layout, and forget what was computed from the earlier one. */
  lay({ steps, measurements, span }) {
    this.umap = { steps, probes: measurements, scale: span / STEPS };
    for (const key of this.kept.keys()) if (key.startsWith("umap")) this.kept.delete(key);
    this.boxes.delete("umap 0 1");
  }

  /** The run has applied a change of a control: mark it at the next step. */
  expect(words) {
    this.expected = [{ step: this.history.last + 1, words }];
  }

  /** The last probe, row and verdict that the page has, for the kernel. */
  known(columns) {
    const { probes, history, verdict } = this;
    return {
      id: this.id,
      probe: probes.at(-1)?.step ?? -1,
      row: this.reload ? 0 : history.upto,
      verdict: verdict?.step ?? -1,
      columns,
    };
  }

  /** Whether the run has not ended. */
  get alive() {
    return ALIVE.has(this.status);
  }

  /** Whether it is a run that is part of clwork. */
  get recorded() {
    return this.id.startsWith("recorded:");
  }

  /** The newest step of which there is a row or a probe. */
  get last() {
    return Math.max(this.history.last, this.steps.at(-1) ?? 0);
  }

  /** The stored result of `make()`, which is called once for each key. */
  once(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }

  /** The coordinates of a probe as floats: all axes of each row. */
  unpacked(probe) {
    return this.once(`at ${probe}`, () => floats(this.probes[probe].at, this.scale));
  }

  /** Probes of a kind: steps, coordinates, and the number of values per row. */
  plane(kind) {
    if (kind !== "umap")
      return { steps: this.steps, width: this.axes, of: (probe) => this.unpacked(probe) };
    const { steps, probes, scale } = this.umap;
    const later = this.steps.filter((step) => step > steps.at(-1));
    const make = (probe) =>
      probe < steps.length
        ? floats(probes[probe], scale)
        : this.followed(later[probe - steps.length]);
    return {
      steps: [...steps, ...later],
      width: 2,
      of: (probe) => this.once(`umap ${probe}`, () => make(probe)),
    };
  }

  /** Whether there are probes after the UMAP's last one. */
  get outgrown() {
    return Boolean(this.umap) && this.steps.at(-1) > this.umap.steps.at(-1);
  }

  /**
   * The places of a probe after the UMAP's last one: each dot moves as far as the middle of its
   * nearest sentences.
   */
  followed(step) {
    const { steps, probes, scale } = this.umap;
    const laid = floats(probes.at(-1), scale);
    const [then, now] = [this.probeAt(steps.at(-1)), this.probeAt(step)];
    return laid.map(
      (place, i) =>
        place +
        middle(laid, this.near(now, i >> 1), i & 1) -
        middle(laid, this.near(then, i >> 1), i & 1),
    );
  }

  /**
   * The place of an own sentence with these coordinates on the axes; in a UMAP, the middle of its
   * nearest sentences.
   */
  placeOf(at, step, view) {
    if (view.kind !== "umap") return [at[view.x], at[view.y]];
    const probe = this.probeAt(step);
    const all = this.unpacked(probe);
    const far = (row) =>
      at.reduce((sum, value, axis) => sum + (value - all[row * this.axes + axis]) ** 2, 0);
    const near = Array.from({ length: this.size }, (_, row) => [far(row), row])
      .sort((a, b) => a[0] - b[0])
      .slice(0, NEAREST);
    const map = this.places(this.steps[probe], view);
    return [0, 1].map((axis) =>
      middle(
        map,
        near.map(([, row]) => row),
        axis,
      ),
    );
  }

  /**
   * x, y of all rows at a step, interpolated linearly between two probes; `view` is {kind, x, y}.
   */
  places(step, view, out = new Float32Array(2 * this.size)) {
    const { steps, width, of } = this.plane(view.kind);
    if (!steps.length) return out;
    const { low, part } = between(steps, step);
    const a = of(low);
    const b = part ? of(low + 1) : a;
    const [x, y] = axes(view);
    for (let row = 0, at = 0; row < this.size; row++, at += width) {
      out[2 * row] = a[at + x] + part * (b[at + x] - a[at + x]);
      out[2 * row + 1] = a[at + y] + part * (b[at + y] - a[at + y]);
    }
    return out;
  }

  /** The track of one row up to a step: x, y at every probe before it. */
  track(row, step, view) {
    const { steps, width, of } = this.plane(view.kind);
    const [x, y] = axes(view);
    const way = [];
    for (let probe = 0; probe < steps.length && steps[probe] <= step; probe++) {
      const all = of(probe);
      way.push([all[row * width + x], all[row * width + y]]);
    }
    return way;
  }

  /**
   * [left, right, bottom, top] of all rows over all probes. The box is constant, so only real
   * changes move dots on screen.
   */
  bounds(view) {
    const { steps, width, of } = this.plane(view.kind);
    const [x, y] = axes(view);
    const key = `${view.kind} ${x} ${y}`;
    const known = this.boxes.get(key) ?? {
      upto: 0,
      box: [Infinity, -Infinity, Infinity, -Infinity],
    };
    const { box } = known;
    for (; known.upto < steps.length; known.upto++) {
      const all = of(known.upto);
      for (let at = 0; at < all.length; at += width) {
        box[0] = Math.min(box[0], all[at + x]);
        box[1] = Math.max(box[1], all[at + x]);
        box[2] = Math.min(box[2], all[at + y]);
        box[3] = Math.max(box[3], all[at + y]);
      }
    }
    this.boxes.set(key, known);
    return box;
  }

  /** The kernel's sentence on the course of the run at a step. */
  trend(step) {
    return this.probes[this.probeAt(step)]?.trend ?? "";
  }

  /** The step at which the dots are: between two probes, but not after the last one. */
  within(step) {
    return Math.round(Math.max(this.steps[0] ?? 0, Math.min(step, this.steps.at(-1) ?? 0)));
  }

  /** The number of the last probe at or before a step. */
  probeAt(step) {
    return between(this.steps, step).low;
  }

  /** The rows of a sentence's neighbours at a probe, nearest first. */
  near(probe, row) {
    if (!this.probes[probe]) return [];
    const all = this.once(`near ${probe}`, () => whole(this.probes[probe].near));
    const count = all.length / this.size;
    return [...all.subarray(row * count, (row + 1) * count)];
  }

  /** The share of a probe's total variance along two axes. */
  share(probe, x, y) {
    if (!this.probes[probe]) return 0;
    const spread = this.once(`spread ${probe}`, () =>
      Array.from({ length: this.axes }, (_, axis) =>
        variance(this.unpacked(probe), (value, i) => (i % this.axes === axis ? value : NaN)),
      ),
    );
    const held = spread.reduce((sum, one) => sum + one, 0);
    const shown = x === y ? spread[x] : spread[x] + spread[y];
    return held > 0 ? (shown / held) * this.probes[probe].share : 0;
  }
}

/** The two columns of the coordinates that a view shows. */
const axes = (view) => (view.kind === "umap" ? [0, 1] : [view.x, view.y]);

/** A record of an earlier run that has its curves only. */
function grey({ id, head, history, total }) {
  const record = new RunRecord(id, { ...head, texts: [], axes: 0, total_steps: total });
  record.history = history;
  return record;
}

/** All records, in the order of the kernel's runs. */
export class Runs {
  constructor(count) {
    this.records = Array.from({ length: count }, () => new RunRecord(""));
    this.previous = null;
  }

  /**
   * What the page has received, for the kernel; `columns`: columns requested in addition to those
   * of the charts.
   */
  known(columns) {
    return this.records.map((record) => record.known(columns));
  }

  /** Set the number of runs to the kernel's; returns whether the number changed. */
  arrange(count) {
    if (!count || count === this.records.length) return false;
    this.records = Array.from(
      { length: count },
      (_, place) => this.records[place] ?? new RunRecord(""),
    );
    return true;
  }

  /** Store the kernel's data; returns {replaced, probes, rows}: what changed. */
  take(parts) {
    const found = { replaced: this.arrange(parts.length), probes: false, rows: false };
    parts.forEach((part, place) => {
      let record = this.records[place];
      if (part.head && (part.id !== record.id || !record.texts.length)) {
        record = this.begin(place, part);
        found.replaced = true;
      }
      // the new run has no data yet: keep showing the old one
      if (part.id !== record.id) return;
      // a reply to another tab
      if (part.probes?.length && part.rows && part.rows.from > record.history.upto) return;
      const marks = record.expected.length;
      found.probes = record.take(part) || found.probes;
      found.rows ||=
        part.rows?.upto > part.rows?.from ||
        Boolean(part.verdict) ||
        record.expected.length !== marks;
    });
    return found;
  }

  /**
   * Start the record of a new run; the curves of the run in its place remain as the previous run.
   */
  begin(place, { id, head }) {
    const old = this.records[place];
    if (!place && old.id && old.id !== id && old.history.upto) this.previous = grey(old);
    this.records[place] = new RunRecord(id, head);
    return this.records[place];
  }

  /** Store the previous run as the kernel sends it: {id, name, total_steps, rows}. */
  takePrevious({ id, name, total_steps, rows }) {
    if (this.previous?.id === id) return;
    const record = new RunRecord(id, { name, total_steps });
    record.history.take(rows);
    this.previous = record;
  }
}
