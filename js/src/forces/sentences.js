// The sentences of the batch, largest loss first, and a menu of the stored steps.

import { attribute, consume, element, write } from "../shared/dom.js";
import { brief, counted, steps } from "../shared/text.js";

// lists made so far, which gives the entries of each their own ids
let count = 0;

/** The list with its search field; `row` is the chosen sentence's row in the batch. */
export class Sentences {
  constructor(act, whole) {
    Object.assign(this, {
      act,
      whole,
      rows: [],
      row: null,
      shown: [],
      name: `clwork-sentence-${++count}-`,
    });
    this.find = element("input", {
      type: "search",
      class: "find",
      placeholder: "search sentences",
      "aria-label": "find sentences by their words",
      spellcheck: "false",
    });
    this.find.addEventListener("input", () => this.filter());
    this.list = element("div", {
      class: "list",
      role: "listbox",
      tabindex: "0",
      "aria-label": "sentences of the batch, the largest loss first",
      "data-lm-suppress-shortcuts": true,
    });
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.found = element("p", { class: "found", role: "status" });
    this.root = element("div", { class: "sentences" }, this.find, this.found, this.list);
  }

  /** List the sentences of another batch; `losses` may be null. */
  fill(texts, losses) {
    const total = losses ? losses.reduce((sum, loss) => sum + Math.abs(loss), 0) : 0;
    const most = losses ? losses.reduce((high, loss) => Math.max(high, Math.abs(loss)), 0) : 0;
    const order = texts.map((_, row) => row);
    if (losses) order.sort((one, other) => losses[other] - losses[one] || one - other);
    this.rows = order.map((row) => this.entry(row, texts[row], losses?.[row], total, most));
    this.list.replaceChildren(...this.rows.map(({ part }) => part));
    this.filter(true);
  }

  /**
   * One sentence with its loss as a bar; `total` and `most` are the sum and the maximum of all
   * losses.
   */
  entry(row, text, loss, total, most) {
    // null: the method has no loss for each sentence
    let share = null;
    if (loss !== undefined) share = total ? (100 * Math.abs(loss)) / total : 0;
    const more =
      share === null
        ? []
        : [
            element("span", { class: "loss", text: brief(loss) }),
            element(
              "span",
              { class: "track", "aria-hidden": "true" },
              element("span", {
                class: "bar",
                style: `width:${most ? (100 * Math.abs(loss)) / most : 0}%`,
              }),
            ),
          ];
    const told =
      share === null ? text : `${text}, adds ${brief(loss)}, ${brief(share, 2)} % of the loss`;
    const part = element(
      "div",
      { class: "entry", role: "option", id: this.name + row, "aria-label": told },
      element("span", { class: "text", text }),
      ...more,
    );
    part.addEventListener("click", () => this.choose(row));
    this.whole.on(
      part,
      () =>
        share === null
          ? text
          : `${text}\nadds ${brief(loss)}: ${brief(share, 2)} % of the batch's loss`,
      "below",
    );
    return { row, text: text.toLowerCase(), part };
  }

  /**
   * List the sentences that contain the search text; choose another sentence only if the chosen one
   * is not listed.
   */
  filter(quiet = false) {
    const words = this.find.value.trim().toLowerCase();
    for (const entry of this.rows) entry.part.hidden = !entry.text.includes(words);
    this.shown = this.rows.filter(({ part }) => !part.hidden);
    let found = "";
    if (words && this.shown.length)
      found = `${counted(this.shown.length, "sentence")} of ${this.rows.length}`;
    else if (words) found = "no sentence has these words";
    write(this.found, found);
    if (!quiet && this.shown.length && !this.shown.some(({ row }) => row === this.row))
      this.choose(this.shown[0].row);
  }

  /** The reader chose a sentence. */
  choose(row) {
    this.mark(row);
    this.act("choose", { row });
  }

  /** Show which sentence is chosen, and scroll to it. */
  mark(row) {
    this.row = row;
    for (const entry of this.rows)
      attribute(entry.part, "aria-selected", String(entry.row === row));
    attribute(this.list, "aria-activedescendant", this.name + row);
    const part = this.rows.find((entry) => entry.row === row)?.part;
    if (!part || part.hidden) return;
    const { list } = this;
    if (part.offsetTop < list.scrollTop) list.scrollTop = part.offsetTop;
    if (part.offsetTop + part.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = part.offsetTop + part.offsetHeight - list.clientHeight;
  }

  /** Keys move within the listed sentences. */
  walk(event) {
    const at = this.shown.findIndex(({ row }) => row === this.row);
    const last = this.shown.length - 1;
    const page = Math.max(1, Math.floor(this.list.clientHeight / 32) - 1);
    const to = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      PageUp: at - page,
      PageDown: at + page,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined || last < 0) return;
    consume(event);
    this.choose(this.shown[Math.max(0, Math.min(last, to))].row);
  }
}

/** One button for each stored step, and one that computes the present step again. */
export class Stops {
  /** `now`: the name of the last stop. */
  constructor(act, now) {
    Object.assign(this, { act, now, buttons: new Map() });
    this.list = element("div", { class: "stops", role: "radiogroup", "aria-label": "step" });
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.again = element("button", {
      type: "button",
      class: "again",
      text: "look again",
      title: "compute the forces again, because the active run has advanced",
      onclick: () => act("compute"),
    });
    this.root = element("div", { class: "walk" }, this.list, this.again);
  }

  /** `stops`: steps in ascending order; null is the present step. */
  fill(stops) {
    const same =
      stops.length === this.buttons.size && stops.every((step) => this.buttons.has(step));
    if (same) return;
    const focused = this.list.contains(document.activeElement);
    this.buttons = new Map(stops.map((step) => [step, this.stop(step)]));
    this.list.replaceChildren(...this.buttons.values());
    this.mark(this.chosen, false);
    if (focused) this.buttons.get(this.chosen)?.focus({ preventScroll: true });
  }

  /** The button of a step. */
  stop(step) {
    let name = `after step ${steps(step)}`;
    let text = steps(step);
    if (step === null) [name, text] = [this.now, "now"];
    else if (step === 0) [name, text] = ["at the start", "start"];
    return element("button", {
      type: "button",
      class: "stop",
      role: "radio",
      "aria-label": name,
      title: name,
      text,
      onclick: () => this.act("step", { step }),
    });
  }

  /** Show which stop is chosen; only its button, or the last one, is reached by the Tab key. */
  mark(chosen = null, working = false) {
    this.chosen = chosen;
    const at = this.buttons.has(chosen) ? chosen : null;
    for (const [step, button] of this.buttons) {
      attribute(button, "aria-checked", String(step === chosen));
      attribute(button, "tabindex", step === at ? "0" : "-1");
    }
    attribute(this.root, "data-working", String(working));
  }

  /** Keys move within the stops. */
  walk(event) {
    const all = [...this.buttons.values()];
    const at = all.indexOf(document.activeElement);
    const to = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (to === undefined || at < 0) return;
    consume(event);
    const next = all[Math.max(0, Math.min(all.length - 1, to))];
    next.focus();
    if (next !== all[at]) next.click();
  }
}
