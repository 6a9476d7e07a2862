// Answers the playground's requests inside the page, as clwork/lab/playground/comparison.py does in a kernel.

import { floats32, view } from "../../../js/src/shared/bytes.js";
import { hiddenStates, pooled } from "./bert.js";
import { load } from "./weights.js";
import { WordPiece } from "./wordpiece.js";

const MOST = 30; // sentences
const HITS = 10;

/** Rows of 8 bits at length 1. */
function rowsOf(packed, width) {
  const data = view(packed);
  const rows = new Float32Array(data.byteLength);
  for (let start = 0; start < rows.length; start += width) {
    let square = 0;
    for (let i = 0; i < width; i++) square += (rows[start + i] = data.getInt8(start + i)) ** 2;
    const scale = 1 / (Math.sqrt(square) || 1);
    for (let i = 0; i < width; i++) rows[start + i] *= scale;
  }
  return rows;
}

function dot(a, b, start = 0) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[start + i];
  return sum;
}

const bytes = (numbers) => new DataView(Float32Array.from(numbers).buffer);
const clean = (text) => text.trim().replace(/\s+/g, " ");

/** One encoder with one pooling: the vectors of the corpus and the plane of its cloud. */
class Side {
  constructor({ title, encoder, pooling, quantiles, share, ...packed }, width) {
    Object.assign(this, { name: title, encoder, pooling, quantiles, share, width });
    this.rows = rowsOf(packed.vectors, width);
    this.mean = floats32(packed.mean);
    this.axes = floats32(packed.axes);
    this.examples = floats32(packed.examples);
    this.count = this.rows.length / width;
  }

  /** Coordinates of a vector on the two axes. */
  place(vector) {
    const out = [0, 0];
    for (let k = 0; k < 2; k++) for (let i = 0; i < this.width; i++) out[k] += (vector[i] - this.mean[i]) * this.axes[k * this.width + i];
    return out;
  }

  row(number) {
    return this.rows.subarray(number * this.width, (number + 1) * this.width);
  }

  cosines(vector) {
    return Float32Array.from({ length: this.count }, (_, row) => dot(vector, this.rows, row * this.width));
  }
}

/** The rows of a corpus by their cosines, nearest first, and the rank of each row from 1. */
function ranked(cosines) {
  const order = Array.from(cosines.keys()).sort((a, b) => cosines[b] - cosines[a] || a - b);
  const rank = new Int32Array(order.length);
  order.forEach((row, place) => (rank[row] = place + 1));
  return { cosines, rows: order.slice(0, HITS), rank };
}

/** Stands in for anywidget's model; see js/src/shared/channel.js for the messages. */
export class Kernel {
  constructor(state) {
    this.state = state;
    this.split = new WordPiece(state.vocabulary, state.shape.pieces);
    const { width } = state.shape;
    this.sides = state.columns.map((column) => new Side(column, width));
    this.both = null; // the weights of the two encoders
    this.parts = new Map();
    this.known = new Map(state.examples.map((text, which) => [text, this.sides.map(({ examples }) => examples.slice(which * width, (which + 1) * width))]));
    this.status = { working: false, busy: false, trouble: false, doing: "", done: 0, total: 1, button: `Load the encoders (${(state.size / 1e6).toFixed(1)} MB)`, sentence: "Change a word: the encoders are then loaded, and run in this page." };
    this.publish("sentences", { texts: state.examples, by: "" });
    this.publish("clouds", { axes: 1, sides: [] });
    this.rebase(state.examples);
  }

  get(name) {
    return { about: { most: MOST, searched: null } }[name];
  }

  on(_, call) {
    this.call = call;
  }

  off() {
    this.call = null;
  }

  publish(name, content) {
    this.parts.set(name, { version: (this.parts.get(name)?.version ?? 0) + 1, ...content });
  }

  send({ request, page, known, do: command }) {
    setTimeout(() => {
      let refused;
      try {
        if (command) this.act(command);
      } catch (error) {
        refused = error.message;
      }
      const news = Object.fromEntries([...this.parts].filter(([name, { version }]) => known[name] !== version));
      this.call?.({ answer: request, page, news: { status: { ...this.status }, ...news }, refused }, []);
    });
  }

  act({ name, text, row, partner, texts, rows }) {
    if (name === "compare") return this.compare(texts);
    if (name === "read") return this.publish("texts", { texts: this.textsOf(rows) });
    if (name !== "edit") return;
    this.question = { text: clean(text), row, partner: clean(partner) };
    if ([this.question.text, this.question.partner].every((one) => this.known.has(one)) || this.both) this.answer();
    else this.load();
  }

