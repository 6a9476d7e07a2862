// The sheet in the place of the biggest movers. It shows all settings, the set-up, other runs, or
// the forces on a sentence.

import { attribute, element, offer, write } from "../shared/dom.js";
import { measured, steps } from "../shared/text.js";
import { markStep } from "./reading.js";

/** The sheet itself. `buttons`: by name of the content, the button that opens it. */
export class Dialog {
  constructor(buttons) {
    this.buttons = buttons;
    this.title = element("h3", { class: "sheet-title" });
    this.shut = element("button", {
      class: "sheet-shut",
      type: "button",
      text: "✕",
      "aria-label": "close",
      onclick: () => this.close(),
    });
    this.body = element("div", { class: "sheet-body" });
    this.root = element(
      "div",
      { class: "clwork-sheet", role: "dialog", hidden: true },
      element("div", { class: "sheet-head" }, this.title, this.shut),
      this.body,
    );
  }

  /** The name of the content that is shown, or null. */
  get name() {
    return this.root.hidden ? null : this.shown;
  }

  /** Show a content, or close the sheet if this one is shown. */
  toggle(name, title, part, focus) {
    if (this.name === name) return this.close();
    this.shown = name;
    this.title.textContent = title;
    this.body.replaceChildren(part);
    this.root.hidden = false;
    this.root.setAttribute("aria-label", title);
    for (const [other, button] of Object.entries(this.buttons))
      attribute(button, "aria-expanded", String(other === name));
    (focus ?? this.shut).focus({ preventScroll: true });
  }

  /** Close the sheet; the focus returns to the button that opened it. */
  close() {
    if (this.root.hidden) return;
    const inside = this.root.contains(document.activeElement);
    this.root.hidden = true;
    for (const button of Object.values(this.buttons)) attribute(button, "aria-expanded", "false");
    if (inside) this.buttons[this.shown]?.focus({ preventScroll: true });
  }
}

/** All settings with a search, and the call that has them. */
export class Drawer {
  /** `knobs`: settings not shown next to the formula; `main(words)`: names of those that are. */
  constructor(knobs, speed, main) {
    this.knobs = knobs;
    this.main = main;
    this.search = element("input", {
      class: "clwork-search",
      type: "search",
      placeholder: "search settings …",
      "aria-label": "search settings",
      oninput: () => this.find(),
    });
    this.found = element("div", { class: "sheet-note", role: "status" });
    this.list = element("div", { class: "drawer-knobs" }, ...knobs.map(({ root }) => root));
    this.line = element("textarea", {
      class: "clwork-settings-text",
      rows: 3,
      spellcheck: "false",
      readonly: true,
      "aria-label": "these settings as a call",
      "data-lm-suppress-shortcuts": true,
    });
    this.said = element("div", { class: "sheet-note", role: "status" });
    const copy = element("button", {
      class: "clwork-copy small",
      type: "button",
      text: "Copy",
      title: "copy this call: in a cell it makes a panel with these settings",
      onclick: () => this.copy(),
    });
    this.root = element(
      "div",
      { class: "clwork-drawer" },
      this.search,
      this.found,
      speed,
      this.list,
      element("h4", { text: "These settings as a call" }),
      this.line,
      element("div", { class: "sheet-row" }, copy),
      this.said,
    );
    this.find();
  }

  /** Hide what does not contain the searched words. */
  find() {
    const words = this.search.value.trim();
    let count = 0;
    for (const knob of this.knobs) {
      knob.root.hidden = Boolean(words) && !knob.matches(words);
      count += !knob.root.hidden;
    }
    const beside = words ? this.main(words) : [];
    write(
      this.found,
      (words ? `${count} of ${this.knobs.length} settings` : `${count} more settings`) +
        (beside.length ? `; next to the formula: ${beside.join(", ")}` : ""),
    );
  }

  /** Show the kernel's settings as a call. */
  show({ line = "" }) {
    if (line !== this.line.value) this.line.value = line;
  }

  /** Copy the call to the clipboard. */
  async copy() {
    // if scripts cannot use the clipboard, the reader can copy the selected text
    this.line.select();
    try {
      await navigator.clipboard.writeText(this.line.value);
    } catch {
      document.execCommand("copy");
    }
    write(this.said, "Copied.");
  }
}

// milliseconds between the last key and sending the text
const LATER = 400;
// characters of a label that the button shows; of a longer one it shows the name of the choice
const LONGEST = 60;

/** A menu with a note below; `act(value)` is called after a choice. */
function chooser(label, name, act) {
  const box = element("select", { class: `clwork-${name}`, onchange: () => act(box.value) });
  const note = element("div", { class: "sheet-note" });
  const root = element(
    "div",
    { class: "sheet-part" },
    element("label", { class: "sheet-label" }, element("span", { text: label }), box),
    note,
  );
  const show = (options, choice, words, off) => {
    offer(
      box,
      options.map(({ value, label: text }) => [value, text]),
      choice,
    );
    box.disabled = off;
    write(note, words);
  };
  return { root, box, show };
}

