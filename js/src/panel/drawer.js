// All settings: the knobs that are not beside the pictures with a search, and the settings as a line of text.

import { element, tell, write } from "../shared/dom.js";

export class Drawer {
  /** `knobs`: those that are not beside the pictures; hooks: act(command, more) -> promise of whether it was done, main(words). */
  constructor(knobs, hooks) {
    Object.assign(this, { knobs, hooks });
    this.search = element("input", { class: "clwork-search", type: "search", placeholder: "search settings …", "aria-label": "search settings", oninput: () => this.find() });
    this.found = element("div", { class: "sheet-note", role: "status" });
    this.list = element("div", { class: "drawer-knobs" }, ...knobs.map(({ root }) => root));
    this.line = element("textarea", { class: "clwork-settings-text", rows: 3, spellcheck: "false", "aria-label": "these settings as a text", "data-lm-suppress-shortcuts": true });
    this.said = element("div", { class: "sheet-note", role: "status" });
    const button = (name, text, title, act) => element("button", { class: `clwork-${name} small`, type: "button", text, title, onclick: act });
    this.take = button("apply", "Apply", "take over the settings of the line above", () => this.apply());
    this.root = element("div", { class: "clwork-drawer" },
      this.search, this.found, this.list,
      element("h4", { text: "These settings as a text" }), this.line,
      element("div", { class: "sheet-row" }, button("copy", "Copy", "copy this line: it holds all that differs from defaults", () => this.copy()), this.take), this.said);
    this.find();
  }

  find() {
    const words = this.search.value.trim();
    let count = 0;
    for (const knob of this.knobs) {
      knob.root.hidden = Boolean(words) && !knob.matches(words);
      count += !knob.root.hidden;
    }
    const beside = words ? this.hooks.main(words) : [];
    write(this.found, (words ? `${count} of ${this.knobs.length} settings` : `${count} more settings`) + (beside.length ? `; next to the pictures: ${beside.join(", ")}` : ""));
  }

  show({ line = "", frozen }) {
    if (document.activeElement !== this.line && line !== this.shown) this.line.value = this.shown = line;
    this.take.disabled = Boolean(frozen);
  }

  async copy() {
    this.line.select(); // where the clipboard is closed to scripts, the reader's own keys still copy it
    try {
      await navigator.clipboard.writeText(this.line.value);
    } catch {
      document.execCommand("copy");
    }
    write(this.said, "Copied.");
  }

  async apply() {
    this.shown = null;
    const done = await this.hooks.act("apply", { text: this.line.value });
    write(this.said, done ? "Applied." : this.hooks.refused());
    tell(this.said, "data-wrong", String(!done));
  }
}
