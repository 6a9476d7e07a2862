// Whose record it is and how the run stands: the first line of a player.

import { element, tell, write } from "../shared/dom.js";
import { steps } from "./format.js";

/** How a run stands, in a few words. */
function standing(record) {
  const how = record.status === "shipped" || !record.status ? "recorded" : record.status;
  const last = record.steps.at(-1) ?? 0;
  return record.alive ? `${how}, step ${steps(Math.max(last, record.history.last))} of ${steps(record.total)}` : `${how}, ${steps(record.total || last)} steps`;
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
    runs.forEach(({ record }, run) => {
      const { title, stand } = this.lines[run];
      const called = record.differs || record.title || record.method || record.name || ""; // in which it differs from the run beside it
      const method = called.startsWith(record.title ?? "") ? "" : record.title;
      const seed = record.seed === null || called.includes("seed =") ? "" : `seed ${record.seed}`;
      write(title, called);
      write(stand, record.id ? [method, record.name, seed, standing(record)].filter(Boolean).join(" · ") : "");
      tell(stand, "title", stand.textContent);
    });
  }

  /** What goes wrong, or is waited for. */
  say(text) {
    write(this.said, text);
  }
}
