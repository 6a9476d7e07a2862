// A trainer without a model, for tests: vectors of a sentence that drift apart from step to step.

const WIDTH = 16;

/** A number from 0 to 1 for a text and a place. */
function noise(text, place) {
  let hash = 2166136261 ^ place;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

export class StandIn {
  constructor() {
    this.count = 0;
    this.values = {};
    this.backend = "wasm";
    this.batches = [];
    this.states = new Map();
  }

  async encode(texts) {
    const spread = 0.1 + 0.02 * this.count;
    const rows = texts.map((text) => {
      const row = Array.from(
        { length: WIDTH },
        (_, k) => (k ? 0 : 1) + spread * (noise(text, k) - 0.5),
      );
      const length = Math.hypot(...row);
      return row.map((value) => value / length);
    });
    return Float32Array.from(rows.flat());
  }

  async set(name, value) {
    this.values[name] = value;
  }

  async step(texts) {
    this.batches.push(texts);
    if (this.fails) throw new Error(this.fails);
    this.count += 1;
    const { learning_rate } = this.values;
    return {
      step: this.count,
      loss: 3 / this.count,
      gradient_norm: 1,
      learning_rate,
      seconds: 0.01,
    };
  }

  async views(texts) {
    return { first: await this.encode(texts), second: await this.encode(texts) };
  }

  async state() {
    const number = Math.max(-1, ...this.states.keys()) + 1;
    this.states.set(number, this.count);
    return number;
  }

  async restore(number) {
    this.count = this.states.get(number);
  }

  async forget(number) {
    this.states.delete(number);
  }

  close() {
    this.closed = true;
  }
}
