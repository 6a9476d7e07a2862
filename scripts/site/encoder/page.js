// The page: two sentences to type, a button that loads the encoders, three representations side by side.

import { floats32 } from "../../../js/src/shared/bytes.js";
import { element, write } from "../../../js/src/shared/dom.js";
import { hiddenStates, pooled } from "./bert.js";
import { Column } from "./column.js";
import { load } from "./weights.js";
import { WordPiece } from "./wordpiece.js";

const REST = 120; // milliseconds after the last key

export class Page {
  constructor(state) {
    this.state = state;
    this.split = new WordPiece(state.vocabulary, state.shape.pieces);
    this.columns = state.columns.map((part) => new Column(part, state.texts, state.shape.width));
    this.both = null; // weights
    this.of = 0; // whose neighbours are listed
    this.inputs = state.examples.map((text, which) => this.field(text, which));
    this.state_line = element("p", { class: "line", "aria-live": "polite" });
    this.bar = element("progress", { max: 1, value: 0, hidden: true, "aria-label": "weights loaded" });
    const size = `${(state.size / 1e6).toFixed(1)} MB`;
    this.button = element("button", { type: "button", text: `Load the encoders (${size})`, onclick: () => this.load() });
    const whose = element("fieldset", {}, element("legend", { text: "Neighbours of" }), ...["A", "B"].map((name, which) => this.choice(name, which)));
    this.root = element(
      "div",
      { class: "clwork-look clwork-encoder" },
      element("div", { class: "own" }, ...this.inputs.map((one) => one.row)),
      element("div", { class: "bar" }, this.button, this.bar, this.state_line, whose),
      element("div", { class: "columns" }, ...this.columns.map((column) => column.root)),
    );
    this.columns.forEach((column, k) => {
      const examples = floats32(state.columns[k].examples);
      const width = state.shape.width;
      for (const which of [0, 1]) column.take(which, examples.slice(which * width, (which + 1) * width));
    });
    write(this.state_line, `Change a word: the encoders are loaded then. ${state.texts.length.toLocaleString("en")} sentences to compare with.`);
    this.show();
  }

  field(text, which) {
    const input = element("input", { type: "text", value: text, maxlength: 1000, spellcheck: "false", "aria-label": `Sentence ${"AB"[which]}` });
    input.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => (this.both ? this.encode() : this.load()), REST);
    });
    const pieces = element("span", { class: "pieces" });
    const row = element("label", { class: `sentence s${which}` }, element("b", { text: "AB"[which] }), input, pieces);
    return { row, input, pieces, shown: text };
  }

  choice(name, which) {
    const input = element("input", { type: "radio", name: "clwork-of", checked: which === 0, onchange: () => {
      this.of = which;
      this.show();
    } });
    return element("label", {}, input, ` ${name}`);
  }

  /** Weights, once; text typed meanwhile is encoded after. */
  async load() {
    if (this.loading) return;
    this.loading = true;
    this.button.disabled = true;
    this.bar.hidden = false;
    try {
      this.both = await load(this.state, (done) => {
        this.bar.value = done;
        write(this.state_line, `Loading: ${Math.round(100 * done)} %`);
      });
      this.button.hidden = true;
      this.encode(true);
    } catch (error) {
      this.loading = this.button.disabled = false;
      write(this.state_line, `The encoders are not there: ${error.message}`);
    }
    this.bar.hidden = true;
  }

  /** Vectors of a text by each column, length 1. */
  vectors(text) {
    const numbers = this.split.encode(text);
    const states = this.both.map((weights) => hiddenStates(numbers, weights, this.state.shape));
    return this.state.columns.map(({ encoder, pooling }) => pooled(states[encoder], pooling, this.state.shape));
  }

  encode(all = false) {
    let count = 0;
    const started = performance.now();
    this.inputs.forEach((field, which) => {
      if (!all && field.input.value === field.shown) return;
      field.shown = field.input.value;
      this.vectors(field.shown).forEach((vector, k) => this.columns[k].take(which, vector));
      count++;
    });
    if (count) this.time = (performance.now() - started) / count;
    if (this.time !== undefined) write(this.state_line, `Both encoders: ${Math.round(this.time)} ms a sentence, here in the page.`);
    this.show();
  }

  show() {
    for (const { input, pieces } of this.inputs) {
      const numbers = this.split.encode(input.value);
      write(pieces, `${numbers.length} pieces`);
      pieces.title = numbers.map((number) => this.split.names[number]).join(" ");
    }
    for (const column of this.columns) column.show(this.of);
  }

  paint(dark) {
    for (const column of this.columns) column.paint(dark);
  }

  close() {
    clearTimeout(this.timer);
    for (const column of this.columns) column.cloud.close();
  }
}
