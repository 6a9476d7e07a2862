// What the reader has set: the colouring, the groups that are hidden, the sentences chosen, pointed at and looked for.

import { grouped } from "./groups.js";

export class Selection {
  /** `shared`: the sentences of all films; `by`: what colours them at first; `changed()` hears of whatever is set. */
  constructor(films, shared, by, changed) {
    Object.assign(this, { films, shared, changed, words: "", hidden: new Set(), hover: -1, query: "" });
    this.groups = grouped(by, films, shared);
    this.chosen = this.example();
  }

  colour(by, words = this.words) {
    this.words = words;
    this.hidden.clear();
    this.groups = grouped(by, this.films, this.shared, words);
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

  /** What to show before anything is chosen: the sentence that came by most neighbours of its own group. */
  example() {
    const [film] = this.films;
    const { of } = this.groups;
    const ofRow = this.shared.ofRow[0];
    const alike = (look, row) => film.near(look, row).filter((one) => of[ofRow[one]] >= 0 && of[ofRow[one]] === of[ofRow[row]]).length;
    const last = film.looks.length - 1;
    const gains = film.texts.map((_, row) => alike(last, row) - alike(0, row));
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

  /** Up and down read one dot after the other, Enter chooses: a cloud needs no mouse. */
  walk(event, run) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && this.hover >= 0) {
      this.choose(this.hover, event.shiftKey);
      return true;
    }
    if (!way) return false;
    const seen = this.shared.ofRow[run].filter((sentence) => this.fits(sentence) && !this.hidden.has(this.groups.of[sentence]));
    const now = seen.indexOf(this.hover);
    if (seen.length) this.point(seen[now < 0 ? (way > 0 ? 0 : seen.length - 1) : (now + way + seen.length) % seen.length]);
    return true;
  }
}
