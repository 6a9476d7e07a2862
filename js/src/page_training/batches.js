// Batches: which sentences a step trains on, and how rows of pieces are padded.

import { permutation, streamOf } from "./random.js";

// Batches that are sorted by length together.
const POOL = 8;
// Rows are padded to a multiple of it, so that few shapes are compiled.
const WIDTH_STEP = 8;
const SHORTEST_WIDTH = 16;
// Added to the attention scores of padding; its softmax share is 0.
const HIDDEN = -1e9;

/** Endless batches of different sentences, of similar length, in a new order each epoch. */
export class Batches {
  constructor(texts, { batch_size: size, seed }) {
    this.texts = [...new Set(texts)];
    if (this.texts.length < 2) throw new Error("training needs at least two different sentences");
    this.size = Math.min(size, this.texts.length);
    this.seed = seed;
    this.epoch = 0;
    this.waiting = [];
  }

  /** The sentences of the next step. */
  next() {
    if (!this.waiting.length) this.#fill();
    return this.waiting.pop();
  }

  /** Draw the batches of an epoch; sentences that are left over are in none. */
  #fill() {
    const order = permutation(this.texts.length, streamOf(this.seed, this.epoch, 1));
    const texts = order.map((index) => this.texts[index]);
    const batches = [];
    for (let start = 0; start < texts.length; start += POOL * this.size) {
      const pool = texts.slice(start, start + POOL * this.size);
      // cut before sorting: else the longest would always be left over
      pool.length -= pool.length % this.size;
      pool.sort((one, other) => one.length - other.length);
      for (let first = 0; first < pool.length; first += this.size)
        batches.push(pool.slice(first, first + this.size));
    }
    const shuffled = permutation(batches.length, streamOf(this.seed, this.epoch, 2));
    this.waiting = shuffled.map((index) => batches[index]);
    this.epoch += 1;
  }
}

/** The width to which rows are padded. */
export function paddedWidth(rows) {
  const longest = Math.max(...rows.map((row) => row.length));
  return Math.max(SHORTEST_WIDTH, WIDTH_STEP * Math.ceil(longest / WIDTH_STEP));
}

/** What is added to the attention scores of padded rows: 0 at pieces. Shape (B, 1, 1, T). */
export function paddingOf(rows, width) {
  const data = new Float32Array(rows.length * width);
  for (const [number, row] of rows.entries())
    data.fill(HIDDEN, number * width + row.length, (number + 1) * width);
  return { data, shape: [rows.length, 1, 1, width] };
}

/** Groups of `size` row numbers of similar length; the last group has fewer. */
export function groupsByLength(rows, size) {
  const order = rows.map((_, number) => number);
  order.sort((one, other) => rows[one].length - rows[other].length);
  const groups = [];
  for (let start = 0; start < order.length; start += size)
    groups.push(order.slice(start, start + size));
  return groups;
}