/** A text field of an own encoder or corpus; it sends its text after a pause in typing. */
class Entry {
  constructor(name, { title, help, placeholder }, send) {
    const tag = name === "text" ? "textarea" : "input";
    this.box = element(tag, {
      class: `entry-${name}`,
      placeholder,
      "aria-label": title,
      title: help || title,
      rows: name === "text" ? 5 : null,
      "data-lm-suppress-shortcuts": true,
    });
    this.root = element(
      "label",
      { class: "sheet-label entry" },
      element("span", { text: title }),
      this.box,
    );
    this.sent = "";
    const out = () => {
      clearTimeout(this.timer);
      if (this.box.value === this.sent) return;
      this.sent = this.box.value;
      send({ [name]: this.sent });
    };
    this.box.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(out, LATER);
    });
    this.box.addEventListener("change", out);
  }

  /** Show the kernel's text, unless the reader is typing. */
  show(value, off) {
    if (
      value !== null &&
      value !== undefined &&
      document.activeElement !== this.box &&
      this.box.value !== value
    )
      this.box.value = this.sent = value;
    this.box.disabled = off;
  }
}

/** The choice of encoder, corpus and preset. */
export class SetUp {
  constructor(about, hooks) {
    this.about = about;
    this.encoder = chooser("encoder", "encoder", (choice) => hooks.act("encoder", { choice }));
    this.corpus = chooser("corpus", "corpus", (choice) => hooks.act("corpus", { choice }));
    this.preset = chooser("settings", "preset", (choice) => hooks.act("preset", { choice }));
    this.reset = element("button", {
      class: "clwork-reset small",
      type: "button",
      text: "Reset",
      title: "reset every setting to its default",
      onclick: () => hooks.act("preset", { choice: "default" }),
    });
    this.preset.root.firstChild.append(this.reset);
    const inputs = about.inputs ?? {};
    this.entries = {};
    for (const which of ["encoder", "corpus"]) {
      this.entries[which] = Object.fromEntries(
        Object.entries(inputs[which] ?? {}).map(([name, told]) => {
          const entry = new Entry(name, told, (what) => hooks.act(which, what));
          this[which].root.append(entry.root);
          return [name, entry];
        }),
      );
    }
    this.credit = element("div", { class: "sheet-note credit" });
    this.root = element(
      "div",
      { class: "setup-sheet" },
      this.encoder.root,
      this.corpus.root,
      this.credit,
      this.preset.root,
    );
  }

  /** Show the kernel's choices; while a run is active, they cannot be changed. */
  show(settings) {
    const { encoder = {}, corpus = {}, preset = "", frozen } = settings;
    const presets = this.about.presets ?? [];
    this.encoder.show(encoder.options ?? [], encoder.choice, encoder.note ?? "", frozen);
    this.corpus.show(corpus.options ?? [], corpus.choice, corpus.note ?? "", frozen);
    this.preset.show(
      presets,
      preset,
      presets.find(({ value }) => value === preset)?.note ?? "",
      frozen,
    );
    this.reset.disabled = frozen;
    for (const [which, state] of Object.entries({ encoder, corpus })) {
      for (const [name, entry] of Object.entries(this.entries[which])) {
        entry.root.hidden = !(state.shown ?? []).includes(name);
        entry.show(state[name], frozen);
      }
    }
    write(this.credit, corpus.credit ?? "");
    attribute(this.credit, "title", this.credit.textContent);
  }

  /** Corpus, encoder and preset in a few words, for the button of this sheet. */
  words({ encoder = {}, corpus = {}, preset = "" }) {
    const called = ({ choice = "", place = "", options = [] }) => {
      if (choice === "elsewhere") return place || "not named yet";
      const label = options.find(({ value }) => value === choice)?.label ?? choice;
      return label.length > LONGEST ? choice : label.split(" (")[0];
    };
    const presetWords = { default: "", "your own": "own settings" };
    return [called(corpus), called(encoder), presetWords[preset] ?? preset]
      .filter(Boolean)
      .join(" · ");
  }
}

/** The list of runs that can be shown next to this one. */
export class Compare {
  /** `page`: its second run is the one to compare with. */
  constructor(page) {
    this.page = page;
    this.note = element("div", { class: "sheet-note", role: "status", text: "Reading the runs …" });
    this.alone = element("button", {
      class: "clwork-alone small",
      type: "button",
      text: "This run alone",
      onclick: () => this.choose(""),
    });
    this.words = element("input", {
      class: "compare-search",
      type: "search",
      placeholder: "search runs …",
      "aria-label": "search runs",
      oninput: () => this.find(),
    });
    this.entries = element("ol", { class: "compare-list" });
    this.root = element(
      "div",
      { class: "compare-sheet clwork-drawer" },
      this.note,
      this.alone,
      this.words,
      this.entries,
    );
    this.mark();
  }

  /** The id of the run to compare with; empty if there is none. */
  get other() {
    return this.page.records[1]?.id ?? "";
  }

