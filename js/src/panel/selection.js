// The sentences of all runs, their topics, and what the reader has selected of them.

import { boundsOf } from "../shared/cloud.js";
import { DISTINCT } from "../shared/palette.js";

/**
 * The distinct sentences of all records: `texts`; for each record the sentence of a row and the row
 * of a sentence.
 */
export function together(records) {
  const numbers = new Map();
  const texts = [];
  const ofRow = records.map((record) => {
    const seen = new Map();
    return record.texts.map((text) => {
      // a sentence that occurs twice counts as two
      const count = seen.get(text) ?? 0;
      seen.set(text, count + 1);
      const key = `${count}\n${text}`;
      if (!numbers.has(key)) {
        numbers.set(key, texts.length);
        texts.push(text);
      }
      return numbers.get(key);
    });
  });
  const rowOf = ofRow.map((sentences) => {
    const rows = new Int32Array(texts.length).fill(-1);
    for (const [row, sentence] of sentences.entries()) rows[sentence] = row;
    return rows;
  });
  return { texts, ofRow, rowOf };
}

/** Whether two records started from different positions and so have different axes. */
export function differ(records) {
  if (records.some(({ probes }) => !probes.length)) return true;
  const [one, two] = records.map((record) => boundsOf(record.places(record.steps[0], "pca")));
  return one.some((side, i) => Math.abs(side - two[i]) > 0.01);
}

/**
 * Group the sentences by topic: {groups: [{group, name, count}], of: each sentence's group}. If
 * there are more topics than colours, the rarest have no group: -1. Without topics there is one.
 */
function grouped(records, { texts, ofRow }) {
  let names = new Array(texts.length).fill("");
  for (const [run, record] of records.entries())
    for (const [row, label] of (record.labels ?? []).entries()) names[ofRow[run][row]] ||= label;
  if (!names.some(Boolean)) names = names.fill("sentences");
  const counts = new Map();
  for (const name of names) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const kept = [...counts].sort((a, b) => b[1] - a[1]).slice(0, DISTINCT);
  // in order, so that a topic keeps its colour
  kept.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const number = new Map(kept.map(([name], group) => [name, group]));
  return {
    groups: kept.map(([name, count], group) => ({ group, name, count })),
    of: Int16Array.from(names, (name) => number.get(name) ?? -1),
  };
}

/** Sentences are addressed by their index in `shared.texts`; -1 is no sentence, null no group. */
export class Selection {
  /** `shared`: the sentences of all records; `changed()` is called after each change. */
  constructor(records, shared, changed) {
    this.shared = shared;
    this.changed = changed;
    this.groups = grouped(records, shared);
    this.hover = -1;
    this.chosen = -1;
    // the topic that is highlighted
    this.lit = null;
  }

  /** Change some attributes, and draw. */
  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }
}
