// The settings of the runs in this page: values, checks, and what the panel's controls show. The
// fields come from clwork/lab/panel/settings.py, so that both kernels have the same ranges.

import { linesOf, short } from "../shared/text.js";

export const WIKIPEDIA = "wikipedia";
export const OWN = "own text";
// lines of own text
export const FEWEST_LINES = 8;
export const MOST_LINES = 500;
const ACTIVE = "a run is active with these settings: stop it to change them";

export class Settings {
  /** `about`: that of the panel; `defaults`: values by name; `wikipedia`: how its corpus is called. */
  constructor({ steps, seed, fields }, defaults, wikipedia) {
    this.fields = new Map([steps, seed, ...fields].map((field) => [field.name, field]));
    Object.assign(this, { defaults, wikipedia, values: { ...defaults } });
    this.corpus = WIKIPEDIA;
    this.text = "";
  }

  /** Set a value from a number or a typed text; throws a sentence if it is not allowed. */
  set(name, value, active) {
    const field = this.fields.get(name);
    if (!field) throw new Error(`there is no setting "${name}"`);
    if (active && !field.hot) throw new Error(`${field.title}: ${ACTIVE}`);
    const number = String(value).trim() === "" ? Number.NaN : Number(value);
    const { low, high, kind } = field;
    if (!Number.isFinite(number) || number < low || number > high)
      throw new Error(`${field.title}: ${value} is not a number from ${short(low)} to ${high}`);
    if (kind === "int" && !Number.isInteger(number))
      throw new Error(`${field.title}: ${value} is not an integer`);
    this.values = { ...this.values, [name]: number };
  }

  /** Return to the defaults if `name` is their preset. */
  preset(name, active) {
    if (active) throw new Error(ACTIVE);
    if (name === "default") this.values = { ...this.defaults };
  }

  /** Choose the corpus, or take the text of an own one. */
  choose({ choice, text }, active) {
    if (active) throw new Error(ACTIVE);
    if (choice !== undefined) this.corpus = choice;
    if (text !== undefined) this.text = text;
  }

  /** The own sentences, or null if the run trains on Wikipedia. */
  ownSentences() {
    if (this.corpus !== OWN) return null;
    const lines = linesOf(this.text);
    if (lines.length < FEWEST_LINES)
      throw new Error(
        `own text has ${lines.length} sentences: paste at least ${FEWEST_LINES}, one on each line`,
      );
    return lines.slice(0, MOST_LINES);
  }

  /** The settings that differ from the defaults. */
  changed() {
    return Object.fromEntries(
      Object.entries(this.values).filter(([name, value]) => value !== this.defaults[name]),
    );
  }

  /** What the panel's controls show; see PanelSettings.state in clwork/lab/panel/settings.py. */
  state(active) {
    const text = (name) => short(this.values[name], 6);
    const controls = [...this.fields.values()].map(({ name, hot }) => [
      name,
      { text: text(name), idle: "", off: active && !hot },
    ]);
    const values = Object.keys(this.values).map((name) => `${name}=${text(name)}`);
    const own = `Paste ${FEWEST_LINES} to ${MOST_LINES} sentences; they stay in this page. Done shows their cloud.`;
    return {
      controls: Object.fromEntries(controls),
      frozen: active,
      preset: Object.keys(this.changed()).length ? "your own" : "default",
      line: `clwork.train("simcse", ${values.join(", ")})`,
      corpus: {
        choice: this.corpus,
        options: [
          { value: WIKIPEDIA, label: "Wikipedia" },
          { value: OWN, label: "own text …" },
        ],
        shown: this.corpus === OWN ? ["text"] : [],
        text: this.text,
        note: this.corpus === OWN ? own : this.wikipedia.note,
        credit: this.corpus === OWN ? "" : this.wikipedia.credit,
      },
      encoder: {
        choice: "mini",
        options: [{ value: "mini", label: "mini" }],
        shown: [],
        note: "4 layers, 256 numbers a sentence; clwork's own, made on two processor cores.",
      },
    };
  }
}
