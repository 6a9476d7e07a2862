// Messages: warnings, the odd one out among the sentences, and the effect of a changed word.

import { element, write } from "../shared/dom.js";

function table({ caption, head, rows }) {
  return element(
    "table",
    {},
    element("caption", { text: caption }),
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col", text })))),
    element("tbody", {}, ...rows.map(([first, ...rest]) => element("tr", {}, element("th", { scope: "row", text: first }), ...rest.map((text) => element("td", { text }))))),
  );
}

export class Notes {
  constructor() {
    this.warnings = element("div", { class: "warnings", role: "status" });
    this.remarks = element("div", { class: "remarks" });
    this.moves = element("div", { class: "moves" });
    this.root = element("div", { class: "part notes", hidden: true }, this.warnings, this.remarks, this.moves);
  }

  fill({ warnings, remarks }) {
    write(this.warnings, warnings.map((line) => `⚠ ${line}`).join("\n"));
    write(this.remarks, remarks.join("\n"));
    this.root.hidden = !this.root.textContent;
  }

  moved(of) {
    this.moves.replaceChildren(...(of ? [table(of)] : []));
    this.root.hidden = !this.root.textContent;
  }
}
