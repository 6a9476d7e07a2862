// The runs that are shown, each a film, and the one before in grey: what the page has of them and what comes.

import { Film } from "./film.js";

/** A run whose history alone is kept, to draw it in grey: its looks are let go. */
function grey({ id, head, history, total }) {
  const film = new Film(id, { ...head, texts: [], axes: 0, total_steps: total });
  film.history = history;
  return film;
}

export class Runs {
  constructor(count) {
    this.films = Array.from({ length: count }, () => new Film(""));
    this.ghost = null;
  }

  /** What the page has, for the kernel; `columns`: those besides the strip's that are asked for. */
  known(columns) {
    return this.films.map((film) => film.known(columns));
  }

  /** Show as many as the kernel does; true where there were more or fewer. */
  arrange(count) {
    if (!count || count === this.films.length) return false;
    this.films = Array.from({ length: count }, (_, place) => this.films[place] ?? new Film(""));
    return true;
  }

  /** Take the kernel's parts; true of each film that is another one now, or has got a look. */
  take(parts) {
    const found = { replaced: this.arrange(parts.length), looks: false, rows: false };
    parts.forEach((part, place) => {
      let film = this.films[place];
      if (part.head && (part.id !== film.id || !film.texts.length)) {
        film = this.begin(place, part);
        found.replaced = true;
      }
      if (part.id !== film.id) return; // a run that has nothing to show yet: what is there stays
      if (part.looks?.length && part.rows && part.rows.from > film.history.upto) return; // news for another tab
      found.looks = film.take(part) || found.looks;
      found.rows ||= part.rows?.upto > part.rows?.from || Boolean(part.verdict);
    });
    return found;
  }

  begin(place, { id, head }) {
    const old = this.films[place];
    if (!place && old.id && old.id !== id && old.history.upto) this.ghost = grey(old);
    this.films[place] = new Film(id, head);
    return this.films[place];
  }

  /** The run before, as the kernel has it: {id, name, total_steps, rows}. */
  haunt({ id, name, total_steps, rows }) {
    if (this.ghost?.id === id) return;
    const film = new Film(id, { name, total_steps });
    film.history.take(rows);
    this.ghost = film;
  }
}
