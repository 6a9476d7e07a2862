// The batch's sentences, the largest loss first, each with its share of the loss; found by their words.

import { element, tell, write } from "../shared/dom.js";
import { counted } from "../shared/counted.js";
import { short } from "./numbers.js";

let count = 0;

export class Sentences {
  constructor(act, whole) {
    Object.assign(this, { act, whole, rows: [], row: null, shown: [], name: `clwork-sentence-${++count}-` });
    this.find = element("input", { type: "search", class: "find", placeholder: "find words of a sentence", "aria-label": "find sentences by their words", spellcheck: "false" });
    this.find.addEventListener("input", () => this.filter());
    this.list = element("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": "sentences of the batch, the largest loss first", "data-lm-suppress-shortcuts": true });
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.found = element("p", { class: "found", role: "status" });
    this.root = element("div", { class: "sentences" }, this.find, this.found, this.list);
  }

  fill(texts, losses) {
    const total = losses ? losses.reduce((sum, loss) => sum + Math.abs(loss), 0) : 0;
    const most = losses ? losses.reduce((high, loss) => Math.max(high, Math.abs(loss)), 0) : 0;
    const order = texts.map((_, row) => row);
    if (losses) order.sort((one, other) => losses[other] - losses[one] || one - other);
    this.rows = order.map((row) => this.entry(row, texts[row], losses?.[row], total, most));
    this.list.replaceChildren(...this.rows.map(({ part }) => part));
    this.filter(true);
  }

  entry(row, text, loss, total, most) {
    const share = loss === undefined ? null : total ? (100 * Math.abs(loss)) / total : 0;
    const more = share === null ? [] : [
      element("span", { class: "loss", text: short(loss) }),
      element("span", { class: "track", "aria-hidden": "true" }, element("span", { class: "bar", style: `width:${most ? (100 * Math.abs(loss)) / most : 0}%` })),
    ];
    const told = share === null ? text : `${text}, adds ${short(loss)}, ${short(share, 2)} % of the loss`;
    const part = element("div", { class: "entry", role: "option", id: this.name + row, "aria-label": told }, element("span", { class: "text", text }), ...more);
    part.addEventListener("click", () => this.choose(row));
    this.whole.on(part, () => (share === null ? text : `${text}\nadds ${short(loss)}: ${short(share, 2)} % of the batch's loss`));
    return { row, text: text.toLowerCase(), part };
  }

  /** List the sentences with these words; choose another only where the chosen one is not among them. */
  filter(quiet = false) {
    const words = this.find.value.trim().toLowerCase();
    for (const entry of this.rows) entry.part.hidden = !entry.text.includes(words);
    this.shown = this.rows.filter(({ part }) => !part.hidden);
    write(this.found, words ? (this.shown.length ? `${counted(this.shown.length, "sentence")} of ${this.rows.length}` : "no sentence has these words") : "");
    if (!quiet && this.shown.length && !this.shown.some(({ row }) => row === this.row)) this.choose(this.shown[0].row);
  }

  choose(row) {
    this.mark(row);
    this.act("choose", { row });
  }

  mark(row) {
    this.row = row;
    for (const entry of this.rows) tell(entry.part, "aria-selected", String(entry.row === row));
    tell(this.list, "aria-activedescendant", this.name + row);
    const part = this.rows.find((entry) => entry.row === row)?.part;
    if (!part || part.hidden) return;
    const { list } = this;
    if (part.offsetTop < list.scrollTop) list.scrollTop = part.offsetTop;
    if (part.offsetTop + part.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = part.offsetTop + part.offsetHeight - list.clientHeight;
  }

  walk(event) {
    const at = this.shown.findIndex(({ row }) => row === this.row);
    const last = this.shown.length - 1;
    const page = Math.max(1, Math.floor(this.list.clientHeight / 32) - 1);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - page, PageDown: at + page, Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(this.shown[Math.max(0, Math.min(last, to))].row);
  }
}
