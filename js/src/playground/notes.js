// Notes: warnings, the odd one out, what a changed word moved, and all neighbours.

import { element } from "../shared/dom.js";

/** A table of texts; a long cell is folded until it is pressed. */
function table({ caption, head, rows }) {
  const cell = (text, name, scope) => {
    if (!text.includes("\n") && text.length < 90) return element(name, { text, ...scope });
    const [first, ...more] = text.split("\n");
    const lines = element("ul", {}, ...[first, ...more].map((line) => element("li", { text: line })));
    const shut = element("button", { type: "button", class: "fold", "aria-expanded": "false", onclick: () => shut.setAttribute("aria-expanded", String(shut.getAttribute("aria-expanded") !== "true")) }, lines);
    return element(name, scope, shut);
  };
  return element(
    "table",
    {},
    element("caption", { text: caption }),
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col", text })))),
    element("tbody", {}, ...rows.map(([first, ...rest]) => element("tr", {}, cell(first, "th", { scope: "row" }), ...rest.map((text) => cell(text, "td", {}))))),
  );
}

export class Notes {
  constructor() {
    this.warnings = element("div", { class: "warnings", role: "status" });
    this.remarks = element("div", { class: "remarks" });
    this.moves = element("div", { class: "moves" });
    this.near = element("details", { hidden: true }, element("summary", { text: "The nearest sentences of all of yours" }), element("div"));
    this.near.addEventListener("toggle", () => this.open());
    this.root = element(
      "div",
      { class: "part notes", hidden: true },
      this.warnings,
      this.remarks,
      this.moves,
      this.near,
    );
  }

  fill({ warnings, remarks, near }) {
    this.root.hidden = false;
    this.lines(this.warnings, warnings.map((line) => `⚠ ${line}`));
    this.lines(this.remarks, remarks);
    this.near.hidden = !near;
    this.table = near;
    this.open();
  }

  lines(place, texts) {
    const now = texts.join("\n");
    if (place.dataset.now === now) return;
    place.dataset.now = now;
    place.replaceChildren(...texts.map((text) => element("p", { text })));
  }

  /** The table of all neighbours is long: it is made when it is opened. */
  open() {
    const place = this.near.lastChild;
    if (this.near.open && this.table) place.replaceChildren(table(this.table));
    else place.replaceChildren();
  }

  moved(of) {
    this.moves.replaceChildren(...(of ? [table(of)] : []));
  }
}
