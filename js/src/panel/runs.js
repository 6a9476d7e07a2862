// The runs of the page: probes and history of each, and the previous run.

import { bisectRight } from "d3-array";
import { floats, floats32, STEPS, whole } from "../shared/bytes.js";
import { boundsOf } from "../shared/cloud.js";

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
    this.last = Math.max(0, this.steps.length - 1);
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
    for (const name of columns)
      if (!this.all.has(name)) this.all.set(name, { steps: [], values: [] });
    for (let at = 0; at < data.length; at += width) {
      this.last = Math.max(this.last, data[at]);
      columns.forEach((name, place) => {
        const value = data[at + 1 + place];
        if (Number.isNaN(value)) return;
        this.all.get(name).steps.push(data[at]);
        this.all.get(name).values.push(value);
      });
    }
    this.events.push(...events.map(([step, words]) => ({ step, words })));
    this.upto = upto;
    return true;
  }

  /** The series of a column: {steps, values}, both empty if it was never measured. */
  series(column) {
    return this.all.get(column) ?? EMPTY;
  }

  /** The value of a column at a step: the last one measured up to then, or null. */
  value(column, step) {
    const { steps, values } = this.series(column);
    if (!steps.length || step < steps[0]) return null;
    return values[between(steps, step).low];
  }

  /** The path in the plane: each step that has uniformity and alignment, and [u, a] there. */
  trail() {
    const { steps, values } = this.series("uniformity");
    const alignment = this.series("alignment");
    const both = steps
      .map((step, i) => ({
        step,
        point: [values[i], alignment.values[alignment.steps.indexOf(step)]],
      }))
      .filter(({ point }) => point[1] !== undefined);
    return { steps: both.map(({ step }) => step), points: both.map(({ point }) => point) };
  }
}

// By how much the first cloud of a run in progress is enlarged to a frame: a cone that opens becomes
// about twice as wide.
const ROOM = 2.2;

/** A box enlarged around its middle. */
const enlarged = ([left, right, low, high]) => {
  const [wide, tall] = [((ROOM - 1) * (right - left)) / 2, ((ROOM - 1) * (high - low)) / 2];
  return [left - wide, right + wide, low - tall, high + tall];
};

// sentences among which an own sentence is placed in a UMAP
const NEAREST = 5;
// the share of equal neighbours from which on two clouds count as the same one
const SAME = 0.9;

/** The mean of some rows of a map, x, y of each row, along an axis. */
const middle = (map, rows, axis) =>
  rows.reduce((sum, row) => sum + map[2 * row + axis], 0) / Math.max(1, rows.length);

const ALIVE = new Set(["waiting", "running", "paused"]);

/**
 * Points are addressed by row, probes by number, times by (fractional) step. A view is "pca", the
 * first two axes, or "umap".
 */
class RunRecord {
  constructor(id, head = {}) {
    this.id = id;
    for (const name of ["name", "method", "title", "differs", "labels", "seed", "unlike"])
      this[name] = head[name] ?? null;
    this.texts = head.texts ?? [];
    this.size = this.texts.length;
    this.axes = head.axes ?? 0;
    this.total = head.total_steps ?? 0;
    this.levels = head.levels ?? {};
    this.scale = (head.span ?? 1) / STEPS;
    this.probes = [];
    this.steps = [];
    this.history = new History();
    // whether to request the history from the start, because a column was added
    this.reload = false;
    this.verdict = null;
    // whether this page has seen it train
    this.seenAlive = false;
    // the settings in which it differs from the previous or the first run
    this.changes = "";
    // changes of controls that the run has applied and no row reports yet
    this.expected = [];
    this.umap = null;
    // the record in whose place it is, until its first probe is there
    this.before = null;
    // unpacked arrays
    this.kept = new Map();
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
    if (verdict) this.verdict = verdict;
    if (status) this.status = status;
    this.seenAlive ||= this.alive;
    this.changes = changes;
    // a row reports the change, or it was moved back before the next step, or after the last one
    if (rows?.events?.length || !this.alive) this.expected = [];
    this.expected = this.expected.filter((event) => event.step > this.history.last - 2);
    if (umap) this.lay(umap);
    else if (this.before && this.steps.length) this.inherit();
    return fresh.length > 0;
  }

  /** Store a UMAP layout, and forget what was computed from an earlier one or record. */
  lay({ steps, measurements, span }) {
    this.umap = { steps, of: (probe) => floats(measurements[probe], span / STEPS) };
    this.before = null;
    for (const key of this.kept.keys()) if (key.startsWith("umap")) this.kept.delete(key);
  }

  /** Begin on the map of the record before, if that has the same cloud at the first probe. */
  inherit() {
    const [old, step] = [this.before, this.steps[0]];
    this.before = null;
    if (!old.umap || old.texts.join("\n") !== this.texts.join("\n")) return;
    const there = whole(old.probes[old.probeAt(step)].near);
    const here = whole(this.probes[0].near);
    const equal = here.filter((row, i) => row === there[i]).length;
    if (equal < SAME * here.length) return;
    const places = old.places(step, "umap");
    this.umap = { steps: [step], of: () => places };
  }

