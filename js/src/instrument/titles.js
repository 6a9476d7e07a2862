// Whose film it is and how the run stands: the first line of a player.

import { element, tell, write } from "../shared/dom.js";
import { steps } from "./words.js";

/** How a run stands, in a few words. */
function standing(film) {
  const how = film.status === "shipped" || !film.status ? "recorded" : film.status;
  const last = film.steps.at(-1) ?? 0;
  return film.alive ? `${how}, step ${steps(Math.max(last, film.history.last))} of ${steps(film.total)}` : `${how}, ${steps(film.total || last)} steps`;
}

export class Titles {
  constructor(runs) {
    this.lines = runs.map(({ name, ink }) => ({
      title: element("strong", { class: "run-title" }),
      stand: element("span", { class: "run-stand" }),
      key: runs.length > 1 ? element("span", { class: "run-key", style: `background: ${ink}`, text: name }) : "",
    }));
    this.said = element("div", { class: "run-said", role: "status" });
    this.root = element("div", { class: "clwork-titles" },
      element("div", { class: "runs" }, ...this.lines.map(({ key, title, stand }) => element("span", { class: "run" }, key, title, stand))), this.said);
  }

  show(runs) {
    runs.forEach(({ film }, run) => {
      const { title, stand } = this.lines[run];
      const called = film.differs || film.title || film.method || film.name || ""; // in which it differs from the run beside it
      const method = called.startsWith(film.title ?? "") ? "" : film.title;
      const seed = film.seed === null || called.includes("seed =") ? "" : `seed ${film.seed}`;
      write(title, called);
      write(stand, film.id ? [method, film.name, seed, standing(film)].filter(Boolean).join(" · ") : "");
      tell(stand, "title", stand.textContent);
    });
  }

  /** What goes wrong, or is waited for. */
  say(text) {
    write(this.said, text);
  }
}
