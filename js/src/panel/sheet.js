// The sheet over the right column: one at a time, shut by Escape or its button; what lies beside it does not move.

import { element, tell } from "../shared/dom.js";

export class Sheet {
  /** `buttons`: what opens a sheet, by the sheet's name. */
  constructor(buttons) {
    this.buttons = buttons;
    this.title = element("h3", { class: "sheet-title" });
    this.shut = element("button", { class: "sheet-shut", type: "button", text: "✕", "aria-label": "close", onclick: () => this.close() });
    this.body = element("div", { class: "sheet-body" });
    this.root = element("div", { class: "clwork-sheet", role: "dialog", hidden: true }, element("div", { class: "sheet-head" }, this.title, this.shut), this.body);
  }

  get name() {
    return this.root.hidden ? null : this.shown;
  }

  /** Open a sheet, or shut it where it is open. */
  toggle(name, title, part, focus) {
    if (this.name === name) return this.close();
    this.shown = name;
    this.title.textContent = title;
    this.body.replaceChildren(part);
    this.root.hidden = false;
    this.root.setAttribute("aria-label", title);
    for (const [other, button] of Object.entries(this.buttons)) tell(button, "aria-expanded", String(other === name));
    (focus ?? this.shut).focus({ preventScroll: true });
    return undefined;
  }

  close() {
    if (this.root.hidden) return;
    const inside = this.root.contains(document.activeElement);
    this.root.hidden = true;
    for (const button of Object.values(this.buttons)) tell(button, "aria-expanded", "false");
    if (inside) this.buttons[this.shown]?.focus({ preventScroll: true });
  }
}
