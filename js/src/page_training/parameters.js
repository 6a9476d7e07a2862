// The trained numbers in one array, so that the optimizer is one loop, with a view for each tensor.

import { normal, sizeOf, streamOf } from "./random.js";

// The model multiplies all other tensors; of this one it receives the rows of a batch.
const PIECES = "bert.embeddings.word_embeddings.weight";
const HEAD_DEVIATION = 0.02;

/** The tensors whose name passes `holds`. */
const pick = (tensors, holds) =>
  Object.fromEntries(Object.entries(tensors).filter(([name]) => holds(name)));
const isEncoder = (name) => name.startsWith("bert.");

export class Parameters {
  /** `file` has the tensors of model.safetensors; SimCSE's head is drawn by `seed`. */
  constructor(file, { hidden_size: width }, seed) {
    const head = normal(width * width, HEAD_DEVIATION, streamOf(seed, 0, 3));
    // those that only predict masked words are neither trained nor changed
    this.untrained = pick(file, (name) => !isEncoder(name));
    this.trained = {
      ...pick(file, isEncoder),
      "head.dense.weight": { shape: [width, width], data: head },
      "head.dense.bias": { shape: [width], data: new Float32Array(width) },
    };
    const tensors = Object.values(this.trained);
    this.values = new Float32Array(tensors.reduce((count, { data }) => count + data.length, 0));
    const views = this.views();
    for (const [name, { data }] of Object.entries(this.trained)) views[name].data.set(data);
    this.trained = views;
    this.width = width;
  }

  /** Views of each tensor in an array of all of them: by name, { data, shape }. */
  views(values = this.values) {
    const views = {};
    let start = 0;
    for (const [name, { shape }] of Object.entries(this.trained)) {
      const end = start + sizeOf(shape);
      views[name] = { data: values.subarray(start, end), shape };
      start = end;
    }
    return views;
  }

  /** The tensors of the file, without the head. */
  forFile() {
    return { ...pick(this.trained, isEncoder), ...this.untrained };
  }

  /** What the model reads for rows of ids: the weights, and the pieces' embeddings, (B, T, D). */
  inputs(rows, pieces, pad) {
    const { width } = this;
    const table = this.trained[PIECES].data;
    const data = new Float32Array(rows.length * pieces * width);
    forEachPiece(rows, pieces, pad, (index, id) =>
      data.set(table.subarray(id * width, (id + 1) * width), index * width),
    );
    const weights = pick(this.trained, (name) => name !== PIECES);
    return { weights, pieces: { data, shape: [rows.length, pieces, width] } };
  }

  /** The gradient of all parameters, from that of `inputs`. */
  gather(slopes, rows, pieces, pad) {
    const { width } = this;
    const gradient = new Float32Array(this.values.length);
    const views = this.views(gradient);
    for (const [name, { data }] of Object.entries(slopes.weights)) views[name].data.set(data);
    const table = views[PIECES].data;
    forEachPiece(rows, pieces, pad, (index, id) => {
      for (let column = 0; column < width; column++)
        table[id * width + column] += slopes.pieces.data[index * width + column];
    });
    return gradient;
  }
}

/** Call `visit(index, id)` for each piece of padded rows. */
function forEachPiece(rows, pieces, pad, visit) {
  for (const [number, row] of rows.entries())
    for (let place = 0; place < pieces; place++) visit(number * pieces + place, row[place] ?? pad);
}