  /** The run has applied a change of a control: mark it at the next step. */
  expect(words) {
    this.expected = [{ step: this.history.last + 1, words }];
  }

  /** The last probe, row and verdict that the page has, for the kernel. */
  known(columns) {
    return {
      id: this.id,
      probe: this.steps.at(-1) ?? -1,
      row: this.reload ? 0 : this.history.upto,
      verdict: this.verdict?.step ?? -1,
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

  /** The steps of a view's probes, and `of(probe)`: x, y of all rows. */
  layout(view) {
    if (view === "pca") {
      const { axes } = this;
      const pair = (probe) => this.unpacked(probe).filter((_, i) => i % axes < 2);
      return { steps: this.steps, of: (probe) => this.once(`pca ${probe}`, () => pair(probe)) };
    }
    const { steps, of } = this.umap;
    const later = this.steps.filter((step) => step > steps.at(-1));
    const make = (probe) =>
      probe < steps.length ? of(probe) : this.followed(later[probe - steps.length]);
    return {
      steps: [...steps, ...later],
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
    const { steps, of } = this.umap;
    const laid = of(steps.length - 1);
    const [then, now] = [this.probeAt(steps.at(-1)), this.probeAt(step)];
    const middleAt = (probe, i) => middle(laid, this.near(probe, i >> 1), i & 1);
    return laid.map((place, i) => place + middleAt(now, i) - middleAt(then, i));
  }

  /**
   * The place of an own sentence with these coordinates on the axes; in a UMAP, the middle of its
   * nearest sentences.
   */
  placeOf(at, step, view) {
    if (view === "pca") return [at[0], at[1]];
    const probe = this.probeAt(step);
    const all = this.unpacked(probe);
    const far = (row) =>
      at.reduce((sum, value, axis) => sum + (value - all[row * this.axes + axis]) ** 2, 0);
    const distances = this.texts.map((_, row) => far(row));
    const near = [...distances.keys()]
      .sort((a, b) => distances[a] - distances[b])
      .slice(0, NEAREST);
    const map = this.places(this.steps[probe], view);
    return [middle(map, near, 0), middle(map, near, 1)];
  }

  /** x, y of all rows at a step, interpolated linearly between two probes. */
  places(step, view) {
    const { steps, of } = this.layout(view);
    if (!steps.length) return new Float32Array(0);
    const { low, part } = between(steps, step);
    if (!part) return of(low);
    const next = of(low + 1);
    return of(low).map((place, i) => place + part * (next[i] - place));
  }

  /** The track of one row up to a step: x, y at every probe before it. */
  track(row, step, view) {
    const { steps, of } = this.layout(view);
    const before = steps.filter((at) => at <= step);
    return before.map((_, probe) => [of(probe)[2 * row], of(probe)[2 * row + 1]]);
  }

  /**
   * [left, right, low, high] of all rows over all probes, of a run that trains here with room to
   * open. So the box hardly changes, and only real changes move dots on screen.
   */
  bounds(view) {
    const { steps, of } = this.layout(view);
    const hasRoom = this.seenAlive && view === "pca";
    const room = hasRoom ? enlarged(boundsOf(of(0))) : undefined;
    return steps.reduce((box, _, probe) => boundsOf(of(probe), box), room);
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
}

/** All records, in the order of the kernel's runs. */
export class Runs {
  constructor(count) {
    this.records = Array.from({ length: count }, () => new RunRecord(""));
    // a record of an earlier run that has its curves only
    this.previous = null;
  }

  /**
   * What the page has received, for the kernel; `columns`: columns requested in addition to those
   * of the charts.
   */
  known(columns) {
    return this.records.map((record) => record.known(columns));
  }

  /** Store the kernel's data; returns {replaced, probes, rows}: what changed. */
  take(parts) {
    const found = { replaced: false, probes: false, rows: false };
    if (parts.length && parts.length !== this.records.length) {
      found.replaced = true;
      this.records = parts.map((_, place) => this.records[place] ?? new RunRecord(""));
    }
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
    if (!place && old.id && old.id !== id && old.history.upto) {
      this.previous = new RunRecord(old.id, { name: old.name, total_steps: old.total });
      this.previous.history = old.history;
    }
    const record = new RunRecord(id, head);
    record.before = old;
    this.records[place] = record;
    return record;
  }

  /** Store the previous run as the kernel sends it: {id, name, total_steps, rows}. */
  takePrevious({ id, name, total_steps, rows }) {
    if (this.previous?.id === id) return;
    this.previous = new RunRecord(id, { name, total_steps });
    this.previous.history.take(rows);
  }
}
