// The sheets: all settings, the set-up, and other runs to compare with.

import { attribute, button, div, element, offer, span, write } from "../shared/dom.js";
import { counted, linesOf } from "../shared/text.js";

/** A remark in a sheet. */
const note = (text = "") => div("sheet-note small soft", text);

/** A sheet over the page, and the button that opens and closes it. */
export function sheetOf(name, title, opener, ...content) {
  const sheet = element(
    "div",
    { class: `clwork-sheet ${name}`, popover: "auto", role: "dialog", "aria-label": title },
    element("h3", { text: title }),
    ...content,
    button("sheet-done", "Done", () => sheet.hidePopover()),
  );
  opener.popoverTargetElement = sheet;
  return sheet;
}

const TITLES = { encoder: "encoder", corpus: "corpus", preset: "settings" };

/** The choice of encoder, corpus and preset. */
export class SetUp {
  /** `about`: from the model; `act(name, what)`: sends a command. */
  constructor({ inputs, presets }, act) {
    this.presets = presets;
    // by name: {menu, help, fields}
    this.parts = {};
    this.nodes = [];
    for (const [name, text] of Object.entries(TITLES)) {
      const menu = element("select", {
        class: `clwork-${name}`,
        onchange: () => act(name, { choice: menu.value }),
      });
      const fields = Object.entries(inputs[name] ?? {}).map(([key, told]) =>
        inputOf(key, told, (typed) => act(name, { [key]: typed })),
      );
      const help = note();
      const labelled = element("label", { class: "sheet-label lined" }, span("", text), menu);
      this.parts[name] = { menu, help, fields };
      this.nodes.push(labelled, help, ...fields.map(({ root }) => root));
    }
  }

  /** Show the kernel's choices; while a run is active, they cannot be changed. */
  show({ encoder, corpus, preset, frozen }) {
    const presets = { options: this.presets, choice: preset };
    presets.note = this.presets.find(({ value }) => value === preset)?.note;
    for (const [name, state] of Object.entries({ encoder, corpus, preset: presets })) {
      const { menu, help, fields } = this.parts[name];
      const options = state.options.map(({ value, label }) => [value, label]);
      offer(menu, options, state.choice);
      menu.disabled = frozen;
      write(help, [state.note, state.credit].filter(Boolean).join(" "));
      for (const { key, root, box } of fields) {
        root.hidden = !state.shown.includes(key);
        box.disabled = frozen;
        // a long text is not sent back
        if (typeof state[key] === "string" && document.activeElement !== box)
          box.value = state[key];
      }
    }
  }

  /** Corpus and encoder in a few words, for the button of this sheet. */
  words({ encoder, corpus }) {
    const called = ({ choice, place, options }) =>
      choice === "elsewhere"
        ? place || "not named yet"
        : options.find(({ value }) => value === choice).label.split(" (")[0];
    return `${called(corpus)} · ${called(encoder)}`;
  }
}

/** A text field of an own encoder or corpus; it sends its text when the reader leaves it. */
function inputOf(key, { title, help, placeholder }, send) {
  const count = span();
  const box = element(key === "text" ? "textarea" : "input", {
    class: `entry-${key}`,
    type: key === "text" ? null : "text",
    rows: key === "text" ? 5 : null,
    placeholder,
    title: help,
    "data-lm-suppress-shortcuts": true,
    oninput: () => key === "text" && write(count, counted(linesOf(box.value).length, "line")),
    onchange: () => send(box.value),
  });
  const root = element("label", { class: "sheet-entry small soft" }, title, box, count);
  return { key, root, box };
}

/** The list of runs that can be shown next to this one. */
export class Compare {
  /** `page`: its second run is the one to compare with. */
  constructor(page) {
    this.page = page;
    this.note = note("Reading the runs …");
    this.entries = element("ol");
  }

  /** Compare with a run, or no longer if it is compared already. */
  async choose(id) {
    const other = this.page.records[1]?.id;
    if (!(await this.page.act("compare", { run: id === other ? "" : id })))
      write(this.note, this.page.said);
  }

  /**
   * `runs`: [{id, name, differs, status, fork, scores: [[title, value], …]}]; or `working`; or
   * `refused`, an error text.
   */
  list({ runs = [], working, refused }) {
    if (working) return;
    const help = runs.length
      ? "It gets a cloud, curves and a trail of its own. Click it again to see this run alone."
      : "There is no other run yet.";
    write(this.note, refused ?? help);
    this.entries.replaceChildren(...runs.map((run) => element("li", {}, this.entry(run))));
    this.mark();
  }

  /** The button of a run. */
  entry({ id, name, differs, status, fork, scores = [] }) {
    const told = [status, fork, ...scores.map((score) => score.join(" "))].filter(Boolean);
    const entry = button("other small", "", () => this.choose(id), { "data-id": id });
    entry.append(
      element("b", { class: "clipped", text: differs || name }),
      span("", differs ? name : ""),
      element("small", { class: "soft clipped", text: told.join(" · ") }),
    );
    return entry;
  }

  /** Show which run is compared. */
  mark() {
    const other = this.page.records[1]?.id;
    for (const entry of this.entries.querySelectorAll(".other"))
      attribute(entry, "aria-pressed", String(entry.dataset.id === other));
  }
}
