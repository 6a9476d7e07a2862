// Moments: where a step lies among probes, and one time for several runs.

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

/** The moments of several records on one time: `t` counts probes (fractions lie between two), steps are the runs' own. */
export class Timeline {
  constructor(records) {
    this.records = records;
    this.refresh();
  }

  refresh() {
    const steps = this.records.flatMap((record) => record.steps);
    this.steps = [...new Set(steps)].sort((a, b) => a - b);
  }

  get last() {
    return Math.max(0, this.steps.length - 1);
  }

  step(t) {
    const low = Math.min(this.last, Math.max(0, Math.floor(t)));
    if (low === this.last) return this.steps[low] ?? 0;
    return this.steps[low] + (t - low) * (this.steps[low + 1] - this.steps[low]);
  }

  t(step) {
    const { low, part } = between(this.steps, step);
    return low + part;
  }
}
