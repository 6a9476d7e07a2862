// A recording as the page holds it: looks are unpacked when they are first shown. The format is told in
// clwork/training/loop/positions.py; every number here is checked there to a quantum.

import { floats, STEPS, whole } from "../shared/sixteen_bits.js";

/** Where `step` lies among rising `steps`: between `low` and `low + 1`, at `part` of the way. */
export function between(steps, step) {
  const last = steps.length - 1;
  if (last < 1 || step <= steps[0]) return { low: 0, part: 0 };
  if (step >= steps[last]) return { low: last, part: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle;
    else high = middle;
  }
  return { low, part: (step - steps[low]) / (steps[high] - steps[low]) };
}

/** One run through time. Points are addressed by row, looks by number, moments by (fractional) step. */
export class Film {
  constructor(given) {
    for (const name of ["name", "method", "title", "differs", "texts", "labels", "own", "axes", "settings", "seed"]) {
      this[name] = given[name] ?? null;
    }
    this.size = given.texts.length;
    this.shares = given.share ?? [];
    this.total = given.total_steps;
    this.columns = given.columns ?? {};
    this.scale = given.span / STEPS;
    this.looks = [];
    this.rows = [];
    this.umap = null;
    this.kept = new Map(); // what is unpacked, and bounds
    this.add(given);
  }

  /** Take up what a run at work has come to since; what is known already is passed over. */
  add({ looks = [], rows = [], status, umap }) {
    const [look, row] = this.known();
    const fresh = looks.filter((one) => one.step > look);
    this.looks.push(...fresh.map(({ step, at, near, kept }) => ({ step, packed: at, nearest: near, kept })));
    this.rows.push(...rows.filter((one) => one.step > row));
    if (status) this.status = status;
    if (umap) this.umap = { steps: umap.steps, looks: umap.looks, scale: umap.span / STEPS };
    if (fresh.length || umap) this.kept.clear();
    this.steps = this.looks.map((one) => one.step);
    return fresh.length > 0;
  }

  /** Steps of the last look and of the last row that are here. */
  known() {
    return [this.looks.at(-1)?.step ?? -1, this.rows.at(-1)?.step ?? -1];
  }

  once(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }

  /** Coordinates of a look, row after row; `width` numbers a row. */
  unpacked(look) {
    return this.once(`at ${look}`, () => floats(this.looks[look].packed, this.scale));
  }

  plane(kind) {
    if (kind !== "umap") return { steps: this.steps, width: this.axes, of: (look) => this.unpacked(look) };
    const { steps, looks, scale } = this.umap;
    return { steps, width: 2, of: (look) => this.once(`umap ${look}`, () => floats(looks[look], scale)) };
  }

  /** x, y of all rows at a step, between two looks on the straight way; `view` is {kind, x, y}. */
  places(step, view, out = new Float32Array(2 * this.size)) {
    const { steps, width, of } = this.plane(view.kind);
    const { low, part } = between(steps, step);
    const a = of(low);
    const b = part ? of(low + 1) : a;
    const [x, y] = view.kind === "umap" ? [0, 1] : [view.x, view.y];
    for (let row = 0, at = 0; row < this.size; row++, at += width) {
      out[2 * row] = a[at + x] + part * (b[at + x] - a[at + x]);
      out[2 * row + 1] = a[at + y] + part * (b[at + y] - a[at + y]);
    }
    return out;
  }

  /** The way of one row up to a step: x, y at every look before it. */
  track(row, step, view) {
    const { steps, width, of } = this.plane(view.kind);
    const [x, y] = view.kind === "umap" ? [0, 1] : [view.x, view.y];
    const way = [];
    for (let look = 0; look < steps.length && steps[look] <= step; look++) {
      const all = of(look);
      way.push([all[row * width + x], all[row * width + y]]);
    }
    return way;
  }

  /** [left, right, bottom, top] of all rows over all looks: the frame stays, so what moves on screen has moved. */
  bounds(view) {
    return this.once(`bounds ${view.kind} ${view.x} ${view.y}`, () => {
      const { steps, width, of } = this.plane(view.kind);
      const [x, y] = view.kind === "umap" ? [0, 1] : [view.x, view.y];
      const box = [Infinity, -Infinity, Infinity, -Infinity];
      for (let look = 0; look < steps.length; look++) {
        const all = of(look);
        for (let at = 0; at < all.length; at += width) {
          box[0] = Math.min(box[0], all[at + x]);
          box[1] = Math.max(box[1], all[at + x]);
          box[2] = Math.min(box[2], all[at + y]);
          box[3] = Math.max(box[3], all[at + y]);
        }
      }
      return box;
    });
  }

  /** The run's trend in words at the last look done by then. */
  trend(step) {
    return this.rows.findLast((row) => row.trend && row.step <= step)?.trend ?? "";
  }

  /** The look shown at a step: the last one done by then. */
  lookAt(step) {
    return between(this.steps, step).low;
  }

  /** Rows of the nearest sentences of `row`, in all dimensions, at a look. */
  near(look, row) {
    const all = this.once(`near ${look}`, () => whole(this.looks[look].nearest));
    const count = all.length / this.size;
    return [...all.subarray(row * count, (row + 1) * count)];
  }

  /** The share of a look's variance, of all dimensions, that two axes hold. */
  share(look, x, y) {
    const spread = this.once(`spread ${look}`, () => {
      const all = this.unpacked(look);
      return Array.from({ length: this.axes }, (_, axis) => {
        let sum = 0;
        let squares = 0;
        for (let at = axis; at < all.length; at += this.axes) {
          sum += all[at];
          squares += all[at] * all[at];
        }
        return Math.max(0, squares / this.size - (sum / this.size) ** 2);
      });
    });
    const held = spread.reduce((sum, one) => sum + one, 0);
    const shown = x === y ? spread[x] : spread[x] + spread[y];
    return held > 0 ? (shown / held) * this.looks[look].kept : 0;
  }

  /** The value of a column at a step: the last one measured by then, or null. */
  value(column, step) {
    const series = this.series(column);
    if (!series.steps.length || step < series.steps[0]) return null;
    return series.values[between(series.steps, step).low];
  }

  /** What was measured of a column. */
  series(column) {
    const key = `series ${column}`;
    const known = this.kept.get(key);
    if (known?.rows === this.rows.length) return known;
    const there = this.rows.filter((row) => typeof row[column] === "number");
    const made = { rows: this.rows.length, steps: there.map((row) => row.step), values: there.map((row) => row[column]) };
    this.kept.set(key, made);
    return made;
  }

  /** Where something happened, and what, in words. */
  get events() {
    return this.rows.filter((row) => row.event).map((row) => ({ step: row.step, words: row.event }));
  }
}

/** The moments of several films on one time: `t` counts looks (fractions lie between two), steps are the runs' own. */
export class Timeline {
  constructor(films) {
    this.films = films;
    this.refresh();
  }

  refresh() {
    const steps = this.films.flatMap((film) => film.steps);
    this.steps = [...new Set(steps)].sort((a, b) => a - b);
  }

  get last() {
    return this.steps.length - 1;
  }

  step(t) {
    const low = Math.min(this.last, Math.max(0, Math.floor(t)));
    if (low === this.last) return this.steps[low];
    return this.steps[low] + (t - low) * (this.steps[low + 1] - this.steps[low]);
  }

  t(step) {
    const { low, part } = between(this.steps, step);
    return low + part;
  }
}
