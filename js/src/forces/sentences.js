// The sentences of the batch, largest loss first, and the parts of a sentence's gradient.

import { attribute, consume, element, partsOf } from "../shared/dom.js";
import { brief } from "../shared/text.js";

// lists made so far, which gives the entries of each their own ids
let count = 0;

const LIST = `
<div class="list" role="listbox" tabindex="0" aria-label="sentences of the batch, the largest loss first"
  data-lm-suppress-shortcuts="true"></div>`;

/** A bar that fills `share` percent of its track. */
const bar = (kind, share) =>
  element("span", { class: `bar ${kind}`, style: `--share:${share}%`, "aria-hidden": "true" });

/** The list; `row` is the chosen sentence's row in the batch. */
export class Sentences {
  constructor(act) {
    this.act = act;
    this.name = `clwork-sentence-${++count}-`;
    this.root = partsOf(LIST).root;
    this.root.addEventListener("keydown", (event) => this.walk(event));
  }

  /** List the sentences of another batch; `losses` is null if the method has no loss for each. */
  fill(texts, losses) {
    const sizes = losses?.map(Math.abs) ?? texts.map(() => 0);
    const total = sizes.reduce((sum, size) => sum + size, 0) || 1;
    const most = Math.max(...sizes) || 1;
    this.order = texts.map((_, row) => row);
    if (losses) this.order.sort((one, other) => losses[other] - losses[one] || one - other);
    const entries = this.order.map((row) => {
      const part = element("div", { class: "entry", role: "option", id: this.name + row });
      part.append(element("span", { class: "text", text: texts[row] }));
      part.title = texts[row];
      part.addEventListener("click", () => this.choose(row));
      if (!losses) return part;
      part.title += `\nadds ${brief(losses[row])}, ${brief((100 * sizes[row]) / total, 2)} % of the loss`;
      part.append(element("span", { text: brief(losses[row]) }));
      part.append(bar("", (100 * sizes[row]) / most));
      return part;
    });
    for (const part of entries) part.setAttribute("aria-label", part.title);
    this.root.replaceChildren(...entries);
  }

  /** The reader chose a sentence. */
  choose(row) {
    this.mark(row);
    this.act("choose", { row });
  }

  /** Show which sentence is chosen, and scroll the list to it. */
  mark(row) {
    const { root } = this;
    this.row = row;
    for (const part of root.children)
      attribute(part, "aria-selected", String(part.id === this.name + row));
    attribute(root, "aria-activedescendant", this.name + row);
    const { offsetTop: top, offsetHeight: height } = root.querySelector("[aria-selected=true]");
    const lowest = top + height - root.clientHeight;
    root.scrollTop = Math.max(lowest, Math.min(top, root.scrollTop));
  }

  /** Keys move within the list. */
  walk(event) {
    const at = this.order.indexOf(this.row);
    const last = this.order.length - 1;
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    consume(event);
    this.choose(this.order[Math.max(0, Math.min(last, to))]);
  }
}

/** What a number does: positive ones pull, negative ones push, others nothing. */
export function wordOf(pull) {
  if (pull < 0) return "push";
  return pull > 0 ? "pull" : "";
}

/** How much each kind of pair adds to the gradient of the chosen sentence. */
export class Kinds {
  constructor() {
    this.list = element("ul");
    const title = element("h3", { text: "On this sentence, by kind" });
    this.root = element("div", { class: "kinds" }, title, this.list);
  }

  /** `kinds`: [kind, length of the gradient, negative if it pushes]. */
  show(kinds) {
    const most = Math.max(...kinds.map(([, length]) => Math.abs(length ?? 0))) || 1;
    this.root.hidden = !kinds.length;
    this.list.replaceChildren(
      ...kinds.map(([kind, length]) => {
        const word = wordOf(length);
        const size = Math.abs(length ?? 0);
        const value = element("b", { text: `${word} ${brief(length === null ? null : size)}` });
        const share = bar(word, (100 * size) / most);
        return element("li", {}, element("span", { class: "text", text: kind }), value, share);
      }),
    );
  }
}
