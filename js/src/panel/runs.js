// The runs that are shown, each a record, and the one before in grey: what the page has of them and what comes.

import { RunRecord } from "./run_record.js";

/** A run whose history alone is kept, to draw it in grey: its probes are let go. */
function grey({ id, head, history, total }) {
  const record = new RunRecord(id, { ...head, texts: [], axes: 0, total_steps: total });
  record.history = history;
  return record;
}

export class Runs {
  constructor(count) {
    this.records = Array.from({ length: count }, () => new RunRecord(""));
    this.previous = null;
  }

  /** What the page has, for the kernel; `columns`: those besides the strip's that are asked for. */
  known(columns) {
    return this.records.map((record) => record.known(columns));
  }

  /** Show as many as the kernel does; true where there were more or fewer. */
  arrange(count) {
    if (!count || count === this.records.length) return false;
    this.records = Array.from({ length: count }, (_, place) => this.records[place] ?? new RunRecord(""));
    return true;
  }

  /** Take the kernel's parts; true of each record that is another one now, or has got a probe. */
  take(parts) {
    const found = { replaced: this.arrange(parts.length), probes: false, rows: false };
    parts.forEach((part, place) => {
      let record = this.records[place];
      if (part.head && (part.id !== record.id || !record.texts.length)) {
        record = this.begin(place, part);
        found.replaced = true;
      }
      if (part.id !== record.id) return; // a run that has nothing to show yet: what is there stays
      if (part.probes?.length && part.rows && part.rows.from > record.history.upto) return; // news for another tab
      found.probes = record.take(part) || found.probes;
      found.rows ||= part.rows?.upto > part.rows?.from || Boolean(part.verdict);
    });
    return found;
  }

  begin(place, { id, head }) {
    const old = this.records[place];
    if (!place && old.id && old.id !== id && old.history.upto) this.previous = grey(old);
    this.records[place] = new RunRecord(id, head);
    return this.records[place];
  }

  /** The run before, as the kernel has it: {id, name, total_steps, rows}. */
  takePrevious({ id, name, total_steps, rows }) {
    if (this.previous?.id === id) return;
    const record = new RunRecord(id, { name, total_steps });
    record.history.take(rows);
    this.previous = record;
  }
}
