// The runs that can stand beside the panel's own: stored ones, forks among them, and recorded ones.

import { element, tell, write } from "../shared/dom.js";

export class Compare {
  /** `page`: the instrument; of its runs the second one is the one beside. */
  constructor(page) {
    this.page = page;
    this.note = element("div", { class: "sheet-note", role: "status", text: "Reading the runs …" });
    this.alone = element("button", { class: "clwork-alone small", type: "button", text: "This run alone", onclick: () => this.choose("") });
    this.words = element("input", { class: "compare-search", type: "search", placeholder: "search runs …", "aria-label": "search runs", oninput: () => this.find() });
    this.entries = element("ol", { class: "compare-list" });
    this.root = element("div", { class: "compare-sheet clwork-drawer" }, this.note, this.alone, this.words, this.entries);
    this.mark();
  }

  /** The id of the run that stands beside; empty where none does. */
  get other() {
    return this.page.records[1]?.id ?? "";
  }

  ask() {
    this.page.act("list_runs");
  }

  async choose(id) {
    if (!(await this.page.act("compare", { run: id }))) write(this.note, this.page.said);
  }

  /** `runs`: [{id, name, differs, status, fork, scores: [[title, value], …]}]; or `working`, or why `refused`. */
  list({ runs, working, refused }) {
    if (working) return;
    write(this.note, refused ?? (runs.length ? "It gets a cloud, curves and a trail of its own, on the same steps." : "There is no other run yet."));
    this.runs = runs ?? [];
    this.entries.replaceChildren(...this.runs.map((run) => this.entry(run)));
    this.find();
    this.mark();
  }

  entry({ id, name, differs, status, fork = "", scores = [] }) {
    const told = scores.map(([title, value]) => `${title} ${value}`).join(" · ");
    const about = [status, fork, told].filter(Boolean).join(" · ");
    return element("li", {}, element("button", { class: "other", type: "button", "data-id": id, "aria-pressed": "false", title: `${name}\n${differs}\n${about}`, onclick: () => this.choose(id === this.other ? "" : id) },
      element("span", { class: "other-differs", text: differs || name }),
      element("span", { class: "other-name", text: differs ? name : "" }),
      element("span", { class: "other-about", text: about })));
  }

  find() {
    const words = this.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.entries.childNodes.forEach((entry, place) => {
      const { name, differs, status, fork = "" } = this.runs[place];
      const text = `${name} ${differs} ${status} ${fork}`.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    });
  }

  /** Say which of them stands beside. */
  mark() {
    const { other } = this;
    this.alone.disabled = !other;
    for (const button of this.entries.querySelectorAll(".other")) tell(button, "aria-pressed", String(button.dataset.id === other));
  }
}
