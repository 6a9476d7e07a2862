// The desk's controls: filter, method, status, sort order, buttons for the selected runs, and a status line.

import { attribute, element, offer, write } from "../shared/dom.js";
import { FAMILY } from "./runs.js";

const many = (count) => count.toLocaleString("en");

export class Toolbar {
  /** `act` has set(changes), all(on), compare(), remove(), refresh(). */
  constructor(act) {
    const button = (text, onclick, name, title) => element("button", { type: "button", text, onclick, class: name, title });
    const about = "Words that must all occur in a run's name, method, state or settings, such as temperature=0.1.";
    this.text = element("input", { type: "search", class: "clwork-filter", placeholder: "filter: simcse seed=1", "aria-label": `Filter. ${about}`, title: about });
    this.text.addEventListener("input", () => act.set({ text: this.text.value }));
    const menu = (label, part) => element("select", { "aria-label": label, class: `clwork-${part}`, onchange: ({ target }) => act.set({ [part]: target.value }) });
    this.method = menu("method", "method");
    this.status = menu("status", "status");
    this.left = element("span", { class: "soft left", "aria-live": "polite" });
    this.state = element("span", { class: "sentence", role: "status", "aria-live": "polite" });
    this.bar = element("progress", { max: 1, value: 0, hidden: true, "aria-label": "folders read" });
    const refresh = button("Refresh", () => act.refresh(), "clwork-refresh", "Read the folder again.");
    this.root = element("header", { class: "head" }, element("h3", { text: "Runs" }), this.text, this.method, this.status, this.left, refresh);
    this.line = element("div", { class: "state" }, this.state, this.bar);
    this.tick = element("input", { type: "checkbox", "aria-label": "draw all runs of the table", onchange: () => act.all(this.tick.checked) });
    this.chosen = element("span", { class: "chosen" });
    this.compare = button("Compare", () => act.compare(), "clwork-compare", "Show only the chosen runs, with their differences; click again to show all.");
    this.remove = button("Delete …", () => act.remove(), "clwork-delete-chosen", "Delete the chosen runs; shows the space that this frees, and asks for confirmation.");
    this.family = button("Forks", () => act.set({ order: FAMILY, descending: false }), "clwork-family", "Each run followed by its forks, in the order in which they were started.");
    this.tools = element("div", { class: "tools" }, element("label", { class: "all" }, this.tick, this.chosen), this.compare, this.remove, this.family);
  }

  /** `view`; all `rows`; the numbers of `shown` and `drawn` rows. */
  show({ view, rows, shown, drawn }) {
    if (this.text !== document.activeElement && this.text.value !== view.text) this.text.value = view.text;
    const each = (part) => [...new Set(rows.map((row) => row[part]))].sort().map((name) => [name, name]);
    offer(this.method, [["", "all methods"], ...each("method")], view.method);
    offer(this.status, [["", "any status"], ...each("status")], view.status);
    write(this.left, shown < rows.length ? `${many(shown)} of ${many(rows.length)}` : "");
    this.tick.checked = drawn === shown && shown > 0;
    this.tick.indeterminate = drawn > 0 && drawn < shown;
    write(this.chosen, `${many(drawn)} of ${many(shown)} chosen`);
    attribute(this.compare, "aria-pressed", String(view.only !== null));
    attribute(this.family, "aria-pressed", String(view.order === FAMILY));
    for (const [made, on] of [[this.compare, drawn > 1 || view.only !== null], [this.remove, drawn > 0]]) made.disabled = !on;
  }

  report(sentence, trouble = false, reading = null) {
    write(this.state, trouble && sentence ? `⚠ ${sentence}` : sentence);
    attribute(this.state, "title", sentence);
    this.line.classList.toggle("trouble", trouble);
    this.bar.hidden = !reading;
    if (reading) [this.bar.max, this.bar.value] = [Math.max(1, reading[1]), reading[0]];
  }
}
