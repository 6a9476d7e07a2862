// What the reader has set: colours by topics, own labels, words or clusters; hidden groups; sentences chosen, pointed at, searched.

import { DISTINCT } from "../shared/palette.js";

const OTHER = "other";
const CLUSTERS = 8;

/** The sentences of all records, each once: `texts`, and for each record the sentence of a row and the row of a sentence. */
export function together(records) {
  const numbers = new Map();
  const texts = [];
  const ofRow = records.map((record) => {
    const seen = new Map();
    return record.texts.map((text) => {
      const count = seen.get(text) ?? 0; // a sentence that stands there twice is two
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
    numbers_.forEach((sentence, row) => (rows[sentence] = row));
    return rows;
  });
  return { texts, ofRow, rowOf };
}

/** Whether two records began differently: their axes are then not the same ones. */
export function differ(records, { texts, rowOf }) {
  const [one, two] = records;
  if (one.axes !== two.axes || !one.probes.length || !two.probes.length) return true;
  const [a, b] = records.map((record) => record.unpacked(0));
  return texts.some((_, sentence) => {
    const [i, j] = [rowOf[0][sentence], rowOf[1][sentence]];
    return i >= 0 && j >= 0 && [0, 1].some((axis) => axis < one.axes && Math.abs(a[i * one.axes + axis] - b[j * one.axes + axis]) > 0.01);
  });
}

/** Groups by a name each; the most frequent ones where there are more than colours. -1 is whatever has no name. */
function byName(names) {
  const counts = new Map();
  for (const name of names) if (name !== null && name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, DISTINCT);
  const kept = frequent.map(([name]) => name).sort((a, b) => (a < b ? -1 : 1)); // so a topic keeps its colour
  const place = new Map(kept.map((name, group) => [name, group]));
  return finished(kept, Int16Array.from(names, (name) => place.get(name) ?? -1));
}

function finished(names, of) {
  const counts = new Array(names.length).fill(0);
  let others = 0;
  for (const group of of) group < 0 ? others++ : counts[group]++;
  const groups = names.map((name, group) => ({ group, name, count: counts[group] }));
  if (others) groups.push({ group: -1, name: names.length ? OTHER : "sentences", count: others });
  return { groups, of };
}

function labelled(records, shared, field) {
  const names = new Array(shared.texts.length).fill(null);
  records.forEach((record, run) =>
    record[field]?.forEach((label, row) => {
      names[shared.ofRow[run][row]] ??= label;
    }),
  );
  return byName(names);
}

/** A group for each of the words, parted by commas; the first that a sentence holds. */
function worded(texts, words) {
  const asked = [...new Set(words.split(",").map((word) => word.trim()).filter(Boolean))].slice(0, DISTINCT);
  const low = asked.map((word) => word.toLowerCase());
  return finished(asked, Int16Array.from(texts, (text) => low.findIndex((word) => text.toLowerCase().includes(word))));
}

/** k-means over rows of `width` numbers; starts at the rows that lie farthest apart, so it always ends the same. */
function kmeans(data, width, k, rounds = 40) {
  const size = data.length / width;
  const gap = (row, centre) => {
    let sum = 0;
    for (let i = 0; i < width; i++) sum += (data[row * width + i] - centre[i]) ** 2;
    return sum;
  };
  const rowAt = (row) => data.slice(row * width, (row + 1) * width);
  const far = (centres) => {
    let best = 0;
    let most = -1;
    for (let row = 0; row < size; row++) {
      const least = Math.min(...centres.map((centre) => gap(row, centre)));
      if (least > most) [best, most] = [row, least];
    }
    return best;
  };
  const centres = [rowAt(far([new Float32Array(width)]))]; // the first: farthest from the middle
  while (centres.length < Math.min(k, size)) centres.push(rowAt(far(centres)));
  const of = new Int16Array(size).fill(-1);
  for (let round = 0; round < rounds; round++) {
    let moved = false;
    for (let row = 0; row < size; row++) {
      let best = 0;
      for (let c = 1; c < centres.length; c++) if (gap(row, centres[c]) < gap(row, centres[best])) best = c;
      moved ||= best !== of[row];
      of[row] = best;
    }
    if (!moved) break;
    centres.forEach((centre, c) => {
      const mean = new Float32Array(width);
      let count = 0;
      for (let row = 0; row < size; row++) {
        if (of[row] !== c) continue;
        count++;
        for (let i = 0; i < width; i++) mean[i] += data[row * width + i];
      }
      if (count) centre.set(mean.map((sum) => sum / count));
    });
  }
  return of;
}

const wordsOf = (text) => new Set(text.toLowerCase().match(/\p{L}{5,}/gu) ?? []);

/** The two words that a cluster's sentences have more often than the others. */
function typical(bags, of, cluster) {
  const [inside, all] = [new Map(), new Map()];
  let size = 0;
  bags.forEach((bag, sentence) => {
    const own = of[sentence] === cluster;
    size += own;
    for (const word of bag) {
      all.set(word, (all.get(word) ?? 0) + 1);
      if (own) inside.set(word, (inside.get(word) ?? 0) + 1);
    }
  });
  const rest = Math.max(1, bags.length - size);
  const worth = ([word, count]) => count * Math.log((count / size) / ((all.get(word) - count + 0.5) / rest));
  return [...inside].filter(([, count]) => count > 1).sort((a, b) => worth(b) - worth(a)).slice(0, 2).map(([word]) => word);
}

/** Clusters of the first record's last probe, over all its axes: a dot keeps its colour through time and in both runs. */
function clustered(records, shared) {
  const [record] = records;
  if (!record.probes.length) return finished([], new Int16Array(shared.texts.length).fill(-1));
  const found = kmeans(record.unpacked(record.probes.length - 1), record.axes, CLUSTERS);
  const of = Int16Array.from(shared.rowOf[0], (row) => (row < 0 ? -1 : found[row]));
  const bags = shared.texts.map(wordsOf);
  const count = Math.max(...found) + 1;
  const names = Array.from({ length: count }, (_, c) => [`${c + 1}`, typical(bags, of, c).join(", ")].filter(Boolean).join(" · "));
  return finished(names, of);
}

/** {groups: [{group, name, count}], of: the group of each sentence} by "topic", "cluster", "own" or "words". */
function grouped(by, records, shared, words = "") {
  if (by === "cluster") return clustered(records, shared);
  if (by === "words") return worded(shared.texts, words);
  return labelled(records, shared, by === "own" ? "own" : "labels");
}

export class Selection {
  /** `shared`: the sentences of all records; `by`: what colours them at first; `changed()` is called after each change. */
  constructor(records, shared, by, changed) {
    Object.assign(this, { records, shared, changed, by, words: "", hidden: new Set(), hover: -1, query: "", hot: null, pinned: null });
    this.groups = grouped(by, records, shared);
    this.chosen = [];
  }

  get lit() {
    return this.hot ?? this.pinned;
  }

  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }

  light(group) {
    if (group !== this.hot) this.set({ hot: group });
  }

  pin(group) {
    this.set({ pinned: this.pinned === group ? null : group });
  }

  colour(by, words = this.words) {
    this.set({ by, words, hidden: new Set(), hot: null, pinned: null, groups: grouped(by, this.records, this.shared, words) });
  }

  toggle(group) {
    if (!this.hidden.delete(group)) this.hidden.add(group);
    this.changed();
  }

  only(group) {
    this.set({ hidden: new Set(this.groups.groups.map((one) => one.group).filter((one) => one !== group)) });
  }

  point(sentence) {
    if (sentence !== this.hover) this.set({ hover: sentence });
  }

  /** Choose a sentence (with `more` next to those chosen, or clear it); -1 clears all. */
  choose(sentence, more = false) {
    const { chosen } = this;
    if (sentence < 0) this.chosen = more ? chosen : [];
    else if (!more) this.chosen = [sentence];
    else this.chosen = chosen.includes(sentence) ? chosen.filter((one) => one !== sentence) : [...chosen, sentence];
    this.changed();
  }

  /** The sentence that came by most neighbours of its own group: something to show before anything is chosen. */
  example() {
    const [record] = this.records;
    const { of } = this.groups;
    const ofRow = this.shared.ofRow[0];
    const alike = (probe, row) => record.near(probe, row).filter((one) => of[ofRow[one]] >= 0 && of[ofRow[one]] === of[ofRow[row]]).length;
    const last = record.probes.length - 1;
    const gains = record.texts.map((_, row) => alike(last, row) - alike(0, row));
    return gains.length ? [ofRow[gains.indexOf(Math.max(...gains))]] : [];
  }

  next() {
    const fits = this.shared.texts.flatMap((_, sentence) => (this.fits(sentence) ? [sentence] : []));
    const now = this.chosen.at(-1) ?? -1;
    if (this.query && fits.length) this.choose(fits.find((one) => one > now) ?? fits[0]);
  }

  fits(sentence) {
    return !this.query || this.shared.texts[sentence].toLowerCase().includes(this.query);
  }

  /** Whether a sentence is not what is looked at: of another topic than the one that is lit, or without the words. */
  faint(sentence) {
    return (this.lit !== null && this.groups.of[sentence] !== this.lit) || !this.fits(sentence);
  }
}
