// All settings: the knobs that are not beside the pictures with a search, the settings as a line of text, a queue of runs.

import { element, tell, write } from "../shared/dom.js";

const EXAMPLE = "temperature = 0.02, 0.05, 0.2";

export class Drawer {
  /** `knobs`: those that are not beside the pictures; hooks: act(command, more) -> promise of whether it was done, main(words). */
  constructor(knobs, about, hooks) {
    const { example = EXAMPLE, seeds } = about.queue ?? {};
    Object.assign(this, { knobs, hooks });
    this.search = element("input", { class: "clwork-search", type: "search", placeholder: "search settings …", "aria-label": "search settings", oninput: () => this.find() });
    this.found = element("div", { class: "sheet-note", role: "status" });
    this.list = element("div", { class: "drawer-knobs" }, ...knobs.map(({ root }) => root));
    this.line = element("textarea", { class: "clwork-settings-text", rows: 3, spellcheck: "false", "aria-label": "these settings as a text", "data-lm-suppress-shortcuts": true });
    this.said = element("div", { class: "sheet-note", role: "status" });
    const button = (name, text, title, act) => element("button", { class: `clwork-${name} small`, type: "button", text, title, onclick: act });
    this.take = button("apply", "Apply", "take over the settings of the line above", () => this.apply());
    this.values = element("input", { class: "clwork-sweep-values", type: "text", placeholder: example, "aria-label": "values to try" });
    this.seeds = element("input", { class: "sweep-seeds", type: "text", inputmode: "numeric", value: "3", "aria-label": "seeds of each", title: seeds?.help });
    this.go = button("queue", "Queue", "train them all, one after another", () => this.queue());
    this.halt = button("queue-stop", "Stop all", "end the present run after its step; begin no other", () => hooks.act("queue_stop"));
    this.halt.disabled = true;
    this.bar = element("progress", { class: "queue-bar", max: 1, value: 0, hidden: true });
    this.outcome = element("div", { class: "sheet-note queue-said", role: "status" });
    this.root = element("div", { class: "clwork-drawer" },
      this.search, this.found, this.list,
      element("h4", { text: "These settings as a text" }), this.line,
      element("div", { class: "sheet-row" }, button("copy", "Copy", "copy this line: it holds all that differs from defaults", () => this.copy()), this.take), this.said,
      element("h4", { text: "A queue of runs" }),
      element("div", { class: "sheet-note", text: "Values of one setting or two, each with several seeds." }), this.outcome, this.bar, this.values,
      element("div", { class: "sheet-row" }, element("label", { class: "sheet-label short" }, element("span", { text: "seeds" }), this.seeds), this.go, this.halt));
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
    write(this.found, (words ? `${count} of ${this.knobs.length} settings` : `${count} more settings`) + (beside.length ? `; beside the pictures: ${beside.join(", ")}` : ""));
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

  async queue() {
    const done = await this.hooks.act("queue", { values: this.values.value, seeds: this.seeds.value });
    if (!done) write(this.outcome, this.hooks.refused());
    tell(this.outcome, "data-wrong", String(!done));
  }

  /** The queue: {text: its line, seeds, alive, sentence, trouble, done, of}. */
  progress({ alive, done, of, text, seeds, sentence, trouble }) {
    this.go.disabled = Boolean(alive);
    this.halt.disabled = !alive;
    this.bar.hidden = !of;
    this.bar.max = of || 1;
    this.bar.value = done || 0;
    if (text && document.activeElement !== this.values) this.values.value = text;
    if (seeds?.text && document.activeElement !== this.seeds) this.seeds.value = seeds.text;
    write(this.outcome, sentence ?? "");
    tell(this.outcome, "data-wrong", String(Boolean(trouble)));
  }
}
