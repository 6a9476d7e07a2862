// What the reader has set: the colouring, the groups that are hidden, the sentences chosen, pointed at and looked for.

import { grouped } from "./groups.js";

export class Selection {
  /** `shared`: the sentences of all records; `by`: what colours them at first; `changed()` hears of whatever is set. */
  constructor(records, shared, by, changed) {
    Object.assign(this, { records, shared, changed, by, words: "", hidden: new Set(), hover: -1, query: "", hot: null, pinned: null });
    this.groups = grouped(by, records, shared);
    this.chosen = [];
  }

  /** The group that is lit, by the pointer or for good; null where none is. */
  get lit() {
    return this.hot ?? this.pinned;
  }

  light(group) {
    if (group === this.hot) return;
    this.hot = group;
    this.changed();
  }

  pin(group) {
    this.pinned = this.pinned === group ? null : group;
    this.changed();
  }

  colour(by, words = this.words) {
    this.by = by;
    this.words = words;
    this.hidden.clear();
    this.hot = this.pinned = null;
    this.groups = grouped(by, this.records, this.shared, words);
    this.changed();
  }

  toggle(group) {
    if (!this.hidden.delete(group)) this.hidden.add(group);
    this.changed();
  }

  only(group) {
    const others = this.groups.groups.map((one) => one.group).filter((one) => one !== group);
    this.hidden = new Set(others);
    this.changed();
  }

  reveal() {
    this.hidden.clear();
    this.changed();
  }

  point(sentence) {
    if (sentence === this.hover) return;
    this.hover = sentence;
    this.changed();
  }

  /** Choose a sentence (with `more` beside those chosen, or let go of it); -1 lets go of all. */
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

  find(query) {
    this.query = query.trim().toLowerCase();
    this.changed();
  }

  /** Choose the next sentence that fits what is looked for. */
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
