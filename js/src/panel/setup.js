// The set-up: what a run starts from, what it trains on, and settings as published.

import { element, tell, write } from "../shared/dom.js";

const LATER = 400; // milliseconds after the last letter until a text is sent
const LONGEST = 60;

/** A choice with its options; `act(value)` when the reader chooses. */
function chooser(label, name, act) {
  const box = element("select", { class: `clwork-${name}`, onchange: () => act(box.value) });
  const note = element("div", { class: "sheet-note" });
  const root = element("div", { class: "sheet-part" }, element("label", { class: "sheet-label" }, element("span", { text: label }), box), note);
  let key = "";
  const show = (options, choice, words, off) => {
    const now = JSON.stringify(options);
    if (now !== key) {
      key = now;
      box.replaceChildren(...options.map(({ value, label: text, note: about }) => element("option", { value, text, title: about })));
    }
    if (document.activeElement !== box || box.value !== choice) box.value = choice;
    box.disabled = off;
    write(note, words);
  };
  return { root, box, show };
}

/** A field for what a choice asks for besides: a name, a column, a text. */
class Entry {
  constructor(name, { title, help, placeholder }, send) {
    const tag = name === "text" ? "textarea" : "input";
    this.box = element(tag, { class: `entry-${name}`, placeholder, "aria-label": title, title: help || title, rows: name === "text" ? 5 : null, "data-lm-suppress-shortcuts": true });
    this.root = element("label", { class: "sheet-label entry" }, element("span", { text: title }), this.box);
    this.sent = "";
    const out = () => {
      clearTimeout(this.timer);
      if (this.box.value !== this.sent) send({ [name]: (this.sent = this.box.value) });
    };
    this.box.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(out, LATER);
    });
    this.box.addEventListener("change", out);
  }

  show(value, off) {
    if (value !== null && value !== undefined && document.activeElement !== this.box && this.box.value !== value) this.box.value = this.sent = value;
    this.box.disabled = off;
  }
}

/** A file that the reader chooses: its name and its bytes go to the kernel. */
class Upload {
  constructor({ title, accept }, send) {
    this.box = element("input", { type: "file", accept, "aria-label": title });
    this.name = element("span", { class: "sheet-note" });
    this.root = element("label", { class: "sheet-label entry" }, element("span", { text: title }), this.box, this.name);
    this.box.addEventListener("change", async () => {
      const [file] = this.box.files;
      if (file) send({ file: [file.name, { buffer: 0 }] }, [await file.arrayBuffer()]);
    });
  }

  show(name, off) {
    write(this.name, name || "");
    this.box.disabled = off;
  }
}

export class SetUp {
  /** hooks: act(command, more, buffers) -> promise. */
  constructor(about, hooks) {
    this.about = about;
    this.encoder = chooser("encoder", "encoder", (choice) => hooks.act("encoder", { choice }));
    this.corpus = chooser("corpus", "corpus", (choice) => hooks.act("corpus", { choice }));
    this.preset = chooser("settings", "preset", (choice) => hooks.act("preset", { choice }));
    this.reset = element("button", { class: "clwork-reset small", type: "button", text: "Reset", title: "every setting back to its default", onclick: () => hooks.act("reset") });
    this.preset.root.firstChild.append(this.reset);
    const inputs = about.inputs ?? {};
    this.entries = {};
    for (const which of ["encoder", "corpus"]) {
      this.entries[which] = Object.fromEntries(Object.entries(inputs[which] ?? {}).map(([name, told]) => {
        const send = (what, buffers) => hooks.act(which, what, buffers);
        const entry = name === "file" ? new Upload(told, send) : new Entry(name, told, send);
        this[which].root.append(entry.root);
        return [name, entry];
      }));
    }
    this.credit = element("div", { class: "sheet-note credit" });
    this.root = element("div", { class: "setup-sheet" }, this.encoder.root, this.corpus.root, this.credit, this.preset.root);
  }

  show(settings) {
    const { encoder = {}, corpus = {}, preset = "", frozen } = settings;
    const presets = this.about.presets ?? [];
    this.encoder.show(encoder.options ?? [], encoder.choice, encoder.note ?? "", frozen);
    this.corpus.show(corpus.options ?? [], corpus.choice, corpus.note ?? "", frozen);
    this.preset.show(presets, preset, presets.find(({ value }) => value === preset)?.note ?? "", frozen);
    this.reset.disabled = frozen;
    for (const [which, state] of Object.entries({ encoder, corpus })) {
      for (const [name, entry] of Object.entries(this.entries[which])) {
        entry.root.hidden = !(state.shown ?? []).includes(name);
        entry.show(state[name], frozen);
      }
    }
    write(this.credit, corpus.credit ?? "");
    tell(this.credit, "title", this.credit.textContent);
  }

  /** Corpus, encoder and settings in a line, for the chip. */
  words({ encoder = {}, corpus = {}, preset = "" }) {
    const called = ({ choice = "", place = "", options = [] }) => {
      if (choice === "elsewhere") return place || "not named yet";
      const label = options.find(({ value }) => value === choice)?.label ?? choice;
      return label.length > LONGEST ? choice : label.split(" (")[0];
    };
    return [called(corpus), called(encoder), preset === "default" ? "" : preset === "your own" ? "own settings" : preset].filter(Boolean).join(" · ");
  }
}