  /** Request the list of runs from the kernel. */
  ask() {
    this.page.act("list_runs");
  }

  /** Compare with a run; an empty id ends the comparison. */
  async choose(id) {
    if (!(await this.page.act("compare", { run: id }))) write(this.note, this.page.said);
  }

  /**
   * `runs`: [{id, name, differs, status, fork, scores: [[title, value], …]}]; or `working`; or
   * `refused`, an error text.
   */
  list({ runs, working, refused }) {
    if (working) return;
    write(
      this.note,
      refused ??
        (runs.length
          ? "It gets a cloud, curves and a trail of its own, on the same steps."
          : "There is no other run yet."),
    );
    this.runs = runs ?? [];
    this.entries.replaceChildren(...this.runs.map((run) => this.entry(run)));
    this.find();
    this.mark();
  }

  /** The button of a run. */
  entry({ id, name, differs, status, fork = "", scores = [] }) {
    const told = scores.map(([title, value]) => `${title} ${value}`).join(" · ");
    const about = [status, fork, told].filter(Boolean).join(" · ");
    return element(
      "li",
      {},
      element(
        "button",
        {
          class: "other",
          type: "button",
          "data-id": id,
          "aria-pressed": "false",
          title: `${name}\n${differs}\n${about}`,
          onclick: () => this.choose(id === this.other ? "" : id),
        },
        element("span", { class: "other-differs", text: differs || name }),
        element("span", { class: "other-name", text: differs ? name : "" }),
        element("span", { class: "other-about", text: about }),
      ),
    );
  }

  /** Hide what does not contain the searched words. */
  find() {
    const words = this.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.entries.childNodes.forEach((entry, place) => {
      const { name, differs, status, fork = "" } = this.runs[place];
      const text = `${name} ${differs} ${status} ${fork}`.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    });
  }

  /** Show which run is compared. */
  mark() {
    const { other } = this;
    this.alone.disabled = !other;
    for (const button of this.entries.querySelectorAll(".other"))
      attribute(button, "aria-pressed", String(button.dataset.id === other));
  }
}

/** For the cloud: rows, each with the strength of its pull or push. */
export function strengths({ row, step, pairs }) {
  const there = pairs.filter((pair) => pair.row >= 0 && pair.row !== row);
  const of = (sign) =>
    there.filter(({ pull }) => sign * pull > 0).map((pair) => [pair.row, Math.abs(pair.pull)]);
  return { row, step, pull: of(1), push: of(-1) };
}

/** The pairs of the chosen sentence, those that pull and those that push. */
export class ForcesPanel {
  constructor(choose) {
    this.choose = choose;
    this.when = element("div", { class: "sheet-note at-step" });
    this.root = element("div", { class: "forces-sheet" });
  }

  /** Show a text instead of pairs. */
  report(text) {
    this.root.replaceChildren(element("div", { class: "sheet-note", text }));
  }

  /** `step`: of the forces, or null; `shown`: of the picture. */
  mark(step, shown, dim) {
    markStep(this.root, step, dim);
    write(
      this.when,
      step === null || step === shown
        ? ""
        : `These are the forces at step ${steps(step)}; the picture shows step ${steps(shown)}.`,
    );
  }

  /** Show the kernel's forces: {pairs, about, loss, measure}; or `refused`, an error text. */
  show(forces) {
    if (forces.refused) return this.report(forces.refused);
    if (!forces.pairs) return this.report("Computing the forces …");
    const { about = "", loss, measure = "", pairs } = forces;
    const list = (title, found) =>
      found.length
        ? [
            element("h4", { text: measure ? `${title} (${measure} · gradient)` : title }),
            element("ol", { class: "forces-list" }, ...found.map((pair) => this.pair(pair))),
          ]
        : [];
    this.root.replaceChildren(
      this.when,
      element("div", {
        class: "sheet-note",
        text: [about, Number.isFinite(loss) ? `loss ${measured(loss)}` : ""]
          .filter(Boolean)
          .join("; "),
      }),
      ...list(
        "pulls",
        pairs.filter(({ pull }) => pull > 0),
      ),
      ...list(
        "pushes",
        pairs.filter(({ pull }) => pull < 0),
      ),
      element("div", {
        class: "sheet-note",
        text: measure
          ? `${measure} of the two, and the length of the part of this sentence's gradient that comes from the pair.`
          : "",
      }),
    );
  }

  /** A pair as an entry of the list; a click chooses its sentence. */
  pair({ row, kind, text, score, pull }) {
    const words = [
      element("span", { class: "force-text", text, title: text }),
      element("span", {
        class: "force-number",
        text: `${measured(score)} · ${measured(Math.abs(pull))}`,
      }),
    ];
    return element(
      "li",
      { class: pull > 0 ? "pull" : "push", title: kind },
      row >= 0
        ? element(
            "button",
            { class: "force", type: "button", onclick: () => this.choose(row) },
            ...words,
          )
        : element("span", { class: "force" }, ...words),
    );
  }
}
