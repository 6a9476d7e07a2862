// The line that shows a dot's sentence, and the neighbours of a sentence then and now. Both have a
// fixed size.

import { attribute, drawn, element, write } from "../shared/dom.js";
import { colour, outline } from "../shared/palette.js";

/** The marker of a group as a small picture. */
export const marker = (group, dark, r = 5) =>
  drawn(
    "svg",
    { class: "marker", viewBox: "-8 -8 16 16", "aria-hidden": "true" },
    drawn("path", { d: outline(group), transform: `scale(${r})`, fill: colour(group, dark) }),
  );

/**
 * Mark a part with the step that it shows (null: none); a `dim` part is of another moment than the
 * picture.
 */
export function markStep(node, step, dim = false) {
  if (step === null) node.removeAttribute("data-step");
  else attribute(node, "data-step", String(step));
  node.toggleAttribute("data-elsewhere", dim);
}

/** The sentence that is read, and lists of its neighbours. */
export class Reading {
  /**
   * `whole`: complete lists, a button per neighbour; else one line with the nearest then and one
   * with the nearest now.
   */
  constructor(choose, whole) {
    this.choose = choose;
    this.sign = element("span", { class: "line-sign" });
    this.group = element("span", { class: "line-group" });
    this.text = element("span", { class: "line-text" });
    this.line = element("div", { class: "line" }, this.sign, this.group, this.text);
    this.lists = element("div", { class: whole ? "lists" : "lists brief" });
    this.root = element(
      "div",
      { class: whole ? "clwork-reading whole" : "clwork-reading" },
      this.line,
      this.lists,
    );
    this.spoken = element("div", { class: "unseen", "aria-live": "polite" });
    this.root.append(this.spoken);
  }

  /** Show what `line` in picture.js returns: {text, group, name}. */
  report(read, dark) {
    const key = `${read.text} ${read.group} ${read.name} ${dark}`;
    if (this.said === key) return;
    this.said = key;
    this.sign.replaceChildren(...(read.group === undefined ? [] : [marker(read.group, dark)]));
    write(this.group, read.name ?? "");
    write(this.text, read.text);
    this.line.title = read.text;
  }

  /** Announce a sentence to screen readers, because arrow keys move from dot to dot. */
  speak(text) {
    write(this.spoken, text);
  }

  /**
   * `columns`: [{title, ink, items: [{sentence, text, group, fresh}]}]; if empty, `hint` is shown.
   */
  list(columns, dark, hint) {
    const key = JSON.stringify([columns, dark, hint]);
    if (key === this.shown) return;
    this.shown = key;
    const held = this.lists.contains(document.activeElement)
      ? document.activeElement.dataset.key
      : null;
    const make = this.lists.classList.contains("brief") ? this.briefly : this.column;
    this.lists.replaceChildren(
      columns.length ? "" : element("p", { class: "hint", text: hint }),
      ...columns.map((column, number) => make.call(this, column, number, dark)),
    );
    // keep the focus when the step changes
    if (held) this.lists.querySelector(`[data-key="${held}"]`)?.focus();
  }

  /** One list of neighbours; `number` is its index. */
  column({ title, ink, items }, number, dark) {
    const entries = items.map((item, place) =>
      element(
        "li",
        {},
        element(
          "button",
          {
            class: "near",
            type: "button",
            "data-key": `${number}-${place}`,
            title: item.text,
            onclick: () => this.choose(item.sentence),
          },
          marker(item.group, dark),
          element("span", { class: "near-text", text: item.text }),
          item.fresh ? element("span", { class: "fresh", text: "new" }) : "",
        ),
      ),
    );
    const head = element("div", {
      class: "list-title",
      style: ink ? `color: ${ink}` : null,
      text: title,
    });
    return element("div", { class: "list" }, head, element("ol", {}, ...entries));
  }

  /** A list as one line: "then …" or "now …"; for two runs "A …" and "B …". */
  briefly({ title, name, when, step, ink, items }) {
    const texts = items.slice(0, 3).map(({ text }) => text);
    return element(
      "div",
      {
        class: `near-line ${when}`,
        "data-step": when === "now" ? step : null,
        title: `${title}:\n${texts.join("\n")}`,
      },
      element("span", { class: "near-when", style: ink ? `color: ${ink}` : null, text: name }),
      ...texts.map((text) => element("span", { class: "near-word", text })),
    );
  }
}
