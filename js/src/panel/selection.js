// The reader's selection: groups by topic, hidden ones, and sentences chosen, under the pointer,
// searched.

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
  const rowOf = ofRow.map((numbers_) => {
    const rows = new Int32Array(texts.length).fill(-1);
    for (const [row, sentence] of numbers_.entries()) rows[sentence] = row;
    return rows;
  });
  return { texts, ofRow, rowOf };
}

/** Whether two records started from different positions and so have different axes. */
export function differ(records, { texts, rowOf }) {
  const [one, two] = records;
  if (one.axes !== two.axes || !one.probes.length || !two.probes.length) return true;
  const [a, b] = records.map((record) => record.unpacked(0));
  return texts.some((_, sentence) => {
    const [i, j] = [rowOf[0][sentence], rowOf[1][sentence]];
    return (
      i >= 0 &&
      j >= 0 &&
      [0, 1].some(
        (axis) =>
          axis < one.axes && Math.abs(a[i * one.axes + axis] - b[j * one.axes + axis]) > 0.01,
      )
    );
  });
}

/**
 * Number the groups by name, the most frequent first if there are more names than colours. -1: no
 * name.
 */
function byName(names) {
  const counts = new Map();
  for (const name of names)
    if (name !== null && name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, DISTINCT);
  // in order, so that a topic keeps its colour
  const kept = frequent.map(([name]) => name).sort((a, b) => (a < b ? -1 : 1));
  const place = new Map(kept.map((name, group) => [name, group]));
  const of = Int16Array.from(names, (name) => place.get(name) ?? -1);
  const groups = kept.map((name, group) => ({ group, name, count: counts.get(name) }));
  const others = of.filter((group) => group < 0).length;
  if (others) groups.push({ group: -1, name: "other", count: others });
  return { groups, of };
}

/**
 * Group by topic: {groups: [{group, name, count}], of: each sentence's group}. No topics: one group.
 */
function grouped(records, shared) {
  const names = new Array(shared.texts.length).fill(null);
  for (const [run, record] of records.entries()) {
    for (const [row, label] of (record.labels ?? []).entries()) {
      names[shared.ofRow[run][row]] ??= label;
    }
  }
  return byName(names.some(Boolean) ? names : names.fill("sentences"));
}

/**
 * Sentences are addressed by their index in `shared.texts`, groups by number; -1 is no sentence,
 * null no group.
 */
export class Selection {
  /** `shared`: the sentences of all records; `changed()` is called after each change. */
  constructor(records, shared, changed) {
    Object.assign(this, {
      records,
      shared,
      changed,
      hidden: new Set(),
      hover: -1,
      query: "",
      hot: null,
      pinned: null,
    });
    this.groups = grouped(records, shared);
    this.chosen = [];
  }

  /** The highlighted group: the one under the pointer, else the pinned one. */
  get lit() {
    return this.hot ?? this.pinned;
  }

  /** Change some attributes, and draw. */
  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }

  /** Highlight a group while the pointer is on its name. */
  light(group) {
    if (group !== this.hot) this.set({ hot: group });
  }

  /** Keep a group highlighted, or no longer. */
  pin(group) {
    this.set({ pinned: this.pinned === group ? null : group });
  }

  /** Hide or show a group. */
  toggle(group) {
    if (!this.hidden.delete(group)) this.hidden.add(group);
    this.changed();
  }

  /** Hide all other groups. */
  only(group) {
    this.set({
      hidden: new Set(this.groups.groups.map((one) => one.group).filter((one) => one !== group)),
    });
  }

  /** The pointer is on this sentence. */
  point(sentence) {
    if (sentence !== this.hover) this.set({ hover: sentence });
  }

  /** Choose a sentence; with `more` add it to those chosen or remove it. -1 clears all. */
  choose(sentence, more = false) {
    const { chosen } = this;
    if (sentence < 0) this.chosen = more ? chosen : [];
    else if (!more) this.chosen = [sentence];
    else
      this.chosen = chosen.includes(sentence)
        ? chosen.filter((one) => one !== sentence)
        : [...chosen, sentence];
    this.changed();
  }

  /**
   * The sentence that gained the most neighbours of its own group: an example until the reader
   * chooses one.
   */
  example() {
    const [record] = this.records;
    const { of } = this.groups;
    const ofRow = this.shared.ofRow[0];
    const alike = (probe, row) =>
      record
        .near(probe, row)
        .filter((one) => of[ofRow[one]] >= 0 && of[ofRow[one]] === of[ofRow[row]]).length;
    const last = record.probes.length - 1;
    const gains = record.texts.map((_, row) => alike(last, row) - alike(0, row));
    return gains.length ? [ofRow[gains.indexOf(Math.max(...gains))]] : [];
  }

  /** Choose the next search hit. */
  next() {
    const fits = this.shared.texts.flatMap((_, sentence) =>
      this.fits(sentence) ? [sentence] : [],
    );
    const now = this.chosen.at(-1) ?? -1;
    if (this.query && fits.length) this.choose(fits.find((one) => one > now) ?? fits[0]);
  }

  /** Whether a sentence contains the searched text. */
  fits(sentence) {
    return !this.query || this.shared.texts[sentence].toLowerCase().includes(this.query);
  }

  /** Whether a sentence is drawn faintly: outside the highlighted topic, or not a search hit. */
  faint(sentence) {
    return (this.lit !== null && this.groups.of[sentence] !== this.lit) || !this.fits(sentence);
  }
}
