// The groups, by colour and shape: a press hides or shows one, a double press leaves it alone.

import { element, tell } from "../shared/dom.js";
import { marker } from "./reading.js";
import { counted } from "../shared/counted.js";

export class Legend {
  /** `hooks`: toggle(group), only(group), all(), lift(). */
  constructor(hooks) {
    this.hooks = hooks;
    this.list = element("div", { class: "legend-list", role: "group", "aria-label": "groups shown" });
    this.all = element("button", { class: "small", type: "button", text: "Show all", onclick: hooks.all });
    this.lift = element("button", { class: "small", type: "button", text: "Lift selection", title: "let go of the chosen sentences (Esc)", onclick: hooks.lift });
    this.root = element("div", { class: "legend" }, this.list, element("div", { class: "legend-foot" }, this.all, this.lift));
  }

  show(groups, hidden, dark, chosen) {
    const key = JSON.stringify([groups, dark]);
    if (key !== this.key) {
      this.key = key;
      this.buttons = groups.map(({ group, name, count }) =>
        element("button", {
          class: "group", type: "button", title: `${name}: ${counted(count, "sentence")}. Click to hide or show, double-click for this one alone.`,
          onclick: () => this.hooks.toggle(group), ondblclick: () => this.hooks.only(group),
        },
        marker(group, dark), element("span", { class: "group-name", text: name }), element("span", { class: "group-count", text: String(count) })),
      );
      this.list.replaceChildren(...this.buttons);
    }
    groups.forEach(({ group }, i) => tell(this.buttons[i], "aria-pressed", String(!hidden.has(group))));
    this.lift.disabled = !chosen;
    this.all.disabled = hidden.size === 0;
  }
}