  compare(texts) {
    const given = texts.map(clean).filter(Boolean);
    if (given.length < 2 || given.length > MOST) throw new Error(`Give 2 to ${MOST} sentences, one on each line.`);
    if (this.both) this.rebase(given);
    else this.load(given);
  }

  /** Load the weights once, then answer what was asked meanwhile. */
  async load(texts) {
    if (texts) this.waiting = texts;
    if (this.status.busy) return;
    Object.assign(this.status, { working: true, busy: true, trouble: false, sentence: "Loading the encoders …" });
    try {
      this.both = await load(this.state, (done) => Object.assign(this.status, { done, doing: `${Math.round(100 * done)} %` }));
      Object.assign(this.status, { working: false, busy: false, doing: "", button: "Compare" });
      const asked = this.question;
      this.known.clear(); // the vectors in the page are those of Python
      this.rebase(this.waiting ?? this.texts);
      if (!this.waiting) this.question = asked;
      this.answer();
    } catch (error) {
      Object.assign(this.status, { working: false, busy: false, doing: "", trouble: true, sentence: `The encoders are not there: ${error.message}` });
    }
  }

  /** Vectors of a text by each side, length 1. */
  vectors(text) {
    if (this.known.has(text)) return this.known.get(text);
    const started = performance.now();
    const numbers = this.split.encode(text);
    const states = this.both.map((weights) => hiddenStates(numbers, weights, this.state.shape));
    const found = this.sides.map(({ encoder, pooling }) => pooled(states[encoder], pooling, this.state.shape));
    this.status.sentence = `Both encoders: ${Math.round(performance.now() - started)} ms a sentence, here in the page.`;
    return found;
  }

  textsOf(rows) {
    return Object.fromEntries(rows.map((row) => [row, this.state.texts[row]]));
  }

  /** Take these sentences as those that a change is compared with. */
  rebase(texts) {
    this.texts = texts;
    this.known = new Map(texts.map((text) => [text, this.vectors(text)]));
    const of = (place) => texts.map((text) => this.known.get(text)[place]);
    const number = (this.parts.get("compared")?.number ?? 0) + 1;
    const grid = (own) => bytes(own.flatMap((one) => own.map((other) => dot(one, other))));
    this.publish("compared", { number, texts, warnings: [], remarks: [], sides: this.sides.map(({ name }, place) => ({ name, cosines: grid(of(place)) })) });
    const cloud = (side, place) => {
      const dots = Array.from({ length: side.count }, (_, row) => side.place(side.row(row))).flat();
      return { name: side.name, share: side.share, quantiles: side.quantiles, dots: bytes(dots), own: bytes(of(place).flatMap((one) => side.place(one))) };
    };
    this.publish("clouds", { axes: this.parts.get("clouds").axes + 1, sides: this.sides.map(cloud) });
    this.question = { text: texts[0], row: 0, partner: texts[1] };
  }

  /** Neighbours, places and cosines of the searched sentence. */
  answer() {
    const { text, row, partner } = this.question;
    const original = this.texts[row] ?? "";
    const changed = row !== null && text !== original;
    const [now, then, other] = [text, changed ? original : "", partner].map((one) => (one ? this.vectors(one) : null));
    const found = this.sides.map((side, place) => ranked(side.cosines(now[place])));
    const columns = this.sides.map((side, place) => {
      const [{ cosines, rows, rank }, next] = [found[place], found[place + 1] ?? found[place - 1]];
      const before = then && ranked(side.cosines(then[place]));
      const gone = before ? before.rows.filter((one) => !rows.includes(one)) : [];
      return {
        ...{ title: side.name, past: false, searched: side.count, rows, cosines: rows.map((one) => cosines[one]) },
        ...{ there: rows.map((one) => next.rank[one]), then: before && rows.map((one) => before.rank[one]), gone, gone_to: gone.map((one) => rank[one]) },
      };
    });
    const shown = [...new Set(columns.flatMap(({ rows, gone }) => [...rows, ...gone]))];
    const sides = this.sides.map((side, place) => ({
      ...{ name: side.name, at: side.place(now[place]), pair: other ? dot(now[place], other[place]) : undefined },
      ...{ near: Object.fromEntries(shown.map((one) => [one, side.place(side.row(one))])), cosines: this.texts.map((one) => dot(now[place], this.known.get(one)[place])) },
    }));
    const pieces = this.split.encode(text).slice(1, -1).map((number) => this.split.names[number]);
    const { axes } = this.parts.get("clouds");
    this.publish("answer", { row: row ?? -1, text, original, changed, axes, pieces, columns, sides, texts: this.textsOf(shown), moved: null });
  }
}
