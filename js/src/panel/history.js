// The history of a run as the page holds it: series of numbers by column, and what happened on the way.

import { floats32 } from "../shared/bytes.js";
import { between } from "./timeline.js";

const EMPTY = { steps: [], values: [] };

export class History {
  constructor() {
    this.clear();
  }

  clear() {
    this.upto = 0; // rows of the run's record that are here
    this.last = -1; // the step of the newest
    this.all = new Map();
    this.events = [];
  }

  /** Take a part: rows of 32-bit floats, the step first, NaN where nothing was measured. False where it does not follow. */
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

  writable(name) {
    if (!this.all.has(name)) this.all.set(name, { steps: [], values: [] });
    return this.all.get(name);
  }

  /** What was measured of a column: {steps, values}. */
  series(column) {
    return this.all.get(column) ?? EMPTY;
  }

  has(column) {
    return this.series(column).steps.length > 0;
  }

  /** The value of a column at a step: the last one measured by then, or null. */
  value(column, step) {
    const { steps, values } = this.series(column);
    if (!steps.length || step < steps[0]) return null;
    return values[between(steps, step).low];
  }

  /** Uniformity and alignment wherever both were measured: the way through the plane. */
  trail() {
    const u = this.series("uniformity");
    const a = new Map(this.series("alignment").steps.map((step, i) => [step, this.series("alignment").values[i]]));
    const both = u.steps.flatMap((step, i) => (a.has(step) ? [[step, u.values[i], a.get(step)]] : []));
    return { steps: both.map(([step]) => step), points: both.map(([, uniformity, alignment]) => [uniformity, alignment]) };
  }
}
