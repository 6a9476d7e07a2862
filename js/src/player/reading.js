// The line that reads a dot out, and the chosen sentence's nearest, then and now. Both keep their size: nothing jumps.

import { colour, outline } from "../shared/palette.js";
import { drawn, element, write } from "./dom.js";

export const marker = (group, dark, r = 5) =>
  drawn("svg", { class: "marker", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, drawn("path", { d: outline(group), transform: `scale(${r})`, fill: colour(group, dark) }));

export class Reading {
  constructor(choose) {
    this.choose = choose;
    this.sign = element("span", { class: "line-sign" });
    this.group = element("span", { class: "line-group" });
    this.text = element("span", { class: "line-text" });
    this.line = element("div", { class: "line", role: "status", "aria-live": "polite" }, this.sign, this.group, this.text);
    this.lists = element("div", { class: "lists" });
    this.root = element("div", { class: "reading" }, this.line, this.lists);
    this.shown = "";
  }

  /** `told`: {text, group, name} of a sentence, or {text} alone. */
  say(told, dark) {
    const key = `${told.text} ${told.group} ${told.name} ${dark}`;
    if (this.said === key) return;
    this.said = key;
    this.sign.replaceChildren(...(told.group === undefined ? [] : [marker(told.group, dark)]));
    write(this.group, told.name ?? "");
    write(this.text, told.text);
    this.line.title = told.text;
  }

  /** `columns`: [{title, ink, items: [{sentence, text, group, fresh}]}]; without any, `hint` takes their room. */
  list(columns, dark, hint) {
    const key = JSON.stringify([columns, dark, hint]);
    if (key === this.shown) return;
    this.shown = key;
    const held = this.lists.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.lists.replaceChildren(columns.length ? "" : element("p", { class: "hint", text: hint }), ...columns.map((column, number) => this.column(column, number, dark)));
    if (held) this.lists.querySelector(`[data-key="${held}"]`)?.focus(); // a step keeps the reader where she is
  }

  column({ title, ink, items }, number, dark) {
    const entries = items.map((item, place) =>
      element("li", {},
        element("button", { class: "near", type: "button", "data-key": `${number}-${place}`, title: item.text, onclick: () => this.choose(item.sentence) },
          marker(item.group, dark),
          element("span", { class: "near-text", text: item.text }),
          item.fresh ? element("span", { class: "fresh", text: "new" }) : ""),
      ),
    );
    const head = element("div", { class: "list-title", style: ink ? `color: ${ink}` : null, text: title });
    return element("div", { class: "list" }, head, element("ol", {}, ...entries));
  }
}
